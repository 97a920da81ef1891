"Files as a whole, among those that a document sees."
import collections
import os

_size = collections.namedtuple("terminal_size", "columns lines")


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def get_terminal_size(fallback=(80, 24)):
    columns, lines = [int(v) if (v := os.environ.get(name, "")).isdigit() else 0 for name in ("COLUMNS", "LINES")]
    return _size(columns or fallback[0], lines or fallback[1])


def which(cmd, mode=None, path=None):
    "The file of a program. There are none."
    return None


def copyfileobj(fsrc, fdst, length=0):
    fdst.write(fsrc.read())


def copyfile(src, dst, *, follow_symlinks=True):
    if os.path.abspath(src) == os.path.abspath(dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    with open(src, "rb") as f:
        data = f.read()
    with open(dst, "wb") as f:
        f.write(data)
    return dst


def copy(src, dst, *, follow_symlinks=True):
    return copyfile(src, os.path.join(dst, os.path.basename(src)) if os.path.isdir(dst) else dst)


copy2 = copy


def ignore_patterns(*patterns):
    import fnmatch
    return lambda path, names: {name for p in patterns for name in fnmatch.filter(names, p)}


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False,
             dirs_exist_ok=False):
    if os.path.exists(dst) and not dirs_exist_ok:
        raise FileExistsError(17, "File exists", dst)
    names = os.listdir(src)
    left_out = ignore(src, names) if ignore else ()
    os.makedirs(dst, exist_ok=True)
    for name in names:
        if name in left_out:
            continue
        one, other = os.path.join(src, name), os.path.join(dst, name)
        if os.path.isdir(one):
            copytree(one, other, symlinks, ignore, copy_function, dirs_exist_ok=True)
        else:
            copy_function(one, other)
    return dst


def move(src, dst, copy_function=copy2):
    to = os.path.join(dst, os.path.basename(str(src).rstrip("/"))) if os.path.isdir(dst) else dst
    if os.path.isdir(src):
        copytree(src, to, copy_function=copy_function)
        rmtree(src)
    else:
        copy_function(src, to)
        os.remove(src)
    return to


def rmtree(path, ignore_errors=False, onerror=None, *, onexc=None):
    if not os.path.isdir(path):
        if ignore_errors:
            return
        raise FileNotFoundError(2, "No such file or directory", str(path))
    for name in os.listdir(path):
        inner = os.path.join(path, name)
        if os.path.isdir(inner):
            rmtree(inner, ignore_errors)
        else:
            try:
                os.remove(inner)
            except OSError:
                if not ignore_errors:
                    raise
