package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// called is a call that has returned: its arguments as they are afterwards, and its result.
type called struct{ args, result host.Value }

// callWith calls a function with the arguments that inputs has returned: a tuple or a list has one after the other, a
// dict has them by name, and anything else is the only one.
func (p *program) callWith(f, args host.Value) (called, *diag.Diagnostic) {
	var list []host.Keyword
	switch args := args.(type) {
	case host.Tuple:
		for _, v := range args {
			list = append(list, host.Keyword{Value: v})
		}
	case *host.List:
		for _, v := range args.Items {
			list = append(list, host.Keyword{Value: v})
		}
	case *host.Dict:
		for name, v := range args.Named() {
			list = append(list, host.Keyword{Name: name, Value: v})
		}
	default:
		list = []host.Keyword{{Value: args}}
	}
	result, d := p.CallWith(f, list)
	if d == nil && result == nil { // sys.exit(0)
		d = diag.Unplaced("judge-exits")
	}
	return called{args, result}, d
}

// trial is one test as it is made.
type trial struct {
	*judging
	Test
	args   host.Value // the reference's
	own    called     // the reference in the inputs' dtypes
	work   int64      // of that call
	draws  bool       // it draws random numbers, in another order where memory is laid out otherwise
	seed   uint32     // of the random numbers that reference and submission draw in the call
	exact  *called    // the reference in float64; nil where it has none
	theirs called     // the submission
	before [][]byte
	wrong  []*diag.Diagnostic

	ownMeaning, exactMeaning, theirMeaning *exact.Program // of the calls; nil where nobody asks
}

// wrongCodes say what is wrong with a submission whose values differ.
var wrongCodes = map[Kind]string{Values: "judge-wrong-values", Timed: "judge-wrong-values", Again: "judge-stale-values", Offset: "judge-wrong-offset",
	Strided: "judge-wrong-strided", Special: "judge-special-differs"}

// try makes one test: args are the reference's, and there, if it is not nil, are the submission's, which have the same
// values. It gives the submission's arguments. The reason says why nothing can be judged.
func (j *judging) try(p point, kind Kind, args, there host.Value, given bool) (Test, host.Value, *diag.Text) {
	t := &trial{judging: j, args: args, Test: Test{Sizes: p.sizes(), Kind: kind, Outcome: Passed}}
	if d, err := t.reference(args); err != nil {
		return t.Test, nil, &diag.Text{Key: "judge-report.inputs-form", Args: []any{err.Error()}}
	} else if d != nil {
		return t.Test, nil, j.unpromised(p, d, given)
	}
	if there == nil {
		var err error
		if there, err = newCopier(j.submission.Tensors()).values(args); err != nil {
			return t.Test, nil, &diag.Text{Key: "judge-report.inputs-form", Args: []any{err.Error()}}
		}
	}
	if reason := t.submission(there); reason != nil {
		return t.Test, nil, reason
	}
	t.conclude()
	t.keep()
	if work := j.submission.spent(); kind == Values && t.Outcome == Passed && work > j.heaviest.work {
		j.heaviest = heaviest{p, work}
	}
	j.add(t.Test)
	return t.Test, there, nil
}

// reference calls the reference with copies of the arguments.
func (t *trial) reference(args host.Value) (d *diag.Diagnostic, err error) {
	r := t.judging.reference
	copied, err := newCopier(r.Tensors()).values(args)
	if err != nil {
		return nil, err
	}
	follows, stop := t.follow(r)
	t.ownMeaning = follows
	r.begin(callWork)
	t.seed = t.callSeeds.Uint32()
	r.seed(t.seed)
	before := r.drawn()
	t.own, d = r.callWith(t.want, copied)
	if stop(); d != nil {
		return d, nil
	}
	t.work = r.spent()
	// In float64 others would be drawn, and the difference is no rounding.
	if t.draws = r.drawn() != before; t.draws || t.check != nil {
		return nil, nil
	}
	if copied, err = doubled(r.Tensors(), args); err != nil {
		return nil, err
	}
	r.begin(callWork)
	t.exactMeaning, stop = t.follow(r)
	if exact, d := r.callWith(t.wantExact, copied); d == nil {
		t.exact = &exact
	}
	stop()
	return nil, nil
}

