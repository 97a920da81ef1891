"What is known of installed packages: of newt's own, and of those in sys.path by their .dist-info and .egg-info."
import _imp
import os
import re
import sys


class PackageNotFoundError(ModuleNotFoundError):
    def __str__(self):
        return f"No package metadata was found for {self.args[0]}"

    @property
    def name(self):
        return self.args[0]


class PackageMetadata:
    "The header lines of a package, by their names in any case."

    def __init__(self, text):
        self._lines = []
        for line in text.split("\n\n")[0].splitlines():
            if line[:1].isspace() and self._lines:
                self._lines[-1] = self._lines[-1][0], self._lines[-1][1] + "\n" + line
            else:
                key, _, value = line.partition(":")
                self._lines.append((key, value.strip()))

    def get_all(self, name, default=None):
        return [value for key, value in self._lines if key.lower() == name.lower()] or default

    def get(self, name, default=None):
        return self.get_all(name, [default])[0]

    def __getitem__(self, name):
        return self.get(name)

    def __contains__(self, name):
        return self.get_all(name) is not None

    def __iter__(self):
        return (key for key, _ in self._lines)


class Distribution:
    def __init__(self, folder, text):
        self._folder, self.metadata = folder, PackageMetadata(text)

    @property
    def name(self):
        return self.metadata["Name"]

    @property
    def version(self):
        return self.metadata["Version"]

    @property
    def requires(self):
        return self.metadata.get_all("Requires-Dist")

    @property
    def entry_points(self):
        return EntryPoints()

    def read_text(self, filename):
        return _read(os.path.join(self._folder, filename)) if self._folder else None

    @staticmethod
    def from_name(name):
        for found in distributions():
            if _normal(found.name) == _normal(name):
                return found
        raise PackageNotFoundError(name)


class EntryPoints(tuple):
    "There are none: nothing of a package runs unless it is imported."

    def select(self, **params):
        return self

    def get(self, group, default=()):
        return default

    @property
    def groups(self):
        return set()


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def _read(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return None


def distributions(**kwargs):
    for name in _imp.versioned():
        module = _imp.import_module(name)
        yield Distribution(None, f"Name: {name}\nVersion: {module.__version__}")
    for folder in sys.path:
        for entry in os.listdir(folder) if os.path.isdir(folder) else []:
            if entry.endswith((".dist-info", ".egg-info")):
                path = os.path.join(folder, entry)
                text = _read(os.path.join(path, "METADATA")) or _read(os.path.join(path, "PKG-INFO"))
                if text:
                    yield Distribution(path, text)


distribution = Distribution.from_name


def metadata(distribution_name):
    return distribution(distribution_name).metadata


def version(distribution_name):
    return distribution(distribution_name).version


def requires(distribution_name):
    return distribution(distribution_name).requires


def entry_points(**params):
    return EntryPoints()
