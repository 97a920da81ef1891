// Package proof says what compiler/prove finds out about a launch of a kernel.
package proof

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// Report is what is proved of a kernel, for programs: its names are part of the command line's contract.
type Report struct {
	Kernel   string   `json:"kernel"`
	Grid     [3]int   `json:"grid"`
	Accesses []Access `json:"accesses"`
	Tensors  []Tensor `json:"tensors"`
	// NoWrap are the conditions under which no integer wraps in the launches that proofs for any grid or size speak of.
	NoWrap []string `json:"noWrap,omitempty"`
	// Overflows are the integers that wrap in this launch, or else at larger sizes.
	Overflows []Overflow `json:"overflows,omitempty"`
}

// Access is a load, store or atomic operation. Tensor is empty where it may be one of several. InBounds is "no",
// "launch", "grid" or "size"; Hypothesis are the conditions that the last rests on, in Python.
type Access struct {
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Op         string   `json:"op"`
	Tensor     string   `json:"tensor"`
	InBounds   string   `json:"inBounds"`
	Hypothesis []string `json:"hypothesis,omitempty"`

	Counterexample *Counterexample `json:"counterexample,omitempty"`

	Span source.Span `json:"-"`
}

// Tensor is one that the kernel writes. RaceFree is about every two programs, in the words of InBounds.
type Tensor struct {
	Name       string   `json:"tensor"`
	RaceFree   string   `json:"raceFree"`
	Hypothesis []string `json:"hypothesis,omitempty"`
}

// Of proves what it can about a launch of the kernel. Counterexamples are looked for in the launches that are allowed,
// in their order; where these are nil, at sizes from which tensors and grid follow as they do in this launch.
func Of(k *launch.Kernel, args []launch.Arg, grid [3]int, allowed iter.Seq[*Launch]) *Report {
	k.Func.Number()
	l := launchOf(k, args, grid)
	found := prove.Prove(k.Func, l)
	inThisLaunch(found, k, args, grid)
	open := map[place]bool{}
	for _, a := range found.Accesses {
		if a.InBounds != prove.AnySize && a.Param >= 0 {
			open[placeOf(k, a)] = true
		}
	}
	if allowed == nil {
		allowed = scaled(k, args, l)
	}
	examples := counterexamples(allowed, open)
	out := &Report{Kernel: k.Func.Name, Grid: grid, Accesses: []Access{}, Tensors: []Tensor{}, NoWrap: found.NoWrap,
		Overflows: overflowsOf(k, args, grid)}
	for _, a := range found.Accesses {
		file := k.Source().File(a.Instr.Span)
		x := Access{File: file.Name, Line: file.Position(a.Instr.Span.Start).Line, Op: opNames[a.Instr.Op],
			InBounds: a.InBounds.String(), Hypothesis: a.Hypothesis,
			Span: a.Instr.Span}
		if a.Param >= 0 {
			x.Tensor = k.Func.Params[a.Param].Name
		}
		if a.Param >= 0 && a.InBounds != prove.AnySize {
			x.Counterexample = examples[placeOf(k, a)]
		}
		out.Accesses = append(out.Accesses, x)
	}
	for _, t := range found.Tensors {
		if t.Written {
			out.Tensors = append(out.Tensors, Tensor{k.Func.Params[t.Param].Name, t.RaceFree.String(), t.Hypothesis})
		}
	}
	return out
}

func placeOf(k *launch.Kernel, a prove.Access) place {
	return place{a.Instr.Span, k.Func.Params[a.Param].Name}
}

// launchBudget bounds the work of a launch that is made for a proof: some milliseconds.
const launchBudget = 1 << 22

// inThisLaunch proves what is left by making the launch: every order of its programs does what that one does, if
// nothing depends on the order.
func inThisLaunch(r *prove.Report, k *launch.Kernel, args []launch.Arg, grid [3]int) {
	left := slices.ContainsFunc(r.Accesses, func(a prove.Access) bool { return a.InBounds == prove.NotProved }) ||
		slices.ContainsFunc(r.Tensors, func(t prove.Tensor) bool { return t.Written && t.RaceFree == prove.NotProved })
	if !left || !k.AnyOrder(context.Background(), args, device.Launch{Grid: grid, Budget: launchBudget}) {
		return
	}
	for i := range r.Accesses {
		r.Accesses[i].InBounds = max(r.Accesses[i].InBounds, prove.ThisLaunch)
	}
	for i := range r.Tensors {
		r.Tensors[i].RaceFree = max(r.Tensors[i].RaceFree, prove.ThisLaunch)
	}
}

var opNames = map[ops.Op]string{ops.Load: "load", ops.Store: "store", ops.AtomicRMW: "atomic", ops.AtomicCAS: "atomic",
	ops.AtomicLoad: "load", ops.AtomicStore: "store"}

