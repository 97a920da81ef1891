# Kernels that move elements: gathers, scatters, and layouts.
import torch
import triton
import triton.language as tl

rows, columns, B = 12, 37, 64
x = torch.randn(rows, columns, device="cuda")
n = rows * columns
blocks = (triton.cdiv(n, B),)


def out():
    return torch.empty_like(x)


def same(got, want):
    assert torch.allclose(got, want, atol=1e-4)


@triton.jit
def embedding(ids_ptr, table_ptr, z_ptr, columns, B: tl.constexpr):
    token = tl.program_id(0)
    at = tl.load(ids_ptr + token)
    i = tl.arange(0, B)
    tl.store(z_ptr + token * columns + i, tl.load(table_ptr + at * columns + i, mask=i < columns), mask=i < columns)


ids, z = torch.tensor([3, 0, 11, 3, 7], device="cuda", dtype=torch.int32), torch.empty(5, columns, device="cuda")
embedding[(5,)](ids, x, z, columns, B)
same(z, x[ids.long()])


@triton.jit
def embedding_backward(ids_ptr, dz_ptr, dtable_ptr, columns, B: tl.constexpr):
    token = tl.program_id(0)
    at = tl.load(ids_ptr + token)
    i = tl.arange(0, B)
    dz = tl.load(dz_ptr + token * columns + i, mask=i < columns)
    tl.atomic_add(dtable_ptr + at * columns + i, dz, mask=i < columns)


dtable = torch.zeros_like(x)
embedding_backward[(5,)](ids, z, dtable, columns, B)
same(dtable[3], z[0] + z[3])


@triton.jit
def index_select(x_ptr, at_ptr, z_ptr, m, columns, BM: tl.constexpr, BN: tl.constexpr):
    r, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN)
    at = tl.load(at_ptr + r, mask=r < m, other=0)
    mask = (r[:, None] < m) & (c[None, :] < columns)
    value = tl.load(x_ptr + at[:, None] * columns + c[None, :], mask=mask)
    tl.store(z_ptr + r[:, None] * columns + c[None, :], value, mask=mask)


index_select[(2,)](x, ids, z, 5, columns, 4, B)
same(z, x[ids.long()])


