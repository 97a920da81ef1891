package inspect_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/formula"
)

// TestFormula: what a store wrote as a formula of the elements that were loaded, and its value. x holds 0 to 63, and n is
// 3.
func TestFormula(t *testing.T) {
	const none = "not followed"
	for _, c := range []struct {
		name, body string
		element    int
		want       string
	}{
		{"an element", "    i = tl.arange(0, 8)\n    tl.store(z + i, tl.load(x + 2 * i) * n + i)\n", 2, "3 * x[4] + 2"},
		{"an index", "    i = tl.arange(0, 8)\n    tl.store(z + i, i * n)\n", 2, "6"},
		{"broadcast and transposition", "    r = tl.load(x + tl.arange(0, 4))\n    c = tl.load(x + 8 + tl.arange(0, 4))\n    v = tl.trans(r[:, None] * c[None, :])\n    tl.store(z + tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 4)[None, :], v)\n", 10, "x[2] * x[9]"},
		{"a reduction", "    v = tl.load(x + tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 4)[None, :])\n    tl.store(z + tl.arange(0, 4), tl.sum(v * n, 1))\n", 2, "sum(3 * x[16:20])"},
		{"a maximum", "    tl.store(z, tl.max(tl.load(x + tl.arange(0, 32)), 0))\n", 0, "max(x[0:32])"},
		{"an index of a maximum", "    tl.store(z, tl.argmax(tl.load(x + tl.arange(0, 2)), 0))\n", 0, "where((x[0] > x[1]) | (x[0] == x[1]), 0, 1)"},
		{"a loop", "    s = 0\n    for i in range(n):\n        s += tl.load(x + 10 + i)\n    tl.store(z, s)\n", 0, "sum(x[10:13])"},
		{"the number of an iteration", "    s = 0\n    for i in range(n):\n        s += tl.load(x + i) * i\n    tl.store(z, s)\n", 0, "x[1] + 2 * x[2]"},
		{"a while loop", "    i = 1\n    s = tl.load(x + 1)\n    while i < 20:\n        i = i * 2\n        s = s + tl.load(x + i)\n    tl.store(z, s)\n", 0, "x[1] + x[2] + x[4] + x[8] + x[16] + x[32]"},
		{"a branch", "    v = tl.load(x)\n    if n > 2:\n        v = v * 5\n    else:\n        v = v * 7\n    tl.store(z + 3, v)\n", 3, "5 * x[0]"},
		{"a product of matrices", "    r = tl.arange(0, 16)\n    a = tl.load(x + r[:, None] + 2 * r[None, :]).to(tl.float32)\n    d = tl.dot(a, a)\n    tl.store(z + r[:, None] * 16 + r[None, :], d.to(tl.int32), mask=(r < 4)[:, None])\n", 18, "int(sum(x[1:8:2] * x[4:8]) + sum(x[8:20] * x[9:32:2]))"},
		{"a scan", "    v = tl.load(x + 2 * tl.arange(0, 8))\n    tl.store(z + tl.arange(0, 8), tl.cumsum(v, 0))\n", 2, "sum(x[0:5:2])"},
		{"a choice", "    v = tl.load(x + tl.arange(0, 8))\n    tl.store(z + tl.arange(0, 8), tl.where(v > n, v * 10, v))\n", 5, "where(x[5] > 3, 10 * x[5], x[5])"},
		{"a choice that is known", "    i = tl.arange(0, 8)\n    v = tl.load(x + i)\n    tl.store(z + i, tl.where(i > n, v * 10, v))\n", 5, "10 * x[5]"},
		{"join and split", "    v = tl.load(x + tl.arange(0, 8))\n    a, b = tl.split(tl.join(v + 1, v * 3))\n    tl.store(z + tl.arange(0, 8), b)\n", 2, "3 * x[2]"},
		{"gather", "    i = tl.arange(0, 8)\n    g = tl.gather(tl.load(x + 20 + i), 7 - i, 0)\n    tl.store(z + i, g)\n", 1, "x[26]"},
		{"a function", "    tl.store(z, helper(tl.load(x + 4) + 1))\n", 0, "2 * (x[4] + 1)"},
		{"a function written in Triton", "    v = tl.softmax(tl.load(x + tl.arange(0, 4)).to(tl.float32)) * 100\n    tl.store(z + tl.arange(0, 4), v.to(tl.int32))\n", 1, "int(100 * exp(x[1] - max(x[0:4])) / sum(exp(x[0:4] - max(x[0:4]))))"},
		{"masked off with other", "    i = tl.arange(0, 8)\n    tl.store(z, tl.sum(tl.load(x + i, mask=i < n, other=7), 0))\n", 0, "sum(x[0:3]) + 35"},
		{"masked off without", "    i = tl.arange(0, 8)\n    tl.store(z, tl.sum(tl.load(x + i, mask=i < n), 0))\n", 0, "sum(x[0:3]) + 5 * undefined"},
		{"outside", "    tl.store(z + tl.arange(0, 8), tl.load(x + 60 + tl.arange(0, 8)))\n", 6, "x[66]"},
		{"what was stored before", "    tl.store(z, tl.load(x + 5))\n    tl.debug_barrier()\n    tl.store(z + 1, tl.load(z) + 1)\n", 1, "z[0] + 1"},
		{"integers", "    v = tl.load(x + 9)\n    tl.store(z, (v // 2 % 3) ^ (v << 1))\n", 0, "(x[9] // 2 % 3) ^ (x[9] << 1)"},
		{"an old value of an atomic operation", "    tl.store(z, tl.atomic_add(x, 1))\n", 0, none},
		{"an atomic operation", "    tl.atomic_add(z, tl.load(x + 1))\n", 0, "no formula"},
		{"no store", "    tl.load(x)\n", 0, "no formula"},
	} {
		_, l := kernel(t, c.body, [3]int{1, 1, 1}, vector, vector)
		w, err := l.Why(t.Context(), 1, c.element)
		if err != nil {
			t.Fatal(err)
		}
		if got := formulaText(t, w.Formula, w.Number); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

func formulaText(t *testing.T, of func(*formula.Set) *formula.Node, value float64) string {
	t.Helper()
	if of == nil {
		return "no formula"
	}
	set := formula.NewSet([]formula.Tensor{{Name: "x", Shape: []int{64}}, {Name: "z", Shape: []int{64}}})
	n := of(set)
	if n == nil {
		return "not followed"
	}
	var b strings.Builder
	for _, token := range set.Compare(nil, n).Expected {
		b.WriteString(token.Text + map[formula.Kind]string{formula.Undefined: "undefined", formula.More: "…"}[token.Kind])
	}
	if !n.Gives(value) {
		t.Errorf("%s is %v, not %v", b.String(), n.Value(), value)
	}
	return b.String()
}

// TestFormulaIsBounded: of a long loop no formula is made, and that takes no longer than the loop.
func TestFormulaIsBounded(t *testing.T) {
	_, l := kernel(t, "    s = tl.load(x)\n    for i in range(4000):\n        s = s + tl.load(x + i % 64) * i\n    tl.store(z, s)\n", [3]int{1, 1, 1}, vector, vector)
	w, err := l.Why(t.Context(), 1, 0)
	if err != nil || w.Formula == nil {
		t.Fatal(err)
	}
	if n := w.Formula(formula.NewSet([]formula.Tensor{{Name: "x", Shape: []int{64}}, {Name: "z", Shape: []int{64}}})); n != nil && !n.Gives(w.Number) {
		t.Errorf("%v, not %v", n.Value(), w.Number)
	}
}
