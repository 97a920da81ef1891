// Package repair finds the mistake in a wrong answer to a puzzle by mending it. Each rule of a table proposes small
// edits of the kernel, each edit is compiled and run, and if all tests pass with one, the sentence of its rule is true:
// that place was wrong. If no edit does, nothing is said.
package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// maxChanges bounds how many changes of an answer are tried, budget the work of one launch.
const (
	maxChanges = 1500
	budget     = 1 << 26
)

// change is what may mend an answer: a sentence with the mistake, and the edits.
type change struct {
	code  string
	at    source.Span
	args  []any
	edits []diag.Edit
	// of tells changes of one kind apart: those that agree in it may be made together.
	of string
	// parts are the changes of which it is made, where they are several.
	parts []change
}

// Find looks for the mistake in an answer that does not compile or fails a test. It is nil if none is found, and if ctx
// ends before. What it returns is in the text of the answer, and has a Fix after which every test passes; it may be a
// diagnostic of the answer. It runs on the interpreter, and calls o.Progress before each change that it tries.
func Find(ctx context.Context, j *judge.Judge, file *source.File, o judge.Options) *diag.Diagnostic {
	o.Budget = budget
	trial := judge.NewTrial(j, file, o)
	p := trial.Puzzle
	s := &search{ctx: ctx, file: file, options: o, trial: trial, tests: order(p)}
	failing, problem, list := trial.Problem(ctx, s.tests)
	if problem == nil || ctx.Err() != nil {
		return nil
	}
	// Most changes fail where the answer does.
	s.tests = append([]int{failing}, slices.DeleteFunc(s.tests, func(n int) bool { return n == failing })...)
	if found := s.fixed(list); found != nil {
		return found
	}
	k := read(file, p.Kernel, len(p.Inputs)+1)
	if k == nil {
		return nil
	}
	k.constants = literals(source.NewFile("spec.py", p.SpecSource))
	tried := 0
	for _, r := range rulesFor(symptomOf(problem)) {
		for _, c := range r.changes(k) {
			if tried++; ctx.Err() != nil || tried > maxChanges {
				return nil
			}
			if s.passes(c.edits) && s.certain(c, k, r.code) {
				return s.shrunk(c).diagnostic()
			}
		}
	}
	return nil
}

func (c change) sentence() string { return c.diagnostic().In(diag.English).Headline }

func (c change) diagnostic() *diag.Diagnostic {
	d := diag.New(c.code, c.at, c.args...)
	d.Severity = diag.Hint
	d.Fixes = []diag.Fix{{Title: diag.Text{Key: "judge.show-change"}, Edits: c.edits}}
	return d
}

// certain reports whether what a change says is so: no change of the same place that says something else passes, unless
// both are of sizes that are equal in every test. Rules with one code propose such changes.
func (s *search) certain(c change, k *kernel, code string) bool {
	for _, r := range rules() {
		if r.code != code {
			continue
		}
		for _, other := range r.changes(k) {
			same := other.code == c.code && other.at == c.at
			if same && other.sentence() != c.sentence() && !s.equal(c, other) && s.passes(other.edits) {
				return false
			}
		}
	}
	return true
}

// equal reports whether two changes write names that have the same value in every test.
func (s *search) equal(a, b change) bool {
	if len(a.edits) != len(b.edits) {
		return false
	}
	for i, e := range a.edits {
		if e.Span != b.edits[i].Span || !s.same(e.New, b.edits[i].New) {
			return false
		}
	}
	return true
}

func (s *search) same(a, b string) bool {
	p := s.trial.Puzzle
	return a == b || !slices.ContainsFunc(append([]puzzles.Case{p.Classic}, p.Strict...), func(c puzzles.Case) bool {
		return c.Value(a) != c.Value(b) || c.Value(a) == 0
	})
}

// shrunk leaves out edits that are not needed, of a change that several places have alike.
func (s *search) shrunk(c change) change {
	for i := 0; i < len(c.parts) && len(c.parts) > 1; {
		rest := slices.Concat(c.parts[:i:i], c.parts[i+1:])
		if edits := joined(rest); s.passes(edits) {
			c.parts, c.edits, c.at, c.args = rest, edits, rest[0].at, rest[0].args
		} else {
			i++
		}
	}
	return c
}

