package ops

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// rule is what a signature cannot say about an operation: it sees operands that already match the
// form, may refuse more, and sets the results where the form leaves them open.
type rule func(u *use) *Mismatch

// rules is indexed by Op. It is filled by init because the rules reach the table through it.
var rules [N]rule

func init() {
	rules = [N]rule{
		Const: constRule, ProgramID: gridAxisRule, NumPrograms: gridAxisRule, Arange: arangeRule,
		Splat: splatRule, ExpandDims: expandDimsRule, Broadcast: broadcastRule, Reshape: reshapeRule,
		Trans: transRule, Join: joinRule, Split: splitRule,
		InlineAsm: inlineAsmRule, InlineAsmVolatile: inlineAsmRule,
		Cast: castRule, Bitcast: bitcastRule, IntToPtr: intToPtrRule, AtomicRMW: atomicRule,
		Dot: dotRule, Gather: gatherRule, Histogram: histogramRule, Hint: hintRule, Print: printRule,
		LocalAlloc: localAllocRule, MemDescIndex: memDescIndexRule, MemDescTrans: transRule, WGMMA: dotRule,
		AsyncWait: pendingRule, WGMMAWait: wgmmaWaitRule,
		Reduce: reduceRule, Scan: scanRule, If: ifRule, For: forRule, While: whileRule,
	}
}

func (u *use) result(ts ...types.Type) *Mismatch {
	for i := range ts {
		if want := CheckShape(ts[i].Shape); want != "" {
			return u.bad(BadShape, want)
		}
	}
	u.results = ts
	return nil
}

func (u *use) bad(kind Kind, want string) *Mismatch {
	return &Mismatch{Op: u.op, Kind: kind, Operand: -1, With: -1, Want: want}
}

func (u *use) badAttr(name, want string) *Mismatch { return badAttr(u.op, name, want) }

// CheckShape says what is wanted of a tile's shape where it is not legal, "" where it is:
// at most MaxRank dimensions, each a power of two, at most types.MaxNumel elements.
func CheckShape(shape []int) string {
	if len(shape) > MaxRank {
		return fmt.Sprintf("at most %d dimensions", MaxRank)
	}
	n := 1
	for _, d := range shape {
		if d <= 0 || bits.OnesCount(uint(d)) != 1 {
			return fmt.Sprintf("dimensions that are powers of two, not %d", d)
		}
		if d > types.MaxNumel/n {
			return fmt.Sprintf("at most %d elements", types.MaxNumel)
		}
		n *= d
	}
	return ""
}

// shapeAttr is the shape that attribute name spells, with what is wrong with it.
func (u *use) shapeAttr(name string) ([]int, *Mismatch) {
	list := u.attrs.Ints(name)
	if len(list) == 0 {
		return nil, nil
	}
	shape := make([]int, len(list))
	for i, d := range list {
		if d < 1 || d > types.MaxNumel {
			return nil, u.badAttr(name, fmt.Sprintf("dimensions from 1 to %d", types.MaxNumel))
		}
		shape[i] = int(d)
	}
	return shape, nil
}

func (u *use) axisAttr(rank int) (int, *Mismatch) {
	axis := u.attrs.Int("axis")
	if axis < 0 || axis >= int64(rank) {
		return 0, u.badAttr("axis", fmt.Sprintf("from 0 to %d", rank-1))
	}
	return int(axis), nil
}

func constRule(u *use) *Mismatch {
	shape, m := u.shapeAttr("shape")
	if m != nil {
		return m
	}
	return u.result(types.Tile(u.attrs.Scalar("value").DType, shape...))
}

func gridAxisRule(u *use) *Mismatch {
	_, m := u.axisAttr(3)
	return m
}

func arangeRule(u *use) *Mismatch {
	start, end := u.attrs.Int("start"), u.attrs.Int("end")
	if !isInt32(start) || !isInt32(end) || end <= start {
		return u.badAttr("end", "start < end, both in 32 bits")
	}
	if end-start > types.MaxNumel {
		return u.badAttr("end", fmt.Sprintf("at most %d elements", types.MaxNumel))
	}
	return u.result(types.Tile(num.Int32, int(end-start)))
}

