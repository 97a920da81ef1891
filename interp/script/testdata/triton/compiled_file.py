# A file of the form that torch.compile writes: kernels in texts, buffers by their strides, products by libraries.
import torch
from torch import empty_strided
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
from torch._dynamo.testing import rand_strided
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.codegen.memory_planning import _align as align
from torch._inductor.runtime.triton_heuristics import end_graph, start_graph
from torch._inductor.select_algorithm import extern_kernels
from torch._inductor.utils import maybe_profile

aten = torch.ops.aten
assert_size_stride = torch._C._dynamo.guards.assert_size_stride
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
async_compile = AsyncCompile()

HEADER = """
import triton
import triton.language as tl
from torch._inductor.runtime import triton_helpers, triton_heuristics
from torch._inductor.runtime.hints import AutotuneHint, DeviceProperties, ReductionHint, TileHint
from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math
triton_helpers.set_driver_to_gpu()
DEVICE = DeviceProperties(type='cuda', index=0, multi_processor_count=132, cc=90, major=9, regs_per_multiprocessor=65536,
                          max_threads_per_multi_processor=2048, max_threads_per_block=1024, warp_size=32)
def meta(signature):
    return {'signature': signature, 'device': DEVICE, 'constants': {}, 'configs': [{}]}
def inductor(kind, name):
    return {'grid_type': kind, 'autotune_hints': set(), 'kernel_name': name, 'mutated_arg_names': [], 'no_x_dim': False,
            'num_load': 1, 'num_reduction': 0, 'backend_hash': '', 'max_autotune': False, 'max_autotune_pointwise': False,
            'min_split_scan_rblock': 256, 'spill_threshold': 16, 'store_cubin': False, 'autotune_local_cache': False,
            'autotune_remote_cache': False, 'autotune_pointwise': False, 'dynamic_scale_rblock': False, 'are_deterministic_algorithms_enabled': False}
"""

double = async_compile.triton("double", HEADER + """
@triton_heuristics.pointwise(size_hints={'x': 4096}, filename=__file__,
    triton_meta=meta({'x_ptr': '*fp32', 'out_ptr': '*fp32', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}),
    inductor_meta=inductor('Grid1D', 'double'), min_elem_per_thread=0)
@triton.jit
def double(x_ptr, out_ptr, xnumel, XBLOCK: tl.constexpr):
    index = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    mask = index < xnumel
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask) * 2, mask)
""", device_str="cuda")

transpose = async_compile.triton("transpose", HEADER + """
@triton_heuristics.pointwise(size_hints={'y': 64, 'x': 64}, tile_hint=TileHint.SQUARE, filename=__file__,
    triton_meta=meta({'x_ptr': '*fp32', 'out_ptr': '*fp32', 'ynumel': 'i32', 'xnumel': 'i32', 'YBLOCK': 'constexpr', 'XBLOCK': 'constexpr'}),
    inductor_meta=inductor('Grid2D', 'transpose'), min_elem_per_thread=0)
@triton.jit
def transpose(x_ptr, out_ptr, ynumel, xnumel, YBLOCK: tl.constexpr, XBLOCK: tl.constexpr):
    y = tl.program_id(1) * YBLOCK + tl.arange(0, YBLOCK)[:, None]
    x = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[None, :]
    mask = (y < ynumel) & (x < xnumel)
    tl.store(out_ptr + x * ynumel + y, tl.load(x_ptr + y * xnumel + x, mask), mask)
""", device_str="cuda")

total = async_compile.triton("total", HEADER + """
@triton_heuristics.reduction(size_hints={'x': 64, 'r0_': 64}, reduction_hint=ReductionHint.INNER, filename=__file__,
    triton_meta=meta({'x_ptr': '*fp32', 'out_ptr': '*fp32', 'xnumel': 'i32', 'r0_numel': 'i32', 'XBLOCK': 'constexpr', 'R0_BLOCK': 'constexpr'}),
    inductor_meta=inductor('Grid1D', 'total'))
@triton.jit
def total(x_ptr, out_ptr, xnumel, r0_numel, XBLOCK: tl.constexpr, R0_BLOCK: tl.constexpr):
    x = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    sums = tl.full([XBLOCK, R0_BLOCK], 0, tl.float32)
    for first in range(0, r0_numel, R0_BLOCK):
        r = first + tl.arange(0, R0_BLOCK)[None, :]
        mask = (r < r0_numel) & (x < xnumel)
        sums += tl.load(x_ptr + x * r0_numel + r, mask, other=0.0)
    tl.store(out_ptr + x, tl.sum(sums, 1)[:, None], x < xnumel)
""", device_str="cuda")

