# Each chunk is a kernel k(x, out, n, B) with x = 0.0, 1.0, … 63.0, out = 64 zeros (fp32), n = 10
# and B = 8. `out:` are the first elements of out afterwards, `says:` the codes of its warnings,
# `prints:` what it prints, `triton:` the version that it is compiled for.

# name: break leaves the loop at once
# out: 0 1 2 3 0 0 4
# says: break
for i in range(0, n):
    if i == 4:
        break
    tl.store(out + i, i)
tl.store(out + 6, i_seen(n))
---
# name: break keeps what was carried
# out: 6 4
# says: break
total = 0
count = 0
for i in range(0, n):
    if i > 3:
        break
    total += i
    count += 1
tl.store(out, total)
tl.store(out + 1, count)
---
# name: code after a conditional break in the same turn
# out: 0 1 3 6 0
# says: break
total = 0
for i in range(0, n):
    if total > 5:
        break
    total += i
    tl.store(out + i, total)
---
# name: continue skips the rest of the turn
# out: 0 1 0 3 0 5 0 7 0 9
# says: continue
for i in range(0, n):
    if i % 2 == 0:
        continue
    tl.store(out + i, i)
---
# name: continue in one branch, carried values
# out: 25 5
# says: continue
total = 0
count = 0
for i in range(0, n):
    if i % 2 == 0:
        continue
    else:
        total += i
    count += 1
tl.store(out, total)
tl.store(out + 1, count)
---
# name: break in the inner loop only
# out: 0 1 2 0 10 11 12 0 20 21 22
# says: break
for i in range(0, 3):
    for j in range(0, 8):
        if j == 3:
            break
        tl.store(out + i * 4 + j, i * 10 + j)
---
# name: continue in the outer loop, break in the inner
# out: 0 0 0 0 10 11 0 0 0 0 0 0 30 31
# says: continue break
for i in range(0, 4):
    if (i == 0) | (i == 2):
        continue
    for j in range(0, 8):
        if j == 2:
            break
        tl.store(out + i * 4 + j, i * 10 + j)
---
# name: return inside of a loop ends the kernel
# out: 1 2 3 0
# says: return-in-loop
for i in range(0, n):
    if i == 3:
        return
    tl.store(out + i, i + 1)
tl.store(out + 3, 99)
---
# name: return inside of nested loops
# out: 1 1 1 1 1 0
# says: return-in-loop
for i in range(0, n):
    for j in range(0, n):
        if i * n + j == 5:
            return
        tl.store(out + i * n + j, 1)
---
# name: early return
# out: 0 0 0
if n > 3:
    return
tl.store(out, 1)
---
# name: early return not taken
# out: 1
if n > 30:
    return
tl.store(out, 1)
---
# name: both branches return
# out: 7
if n > 3:
    tl.store(out, 7)
    return
else:
    tl.store(out, 8)
    return
tl.store(out, 9)
---
# name: break in while True
# out: 5
# says: while-constexpr break
i = 0
while True:
    if i == 5:
        break
    i += 1
tl.store(out, i)
---
# name: continue in while
# out: 12 5
# says: continue
i = 0
total = 0
while i < 5:
    i += 1
    if i == 3:
        continue
    total += i
tl.store(out, total)
tl.store(out + 1, i)
---
# name: break in an unrolled loop
# out: 0 1 2 3 0
# says: break
for i in tl.static_range(8):
    if i + n == 14:
        break
    tl.store(out + i, i)
---
# name: a break known while compiling
# out: 0 1 0
# says: break
for i in tl.static_range(8):
    if i == 2:
        break
    tl.store(out + i, i)
---
# name: continue in an unrolled loop
# out: 0 1 0 3 16
# says: continue
total = 10
for i in tl.static_range(4):
    if i + n == 12:
        continue
    tl.store(out + i, i)
    total = total + i + 0 * n
    if i + n == 12:
        total = 0
tl.store(out + 4, total + 2)
---
# name: a loop may run no turn
# out: 3
total = 3
for i in range(n, 0):
    total += 1
tl.store(out, total)
---
# name: negative step
# out: 5 4 3 2 1
at = 0
for i in range(5, 0, -1):
    tl.store(out + at, i)
    at += 1
---
# name: step larger than one
# out: 0 0 0 3 0 0 6 0 0 9
for i in range(0, n, 3):
    tl.store(out + i, i)
---
# name: the scalar start of a sum becomes a tile
# out: 0 8 16 24 32 40 48 56
# says: loop-widened
total = 0.0
for i in range(0, B):
    total += tl.load(x + tl.arange(0, B))
tl.store(out + tl.arange(0, B), total)
---
# name: [1] becomes [1, 1]
# out: 28
# says: loop-widened
total = tl.zeros([1], tl.float32)
for i in range(0, B):
    total = total + tl.load(x + i + tl.arange(0, 1)[:, None])