func splatRule(u *use) *Mismatch {
	shape, m := u.shapeAttr("shape")
	if m != nil {
		return m
	}
	return u.result(u.operands[0].WithShape(shape))
}

func expandDimsRule(u *use) *Mismatch {
	x := u.operands[0]
	axis, m := u.axisAttr(len(x.Shape) + 1)
	if m != nil {
		return m
	}
	return u.result(x.WithShape(slices.Insert(slices.Clone(x.Shape), axis, 1)))
}

func broadcastRule(u *use) *Mismatch {
	x := u.operands[0]
	shape, m := u.shapeAttr("shape")
	if m != nil {
		return m
	}
	if len(shape) != len(x.Shape) {
		return u.badAttr("shape", "as many dimensions as the operand has")
	}
	for i, d := range x.Shape {
		if d != 1 && d != shape[i] {
			return u.badAttr("shape", fmt.Sprintf("%d in dimension %d, as in the operand", d, i))
		}
	}
	return u.result(x.WithShape(shape))
}

func reshapeRule(u *use) *Mismatch {
	x := u.operands[0]
	shape, m := u.shapeAttr("shape")
	if m != nil {
		return m
	}
	if m := u.result(x.WithShape(shape)); m != nil {
		return m
	}
	if u.results[0].Numel() != x.Numel() {
		return u.badAttr("shape", fmt.Sprintf("%d elements, as in the operand", x.Numel()))
	}
	return nil
}

func transRule(u *use) *Mismatch {
	x, perm := u.operands[0], u.attrs.Ints("perm")
	shape := make([]int, len(x.Shape))
	seen := make([]bool, len(x.Shape))
	if len(perm) != len(shape) {
		return u.badAttr("perm", "one entry per dimension")
	}
	for i, p := range perm {
		if p < 0 || p >= int64(len(shape)) || seen[p] {
			return u.badAttr("perm", "each dimension once")
		}
		seen[p] = true
		shape[i] = x.Shape[p]
	}
	return u.result(x.WithShape(shape))
}

func joinRule(u *use) *Mismatch {
	x := u.operands[0]
	return u.result(x.WithShape(append(slices.Clone(x.Shape), 2)))
}

func splitRule(u *use) *Mismatch {
	x := u.operands[0]
	last := len(x.Shape) - 1
	if last < 0 || x.Shape[last] != 2 {
		return u.wrong(WrongRank, 0, "a last dimension of size 2")
	}
	half := x.WithShape(x.Shape[:last:last])
	return u.result(half, half)
}

func castRule(u *use) *Mismatch {
	to, _ := num.Parse(u.attrs.Str("to"))
	return u.result(u.operands[0].WithDType(to))
}

func bitcastRule(u *use) *Mismatch {
	x := *u.operands[0]
	to, _ := num.Parse(u.attrs.Str("to"))
	from, want := x.DType.Info(), to.Info()
	if x.Pointer && from.Bytes != want.Bytes || !x.Pointer && from.Bits != want.Bits {
		return u.badAttr("to", "a dtype as wide as the operand's")
	}
	x.DType = to
	return u.result(x)
}

func intToPtrRule(u *use) *Mismatch {
	to, _ := num.Parse(u.attrs.Str("to"))
	return u.result(types.PointerTo(to).WithShape(u.operands[0].Shape))
}

func atomicRule(u *use) *Mismatch {
	switch u.attrs.Str("rmw") {
	case "and", "or", "xor":
		if !u.operands[1].IsInt() {
			return u.wrong(WrongElem, 1, Int.String())
		}
	}
	return nil
}

func dotRule(u *use) *Mismatch {
	want := Int
	if u.operands[0].IsFloat() {
		want = Float
	}
	for i := 1; i < 3; i++ {
		if !want.Holds(*u.operands[i]) {
			return u.differElem(i, 0, want.String())
		}
	}
	return nil
}

const (
	maxBuffers = MaxStages + 1 // the most tiles of a memory descriptor: those of stages, and one more
	maxShared  = 1 << 20       // the most bytes of shared memory, more than any GPU has
)

