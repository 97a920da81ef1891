// Package judge says whether a submission, a file with Triton kernels and a function that launches them, computes what
// a reference computes, and whether the submission's kernels do so.
//
// The reference is a Python file with a function inputs, whose parameters are sizes (dtype is one of them) and which
// returns the arguments of a call, and a function of the submission's name, in torch. An AssertionError of inputs, or
// of the function, says that it promises nothing for such sizes. It may have sizes: a list of dicts, or a dict of
// lists. References of KernelBench and of GPU MODE have other names for these: see protocols.
//
// Reference and submission run in sessions of their own, so that the submission can neither see nor change the
// reference, the inputs before it gets them, or the judge. Arguments are copied to it and results are compared in Go,
// on the bytes of their memory. Which memory a kernel has written, and what torch has computed, is noted as it happens.
package judge

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// Options say what is judged.
type Options struct {
	Submission, Reference *source.File
	// Function is what is called in both; where it is empty, it is the one function of the reference that the
	// submission has, too.
	Function string
	// Sizes are values of the parameters of the reference's inputs, by their names; nil tries the reference's own
	// sizes, or else some that are found. See ParseSizes.
	Sizes map[string][]string
	// Seed decides the inputs. The submission must not be able to know it.
	Seed uint32
	// AllowTorch takes work that torch does for a hint, and not for an error.
	AllowTorch bool
	// Exact also compares without a tolerance what small launches compute: in a ring where sums and products have no
	// order and no rounding (package exact). What differs there is an error, however small it is.
	Exact bool
	// Tolerance is the least by which an element may differ, absolutely and relatively, from the reference: as atol and
	// rtol of torch.allclose.
	Tolerance float64
	// Tests are arguments of the reference's inputs, by their names, where Sizes is nil and the reference has none of
	// its own: integers, floats, booleans and texts. Those that are too large are made smaller.
	Tests []map[string]any
	// Modules are what both files may import, by the names of their files. The submission can read them.
	Modules map[string]string
	// Simulated is a GPU on which a call of a right submission is made once more. Whoever has opened it counts what its
	// launches do, and adds that to the report's Bounds.
	Simulated device.Device
	Timed     device.Device // times calls of a right submission
	Lang      diag.Lang
	Codecs    host.Codecs // of both sessions; nil has none
}

// What a report holds at most.
const (
	maxFindings = 50
	maxTorch    = 20
	maxReports  = 200 // tests
	maxFailed   = 4   // tests: the rest are not made
)

// maxWork is what all calls of a submission together may spend; the test that goes beyond is the last.
const maxWork = 16 * callWork

// judging is a submission that is judged.
type judging struct {
	ctx                   context.Context
	o                     Options
	report                *Report
	reference, submission *program
	watch                 *watch
	seedReference         host.Value     // seeds Python's own random numbers
	double                host.Value     // makes the parameters of a module float64
	inputsOf              *host.Function // of the reference
	check                 host.Value     // of the reference, which says whether a result is right; nil for none
	protocol              protocol
	want, wantExact, got  host.Value  // the functions: of the reference, of the reference in float64, of the submission
	at                    source.Span // the submission's function
	seeded                bool        // inputs has a parameter seed
	smaller               bool        // the reference's own sizes are too large to be tried
	unpromisedSizes       bool        // of the point: nobody has said that the submission is for them
	constructorArgs       host.Value  // of classes that are called
	seed                  uint32      // of the parameters of their objects
	random, callSeeds     *rand.Rand
	representative        representative
	heaviest              heaviest
	inputs, outputs       int64 // elements of all calls so far
	referenceFails        bool  // what is found is about the reference
	failed                int   // tests
	byTorch               bool  // an output was written by no kernel, which is allowed
	spent                 int64 // work of the submission's calls
	exhausted             bool  // a call had to be ended, which takes long
	unknown               bool  // it was said what is not known of what results mean
}

// Judge judges a submission. The report is never nil; it says Unjudged where ctx ends first.
func Judge(ctx context.Context, o Options) *Report {
	j := &judging{ctx: ctx, o: o, random: rand.New(rand.NewPCG(uint64(o.Seed), 1)),
		callSeeds: rand.New(rand.NewPCG(uint64(o.Seed), 2)),
		report:    &Report{Version: ReportVersion, Seed: o.Seed, Tests: []Test{}, Torch: []TorchWork{}}}
	reason := j.run()
	j.finish(reason)
	return j.report
}