// submission calls the submission and finds what is wrong.
func (t *trial) submission(args host.Value) *diag.Text {
	s := t.judging.submission
	tensors := tensorsOf(args)
	for _, x := range tensors {
		data, _ := x.Storage().Read()
		t.before = append(t.before, bytes.Clone(data))
	}
	s.begin(min(max(callWork, patience*t.work), maxCallWork))
	s.seed(t.seed)
	t.watch.begin()
	t.watch.quiet = t.Kind == Special
	var d *diag.Diagnostic
	follows, stop := t.follow(s)
	t.theirMeaning = follows
	t.theirs, d = s.callWith(t.got, args)
	stop()
	t.Launches = s.launcher.launches
	t.judging.spent += s.spent()
	t.hear(s.launcher.Said)
	s.launcher.Said = nil
	if t.ctx.Err() != nil {
		return &diag.Text{Key: "judge-report.stopped"}
	}
	if d != nil {
		return t.raised(d)
	}
	if t.check != nil {
		return t.checked(tensors)
	}
	return t.compare(tensors)
}

// checked has the reference's own function say whether the result is right.
func (t *trial) checked(tensors []*tensor.Tensor) *diag.Text {
	for _, x := range tensors {
		t.inputs += int64(x.Numel())
	}
	results := tensorsOf(t.theirs.result)
	for _, x := range results {
		t.judging.outputs += int64(x.Numel())
		t.computed("result", x)
	}
	r := t.judging.reference
	copied, err := newCopier(r.Tensors()).values(host.Tuple{t.args, t.theirs.result})
	if err != nil {
		t.find("judge-result-refused", err.Error())
		return nil
	}
	pair := copied.(host.Tuple)
	r.begin(callWork)
	said, d := r.Call(t.check, pair[0].(host.Tuple)[0], pair[1])
	switch {
	case d != nil && (hasCode(d, lacks) || len(results) > 0):
		return t.failing(d, "judge-report.reference-fails-at", sizesArg(t.Sizes))
	case d != nil:
		t.find("judge-result-refused", d.In(t.o.Lang).Headline)
	default:
		if ok, why := agrees(said); !ok {
			t.find("judge-result-refused", why)
		}
	}
	return nil
}

// agrees reads what a check returns: whether the result is right, with the reason; or the reasons why it is not.
func agrees(said host.Value) (ok bool, why string) {
	switch v := said.(type) {
	case host.Tuple:
		if len(v) == 2 {
			ok, _ = agrees(v[0])
			return ok, host.Str(v[1])
		}
	case python.Bool:
		return bool(v), ""
	case python.Str:
		return v == "", string(v)
	case *host.List:
		return len(v.Items) == 0, host.Repr(v)
	}
	return false, host.Repr(said)
}

// faults begin the codes of what sanitizers and proofs find that no right submission has.
var faults = []string{"race-", "undefined-lane-", "read-unwritten", "out-of-bounds-", "wild-pointer", "integer-overflow",
	"autotune-accumulates"}

// hear takes what compiler, sanitizers and proofs have said of the launches of a call.
func (t *trial) hear(said diag.List) {
	for _, d := range said {
		switch {
		case t.lenient():
			d.Severity = max(d.Severity, diag.Warning)
		case d.Severity != diag.Hint && hasCode(d, faults):
			d.Severity = diag.Error
			t.Outcome, t.Message = Failed, d.In(t.o.Lang).Headline
		}
		t.report.Diagnostics.AddNew(t.placed(d))
	}
}

// raised is a test in which the submission does not return. It may say by an exception that it does not take memory
// that is laid out otherwise; a kernel that faults there does not say so.
func (t *trial) raised(d *diag.Diagnostic) *diag.Text {
	d = t.placed(d)
	if t.judging.submission.launcher.left < 0 && d.Code == "host-stopped" {
		d = diag.New("judge-budget", d.Primary.Span)
	}
	if hasCode(d, lacks) || hasCode(d, budgets) && patience*t.work > maxCallWork { // a slow kernel is not wrong
		return t.lacking(d)
	}
	t.Message = d.In(t.o.Lang).Headline
	switch {
	case t.lenient(), (t.Kind == Offset || t.Kind == Strided) && exception(d) != "", t.refuses(d):
		t.Outcome = Differs
		t.refusal(t.Sizes, d)
	default:
		t.Outcome = Failed
		t.fault(d)
		t.exhausted = hasCode(d, budgets)
	}
	return nil
}

// lenient reports whether what goes wrong is no fault: nobody has promised anything for such values, or such memory.
func (t *trial) lenient() bool {
	return t.Kind == Special || (t.Kind == Offset || t.Kind == Strided) && (t.protocol.ownLayout() || t.draws)
}

