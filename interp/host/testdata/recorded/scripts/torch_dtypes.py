import torch

for dtype in [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.uint8, torch.int64, torch.bool]:
    t = torch.ones(2, dtype=dtype, device="cuda")
    print(f"{str(dtype):<15} {t.element_size()} {dtype.is_floating_point!s:<5} {dtype.itemsize} {t}")
print(torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).eps, torch.finfo(torch.float32).tiny, torch.iinfo(torch.int32).max)
print(torch.finfo(torch.float16), torch.iinfo(torch.uint8))
print((torch.ones(1, dtype=torch.int32) + torch.ones(1, dtype=torch.float16)).dtype, (torch.ones(1, dtype=torch.int8) * 2.5).dtype,
      (torch.tensor([1]) / 2).dtype, (torch.tensor([True]) + 1).dtype, (torch.tensor([7]) // 2).dtype)
print(torch.result_type(torch.ones(1, dtype=torch.float16), 1.0), torch.promote_types(torch.int32, torch.float32), torch.get_default_dtype())
print(torch.tensor([300]).to(torch.uint8), torch.tensor([-1]).to(torch.uint8), torch.tensor([2.9, -2.9]).int(), torch.tensor([65520.0]).half())
print(torch.tensor([1, 2]).float().half().bfloat16().double().long().bool())
print(torch.tensor([1.1], dtype=torch.float16), torch.tensor([1.1]).bfloat16(), torch.tensor([0.1]).double(), torch.tensor([16777217.0]))
print(torch.float32 == torch.float, torch.half is torch.float16, torch.long, [torch.int, torch.short])
print(torch.tensor([1.5]).view(torch.int32), torch.tensor([1065353216], dtype=torch.int32).view(torch.float32))
print(torch.tensor([1.5]).type(), torch.tensor([1], device="cuda").type(), torch.tensor([1.0]).type(torch.int32), torch.is_floating_point(torch.ones(1)))
print(-7 // torch.tensor([2]), torch.tensor([-7]) % 3, torch.fmod(torch.tensor([-7]), 3), torch.remainder(torch.tensor([-7.5]), 2))
print(torch.div(torch.tensor([-7]), 2, rounding_mode="trunc"), torch.tensor([7]) >> 1, 1 << torch.tensor([3]), ~torch.tensor([5]), 2 ** torch.tensor([3]))
