import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # Each program turns one row into probabilities.
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    inside = cols < n

    # Lanes outside the row are -inf, so that exp makes them zero.
    x = tl.load(x_ptr + row * n + cols, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * n + cols, e / tl.sum(e, axis=0), mask=inside)
