package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// slicer follows one lane of a value back to where it comes from, breadth first, over the records of a tape.
type slicer struct {
	launch *Launch
	*tape
	of    map[*ir.Value][]int // the records that give a value, in their order
	nodes []node
	known map[place]bool
	left  int
}

// place is one lane of a value as a record gave it; the record is -1 for the kernel's arguments.
type place struct {
	record int
	value  *ir.Value
	lane   int
}

// node is an origin that is being followed.
type node struct {
	Origin
	place
	children []int
}

func newSlicer(l *Launch, t *tape) *slicer {
	s := &slicer{launch: l, tape: t, of: map[*ir.Value][]int{}, known: map[place]bool{}}
	for i, r := range t.records {
		for _, v := range r.values {
			s.of[v] = append(s.of[v], i)
		}
	}
	return s
}

// fromStore begins with an operand of a store.
func (s *slicer) fromStore(target *pointed, sentence diag.Text, operand int) {
	first := Origin{Sentence: sentence, Span: target.instr.Span, Step: s.result.Total - 1, Tensor: -1}
	s.nodes = []node{{Origin: first}}
	v := target.instr.Operands[operand]
	if p, ok := s.find(v, min(target.lane, v.Type.Numel()-1), len(s.records)); ok {
		from := []place{p}
		if s.handedOn(p) != nil {
			from, s.left = s.operands(p)
		}
		for _, p := range from {
			s.add(0, p)
		}
	}
	s.follow(1)
}

// fromValue begins with a lane of a value.
func (s *slicer) fromValue(p place) {
	s.known[p] = true
	s.nodes = []node{{Origin: s.describe(p), place: p}}
	s.follow(0)
}

// follow adds what the nodes from one on come from.
func (s *slicer) follow(from int) {
	for i := from; i < len(s.nodes); i++ {
		operands, more := s.operands(s.nodes[i].place)
		for _, p := range operands {
			s.add(i, p)
		}
		if more > 0 {
			s.left += more
			s.nodes[i].Sentence = also(s.nodes[i].Sentence, "why.more", more)
		}
	}
}

// add adds an origin to those that node i comes from, but for literals, which the expression shows.
func (s *slicer) add(i int, p place) {
	switch {
	case s.known[p] || s.isLiteral(p):
		return
	case len(s.nodes) == maxOrigins:
		s.left++
		return
	}
	s.known[p] = true
	s.nodes[i].children = append(s.nodes[i].children, len(s.nodes))
	s.nodes = append(s.nodes, node{Origin: s.describe(p), place: p})
}

// list is the tree of origins in the order in which it is read.
func (s *slicer) list() []Origin {
	var out []Origin
	var visit func(i, depth int)
	visit = func(i, depth int) {
		o := s.nodes[i].Origin
		o.Depth = depth
		out = append(out, o)
		for _, child := range s.nodes[i].children {
			visit(child, depth+1)
		}
	}
	visit(0, 0)
	return out
}

// last is the last record before another that gives a value; -1 where none does.
func (s *slicer) last(v *ir.Value, before int) int {
	n, _ := slices.BinarySearch(s.of[v], before)
	if n == 0 {
		return -1
	}
	return s.of[v][n-1]
}

// moves are the operations that give lanes of their operands another place, and compute nothing.
var moves = map[ops.Op]bool{
	ops.Splat: true, ops.ExpandDims: true, ops.Broadcast: true, ops.Reshape: true, ops.Trans: true, ops.Join: true,
	ops.Split: true, ops.Hint: true,
}

// through reports whether an instruction only moves lanes, or fits its operand to an operation that uses it.
func through(in *ir.Instr) bool { return moves[in.Op] || in.Op == ops.Cast && continues(in) }

