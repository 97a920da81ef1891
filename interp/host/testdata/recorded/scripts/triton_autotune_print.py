import contextlib
import io
import os
import re

os.environ["TRITON_PRINT_AUTOTUNING"] = "1"

import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=4, num_stages=2) for b in (64, 128)], key=["n", "flag"])
@triton.jit
def scale_kernel(x_ptr, n, flag, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) * 1.0, mask=offs < n)


captured = io.StringIO()
x = torch.ones(300, device="cuda")
with contextlib.redirect_stdout(captured):
    for n in (100, 300, 100):
        scale_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, n, True)
text = captured.getvalue()
text = re.sub(r"finished after [\d.]+s", "finished after ?s", text)
print(re.sub(r"BLOCK: \d+", "BLOCK: ?", text), end="")
