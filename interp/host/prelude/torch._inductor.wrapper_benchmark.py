def compiled_module_main(benchmark_name, benchmark_compiled_module_fn):
    benchmark_compiled_module_fn(times=10, repeat=10)
