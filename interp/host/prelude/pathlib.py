import glob as _glob
import os


class PurePath:
    def __new__(cls, *parts):
        return object.__new__({PurePath: PurePosixPath, Path: PosixPath}.get(cls, cls))

    def __init__(self, *parts):
        text = os.path.join(*[os.fspath(p) for p in parts]) if parts else ""
        names = [n for n in text.split("/") if n not in ("", ".")]
        self._path = ("/" if text.startswith("/") else "") + "/".join(names) or "."

    def __fspath__(self):
        return self._path

    def __str__(self):
        return self._path

    def __repr__(self):
        return f"{type(self).__name__}({self._path!r})"

    def __eq__(self, other):
        return isinstance(other, PurePath) and self._path == other._path

    def __lt__(self, other):
        return self._path < other._path

    def __hash__(self):
        return hash(self._path)

    def __truediv__(self, other):
        return type(self)(self, other)

    def __rtruediv__(self, other):
        return type(self)(other, self)

    def joinpath(self, *others):
        return type(self)(self, *others)

    @property
    def parts(self):
        root = ("/",) if self._path.startswith("/") else ()
        return root + tuple(n for n in self._path.split("/") if n not in ("", "."))

    @property
    def name(self):
        return "" if self._path in (".", "/") else os.path.basename(self._path)

    @property
    def parent(self):
        return type(self)(os.path.dirname(self._path) or ".")

    @property
    def parents(self):
        out, at = [], self
        while at.parent != at:
            at = at.parent
            out.append(at)
        return out

    @property
    def suffix(self):
        return os.path.splitext(self.name)[1]

    @property
    def suffixes(self):
        return ["." + s for s in self.name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        return os.path.splitext(self.name)[0]

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def with_name(self, name):
        return self.parent / name

    def with_stem(self, stem):
        return self.parent / (stem + self.suffix)

    def is_absolute(self):
        return self._path.startswith("/")

    def as_posix(self):
        return self._path

    def relative_to(self, other):
        other = type(self)(other)
        n = len(other.parts)
        if self.parts[:n] != other.parts:
            raise ValueError(f"{self._path!r} is not in the subpath of {other._path!r}")
        return type(self)(*self.parts[n:])


class PurePosixPath(PurePath):
    pass


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    def exists(self):
        return os.path.exists(self._path)

    def is_file(self):
        return os.path.isfile(self._path)

    def is_dir(self):
        return os.path.isdir(self._path)

    def open(self, mode="r", **options):
        return open(self._path, mode, **options)

    def read_text(self, encoding=None, errors=None):
        with open(self._path) as f:
            return f.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        with open(self._path, "w") as f:
            return f.write(data)

    def read_bytes(self):
        with open(self._path, "rb") as f:
            return f.read()

    def write_bytes(self, data):
        with open(self._path, "wb") as f:
            return f.write(data)

    def glob(self, pattern):
        found = _glob.iglob(os.path.join(self._path, pattern), recursive=True, include_hidden=True)
        paths = dict.fromkeys(type(self)(name) for name in found)
        return (path for path in paths if not pattern.endswith("**") or path.is_dir())

    def rglob(self, pattern):
        return self.glob("**/" + pattern)

    def iterdir(self):
        return iter([self / name for name in os.listdir(self._path)])

    def mkdir(self, mode=511, parents=False, exist_ok=False):
        pass

    def unlink(self, missing_ok=False):
        if self.exists() or not missing_ok:
            os.remove(self._path)

    def resolve(self, strict=False):
        return type(self)(os.path.abspath(self._path))

    def absolute(self):
        return type(self)(os.path.abspath(self._path))

    def expanduser(self):
        return self


class PosixPath(Path, PurePosixPath):
    pass
