s = "The quick brown fox"
print(s.split(), s.lower(), s.upper(), s.swapcase(), s.replace("quick", "slow"), s[::-1], s[4:9], s[-3:])
print(s.find("q"), s.find("z"), s.count("o"), s.startswith("The"), s.endswith(("x", "y")), "fox" in s, s.index("brown"))
print(",".join(str(i) for i in range(4)), "a,b,,c".split(","), "  pad ".strip(), "xxhixx".strip("x"), "a b  c".split(" "), "1-2-3".rsplit("-", 1))
print("line1\nline2\r\nline3".splitlines(), "k=v=w".partition("="), "k".partition("="), "abc".isalpha(), "12".isdigit(), "a1".isalnum(), " ".isspace())
print("x" * 3, "ab" < "b", "a".join(["1"]), chr(9731), ord("A"), "%s" % "x", "tab\tx".expandtabs(4), "abc".zfill(5), "-7".zfill(4))
print("prefix_name".removeprefix("prefix_"), "a.py".removesuffix(".py"), "hello".translate(str.maketrans("el", "ip")), "camelCase".casefold())
print("""multi
  line""", 'single' "joined", r"raw\n", "\u00e9\N{BULLET}\x41")
for i, ch in enumerate("abc", start=1):
    print(i, ch, end="; ")
print()
print(min("hello"), max("hello"), sorted("hello"), "".join(reversed("abc")), list("ab"), "hello".capitalize(), "a\\b")
try:
    "abc".index("z")
except ValueError as e:
    print(e)
try:
    "abc" + 1
except TypeError as e:
    print(e)
try:
    "abc"[10]
except IndexError as e:
    print(e)
try:
    int("12a")
except ValueError as e:
    print(e)
print(int("ff", 16), int(" 42 "), int("0b11", 0), float("1e3"), int(3.99), int(-3.99), bool(""), str(3.0), bin(10), hex(255), oct(8))
