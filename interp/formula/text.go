package formula

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Token is a piece of a formula's text.
type Token struct {
	Text string
	// Kind says what Text is.
	Kind Kind
	// Elements are those that an operand stands for.
	Elements []Element
	// Differs says that the other formula of a comparison has something else here.
	Differs bool
}

// Kind is a kind of token.
type Kind uint8

// The kinds.
const (
	Punctuation Kind = iota
	Operator         // +, exp
	Operand          // x[0, 0:128], 10
	Outside          // x[66], where x has fewer elements
	Undefined        // has no text
	More             // stands for elements that are not listed
)

// piece is a formula in which runs of terms are one term over slices.
type piece struct {
	*Node
	parts []*piece // what it is computed from
	run   int      // how many terms it stands for
	box   *box     // of an element, and of offsets outside of a tensor
}

// box is a slice of a tensor: where it begins, and how many elements are how far apart along each axis.
type box struct {
	tensor             int
	start, count, step []int
	along              []int // the axes of the run, from that of neighbours to that of rows
	varies, inner      bool  // along a run, of the operation that is being written or of one within its terms
	turned             bool  // it is transposed in one within its terms
}

// most is how many tokens of a formula are still readable.
const most = 48

// tokens are the text of a formula, without the later terms of sums where it is long; nil where that is longer than a
// person reads as well.
func (s *Set) tokens(n *Node) (out []Token, whole bool) {
	w := &writer{set: s, pieces: map[*Node]*piece{}}
	p := w.pieceOf(n)
	for _, w.terms = range []int{most, 2} {
		w.out = nil
		if w.write(p, 0); len(w.out) <= most {
			return w.out, w.terms == most
		}
	}
	return nil, false
}

type writer struct {
	set    *Set
	pieces map[*Node]*piece
	terms  int // that are written of a sum
	out    []Token
}

// pieceOf finds the runs of a formula.
func (w *writer) pieceOf(n *Node) *piece {
	if p := w.pieces[n]; p != nil {
		return p
	}
	p := &piece{Node: n, run: 1}
	if n.op == element || n.op == outside {
		p.box = w.set.boxOf(n)
	}
	args := n.args
	if n.op == "+" {
		args = w.set.apart(args)
	}
	for _, a := range args {
		p.parts = append(p.parts, w.pieceOf(a))
	}
	if nameOf(n.op) != "" {
		p.parts = runs(p.parts)
	}
	w.pieces[n] = p
	return p
}

// apart takes 3 * y for y + 2 * y where the sum has several terms like y without a factor, with which y may make a
// slice.
func (s *Set) apart(terms []*Node) []*Node {
	single := map[int]int{}
	for _, n := range terms {
		single[n.shape]++
	}
	var out, more []*Node
	for _, n := range terms {
		if by, rest := s.scaled(n); rest != nil && by > 1 && by == math.Trunc(by) && single[rest.shape] > 2 {
			out = append(out, rest)
			if n = rest; by > 2 {
				n = s.timesNumber(by-1, rest)
			}
			more = append(more, n)
			continue
		}
		out = append(out, n)
	}
	if slices.Contains(more, nil) { // the set is full
		return terms
	}
	slices.SortStableFunc(out, compare)
	return append(out, more...)
}

func (s *Set) boxOf(n *Node) *box {
	e := n.element
	shape := s.Tensors[e.Tensor].Shape
	if n.op == outside {
		return &box{tensor: e.Tensor, start: []int{e.At}, count: []int{1}, step: []int{1}}
	}
	none := make([]int, len(shape))
	b := &box{tensor: e.Tensor, start: none, count: slices.Clone(none), step: slices.Clone(none)}
	at := e.At
	for d := len(shape) - 1; d >= 0; d-- {
		b.start[d], b.count[d], b.step[d] = at%shape[d], 1, 1
		at /= shape[d]
	}
	return b
}

// runs replaces neighbours that are one step apart from each other, along an axis of each tensor, by a term over
// slices; then such rows by planes, and so on.
func runs(all []*piece) (out []*piece) {
	terms := make([]*piece, len(all))
	for i, t := range all {
		terms[i] = t.copied(func(b *box) {
			b.inner, b.turned, b.varies, b.along = b.inner || b.varies, b.turned || b.transposed(), false, nil
		})
	}
	for before := len(terms) + 1; len(terms) < before; {
		before = len(terms)
		var next []*piece
		for len(terms) > 0 {
			n, by := runAt(terms)
			next = append(next, terms[0].extended(n, by))
			terms = terms[n:]
		}
		terms = next
	}
	for _, t := range terms {
		of := all[:t.run]
		if all = all[t.run:]; t.run > 2 {
			of = []*piece{t}
		}
		out = append(out, of...) // two terms are shorter by themselves
	}
	return out
}

