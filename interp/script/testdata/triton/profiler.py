import torch, triton, triton.language as tl, os, json
from torch.profiler import profile, ProfilerActivity, record_function, schedule
import torch.profiler

@triton.jit
def add_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)

x = torch.randn(1 << 16, device="cuda")
o = torch.empty_like(x)
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:
    with record_function("outer"):
        add_kernel[(64,)](x, x, o, x.numel(), 1024)
        y = torch.exp(x).sum() + 1
rows = {(e.key, e.device_type.name): e for e in prof.key_averages()}
print(sorted(rows), [e.count for e in prof.key_averages()])
outer, kernel = rows["outer", "CPU"], rows["add_kernel", "CUDA"]
print(outer.cuda_time_total == kernel.cuda_time_total > 0, outer.cpu_time_total > outer.self_cpu_time_total > 0)
print(kernel.device_type == torch.autograd.DeviceType.CUDA)
table = prof.key_averages().table(sort_by="cuda_time_total", row_limit=2)
print([line.split()[0] for line in table.splitlines() if line.strip()][3:5])
prof.export_chrome_trace("trace.json")
print(sorted({e["name"] for e in json.load(open("trace.json"))["traceEvents"]}))
seen = []
with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=2), on_trace_ready=lambda p: seen.append((p.step_num, len(p.events())))) as p:
    for i in range(10):
        torch.zeros(3)
        p.step()
print(seen)
@record_function("f")
def f(): return 1
print(f())
