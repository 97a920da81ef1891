"""torch.nn.attention: which kernel scaled_dot_product_attention may take; newt has one."""
import enum


class SDPBackend(enum.Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


class sdpa_kernel:
    def __init__(self, backends, set_priority=False):
        for backend in [backends] if isinstance(backends, SDPBackend) else list(backends):
            if not isinstance(backend, SDPBackend):
                raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return None