peak = async_compile.triton("peak", HEADER + """
@triton_heuristics.persistent_reduction(size_hints={'x': 64, 'r0_': 64}, reduction_hint=ReductionHint.INNER, filename=__file__,
    triton_meta=meta({'x_ptr': '*fp32', 'out_ptr': '*fp32', 'xnumel': 'i32', 'r0_numel': 'i32', 'XBLOCK': 'constexpr'}),
    inductor_meta=inductor('Grid1D', 'peak'))
@triton.jit
def peak(x_ptr, out_ptr, xnumel, r0_numel, XBLOCK: tl.constexpr):
    R0_BLOCK: tl.constexpr = 64
    x = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    r = tl.arange(0, R0_BLOCK)[None, :]
    mask = (r < r0_numel) & (x < xnumel)
    v = tl.where(mask, tl.load(x_ptr + x * r0_numel + r, mask, other=0.0), float("-inf"))
    tl.store(out_ptr + x, triton_helpers.max2(v, 1)[:, None], x < xnumel)
""", device_str="cuda")
async_compile.wait(globals())

with torch.cuda._DeviceGuard(0):
    torch.cuda.set_device(0)
    stream = get_raw_stream(0)
    x = (torch.arange(50 * 60, device="cuda") % 97 - 40).float().view(50, 60)
    twice = empty_strided_cuda((50, 60), (60, 1), torch.float32)
    double.run(x, twice, 3000, stream=stream)
    turned = empty_strided_cuda((60, 50), (50, 1), torch.float32)
    transpose.run(twice, turned, 50, 60, stream=stream)
    sums, tops = empty_strided_cuda((50,), (1,), torch.float32), empty_strided_cuda((50,), (1,), torch.float32)
    total.run(twice, sums, 50, 60, stream=stream)
    peak.run(twice, tops, 50, 60, stream=stream)
    product = empty_strided_cuda((50, 50), (50, 1), torch.float32)
    extern_kernels.mm(x, reinterpret_tensor(turned, (60, 50), (50, 1), 0), out=product)
print(turned[:2, :4].tolist(), torch.equal(turned, 2 * x.t()), torch.equal(sums, twice.sum(1)), torch.equal(tops, twice.amax(1)))
print(torch.allclose(product, x @ (2 * x.t())), align(65), reinterpret_tensor(x, (2, 2), (60, 2), 1).tolist())
print(extern_kernels.addmm(torch.ones(2, device="cuda"), torch.eye(2, device="cuda"), torch.eye(2, device="cuda"), alpha=1, beta=1).tolist())
last = torch.empty_strided((2, 3, 4, 4), (48, 1, 12, 3), device="cuda").fill_(1.0)
print(extern_kernels.convolution(last, torch.ones(5, 3, 3, 3, device="cuda"), stride=(1, 1), padding=(1, 1), dilation=(1, 1), transposed=False, output_padding=(0, 0), groups=1, bias=None).stride())
print(rand_strided((3, 2), (1, 5), device="cuda", dtype=torch.float16).stride(), rand_strided((2,), (1,), device="cpu", dtype=torch.int64))
assert_size_stride(x, (50, 60), (60, 1))
try:
    assert_size_stride(x, (50, 61), (60, 2))
except AssertionError as e:
    print(str(e).splitlines()[0])
seed = empty_strided_cuda((1,), (1,), torch.int64)
aten.randint.low_out(3, 4, [1], out=seed)
print(seed.tolist(), aten.relu.default(torch.tensor([-1.0, 2.0])).tolist())
