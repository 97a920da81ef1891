import torch

x = torch.ones(2, device="cuda")
print(x.device, x.is_cuda, x.cpu().device, x.to("cpu").is_cuda, torch.ones(2).cuda().device, x.device.type, x.device.index)
print(torch.device("cuda").index, torch.device("cuda", 0), repr(torch.device("cpu")), torch.device("cuda:0") == x.device, torch.device("cuda") == x.device)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(device, torch.zeros(1, device=device).device, torch.zeros(1).to(device, torch.float16).dtype, torch.zeros(1).to(x).device)
try:
    x + torch.ones(2)
except RuntimeError as e:
    print(e)
print(x + torch.tensor(1.0), x * 2.5, 3 - x, x / torch.tensor(2))
try:
    x.numpy()
except TypeError as e:
    print(e)
try:
    torch.cat([x, torch.ones(2)])
except RuntimeError as e:
    print(e)
torch.set_default_device("cuda")
print(torch.zeros(1), torch.arange(3).device)
torch.set_default_device("cpu")
with torch.device("cuda"):
    print(torch.ones(1).device)
torch.cuda.synchronize()
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() >= 0, torch.cuda.current_stream() is not None, torch.ones(1).pin_memory().is_pinned())
with torch.cuda.device(0):
    print(torch.empty(1, device="cuda").get_device())
with torch.inference_mode():
    print(torch.ones(1, requires_grad=True).mul(2).requires_grad)
with torch.autocast("cuda", dtype=torch.float16):
    print((torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")).dtype)