// run makes the tests. Where nothing can be said of the submission, it gives the reason, a phrase.
func (j *judging) run() *diag.Text {
	if reason := j.loadReference(); reason != nil {
		return reason
	}
	j.submission = open(j.ctx, j.o)
	j.report.Files = j.submission.Sources()
	if d := j.submission.load(&j.o.Submission); d != nil {
		if d = j.placed(d); hasCode(d, lacks) {
			return j.lacking(d)
		}
		j.fault(d)
		return nil
	}
	if reason := j.findFunctions(); reason != nil {
		return reason
	}
	j.watch = watched(j.submission)
	points, given, reason := j.points()
	if reason != nil {
		return reason
	}
	for i, p := range points {
		j.unpromisedSizes = j.smaller || i > 0 && j.protocol.constructor != ""
		if j.ctx.Err() != nil {
			return &diag.Text{Key: "judge-report.stopped"}
		}
		if j.exhausted || j.spent > maxWork || j.failed >= maxFailed || len(j.report.Tests) >= maxReports {
			j.report.MoreTests = len(points) - i
			break
		}
		if reason := j.point(p, given); reason != nil {
			return reason
		}
	}
	if !slices.ContainsFunc(j.report.Tests, func(t Test) bool { return t.Outcome != Skipped }) {
		return &diag.Text{Key: "judge-report.all-skipped"}
	}
	return nil
}

// helpers run in the reference's session. seed is for the random numbers of Python and numpy; torch's are seeded from
// outside.
const helpers = `def seed(n):
    import random, sys
    random.seed(n)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(n)


def double(module):
    return module.double()
`

// failing is the reason where the reference fails; its own error is a finding.
func (j *judging) failing(d *diag.Diagnostic, key string, args ...any) *diag.Text {
	if j.ctx.Err() != nil {
		return &diag.Text{Key: "judge-report.stopped"}
	}
	j.report.Files = j.reference.Sources()
	j.report.Diagnostics, j.referenceFails = diag.List{d}, true
	if d.Primary.Span == (source.Span{}) {
		d.Primary.Span = source.Span{Start: j.o.Reference.Base(), End: j.o.Reference.Base()}
	}
	return &diag.Text{Key: key, Args: args}
}

// lacking is the reason where newt lacks what the submission needs.
func (j *judging) lacking(d *diag.Diagnostic) *diag.Text {
	if j.ctx.Err() != nil {
		return &diag.Text{Key: "judge-report.stopped"}
	}
	d.Severity = diag.Warning
	j.report.Diagnostics.AddNew(d)
	return &diag.Text{Key: "judge-report.newt-lacks", Args: []any{d.In(j.o.Lang).Headline}}
}

func (j *judging) loadReference() *diag.Text {
	j.reference = open(j.ctx, j.o)
	file := source.NewFile("<helpers>", helpers)
	if d := j.reference.load(&file); d != nil {
		return j.failing(d, "judge-report.reference-fails")
	}
	j.seedReference, _ = j.reference.Global("seed")
	j.double, _ = j.reference.Global("double")
	j.reference.Tensors().DefaultDevice = tensor.CUDA
	if d := j.reference.load(&j.o.Reference); d != nil {
		return j.failing(d, "judge-report.reference-fails")
	}
	for _, j.protocol = range protocols {
		var ok bool
		if j.inputsOf, ok = j.reference.Func(j.protocol.inputs); ok {
			if j.check, ok = j.reference.Global(j.protocol.check); !ok && j.protocol.check != "" {
				return &diag.Text{Key: "judge-report.lacks-function", Args: []any{j.o.Reference.Name, j.protocol.check}}
			}
			return nil
		}
	}
	return &diag.Text{Key: "judge-report.no-inputs"}
}