// find is where a lane of a value that record before takes was computed: what only moves it, or fits it to an operation
// that uses it, is left out. It is not ok where the tape has forgotten that.
func (s *slicer) find(v *ir.Value, lane, before int) (p place, ok bool) {
	for {
		i := s.last(v, before)
		if i < 0 {
			return place{-1, v, lane}, s.launch.isArgument(v)
		}
		r := &s.records[i]
		if r.handed != nil || v.Name != "" || !through(r.instr) {
			return place{i, v, lane}, true
		}
		at := s.origin(place{i, v, lane}).operands()[0]
		v, lane, before = r.instr.Operands[at.operand], at.lane, i
	}
}

// origin is a place for the rules of its operation.
func (s *slicer) origin(p place) origin {
	in := s.records[p.record].instr
	return origin{in, p.value.Index, p.lane, func(k, lane int) int64 {
		return s.integer(in.Operands[k], lane, p.record)
	}}
}

// integer is a lane of an integer or a pointer that record before takes; 0 where the tape has forgotten it.
func (s *slicer) integer(v *ir.Value, lane, before int) int64 {
	i := s.last(v, before)
	if i < 0 {
		if s.launch.isArgument(v) && v.Type.Pointer {
			return trace.Pointer(v.Index, 0)
		}
		return 0
	}
	lanes := s.records[i].lanes[v.Index]
	lane = min(lane, lanes.Len()-1)
	if lanes.I64 != nil {
		return lanes.I64[lane]
	}
	return int64(lanes.I32[lane])
}

// operands are the places that a place comes from in other expressions, and how many more there are. What a loop or a
// branch hands on comes from the expression that gave it.
func (s *slicer) operands(of place) (out []place, more int) {
	type inner struct {
		place
		same bool // reached by operations of the expression of alone
	}
	work, seen := []inner{{of, true}}, map[place]bool{of: true}
	for len(work) > 0 && len(seen) < maxInner {
		p := work[0]
		work = work[1:]
		direct, left := s.direct(p.place)
		more += left
		for _, q := range direct {
			if seen[q] {
				continue
			}
			seen[q] = true
			same := p.same && s.handedOn(p.place) == nil
			if s.handedOn(q) != nil || same && s.continues(of, q) {
				work = append(work, inner{q, same})
			} else {
				out = append(out, q)
			}
		}
	}
	return out, more
}

// continues reports whether a place belongs to the expression of another, and is not what a variable was assigned.
func (s *slicer) continues(of, p place) bool {
	return of.record >= 0 && p.record >= 0 && p.value.Name == "" &&
		s.records[of.record].instr.Span == s.records[p.record].instr.Span
}

// handedOn is the value that a loop or a branch handed on as that of a place; nil where an operation computed it.
func (s *slicer) handedOn(p place) *ir.Value {
	if p.record < 0 || s.records[p.record].handed == nil {
		return nil
	}
	return s.records[p.record].handed[p.value.Index]
}

// direct are the places that one operation takes, and how many more there are.
func (s *slicer) direct(p place) (out []place, more int) {
	if p.record < 0 {
		return nil, 0
	}
	take := func(v *ir.Value, lane int) {
		switch q, ok := s.find(v, lane, p.record); {
		case !ok:
			more++
		case q.record >= 0 || !q.value.Type.Pointer:
			out = append(out, q)
		}
	}
	r := &s.records[p.record]
	if r.handed != nil {
		if v := r.handed[p.value.Index]; v != nil {
			take(v, p.lane)
		}
		if r.instr.Op == ops.If {
			take(r.instr.Operands[0], 0)
		}
		return out, more
	}
	lanes := s.origin(p).operands()
	for _, l := range lanes[:min(len(lanes), maxOperands)] {
		take(r.instr.Operands[l.operand], l.lane)
	}
	return out, more + max(0, len(lanes)-maxOperands)
}

// isLiteral reports whether a place is a number as the source has it.
func (s *slicer) isLiteral(p place) bool {
	if p.record < 0 || s.records[p.record].instr.Op != ops.Const || p.value.Name != "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s.launch.text(s.records[p.record].instr.Span))
	return first != '_' && !unicode.IsLetter(first)
}

