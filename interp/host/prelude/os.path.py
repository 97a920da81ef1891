"What os.path computes of paths alone."
import os

sep, pathsep, altsep, extsep, curdir, pardir = "/", ":", None, ".", ".", ".."
defpath, devnull, supports_unicode_filenames = "/bin:/usr/bin", "/dev/null", True


def relpath(path, start=curdir):
    if not path:
        raise ValueError("no path specified")
    here, there = [[part for part in abspath(p).split(sep) if part] for p in (os.fspath(start), os.fspath(path))]
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return sep.join([pardir] * (len(here) - common) + there[common:]) or curdir


def commonprefix(m):
    if not m:
        return ""
    least, most = min(m), max(m)
    for i, c in enumerate(least):
        if c != most[i]:
            return least[:i]
    return least


def commonpath(paths):
    paths = [os.fspath(p) for p in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    if len({isabs(p) for p in paths}) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    parts = [[part for part in p.split(sep) if part and part != curdir] for p in paths]
    return (sep if isabs(paths[0]) else "") + sep.join(commonprefix(parts))


def expandvars(path):
    import re
    return re.sub(r"\$(\w+|\{[^}]*\})", lambda m: os.environ.get(m[1].strip("{}"), m[0]), os.fspath(path))


def splitdrive(p):
    return p[:0], p


def normcase(s):
    return os.fspath(s)


def islink(path):
    return False


def ismount(path):
    return path == sep


def lexists(path):
    return exists(path)


def samefile(f1, f2):
    return abspath(f1) == abspath(f2)
