import re
m = re.match(r"(?P<word>\w+)\s+(\d+)", "héllo 42 rest")
print(m, m.group(), m.group(1, 2), m["word"], m.groups(), m.groupdict(), m.span(2), m.start("word"), m.end())
print(re.search(r"\d+", "abc 12").span(), re.fullmatch(r"a+", "aab"), re.match("b", "ab"))
print(re.findall(r"\d+", "1 22 333"), re.findall(r"(\w)(\d)", "a1 b2"), re.findall(r"(a)|b", "ab"), re.findall("a*", "baac"))
print(re.sub(r"(\w+) (\w+)", r"\2 \1!", "hello world"), re.sub("a", lambda m: m.group().upper() + "-", "banana", count=2))
print(re.sub(r"(?P<x>b)", r"[\g<x>\g<0>]", "abc"), re.subn("x", "y", "xx"), re.sub("", "-", "ab"))
print(re.split(r"\s*,\s*", "a , b,c"), re.split(r"(-)", "a-b-c", maxsplit=1), re.split("x*", "axbc"))
p = re.compile(r"^\s*(\w+)\s*=\s*(.*)$", re.MULTILINE)
print([m.groups() for m in p.finditer("a = 1\nb = 2")], p.pattern, p.groups, p)
print(re.findall("(?i)AbC", "abc ABC"), re.findall("a.c", "a\nc", re.DOTALL), re.escape("a.b*c"), re.I == 2)
p = re.compile(r"""
    (\d+)   # digits
    [ ]?    # a space
    ([a-z]+)
""", re.VERBOSE)
print(p.match("12 ab").groups(), p.search("zz 3x").group(0), p.match("1a").lastindex)
print(re.match(r"(a)?(b)", "b").groups(), re.match(r"(a)?(b)", "b").groups("-"), bool(re.search("z", "a")))
print(re.findall(r"[\w.-]+@[\w-]+\.com", "x.y@z.com, q@w.com"), re.findall(r"[^\s,]+", "a, b"), re.findall(r"\bfoo\b", "foo food"))
print(re.findall("x{,2}", "xxx"), re.compile("a", re.I).flags, re.sub(r"\n", r"\\n", "a\nb"))
try:
    re.compile("(")
except re.error:
    print("error")
