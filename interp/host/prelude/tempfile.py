import os

_count = 0
tempdir = "/tmp"


def gettempdir():
    return tempdir


def _name(suffix, prefix, dir):
    global _count
    _count += 1
    return os.path.join(dir or tempdir, f"{prefix or 'tmp'}{_count:08d}{suffix or ''}")


def mkdtemp(suffix=None, prefix=None, dir=None):
    name = _name(suffix, prefix, dir)
    os.makedirs(name)
    return name


def mktemp(suffix="", prefix="tmp", dir=None):
    return _name(suffix, prefix, dir)


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
        self.name = mkdtemp(suffix, prefix, dir)

    def __enter__(self):
        return self.name

    def __exit__(self, *exc_info):
        self.cleanup()

    def cleanup(self):
        for name in os.listdir(self.name) if os.path.isdir(self.name) else []:
            path = os.path.join(self.name, name)
            if os.path.isfile(path):
                os.remove(path)


class _NamedFile:
    def __init__(self, file, name, delete):
        self.file, self.name, self.delete = file, name, delete

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __iter__(self):
        return iter(self.file)

    def __exit__(self, *exc_info):
        self.file.close()
        if self.delete and os.path.exists(self.name):
            os.remove(self.name)


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
                       delete=True, **options):
    name = _name(suffix, prefix, dir)
    return _NamedFile(open(name, mode), name, delete)


TemporaryFile = NamedTemporaryFile
