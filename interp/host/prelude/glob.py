import fnmatch
import os


def _walk(folder, pattern, recursive, hidden):
    head, slash, rest = pattern.partition("/")
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    if not pattern:
        if folder and names:
            yield os.path.join(folder, "")
        return
    if not hidden and not head.startswith("."):
        names = [name for name in names if not name.startswith(".")]
    if head == "**" and recursive:
        if slash:
            yield from _walk(folder, rest, recursive, hidden)
        elif folder:
            yield os.path.join(folder, "")
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isdir(path):
                for below in _walk(path, pattern, recursive, hidden):
                    yield below if slash else below.removesuffix("/")
            elif not slash:
                yield path
        return
    for name in fnmatch.filter(names, head):
        path = os.path.join(folder, name)
        if not slash:
            yield path
        elif os.path.isdir(path):
            yield from _walk(path, rest, recursive, hidden)


def iglob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    folder, pattern = root_dir or "", pathname
    while pattern and "/" in pattern and not any(c in pattern.split("/")[0] for c in "*?["):
        head, _, pattern = pattern.partition("/")
        folder = os.path.join(folder, head) if head else "/"
    return iter(sorted(_walk(folder, pattern, recursive, include_hidden)))


def glob(pathname, **options):
    return list(iglob(pathname, **options))