func joined(parts []change) (edits []diag.Edit) {
	for _, p := range parts {
		edits = append(edits, p.edits...)
	}
	return edits
}

// order lists the numbers of the tests, the smallest first.
func order(p *puzzles.Puzzle) []int {
	work := func(number int) int {
		n := 1
		test, _ := p.Test(number)
		for _, s := range test.Sizes {
			n *= s
		}
		return n
	}
	numbers := make([]int, 1+len(p.Strict))
	for i := range numbers {
		numbers[i] = i
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(work(a), work(b)) })
	return numbers
}

// search is a Find in progress.
type search struct {
	ctx     context.Context
	file    *source.File
	options judge.Options
	trial   *judge.Trial
	tests   []int
}

// fixed returns the diagnostic of the answer whose fix, with those of its code or of all, mends it: then that has named
// the mistake.
func (s *search) fixed(list diag.List) *diag.Diagnostic {
	for _, all := range []bool{false, true} {
		for _, d := range list {
			edits := fixes(list, func(other *diag.Diagnostic) bool { return all || other.Code == d.Code })
			if len(d.Fixes) > 0 && s.passes(edits) {
				out := *d
				out.Fixes = []diag.Fix{{Title: d.Fixes[0].Title, Edits: edits}}
				return &out
			}
		}
	}
	return nil
}

// fixes are the edits of the first fixes of some diagnostics, each once.
func fixes(list diag.List, of func(*diag.Diagnostic) bool) (edits []diag.Edit) {
	for _, d := range list {
		if len(d.Fixes) == 0 || !of(d) {
			continue
		}
		for _, e := range d.Fixes[0].Edits {
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	return edits
}

// passes reports whether the answer passes every test once the edits are made.
func (s *search) passes(edits []diag.Edit) bool {
	text, ok := edited(s.file.Text, edits)
	if !ok {
		return false
	}
	if s.options.Progress != nil {
		s.options.Progress(judge.StageRepair, 0, 0)
	}
	return s.trial.Passes(s.ctx, source.NewFile(s.file.Name, text), s.tests)
}

// edited is a text with edits made; it is not ok where two of them are of one place.
func edited(text string, edits []diag.Edit) (string, bool) {
	list := slices.Clone(edits)
	slices.SortStableFunc(list, func(a, b diag.Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var b strings.Builder
	at := int32(0)
	for _, e := range list {
		if e.Span.Start < at {
			return "", false
		}
		b.WriteString(text[at:e.Span.Start] + e.New)
		at = e.Span.End
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// changes are those that a rule proposes, each alone, and then those of one kind together.
func (r rule) changes(k *kernel) []change {
	list := slices.DeleteFunc(r.propose(k), k.undefined)
	for i := range list {
		list[i].code = cmp.Or(list[i].code, r.code)
	}
	if r.when&together != 0 {
		list = append(list, merged(list)...)
	}
	return list
}

// merged makes one change of all that agree in their kind, where there are several.
func merged(list []change) (out []change) {
	groups := map[string][]change{}
	var keys []string
	for _, c := range list {
		key := c.code + cmp.Or(c.of, fmt.Sprint(c.args))
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], c)
	}
	for _, key := range keys {
		if parts := groups[key]; len(parts) > 1 {
			c := parts[0]
			c.parts, c.edits = parts, joined(parts)
			out = append(out, c)
		}
	}
	return out
}

// literals are the numbers of a specification, each once.
func literals(spec *source.File) (list []string) {
	module, _ := syntax.Parse(spec)
	syntax.Walk(module, func(n syntax.Node) bool {
		c, ok := n.(*syntax.Constant)
		if !ok || c.Kind != syntax.IntConst && c.Kind != syntax.FloatConst {
			return true
		}
		if text := spec.Slice(c.Span()); !slices.Contains(list, text) {
			list = append(list, text)
		}
		return true
	})
	return list
}
