package ptx_test

import (
	"fmt"
	"strings"
)

// Loops over blocks of an input whose last block has a tail, as kernels of sampling, top-k, softmax and speculative
// decoding have them. They sum, count, scan, take maxima and search, and what they find steers branches, other loops'
// bounds, masks and addresses. All floats are integers whose sums are exact in any order.

// sourceScalar is a scalar of the kernel.
type sourceScalar struct {
	name string
	of   sourceType
}

var (
	i32, f32, i64, f64 = elements[0], elements[1], elements[4], elements[5]
	scalarTypes        = []sourceType{i32, f32, f32, i64, f64}
)

// blocks are the lengths of a loop's tiles.
var blocks = []int{16, 32, 128, 256, 512, 1024, 2048, 4096}

// pickScalar is one of the scalars, if there is one.
func (w *sourceWriter) pickScalar() (s sourceScalar, ok bool) {
	if len(w.scalars) == 0 || w.IntN(4) == 0 {
		return s, false
	}
	return choose(w, w.scalars...), true
}

// whole is a scalar as an int32 from least to most, or a constant.
func (w *sourceWriter) whole(least, most int) string {
	s, ok := w.pickScalar()
	if !ok {
		return fmt.Sprint(least + w.IntN(most-least+1))
	}
	return fmt.Sprintf("tl.minimum(tl.maximum(%s, %d), %d).to(tl.int32)", s.name, least, most)
}

// length is how many elements there are: none at times, and few that are a multiple of a block.
func (w *sourceWriter) length() string {
	return choose(w, "n", "n * 53", "n // 16 * 100", "n % 2 * 128", "n * 16", "n * 33 + 1", "n % 3",
		w.whole(0, 1000), w.whole(0, 2000), w.whole(0, 100))
}

// decision is a condition for the program as a whole.
func (w *sourceWriter) decision() string {
	s, ok := w.pickScalar()
	if !ok {
		return choose(w, "n > 20", "n % 2 == 0", "tl.program_id(0) == 0", "tl.load(in_int32 + n) > 0")
	}
	return s.name + choose(w, " <= 0", " > 0", " != 0", fmt.Sprintf(" < %d", w.IntN(4000)),
		fmt.Sprintf(" >= %d", w.IntN(100)), " == "+w.whole(-50, 200))
}

// blockOf is the names that a loop's lines have for the block at hand.
type blockOf struct {
	size                    int
	index, mask, from, ends string
}

// ints is an expression of small int32s for the elements of a block, any where they are masked off.
func (w *sourceWriter) ints(b blockOf) string {
	list := []string{
		fmt.Sprintf("tl.load(in_int32 + %s + %s, mask=%s, other=%d)", w.whole(0, 1000), b.index, b.mask, w.IntN(200)),
		fmt.Sprintf("tl.load(in_uint8 + %s + %s, mask=%s).to(tl.int32)", w.whole(0, 1000), b.index, b.mask),
		fmt.Sprintf("(%s * 7 + n) %% 31", b.index),
		fmt.Sprintf("(%s & 63) - 20", w.want(i32, []int{b.size})),
	}
	return choose(w, list...)
}

// floats is an expression of small integers in that floating dtype.
func (w *sourceWriter) floats(b blockOf, e sourceType) string {
	return choose(w,
		fmt.Sprintf("tl.load(in_%s + %s + %s, mask=%s, other=%d.0)", e.name, w.whole(0, 1000), b.index, b.mask, w.IntN(9)),
		fmt.Sprintf("tl.load(in_float16 + %s + %s, mask=%s, other=1.0).to(tl.%s)", w.whole(0, 1000), b.index, b.mask, e.name),
		fmt.Sprintf("(%s).to(tl.%s)", w.ints(b), e.name),
		fmt.Sprintf("tl.full((%d,), 1.0, tl.%s)", b.size, e.name))
}

// values is an expression of either.
func (w *sourceWriter) values(b blockOf, e sourceType) string {
	if e.dtype.Info().Float {
		return w.floats(b, e)
	}
	return fmt.Sprintf("(%s).to(tl.%s)", w.ints(b), e.name)
}

