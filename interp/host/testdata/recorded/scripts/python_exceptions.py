import traceback


def check(fn, *args):
    try:
        print("result", fn(*args))
    except (ValueError, TypeError) as e:
        print(f"{type(e).__name__}: {e}")
    except ArithmeticError as e:
        print("arithmetic", repr(e))
    else:
        print("no error")
    finally:
        print("finally")


check(int, "5")
check(int, "five")
check(int, None)
check(lambda: 1 / 0)
check(lambda: 2.0 ** 10000)
check(lambda: len(5))
check(lambda: [1] < ["a"])
check(lambda: sum(["a"]))
check(lambda: None + 1)
check(lambda: {}[[]])
check(lambda: max([]))
for expression in ["undefined", "None.x", "[1][5]", "(1, 2)['a']", "'a'.nope()", "3()", "1 % 0", "1.0 // 0", "float('x')", "range('a')", "int.real.x", "-'a'", "[] + ()", "5 in 5", "iter(3)", "list(3)", "{}['k']", "'%d' % 'x'", "open('/no/such/file')", "chr(-1)", "[1, 2].index(3)", "import_me", "f'{1:q}'", "'a' * 'b'", "print(end=3)", "abs('x')", "dict([1])", "set([[]])", "int('9', 8)", "round('a')", "zip(1)", "'abc'.split('')", "1 < 'a'"]:
    try:
        print(expression, eval(expression))
    except Exception as e:
        print(f"{expression:<24} {type(e).__name__}: {e}")
try:
    try:
        raise KeyError("first")
    except KeyError as e:
        raise RuntimeError("second") from e
except RuntimeError as e:
    print(repr(e), repr(e.__cause__), e.args)
try:
    raise ExceptionGroup("many", [ValueError(1), TypeError(2)])
except* ValueError as group:
    print("values", group.exceptions)
except* TypeError as group:
    print("types", group.exceptions)


class Custom(Exception):
    pass


try:
    raise Custom("a", 1)
except Exception as e:
    print(e, e.args, isinstance(e, Custom), traceback.format_exception_only(e))
try:
    assert 1 == 2, "not equal"
except AssertionError as e:
    print("assertion:", e)
try:
    raise
except RuntimeError as e:
    print(e)


def f():
    try:
        return "try"
    finally:
        print("cleanup first")


print(f())
e = ValueError("note")
e.add_note("more")
print(e.__notes__)