// refuses reports whether a submission says, by an assert or a raise of its own, that it is not for the sizes of the
// point, of which nobody has said that it is.
func (j *judging) refuses(d *diag.Diagnostic) bool {
	if file := j.report.Files.File(d.Primary.Span); j.unpromisedSizes && exception(d) != "" && file != nil {
		line := strings.TrimSpace(file.Slice(file.LineSpan(file.Position(d.Primary.Span.Start).Line)))
		return strings.HasPrefix(line, "assert") || strings.HasPrefix(line, "raise")
	}
	return false
}

// refusal notes that a submission raises, which is no fault.
func (j *judging) refusal(sizes map[string]any, d *diag.Diagnostic) {
	note := diag.New("judge-refuses", d.Primary.Span, sizesArg(sizes), d.In(j.o.Lang).Headline)
	note.Severity = diag.Hint
	j.report.Diagnostics.AddNew(note)
}

// budgets begin the codes of programs that were ended because they had done too much.
var budgets = []string{"judge-budget", "host-steps", "loop-budget", "launch-budget"}

// find notes something wrong with the test.
func (t *trial) find(code string, args ...any) {
	t.wrong = append(t.wrong, diag.New(code, t.at, append([]any{sizesArg(t.Sizes)}, args...)...))
}

// conclude reports what is wrong with the test.
func (t *trial) conclude() {
	for i, d := range t.wrong {
		if i == 0 {
			t.Message = d.In(t.o.Lang).Headline
		}
		if t.lenient() {
			t.Outcome, d.Severity = Differs, diag.Warning
			t.report.Diagnostics.AddNew(d)
			continue
		}
		t.Outcome = Failed
		t.fault(d)
	}
}

// compare compares what the submission has done with what the reference has.
func (t *trial) compare(tensors []*tensor.Tensor) *diag.Text {
	for _, x := range tensors {
		t.inputs += int64(x.Numel())
	}
	outputs := t.arguments(tensors)
	want, err := leavesOf(t.own.result)
	if err != nil {
		return &diag.Text{Key: "judge-report.result-form", Args: []any{err.Error()}}
	}
	got, err := leavesOf(t.theirs.result)
	if err != nil || len(got) != len(want) {
		t.find("judge-result-structure", structure(want), structure(got))
		return nil
	}
	var exact []leaf
	if t.exact != nil {
		exact, _ = leavesOf(t.exact.result)
	}
	for i, w := range want {
		name := "result" + w.path
		of, isTensor := w.value.(host.Tensor)
		if isTensor {
			outputs++
		}
		switch theirs, ok := got[i].value.(host.Tensor); {
		case got[i].path != w.path:
			t.find("judge-result-structure", structure(want), structure(got))
			return nil
		case !isTensor:
			if !sameScalar(w.value, got[i].value) {
				t.find("judge-wrong-scalar", name, host.Repr(got[i].value), host.Repr(w.value))
			}
		case !ok:
			t.find("judge-result-type", name, got[i].value.Type())
		default:
			t.output(name, theirs.Tensor, of.Tensor, tensorAt(exact, i))
			t.aliases(name, theirs.Tensor, of.Tensor, tensors)
		}
	}
	if outputs == 0 {
		return &diag.Text{Key: "judge-report.nothing"}
	}
	return nil
}

// tensorAt is the tensor of a leaf; nil where it has none.
func tensorAt(list []leaf, i int) *tensor.Tensor {
	if i < len(list) {
		if t, ok := list[i].value.(host.Tensor); ok {
			return t.Tensor
		}
	}
	return nil
}

// arguments compares the arguments after the call: what the reference changes is an output, and the rest must be as it
// was. It gives the number of outputs.
func (t *trial) arguments(tensors []*tensor.Tensor) (outputs int) {
	own := tensorsOf(t.own.args)
	var exact []*tensor.Tensor
	if t.exact != nil {
		exact = tensorsOf(t.exact.args)
	}
	changed := map[*tensor.Storage]bool{}
	for i, x := range own {
		data, _ := x.Storage().Read()
		changed[tensors[i].Storage()] = changed[tensors[i].Storage()] || !bytes.Equal(data, t.before[i])
	}
	names, _ := leavesOf(t.theirs.args)
	names = slices.DeleteFunc(names, func(l leaf) bool { _, ok := l.value.(host.Tensor); return !ok })
	for i, x := range tensors {
		name := "argument" + names[i].path
		data, _ := x.Storage().Read()
		switch {
		case changed[x.Storage()]:
			var of *tensor.Tensor
			if i < len(exact) {
				of = exact[i]
			}
			outputs++
			t.output(name, x, own[i], of)
		case !bytes.Equal(data, t.before[i]):
			t.find("judge-input-changed", name)
		}
	}
	return outputs
}