// finds are what a loop over blocks finds out. S is the scalar, of type E, I the index, M the mask, N the length, V the
// values of the block, T a threshold, C a condition of the program as a whole.
var finds = []struct{ init, lines string }{
	{"0", "S += tl.sum(tl.where(M, V, 0)).to(tl.E)"},
	{"0", "S += tl.sum(tl.where(M, V, 0)).to(tl.E)"},
	{"0", "S = S * A + tl.sum(tl.where(M, V, 0), axis=0).to(tl.E)"},
	{"5", "S += tl.sum(tl.where(M, V, 0)).to(tl.E)"},
	{"0", "S += tl.sum((M & (V > T)).to(tl.E))"},
	{"0", "S += tl.sum(tl.where(M, 1, 0)).to(tl.E)"},
	{"0", "S += tl.sum(tl.where(M, 1.0, 0.0)).to(tl.E)"},
	{"-1000", "S = tl.maximum(S, tl.max(tl.where(M, V, -1000)))"},
	{"1000", "S = tl.minimum(S, tl.min(tl.where(M & (V != T), V, 1000)))"},
	{"N", "S = tl.minimum(S, tl.min(tl.where(M & (V >= T), I, N))).to(tl.E)"},
	{"N", "k = tl.min(tl.where(M & (V >= T), I, N))\nS = tl.where((S == N) & (k < N), k, S).to(tl.E)"},
	{"0", "k = tl.argmax(tl.where(M, V, -1000), 0)\nif tl.max(tl.where(M, V, -1000)) > T:\n    S = (k + F).to(tl.E)"},
	{"0", "k = tl.max(tl.where(M, V, -1000))\nif k > S:\n    S = S * A + k"},
	{"0", "if tl.sum((M & (V > T)).to(tl.int32)) > 3:\n    S += tl.sum(tl.where(M, V, 0)).to(tl.E)"},
	{"0", "c = S + tl.cumsum(tl.where(M, V, 0))\nS = tl.max(tl.where(M, c, 0))"},
	{"0", "if C:\n    x = tl.where(M, V, 0)\nelse:\n    x = tl.where(M, V, 0) * 2\nS += tl.sum(x).to(tl.E)"},
	{"0", "x = tl.where(M, V, 0)\nif C:\n    x = tl.where(x > T, x, 0)\nS += tl.sum(x).to(tl.E)"},
	{"0", "S += tl.sum(tl.where(M, V, 0)).to(tl.E)\nif S > T:\n    break"},
	{"0", "if tl.max(tl.where(M, V, -1000)) > 60:\n    break\nS += tl.sum(tl.where(M, V, 0)).to(tl.E)"},
	{"0", "for d in range(T & 3):\n    S += tl.sum(tl.where(M & (I != d), V, 0)).to(tl.E)"},
	{"0", "S += tl.sum(tl.where(M, V, 0)).to(tl.E)\nif C:\n    S += 1"},
}

// tail is a loop over blocks.
func (w *sourceWriter) tail() {
	b := blockOf{size: choose(w, blocks...), index: w.fresh(), mask: w.fresh(), from: w.fresh(), ends: w.fresh()}
	if !w.atTop() { // which may run often
		b.size = max(b.size, 256)
	}
	w.line("%s = %s", b.ends, w.length())
	w.find(b, fmt.Sprintf("range(0, %s, %d)", b.ends, b.size), 1+w.IntN(3))
}

// find is a loop over blocks that finds out so many things.
func (w *sourceWriter) find(b blockOf, over string, things int) {
	var lines []string
	var found []sourceScalar
	for range things {
		s, f := sourceScalar{w.fresh(), choose(w, scalarTypes...)}, choose(w, finds...)
		if strings.Contains(f.lines, "break") && len(lines) > 0 {
			continue // what breaks off is the first
		}
		text := f.lines
		for strings.Contains(text, "V") {
			text = strings.Replace(text, "V", w.values(b, s.of), 1)
		}
		text = strings.NewReplacer("S", s.name, "E", s.of.name, "I", b.index, "M", b.mask, "N", b.ends, "F", b.from,
			"T", w.whole(-20, 60), "C", w.decision(), "A", w.factor(s.of, b.size)).Replace(text)
		w.line("%s = %s", s.name, w.first(s.of, strings.Replace(f.init, "N", b.ends, 1)))
		lines = append(lines, strings.Split(text, "\n")...)
		found = append(found, s)
	}
	w.line("for %s in %s:", b.from, over)
	w.line("    %s = %s + tl.arange(0, %d)", b.index, b.from, b.size)
	w.line("    %s = %s < %s", b.mask, b.index, b.ends)
	for _, line := range lines {
		w.line("    %s", line)
	}
	w.scalars = append(w.scalars, found...)
}

// first is an expression of what a scalar is before a loop.
func (w *sourceWriter) first(e sourceType, value string) string {
	switch {
	case strings.HasPrefix(value, "v"):
		return fmt.Sprintf("tl.where(n >= 0, %s, 0).to(tl.%s)", value, e.name)
	case e == i32:
		return value
	case e == f32:
		return value + ".0"
	}
	return fmt.Sprintf("tl.full((), %s, tl.%s)", value, e.name)
}

