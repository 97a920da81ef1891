# What numbers become where they do not fit a dtype, and what dtype lists of scalars have.
import numpy as np
import torch


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


int8, uint8, half = torch.int8, torch.uint8, torch.float16
for value, dtype in [(300, int8), (-129, int8), (-128, int8), (127.5, int8), (300, uint8), (-1, uint8), (-255, uint8),
                     (-256, uint8), (-1.0, uint8), (70000, torch.int16), (2**31, torch.int32), (1e30, torch.int64),
                     (float("nan"), torch.int32), (float("inf"), torch.int32), (3.7, torch.int32), (5, torch.bool),
                     (-1e9, half), (65504, half), (float("inf"), half), (1e39, torch.float32),
                     (1e39, torch.bfloat16), (1e39, torch.float64), (1e6, torch.float8_e5m2)]:
    attempt(lambda: torch.full((), value, dtype=dtype))
x = torch.zeros(2, dtype=int8)
mask = torch.tensor([True, False])
first = torch.tensor([0])
for f in (lambda: torch.full_like(x, 300), lambda: x.new_full((2,), 300), lambda: x.fill_(300),
          lambda: x.masked_fill(mask, 300), lambda: x.index_fill(0, first, 300), lambda: x.scatter(0, first, 300),
          lambda: torch.nn.functional.pad(x, (1, 1), value=300),
          lambda: x.half().masked_fill(mask, -1e9), lambda: torch.tensor(300, dtype=int8),
          lambda: torch.tensor([[1], [-129]], dtype=int8), lambda: torch.tensor([-1, 255], dtype=uint8),
          lambda: torch.tensor([1e9], dtype=half), lambda: torch.tensor([1, 2.5], dtype=int8),
          lambda: torch.tensor([], dtype=half).median()):
    attempt(f)
try:
    x[0] = 300
except RuntimeError as e:
    print(e)

for data in (np.float64(1.5), np.float32(1.5), np.int8(3), np.bool_(True), [np.float64(1.5), 2], [np.float16(1.5)],
             [np.float32(1.5), np.int64(2)], [np.int8(1), np.int16(2)], [np.bool_(True)],
             [torch.tensor(1.5, dtype=torch.float64)], [torch.tensor(1.5, dtype=half), 2], [torch.tensor(3, dtype=int8)],
             [torch.tensor(3, dtype=int8), 2], [torch.tensor(3, dtype=half), 2.5], [torch.tensor(True), False],
             [torch.tensor([1]), torch.tensor([2])], [[torch.tensor(1), 2.5], [3, True]],
             [torch.tensor([1., 2.])], [torch.tensor([1, 2])]):
    attempt(lambda: torch.tensor(data))
attempt(lambda: torch.tensor([torch.tensor(1.5)], dtype=torch.int32))
attempt(lambda: torch.tensor([torch.tensor(3)], dtype=torch.float32))

e5m2 = torch.tensor([57344, 61439, 61440, 65536, 1e6, float("inf"), float("nan"), 1e-6]).to(torch.float8_e5m2)
print(e5m2.view(torch.uint8), (-e5m2.float()).to(torch.float8_e5m2).float())
print(torch.tensor([448, 464, 465, float("inf")]).to(torch.float8_e4m3fn).float())
