# Recorded with einops 0.9.0dev on NumPy 1.24; layers.torch are in testdata/torch.
import numpy as np
import einops
from einops import EinopsError, asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack


def show(x):
    print(x.shape, x.dtype, x.ravel().tolist() if x.size <= 48 else [x.ravel()[i].item() for i in range(0, x.size, 7)])


x = np.arange(24).reshape(2, 3, 4)
f = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 8
images = np.arange(2 * 4 * 6 * 3).reshape(2, 4, 6, 3)

for pattern, lengths in [
    ("a b c -> a b c", {}), ("a b c -> c b a", {}), ("a b c -> a (b c)", {}), ("a b c -> (c a) b", {}),
    ("a b (c d) -> d a b c", dict(d=2)), ("a b (c d) -> (a d) (b c)", dict(c=2)), ("... c -> c ...", {}),
    ("a ... -> ... a", {}), ("a ... -> (a ...)", {}), ("a ... c -> (a c) ...", {}), ("a b c -> a 1 b c", {}),
    ("a b c -> a () b c", {}), ("(a 1) b c -> a b c", {}), ("a b c -> (a b c)", {}), ("a b (c d e) -> e d c a b", dict(c=1, e=2)),
]:
    print(pattern, lengths, end=" ")
    show(rearrange(x, pattern, **lengths))

for pattern, lengths in [
    ("b (h p) (w q) c -> b (h w) (p q c)", dict(p=2, q=3)), ("b h w c -> b c h w", {}), ("b h w c -> h (b w) c", {}),
    ("(b1 b2) h w c -> (b1 h) (b2 w) c", dict(b1=2)), ("b (h h2) w c -> h2 (b h) w c", dict(h2=2)),
]:
    print(pattern, lengths, end=" ")
    show(rearrange(images, pattern, **lengths))

for pattern, reduction, lengths in [
    ("a b c -> a", "sum", {}), ("a b c -> b", "max", {}), ("a b c -> c a", "min", {}), ("a b c -> a b 1", "mean", {}),
    ("a b c -> ", "sum", {}), ("a b c ->", "prod", {}), ("... c -> ...", "mean", {}), ("a ... -> a", "max", {}),
    ("a b (c 2) -> a b c", "max", {}), ("a b (c d) -> (a c) b", "sum", dict(d=2)), ("a b c -> b", "any", {}),
    ("a b c -> b c", "all", {}), ("a b c -> a () c", np.max, {}), ("a b c -> 1 b 1", "mean", {}),
]:
    print(pattern, lengths, end=" ")
    show(reduce(f if reduction in ("mean", "prod") else x, pattern, reduction, **lengths))

for pattern, lengths in [
    ("h w -> h w c", dict(c=2)), ("h w -> (r h) w", dict(r=2)), ("h w -> h (w r)", dict(r=2)), ("h w -> (h 2) (w 2)", {}),
    ("h w -> b h w", dict(b=1)), ("... -> ... 2", {}), ("h w -> 2 w h", {}), ("h (w v) -> v (h r) w", dict(v=2, r=2)),
]:
    print(pattern, lengths, end=" ")
    show(repeat(x[0, :2], pattern, **lengths))

show(rearrange([x[0], x[1], x[0]], "k a b -> a (k b)"))
print(parse_shape(images, "b _ w c"), parse_shape(images, "b ... c"), parse_shape(x[:1], "1 b _"), parse_shape(x, "... "))
show(einsum(f, f, "a b c, a d c -> a b d"))
show(einsum(f[0], f[1], "i j, i j ->"))
show(einsum(f, f[0], "batch i j, i k -> batch j k"))
show(einsum(f, f[0, 0], "... c, c -> ..."))
show(einsum(x[0, :3, :3], "i i -> i"))

packed, shapes = pack([x[0], x[0][:, :, None], x.transpose(1, 0, 2).reshape(3, 2, 2, 2)], "i *")
show(packed)
print(shapes)
for part in unpack(packed, shapes, "i *"):
    show(part)
for part in unpack(packed, [(3,), (-1, 3), ()], "i *"):
    show(part)
packed, shapes = pack([x[0, 0, :1].reshape(()), x[0, 0], x[1]], "*")
print(packed.shape, [tuple(s) for s in shapes])
print(asnumpy(x) is x, issubclass(EinopsError, RuntimeError), sorted(einops.__all__))

for attempt in [
    lambda: rearrange(x, "a b -> b a"), lambda: rearrange(x, "a b c d -> b a c d"), lambda: rearrange(x, "a b c -> a b"),
    lambda: rearrange(x, "a b c -> a b c d"), lambda: rearrange(x, "a b (c d) -> a b c d"),
    lambda: rearrange(x, "a b (c d) -> a b c d", d=3), lambda: rearrange(x, "a b c -> a b c", d=3),
    lambda: rearrange(x, "a b c -> a b c", c=3), lambda: rearrange(x, "a b c -> a (b c"), lambda: rearrange(x, "a b c -> a b) c"),
    lambda: rearrange(x, "a ((b c)) d -> a b c d"), lambda: rearrange(x, "a a c -> a c"), lambda: rearrange(x, "a b c -> a b c ..."),
    lambda: rearrange(x, "(a ...) -> a ..."), lambda: rearrange(x, "a .. c -> a c"), lambda: rearrange(x, "a b 4 -> a b 4"),
    lambda: rearrange(x, "_a b c -> _a b c"), lambda: rearrange(x, "a b 1c -> a b 1c"), lambda: rearrange(x, "a b c, a b c"),
    lambda: rearrange(x, "a b c... -> a b c..."), lambda: rearrange(x, "a b c -> a b c -> c"), lambda: rearrange([], "a -> a"),
    lambda: rearrange(x, "a b ! -> a b !"), lambda: rearrange(1.5, " -> "), lambda: rearrange(x, "... a b c d -> a b c d ..."),
    lambda: repeat(x, "a b c -> a b"), lambda: repeat(x, "a b c -> a b c d"), lambda: reduce(x, "a b c -> a d", "sum"),
    lambda: reduce(x, "a b c -> a", "median"), lambda: reduce(x, "a b c -> a", "mean"), lambda: reduce(x, "a b 0 -> a", "sum"),
    lambda: parse_shape(x, "a b"), lambda: parse_shape(x, "a (b c) d"), lambda: parse_shape(x, "1 b c"), lambda: parse_shape(x, "a b 3"),
    lambda: parse_shape(x, "a b c d ..."), lambda: einsum(x, "a b c"), lambda: einsum(x, "a b c -> d"), lambda: einsum("a -> a"),
    lambda: einsum(x, x), lambda: einsum(x, "a b (c d) -> a"), lambda: einsum(x, "a b 4 -> a"), lambda: einsum(x, "a b () -> a"),
    lambda: pack([x], "a b"), lambda: pack([x], "a a *"), lambda: pack([x], "a b c d *"), lambda: pack([x], "_a *"),
    lambda: unpack(x, [(2,), (3,)], "a b *"), lambda: unpack(x, [(-1,), (-1,)], "a b *"), lambda: unpack(x, [(4,)], "a *"),
    lambda: unpack(x, [(-1, 3)], "a b *"),
]:
    try:
        print("no exception", attempt().shape)
    except Exception as e:
        print(type(e).__name__)
