package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// Access is what one operation of a program does to one tensor.
type Access struct {
	Tensor int // of Result.Tensors
	Kind   trace.Kind
	// Elements are the elements' numbers, one for each lane, row by row; not in the tensor where they are negative or
	// too large.
	Elements []int32
	Mask     []bool // lanes that take part; nil where all do
	Masked   int    // lanes that the mask leaves out
	Before   int    // lanes that take part and lie before the beginning of the tensor's memory
	Past     int    // lanes that take part and lie past its end
	Sentence diag.Text

	wrong int64 // the offset of the first lane that lies outside
}

// Outside is how many lanes take part and lie outside of the tensor's memory.
func (a *Access) Outside() int { return a.Before + a.Past }

// newAccess copies what an observer is told; nil where no lane points into a tensor. Lanes that point into other
// tensors than the first one do are left to the picture of memory.
func (s *summary) newAccess(of *trace.Access) *Access {
	arg, _ := trace.Split(of.Ptr[0])
	t := s.tensor(arg)
	if t == nil {
		return nil
	}
	a := &Access{Tensor: s.byParam[arg], Kind: of.Kind, Elements: make([]int32, len(of.Ptr))}
	if of.Mask != nil {
		a.Mask = make([]bool, len(of.Mask))
	}
	for i, p := range of.Ptr {
		_, offset := trace.Split(p)
		a.Elements[i] = int32(max(math.MinInt32, min(math.MaxInt32, t.view.element(offset))))
		if !of.Active(i) {
			a.Masked++
			continue
		}
		if a.Mask != nil {
			a.Mask[i] = true
		}
		side := t.view.outside(offset)
		if side != 0 && a.Outside() == 0 {
			a.wrong = offset
		}
		switch side {
		case -1:
			a.Before++
		case 1:
			a.Past++
		}
	}
	a.Sentence = a.sentence(t, ProgramText(s.result.Grid, of.Program))
	return a
}

// problem is what is wrong with the access; nil where nothing is.
func (a *Access) problem(t *Tensor, at source.Span) *diag.Diagnostic {
	if a.Outside() == 0 {
		return nil
	}
	return diag.New(a.Kind.OutOfBounds(), at, t.Name, a.wrong, t.view.limit)
}

// ProgramText is a program as its author writes it: an index for each axis that the grid has.
func ProgramText(grid, p [3]int) string {
	axes := 3
	for axes > 1 && grid[axes-1] == 1 {
		axes--
	}
	if axes == 1 {
		return fmt.Sprint(p[0])
	}
	return "(" + strings.ReplaceAll(strings.Trim(fmt.Sprint(p[:axes]), "[]"), " ", ", ") + ")"
}

var verbs = [...]string{trace.Load: "inspect.load", trace.Store: "inspect.store", trace.Atomic: "inspect.atomic"}

// remark is what there is to say of a number of lanes, and of one.
type remark struct{ one, many string }

var (
	masked = remark{"inspect.masked-one", "inspect.masked"}
	past   = remark{"inspect.past-one", "inspect.past"}
	before = remark{"inspect.before-one", "inspect.before"}
)

func (r remark) text(n int) diag.Text {
	if n == 1 {
		return diag.Text{Key: r.one}
	}
	return diag.Text{Key: r.many, Args: []any{n}}
}

// sentence says what the access does: program 6 reads x[192:224]; 24 lanes lie past the end.
func (a *Access) sentence(t *Tensor, program string) diag.Text {
	out := diag.Text{Key: "inspect.access", Args: []any{program, diag.Text{Key: verbs[a.Kind]}, a.where(t)}}
	for _, said := range []struct {
		remark
		n int
	}{{masked, a.Masked}, {before, a.Before}, {past, a.Past}} {
		if said.n > 0 {
			out = diag.Text{Key: "inspect.also", Args: []any{out, said.text(said.n)}}
		}
	}
	return out
}

// where names the elements that take part: as one slice if they fill it, else by their number and the smallest slice
// that holds them. Lanes outside count for a vector alone: in a matrix they have no row and column.
func (a *Access) where(t *Tensor) any {
	var at []int32
	for i, n := range a.Elements {
		active := a.Mask == nil || a.Mask[i]
		if active && (len(t.Shape) == 1 || n >= 0 && int(n) < t.view.shape.Len()) {
			at = append(at, n)
		}
	}
	if len(at) == 0 {
		return diag.Text{Key: "inspect.none", Args: []any{t.Name}}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	lo, hi := bounds(t.Shape, at)
	volume := 1
	for d := range lo {
		volume *= hi[d] - lo[d]
	}
	slice := t.Name + sliceText(lo, hi)
	if volume == len(at) {
		return slice
	}
	return diag.Text{Key: "inspect.some", Args: []any{len(at), slice}}
}

// bounds are the smallest index along each dimension, and one more than the largest.
func bounds(shape []int, elements []int32) (lo, hi []int) {
	if len(shape) == 1 { // of sorted elements, which may lie outside
		return []int{int(elements[0])}, []int{int(elements[len(elements)-1]) + 1}
	}
	lo, hi = slices.Clone(shape), make([]int, len(shape))
	for _, n := range elements {
		rest := int(n)
		for d := len(shape) - 1; d >= 0; d-- {
			i := rest % shape[d]
			rest /= shape[d]
			lo[d], hi[d] = min(lo[d], i), max(hi[d], i+1)
		}
	}
	return lo, hi
}

// sliceText writes a slice as Python does: [32:64, 5].
func sliceText(lo, hi []int) string {
	if len(lo) == 0 {
		return ""
	}
	parts := make([]string, len(lo))
	for d := range lo {
		if parts[d] = fmt.Sprint(lo[d]); hi[d]-lo[d] != 1 {
			parts[d] += fmt.Sprint(":", hi[d])
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
