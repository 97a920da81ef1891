"""torch.backends: flags that scripts set; newt computes the same whatever they say."""


class _Flags:
    def is_available(self):
        return True

    def version(self):
        return 91002


cuda = _Flags()
cuda.matmul = _Flags()
cuda.matmul.allow_tf32 = False
cuda.matmul.allow_fp16_reduced_precision_reduction = True
cuda.matmul.allow_bf16_reduced_precision_reduction = True
cudnn = _Flags()
cudnn.enabled = True
cudnn.benchmark = False
cudnn.deterministic = False
cudnn.allow_tf32 = True


class _Enabled:
    "with torch.backends.cuda.sdp_kernel(): attention has one kernel here."

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return None


def _sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    return _Enabled()


cuda.sdp_kernel = _sdp_kernel
_kernels = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def _switch(name):
    def enable(enabled):
        _kernels[name] = bool(enabled)
    return enable


for _name in _kernels:
    setattr(cuda, f"enable_{_name}_sdp", _switch(_name))
    setattr(cuda, f"{_name}_sdp_enabled", lambda name=_name: _kernels[name])
