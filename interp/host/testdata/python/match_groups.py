# match statements and exception groups.
from dataclasses import dataclass
from enum import Enum


@dataclass
class Node:
    op: str
    args: list


class Color(Enum):
    RED = 1


class Loose:
    pass


def kind(v):
    match v:
        case True | False:
            return "bool"
        case -1 | 0.5 | 2j:
            return "number"
        case b"x":
            return "bytes"
        case Color.RED:
            return "red"
        case str(x) if x.startswith("a"):
            return f"a-text {x}"
        case "exact" | ("one" | "two"):
            return "exact"
        case Node("add", [Node(op=inner), *rest]):
            return f"add of {inner} and {len(rest)}"
        case Node(op, []) as whole:
            return f"{op} alone {whole.args}"
        case {"k": {"deep": [first, *_]}, **rest}:
            return f"deep {first} {rest}"
        case {}:
            return f"mapping of {len(v)}"
        case (1, (2, x)) | [1, [x, 2]]:
            return f"pair {x}"
        case [*_, "last"]:
            return "ends"
        case []:
            return "empty"
        case int(n) | float(n):
            return f"n={n}"
        case Loose(a=1):
            return "loose"
        case list() | tuple():
            return "sequence"
        case None:
            return "none"
        case other:
            return f"other {type(other).__name__}"


loose = Loose()
loose.a = 1
for v in [True, 0.5, -1, 2j, b"x", Color.RED, "abc", "two", "zzz", Node("add", [Node("x", [1]), 5, 6]), Node("nop", []), {"k": {"deep": [9, 8]}, "z": 1}, {}, {"q": 1},
          (1, (2, 3)), [1, [4, 2]], [3, "last"], [], 7, 2.5, loose, Loose(), (5, 6), None, {1}, range(3), Node("other", [1])]:
    print(kind(v))
match 1, 2:
    case a, b if a > b:
        print("greater")
    case a, b:
        print("not", a, b)
match = {"match": 1}
match["case"] = 2
print(match)
for x in range(4):
    match x:
        case 1:
            continue
        case 3:
            break
    print("x", x)


class Bad:
    __match_args__ = ("a",)


try:
    match Bad():
        case Bad(1, 2):
            pass
except TypeError as e:
    print(e)
match Bad():
    case Bad(a=1):
        print("has a")
    case _:
        print("no a")


def groups(e):
    try:
        try:
            raise e
        except* ValueError as g:
            print("values", g.exceptions, repr(g), str(g))
        except* (TypeError, KeyError) as g:
            print("types", [repr(x) for x in g.exceptions])
        else:
            print("else")
        finally:
            print("finally")
    except BaseException as rest:
        print("rest", repr(rest))


groups(ExceptionGroup("many", [ValueError(1), TypeError(2), ExceptionGroup("inner", [ValueError(3), OSError(4)])]))
groups(ValueError("plain"))
groups(ExceptionGroup("one", [KeyError("k")]))
groups(RuntimeError("no group"))
g = ExceptionGroup("top", [ValueError(1), KeyError(2)])
print(g.message, g.exceptions, g.split(ValueError), g.subgroup(lambda e: isinstance(e, KeyError)), isinstance(g, Exception), g)
for bad in ["ExceptionGroup('x', [])", "ExceptionGroup('x', [1])", "ExceptionGroup('x')"]:
    try:
        eval(bad)
    except Exception as e:
        print(type(e).__name__)
