x, name = 3.14159, "kernel"
print(f"{x:.2f} {x:8.3f}| {name!r} {name:>10}| {name:<8}| {name:^9}| {x=} {10:04d} {255:#x} {1e6:,.0f} {0.5:%} {True} {None}")
w = 12
print(f"{name:>{w}} {{}} {'nested ' + f'{1 + 1}'} {[1, 2]} {3 > 2}")
print("{} {1} {0}".replace("{}", "-"), "{} {}".format(1, "b"), "{1} {0:>5}".format("a", 2), "{k:.1f}".format(k=2.55))
print("%d %s %.3f %5d|%-5s| %x %%" % (3, "a", 2.5, 42, "b", 255), "%s" % 5)
print("a,b,,c".split(","), " a  b ".split(), "a-b-c".split("-", 1), "x".join(["1", "2"]), "abc".upper(), "Ab".lower(), " s ".strip() + "|", "xxaxx".strip("x"), "l".ljust(3) + "|", "7".zfill(3), "-7".zfill(4))
print("abc".startswith("ab"), "abc".endswith(("x", "c")), "abcabc".find("c"), "abc".find("z"), "abcabc".count("bc"), "abc".replace("b", "BB"), "12".isdigit(), "a\nb".splitlines(), "hello world".title(), "hi".capitalize())
print("a" * 3, "b" in "abc", "a" < "b", "abc"[1], "abc"[-1], "abc"[1:], ord("a"), chr(98), "tab\there", 'quote"s', "it's", "back\\slash")
print(r"raw\n", "joined " "strings", """triple
line""")
print(1e16, 1e15, 0.1 + 0.2, 1 / 3, 1e-5, 0.0001, 123456789.123, -0.0, 2.0, 1e300 * 10, float("inf"), float("-inf"), float("nan"), 5e-324)
print(10 ** 20, -7 // 2, -7 % 3, 7 % -3, 7.5 // 2, -7.5 % 2, 2 ** -1, 2 ** 0.5, 0 ** 0, 1 << 70, -1 >> 1, 5 & 3, 5 | 3, 5 ^ 3, ~5, True + True)
print(round(2.5), round(3.5), round(2.675, 2), round(-1.5), round(1234, -2), int(3.9), int(-3.9), int("42"), int("ff", 16), float("1e3"), bool(""), bool("0"), str(3.0), bin(5), hex(255), oct(8))
print(3 == 3.0, 1 == True, "1" == 1, 0.1 + 0.2 == 0.3, 2 ** 53 == 2.0 ** 53, 2 ** 53 + 1 == 2.0 ** 53, 10 > 9.5, -1 < 0 < 1)
import math
print(math.sqrt(16), math.floor(-2.5), math.ceil(2.1), math.pi, math.log(8, 2), math.log2(8), math.gcd(12, 18), math.isnan(float("nan")), math.inf, math.exp(0), math.prod([2, 3]), math.isqrt(17))
