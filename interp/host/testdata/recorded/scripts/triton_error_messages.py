import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=offs < n), mask=offs < n)


x = torch.arange(8, device="cuda").float()
y = torch.empty_like(x)


def attempt(label, fn):
    try:
        fn()
        print(f"{label}: fine")
    except Exception as e:
        print(f"{label}: {type(e).__name__}: {e}")


attempt("good", lambda: copy[(1,)](x, y, 8, BLOCK=8))
attempt("cpu tensor", lambda: copy[(1,)](x.cpu(), y, 8, BLOCK=8))
attempt("second cpu tensor", lambda: copy[(1,)](x, y.cpu(), 8, BLOCK=8))
attempt("missing argument", lambda: copy[(1,)](x, y, BLOCK=8))
attempt("missing constexpr", lambda: copy[(1,)](x, y, 8))
attempt("unknown keyword", lambda: copy[(1,)](x, y, 8, BLOCK=8, BLOK=3))
attempt("too many", lambda: copy[(1,)](x, y, 8, 8, 9))
attempt("twice", lambda: copy[(1,)](x, y, 8, 8, BLOCK=8))
attempt("call without grid", lambda: copy(x, y, 8, BLOCK=8))
attempt("no such attribute", lambda: triton.no_such_function(3))