tl.store(out + tl.arange(0, 1)[:, None], total)
---
# name: a whole number becomes a float
# out: 15
# says: loop-widened
total = 0
for i in range(0, n):
    total += 1.5
tl.store(out, total)
---
# name: widened in an inner loop
# out: 0 6 12 18
# says: loop-widened
total = 0.0
for i in range(0, 2):
    for j in range(0, 3):
        total += tl.load(x + tl.arange(0, 4))
tl.store(out + tl.arange(0, 4), total)
---
# name: a local number as the length of arange
# out: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
# says: plain-constexpr
size = B * 2
offs = tl.arange(0, size)
tl.store(out + offs, offs)
---
# name: arange with a run-time start
# out: 0 0 4 5 6 7
# says: arange-runtime-start
for i in range(4, 8, 4):
    offs = tl.arange(i, i + 4)
    tl.store(out + offs - 2, offs)
---
# name: arange from the program's index
# out: 0 1 2 3 4 5 6 7
# says: arange-runtime-start
pid = tl.program_id(0)
offs = tl.arange(pid * B, (pid + 1) * B)
tl.store(out + offs, offs)
---
# name: an ordinary argument as a constexpr
# out: 0 1 2 3 4 5 6 7
# says: argument-constexpr
offs = tl.arange(0, n - 2)
tl.store(out + offs, offs)
---
# name: lambda
# out: 21
# says: lambda
f = lambda a, b=1: a * 2 + b
tl.store(out, f(n))
---
# name: a lambda sees later values of its surroundings
# out: 15
# says: lambda
k = 1
f = lambda a: a + k
k = 5
tl.store(out, f(n))
---
# name: a nested function
# out: 12 20
# says: nested-function
def f(a, b=2):
    c = a + b
    return c
tl.store(out, f(n))
tl.store(out + 1, f(n, b=n))
---
# name: lambda combines
# out: 28
# says: lambda
tl.store(out, tl.reduce(tl.arange(0, B), 0, lambda a, b: a + b))
---
# name: a chained comparison
# out: 0 0 1 1 1 0
# says: chained-comparison
offs = tl.arange(0, B)
tl.store(out + offs, tl.where(2 <= offs < 5, 1, 0))
---
# name: for over a tuple
# out: 0 1 0 3 0 0 6
# says: for-over-tuple
for i in (1, 3, 6):
    tl.store(out + i, i)
---
# name: zip and enumerate
# out: 5 17
# says: builtin-unavailable for-over-tuple
for i, (a, b) in enumerate(zip((1, 2), (4, 15))):
    tl.store(out + i, a + b)
---
# name: ** with a small exponent
# out: 27
# says: power-unrolled
v = tl.load(x + 3)
tl.store(out, v ** 3)
---
# name: helper with early returns
# out: 1 2 3
tl.store(out, clip(n - 20))
tl.store(out + 1, clip(n - 8))
tl.store(out + 2, clip(n))
---
# name: helper with a return in the middle of two ifs
# out: 100 200 305
for i in range(0, 3):
    tl.store(out + i, staged(i))
---
# name: helper that returns a tuple
# out: 3 7
a, b = both(n - 7, n - 3)
tl.store(out, a)
tl.store(out + 1, b)
---
# name: helper called with keywords and defaults
# out: 13 22
tl.store(out, affine(n))
tl.store(out + 1, affine(n, shift=2, factor=2))
---
# name: if merges
# out: 11 4
a = n
b = 4
if n > 5:
    a = a + 1
else:
    b = 5
tl.store(out, a)
tl.store(out + 1, b)
---
# name: elif
# out: 2
if n < 5:
    a = 1
elif n < 15:
    a = 2
else:
    a = 3
tl.store(out, a)
---
# name: an if that is known
# out: 8
if B == 8:
    a = tl.zeros([B], tl.float32) + B
else:
    a = n[0]
tl.store(out + tl.arange(0, B), a, mask=tl.arange(0, B) == 0)
---
# name: ternary
# out: 1 20
a = 1 if n > 5 else 2
b = n * 2 if n > 5 else n
tl.store(out, a)
tl.store(out + 1, b)
---
# name: while
# out: 16
a = 1
while a < n:
    a *= 2
tl.store(out, a)
---
# name: nested whiles with a carried tuple
# out: 4 8
state = (0, 0)
while state[0] < 4:
    a, b = state
    state = (a + 1, b + 2)
tl.store(out, state[0])
tl.store(out + 1, state[1])
---
# name: pointers advance in a loop
# out: 0 1 4 9 16
p = out
q = x
for i in range(0, 5):
    tl.store(p, tl.load(q) * i)
    p += 1
    q += 1
---
# name: swapped in a loop
# out: 34 55
a = 0
b = 1
for i in range(0, 9):
    c = a + b
    a = b
    b = c
