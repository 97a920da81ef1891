import torch
import triton
import triton.testing


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=['size'],
        x_vals=[2**i for i in range(12, 17)],
        x_log=True,
        line_arg='provider',
        line_vals=['triton', 'torch'],
        line_names=['Triton', 'Torch'],
        styles=[('blue', '-'), ('green', '-')],
        ylabel='GB/s',
        plot_name='vector-add-performance',
        args={},
    ))
def benchmark(size, provider):
    gbps = {'triton': 1.5, 'torch': 0.75}[provider] * size / 1000
    return gbps, gbps * 1.1, gbps * 0.9


benchmark.run(print_data=True, show_plots=False)
df = benchmark.run(print_data=False, return_df=True)
print(type(df).__name__, list(df.columns), df.shape)
