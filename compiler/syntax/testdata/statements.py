from __future__ import annotations
import os.path, sys as system
from . import a
from .. import b as c
from ...d.e import f
from .g import *
x = y = 1; z = 2;
x, *rest = [1, 2, 3]
(p, q), [r, *s] = t
x += 1; x -= 1; x *= 2; x /= 2; x //= 2; x %= 2; x **= 2; x @= m; x <<= 1; x >>= 1; x &= 1; x |= 1; x ^= 1
count: int
count: "int" = 3
obj.field[0]: list[int] = [1], 2
del x, y[0], (z.w)
assert x, "message"
assert (x)
raise
raise ValueError("no") from None
global gg
if a: pass
elif b:
    pass
elif c: x = 1; y = 2
else:
    x = 3
while x < 10:
    x += 1
    if x == 5: break
    continue
else:
    done()
for i, (j, *k) in enumerate(items), : print(i)
for *head, tail in rows:
    pass
else: pass
try:
    risky()
except (A, B) as e:
    raise
except C:
    pass
except:
    pass
else:
    fine()
finally:
    cleanup()
try: a
finally: b
with open(f) as g, lock: pass
with (open(f) as g, open(h) as i,):
    pass
with (a, b): pass
with (a): pass
with (a, b)[0] as c: pass
with a(), b() as (c, d): pass
with (yield_ := 3) as e: pass


class Base: pass


@decorate
@module.decorate(1)
class Derived(Base, *mixins, metaclass=Meta, **options):
    """A class."""
    attribute: int = 1

    def method(self, a, /, b: int = 2, *args: int, c, d=4, **kwargs: str) -> tuple[int, ...]:
        nonlocal_ = 1
        def inner():
            nonlocal nonlocal_
            nonlocal_ += 1
            yield
            x = yield nonlocal_, 1
            yield from inner()
            return
        return inner, *args

    async def waits(self):
        async with self.lock as lock:
            async for item in source:
                await item.send(x)
        return [i async for i in self if await i]


def star(*, key): ...
def positional(a, b=1, /): ...
def everything(a, /, *, b): return lambda *a, k=1, **kw: (a, k)
def annotated(*args: *Ts): ...
match command.split():
    case [] | ():
        pass
    case ["go", ("north" | "south") as direction, *_] if direction:
        match = case = 1
    case {"op": op, -1: [1.5, None], **others}:
        pass
    case module.Point(0, y=a.b) | str() | (x):
        pass
    case 1 + 2j, *rest:
        pass
    case _:
        pass
match x, y:
    case (x, y): pass
try:
    pass
except* (A, B) as group:
    pass
if True:
	tabs = 1
	if tabs:
		deeper = 2
match = 1
match.group(1)
match[0] = match
case = type = _ = match
print (match)
