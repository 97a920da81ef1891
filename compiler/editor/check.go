package editor

import (
	"context"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/usage"
)

const (
	checkSteps     = 40_000 // statements that Check lowers for one file
	functionSteps  = 3_000  // for one function and guess
	maxDiagnostics = 100    // of one file
)

// Options are those of Check.
type Options struct {
	Strict    bool           // what newt runs and Triton refuses is an error
	Triton    triton.Version // the version to check for; unset: as in compiler.Options
	Unchecked bool           // a hint names the kernels that are not launched, of whose arguments nothing is known
	// Library says that the file launches nothing when it runs: what Triton may have and newt has not is a warning.
	Library bool
	// Live gives a module without the branches of its top level that do not run; nil: all of them count.
	Live func(*syntax.Module) *syntax.Module
	// Import finds the text of a module that another one imports; nil: other modules are unknown. What is wrong in a
	// function of theirs is reported there.
	Import func(from *syntax.Module, path string) *syntax.Module
}

// Check says what is wrong with a file whose kernels' arguments are not known: syntax, names, and
// what lowering finds whatever the arguments. Its work is bounded; it ends early, with what it has
// found, once ctx is done.
func Check(ctx context.Context, file *source.File, o Options) (list diag.List) {
	var none any
	defer compiler.Recover(&none, &list)
	m, list := syntax.Parse(file)
	list = append(list, compiler.RequestedVersion(file, &o.Triton)...)
	live := m
	if o.Live != nil {
		live = o.Live(m)
	}
	info, more := resolve.Resolve(m)
	modules := imports{load: o.Import, uses: make(map[*syntax.Module]*usage.Uses)}
	c := &checker{ctx: ctx, m: live, uses: modules.infer(live, info), load: o.Import, strict: o.Strict,
		triton: o.Triton, library: o.Library, steps: checkSteps, reached: make(map[source.Span]bool),
		list: append(list, more...)}
	c.callers()
	for _, fn := range lower.Kernels(live) {
		if c.launched[fn.Name] || !c.called[fn.Name] {
			c.function(fn)
		}
	}
	for _, fn := range lower.Kernels(live) {
		if !c.reached[fn.NameSpan] {
			c.function(fn)
		}
	}
	if o.Unchecked {
		c.reportUnchecked()
	}
	c.list.SetVersion(o.Triton)
	return limited(c.list)
}

// reportUnchecked names the kernels that the file does not launch: of their arguments nothing is known.
func (c *checker) reportUnchecked() {
	var names []string
	var first source.Span
	for _, fn := range lower.Kernels(c.m) {
		if !c.launched[fn.Name] && !c.called[fn.Name] {
			if names == nil {
				first = fn.NameSpan
			}
			names = append(names, fn.Name)
		}
	}
	if names != nil {
		d := diag.New("kernels-not-launched", first, strings.Join(names, ", "))
		d.Severity = diag.Hint
		c.list.Add(d)
		c.list.Sort()
	}
}

// imports are the uses of a file's modules.
type imports struct {
	load func(from *syntax.Module, path string) *syntax.Module
	uses map[*syntax.Module]*usage.Uses // nil while a module is analysed: it may import itself
}

func (i *imports) infer(m *syntax.Module, info *resolve.Info) *usage.Uses {
	if i.load == nil {
		return usage.Infer(info, nil)
	}
	return usage.Infer(info, func(path string) (*usage.Uses, *syntax.FunctionDef) {
		tree, fn := lower.ImportedFunction(m, path, i.load)
		if fn == nil {
			return nil, nil
		}
		if _, seen := i.uses[tree]; !seen {
			i.uses[tree] = nil
			inside, _ := resolve.Resolve(tree)
			i.uses[tree] = i.infer(tree, inside)
		}
		if i.uses[tree] == nil {
			return nil, nil
		}
		return i.uses[tree], fn
	})
}

// limited keeps the first diagnostics of a list that is too long to be read.
func limited(list diag.List) diag.List {
	if len(list) <= maxDiagnostics {
		return list
	}
	rest := len(list) - maxDiagnostics
	list = list[:maxDiagnostics]
	more := diag.New("more-diagnostics", list[maxDiagnostics-1].Primary.Span, rest)
	more.Severity = diag.Hint
	return append(list, more)
}

// checker checks the functions of one file.
type checker struct {
	ctx      context.Context
	m        *syntax.Module
	uses     *usage.Uses
	load     func(from *syntax.Module, path string) *syntax.Module
	strict   bool
	triton   triton.Version
	library  bool
	steps    int // left
	launched map[string]bool
	called   map[string]bool      // by kernels
	reached  map[source.Span]bool // functions that lowering has come to, by the places of their names
	list     diag.List
}

