import fnmatch
import os


def _walk(folder, pattern, recursive):
    head, _, rest = pattern.partition("/")
    if head == "**" and recursive:
        if rest:
            yield from _walk(folder, rest, recursive)
        for name in os.listdir(folder or "."):
            path = os.path.join(folder, name)
            if not rest:
                yield path
            if os.path.isdir(path):
                yield from _walk(path, pattern, recursive)
        return
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    for name in fnmatch.filter(names, head):
        path = os.path.join(folder, name)
        if name.startswith(".") and not head.startswith("."):
            continue
        if not rest:
            yield path
        elif os.path.isdir(path):
            yield from _walk(path, rest, recursive)


def iglob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    folder, pattern = root_dir or "", pathname
    while pattern and "/" in pattern and not any(c in pattern.split("/")[0] for c in "*?["):
        head, _, pattern = pattern.partition("/")
        folder = os.path.join(folder, head) if head else "/"
    return iter(sorted(_walk(folder, pattern, recursive)))


def glob(pathname, **options):
    return list(iglob(pathname, **options))
