import re


def translate(pat):
    out, i = "", 0
    while i < len(pat):
        c = pat[i]
        i += 1
        if c == "*":
            out += ".*"
        elif c == "?":
            out += "."
        elif c == "[" and "]" in pat[i + 1:]:
            end = pat.index("]", i + 1)
            body = pat[i:end]
            out += "[" + ("^" + body[1:] if body.startswith("!") else body) + "]"
            i = end + 1
        else:
            out += re.escape(c)
    return f"(?s:{out})\\Z"


def fnmatchcase(name, pat):
    return re.match(translate(pat), name) is not None


fnmatch = fnmatchcase


def filter(names, pat):
    match = re.compile(translate(pat)).match
    return [n for n in names if match(n)]
