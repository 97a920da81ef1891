import torch
import triton

print(torch.cuda.is_available(), torch.cuda.device_count() >= 1, torch.cuda.current_device())
DEVICE = triton.runtime.driver.active.get_active_torch_device()
print(DEVICE, DEVICE.type, DEVICE.index, repr(DEVICE))
properties = triton.runtime.driver.active.utils.get_device_properties(DEVICE.index)
print(all(isinstance(properties[k], int) for k in ("multiprocessor_count", "max_shared_mem", "max_num_regs", "warpSize")))
print(properties["warpSize"])
target = triton.runtime.driver.active.get_current_target()
print(target.backend, target.warp_size, isinstance(target.arch, int))
props = torch.cuda.get_device_properties(0)
print(props.warp_size, props.multi_processor_count > 0, isinstance(props.name, str), props.total_memory > 0)
major, minor = torch.cuda.get_device_capability()
print(major >= 8, minor >= 0)
print(torch.device("cuda"), torch.device("cuda:0"), torch.device("cuda", 0) == torch.device("cuda:0"))
