// Package propose makes up a launch for a kernel that nobody has called yet: arguments and a grid with
// which it is likely to run right. It reads the kernel's pointer arithmetic: where a kernel loads at
// x_ptr + rm[:, None] * K + rk[None, :], x has K columns, and as many rows as the masks let rm reach.
//
// # How it works
//
//   - Evaluate (walk.go, linear.go). The kernel is interpreted over linear expressions: sums of
//     factor * parameters * index, where an index is a program_id, an arange or a loop's induction
//     variable. pid * B + arange(0, B) is recognized as one index that covers a size in blocks of B.
//     Each load, store and atomic is noted with the offsets of its address, each comparison of an
//     index with a parameter as the index's bound. What is not linear is an opaque value.
//   - Infer (propose.go). An index's extent is its bound, else its loop's, else a guess by names
//     (BLOCK_M and M). A tensor's shape follows from the strides of the access with the most
//     indices: row-major from the products of sizes, or from parameters that are called strides.
//     The grid covers, for each axis, what the programs of that axis step along.
//   - Choose (sizes.go). Sizes are small, differ from each other, and are no multiples of the block
//     where masks say so, so that a mistake shows.
//
// Nothing here is sound: a wrong proposal costs the user an edit. It must end soon on any input, so
// that expressions are bounded.
package propose

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/usage"
)

// Launch is a proposed launch. Texts are Python and may use the arguments' names.
type Launch struct {
	Args []Argument // in the order of the parameters
	Grid string     // such as "(triton.cdiv(M, BM), 4)"
}

// Argument is a proposed argument.
type Argument struct {
	Name  string
	Kind  string // "tensor", "int", "float", "bool", "constexpr"
	DType string // of tensors, as torch names it
	Shape string // of tensors: "M, K"
	Fill  string // of tensors: "rand", "zeros" or "arange"
	Value string // of the others
}

// For proposes a launch of a kernel. Uses says what the kernel's parameters are used as, through locals and
// the helpers that it calls.
func For(fn *syntax.FunctionDef, uses *usage.Uses) Launch {
	p := &proposal{walker: walkKernel(fn), fn: fn, uses: uses, strides: map[string]string{}}
	p.findSizes()
	for i := range fn.Params.List {
		if name := fn.Params.List[i].Name; p.isPointer(name) {
			p.shapeOf(name)
		}
	}
	launch := Launch{Grid: p.gridText()}
	for i := range fn.Params.List {
		launch.Args = append(launch.Args, p.proposeArgument(&fn.Params.List[i]))
	}
	return launch
}

// proposal is a launch in the making.
type proposal struct {
	*walker
	fn      *syntax.FunctionDef
	uses    *usage.Uses
	sizes   []size
	strides map[string]string // by parameter: the product of the dimensions behind its own
	shapes  map[string]string // by pointer
}

// size is a parameter that says how many elements there are along something.
type size struct {
	name   string
	block  string // its index covers it in steps of block, or at once; "" for one element at a time
	steps  bool   // programs or a loop step along it
	masked bool   // lanes past it are masked off
}

// findSizes collects the parameters that indices run up to.
func (p *proposal) findSizes() {
	p.shapes = map[string]string{}
	for _, i := range p.allIndices() {
		extent := p.extentOf(i)
		if !p.isParameter(extent) || p.isConstexpr(extent) && i.block == extent {
			continue
		}
		_, masked := p.bounds[i.key]
		p.sizes = append(p.sizes, size{extent, i.block, !i.lanes, masked})
	}
}

// allIndices are those of all accesses, each once.
func (p *proposal) allIndices() []*index {
	var list []*index
	for _, a := range p.accesses {
		for _, t := range a.offsets {
			same := func(i *index) bool { return i.key == t.index.key }
			if !slices.ContainsFunc(list, same) {
				list = append(list, t.index)
			}
		}
	}
	return list
}

// defaultRows is the extent of an index of which nothing is known.
const defaultRows = "12"