// runAt is how many terms the first begins a run of, and how far apart the boxes of neighbours are.
func runAt(terms []*piece) (n int, by [][]int) {
	for n = 1; n < len(terms); n++ {
		next, ok := distance(terms[n-1], terms[n])
		if !ok || n > 1 && !slices.EqualFunc(by, next, slices.Equal) {
			break
		}
		by = next
	}
	// Two elements far apart are a pair, and the second may begin a row.
	far := func(step []int) bool { return slices.ContainsFunc(step, func(v int) bool { return v > 1 }) }
	if n == 2 && slices.ContainsFunc(by, far) {
		return 1, nil
	}
	return n, by
}

// distance is how far apart the boxes of two terms are; false where the terms are not alike, or the boxes are not one
// step along one axis apart.
func distance(a, b *piece) (by [][]int, ok bool) {
	boxes, others := a.boxes(), b.boxes()
	if !alike(a, b) || len(boxes) != len(others) {
		return nil, false
	}
	some := false
	for _, x := range boxes {
		some = some || x.varies
	}
	for i, x := range boxes {
		y, axes := others[i], 0
		step := make([]int, len(x.start))
		for d := range step {
			if step[d] = y.start[d] - x.start[d]; step[d] == 0 {
				continue
			}
			axes++
			// Rows after columns, or the other way round: a transposition.
			if n := len(x.along); step[d] < 0 || x.count[d] > 1 || n > 1 && (x.transposed() || d > x.along[n-1]) {
				return nil, false
			}
		}
		// Slices of several axes run along them together, or not at all: x[0:4] * y[0:8] would be read as pairs.
		if axes > 1 || axes > 0 && x.inner || some && x.varies != (axes > 0) ||
			!slices.Equal(x.count, y.count) || !slices.Equal(x.step, y.step) {
			return nil, false
		}
		by = append(by, step)
	}
	return by, true
}

// alike reports whether two terms differ in where their boxes begin alone.
func alike(a, b *piece) bool {
	switch {
	case a.op != b.op || a.run != b.run || len(a.parts) != len(b.parts):
		return false
	case a.box == nil && len(a.parts) == 0 && a.Node != b.Node:
		return false
	}
	if a.box != nil {
		return a.box.tensor == b.box.tensor
	}
	for i := range a.parts {
		if !alike(a.parts[i], b.parts[i]) {
			return false
		}
	}
	return true
}

// transposed reports whether the box runs along its rows first.
func (b *box) transposed() bool { return len(b.along) == 2 && b.along[0] < b.along[1] }

func (p *piece) boxes() (out []*box) {
	if p.box != nil {
		return []*box{p.box}
	}
	for _, part := range p.parts {
		out = append(out, part.boxes()...)
	}
	return out
}

// copied is a copy of a piece with boxes of its own, which change changes.
func (p *piece) copied(change func(*box)) *piece {
	out := *p
	if p.box != nil {
		b := *p.box
		b.count, b.step, b.along = slices.Clone(b.count), slices.Clone(b.step), slices.Clone(b.along)
		change(&b)
		out.box = &b
	}
	out.parts = make([]*piece, len(p.parts))
	for i, part := range p.parts {
		out.parts[i] = part.copied(change)
	}
	return &out
}

// extended is a term that stands for n of them.
func (p *piece) extended(n int, by [][]int) *piece {
	if n == 1 {
		return p
	}
	at := -1
	out := p.copied(func(b *box) {
		at++
		for d, step := range by[at] {
			if step > 0 {
				b.count[d], b.step[d], b.varies = n, step, true
				b.along = append(b.along, d)
			}
		}
	})
	out.run *= n
	return out
}

func (w *writer) add(kind Kind, text string) { w.out = append(w.out, Token{Text: text, Kind: kind}) }

// write writes a piece, in parentheses where an operator around it binds more closely.
func (w *writer) write(p *piece, around int) {
	if len(w.out) > most {
		return
	}
	o := p.of
	switch {
	case o == nil:
		w.leaf(p)
	case o.level == 0:
		w.call(p.callName(), p.parts)
	case len(p.parts) == 1: // a run alone
		w.term(p.op, p.parts[0], around)
	case p.op == "*" && p.parts[0].op == number && p.parts[0].value < 0:
		sign, rest := w.sign(p, true)
		w.add(Operator, sign)
		w.write(rest, around)
	default:
		if open := o.level <= around; open {
			w.add(Punctuation, "(")
			defer w.add(Punctuation, ")")
		}
		w.infix(p, o.level)
	}
}

