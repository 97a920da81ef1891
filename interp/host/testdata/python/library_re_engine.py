# What Python's engine can and linear ones cannot, and the places where re is particular.
import re


def show(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


print(re.findall(r"\w+(?=,)", "a,b,c"), re.findall(r"(?<=\$)\d+", "$12 13 $4"), re.findall(r"(?<!\$)\b\d+", "$12 13"))
gpt2 = re.compile(r"""'s|'t|'re|'ve|'m|'ll|'d| ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+""")
print(gpt2.findall("Hello there's  x  "))
print(re.findall(r"(\w)\1", "hello book"), re.sub(r"(?P<q>['\"])(.*?)(?P=q)", r"<\2>", "a 'b' \"c'\""))
print(re.findall(r"\w+$", "ab\n"), re.search(r"\w+\Z", "ab\n"), re.findall(r"(?m)^\w+$", "ab\ncd\n"), re.sub("$", "!", "a\n"))
print(re.compile(r"^b").match("ab", 1), re.compile(r"^b").search("ab", 1), re.compile(r"\bb").match("ab", 1))
print(re.compile(r"\bb").search(" b", 1), re.compile("a$").search("aab", 0, 2), re.compile("a").match("ba", -5, 99))
print(re.findall(rb"a+", b"aab"), re.sub(rb"(a)", rb"[\1]", b"ba"), re.split(rb",", b"a,b"), re.match(rb"\w", b"\xe9"))
show(lambda: re.match("a", b"a"))
show(lambda: re.match(b"a", "a"))
show(lambda: re.match("a", 5))
print(re.match(r"(?>a+)b", "aab"), re.match(r"a++a", "aaa"), re.match(r"(a)?(?(1)x|y)", "y"), re.match(r"(<)?a(?(1)>|$)", "<a>"))
print(re.match(r"(a)(b)?", "a").lastindex, re.match(r"((a)b)", "ab").lastindex, re.match(r"(?P<x>a)(?P<y>b)?", "a").lastgroup)
m = re.compile("(?P<n>b)").search("abc", 1, 3)
print(m.pos, m.endpos, m.expand(r"\1-\g<n>\n"), m.re.groupindex, m.string)
print(re.sub(r"x", r"\\\t\x"[:-2], "x"), re.sub("(a)|b", r"[\1]", "ab"), re.sub("a", "b", "xyz"), re.sub("a", lambda m: "", "aba"))
print(re.escape("a b[é]\n"), re.escape(b"a.b"), re.split("(,)|;", "a,b;c"), re.split("", "ab"), re.split(r"\b", "ab cd"))
print([m.span() for m in re.finditer("a*", "baac")], re.findall("a|", "aab"), re.sub("x*", "-", "abxd"), re.subn("", "-", "ab", 2))
print(re.findall("(?i)straße|k", "STRASSE Straße K"), re.findall("[^k]", "kK", re.I), re.findall(r"\d", "٣5"), re.findall(r"\d", "٣5", re.A))
print(re.match("((a*)*)*b", "aaab"), re.match("(?:a?)*?b", "aab"), re.match("(a|b)*?c", "abc").groups(), re.match("(?:)*", "a"))
print(re.compile("a", re.I | re.M), re.compile(b"a"), re.compile("a") == re.compile("a"), re.compile("(?x) a # b"), re.I.value if hasattr(re.I, "value") else 2)
print(len(re.sub("a", "b" * 100, "a" * 1000)), re.match("(?:ab|b)*c", "ab" * 1000), len(re.findall("(?:x+x+)+y", "x" * 12)))
for bad in ("(", ")", "*a", "a**", "[a", "(?P<1>a)", "(?P<n>a)(?P<n>b)", r"\q", "(?<=a*)b", "a{2,1}", r"(a)\2", "(?z)", "a(?i)b", "\\",
            "(?P=x)", "(?P<n", r"\x1", "[b-a]", "(?(5)a)", "x\n(y", "(?#"):
    show(lambda: re.compile(bad))
for template in (r"\2", r"\g<x>", r"\g<", r"\g<1", r"\q", "\\"):
    show(lambda: re.sub("(a)", template, "a"))
try:
    re.compile("ab\n(")
except re.error as e:
    print(e.msg, e.pos, e.lineno, e.colno)