// extentOf is how many values an index takes: what a mask says, the loop, the size that is named like its
// block, its own length, or a size that nothing else runs up to.
func (p *proposal) extentOf(i *index) string {
	// From what is certain to what is a guess.
	if bound := p.bounds[i.key]; bound != "" {
		return bound
	}
	if i.loop != nil {
		if extent := i.loop.extent(i.block); extent != "" {
			return extent
		}
	}
	if i.lanes {
		return i.block
	}
	if i.of != "" {
		return p.loadedExtent(i.of)
	}
	if i.block != "" {
		if named := p.sizeNamedLike(i.block); named != "" {
			return named
		}
		return "4 * " + i.block
	}
	if free := p.freeSize(); free != "" {
		return free
	}
	return defaultRows
}

// loadedExtent bounds loaded indices by their own number, which is what arange fills them with.
func (p *proposal) loadedExtent(pointer string) string {
	for _, a := range p.accesses {
		if a.pointer == pointer && len(a.offsets) > 0 && a.offsets[0].index.of == "" {
			return p.extentOf(a.offsets[0].index)
		}
	}
	return defaultRows
}

// sizeNamedLike finds M for BLOCK_M, N0 for B0 and the only size for BLOCK.
func (p *proposal) sizeNamedLike(block string) string {
	suffix := suffixOf(block)
	var candidates []string
	for _, name := range p.sizeParams() {
		if suffixOf(name) == suffix && suffix != "" {
			return name
		}
		candidates = append(candidates, name)
	}
	if len(candidates) == 1 {
		return candidates[0]
	}
	return ""
}

// suffixOf is what a size shares with its block: M of BLOCK_M, BM and M; 0 of B0 and N0.
func suffixOf(name string) string {
	upper := strings.ToUpper(name)
	for _, prefix := range []string{"BLOCK_SIZE_", "BLOCK_", "BLOCK", "B", "N_"} {
		if rest, found := strings.CutPrefix(upper, prefix); found && rest != "" {
			upper = rest
			break
		}
	}
	if digits := strings.TrimLeft(upper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"); digits != "" {
		return digits
	}
	return upper
}

// freeSize is the first integer that is no limit, no stride and no factor of an address.
func (p *proposal) freeSize() string {
	used := map[string]bool{}
	for _, bound := range p.bounds {
		used[bound] = true
	}
	for _, a := range p.accesses {
		for _, t := range a.offsets {
			for _, name := range t.scale {
				used[name] = true
			}
			if t.index.loop != nil {
				used[t.index.loop.stop], used[t.index.loop.blocks.size] = true, true
			}
		}
	}
	for _, name := range p.sizeParams() {
		if !used[name] {
			return name
		}
	}
	return ""
}

// sizeParams are the parameters that are likely to be sizes.
func (p *proposal) sizeParams() []string {
	var names []string
	for i := range p.fn.Params.List {
		param := &p.fn.Params.List[i]
		if !p.isPointer(param.Name) && !lower.IsConstexpr(param.Annotation) && !isStride(param.Name) &&
			guessScalar(param.Name).Kind == "int" {
			names = append(names, param.Name)
		}
	}
	return names
}

func isStride(name string) bool { return strings.Contains(strings.ToLower(name), "stride") }

func (p *proposal) paramNamed(name string) *syntax.Param {
	for i := range p.fn.Params.List {
		if p.fn.Params.List[i].Name == name {
			return &p.fn.Params.List[i]
		}
	}
	return nil
}

func (p *proposal) isParameter(name string) bool { return p.paramNamed(name) != nil }

func (p *proposal) isConstexpr(name string) bool {
	param := p.paramNamed(name)
	return param != nil && lower.IsConstexpr(param.Annotation)
}

// isPointer reports whether a kernel accesses memory through a parameter, or its name says so.
func (p *proposal) isPointer(name string) bool {
	if slices.ContainsFunc(p.accesses, func(a access) bool { return a.pointer == name }) ||
		p.walker.shapes[name] != nil {
		return true
	}
	use := p.uses.Param(p.fn, name).Kind
	if use&(usage.Pointer|usage.Number) != 0 {
		return use&usage.Pointer != 0
	}
	lowered := strings.ToLower(name)
	return !p.isConstexpr(name) &&
		(strings.HasSuffix(lowered, "ptr") || strings.HasSuffix(lowered, "_p") || strings.HasSuffix(lowered, "pointer"))
}

