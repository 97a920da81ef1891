"""The kernel by which torch's products of matrices run on a GPU: matmul.go launches it."""
import triton
import triton.language as tl


@triton.jit
def matmul(out, x, y, m, n, k, x_batch, x_row, x_column, y_batch, y_row, y_column,
           ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr, GROUP: tl.constexpr):
    # One program computes one tile of one batch. GROUP rows of tiles are computed column by column, so that their
    # operands stay in the L2 cache.
    down, across = tl.cdiv(m, ROWS), tl.cdiv(n, COLUMNS)
    batch = tl.program_id(0) // (down * across)
    tile = tl.program_id(0) % (down * across)
    top = tile // (GROUP * across) * GROUP
    height = min(down - top, GROUP)
    rows = (top + tile % (GROUP * across) % height) * ROWS + tl.arange(0, ROWS)
    columns = tile % (GROUP * across) // height * COLUMNS + tl.arange(0, COLUMNS)
    depth = tl.arange(0, DEPTH)
    # Rows and columns beyond the edge read those at the other edge and are not stored: the loop needs no mask for them.
    xs = x + batch * x_batch + (rows % m)[:, None] * x_row + depth[None, :] * x_column
    ys = y + batch * y_batch + depth[:, None] * y_row + (columns % n)[None, :] * y_column
    sums = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for done in range(0, k, DEPTH):
        a = tl.load(xs, mask=depth[None, :] < k - done, other=0.0)
        b = tl.load(ys, mask=depth[:, None] < k - done, other=0.0)
        sums = tl.dot(a, b, sums, input_precision="ieee")
        xs += DEPTH * x_column
        ys += DEPTH * y_row
    at = out + batch * m * n + rows[:, None] * n + columns[None, :]
    tl.store(at, sums.to(out.dtype.element_ty), mask=(rows[:, None] < m) & (columns[None, :] < n))
