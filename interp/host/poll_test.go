package host

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// pollData is what the expressions of TestPolls work on: more than any of them may walk between two polls.
const pollData = `
import copy, json, heapq, bisect, collections, itertools, functools, statistics, random, struct
n = 8_000
l, l2 = list(range(n)), list(range(n))
t, t2 = tuple(l), tuple(l2)
s, s2, f = set(l), set(range(n, 2 * n)), frozenset(l)
d, d2 = dict.fromkeys(l, 0), dict.fromkeys(l, 0)
words = [str(i) for i in l]
pairs = list(zip(l, l))
text, b, ba = ",".join(words), bytes(n), bytearray(n)
q, c, o = collections.deque(l), collections.Counter(l), collections.OrderedDict(d)
nested = [[i] for i in l]
print("begin")
`

// polled are expressions whose work is in one call. What copies memory alone is not among them (l + l, l[::2]), nor what
// is done with a text, which is short, nor hash(t), which takes a third of a second for ten million items.
var polled = []string{
	"set(l)", "set(t)", "set(d)", "set(s)", "frozenset(l)", "s.copy()", "s | s2", "s & s2", "s & f", "s - s2", "s ^ s2", "s == f", "s <= f",
	"s.union(l)", "s.intersection(l)", "s.difference(l)", "s.symmetric_difference(l)", "s.issubset(l)", "s.issuperset(l)",
	"s.isdisjoint(s2)", "s.update(l2)", "s.update(s2)", "s.intersection_update(l2)", "s.difference_update(l2)", "s.difference_update(s2)",
	"s.symmetric_difference_update(l2)",
	"dict(d)", "dict(pairs)", "dict(zip(l, l))", "d.copy()", "d | d2", "d.update(d2)", "d.update(pairs)", "d == d2", "dict.fromkeys(l)",
	"dict.fromkeys(s)", "list(d)", "list(d.items())", "list(d.values())", "d.keys() & d2.keys()", "d.items() == d2.items()", "{**d}",
	"dict(**dict.fromkeys(words))", "t == t2", "l == l2", "t < t2", "l != l2", "l.count(1.5)", "-1 in l", "-1 in t",
	"l.index(-1)", "l.remove(-1)", "t.index(-1)", "t.count(-1)", "sorted(l)", "sorted(words, key=len)", "l.sort()", "min(l)", "max(l)", "sum(l)",
	"any(x < 0 for x in l)", "all(l2[1:])", "list(map(str, l))", "list(filter(None, l))", "list(zip(l, l))", "list(enumerate(l))", "list(reversed(l))",
	"tuple(s)", "list(s)", "','.join(words)", "repr(l)", "str(d)", "repr(s)", "json.dumps(l)", "json.dumps(d)",
	"json.loads(json.dumps(l))", "copy.deepcopy(l)", "copy.deepcopy(nested)", "copy.copy(d)", "copy.copy(s)", "collections.Counter(l)", "c + c", "c == c.copy()",
	"collections.deque(l)", "q == collections.deque(l)", "q.extend(l)", "q.count(-1)", "-1 in q", "heapq.heapify(l)", "heapq.nsmallest(3, l)",
	"bytes(l2[:1] * n)", "bytearray(l2[:1] * n)", "max(words)", "list(itertools.accumulate(l))", "sum(map(len, words))", "functools.reduce(max, l)",
	"random.shuffle(l)", "list(text)", "dict.fromkeys(text)", "collections.OrderedDict(d)", "o == collections.OrderedDict(d)", "print(*l)", "'%s' % (l,)", "f'{l}'",
	"list(dict.fromkeys(words))", "l.extend(s)", "sorted(d, key=d.get)", "itertools.chain.from_iterable(nested).__next__() or list(itertools.chain(l, l))",
}

// TestPolls: each expression asks more than once whether the run is to stop, so that none of them holds a stop up.
func TestPolls(t *testing.T) {
	for _, e := range polled {
		var out strings.Builder
		asked := 0
		stop := func() bool {
			if strings.HasPrefix(out.String(), "begin") {
				asked++
			}
			return false
		}
		_, diags := Load(source.NewFile("polls.py", pollData+"try:\n    "+e+"\nexcept (KeyError, ValueError):\n    pass\n"),
			withLibraries(Options{Stdout: &out, Stop: stop}))
		if diags.HasErrors() {
			t.Errorf("%s: %s", e, words(diags))
		} else if asked < 4 {
			t.Errorf("%s asks %d times", e, asked)
		}
	}
}
