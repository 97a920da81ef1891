"Files and folders as os shows them, and what programs ask of the system."
import abc
import collections
import os.path as _path
import stat as _stat

F_OK, X_OK, W_OK, R_OK = 0, 1, 2, 4
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0, 1, 2, 64, 128, 512, 1024
altsep, extsep, defpath, error = None, ".", "/bin:/usr/bin", OSError
terminal_size = collections.namedtuple("terminal_size", "columns lines")
stat_result = collections.namedtuple(
    "stat_result", "st_mode st_ino st_dev st_nlink st_uid st_gid st_size st_atime st_mtime st_ctime")


class PathLike(abc.ABC):
    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError


PathLike.register(__import__("pathlib").PurePath)


def _missing(name):
    return FileNotFoundError(2, "No such file or directory", fspath(name))


def stat(path, *, dir_fd=None, follow_symlinks=True):
    "Files have no times and no owners here; all can be read, and those that the program wrote can be written."
    if _path.isdir(path):
        return stat_result(_stat.S_IFDIR | 0o755, 0, 0, 1, 0, 0, 0, 0.0, 0.0, 0.0)
    if not _path.isfile(path):
        raise _missing(path)
    return stat_result(_stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, _path.getsize(path), 0.0, 0.0, 0.0)


def lstat(path, *, dir_fd=None):
    return stat(path)


def access(path, mode, **options):
    return _path.exists(path) and not mode & X_OK


class DirEntry:
    def __init__(self, folder, name):
        self.name, self.path = name, _path.join(folder, name)

    def __fspath__(self):
        return self.path

    def is_dir(self, *, follow_symlinks=True):
        return _path.isdir(self.path)

    def is_file(self, *, follow_symlinks=True):
        return _path.isfile(self.path)

    def is_symlink(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Entries:
    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        pass

    def close(self):
        pass


def scandir(path="."):
    return _Entries([DirEntry(fspath(path), name) for name in listdir(path)])


def walk(top, topdown=True, onerror=None, followlinks=False):
    try:
        names = listdir(top)
    except OSError as e:
        if onerror is not None:
            onerror(e)
        return
    top = fspath(top)
    folders, files = [], []
    for name in names:
        (folders if _path.isdir(_path.join(top, name)) else files).append(name)
    if topdown:
        yield top, folders, files
    for name in folders:
        yield from walk(_path.join(top, name), topdown, onerror)
    if not topdown:
        yield top, folders, files


def rename(src, dst, **options):
    "Renames a file that the program wrote; those beside the document stay as they are."
    with open(src, "rb") as f:
        data = f.read()
    remove(src)
    with open(dst, "wb") as f:
        f.write(data)


replace = renames = rename


def rmdir(path, *, dir_fd=None):
    "A folder is there while it has files."
    if _path.isdir(path) and listdir(path):
        raise OSError(39, "Directory not empty", fspath(path))


removedirs = rmdir


def get_terminal_size(fd=1):
    raise OSError(25, "Inappropriate ioctl for device")


def strerror(code):
    return {1: "Operation not permitted", 2: "No such file or directory", 13: "Permission denied", 17: "File exists",
            20: "Not a directory", 21: "Is a directory", 22: "Invalid argument"}.get(code, f"Unknown error {code}")


def fsencode(filename):
    return filename if isinstance(filename, bytes) else fspath(filename).encode()


def fsdecode(filename):
    return filename.decode() if isinstance(filename, bytes) else fspath(filename)


def isatty(fd):
    return False


def getppid():
    return 0


def getuid():
    return 0


getgid = geteuid = getegid = getuid


def putenv(key, value):
    pass


def unsetenv(key):
    pass


def umask(mask):
    return 0o022


def sched_getaffinity(pid):
    return {0}


def uname():
    return collections.namedtuple("uname_result", "sysname nodename release version machine")(
        "Linux", "newt", "", "", "x86_64")
