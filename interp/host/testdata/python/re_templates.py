# Flags as they print, and templates.
import re

print(repr(re.I), repr(re.I | re.M), repr(re.compile("a").flags), re.compile("a", re.I | re.M), int(re.X), re.NOFLAG == 0)
print(re.sub("a", "", "banana"), re.sub("(a)", r"<\1\g<1>\g<x>>" if 0 else r"<\1\g<1>>", "banana"), re.sub(b"a", rb"\x" if 0 else rb"\\\n", b"ba"))
print(re.sub("(?P<x>a)", r"[\g<x>]", "ba"), re.sub("(a)|b", r"[\1]", "ab"), re.subn("a", "b", "xyz"), re.search("(b)(c)?", "abc").expand(r"\2-\1"))
for pattern, template in [("a", "\\"), ("a", r"\g"), ("a", r"\g<"), ("a", r"\g<>"), ("a", r"\g<x>"), ("a", r"\1"), ("(a)", r"\2"), ("a", r"\q"),
                          ("a", r"\g<1x>"), ("a", r"\777"), ("a", r"\08"), ("a", r"\0"), ("a", r"\101"), ("(a)", r"\10"), ("a", "x\ny\\q"), ("a", r"\g<-1>")]:
    try:
        print(repr(re.sub(pattern, template, "ba")))
    except (re.error, IndexError) as e:
        print(type(e).__name__, e, getattr(e, "pos", None), getattr(e, "lineno", None), getattr(e, "colno", None))
for make in [lambda: re.compile("("), lambda: re.compile(re.compile("a"), re.I), lambda: re.compile(3), lambda: re.sub("a", b"x", "a"),
             lambda: re.escape("a.b*c\n"), lambda: re.escape(b"a.b"), lambda: re.compile([])]:
    try:
        print(repr(make()))
    except Exception as e:
        print(type(e).__name__, e)
