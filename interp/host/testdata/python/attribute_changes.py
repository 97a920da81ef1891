# What a place of the text found in a class or a module the last time may have changed since.
class Base:
    x = 1


class A(Base):
    def f(self):
        return "f"


def look(o):
    try:
        return o.x
    except AttributeError as e:
        return str(e)


def store(o, v):
    try:
        o.y = v
    except AttributeError as e:
        return str(e)
    return vars(o).get("y")


a = A()
out = []
for step in range(12):
    out.append((look(a), store(a, step), a.f()))
    if step == 0:
        A.x = 2
    elif step == 1:
        del A.x
    elif step == 2:
        Base.x = property(lambda self: "property")
    elif step == 3:
        a.__dict__["x"] = 5
    elif step == 4:
        Base.x = 3
    elif step == 5:
        A.y = property(lambda self: 0)
    elif step == 6:
        del A.y
        A.f = lambda self: "g"
    elif step == 7:
        A.__setattr__ = lambda self, name, v: object.__setattr__(self, name, v * 10)
    elif step == 8:
        del A.__setattr__
        a.f = lambda: "own"
    elif step == 9:
        del a.x, Base.x
print(*out, sep="\n")
for c in (Base, A):
    class B(c):
        x = c.__name__
    print(look(B()), B.__dict__["x"], look(B))

n = 0
for i in range(6):
    try:
        n += i
    except NameError as e:
        print(e)
        n = 100
    if i == 1:
        del n
    if i == 3:
        for k in range(40):
            globals()[f"name{k}"] = k
    if i == 4:
        for k in range(40):
            del globals()[f"name{k}"]
    print(globals().get("n"))
