import pytest


@pytest.fixture
def numbers():
    yield [1, 2, 3]


@pytest.fixture(params=[10, 20], ids=["ten", "twenty"])
def size(request):
    return request.param


@pytest.fixture(scope="module")
def once():
    return []


def fail():
    raise ValueError("too large")


def double(x):
    return 2 * x


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("d, e", [("a", 1.5), pytest.param("b", None, id="bee")])
def test_grid(n, d, e, numbers):
    assert n != 2 or d == "a"


def test_raises():
    with pytest.raises(ValueError, match="no"):
        raise ValueError("no way")
    with pytest.raises(ValueError):
        double(1)


def test_sizes(size, once):
    once.append(size)
    assert once == [10]


@pytest.mark.skip(reason="later")
def test_skipped():
    assert 0


@pytest.mark.skipif(1 > 2, reason="never")
def test_runs():
    pass


@pytest.mark.xfail(reason="known")
def test_known():
    assert 0


@pytest.mark.xfail
def test_better():
    pass


@pytest.mark.xfail(raises=ValueError, strict=True)
def test_strict():
    pass


class TestClass:
    limit = 2

    @pytest.mark.parametrize("x", [1, 3])
    def test_method(self, x):
        limit = self.limit
        assert double(x) <= limit, "above the limit"

    def test_fails(self):
        return fail() + 1

    @pytest.fixture
    def own(self):
        return self.limit

    def test_own(self, own):
        assert [1, own] == [1, 3]


def test_approx():
    assert 0.1 + 0.2 == pytest.approx(0.3)
    assert 0.5 == pytest.approx(0.25)


def test_missing(nothing):
    pass


def test_call():
    x = 3
    print("x is", x)
    assert not all([i < 3 for i in range(x)])


@pytest.fixture
def broken():
    yield 1
    raise RuntimeError("at the end")


def test_teardown(broken):
    assert broken == 1


@pytest.mark.usefixtures("numbers")
def test_in():
    assert "a" in "xyz" and 1
