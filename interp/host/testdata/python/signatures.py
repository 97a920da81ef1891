import inspect
from inspect import Parameter, Signature, signature
def f(a, b: int, /, c, d=3, *args, e, g: str = "x", **kw) -> list: pass
def h(x, *, y=1): pass
def g2(a=1, /): pass
class C:
    def __init__(self, p, q=2): pass
    def m(self, z): pass
for o in (f, h, g2, C, C(1).m, lambda: 0, lambda *a, k: 0):
    s = signature(o); print(s, repr(s), list(s.parameters), [str(p.kind) for p in s.parameters.values()])
p = signature(f).parameters["g"]; print(p, repr(p), p.kind, repr(p.kind), p.default, p.annotation, p.kind == Parameter.KEYWORD_ONLY, p.kind.name)
print(signature(f).return_annotation, signature(h).return_annotation is Signature.empty, signature(h).parameters["x"].default is Parameter.empty)
s = signature(f)
def t(*a, **k):
    try:
        b = s.bind(*a, **k); print(b, b.args, b.kwargs, b.arguments); b.apply_defaults(); print(b.arguments, b.args, b.kwargs)
    except TypeError as e: print("TypeError", e)
t(1, 2, 3, e=5); t(1, 2, 3, 4, 5, 6, e=1, zz=2); t(1); t(1, 2, 3, c=4, e=1); t(1, 2, c=3, e=4, g=5)
s = signature(h); t(1, 2); t(x=1); t(1, w=2); print(s.bind_partial())
print(s.replace(parameters=[]), s == signature(h), p.replace(name="n"), inspect.getfullargspec(f))
try: signature(5)
except TypeError as e: print(e)
