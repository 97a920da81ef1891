# The methods of Python's types.
s = "Hello World"
print(s.swapcase(), s.casefold(), s.find("o", 5), s.rfind("o"), s.rindex("o", 0, 5), s.count("l", 3), s.startswith("World", 6), s.endswith("Hello", 0, 5))
print("a b  c".split(maxsplit=1), "a b  c".rsplit(None, 1), "1,2,3".rsplit(",", maxsplit=1), "a,b".split(sep=","), "  x ".rsplit(), "".split(), "".split(","))
print("a\nb\r\nc\x0bd".splitlines(), "a\nb\n".splitlines(True), "a\nb".splitlines(keepends=True), "".splitlines(), "\n".splitlines())
print("a-b-c".rpartition("-"), "abc".rpartition("-"), "a\tbc\td".expandtabs(), "a\tb".expandtabs(tabsize=4), "ab".center(5), "ab".center(6, "*"))
print("abc".isidentifier(), "1a".isidentifier(), "class".isidentifier(), "a b".isprintable(), "a\n".isprintable(), "Abc Def".istitle(), "ABC".isupper(),
      "²".isdigit(), "½".isnumeric(), "1".isdecimal(), "é".isascii(), "".isascii(), "a1".isalnum(), " \t".isspace())
print("hello".translate(str.maketrans("el", "ip", "o")), "hello".translate({ord("h"): "J", ord("l"): None}), str.maketrans({"a": "b", 99: 1}))
print("{:>6}|{:<6}|{:^6}|{!r}|{0}".format("a", "b", "c", "d") if 0 else "{:>6}|{:<6}|{:^6}|{!r}".format("a", "b", "c", "d"))
print("{0[1]} {1[k]} {2.real} {n:{w}}|{{}}".format([1, 2], {"k": "v"}, 3, n=7, w=4), "{a}-{b}".format_map({"a": 1, "b": 2}), "{!a}".format("é"))
print("%(a)s %(b)05.1f %(a)r %%" % {"a": [1], "b": 2.5}, "%s %r" % ("x", "x"), "%s" % [1], "%5s|%-5s|%c%c" % ("a", "b", 65, "z"), "%x %X %o %e" % (255, 255, 8, 12.5))
print("%*d|%-*d|%.*f" % (5, 42, 4, 7, 2, 3.14159), "%s" % (None,), "%i %+d % d" % (3, 4, 5), "%s %s" % ((1, 2), {"k": 1}))
n = 10
print(n.bit_length(), (-n).bit_count(), n.to_bytes(2, "big"), n.real, n.imag, n.numerator, n.denominator, n.conjugate(), n.as_integer_ratio(), True.real)
print((1.5).hex(), float.fromhex("0x1.8p+0"), (0.1).hex(), float.fromhex("-0x1p-3"), (2.0).is_integer(), (0.75).as_integer_ratio(), (1.5).real, (-0.0).hex())
print(int("0x1f", 0), int("z", 36), int("1_000"), int(" -7 "), int("0b11", 2), int(base=16, x="ff") if 0 else int("ff", base=16), int(-3.9), int(True))
print((5).__add__(3), (5).__lt__(6), [1].__len__(), "a".__contains__("a"), {"k": 1}.__getitem__("k"), (2).__neg__(), int.__mul__(3, 4), str.upper("abc"), list.__add__([1], [2]))
d = dict(a=1, b=2)
print(d.keys(), d.values(), d.items(), list(d.keys()), d.keys() & {"a", "z"}, d.keys() | {"z"} == {"a", "b", "z"}, ("a", 1) in d.items(), "a" in d.keys(), len(d.items()))
k = d.keys()
d["c"] = 3
print(k, d.popitem(), d.pop("zz", 0), d.setdefault("a", 9), d.setdefault("q"), dict.fromkeys("ab"), dict.fromkeys([1, 2], 0), d | {"a": 5}, list(reversed(d)))
d.update([("x", 1)], y=2)
d |= {"w": 0}
print(d, {**d, "a": 0}["a"], d == dict(d), sorted(d, key=d.get) if 0 else sorted(d, key=str), list(d.items())[0], {1: 2}.keys() == {1})
st = {1, 2, 3}
print(st.union([4], (5,)), st.intersection([1, 9]), st.difference([1], [2]), st.symmetric_difference([3, 4]), st.isdisjoint([7]), st.issuperset([1]), st <= {1, 2, 3, 4}, st > {1})
st.update([4], [5]); st.difference_update([1]); st.intersection_update([2, 3, 4]); st.symmetric_difference_update([4, 6]); st.discard(99)
print(st, len(st), st.copy() == st, st.pop() in {2, 3, 6}, frozenset([1, 2]) | {3}, {frozenset([1]): "f"}[frozenset([1])], frozenset("aa"), hash(frozenset([1, 2])) == hash(frozenset([2, 1])))
st |= {10}; st -= {2}; st &= {10, 3}; st ^= {11}
print(sorted(st), frozenset() == set(), {1} | frozenset([2]), type({1} | frozenset()), type(frozenset() | {1}))
l = [5, 3, 9, 1]
l.sort(reverse=True); l.insert(-1, 7); l.extend((2, 2)); del l[1:3]; del l[::2]
print(l, l.index(2), l.count(2), l.copy(), [1, 2, 3, 4][::-2], [3, 1, 2].sort(key=lambda x: -x), [0] * 3, [1] < [1, 0], [1, [2]] == [1, [2]])
l[1:2] = [8, 8, 8]; l[0] = -1; l *= 2; l += (1,)
print(l, list(map(lambda a, b: a + b, [1, 2], [3, 4])), (1, 2, 1).count(1), (1, 2).index(2), (1,) * 2 + (3,), tuple("ab"), range(5)[1:3], range(0, 10, 3).index(6), 4 in range(0, 10, 2))
print(complex(1, -2), 3j, (1 + 2j) * (3 - 1j), abs(3 + 4j), (1 + 2j).real, -(1j), complex("1+2j"), 1j ** 2, (2 + 0j) == 2, {2: "x"}[2 + 0j], 1 / (1 + 1j), complex(0, -0.0), f"{1 + 2j:.1f}")
print(iter([1]).__next__(), next(iter("ab")), list(iter(iter([1, 2, 0, 3]).__next__, 0)), divmod(-7, 2), divmod(7.5, 2), round(-2.5), round(1.2345, 2), round(12345, -2), pow(3, -1, 7), ascii("é'x"))
print(type(None), type(None) is type(None), type(...), type(lambda: 0), type(len), type([].append), type(iter([])), type(d.keys()), type(range(1)), type(type), type(NotImplemented))
for bad in ["'a'.find(1)", "'abc'.index('z')", "''.join([1])", "'a'.zfill('x')", "'%d' % 'x'", "'%(a)s' % 1", "'%s %s' % 1", "'%s' % (1, 2)", "'%(z)s' % {}", "{}.popitem()", "set().pop()", "{1}.remove(2)",
            "int('12', 1)", "int('9', 8)", "int([])", "float('a')", "float([])", "(1.5).hex(2) if 0 else 1", "[].pop()", "[1].remove(2)", "(300).to_bytes(1, 'big')", "(-1).to_bytes(1, 'big')", "{}['k']", "d.nope",
            "[1, 2, 3].index(9)", "(1, 2)['a']", "'abc'['a']", "[1]['a']", "'a'.split('')", "'{} {}'.format(1)", "'{a}'.format()", "'{'.format()", "iter(3)", "next([])", "len(3)", "5 in 5", "dict([1])", "dict([(1, 2, 3)])",
            "chr(-1)", "ord('ab')", "ord(3)", "round('a')", "complex('x')", "1j < 2j", "hash({})", "max([])", "sum(['a'])", "pow(2, -1, 4)", "range(1, 2, 0)", "[] + ()", "'a' * 'b'", "None + 1", "{} | []", "bytes('a')", "sorted([1, 'a'])"]:
    try:
        print(bad, "->", eval(bad))
    except Exception as e:
        print(bad, "->", type(e).__name__, e)
