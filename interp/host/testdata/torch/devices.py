import torch
torch.manual_seed(0)
size = 98432
DEVICE = torch.device("cuda")
x = torch.rand(size, device=DEVICE)
y = torch.rand(size, device=DEVICE)
print(x + y)
torch.manual_seed(0)
print(torch.randn(4, device="cuda"))
print(torch.randint(0, 10, (8,), device="cuda"))
print(torch.randperm(10, device="cuda"))
d = torch.device("cuda", 0)
print(d, repr(d), d.type, d.index, torch.device("cuda") == d, x.device == d, x.device == "cuda:0", torch.device("cuda"), repr(torch.device("cpu")))
try:
    print(torch.ones(3, device="cuda") + torch.ones(3))
except RuntimeError as e:
    print(e)
print(torch.ones(3, device="cuda") + torch.tensor(2.0))
a = torch.ones(2, 2, device="cuda", requires_grad=True)
b = (a.cpu() * 3).sum()
b.backward()
print(a.grad, b)
with torch.device("cuda"):
    print(torch.zeros(2, 0), torch.arange(3))
print(torch.zeros(3).cuda().is_cuda, torch.zeros(2, device="cuda").to("cpu", torch.float16))
print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.get_device_capability(), torch.cuda.get_device_properties(0).multi_processor_count)
s = torch.cuda.Event(enable_timing=True); e = torch.cuda.Event(enable_timing=True)
s.record(); e.record(); torch.cuda.synchronize()
print(s.elapsed_time(e) >= 0)
g = torch.Generator(device="cuda"); g.manual_seed(0)
print(torch.rand(2, generator=g, device="cuda"), isinstance(d, torch.device), type(d))
print(x[:3][torch.tensor([True, False, True])], torch.stack([x[:2], y[:2]]), x[0], x[:1].item())
print({d: 1}[torch.device("cuda:0")])
print(x.max(), torch.nonzero(x[:3] > 0.1), torch.eye(2, device="cuda").to(torch.int32))
with torch.cuda.device(0):
    with torch.cuda.stream(torch.cuda.Stream()):
        print(torch.nn.functional.dropout(torch.ones(8, device="cuda"), 0.5))
print(x.data_ptr() % 16)
print(torch.zeros(3, dtype=torch.float16).cuda().half().device.index)
try:
    torch.empty(3, device="cuda:1")
except RuntimeError as e:
    print(str(e).splitlines()[0])
