import torch
import triton
import triton.language as tl


@triton.jit
def segment_sum(values, starts, out, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    begin = tl.load(starts + g)
    end = tl.load(starts + g + 1)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(begin, end, BLOCK):
        offs = i + tl.arange(0, BLOCK)
        acc += tl.load(values + offs, mask=offs < end, other=0.0)
    tl.store(out + g, tl.sum(acc, 0))


sizes = [3, 0, 17, 40, 1]
starts = torch.tensor([0] + torch.tensor(sizes).cumsum(0).tolist(), dtype=torch.int32, device="cuda")
values = torch.arange(sum(sizes), dtype=torch.float32, device="cuda")
out = torch.empty(len(sizes), device="cuda")
segment_sum[(len(sizes),)](values, starts, out, BLOCK=16)
for size, total in zip(sizes, out.tolist()):
    print(f"{size:>4} values sum to {total:8.1f}")
print(out)