// callName is max of many elements, and maximum of two values, as in Triton and torch: one of several sums over a
// slice.
func (p *piece) callName() string {
	long := map[string]string{"max": "maximum", "min": "minimum"}[p.op]
	if long == "" || slices.ContainsFunc(p.parts, func(part *piece) bool { return part.run > 1 }) {
		return p.op
	}
	return long
}

func (w *writer) infix(p *piece, level int) {
	if p.of.level == comparing && p.parts[0].op == number { // 0 > x
		w.write(p.parts[1], level)
		w.add(Operator, map[string]string{">": " < ", ">=": " <= "}[p.op])
		w.write(p.parts[0], level)
		return
	}
	for i, part := range p.parts {
		inner := level
		if level > comparing && level < adding {
			inner = closest // few know how operators on bits bind
		} else if i == 0 || p.of.many {
			inner = level - 1
		}
		if p.op != "+" {
			if i > 0 {
				w.add(Operator, " "+p.op+" ")
			}
			w.term(p.op, part, inner)
			continue
		}
		if part.unknown && i > 0 && p.parts[i-1].unknown {
			continue // one says it
		}
		sign, rest := w.sign(part, i == 0)
		if i >= w.terms {
			w.add(Operator, " + ")
			w.add(More, "")
			return
		}
		if sign != "" {
			w.add(Operator, sign)
		}
		if strings.Contains(sign, "-") {
			inner = level
		}
		w.term(p.op, rest, inner)
	}
}

// sign is what stands in front of a term, and the term without its sign.
func (w *writer) sign(p *piece, first bool) (string, *piece) {
	plus, minus := " + ", " - "
	if first {
		plus, minus = "", "-"
	}
	if p.op == number && p.value < 0 {
		return minus, &piece{Node: &Node{op: number, value: -p.value}, run: 1}
	}
	if p.op != "*" || p.parts[0].op != number || p.parts[0].value >= 0 {
		return plus, p
	}
	without := *p
	without.parts = p.parts[1:]
	if by := -p.parts[0].value; by != 1 {
		without.parts = append([]*piece{{Node: &Node{op: number, value: by}, run: 1}}, without.parts...)
	} else if len(without.parts) == 1 && without.parts[0].run == 1 {
		one := *without.parts[0]
		one.run = p.run
		return minus, &one
	}
	return minus, &without
}

// nameOf is the call that stands for many operands of an operation; empty where there is none.
func nameOf(op string) string {
	return map[string]string{"+": "sum", "*": "prod", "max": "max", "min": "min"}[op]
}

// term writes an operand of an operation: a call where it stands for several, but for those of max and its like.
func (w *writer) term(op string, p *piece, around int) {
	if name := nameOf(op); name != op && p.run > 1 {
		one := *p
		one.run = 1
		w.call(name, []*piece{&one})
		return
	}
	w.write(p, around)
}

func (w *writer) call(name string, parts []*piece) {
	w.add(Operator, name)
	w.add(Punctuation, "(")
	for i, p := range parts {
		if i > 0 {
			w.add(Punctuation, ", ")
		}
		w.write(p, 0)
	}
	w.add(Punctuation, ")")
}

func (w *writer) leaf(p *piece) {
	switch p.op {
	case number:
		w.add(Operand, numberText(p.value))
	case undefined:
		w.add(Undefined, "")
	case outside:
		w.add(Outside, w.set.slice(p.box).Text)
	default:
		t := w.set.slice(p.box)
		t.Elements = w.set.elementsOf(p.box)
		w.out = append(w.out, t)
	}
}

func numberText(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case v != v:
		return "nan"
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 7, 64)
}

// slice is a box as Python writes it.
func (s *Set) slice(b *box) Token {
	out := Token{Text: s.Tensors[b.tensor].Name, Kind: Operand}
	var index []string
	for d, start := range b.start {
		text, n, by := strconv.Itoa(start), b.count[d], b.step[d]
		if n > 1 {
			text += ":" + strconv.Itoa(start+(n-1)*by+1)
			if by > 1 {
				text += ":" + strconv.Itoa(by)
			}
		}
		index = append(index, text)
	}
	if len(index) > 0 {
		out.Text += "[" + strings.Join(index, ", ") + "]"
	}
	if b.turned || b.transposed() {
		out.Text += ".T"
	}
	return out
}

func (s *Set) elementsOf(b *box) []Element {
	out := []Element{{b.tensor, 0}}
	for d, size := range s.Tensors[b.tensor].Shape {
		var next []Element
		for _, e := range out {
			for i := range b.count[d] {
				next = append(next, Element{e.Tensor, e.At*size + b.start[d] + i*b.step[d]})
			}
		}
		out = next
	}
	return out
}
