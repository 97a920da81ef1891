import json
from collections import OrderedDict
data = {"b": [1, 2.5, None, True], "a": {"x": "é\n\"q\" \u2028 \U0001f600"}, 3: (), 1.5: {}, None: float("inf")}
print(json.dumps(data))
print(json.dumps(data, indent=2, ensure_ascii=False))
print(json.dumps({"b": 1, "a": [1, {"c": 2}]}, sort_keys=True, separators=(",", ":")), json.dumps([], indent=4))
print(json.dumps([1, [2, []]], indent="\t"))
print(json.loads('{"a": [1, 2.5e3, -0, 1e400, "\\u00e9\\ud83d\\ude00\\n", null, true], "b": {}}'))
print(json.loads(" [1 , 2 ] "), json.loads("123456789012345678901234567890"), json.loads('"x"'), json.loads("NaN"))
print(json.loads('{"a": 1, "b": 2}', object_pairs_hook=list), json.loads('{"a": 1}', object_hook=len))

class P:
    pass

for f in (lambda: json.dumps(P()), lambda: json.dumps({(1, 2): 3})):
    try:
        f()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
print(json.dumps(P(), default=lambda o: "P!"), json.dumps({(1,): 2, "a": 1}, skipkeys=True))
for bad in ("", "{", '{"a" 1}', "[1,]", '{"a": 1,}', "nul", '"abc', "[1] 2", '{1: 2}', '"\\x"', "[1 2]"):
    try:
        json.loads(bad)
    except json.JSONDecodeError as e:
        print(repr(bad), e, e.lineno, e.colno, e.pos)
a = []
a.append(a)
try:
    json.dumps(a)
except ValueError as e:
    print(e)
