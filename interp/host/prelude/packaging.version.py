"""Versions as PEP 440 writes and orders them."""

import re

# Epoch, release, pre-release, post-release, development release and local version: PEP 440, appendix B.
VERSION_PATTERN = (
    r"v?(?:(?P<epoch>[0-9]+)!)?(?P<release>[0-9]+(?:\.[0-9]+)*)"
    r"(?P<pre>[-_.]?(?P<pre_l>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>[0-9]+)?)?"
    r"(?P<post>-(?P<post_n1>[0-9]+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_n2>[0-9]+)?)?"
    r"(?P<dev>[-_.]?dev[-_.]?(?P<dev_n>[0-9]+)?)?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?"
)
_pattern = re.compile(VERSION_PATTERN)
_short = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


class InvalidVersion(ValueError):
    """A text that is no version of PEP 440."""


def parse(version):
    return Version(version)


def _local_part(text):
    return int(text) if text.isdigit() else text


class Version:
    def __init__(self, version):
        m = _pattern.fullmatch(version.strip().lower())
        if m is None:
            raise InvalidVersion(f"Invalid version: {version!r}")
        self.epoch = int(m["epoch"] or 0)
        self.release = tuple(int(n) for n in m["release"].split("."))
        self.pre = (_short.get(m["pre_l"], m["pre_l"]), int(m["pre_n"] or 0)) if m["pre"] else None
        self.post = int(m["post_n1"] or m["post_n2"] or 0) if m["post"] else None
        self.dev = int(m["dev_n"] or 0) if m["dev"] else None
        parts = [] if m["local"] is None else re.split(r"[-_.]", m["local"])
        self.local = ".".join(str(_local_part(p)) for p in parts) or None
        self._key = (self.epoch, self._significant(), self._pre_key(), self._post_key(), self._dev_key(),
                     tuple((1, n, "") if isinstance(n, int) else (0, 0, n) for n in map(_local_part, parts)))

    # Zeros at the end say nothing: 1.0 is 1.
    def _significant(self):
        n = len(self.release)
        while n > 0 and self.release[n - 1] == 0:
            n -= 1
        return self.release[:n]

    # Pre-releases come before the release, and development releases of the release before those.
    def _pre_key(self):
        if self.pre is not None:
            return (0, *self.pre)
        return (-1,) if self.post is None and self.dev is not None else (1,)

    def _post_key(self):
        return (0, 0) if self.post is None else (1, self.post)

    def _dev_key(self):
        return (1, 0) if self.dev is None else (0, self.dev)

    @property
    def major(self):
        return self.release[0]

    @property
    def minor(self):
        return self.release[1] if len(self.release) > 1 else 0

    @property
    def micro(self):
        return self.release[2] if len(self.release) > 2 else 0

    @property
    def is_prerelease(self):
        return self.dev is not None or self.pre is not None

    @property
    def is_postrelease(self):
        return self.post is not None

    @property
    def is_devrelease(self):
        return self.dev is not None

    @property
    def base_version(self):
        epoch = f"{self.epoch}!" if self.epoch else ""
        return epoch + ".".join(str(n) for n in self.release)

    @property
    def public(self):
        text = self.base_version
        if self.pre is not None:
            text += f"{self.pre[0]}{self.pre[1]}"
        if self.post is not None:
            text += f".post{self.post}"
        if self.dev is not None:
            text += f".dev{self.dev}"
        return text

    def __str__(self):
        return self.public if self.local is None else f"{self.public}+{self.local}"

    def __repr__(self):
        return f"<Version('{self}')>"

    def __hash__(self):
        return hash(self._key)

    def __eq__(self, other):
        return self._key == other._key if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self._key < other._key if isinstance(other, Version) else NotImplemented

    def __le__(self, other):
        return self._key <= other._key if isinstance(other, Version) else NotImplemented

    def __gt__(self, other):
        return self._key > other._key if isinstance(other, Version) else NotImplemented

    def __ge__(self, other):
        return self._key >= other._key if isinstance(other, Version) else NotImplemented