// defaultShape is that of a pointer of which nothing is known.
const defaultShape = "1024"

// shapeOf infers the shape of a pointer's tensor and notes the strides that go with it.
func (p *proposal) shapeOf(pointer string) {
	shape := p.walker.shapes[pointer]
	if shape == nil {
		shape = p.shapeOfAccess(pointer)
	} else {
		p.noteStrides(p.walker.strides[pointer], shape)
	}
	if shape == nil {
		shape = []string{defaultShape}
	}
	p.shapes[pointer] = strings.Join(shape, ", ")
}

// shapeOfAccess reads the shape off the access with the most indices.
func (p *proposal) shapeOfAccess(pointer string) []string {
	var offsets linear
	seen := false
	for _, a := range p.accesses {
		if a.pointer == pointer {
			seen = true
			if len(a.offsets) > len(offsets) {
				offsets = a.offsets
			}
		}
	}
	if len(offsets) == 0 {
		if seen {
			return []string{"1"}
		}
		return nil
	}
	if slices.ContainsFunc(offsets, func(t term) bool { return slices.ContainsFunc(t.scale, isStride) }) {
		return p.stridedShape(offsets)
	}
	return p.rowMajorShape(offsets)
}

// stridedShape reads x_ptr + rm * stride_m + rk * stride_k: a dimension for each stride, in the order of the
// parameters, and one for what has none.
func (p *proposal) stridedShape(offsets linear) []string {
	offsets = oneByScale(offsets)
	place := func(t term) int {
		return slices.IndexFunc(p.fn.Params.List, func(param syntax.Param) bool {
			return len(t.scale) > 0 && slices.Contains(t.scale, param.Name) && isStride(param.Name)
		})
	}
	slices.SortStableFunc(offsets, func(a, b term) int {
		if (len(a.scale) == 0) != (len(b.scale) == 0) {
			return cmp.Compare(len(b.scale), len(a.scale))
		}
		return cmp.Compare(place(a), place(b))
	})
	var shape, strides []string
	for _, t := range offsets {
		shape = append(shape, p.extentOf(t.index))
		strides = append(strides, productText(t.factor, t.scale))
	}
	p.noteStrides(strides, shape)
	return shape
}

// noteStrides gives each stride parameter the product of the dimensions behind its own.
func (p *proposal) noteStrides(strides, shape []string) {
	for i, name := range strides[:min(len(strides), len(shape))] {
		if _, known := p.strides[name]; known || !p.isParameter(name) {
			continue
		}
		p.strides[name] = strings.Join(parenthesized(shape[i+1:]), " * ")
		if p.strides[name] == "" {
			p.strides[name] = "1"
		}
	}
}

func parenthesized(texts []string) []string {
	out := slices.Clone(texts)
	for i, t := range out {
		if len(out) > 1 && strings.Contains(t, " ") {
			out[i] = "(" + t + ")"
		}
	}
	return out
}

// rowMajorShape reads x_ptr + i * H * W + h * W + w: behind the outermost dimension each is as long as the
// factor by which the one before it is larger.
func (p *proposal) rowMajorShape(offsets linear) []string {
	offsets = oneByScale(offsets)
	// Outermost first: the term with more factors, or the larger one, moves by whole rows.
	slices.SortStableFunc(offsets, func(a, b term) int {
		return cmp.Or(cmp.Compare(len(b.scale), len(a.scale)), cmp.Compare(b.factor, a.factor))
	})
	shape := []string{p.extentOf(offsets[0].index)}
	for i := 1; i < len(offsets); i++ {
		outer, inner := offsets[i-1], offsets[i]
		// The quotient of neighboring strides is the length of the inner dimension.
		rest, ok := withoutFactors(outer.scale, inner.scale)
		if !ok || inner.factor == 0 || outer.factor%inner.factor != 0 {
			return []string{defaultShape}
		}
		shape = append(shape, productText(outer.factor/inner.factor, rest))
	}
	if last := offsets[len(offsets)-1]; len(last.scale) > 0 || last.factor != 1 {
		shape = append(shape, productText(last.factor, last.scale))
	}
	return shape
}

