import triton
from triton.testing import Benchmark, perf_report


@perf_report(Benchmark(x_names=['N'], x_vals=[16, 100, 1000000], line_arg='kind', line_vals=[1, 2, 3],
                       line_names=['a', 'b', 'c'], plot_name='scalars', args=dict(k=7)))
def bench(N, kind, k):
    return N * kind / k


bench.run(print_data=True)


@perf_report(Benchmark(x_names=['x', 'y'], x_vals=[(1, 2), (3, 4)], line_arg='op', line_vals=['add'],
                       line_names=['Add'], plot_name='pairs', ylabel='ms', args={}))
def pairs(x, y, op):
    return x + y


pairs.run(print_data=True)
print(triton.cdiv(10, 3), triton.next_power_of_2(33), triton.next_power_of_2(64), triton.next_power_of_2(1))