// describe is a place as an origin.
func (s *slicer) describe(p place) Origin {
	if p.record < 0 {
		args := []any{s.launch.label(p.value), s.launch.argument(p.value)}
		return Origin{Sentence: diag.Text{Key: "why.argument", Args: args}, Step: -1, Tensor: -1}
	}
	r := &s.records[p.record]
	out := Origin{Span: r.instr.Span, Step: r.step, Tensor: -1}
	name, text := p.value.Name, s.launch.text(out.Span)
	if e := s.source.at[out.Span]; e.loop { // the index of an iteration
		name, out.Span, text = e.name, e.span, "for "+s.launch.text(e.span)
	}
	if name != "" {
		out.Sentence = diag.Text{Key: "why.named", Args: []any{name, s.value(p), text}}
	} else {
		out.Sentence = diag.Text{Key: "why.value", Args: []any{text, s.value(p)}}
	}
	if where := s.where(p, r); where.Key != "" {
		out.Sentence = diag.Text{Key: "why.at", Args: []any{out.Sentence, where}}
	}
	if r.instr.Op == ops.Load {
		s.describeLoad(p, &out)
	}
	return out
}

// elementText names a place's lane: a[5], or (x + i)[5] where no variable holds the value.
func (s *slicer) elementText(p place) string {
	at := s.records[p.record].instr.Span
	e := s.source.at[at]
	name := cmp.Or(p.value.Name, e.name)
	if name == "" {
		if name = s.launch.text(at); !e.call {
			name = "(" + name + ")"
		}
	}
	if p.value.Type.IsScalar() {
		return name
	}
	return name + "[" + strings.Trim(laneText(p.value.Type.Shape, p.lane), "[]") + "]"
}

// where says which lane a place is, and in which iteration of the loops around it; empty where there is one alone.
func (s *slicer) where(p place, r *record) diag.Text {
	var lane, iteration diag.Text
	if p.value.Type.Numel() > 1 {
		lane = diag.Text{Key: "why.lane", Args: []any{laneText(p.value.Type.Shape, p.lane)}}
	}
	if len(r.iterations) > 0 {
		numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.iterations), " ", "."), "[]")
		iteration = diag.Text{Key: "why.iteration", Args: []any{numbers}}
	}
	if lane.Key != "" && iteration.Key != "" {
		return diag.Text{Key: "why.and", Args: []any{lane, iteration}}
	}
	return diag.Text{Key: lane.Key + iteration.Key, Args: append(lane.Args, iteration.Args...)}
}

// describeLoad says what a load has read.
func (s *slicer) describeLoad(p place, out *Origin) {
	in := s.records[p.record].instr
	if mask := in.Operand(1); mask != nil && s.integer(mask, p.lane, p.record) == 0 {
		key := "why.reads-nothing"
		if in.Operand(2) != nil {
			key = "why.reads-other"
		}
		out.Sentence = also(out.Sentence, key)
		return
	}
	arg, offset := trace.Split(s.integer(in.Operands[0], p.lane, p.record))
	t := s.tensor(arg)
	if t == nil {
		return
	}
	n := t.view.element(offset)
	if t.view.outside(offset) != 0 || n < 0 || n >= int64(t.view.shape.Len()) {
		text := fmt.Sprintf("%s[%d]", t.Name, offset)
		out.Sentence = also(out.Sentence, "why.reads-outside", text)
		return
	}
	out.Tensor, out.Element = s.byParam[arg], int(n)
	out.Sentence = also(out.Sentence, "why.reads", t.elementText(n))
}

// value is a place's lane in words.
func (s *slicer) value(p place) string {
	lane := s.records[p.record].lanes[p.value.Index].Slice(p.lane, p.lane+1)
	return newValue(p.value.Type, lane, s.tensorName).lane(0, whyDigits)
}
