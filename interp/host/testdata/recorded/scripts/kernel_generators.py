import itertools
from collections import Counter, defaultdict, deque, namedtuple
from functools import partial, reduce

import torch
import triton
import triton.language as tl

Case = namedtuple("Case", "n block dtype")


@triton.jit
def iota(x_ptr, n, step, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, offs * step, mask=offs < n)


def run(case, step=1):
    x = torch.full((case.n,), -1, dtype=case.dtype, device="cuda")
    iota[(triton.cdiv(case.n, case.block),)](x, case.n, step, BLOCK=case.block)
    return x


def cases():
    for n, block, dtype in itertools.product([3, 20], [4, 16], [torch.int32, torch.float32]):
        yield Case(n, block, dtype)


totals = defaultdict(list)
for case in cases():
    x = run(case)
    totals[case.dtype].append(x.sum().item())
    print(case)
for k, v in totals.items():
    print(k, v)
by_two = partial(run, step=2)
print(by_two(Case(5, 8, torch.int64)))
print(reduce(lambda a, b: a + b, (run(c).numel() for c in cases())))
print(Counter(c.block for c in cases()).most_common())
window = deque(maxlen=3)
for i in range(6):
    window.append(i)
print(window, list(itertools.accumulate(window)))
