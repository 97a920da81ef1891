import contextlib
import time

import torch


@contextlib.contextmanager
def maybe_profile(should_profile, *args, **kwargs):
    yield None


def print_performance(model, example_inputs=(), times=10, repeat=10, baseline=1.0, device="cuda"):
    "The median seconds of calls, which are printed as what baseline is one of."
    took = []
    for _ in range(repeat):
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(times):
            result = model(*example_inputs)
        torch.cuda.synchronize()
        took.append((time.perf_counter() - began) / times)
        del result
    median = sorted(took)[len(took) // 2]
    print(f"{median / baseline:.6f}")
    return median