// factor is one for a sum in each iteration. Floats have few iterations in which to grow.
func (w *sourceWriter) factor(e sourceType, block int) string {
	if e.dtype.Info().Float && block < 512 {
		return choose(w, "1", "-1")
	}
	return choose(w, "2", "-1")
}

// rows is a loop over blocks of the columns of a matrix that adds up, or takes the maxima of, its rows.
func (w *sourceWriter) rows() {
	shape := choose(w, []int{4, 32}, []int{16, 64}, []int{32, 128}, []int{2, 1024}, []int{64, 16})
	rows, columns := shape[0], shape[1]
	acc, ends := variable{w.fresh(), choose(w, f32, i32, f64), []int{rows}}, w.fresh()
	e := acc.of.name
	w.line("%s = %s", ends, w.length())
	w.line("%s = tl.zeros((%d,), tl.%s)", acc.name, rows, e)
	w.line("for k in range(0, %s, %d):", ends, columns)
	w.line("    j = k + tl.arange(0, %d)[None, :]", columns)
	w.line("    x = tl.load(in_%s + tl.arange(0, %d)[:, None] * %d + j, mask=j < %s, other=%d)", e, rows, w.IntN(60), ends,
		choose(w, 0, 3))
	w.line("    x = tl.where(%s, x, 0)", choose(w, "j < "+ends, "(j < "+ends+") & (x > 0)", fmt.Sprintf("j < tl.arange(0, %d)[:, None] * 9", rows)))
	acc.line(w, choose(w, "S += tl.sum(x, 1).to(tl.E)", "S = S * F + tl.sum(x, 1).to(tl.E)", "S = tl.maximum(S, tl.max(x, 1))",
		"S += tl.sum(x, 1).to(tl.E)\nif tl.max(S) > 900:\n    break"))
	w.scope = append(w.scope, acc)
	s := sourceScalar{w.fresh(), acc.of}
	w.line("%s = %s(%s).to(tl.%s)", s.name, choose(w, "tl.sum", "tl.max", "tl.min"), acc.name, e)
	w.scalars = append(w.scalars, s)
}

// line are lines of a loop about the variable S, of dtype E.
func (v variable) line(w *sourceWriter, text string) {
	text = strings.NewReplacer("S", v.name, "E", v.of.name, "F", choose(w, "-1", fmt.Sprintf("(1 - tl.arange(0, %d) %% 2 * 2)", v.shape[0]))).Replace(text)
	for _, line := range strings.Split(text, "\n") {
		w.line("    %s", line)
	}
}

// bisected is a search by halves, in memory or for what many elements of a block exceed.
func (w *sourceWriter) bisected() {
	low, high, s := w.fresh(), w.fresh(), sourceScalar{w.fresh(), i32}
	if w.IntN(2) == 0 {
		w.line("%s, %s = 0, %s", low, high, w.length())
		w.line("while %s < %s:", low, high)
		w.line("    mid = (%s + %s) // 2", low, high)
		w.line("    if tl.load(in_int32 + mid) < %s:", w.whole(-50, 50))
		w.line("        %s = mid + 1", low)
		w.line("    else:")
		w.line("        %s = mid", high)
	} else {
		b := blockOf{size: max(256, choose(w, blocks...)), index: w.fresh(), mask: w.fresh(), ends: w.fresh()}
		w.line("%s, %s, %s = -64, 64, %s", low, high, b.ends, w.length())
		w.line("%s = tl.arange(0, %d)", b.index, b.size)
		w.line("%s = %s < %s", b.mask, b.index, b.ends)
		w.line("for k in range(7):")
		w.line("    mid = (%s + %s) // 2", low, high)
		w.line("    if tl.sum((%s & (%s > mid)).to(tl.int32)) >= %s:", b.mask, w.ints(b), w.whole(0, 200))
		w.line("        %s = mid", low)
		w.line("    else:")
		w.line("        %s = mid", high)
	}
	w.line("%s = %s + 0", s.name, low)
	w.scalars = append(w.scalars, s)
}

// steered is a tile whose mask and address are what loops have found.
func (w *sourceWriter) steered() {
	e, size := w.element(computed), choose(w, blocks...)
	w.let(e, []int{size}, "tl.load(in_%[1]s + %[2]s + tl.arange(0, %[3]d), mask=tl.arange(0, %[3]d) %[4]s %[5]s, other=%[6]d)",
		e.name, w.whole(0, 1000), size, choose(w, "<", ">=", "!="), w.length(), w.IntN(5))
}