func localAllocRule(u *use) *Mismatch {
	bytes, n := u.attrs.Int("bytes"), max(1, u.attrs.Int("buffers"))
	d, _ := num.Parse(u.attrs.Str("dtype")) // absent, it is the first one
	shape, m := u.shapeAttr("shape")
	value := len(u.operands) > 0 && u.operands[0] != nil
	for _, a := range u.attrs {
		switch scratch := a.Name == "bytes" || a.Name == "per_warp"; {
		case a.Name == "offsets":
		case value:
			return u.badAttr(a.Name, "none: the value has them")
		case scratch != (bytes != 0):
			return u.badAttr(a.Name, "dtype and shape of tiles, or bytes of scratch memory")
		}
	}
	switch offsets := u.attrs.Ints("offsets"); {
	case m != nil:
		return m
	case n > maxBuffers:
		return u.badAttr("buffers", fmt.Sprintf("from 1 to %d", maxBuffers))
	case bytes < 0 || bytes > maxShared:
		return u.badAttr("bytes", fmt.Sprintf("from 1 to %d", maxShared))
	case offsets != nil && (int64(len(offsets)) != n || slices.Min(offsets) < 0 || slices.Max(offsets) > maxShared):
		return u.badAttr("offsets", fmt.Sprintf("%s from 0 to %d", plural(int(n), "number"), maxShared))
	case value:
		return u.result(types.MemDesc(1, u.operands[0].DType, u.operands[0].Shape...))
	case bytes > 0:
		return u.result(types.MemDesc(int(bytes), num.Int8))
	}
	return u.result(types.MemDesc(int(n), d, shape...))
}

func memDescIndexRule(u *use) *Mismatch {
	t := *u.operands[0]
	return u.result(types.MemDesc(1, t.DType, t.Shape...))
}

func pendingRule(u *use) *Mismatch {
	if n := u.attrs.Int("pending"); n < 0 || n > maxBuffers {
		return u.badAttr("pending", fmt.Sprintf("from 0 to %d", maxBuffers))
	}
	return nil
}

func wgmmaWaitRule(u *use) *Mismatch {
	u.results = values(u.operands)
	return pendingRule(u)
}

func gatherRule(u *use) *Mismatch {
	src, index := u.operands[0], u.operands[1]
	axis, m := u.axisAttr(len(src.Shape))
	if m != nil {
		return m
	}
	if len(index.Shape) != len(src.Shape) {
		return u.wrong(WrongRank, 1, rankText(len(src.Shape)))
	}
	for i := range src.Shape {
		if i != axis && src.Shape[i] != index.Shape[i] {
			m := u.differ(DifferDim, 1, 0)
			m.Dim, m.WithDim = i, i
			return m
		}
	}
	return nil
}

func histogramRule(u *use) *Mismatch {
	bins := u.attrs.Int("num_bins")
	if bins < 1 || bins > types.MaxNumel {
		return u.badAttr("num_bins", fmt.Sprintf("from 1 to %d", types.MaxNumel))
	}
	return u.result(types.Tile(num.Int32, int(bins)))
}

func hintRule(u *use) *Mismatch {
	want := max(1, len(u.operands[0].Shape))
	for _, a := range u.attrs {
		list := a.Value.([]int64)
		if len(list) != want || slices.Min(list) < 1 {
			return u.badAttr(a.Name, fmt.Sprintf("%s of at least 1", plural(want, "number")))
		}
	}
	return nil
}

func printRule(u *use) *Mismatch {
	holes, ok := countHoles(u.attrs.Str("text"))
	if !ok || holes != len(u.operands) {
		return u.badAttr("text", "one {} for each operand, {{ for a brace")
	}
	return nil
}

// countHoles counts the {} of a print's text; it is not ok where a { is neither {} nor {{.
func countHoles(text string) (holes int, ok bool) {
	for {
		i := strings.IndexByte(text, '{')
		switch {
		case i < 0:
			return holes, true
		case strings.HasPrefix(text[i:], "{}"):
			holes++
		case !strings.HasPrefix(text[i:], "{{"):
			return holes, false
		}
		text = text[i+2:]
	}
}
