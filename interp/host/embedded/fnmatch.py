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
    return out


def fnmatchcase(name, pat):
    return re.fullmatch(translate(pat), name) is not None


fnmatch = fnmatchcase


def filter(names, pat):
    return [n for n in names if fnmatchcase(n, pat)]