// launchOf lists what is passed for the parameters that are left at run time.
func launchOf(k *launch.Kernel, args []launch.Arg, grid [3]int) prove.Launch {
	given := map[string]launch.Arg{}
	var constants []int64
	for i, a := range args {
		given[k.Param(i, a.Name)] = a
		if n, ok := a.Value.(int64); ok && a.Constexpr && n > 1 {
			constants = append(constants, n)
		}
	}
	memory := map[any]int{}
	l := prove.Launch{Args: bounds.Args{Grid: grid}, Constants: constants}
	for i, p := range k.Func.Params {
		a, number := given[p.Name], i
		var arg bounds.Arg
		switch v := a.Value.(type) {
		case int64:
			arg.Value = num.FromInt(p.Value.Type.DType, v)
		case bool:
			arg.Value = num.FromBool(v).Cast(p.Value.Type.DType)
		}
		if t := a.Tensor; t != nil {
			arg.First = -int64(t.Offset)
			arg.Count = int64(t.Bytes() / t.DType.Info().Bytes)
			key := any(t.Storage)
			if t.Storage == nil {
				key = unsafe.SliceData(t.Data)
			}
			if _, ok := memory[key]; !ok {
				memory[key] = i
			}
			number = memory[key]
		}
		l.Args.Args, l.Memory = append(l.Args.Args, arg), append(l.Memory, number)
	}
	l.Values = valuesOf(k, given, l.Memory)
	return l
}

// valuesOf are the least and the largest element of each tensor of integers that the launch does not change.
func valuesOf(k *launch.Kernel, given map[string]launch.Arg, memory []int) []*prove.Values {
	out := make([]*prove.Values, len(k.Func.Params))
	if k.Func.Addresses() {
		return out
	}
	changed := map[int]bool{}
	for i, written := range k.Func.Written() {
		changed[memory[i]] = changed[memory[i]] || written
	}
	for i, p := range k.Func.Params {
		if t := given[p.Name].Tensor; t != nil && !changed[memory[i]] && t.DType == p.Value.Type.DType {
			out[i] = extremes(t)
		}
	}
	return out
}

// extremes are those of a tensor's elements; nil where they are not known: of floats, of numbers that do not fit an
// int32 or int64, and of memory that nobody has written.
func extremes(t *launch.Tensor) *prove.Values {
	data, undefined := t.Data, t.Undefined
	if t.Storage != nil {
		data, _ = t.Storage.Read()
		undefined = t.Storage.Undefined
	}
	d := t.DType.Info()
	n := len(data) / d.Bytes
	if d.Float || !d.Signed && d.Bits > 31 || undefined || n == 0 {
		return nil
	}
	v := num.MakeVec(d.Class, n)
	num.Load(t.DType, v, data)
	if v.I64 != nil {
		return &prove.Values{Least: slices.Min(v.I64), Most: slices.Max(v.I64)}
	}
	return &prove.Values{Least: int64(slices.Min(v.I32)), Most: int64(slices.Max(v.I32))}
}

// Text writes the report for people.
func (r *Report) Text(lang diag.Lang) string {
	var b strings.Builder
	say := func(indent string, t diag.Text) { fmt.Fprintln(&b, indent+t.In(lang)) }
	say("", diag.Text{Key: "proof.kernel", Args: []any{r.Kernel}})
	for _, a := range r.Accesses {
		say("  ", a.Text())
		if x := a.Counterexample; x != nil {
			say("    ", x.Text())
		}
	}
	for _, t := range r.Tensors {
		say("  ", t.Text())
	}
	for _, o := range r.Overflows {
		say("  ", o.Text())
	}
	say("  ", r.Limits())
	return b.String()
}

// Limits say what any grid and any size mean.
func (r *Report) Limits() diag.Text {
	var wraps any = ""
	if len(r.NoWrap) > 0 {
		wraps = diag.Text{Key: "proof.no-wrap", Args: []any{strings.Join(r.NoWrap, ", ")}}
	}
	return diag.Text{Key: "proof.limits", Args: []any{wraps}}
}

// Text says for which launches the access is proved.
func (a *Access) Text() diag.Text {
	return diag.Text{Key: "proof.access", Args: []any{a.Line, a.Op, "`" + a.Tensor + "`", level(a.InBounds, a.Hypothesis)}}
}

// Text says for which launches the tensor is proved to be free of races.
func (t *Tensor) Text() diag.Text {
	return diag.Text{Key: "proof.races", Args: []any{"`" + t.Name + "`", level(t.RaceFree, t.Hypothesis)}}
}

// Text says which access leaves the tensor at which sizes.
func (x *Counterexample) Text() diag.Text {
	return diag.Text{Key: "proof.counterexample",
		Args: []any{x.SizesText(), tuple(x.Grid), tuple(x.Program), x.Lane, x.Index, x.Elements}}
}

// SizesText lists the sizes in the order of their names: "M = 3, N = 33".
func (x *Counterexample) SizesText() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(x.Sizes)) {
		words = append(words, fmt.Sprint(name, " = ", x.Sizes[name]))
	}
	return strings.Join(words, ", ")
}

func tuple(n [3]int) string { return fmt.Sprintf("(%d, %d, %d)", n[0], n[1], n[2]) }

// levels are the phrases of levels.
var levels = map[string]string{"no": "proof.no", "launch": "proof.launch", "grid": "proof.grid", "size": "proof.size"}

// level says for which launches something is proved, and under which conditions.
func level(name string, hypothesis []string) diag.Text {
	text := diag.Text{Key: levels[name]}
	if len(hypothesis) > 0 {
		text = diag.Text{Key: "proof.if", Args: []any{text, strings.Join(hypothesis, ", ")}}
	}
	return text
}
