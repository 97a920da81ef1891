import copy, collections, json
from collections import *
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
c = Counter("abracadabra"); print(c, c["z"], c.most_common(2), sorted(c.elements()), c.total(), dict(c), len(c), list(c), c == Counter("abracadabra"), "a" in c)
c.update("aab"); c.subtract(a=3, q=1); print(c, +c, -c, c + Counter("ab"), c - Counter("aaaa"), c & Counter("ab"), Counter(a=1) | Counter(a=3))
c += Counter("zz"); print(c); c -= Counter("z"); print(c); del c["nope"]; del c["a"]; print(c, Counter(), repr(Counter(a=1)), Counter({"x": 2}), Counter(a=1) <= Counter(a=2), Counter(a=0) == Counter(), Counter(a=1) < Counter(a=1), isinstance(c, dict), c.copy() == c, type(c.copy()).__name__, json.dumps(Counter("a")), Counter(a=2).pop("a"))
t(lambda: Counter.fromkeys("a")); t(lambda: Counter(5)); t(lambda: Counter("a") + {"a": 1}); print(max(c, key=c.get), sorted(c.items()), {**c}, c.get("b"), [k for k in c])
o = OrderedDict([("a", 1), ("b", 2), ("c", 3)]); o.move_to_end("a"); print(list(o), o.popitem(), o.popitem(last=False), len(o)); o["x"] = 1; o.move_to_end("x", last=False); print(list(o.items()), list(reversed(o)))
print(OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == dict(b=2, a=1), type(o | {"k": 1}).__name__, o.copy() == o); t(lambda: OrderedDict().popitem()); t(lambda: o.move_to_end("nope"))
d = defaultdict(list); d["a"].append(1); print(d, d["b"], dict(d), d.default_factory, copy.deepcopy(d)); t(lambda: defaultdict(5)); t(lambda: defaultdict()["x"])
x = OrderedDict(a=[1]); y = copy.deepcopy(x); y["a"].append(2); z = copy.copy(x); z["b"] = 1; print(x["a"], type(y).__name__, y["a"], "b" in x, type(z).__name__)
class D(dict): pass
e = D(a=[1]); e.attr = [3]; f = copy.deepcopy(e); f["a"].append(5); f.attr.append(1); g = copy.copy(e); g["q"] = 1; print(e, e.attr, f, f.attr, type(f).__name__, type(g).__name__, e.get("q"), g.attr is e.attr)
class L(list): pass
l = L([[1]]); m = copy.deepcopy(l); m[0].append(2); print(l, m, type(m).__name__)
class CC(Counter):
    def extra(self): return sum(self.values())
print(CC("aab").extra(), CC("aab"), ChainMap({"a": 1}, {"b": 2})["b"], OrderedDict.fromkeys("ab", 1) == OrderedDict(a=1, b=1))
P = namedtuple("P", "x y", defaults=[3]); print(P(1), P(1)._replace(y=5), P._fields); t(lambda: namedtuple("Q", "a a")); t(lambda: namedtuple("Q", "_a"))
