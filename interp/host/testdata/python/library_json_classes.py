import json
from collections import namedtuple
from enum import Enum, IntEnum


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, set):
            return sorted(o)
        return super().default(o)


class Level(IntEnum):
    LOW = 1


class Word(str, Enum):
    A = "a"


Point = namedtuple("Point", "x y")
print(json.dumps({"s": {3, 1}, "p": Point(1, 2.5), "l": Level.LOW, "w": Word.A}, cls=Encoder))
print(Encoder(indent=2, sort_keys=True).encode({"b": [], "a": {}, "c": [1, {"d": None}]}))
print(json.dumps([1, [2, {"k": True}]], indent="--", separators=(";", "=")))
print("".join(json.JSONEncoder().iterencode([float("inf"), -float("inf"), 1e16, 0.1])))
print(json.dumps({1: 1, 2.5: 2, None: 3, True: 4, "é\n": "é"}), json.dumps("é\U0001f600", ensure_ascii=False))
print(json.dumps({(1, 2): 3, "k": 4}, skipkeys=True), json.dumps({}, indent=1), json.dumps([], indent=1))
print(json.loads("[1, 2.5]", parse_int=str, parse_float=lambda t: t + "!"), json.loads("[NaN, -Infinity]", parse_constant=str))
print(json.loads('{"a": {"b": 1}}', object_pairs_hook=lambda p: p), json.loads(b'{"a": "\xc3\xa9"}'))
print(json.JSONDecoder().raw_decode('é [1] rest', 2), json.JSONDecoder(strict=False).decode('"a\tb"'))
loop = []
loop.append(loop)
for run in (lambda: json.dumps({1, 2}), lambda: json.dumps({(1,): 2}), lambda: json.dumps(loop), lambda: json.loads(5),
            lambda: json.loads("é [1,]"), lambda: json.loads('{"a" 1}'),
            lambda: json.loads('["é", \n x]'), lambda: json.loads("1 2"), lambda: json.loads(""),
            lambda: json.loads('"a\tb"'), lambda: json.dumps(1, what=2)):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e, *([e.lineno, e.colno, e.pos] if isinstance(e, json.JSONDecodeError) else []))
print(json.JSONDecodeError.__module__, issubclass(json.JSONDecodeError, ValueError), json.JSONDecodeError("m", "a\nbc", 3))
from collections import Counter, OrderedDict, defaultdict

plain = {"b": [1, (2, 3.5), [], {}, ()], "a": {"\x7f\"\\/\n": "\x00é\u2028", "z": {"y": [[None]], "x": {3, 4}.issubset({3})}}, "c": 10**30}
for options in ({}, {"indent": 1}, {"indent": 0, "sort_keys": True}, {"sort_keys": True, "ensure_ascii": False},
                {"indent": "\t", "separators": (" ,", " : ")}):
    print(repr(json.dumps(plain, **options)))
    print(repr(json.dumps([plain, {7}, {"k": plain, "l": {8}}], default=list, **options)))
print(json.dumps([Counter("aab"), OrderedDict(a=1), defaultdict(int, {1: 2}), {float("nan"): float("-inf"), -0.0: [True]}]))
nested = []
for i in range(200):
    nested = [nested, i, {"k": i}]
text = json.dumps(nested)
print(len(text), json.loads(text) == nested, json.loads(json.dumps(nested, indent=1)) == nested)
print(json.loads('{"a": 1, "a": 2, "\\/\\b\\u00e9\\ud83d\\ude00": [true, false, null, -Infinity, -0, 1.5e3, "\x7f"]}'))
for run in (lambda: json.dumps({1: 1, "a": 2}, sort_keys=True),
            lambda: json.dumps({"a": [1, {"b": loop}]}, indent=2), lambda: json.loads('"a\\x"'), lambda: json.loads('"\\u12"'),
            lambda: json.loads('"abc'), lambda: json.loads("[tru]"), lambda: json.loads("-"), lambda: json.loads('{"a":1,}'),
            lambda: json.loads("[1 2]")):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