// protocol is a form that references have.
type protocol struct {
	inputs string // the function that makes the arguments
	// reference and submission are what is called: functions, or classes whose objects are where constructor names the
	// function that makes the arguments of their constructors. Where they are empty, it is a function of both files.
	reference, submission, constructor string
	// check is a function of the reference that is given the arguments and the result, and says whether that is right.
	// What inputs returns is then one argument.
	check string
}

// protocols are newt's own; KernelBench's, where the sizes are integers of the module; and GPU MODE's.
var protocols = []protocol{
	{inputs: "inputs"},
	{inputs: "get_inputs", reference: "Model", submission: "ModelNew", constructor: "get_init_inputs"},
	{inputs: "generate_input", reference: "ref_kernel", submission: "custom_kernel", check: "check_implementation"},
}

// ownLayout reports whether a form promises nothing of tensors that are laid out otherwise than those of inputs.
func (p protocol) ownLayout() bool { return p.reference != "" }

// findFunctions finds what is called.
func (j *judging) findFunctions() *diag.Text {
	if j.protocol.reference != "" {
		return j.bind(j.protocol.reference, j.protocol.submission)
	}
	var names []string
	module, _ := syntax.Parse(j.o.Reference)
	for _, s := range module.Body {
		if f, ok := s.(*syntax.FunctionDef); ok && f.Name != "inputs" {
			if _, both := j.submission.Global(f.Name); both {
				names = append(names, f.Name)
			}
		}
	}
	name := j.o.Function
	switch {
	case name == "" && len(names) == 1:
		name = names[0]
	case name == "" && len(names) == 0:
		return &diag.Text{Key: "judge-report.no-function"}
	case name == "":
		return &diag.Text{Key: "judge-report.many-functions", Args: []any{strings.Join(names, ", ")}}
	}
	return j.bind(name, name)
}

// bind makes what the files have by these names what is called.
func (j *judging) bind(reference, submission string) *diag.Text {
	var ok bool
	if j.want, ok = j.reference.Global(reference); !ok {
		return &diag.Text{Key: "judge-report.lacks-function", Args: []any{j.o.Reference.Name, reference}}
	}
	if j.got, ok = j.submission.Global(submission); !ok {
		return &diag.Text{Key: "judge-report.lacks-function", Args: []any{j.o.Submission.Name, submission}}
	}
	j.wantExact = j.want
	j.report.Function = submission
	j.at = j.placeOf(submission)
	return nil
}

// placeOf is where the submission defines a name, or its beginning.
func (j *judging) placeOf(name string) source.Span {
	base := j.o.Submission.Base()
	at := source.Span{Start: base, End: base}
	module, _ := syntax.Parse(j.o.Submission)
	for _, s := range module.Body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			if s.Name == name {
				at = s.NameSpan
			}
		case *syntax.ClassDef:
			if s.Name == name {
				at = s.NameSpan
			}
		}
	}
	return at
}

// points are the sizes to try; given says that somebody has asked for them.
func (j *judging) points() (list []point, given bool, reason *diag.Text) {
	signature, d := j.reference.Signature(j.inputsOf)
	if d != nil {
		return nil, false, j.failing(d, "judge-report.reference-fails")
	}
	var names, sizes []string
	needsDType := false
	var own []point // of the reference
	if j.protocol.constructor != "" {
		own = []point{j.variables()}
		for _, k := range own[0] {
			names = append(names, k.Name)
		}
	}
	for _, p := range signature.Params {
		names = append(names, p.Name)
		c, isConstant := p.Default.(*syntax.Constant)
		switch {
		case p.Name == "seed":
			j.seeded = true
		case p.Name == "dtype":
			needsDType = p.Default == nil
		case p.Default == nil || isConstant && c.Kind == syntax.IntConst: // others, such as eps=1e-5, are no sizes
			sizes = append(sizes, p.Name)
		}
	}
	if len(j.o.Sizes) > 0 {
		values := map[string][]host.Value{}
		for _, name := range slices.Sorted(maps.Keys(j.o.Sizes)) {
			if !slices.Contains(names, name) {
				args := []any{name, strings.Join(names, ", ")}
				return nil, true, &diag.Text{Key: "judge-report.unknown-size", Args: args}
			}
			for _, text := range j.o.Sizes[name] {
				v, err := valueOf(text)
				if err != nil {
					return nil, true, &diag.Text{Key: "judge-report.bad-size", Args: []any{err.Error()}}
				}
				values[name] = append(values[name], v)
			}
		}
		return j.capped(grid(names, values)), true, nil
	}
	if list, ok := j.reference.Global("sizes"); ok {
		points, ok := listed(list, names)
		if !ok || len(points) == 0 {
			return nil, true, &diag.Text{Key: "judge-report.sizes-form"}
		}
		return j.capped(points), true, nil
	}
	for _, t := range j.o.Tests {
		own = append(own, pointOf(t))
	}
	if len(own) > 0 {
		list, reason = j.fitting(own)
		if j.protocol.constructor != "" && reason == nil {
			list = neighbors(list[0])
		}
		return j.capped(list), false, reason
	}
	list = found(sizes, j.o.Submission, j.o.Seed)
	for i := range list {
		if needsDType {
			list[i] = append(list[i], host.Keyword{Name: "dtype", Value: host.DType(num.Float32)})
		}
	}
	return j.capped(list), false, nil
}