@triton.jit
def gather_columns(x_ptr, at_ptr, z_ptr, columns, k, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    at = tl.load(at_ptr + row * k + i, mask=i < k, other=0)
    tl.store(z_ptr + row * k + i, tl.load(x_ptr + row * columns + at, mask=i < k), mask=i < k)


at, z = torch.randint(0, columns, (rows, 6), device="cuda"), torch.empty(rows, 6, device="cuda")
gather_columns[(rows,)](x, at, z, columns, 6, 8)
same(z, x.gather(1, at))


@triton.jit
def scatter_add(x_ptr, at_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    at = tl.load(at_ptr + i, mask=i < n, other=0)
    tl.atomic_add(z_ptr + at, tl.load(x_ptr + i, mask=i < n, other=0.0), mask=i < n)


into, z = torch.randint(0, 10, (n,), device="cuda"), torch.zeros(10, device="cuda")
scatter_add[blocks](x, into, z, n, B)
same(z, torch.zeros(10, device="cuda").index_add(0, into, x.view(n)))


@triton.jit
def histogram(at_ptr, z_ptr, n, bins, B: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(at_ptr + i, mask=i < n, other=BINS - 1).to(tl.int32)
    counts = tl.histogram(value, BINS)
    c = tl.arange(0, BINS)
    tl.atomic_add(z_ptr + c, counts, mask=c < bins)


counts = torch.zeros(10, device="cuda", dtype=torch.int32)
histogram[blocks](into, counts, n, 10, B, 16)
assert (counts == torch.bincount(into, minlength=10)).all()


@triton.jit
def masked_fill(x_ptr, mask_ptr, z_ptr, value, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    fill = tl.load(mask_ptr + i, mask=i < n, other=0) != 0
    tl.store(z_ptr + i, tl.where(fill, value, tl.load(x_ptr + i, mask=i < n)), mask=i < n)


z, positive = out(), (x > 0).to(torch.int8)
masked_fill[blocks](x, positive, z, -1.0, n, B)
same(z, x.masked_fill(x > 0, -1.0))


@triton.jit
def one_hot(label_ptr, z_ptr, classes, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    tl.store(z_ptr + row * classes + i, (i == tl.load(label_ptr + row)).to(tl.float32), mask=i < classes)


z = torch.empty(5, rows, device="cuda")
one_hot[(5,)](ids, z, rows, 16)
same(z, torch.nn.functional.one_hot(ids.long(), rows).float())


@triton.jit
def roll_rows(x_ptr, z_ptr, shift, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    at = (i + columns - shift) % columns
    tl.store(z_ptr + row * columns + i, tl.load(x_ptr + row * columns + at, mask=i < columns), mask=i < columns)


z = out()
roll_rows[(rows,)](x, z, 5, columns, B)
same(z, x.roll(5, 1))


@triton.jit
def flip_rows(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + columns - 1 - i, mask=i < columns)
    tl.store(z_ptr + row * columns + i, value, mask=i < columns)


flip_rows[(rows,)](x, z, columns, B)
same(z, x.flip(1))


@triton.jit
def lower_triangle(x_ptr, z_ptr, rows, columns, B: tl.constexpr):
    r, c = tl.program_id(0) * B + tl.arange(0, B)[:, None], tl.program_id(1) * B + tl.arange(0, B)[None, :]
    mask = (r < rows) & (c < columns)
    value = tl.load(x_ptr + r * columns + c, mask=mask & (c <= r), other=0.0)
    tl.store(z_ptr + r * columns + c, value, mask=mask)


lower_triangle[(1, 3)](x, z, rows, columns, 16)
same(z, x.tril())


@triton.jit
def pad_columns(x_ptr, z_ptr, columns, left, width, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    inside = (i >= left) & (i < left + columns)
    value = tl.load(x_ptr + row * columns + i - left, mask=inside, other=0.0)
    tl.store(z_ptr + row * width + i, value, mask=i < width)


z = torch.empty(rows, 45, device="cuda")
pad_columns[(rows,)](x, z, columns, 3, 45, B)
same(z, torch.nn.functional.pad(x, (3, 5)))


@triton.jit
def concatenate(x_ptr, y_ptr, z_ptr, a, b, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    first = tl.load(x_ptr + row * a + i, mask=i < a, other=0.0)
    second = tl.load(y_ptr + row * b + i - a, mask=(i >= a) & (i < a + b), other=0.0)
    tl.store(z_ptr + row * (a + b) + i, tl.where(i < a, first, second), mask=i < a + b)


y, z = torch.randn(rows, 20, device="cuda"), torch.empty(rows, 57, device="cuda")
concatenate[(rows,)](x, y, z, columns, 20, B)
same(z, torch.cat([x, y], 1))


@triton.jit
def sort_rows(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=float("inf"))
    tl.store(z_ptr + row * columns + i, tl.sort(value), mask=i < columns)


z = out()
sort_rows[(rows,)](x, z, columns, B)
same(z, x.sort(1).values)


@triton.jit
def top_k(x_ptr, z_ptr, at_ptr, columns, K: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=-float("inf"))
    for k in tl.static_range(K):
        at = tl.argmax(value, axis=0)
        tl.store(z_ptr + row * K + k, tl.max(value, axis=0))
        tl.store(at_ptr + row * K + k, at)
        value = tl.where(i == at, -float("inf"), value)


z, at = torch.empty(rows, 3, device="cuda"), torch.empty(rows, 3, device="cuda", dtype=torch.int32)
top_k[(rows,)](x, z, at, columns, 3, B)
same(z, x.topk(3, 1).values)
