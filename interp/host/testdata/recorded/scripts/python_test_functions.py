import pytest

CASES = [(1, 2, 3), (4, 5, 9)]


@pytest.mark.parametrize("a, b, want", CASES)
@pytest.mark.parametrize("sign", [1, -1])
def test_add(a, b, want, sign):
    assert sign * (a + b) == sign * want


def test_raises():
    with pytest.raises(ZeroDivisionError):
        1 / 0
    with pytest.raises(ValueError, match="bad .*"):
        raise ValueError("bad value")


def test_approx():
    assert 0.1 + 0.2 == pytest.approx(0.3)


for case in CASES:
    for sign in (1, -1):
        test_add(*case, sign)
test_raises()
test_approx()
try:
    with pytest.raises(KeyError):
        pass
except BaseException as e:
    print(type(e).__name__, e)
print("all passed")