// oneByScale keeps, of the terms with one scale, the one that reaches furthest: h + a rather than h.
func oneByScale(offsets linear) linear {
	var out linear
	for _, t := range offsets {
		same := func(u term) bool { return u.factor == t.factor && slices.Equal(u.scale, t.scale) }
		if i := slices.IndexFunc(out, same); i < 0 {
			out = append(out, t)
		} else if out[i].index.lanes && !t.index.lanes {
			out[i] = t
		}
	}
	return out
}

// gridText covers, on each axis, what the programs step along.
func (p *proposal) gridText() string {
	var along [3][]string
	last := 0
	for _, i := range p.allIndices() {
		count := p.extentOf(i)
		if i.block != "" {
			count = "triton.cdiv(" + count + ", " + i.block + ")"
		}
		for _, axis := range i.axes {
			if axis < 0 || axis > 2 {
				continue
			}
			last = max(last, axis)
			if !slices.Contains(along[axis], count) {
				along[axis] = append(along[axis], count)
			}
		}
	}
	var sizes []string
	for axis := 0; axis <= last; axis++ {
		sizes = append(sizes, cmp.Or(strings.Join(along[axis], " * "), "1"))
	}
	if len(sizes) == 1 {
		return sizes[0]
	}
	return "(" + strings.Join(sizes, ", ") + ")"
}

// proposeArgument is the argument proposed for a parameter.
func (p *proposal) proposeArgument(param *syntax.Param) Argument {
	a := Argument{Name: param.Name}
	switch {
	case lower.IsConstexpr(param.Annotation):
		a.Kind, a.Value = "constexpr", p.constexprValue(param)
	case p.isPointer(param.Name):
		a.Kind, a.Shape = "tensor", p.shapes[param.Name]
		a.DType, a.Fill = p.tensorContents(param.Name)
	case p.strides[param.Name] != "":
		a.Kind, a.Value = "int", p.strides[param.Name]
	case isStride(param.Name):
		a.Kind, a.Value = "int", "1"
	default:
		guess := guessScalar(param.Name)
		a.Kind, a.Value = guess.Kind, guess.Value
		if guess.Kind == "int" {
			a.Value = strconv.Itoa(p.sizeValue(param.Name))
		}
	}
	return a
}

// tensorContents are the element type of a tensor and what it begins with: zeros where it is only written, and
// its own indices where what is loaded from it is an index.
func (p *proposal) tensorContents(pointer string) (dtype, fill string) {
	if slices.ContainsFunc(p.allIndices(), func(i *index) bool { return i.of == pointer }) {
		return "int32", "arange"
	}
	loaded := slices.ContainsFunc(p.accesses, func(a access) bool { return a.pointer == pointer && a.load })
	written := slices.ContainsFunc(p.accesses, func(a access) bool { return a.pointer == pointer && a.store })
	name := strings.ToLower(pointer)
	if written && !loaded || !loaded && slices.ContainsFunc([]string{"out", "z_ptr", "c_ptr", "o_ptr", "dst"},
		func(s string) bool { return strings.HasPrefix(name, s) || strings.HasSuffix(name, s) }) {
		return "float32", "zeros"
	}
	return "float32", "rand"
}

// scalars guess a number that is no size from its parameter's name: the first that fits counts.
var scalars = []struct {
	parts []string
	arg   Argument
}{
	{[]string{"eps"}, Argument{Kind: "float", Value: "1e-5"}},
	{[]string{"scale", "alpha", "beta", "gamma"}, Argument{Kind: "float", Value: "1.0"}},
	{[]string{"prob", "dropout"}, Argument{Kind: "float", Value: "0.5"}},
	{[]string{"lr"}, Argument{Kind: "float", Value: "0.01"}},
}

func guessScalar(name string) Argument {
	for _, s := range scalars {
		for _, part := range s.parts {
			if lowered := strings.ToLower(name); strings.HasPrefix(lowered, part) || strings.HasSuffix(lowered, part) {
				return s.arg
			}
		}
	}
	return Argument{Kind: "int"}
}
