1 + 2 * 3 - 4 / 5 // 6 % 7 @ 8
1 << 2 >> 3 & 4 | 5 ^ 6
-x ** -y ** z
not not x
~-+x
a or b and c or not d
a < b <= c == d != e > f >= g
a in b not in c is d is not e
a if b else c if d else e
lambda: (yield)
lambda x, *y, z=1, **w: x if y else z
x[1], x[1:2], x[::2], x[:, None, ..., 1:2:3], x[()], x[1,], x[a:b, c], x[lambda: 1:2]
f(), f(a), f(a,), f(*a, b, *c, d=1, **e, f=2), f(x for x in y), f((a := 1), b)
(), (1,), (1, 2), [], [1], [1, 2,], {}, {1}, {1, *a}, {1: 2}, {1: 2, **a, 3: 4,}
[x for x in y], {x for x in y if x if not x}, {x: y for x, y in z}, (x for x in y for z in x)
[x := 1, x ** 2], (y := f(x)), [a for b, in c], [[j for j in i] for i in k]
a.b.c(d)[e].f
"".join(x)[0]
x = (
    1 +  # a comment
    2

    , 3)
y = a + \
    b
...
Ellipsis
(((a)))
a if (b := c) else d
print(*a, sep="", end="\n", file=sys.stdout)
名前 = été + Ω1
1if x else 2
[1for x in y]
x = yield_ = await_
(a for a in b if c or d)
{**a, 'b': 1}
x if y else lambda: z
f(a)(b)(c)
not a in b
-1 ** 2
(-1) ** 2
2 ** -1
a @ b @ c
*a, b = c
for x in *a, b: pass
x = *a, *b
return_ = a, *b
x[a, *b]
f(**a, **b)