// output compares a tensor with the reference's.
func (t *trial) output(name string, got, own, exact *tensor.Tensor) {
	switch {
	case !slices.Equal(got.Shape(), own.Shape()):
		t.find("judge-result-shape", name, fmt.Sprint(got.Shape()), fmt.Sprint(own.Shape()))
		return
	case got.DType() != own.DType():
		t.find("judge-result-dtype", name, host.Repr(host.DType(got.DType())), host.Repr(host.DType(own.DType())))
		return
	case got.Device() != own.Device():
		t.find("judge-result-device", name, got.Device().String(), own.Device().String())
		return
	case overlaps(got) && !overlaps(own):
		t.find("judge-result-overlaps", name, fmt.Sprint(got.Strides()))
	case t.Kind == Values && !sameStrides(got, own):
		d := diag.Warn("judge-result-strides", t.at, sizesArg(t.Sizes), name, fmt.Sprint(got.Strides()),
			fmt.Sprint(own.Strides()))
		t.report.Diagnostics.AddNew(d)
	}
	t.computed(name, got)
	t.judging.outputs += int64(got.Numel())
	out := compared(name, got, own, exact, t.o.Tolerance)
	t.Outputs = append(t.Outputs, out)
	if out.Wrong > 0 {
		first := out.First[0]
		t.find(wrongCodes[t.Kind], name, out.Wrong, out.Total, indexText(first.Index),
			first.Got, first.Want, out.Tolerance.text())
		return
	}
	t.meaning(name, got, own, exact)
}

// computed finds an output that no kernel has written.
func (t *trial) computed(name string, got *tensor.Tensor) {
	switch {
	case got.Numel() == 0 || t.Kind == Timed || t.watch.byKernel(got): // a GPU does not say what it writes
	case t.o.AllowTorch:
		t.byTorch = true
	default:
		t.find("judge-not-computed", name)
	}
}

// aliases finds a result that lies in the memory of an argument where the reference's does not.
func (t *trial) aliases(name string, got, own *tensor.Tensor, tensors []*tensor.Tensor) {
	in := func(x *tensor.Tensor, list []*tensor.Tensor) bool {
		return slices.ContainsFunc(list, func(y *tensor.Tensor) bool { return x.Storage() == y.Storage() })
	}
	if got.Numel() > 0 && in(got, tensors) && !in(own, tensorsOf(t.own.args)) {
		t.find("judge-result-is-argument", name)
	}
}

// text says what was allowed of an element, in numbers.
func (t Tolerance) text() string {
	if t == (Tolerance{}) {
		return "0"
	}
	return fmt.Sprintf("max(%g + %g*|want|, %.2g)", t.Absolute, t.Relative, t.Rounding)
}

// overlaps reports whether two elements of a tensor lie in one place.
func overlaps(t *tensor.Tensor) bool {
	type dim struct{ size, stride int }
	var dims []dim
	for i, n := range t.Shape() {
		if n == 0 {
			return false
		}
		if n > 1 {
			dims = append(dims, dim{n, t.Strides()[i]})
		}
	}
	slices.SortFunc(dims, func(a, b dim) int { return cmp.Compare(a.stride, b.stride) })
	reach := 0 // of the dimensions with smaller strides
	for _, d := range dims {
		if d.stride <= reach {
			return true
		}
		reach += (d.size - 1) * d.stride
	}
	return false
}

// sameStrides reports whether two tensors of a shape have their elements in the same order of memory.
func sameStrides(a, b *tensor.Tensor) bool {
	for i, n := range a.Shape() {
		if n > 1 && a.Strides()[i] != b.Strides()[i] {
			return a.Numel() == 0
		}
	}
	return true
}

// sameScalar compares results that are no tensors.
func sameScalar(want, got host.Value) bool {
	w, isFloat := want.(python.Float)
	if g, ok := got.(python.Float); ok && isFloat {
		return math.Abs(float64(w-g)) <= 1e-6*math.Max(1, math.Abs(float64(w)))
	}
	return want.Type() == got.Type() && host.Repr(want) == host.Repr(got)
}

// structure lists the places of values, for messages.
func structure(list []leaf) string {
	var words []string
	for _, l := range list {
		if len(words) == shownElements {
			return strings.Join(words, ", ") + ", …"
		}
		words = append(words, "result"+l.path)
	}
	if len(words) == 0 {
		return "()"
	}
	return strings.Join(words, ", ")
}