tl.store(out, a)
tl.store(out + 1, b)
---
# name: and, or, not on scalars
# out: 1 0 1
a = n > 3 and n < 20
b = n > 30 or n < 2
tl.store(out, a)
tl.store(out + 1, b)
tl.store(out + 2, not b)
---
# name: walrus
# out: 4
if (m := n - 6) > 2:
    tl.store(out, m)
---
# name: static range with tiles
# out: 0 3 6 9 12 15 18 21
total = tl.zeros([B], tl.int32)
for i in tl.static_range(0, 3):
    total += tl.arange(0, B)
tl.store(out + tl.arange(0, B), total)
---
# name: integer division truncates, constexprs floor
# out: -3 -4 -1 1
tl.store(out, (0 - n + 3) // 2)
tl.store(out + 1, (-B + 1) // 2)
tl.store(out + 2, (0 - n + 3) % 2)
tl.store(out + 3, (-B + 1) % 2)
---
# name: a plain global
# out: 80
# says: plain-global
tl.store(out, n * SIZE)
---
# name: a plain global as a size
# out: 0 1 2 3 4 5 6 7
# says: plain-global
offs = tl.arange(0, SIZE)
tl.store(out + offs, offs)
---
# name: a constexpr global
# out: 30
tl.store(out, n * FACTOR)
---
# name: print of a tile
# says: print-not-string
# prints: [0 1 2 3 4 5 6 7]
print(tl.arange(0, B))
---
# name: print of a name and a tile
# prints: offs [0 1 2 3]
print("offs", tl.arange(0, 4))
---
# name: print of an f-string
# says: fstring-tensor
# prints: n = [10], twice [20]
print(f"n = {n}, twice {n * 2}")
---
# name: print of an f-string of constexprs
# prints: B = 8
print(f"B = {B}")
---
# name: print of several values
# says: print-not-string
# prints: [10] 0.5 text
print(n, 0.5, "text")
---
# name: [1] becomes [1, 1] and back to a sum
# out: 56
# says: loop-widened
total = tl.zeros([1], tl.float32)
for i in range(0, B):
    total = total + tl.load(x + i + tl.arange(0, 1)[:, None]) * 2
tl.store(out, tl.sum(tl.sum(total, 1), 0))
---
# name: assert
# out: 1
assert n > 3, "n is too small"
tl.store(out, 1)
---
# name: abs and pow of Python
# out: 3 100
# says: builtin-unavailable power-unrolled
tl.store(out, abs(7 - n))
tl.store(out + 1, pow(n, 2))
---
# name: int and float of Python
# out: 10 3
# says: builtin-cast
tl.store(out, float(n))
tl.store(out + 1, int(tl.load(x + 3)))
---
# name: a chain of three comparisons
# out: 0 0 0 1 1 0 0 0
# says: chained-comparison
offs = tl.arange(0, B)
tl.store(out + offs, tl.where(0 < 2 < offs < 5 <= n, 1, 0))
---
# name: a chained assignment
# out: 4 4
# says: chained-assignment
a = b = n - 6
tl.store(out, a)
tl.store(out + 1, b)
---
# name: in a tuple
# out: 1 0
# says: in-tuple
tl.store(out, B in (3, 8))
tl.store(out + 1, B in (3, 9))
---
# name: dtypes of Python
# out: 1.5
# says: python-dtype
tl.store(out + tl.arange(0, 1), tl.full([1], 1.5, float))
---
# name: a list of constexprs
# out: 2 4
a = [2 * i for i in (1, 2)]
tl.store(out, a[0])
tl.store(out + 1, a[1])
---
# name: names by the modules that define them
# out: 3 1 16 6 3 0
core.static_assert(core.get_int_dtype(64, False) == tl.uint64)
tl.store(out, core.maximum(_log2(B), 2))
tl.store(out + 1, standard._is_power_of_two(B))
for j in core.static_range(tl.standard._log2(B)):
    tl.store(out + 2, tl.core.program_id(0) + 16)
i = tl.arange(0, 4)
tl.store(out + 3, tl.reduce(i, 0, combine))
v, k = tl.reduce((i % 4, i), 0, standard._argmax_combine_tie_break_left)
tl.store(out + 4, k)
if tl.target_info.is_cuda() and not tl.target_info.is_hip():
    gdc_wait()
    tl.extra.cuda.gdc_launch_dependents()
---
# name: Philox gives the known answers of Random123
# out: 1 1 1 1
i = tl.full((1,), 0, tl.uint32)
a, b, c, d = tl.philox(0, i, 0, 0, 0)
at = tl.arange(0, 1)
tl.store(out + at, ((a == 0x6627E8D5) & (b == 0xE169C58D) & (c == 0xBC57AC4C) & (d == 0x9B00DBD8)).to(tl.float32))
one = ~i
a, b, c, d = random.philox_impl(one, one, one, one, one, one)
tl.store(out + 1 + at, ((a == 0x408F276D) & (b == 0x41C83B0E) & (c == 0xA20BC7C6) & (d == 0x6D5451FD)).to(tl.float32))
i = tl.full((1,), 0, tl.uint64)
a, b, c, d = tl.philox(0, i, i, i, i)
tl.store(out + 2 + at, ((a == 0x16554D9ECA36314C) & (b == 0xDB20FE9D672D0FDC)).to(tl.float32))
tl.store(out + 3 + at, ((c == 0xD7E772CEE186176B) & (d == 0x7E68B68AEC7BA23B)).to(tl.float32))
---
# name: four random streams, of which the first is the only one of rand and randn
# out: 1 1 1
i = tl.arange(0, 16)
a, b, c, d = tl.rand4x(5, i)
tl.store(out, tl.sum((a == tl.rand(5, i)).to(tl.int32)) == 16)
k, _, _, m = tl.randint4x(5, i)
tl.store(out + 1, tl.sum((d == uint_to_uniform_float(m)).to(tl.int32)) == 16)
u, v, w, x = tl.randn4x(5, i)
p, q = random.pair_uniform_to_normal(c, d)
tl.store(out + 2, tl.sum(((u == tl.randn(5, i)) & (w == p) & (x == q)).to(tl.int32)) == 16)
---
# name: a block pointer pads what lies outside of the tensor
# triton: 3.6
# out: 51 52 0 0 0 0 0 0 3 3
p = tl.make_block_ptr(x, (7, 5), (8, 1), offsets=(6, 3), block_shape=(2, 4), order=(1, 0))
v = tl.load(p, boundary_check=(0, 1), padding_option="zero")
o = tl.arange(0, 2)[:, None] * 4 + tl.arange(0, 4)[None, :]
tl.store(out + o, v)
w = tl.load(tl.advance(p, (-7, 0)), boundary_check=(0, 1), padding_option="nan")
tl.store(out + 8, tl.sum((w == w).to(tl.int32)) + 1)
tl.store(out + 9, tl.sum(tl.where(w == w, w, 0.0)) - 4)
---
# name: loops, branches and functions carry block pointers
# triton: 3.6
# out: 12 13 14 15 60 64 68 72
# says: nested-function
def advanced(p, i):
    if i < 3:
        return tl.advance(p, (1, 0))
    else:
        return p
p = tl.make_block_ptr(x, (4, 8), (8, 1), (0, 0), (1, 4), (1, 0))
acc = tl.zeros((1, 4), tl.float32)
for i in range(0, 4):
    if i == 1:
        p = tl.advance(p, (0, 4))
    acc += tl.load(p)
    p = advanced(p, i)
q = tl.make_block_ptr(out, (1, 8), (8, 1), (0, 4), (1, 4), (1, 0))
tl.store(q, acc)
i = 0
while i < 1:
    q = q.advance((0, -4))
    i += 1
tl.store(q, tl.load(p if n > 90 else tl.make_block_ptr(x, (4, 8), (8, 1), (1, 4), (1, 4), (1, 0))))
---
# name: a store through a block pointer leaves what lies outside alone
# triton: 3.6
# out: 0 0 0 0 0 0 0 0 0 0 0 2 2 0 0 0 0 0 0 2 2 0
q = tl.make_block_ptr(out + 1, shape=(3, 4), strides=(8, 1), offsets=[1, 2], block_shape=[4, 4], order=[1, 0])
tl.store(q, 2, boundary_check=[1, 0])
---
# name: a block pointer of one dimension, converted when stored
# triton: 3.6
# out: 0 0 3 4 5 6
# says: block-store-dtype
p = tl.make_block_ptr(x, n, 1, 3, 4, 0)
v = tl.load(p, boundary_check=0)
tl.static_assert(v.dtype == p.dtype.element_ty)
tl.store(tl.make_block_ptr(out, (64,), (1,), (2,), (4,), (0,)), v.to(tl.int32))
---
# name: tensor descriptors load, store and pad
# out: 51 52 0 0 0 0 0 0 0 0 0 0 7 5 8 1 0 8 8 16
a = tl.make_tensor_descriptor(x, [7, 5], [8, 1], [2, 4])
v = a.load([6, 3])
b = tl.make_tensor_descriptor(out, [1, 16], [16, 1], [1, 8])
b.store([0, 0], v.reshape(1, 8))
tl.store_tensor_descriptor(b, [n - 10, 12], tl.full((1, 8), 1.0, tl.float16) * 7)
tl.store(out + 13, a.shape[1])
tl.store(out + 14, a.strides[0])
tl.static_assert(a.dtype == tl.float32 and a.block_shape[1] == 4 and a.block_type == v.type)
tl.store(out + 15, isinstance(a, tl.tensor_descriptor) and not isinstance(x, tl.tensor_descriptor))
nans = tl.make_tensor_descriptor(x, [7, 5], [8, 1], [2, 4], padding_option="nan").load([-1, 2])
tl.store(out + 17, tl.sum((nans != nans).to(tl.int32)) + 3)
c = a
for i in range(0, 2):
    if i == 1:
        c = tl.make_tensor_descriptor(x + 8, [7, 5], [8, 1], [2, 4])
    s = tl.load_tensor_descriptor(c, [0, 0])
    first = tl.arange(0, 4)[None, :] + tl.arange(0, 2)[:, None] * 4 == 4
    tl.store(out + 18 + i, tl.sum(tl.where(first, s, 0.0)))
---
# name: descriptors gather, scatter and add rows
# out: 0 0 0 0 0 0 0 0 34 0 0 0 0 0 0 41
a = tl.make_tensor_descriptor(x, [8, 8], [8, 1], [1, 8])
rows = (tl.arange(0, 8) * 3) % 8 + 1
v = a.gather(rows, 1)
b = tl.make_tensor_descriptor(out, [2, 8], [8, 1], [1, 8])
b.scatter(v, rows, 0)
b.atomic_add([1, 0], tl.where(tl.arange(0, 8) == 7, 41.0, 25.0)[None, :])
tl.store(out + 9 + tl.arange(0, 8), 0.0, mask=tl.arange(0, 8) < 6)
---
# name: bitonic_merge sorts what rises and then falls
# out: 0 1 2 3 4 5 6 7 7 6 5 4 3 2 1 0
i = tl.arange(0, 8)
v = tl.where(i < 4, 2 * i, 15 - 2 * i)
tl.store(out + i, tl.bitonic_merge(v))
tl.store(out + 8 + i, tl.bitonic_merge(v, descending=True))
---
# name: map_elementwise with an if for each element
# out: -1 -1 -1 -1 -1 0 1 1
i = tl.arange(0, B)
tl.store(out + i, tl.map_elementwise(compared, i, 5))
---
# name: map_elementwise with a while for each element
# out: 0 0 1 7 2 5 8 16
i = tl.arange(0, B)
tl.store(out + i, tl.map_elementwise(collatz, i))
---
# name: map_elementwise with a range of its own for each element
# out: 1 1 2 1 24 120 720 5040 -1 -1 -2 -1 -24 -120 -720 -5040
i = tl.arange(0, B)
p, q = tl.map_elementwise(factorial, i)
tl.store(out + i, p)
tl.store(out + B + i, q)
---
# name: map_elementwise with a loop in a loop, of two dimensions
# out: 0 3 3 6 6 9 9 12 12 15 15 18 18 21 21 24 24 27 27 30 30 33 33 36 36 39 39 42 42 45 45 48
i = 8 * tl.arange(0, 4)[:, None] + tl.arange(0, 8)[None, :]
tl.store(out + i, tl.map_elementwise(weighted, i))
---
# name: map_elementwise of broadcast tiles
# out: 0 -1 -1 -1 1 0 -1 -1
a = tl.arange(0, 2)[:, None]
b = tl.arange(0, 4)[None, :]
tl.store(out + 4 * a + b, tl.map_elementwise(compared, a, b))
---
# name: map_elementwise of groups of elements
# out: 1 10 3 32 5 54 7 76 0 10 20 30 40 50 60 70
i = tl.arange(0, B)
p, q = tl.map_elementwise(swapped, i, 10 * i, pack=2)
tl.static_assert(p.dtype == tl.int32 and q.dtype == tl.float32)
tl.store(out + i, p)
tl.store(out + B + i, q)
---
# name: map_elementwise of scalars
# out: -1 120
tl.store(out, tl.map_elementwise(compared, n, 11))
p, q = tl.map_elementwise(factorial, n - 5)
tl.store(out + 1, p)
---
# name: map_elementwise of a library function
# out: 7 6 5 4 4 5 6 7
i = tl.arange(0, B)
tl.store(out + i, tl.map_elementwise(tl.standard._elementwise_max, i, 7 - i))
---
# name: store and atomics as methods, and tl.topk
# triton: 3.6
# out: 4 5 6 7 7 6 12
p = tl.make_block_ptr(out, (8,), (1,), (0,), (4,), (0,))
p.store(tl.load(x + tl.arange(4, 8)))
i = tl.arange(0, B)
(out + 4 + tl.arange(0, 2)).store(tl.topk(i, 2))
(out + 6).atomic_add(5.0)
(out + 6).atomic_add(7.0)
---
# name: tl.topk widens small dtypes as tl.max does
# out: 7 6
v = tl.topk(tl.arange(0, 8).to(tl.int8), 2)
tl.static_assert(v.dtype == tl.int32)
tl.static_assert(tl.topk(tl.arange(0, 8).to(tl.int8), 8).dtype == tl.int8)
tl.store(out + tl.arange(0, 2), v)
---
# name: -x of a float is 0 - x, which has no sign at 0
# triton: 3.7
# out: inf -1 inf -1
v = tl.load(x)
tl.store(out, 1.0 / -v)
tl.store(out + 1, -tl.load(x + 1))
tl.store(out + 2 + tl.arange(0, 2), 1.0 / -tl.load(x + tl.arange(0, 2)))
---
# name: the address of a pointer, its alignment, and the distance of two
# out: 0 4 0 12 1 32 8 1
at = x.to(tl.int64)
tl.store(out, at % 16)
tl.store(out + 1, (x + 1).to(tl.int64) % 16)
tl.store(out + 2, at.to(tl.pointer_type(tl.int8)).to(tl.int64) - at)
tl.store(out + 3, (x + 7).to(tl.uint64) - (x + 4).to(tl.uint64))
tl.store(out + 4, x.to(tl.int1).to(tl.int32))
i = tl.arange(0, B)
tl.store(out + 5, tl.sum((x + i + 4).to(tl.int64) - (x + i).to(tl.int64)) // 4)
tl.store(out + 6, tl.sum(((x + i).to(tl.int64) - at == 4 * i).to(tl.int32)))
tl.store(out + 7, (out.to(tl.int64) != at).to(tl.int32))
---
# name: a pointer that was an address, or of elements of another size
# out: 3 5 0 0 10 64 0 16448 5 3 5
f = tl.pointer_type(tl.float32)
tl.store(out, tl.load((x.to(tl.int64) + 12).to(f)))
tl.store((out.to(tl.int64) + 4).to(f), 5.0)
half = x.to(tl.pointer_type(tl.int16))
tl.store(out + 2 + tl.arange(0, 2), tl.load(half + tl.arange(0, 2)))
byte = (x + 2).to(tl.pointer_type(tl.uint8), bitcast=True)
tl.store(out + 5, tl.load(byte + 3))
tl.store(out + 6, tl.load(byte + 2))
tl.store(out + 7, tl.load(half + 7))
p = x
if n > 5:
    p = out
for j in range(2):
    p += 1
tl.store(out + 4, (p.to(tl.int64) - out.to(tl.int64)) + 2)
i = tl.arange(0, 2)
both = tl.where(i == 0, x, out) + 3 + 2 * i
at = both.to(tl.int64) - tl.where(i == 0, x.to(tl.int64), out.to(tl.int64))
tl.store(out + 9 + i, at // 4)
tl.store(out + 8, tl.load((x + 5).to(tl.int64).to(f)))
---
# name: a Python float is an fp32 tensor before a comparison sees it, and not before + does
# out: 0 1 1 0 0
narrow = tl.full((), 0.1, tl.float32).to(tl.float64)
wide = tl.full((), 0.1, tl.float64)
tl.store(out, wide == 0.1)
tl.store(out + 1, narrow == 0.1)
tl.store(out + 2, 0.1 > wide)
tl.store(out + 3, wide < wide)
tl.store(out + 4, narrow + 0.1 == narrow + narrow)
---
# name: memory of int1 is accessed as int8, so that what int8 makes of a value counts
# triton: 3.6
# out: 0 1 0 1 0 1 0 0 1 0 1 0 0
# says: block-store-dtype
bools = (out + 32).to(tl.pointer_type(tl.int1))
tl.store(bools + tl.arange(0, 4), tl.load(x + tl.arange(0, 4)) * 0.5 + tl.where(tl.arange(0, 4) == 1, 1.5, 0.0))
tl.store(bools + 2, tl.load(x + 1) * 0.75)
tl.store(bools + 4, 0.5)
tl.store(bools + 5, 2)
tl.store(bools + 6, 256)
tl.store(bools + 7, n + 246)
tl.store(bools + 8, n > 5)
block = tl.make_block_ptr(bools, (32,), (1,), (9,), (1,), (0,))
tl.store(block, tl.full((1,), 0.5, tl.float32))
i = tl.arange(0, 16)
tl.store(out + i, tl.load(bools + i, mask=i < 10, other=False).to(tl.float32), mask=i < 10)
tl.store(out + 10, tl.load(bools, mask=n < 5, other=1.5).to(tl.int32))
tl.store(out + 11, tl.load(bools, mask=n < 5, other=0.5).to(tl.int32))
tl.store(out + 12, tl.load(bools, mask=n < 5, other=tl.load(x + 1) * 0.5).to(tl.int32))
---
# name: a run-time value that is declared a constexpr
# out: 2 8 3 9
# says: constexpr-from-tensor
w: tl.constexpr = tl.load(x + 2)
tl.store(out, w)
tile: tl.constexpr = tl.load(x + tl.arange(0, B))
tl.store(out + 1, tile.type.get_block_shapes()[0])
tl.store(out + 2, tl.sum(tl.where(tile == w + 1, tile, 0.0)))
bits: tl.constexpr = 8
tl.store(out + 3, (tl.load(x + 9)).to(tl.dtype(f"uint{bits}")))
---
# name: a name assigned behind a nested early return
# out: 1 2 6 4
if n > 3:
    if n > 30:
        return
    first = tl.load(x + 1)
    kept = 2
else:
    first = tl.load(x + 2)
    kept = 5
tl.store(out, first)
tl.store(out + 1, kept)
second = 0
if n > 4:
    if n < 3:
        return
    second = 6
    width = (B, 4.0)
else:
    width = (B, 5.0)
tl.store(out + 2, second)
tl.store(out + 3, width[1])
---
# name: a name that changes its type behind a loop that may return
# out: 3 2.5
# says: return-in-loop
v = 3
for i in range(n):
    if i > 20:
        return
tl.store(out, v)
v = 2.5
tl.store(out + 1, v)
---
# name: keep_dims keeps an axis in its place, of one element
# out: -3 -2 -1 0 -3 -2 -1 0 4 6 8 10 3 3 28
row = tl.arange(0, 2)[:, None]
column = tl.arange(0, 4)[None, :]
m = tl.load(x + 4 * row + column)
tl.store(out + 4 * row + column, m - tl.max(m, axis=1, keep_dims=True))
tl.store(out + 8 + column, tl.sum(m, axis=0, keep_dims=True))
tl.store(out + 12 + row, tl.argmax(m, axis=1, keep_dims=True))
tl.store(out + 14 + tl.zeros([1, 1], tl.int32), tl.sum(m, keep_dims=True))
---
# name: squeeze and unsqueeze count dimensions from either end
# triton: 3.9
# out: 0 1 2 3 4 1 1 4
y = tl.unsqueeze(tl.load(x + tl.arange(0, 4)), 0)
z = tl.unsqueeze(tl.squeeze(y, 0), -1)
tl.store(out + tl.arange(0, 4), tl.squeeze(z, -1))
tl.store(out + 4, z.shape[0])
tl.store(out + 5, z.shape[1])
tl.store(out + 6, y.shape[-2])
tl.store(out + 7, tl.squeeze(tl.unsqueeze(y, 1), 1).shape[1])
---
# name: topk takes the largest or the smallest, one too
# triton: 3.9
# out: 7 6 0 1 2 3 7 0
y = (tl.load(x + tl.arange(0, 8)) * 5) % 8
tl.store(out + tl.arange(0, 2), tl.topk(y, 2))
tl.store(out + 2 + tl.arange(0, 4), tl.topk(y, 4, descending=False))
tl.store(out + 6 + tl.arange(0, 1), tl.topk(y, 1))
tl.store(out + 7 + tl.arange(0, 1), tl.topk(y, 1, descending=False))
---
# name: expect_zero gives its operand
# out: 0 1 2 3
y = tl.load(x + tl.arange(0, 4))
tl.store(out + tl.arange(0, 4), tl.expect_zero(y, y < 1))
---
# name: atomic loads and stores, and a poll that finds what it waits for
# triton: 3.9
# out: 0 7 7 0 7 1 1 0
i = tl.arange(0, 4)
tl.atomic_store(out + i, 7, mask=(i > 0) & (i < 3))
tl.store(out + 4, tl.atomic_load(out + 1, sem="relaxed", scope="cta"))
flag = (out + 8).to(tl.pointer_type(tl.int32))
tl.atomic_store(flag, n, scope="sys")
tl.store(out + 5, tl.atomic_poll(flag, 10).to(tl.float32))
pair = tl.atomic_load(flag + tl.arange(0, 2), tl.arange(0, 2) == 0)
tl.store(out + 6, (tl.max(tl.where(tl.arange(0, 2) == 0, pair, 0)) == n).to(tl.float32))
tl.store(out + 7, tl.atomic_poll(flag, 11, sem="relaxed", timeout_ns=0).to(tl.float32))
---
# name: a poll of several elements waits for all of them
# triton: 3.9
# out: 1 1
flags = (out + 8).to(tl.pointer_type(tl.int32)) + tl.arange(0, 2)
tl.atomic_store(flags, 3)
tl.store(out + tl.arange(0, 2), tl.atomic_poll(flags, 3).to(tl.float32))
---
# name: aggregates have a generated __init__, defaults and the fields of their bases
# out: 63 105 66 3
s = Scaled(n, y=n + 1)
tl.store(out, s.total())
tl.store(out + 1, Scaled(n, n + 1, scale=5).total())
t = tl.aggregate_replace(s, y=n + 2)
tl.store(out + 2, t.total())
tl.store(out + 3, t.scale)
---
# name: operators call the methods of aggregates
# triton: 3.9
# out: 23 24 33 34 1 0 -10 120 11
a = Point(n, n + 1)
b = Point(n + 2, n + 3)
c = a + b
c = tl.aggregate_replace(c, x=c.x + 1)
tl.store(out, c.x)
tl.store(out + 1, c.y)
d = n + c
tl.store(out + 2, d.x)
tl.store(out + 3, d.y)
tl.store(out + 4, (a < b).to(tl.int32))
tl.store(out + 5, (a > b).to(tl.int32))
e = -a
tl.store(out + 6, e.x)
tl.store(out + 7, a and b)
tl.store(out + 8, not a)
---
# name: a product has the dtype of its accumulator
# out: 16 16
a = tl.full((16, 16), 1.0, tl.float16)
h = tl.dot(a, a, tl.zeros((16, 16), tl.float16))
tl.static_assert(h.dtype == tl.float16)
tl.store(out, tl.max(h.to(tl.float32)))
i = tl.dot(tl.full((16, 32), 1, tl.int8), tl.full((32, 16), 1, tl.int8), tl.zeros((16, 16), tl.int32))
tl.static_assert(i.dtype == tl.int32)
tl.store(out + 1, tl.max(i) // 2)
---
# name: the negative of 0.0 is -0.0
# out: 1
y = -(tl.load(x) * n)
tl.store(out, 1 / y < 0)
---
# name: a constexpr that a function returns stays one
# out: 0 1 2 3 4 5 6 7 1 0 8
tl.store(out + tl.arange(0, sixteenth(128)), tl.arange(0, sixteenth(128)))
s: tl.constexpr = sign(-3)
t: tl.constexpr = tl.cdiv(B, 1)
tl.store(out + 8, s)
tl.store(out + 9, sign(n))
tl.store(out + 10, t)
---
# name: an annotation without a value is remembered
# out: 16 8 3 10 4
a: tl.constexpr
a = 16
b: tl.constexpr
b, c = (8, 3)
tl.store(out, tl.arange(0, a).numel)
tl.store(out + 1, tl.arange(0, b).numel)
tl.store(out + 2, c)
d: tl.constexpr
if (d := n) > 3:
    tl.store(out + 3, d)
e: tl.constexpr
if B > 2:
    e = 4
else:
    e = 2
tl.store(out + 4, tl.arange(0, e).numel)
---
# name: the quotient and the remainder of fp8 are fp32
# triton: 3.9
# out: 1.5 1 0.75 3
u = (tl.load(x + 3)).to(tl.float8e5)
v = (tl.load(x + 2)).to(tl.float8e4nv)
q = u / v
tl.static_assert(q.dtype == tl.float32)
tl.store(out, q)
tl.store(out + 1, u % v)
tl.store(out + 2, u / 4)
tl.store(out + 3, u / tl.load(x + 1).to(tl.int32))
---
# name: before Triton 3.9 methods take fp16, and round what fp32 gives
# triton: 3.8
# out: 1 2 4 8 0 1 1.4140625 1.732421875
h = tl.load(x + tl.arange(0, 4)).to(tl.float16)
tl.store(out + tl.arange(0, 4), h.exp2())
tl.store(out + 4 + tl.arange(0, 4), h.sqrt())
tl.static_assert(h.exp2().dtype == tl.float16)
---
# name: before Triton 3.9 unpacking drops values, and comprehensions keep them
# triton: 3.8
# says: unpack-dropped comprehension-condition
# out: 1 2 3
a, b = 1, 2, 3
tl.store(out, a)
tl.store(out + 1, b)
tl.store(out + 2, len([e for e in (1, 2, 3) if e is None]))
---
# name: before Triton 3.9 a dim of -1 is the last but one to tl.unsqueeze
# triton: 3.8
# out: 1 4
y = tl.unsqueeze(tl.arange(0, 4), -1)
tl.store(out, y.shape[0])
tl.store(out + 1, y.shape[1])
---
# name: before Triton 3.9 tl.softmax broadcasts along the wrong dimension without keep_dims
# triton: 3.8
# out: 0.5 0.5 1 0
m = tl.reshape(tl.load(x + tl.arange(0, 4)), (2, 2)) * 1000.0
wrong = tl.softmax(m * 0.0, 1)
tl.store(out + tl.arange(0, 2)[:, None] * 0 + tl.arange(0, 2)[None, :], wrong)
tl.store(out + 2, tl.max(tl.softmax(m, 1, keep_dims=True)))
---
# name: since Triton 3.8 the scales of tl.dot_scaled say that 16 elements share one
# triton: 3.8
# out: 96
a = tl.full((16, 32), 1.0, tl.float16)
s = (tl.arange(0, 16)[:, None] * 0 + 127 + tl.arange(0, 2)[None, :]).to(tl.uint8)
b = tl.full((32, 16), 2.0, tl.float16)
t = tl.full((16, 2), 127, tl.uint8)
tl.store(out, tl.max(tl.dot_scaled(a, s, 'fp16', b, t, 'fp16')))