// totalled is a scalar made of a tile.
func (w *sourceWriter) totalled() {
	b := blockOf{size: choose(w, blocks...), index: w.fresh(), mask: w.fresh()}
	w.line("%s = tl.arange(0, %d)", b.index, b.size)
	w.line("%s = %s < %s", b.mask, b.index, w.length())
	s := sourceScalar{w.fresh(), choose(w, scalarTypes...)}
	w.line("%s = %s(tl.where(%s, %s, %d)).to(tl.%s)", s.name, choose(w, "tl.sum", "tl.max", "tl.min", "tl.sum"), b.mask,
		w.values(b, s.of), choose(w, 0, -7), s.of.name)
	w.scalars = append(w.scalars, s)
}

// attention is a loop of two dots with what softmax and masks are made of: scores that a scale multiplies and masks leave
// out, their maxima, sums of weights, an accumulator that new maxima scale. Scores are integers times powers of two, and
// weights 0, 1 and 2, so that all of it is exact.
func (w *sourceWriter) attention() {
	if !w.atTop() {
		return
	}
	rows, n := choose(w, 64, 128), choose(w, 32, 64)
	w.chainedRows = rows
	q, acc, l, m, k, ends := w.fresh(), w.fresh(), w.fresh(), w.fresh(), w.fresh(), w.fresh()
	tile := func(at string, rows int) string {
		return fmt.Sprintf("tl.load(in_float16 + %s + tl.arange(0, %d)[:, None] * 32 + tl.arange(0, 32)[None, :])", at, rows)
	}
	w.line("%s, %s = %s, %s", q, ends, tile("8", rows), "tl.minimum("+w.length()+", 160)")
	w.line("%s, %s, %s = tl.zeros((%[4]d, 32), tl.float32), tl.zeros((%[4]d,), tl.float32), tl.full((%[4]d,), -1000.0, tl.float32)",
		acc, l, m, rows)
	w.line("for %s in range(%s, %s, %d):", k, choose(w, "0", "0", "n % 2 * "+fmt.Sprint(n)), ends, n)
	columns, row := fmt.Sprintf("(%s + tl.arange(0, %d))[None, :]", k, n), fmt.Sprintf("tl.arange(0, %d)[:, None]", rows)
	body := []string{
		fmt.Sprintf("s = tl.dot(%s, tl.trans(%s))%s", q, tile(k+" * 32", n), choose(w, "", " * 0.5", " * scale", " * scale")),
		fmt.Sprintf("s = tl.where(%s, s, float('-inf'))", choose(w, columns+" < "+ends, row+" >= "+columns,
			row+" + n > "+columns, "("+columns+" < "+ends+") & ("+row+" >= "+columns+")", columns+" != "+w.whole(0, 100))),
		fmt.Sprintf("m_new = tl.maximum(%s, tl.max(s, 1))", m),
		fmt.Sprintf("alpha = tl.where(m_new > %s, %s, 1.0)", m, choose(w, "0.5", "0.0", "1.0")),
		fmt.Sprintf("p = tl.where(s >= m_new[:, None] - %d, %s, 0.0)", w.IntN(400), choose(w, "1.0", "2.0",
			"tl.where(s > 0, 2.0, 1.0)")),
		fmt.Sprintf("%s = %s * alpha + tl.sum(p, 1)", l, l),
		fmt.Sprintf("%s = %s * alpha[:, None]", acc, acc),
		fmt.Sprintf("%s = tl.dot(p.to(tl.float16), %s, %s)", acc, tile(k+" * 32 + 512", n), acc),
		fmt.Sprintf("%s = m_new", m),
	}
	switch w.IntN(6) {
	case 0: // without the maxima's scale
		body[6] = ""
	case 1: // scores that are summed, too
		body[5] = fmt.Sprintf("%s += tl.sum(tl.where(%s < %s, s * 0.25, 0.0), 1)", l, columns, ends)
		body[0] = strings.Replace(body[0], " * scale", "", 1)
		body[1] = ""
	case 2: // what decides is in the loop
		body = append(body, fmt.Sprintf("if %s:", w.decision()), fmt.Sprintf("    %s = %s * 2", l, l))
	case 3:
		body = append(body, fmt.Sprintf("if tl.max(%s) > %d:", m, w.IntN(4000)), fmt.Sprintf("    %s = %s * 2", l, l))
	}
	for _, line := range body {
		if line != "" {
			w.line("    %s", line)
		}
	}
	w.scope = append(w.scope, variable{acc, f32, []int{rows, 32}}, variable{l, f32, []int{rows}}, variable{m, f32, []int{rows}})
	s := sourceScalar{w.fresh(), f32}
	w.line("%s = tl.max(%s)", s.name, l)
	w.scalars = append(w.scalars, s)
}
