import torch

torch.manual_seed(0)
print(torch.rand(5, device="cuda"))
print(torch.randn(2, 3, device="cuda"))
print(torch.randint(0, 100, (8,), device="cuda"))
print(torch.rand(4, device="cuda", dtype=torch.float16), torch.randn(3, device="cuda", dtype=torch.bfloat16))
torch.manual_seed(0)
a = torch.rand(5, device="cuda")
torch.cuda.manual_seed(0)
print(torch.equal(a, torch.rand(5, device="cuda")))
g = torch.Generator(device="cuda").manual_seed(3)
print(torch.rand(3, generator=g, device="cuda"), torch.randn(3, generator=g, device="cuda"), g.device)
x = torch.ones(10, device="cuda")
torch.manual_seed(1)
print(torch.nn.functional.dropout(x, p=0.5))
print(torch.rand_like(x[:3]), torch.randn_like(x[:3]), torch.empty(3, device="cuda").uniform_(-1, 1), torch.empty(3, device="cuda").normal_())
try:
    torch.rand(3, generator=g)
except RuntimeError as e:
    print(e)