// callers finds the names that the file launches, kernel[grid](…), and those that its kernels use.
func (c *checker) callers() {
	c.launched, c.called = make(map[string]bool), make(map[string]bool)
	syntax.Walk(c.m, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.Call); ok {
			if grid, ok := call.Func.(*syntax.Subscript); ok {
				if name, ok := grid.Value.(*syntax.Name); ok {
					c.launched[name.ID] = true
				}
			}
		}
		return true
	})
	for _, fn := range lower.Kernels(c.m) {
		for _, s := range fn.Body {
			syntax.Walk(s, func(n syntax.Node) bool {
				if name, ok := n.(*syntax.Name); ok && name.ID != fn.Name {
					c.called[name.ID] = true
				}
				return true
			})
		}
	}
}

// isDevice reports whether a function is one for kernels to call rather than a kernel. Nothing says
// so but that it is called, or returns a value and is not launched.
func (c *checker) isDevice(fn *syntax.FunctionDef) bool {
	return !c.launched[fn.Name] && (c.called[fn.Name] || returnsValue(fn))
}

func returnsValue(fn *syntax.FunctionDef) bool {
	found := false
	for _, s := range fn.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if r, ok := n.(*syntax.Return); ok && r.Value != nil {
				k, isConstant := r.Value.(*syntax.Constant)
				found = found || !isConstant || k.Kind != syntax.NoneConst
			}
			_, nested := n.(*syntax.FunctionDef)
			return !found && !nested
		})
	}
	return found
}

// finding is what a guess has found, and whether only the guess led there.
type finding struct {
	*diag.Diagnostic
	reading  string
	doubtful bool
}

// function lowers a function once for each guess, and reports what does not depend on which.
func (c *checker) function(fn *syntax.FunctionDef) {
	count := make(map[string]int)
	var found []finding
	device := c.isDevice(fn)
	for i := range guesses {
		if c.ctx.Err() != nil || c.steps <= 0 {
			return
		}
		g := &guesses[i]
		res, list := lower.Lower(c.m, fn, lower.Options{
			Args: g.args(c.uses, fn, device), Strict: c.strict, Triton: c.triton,
			Guess: &lower.Guess{
				Device: device, Steps: min(functionSteps, c.steps),
				Stop: func() bool { return c.ctx.Err() != nil }, Import: c.load,
			},
		})
		c.steps -= res.Steps
		for span := range res.Reached {
			c.reached[span] = true
		}
		if i == 0 && len(list) == 0 && !res.Branched {
			return // the other guesses differ in branches and in what was found
		}
		for _, d := range list {
			k := g.reading(d)
			if count[k]++; count[k] == 1 {
				found = append(found, finding{d, k, res.Doubtful[d]})
			}
		}
	}
	var list diag.List
	for _, f := range found {
		d := f.Diagnostic
		if certain[d.Code] || !f.doubtful && (count[f.reading] == len(guesses) || form[d.Code]) {
			if d.Code == "argument-constexpr" {
				d.Primary.Text = diag.Text{Key: "value-of-launch"} // the value is a guess
			}
			if c.library && limits[d.Code] && d.Severity == diag.Error {
				d.Severity = diag.Warning
			}
			list = append(list, d)
		}
	}
	c.list = merge(c.list, list)
}

// certain are the codes of what is wrong whatever the arguments and wherever it is: names that do
// not exist, calls that do not fit. One guess that finds them is enough. form are those of what has
// no form in a kernel, which does no harm in a branch that is never taken. limits are those of what Triton
// may have and newt has not.
var (
	certain = codes(`unknown-name not-in-newt unknown-keyword missing-argument too-many-arguments argument-twice
		plain-global dtype-called other-without-mask starred-target double-star host-only grid-axis
		name-since name-removed name-deprecated parameter-since parameter-removed parameter-by-name`)
	form = codes(`module-in-kernel unsupported-statement unsupported-expression lambda nested-function break continue
		return-in-loop chained-comparison chained-assignment loop-else subscript-assigned attribute-assigned`)
	limits = codes(`not-in-newt asm-pointer asm-unknown asm-memory asm-control asm-barrier asm-lanes asm-directive`)
)

func codes(list string) map[string]bool {
	m := make(map[string]bool)
	for _, code := range strings.Fields(list) {
		m[code] = true
	}
	return m
}

// merge joins what two phases say; the later one keeps quiet about what the earlier has reported.
func merge(list, more diag.List) diag.List {
	type key struct {
		code string
		span source.Span
	}
	seen := make(map[key]bool, len(list))
	for _, d := range list {
		seen[key{d.Code, d.Primary.Span}] = true
	}
	for _, d := range more {
		if !seen[key{d.Code, d.Primary.Span}] {
			list = append(list, d)
		}
	}
	list.Sort()
	return list
}