func (j *judging) capped(points []point) []point {
	if len(points) > maxTests {
		j.report.MoreTests = len(points) - maxTests
		return points[:maxTests]
	}
	return points
}

// laidOutTests is how many points are tried with tensors that are laid out otherwise and with special values.
const laidOutTests = 3

// suits reports whether arguments show a difference where they are laid out otherwise: no tensor has one element, and
// together they have some.
func suits(args host.Value) bool {
	total := 0
	for _, t := range tensorsOf(args) {
		if t.Numel() < 2 && t.Dim() > 0 {
			return false
		}
		total += t.Numel()
	}
	return total >= 64
}

// point makes the tests of one point.
func (j *judging) point(p point, given bool) *diag.Text {
	if ok, reason := j.constructAt(p, given); !ok {
		return reason
	}
	args, d := j.makeInputs(p)
	if d != nil {
		return j.unpromised(p, d, given)
	}
	test, passed, reason := j.try(p, Values, args, nil, given)
	if passed == nil || reason != nil || test.Outcome != Passed {
		return reason
	}
	if next, d := j.makeInputs(p); d == nil {
		if same, err := overwrite(j.submission.Tensors(), passed, next); err == nil && same {
			if _, _, reason := j.try(p, Again, next, passed, given); reason != nil {
				return reason
			}
		}
	}
	for _, kind := range []Kind{Offset, Strided, Special} {
		if j.made(kind) >= laidOutTests || j.failed >= maxFailed {
			continue
		}
		c := j.reference.Tensors()
		if !given && !suits(args) {
			break
		}
		var changed host.Value
		var ok bool
		var err error
		if kind == Special {
			changed, ok, err = special(c, args, j.random.Uint32())
		} else {
			changed, ok, err = laidOut(c, args, kind)
		}
		if err != nil || !ok {
			continue
		}
		if _, _, reason := j.try(p, kind, changed, nil, false); reason != nil {
			return reason
		}
	}
	return nil
}

// made counts the tests of a kind so far.
func (j *judging) made(kind Kind) (n int) {
	for _, t := range j.report.Tests {
		if t.Kind == kind && t.Outcome != Skipped {
			n++
		}
	}
	return n
}

// makeInputs has the reference make the arguments of a call.
func (j *judging) makeInputs(p point) (host.Value, *diag.Diagnostic) {
	seed := j.random.Uint32()
	j.reference.begin(callWork)
	j.reference.seed(seed)
	if _, d := j.reference.Call(j.seedReference, python.NewInt(int64(seed))); d != nil {
		return nil, d
	}
	if j.protocol.constructor != "" {
		p = nil // its sizes are variables
	}
	if j.seeded && !slices.ContainsFunc(p, func(k host.Keyword) bool { return k.Name == "seed" }) {
		p = append(slices.Clone(p), host.Keyword{Name: "seed", Value: python.NewInt(int64(seed >> 1))})
	}
	v, d := j.reference.CallWith(j.inputsOf, p)
	switch {
	case d == nil && v == nil:
		d = diag.New("judge-exits", j.o.Reference.Span())
	case d == nil && j.check != nil:
		v = host.Tuple{v}
	}
	return v, d
}

