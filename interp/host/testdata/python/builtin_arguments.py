# The errors of CPython's functions in C about the number of their arguments.
import collections
import heapq
import itertools
import math
import operator

for text in """len() len(1,2) len(x=1) hasattr(1) hasattr(1,2,3) getattr(1) getattr(1,2,3,4) globals(1) id(x=1) divmod(1)
isinstance(1) iter() next() next(1,2,3) chr() filter(1) map(1) input(1,2) pow(1) pow(1,2,3,4) round()
round(1,2,3) sum() sum(1,2,3) min() max(key=1) range() range(1,2,3,4) range(x=1) list(1,2) list(x=1) tuple(1,2) set(1,2)
dict(1,2) float(1,2) bool(1,2) int(1,2,3) str(1,2,3,4) vars(1,2) dir(1,2) eval() slice() property(1,2,3,4,5)
[].append() [].append(1,2) [].append(x=1) [].insert(1) [].pop(1,2) [].clear(1) list.append() [].sort(1) [].index()
[].count() {}.get() {}.get(1,2,3) {}.pop() {}.setdefault() {}.fromkeys() {}.keys(1) {}.popitem(1) set().add() set().pop(1)
set().isdisjoint() set().issubset(1,2) ''.split(1,2,3) ''.encode(1,2,3) ''.expandtabs(1,2)
''.maketrans() ''.format_map() (1).bit_length(1) (1).to_bytes(1,2,3) (1.0).hex(1) b''.decode(1,2,3) b''.hex(1,2,3)
bytearray().append() bytearray().pop(1,2) collections.deque().append() collections.deque([],1,2)
heapq.heappush(1) operator.add(1)
itertools.islice() math.fmod(1)""".split():
    try:
        eval(text)
        print(text, "passes")
    except TypeError as e:
        print(text, "|", e)
print([1, 2, 3, 2].index(2, 2), min(3, 1, key=lambda v: -v), min([], default=7), pow(2, 5, mod=7), round(2.5, ndigits=None))
print("a b c".split(maxsplit=1), "aXbX".replace("X", "-", 1), int("ff", base=16), int.from_bytes(b"\1\2", "little"), sum([1], start=2))
print((258).to_bytes(2), float.fromhex("0x1p3"), str.maketrans({"a": "b"}), "x".maketrans("a", "b"), slice(1), range(3, 1, -1)[1])
print(dict.fromkeys("ab", 0), list(enumerate("ab", start=1)), sorted([3, 1], reverse=True), list(zip([1], [2], strict=True)))

import inspect
for f in (len, sorted, round, print, isinstance, [].append, dict.get, "".split, str.encode, list.sort, math.fmod, heapq.heappush):
    print(f.__name__, inspect.signature(f))
