"""triton.runtime.driver: what the driver tells of the device."""
import torch
from triton.backends.compiler import GPUTarget


class CudaUtils:
    def get_device_properties(self, device=None):
        of = torch.cuda.get_device_properties(device)
        return {"max_shared_mem": of.shared_memory_per_block_optin, "max_num_regs": of.regs_per_multiprocessor,
                "multiprocessor_count": of.multi_processor_count, "warpSize": of.warp_size,
                "sm_clock_rate": of.clock_rate, "mem_clock_rate": of.memory_clock_rate, "mem_bus_width": of.memory_bus_width}


class CudaDriver:
    utils = CudaUtils()

    def get_current_target(self):
        major, minor = self.get_device_capability()
        return GPUTarget("cuda", major * 10 + minor, 32)

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=None):
        return 0

    def set_current_device(self, device):
        pass

    def get_device_interface(self):
        return torch.cuda

    def get_device_capability(self, device=None):
        return torch.cuda.get_device_capability()

    def get_benchmarker(self):
        from triton.testing import do_bench
        return do_bench

    def is_active(self):
        return True


active = CudaDriver()


def set_active(driver):
    pass


def reset_active():
    pass


set_active_to_default = reset_active
