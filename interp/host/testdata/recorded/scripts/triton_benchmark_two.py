import triton


@triton.testing.perf_report([
    triton.testing.Benchmark(x_names=['M', 'N', 'K'], x_vals=[128 * i for i in range(2, 6)], line_arg='provider',
                             line_vals=['cublas', 'triton'], line_names=['cuBLAS', 'Triton'],
                             styles=[('green', '-'), ('blue', '-')], ylabel='TFLOPS',
                             plot_name='matmul-performance-' + ('fp16' if not fp8 else 'fp8'), args={'fp8_inputs': fp8})
    for fp8 in [False, True]
])
def benchmark(M, N, K, provider, fp8_inputs):
    perf = lambda ms: 2 * M * N * K * 1e-12 / (ms * 1e-3)
    ms = (0.01 if provider == 'cublas' else 0.0125) / (2 if fp8_inputs else 1)
    return perf(ms), perf(ms * 1.25), perf(ms * 0.8)


benchmark.run(show_plots=False, print_data=True)
