# triton.testing, triton.runtime.driver and the other things that host code asks of Triton.
import pytest
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.testing.perf_report(
    triton.testing.Benchmark(
        x_names=["size"], x_vals=[2**i for i in range(12, 28, 5)], x_log=True, line_arg="provider",
        line_vals=["triton", "torch"], line_names=["Triton", "Torch"], styles=[("blue", "-"), ("green", "-")],
        ylabel="GB/s", plot_name="vector-add-performance", args={"scale": 3}))
def bench(size, provider, scale):
    gbps = size / 1000 / scale if provider == "triton" else size / 4096
    return gbps, gbps * 0.5, gbps * 2


bench.run(print_data=True)
df = bench.run(return_df=True)
print(df.shape)
print(df.to_string() == "" or list(df.columns))


@triton.testing.perf_report([
    triton.testing.Benchmark(["M", "N"], [(2, 3), (20, 30)], "p", ["a"], ["A"], "two", {}),
    triton.testing.Benchmark(["M", "N"], [7, 70], "p", ["a", "b"], ["A", "B"], "one", {"p2": 0.5}, x_log=False),
    triton.testing.Benchmark(["M", "N"], [1, 2], "p", ["a"], ["A"], "tiny", {"p2": 1e-9}),
])
def several(M, N, p, p2=1):
    return M * N * p2


several.run(print_data=True)

ms = triton.testing.do_bench(lambda: torch.ones(3).sum(), warmup=1, rep=1)
print(type(ms).__name__, ms > 0)
q = triton.testing.do_bench(lambda: None, warmup=1, rep=1, quantiles=[0.5, 0.2, 0.8])
print(len(q), q[1] <= q[0] <= q[2], type(triton.testing.do_bench(lambda: None, rep=1, quantiles=[0.5])).__name__)
print(isinstance(triton.testing.do_bench(lambda: None, rep=1, return_mode="all"), list))

target = triton.runtime.driver.active.get_current_target()
print(target.backend, target.arch, target.warp_size, target)
p = triton.runtime.driver.active.utils.get_device_properties(0)
print(sorted(p))
print(round(triton.testing.get_dram_gbps()), round(triton.testing.get_max_tensorcore_tflops(torch.float16, 1755000)),
      round(triton.testing.get_max_simd_tflops(torch.float32, 1755000)))
triton.testing.assert_close(torch.ones(3), torch.ones(3) + 0.001)
try:
    triton.testing.assert_close(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 2.5, 3.0]))
except AssertionError as e:
    print(e)
print(triton.__version__, tl.cdiv(7, 2), triton.next_power_of_2(33))
triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8))
d = TensorDescriptor.from_tensor(torch.zeros(4, 8), [2, 4])
print(d.shape, d.strides, d.block_shape)
triton.knobs.autotuning.print = True
print(triton.knobs.autotuning.print, triton.knobs.runtime.interpret)
for refuse in [lambda: triton.compile(bench), lambda: triton.testing.do_bench(lambda: None, return_mode="best")]:
    try:
        refuse()
    except Exception as e:
        print(type(e).__name__)

props = torch.cuda.get_device_properties(0)
print(props.clock_rate, props.memory_clock_rate, props.memory_bus_width)


@pytest.mark.parametrize(None, [None])
@triton.jit
def marked(x, B: tl.constexpr):
    return


marked.note = [1]
print(marked.pytestmark[0].name, marked.note, hasattr(marked, "other"), sorted(marked.__dict__))
try:
    marked.src = ""
except AttributeError:
    print("refused")
# triton: 3.6
