# What TestDifferential has found.
import collections
import datetime
import enum
import math
import operator
import pathlib
import re
import struct
import textwrap
import types
from fractions import Fraction

Color = enum.Enum("Color", "RED")
ordered = collections.OrderedDict(a=1, b=2)
print(Color.RED == ordered, ordered == 5, ordered == collections.OrderedDict(b=2, a=1), ordered == {"b": 2, "a": 1})
day, moment = datetime.date(1999, 12, 31), datetime.datetime(2024, 2, 29, 13, 5)
aware = moment.replace(tzinfo=datetime.timezone.utc)
delta = datetime.timedelta
print(delta(seconds=0.0000005), delta(seconds=0.0000015), delta(microseconds=0.5), delta(days=1.5, hours=-0.25), delta(1) * 1.5)
print(delta(microseconds=3) / 2, delta(microseconds=5) / 2, delta(7) // 2, delta(7) / delta(2), delta.max, delta.min, +delta(1))
print(day == moment, moment == aware, divmod(delta(7), delta(2)))
calls = [
    lambda: day.replace(day=0), lambda: moment - aware, lambda: moment < aware, lambda: day < moment, lambda: day < 1.5,
    lambda: moment + moment, lambda: -moment, lambda: delta(1).replace(), lambda: delta(seconds="x"), lambda: delta(days=10**9),
    lambda: delta(days=10**20), lambda: delta(1) / 0, lambda: day + delta(10**7), lambda: delta(1) < 3,
    lambda: math.sqrt(()), lambda: math.fsum(["a"]), lambda: complex((), 1), lambda: complex(1, ()), lambda: complex("1", 2),
    lambda: complex(1, "2"), lambda: math.isqrt(0.5), lambda: chr(2**31), lambda: collections.deque([], -1), lambda: (1j).hex,
    lambda: re.sub("x", r"\1", "abc"), lambda: re.sub("x", r"\g<n>", "abc"), lambda: slice(1, 2).indices(-1),
    lambda: operator.add(1, types.SimpleNamespace()), lambda: textwrap.wrap("a", 0), lambda: math.fmod(1, 0),
]
for call in calls:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
print(slice(5, -2).indices(8), slice(None, None, -1).indices(3), abs(complex(1.5, 1.5)), math.fmod(float("nan"), 0))
print(struct.pack(">d", float("nan")), Fraction(True), "ßa ßb".title(), "ßA".capitalize(), "ßẞ".swapcase())
print(repr(pathlib.PurePath("a", "b")), repr(pathlib.Path("a")), type(pathlib.PurePosixPath("a").parent).__name__)
text = "The quick-brown fox -- jumped over the\tlazy dog's e-mail; 2001-01-01 00:00:00 and averyveryverylongword."
for width in (5, 6, 11, 24):
    print(textwrap.wrap(text, width), textwrap.shorten(text, width))
print(textwrap.fill(text, 30, initial_indent="* ", subsequent_indent="  ", max_lines=3, break_long_words=False))
print(textwrap.wrap("a. b  c.  D", 20, fix_sentence_endings=True, drop_whitespace=False, break_on_hyphens=False))
