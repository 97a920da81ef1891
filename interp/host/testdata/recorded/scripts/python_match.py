def describe(value):
    match value:
        case 0:
            return "zero"
        case int() | float() if value < 0:
            return "negative"
        case int(n):
            return f"int {n}"
        case [x]:
            return f"one {x}"
        case [x, y, *rest]:
            return f"{x}, {y} and {len(rest)} more"
        case {"op": op, **others}:
            return f"op {op} with {others}"
        case str() as s:
            return f"text of {len(s)}"
        case Point(x=0, y=y):
            return f"on the axis at {y}"
        case Point(x, y):
            return f"at {x},{y}"
        case None | True | False:
            return "constant"
        case _:
            return "something else"


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


for v in [0, -2.5, 7, [1], (1, 2, 3, 4), {"op": "add", "k": 1}, "hello", Point(0, 3), Point(1, 2), None, 2.5, {}]:
    print(describe(v))
command = "go north".split()
match command:
    case ["go", ("north" | "south") as direction]:
        print("moving", direction)
if (n := len(command)) > 1:
    print(f"{n} words")
x = 5
print("big" if x > 3 else "small", 1 < x < 10, x == 5 == 5.0, not x, x and "yes", 0 or "default", None is None)
