import json
import re

data = {"name": "block", "sizes": [16, 32], "nested": {"ok": True, "none": None, "pi": 3.5}, "text": "é\n\"q\""}
print(json.dumps(data))
print(json.dumps(data, indent=2, sort_keys=True))
print(json.dumps([1, 2.0, "x"], separators=(",", ":")), json.dumps("é", ensure_ascii=False), json.dumps({1: (2, 3)}))
back = json.loads(json.dumps(data))
print(back == data, back["nested"]["ok"], json.loads("[1, 2.5, null, true, \"a\\u00e9\"]"))
try:
    json.loads("{bad}")
except json.JSONDecodeError as e:
    print(e)
try:
    json.dumps(object)
except TypeError as e:
    print(e)
text = "BLOCK_M=128, BLOCK_N=64, num_warps=4"
print(re.findall(r"(\w+)=(\d+)", text), dict((k, int(v)) for k, v in re.findall(r"(\w+)=(\d+)", text)))
m = re.search(r"num_(?P<what>\w+)=(?P<value>\d+)", text)
print(m.group(0), m.group("what"), m["value"], m.groupdict(), m.span(), m.start(), m)
print(re.sub(r"\d+", lambda m: str(int(m.group()) * 2), text), re.sub(r"(\w+)=(\w+)", r"\2:\1", text, count=1))
print(re.split(r"[,=]\s*", text), re.match(r"BLOCK", text) is not None, re.fullmatch(r"\d+", "123").group(), re.compile(r"^b", re.I | re.M).findall("Bob\nbib"))
print([m.group() for m in re.finditer(r"[A-Z]_[MN]", text)], re.escape("a.b*c"), re.sub(r"\s+", " ", "a   b \n c").strip(), re.match("x", "y"))
