"The lines of files, each with its end."
cache = {}


def getlines(filename, module_globals=None):
    if filename in cache and len(cache[filename]) > 1:
        return cache[filename][2]
    try:
        with open(filename) as f:
            lines = f.read().splitlines(True)
    except (OSError, UnicodeDecodeError):
        return []
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    cache[filename] = sum(map(len, lines)), None, lines, filename
    return lines


def getline(filename, lineno, module_globals=None):
    lines = getlines(filename, module_globals)
    return lines[lineno - 1] if 1 <= lineno <= len(lines) else ""


def clearcache():
    cache.clear()


def checkcache(filename=None):
    "Nothing changes a file while a document runs but the document, which knows."


def lazycache(filename, module_globals):
    return False
