# Reductions and scans: of a row by one program, of everything by atomics or by two launches.
import torch
import triton
import triton.language as tl

rows, columns, B = 11, 70, 128
x, y = torch.randn(rows, columns, device="cuda"), torch.randn(rows, columns, device="cuda")
n = rows * columns


def same(got, want):
    assert torch.allclose(got, want, atol=1e-3, rtol=1e-3)


@triton.jit
def row_sum(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    tl.store(z_ptr + row, tl.sum(tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0), axis=0))


z = torch.empty(rows, device="cuda")
row_sum[(rows,)](x, z, columns, B)
same(z, x.sum(1))


@triton.jit
def column_sum(x_ptr, z_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros([BN], dtype=tl.float32)
    for start in range(0, rows, BM):
        r = start + tl.arange(0, BM)
        mask = (r[:, None] < rows) & (c[None, :] < columns)
        total += tl.sum(tl.load(x_ptr + r[:, None] * columns + c[None, :], mask=mask, other=0.0), axis=0)
    tl.store(z_ptr + c, total, mask=c < columns)


z = torch.empty(columns, device="cuda")
column_sum[(triton.cdiv(columns, 32),)](x, z, rows, columns, 4, 32)
same(z, x.sum(0))


@triton.jit
def total_atomic(x_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(z_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), axis=0))


z = torch.zeros(1, device="cuda")
total_atomic[(triton.cdiv(n, B),)](x, z, n, B)
same(z[0], x.sum())


@triton.jit
def partial_sums(x_ptr, partial_ptr, n, B: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    tl.store(partial_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), axis=0))


@triton.jit
def sum_of_partials(partial_ptr, z_ptr, parts, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(z_ptr, tl.sum(tl.load(partial_ptr + i, mask=i < parts, other=0.0), axis=0))


parts = triton.cdiv(n, B)
partial, z = torch.empty(parts, device="cuda"), torch.empty(1, device="cuda")
partial_sums[(parts,)](x, partial, n, B)
sum_of_partials[(1,)](partial, z, parts, 16)
same(z[0], x.sum())


@triton.jit
def dot_product(x_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    product = tl.load(x_ptr + i, mask=i < n, other=0.0) * tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(z_ptr, tl.sum(product, axis=0))


z = torch.zeros(1, device="cuda")
dot_product[(parts,)](x, y, z, n, B)
same(z[0], (x * y).sum())


@triton.jit
def row_max_and_argmax(x_ptr, max_ptr, at_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=-float("inf"))
    largest, at = tl.max(value, axis=0, return_indices=True)
    tl.store(max_ptr + row, largest)
    tl.store(at_ptr + row, at)


z, at = torch.empty(rows, device="cuda"), torch.empty(rows, device="cuda", dtype=torch.int32)
row_max_and_argmax[(rows,)](x, z, at, columns, B)
assert (at == x.argmax(1)).all()


@triton.jit
def combine(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    share = tl.where(n == 0, 0.0, n_b / n)
    d = mean_b - mean_a
    return mean_a + d * share, m2_a + m2_b + d * d * n_a * share, n


@triton.jit
def welford(x_ptr, mean_ptr, var_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0)
    count = tl.where(i < columns, 1.0, 0.0)
    mean, m2, total = tl.reduce((value, tl.zeros_like(value), count), 0, combine)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, m2 / total)


mean, var = torch.empty(rows, device="cuda"), torch.empty(rows, device="cuda")
welford[(rows,)](x, mean, var, columns, B)
same(var, x.var(1, unbiased=False))


@triton.jit
def log_sum_exp(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=-float("inf"))
    largest = tl.max(value, axis=0)
    tl.store(z_ptr + row, largest + tl.log(tl.sum(tl.exp(value - largest), axis=0)))


z = torch.empty(rows, device="cuda")
log_sum_exp[(rows,)](x, z, columns, B)
same(z, torch.logsumexp(x, 1))


@triton.jit
def any_above(x_ptr, z_ptr, limit, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=-float("inf"))
    tl.store(z_ptr + row, tl.max((value > limit).to(tl.int32), axis=0))


z = torch.empty(rows, device="cuda", dtype=torch.int32)
any_above[(rows,)](x, z, 2.0, columns, B)
assert (z == (x > 2).any(1).int()).all()


@triton.jit
def row_cumsum(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0)
    tl.store(z_ptr + row * columns + i, tl.cumsum(value, axis=0), mask=i < columns)


z = torch.empty_like(x)
row_cumsum[(rows,)](x, z, columns, B)
same(z, x.cumsum(1))


@triton.jit
def cumsum_by_blocks(x_ptr, z_ptr, columns, B: tl.constexpr):
    row = tl.program_id(0)
    before = 0.0
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        value = tl.load(x_ptr + row * columns + i, mask=i < columns, other=0.0)
        tl.store(z_ptr + row * columns + i, before + tl.cumsum(value, axis=0), mask=i < columns)
        before += tl.sum(value, axis=0)


z = torch.empty_like(x)
cumsum_by_blocks[(rows,)](x, z, columns, 32)
same(z, x.cumsum(1))
