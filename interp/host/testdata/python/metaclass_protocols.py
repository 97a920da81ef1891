class D(dict):
    def __setitem__(self, k, v):
        dict.__setitem__(self, k, v if not isinstance(v, int) else v * 2)
class M(type):
    @classmethod
    def __prepare__(metacls, name, bases, **kw): print("prepare", name); return {}
    def __new__(metacls, name, bases, ns, **kw):
        print("new", name, type(ns).__name__, list(ns)); return super().__new__(metacls, name, bases, dict(ns))
    def __iter__(cls): return iter([1, 2])
    def __len__(cls): return 5
    def __contains__(cls, x): return x == 3
    def __getitem__(cls, k): return k
    def __call__(cls, *a): print("call", a); return type.__call__(cls)
    def __repr__(cls): return "<M %s>" % cls.__name__
    def __setattr__(cls, n, v): print("set", n); type.__setattr__(cls, n, v)
    def __bool__(cls): return True
    def __reversed__(cls): return iter([9])
    @property
    def __members__(cls): return {"a": 1}
    def __dir__(cls): return ["zz"]
    def __delattr__(cls, n): raise AttributeError("no")
class A(metaclass=M):
    x = 3
    y = x + 1
print(list(A), len(A), 3 in A, A["k"], isinstance(A(1), A), A, A.x, A.y, A.__members__, bool(A))
A.z = 5
class B(int, A): pass
print(B.__mro__, type(B))
o = int.__new__(B, 5); print(o + 1, isinstance(o, A), repr(o))


