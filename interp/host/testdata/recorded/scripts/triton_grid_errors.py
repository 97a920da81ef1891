import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, offs, mask=offs < n)


x = torch.zeros(8, device="cuda", dtype=torch.int32)


def attempt(label, fn):
    try:
        fn()
        print(f"{label}: fine", x.tolist())
    except Exception as e:
        print(f"{label}: {type(e).__name__}: {e}")


attempt("zero", lambda: kernel[(0,)](x, 8, BLOCK=8))
attempt("one", lambda: kernel[(1,)](x, 8, BLOCK=8))
attempt("four", lambda: kernel[(1, 1, 1, 1)](x, 8, BLOCK=8))
attempt("float", lambda: kernel[(1.0,)](x, 8, BLOCK=8))
attempt("text", lambda: kernel[("1",)](x, 8, BLOCK=8))
attempt("number", lambda: kernel[1](x, 8, BLOCK=8))
attempt("none", lambda: kernel[None](x, 8, BLOCK=8))
attempt("empty", lambda: kernel[()](x, 8, BLOCK=8))
attempt("key error", lambda: kernel[lambda meta: (meta["BLK"],)](x, 8, BLOCK=8))
attempt("string argument", lambda: kernel[(1,)](x, "eight", BLOCK=8))
attempt("list argument", lambda: kernel[(1,)]([1, 2], 8, BLOCK=8))
attempt("tensor for a constexpr", lambda: kernel[(1,)](x, 8, BLOCK=x))
attempt("warps", lambda: kernel[(1,)](x, 8, BLOCK=8, num_warps=3))
attempt("empty tensor", lambda: kernel[(1,)](x[:0], 0, BLOCK=8))