// unpromised notes that the reference fails at a point. It is the reason to judge nothing where it does so by any other
// exception than an AssertionError at sizes that somebody has asked for.
func (j *judging) unpromised(p point, d *diag.Diagnostic, given bool) *diag.Text {
	if given && exception(d) != "AssertionError" {
		return j.failing(d, "judge-report.reference-fails-at", sizesArg(p.sizes()))
	}
	j.add(Test{Sizes: p.sizes(), Kind: Values, Outcome: Skipped, Message: d.In(j.o.Lang).Headline})
	return nil
}

func (j *judging) add(t Test) {
	if t.Kind != Timed || t.Outcome != Passed {
		j.report.Tests = append(j.report.Tests, t)
	}
	if t.Outcome == Failed {
		j.failed++
	}
}

// fault adds a finding that makes the submission wrong.
func (j *judging) fault(d *diag.Diagnostic) {
	d.Severity = diag.Error
	j.report.Diagnostics.AddNew(d)
}

// placed has a diagnostic without a place point at the submission's function.
func (j *judging) placed(d *diag.Diagnostic) *diag.Diagnostic {
	if d.Primary.Span == (source.Span{}) {
		if d.Primary.Span = j.at; j.at == (source.Span{}) {
			base := j.o.Submission.Base()
			d.Primary.Span = source.Span{Start: base, End: base}
		}
	}
	return d
}

// finish makes the verdict. reason is why there is none.
func (j *judging) finish(reason *diag.Text) {
	r := j.report
	if j.watch != nil && reason == nil {
		j.reportTorch()
		r.Proofs = j.watch.proofs
		reason = j.time()
	}
	slices.SortStableFunc(r.Diagnostics, func(a, b *diag.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	switch {
	case reason != nil && (j.referenceFails || !r.Diagnostics.HasErrors()):
		r.Verdict, r.Message = Unjudged, reason.In(j.o.Lang)
	case r.Diagnostics.HasErrors():
		r.Verdict, r.Message = Wrong, j.phrase("judge-report.wrong", r.Diagnostics[0].In(j.o.Lang).Headline)
	default:
		passed := 0
		for _, t := range r.Tests {
			if t.Outcome == Passed {
				passed++
			}
		}
		switch {
		case passed == 0:
			r.Verdict, r.Message = Unjudged, j.phrase("judge-report.refuses")
		case j.byTorch:
			r.Verdict, r.Message = Right, j.phrase("judge-report.right-by-torch", passed)
		default:
			r.Verdict, r.Message = Right, j.phrase("judge-report.right", passed)
		}
	}
	if r.Verdict == Right && j.o.Exact {
		r.Message += " " + j.exactly()
	}
	if r.Verdict == Right {
		j.simulate()
	}
	if more := len(r.Diagnostics) - maxFindings; more > 0 {
		r.Diagnostics, r.MoreFindings = r.Diagnostics[:maxFindings], more
	}
	if r.Files == nil {
		r.Files = &source.Set{}
	}
	r.Findings = diag.ToJSON(r.Files, r.Diagnostics, j.o.Lang)
	bounded(reflect.ValueOf(r).Elem())
}

func (j *judging) phrase(key string, args ...any) string {
	return diag.Text{Key: key, Args: args}.In(j.o.Lang)
}

// reportTorch lists what torch has computed, and finds fault with it where it is too much.
func (j *judging) reportTorch() {
	list, tooMuch := j.torchWork()
	for i, key := range list {
		if i == maxTorch {
			break
		}
		w := j.watch.work[key]
		place := j.placed(diag.New("judge-torch-computes", key.at, key.op, w.calls, w.elements))
		if file := j.report.Files.File(place.Primary.Span); file != nil {
			j.report.Torch = append(j.report.Torch, TorchWork{Op: key.op, File: file.Name,
				Line: file.Position(place.Primary.Span.Start).Line, Calls: w.calls, Elements: w.elements})
		}
		if place.Severity = diag.Hint; tooMuch && !j.o.AllowTorch {
			place.Severity = diag.Error
		}
		j.report.Diagnostics.AddNew(place)
	}
}
