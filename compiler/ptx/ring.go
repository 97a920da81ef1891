package ptx

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// turning is a ring while its loop is emitted. One buffer has a place for each stage, and each place
// has all the loads' tiles. Iteration i reads place i mod stages and has the loads of iteration
// i+stages-1 write to the place that iteration i-1 has read:
//
//	before:  stages-1 times: copy ahead, commit
//	each:    wait until stages-2 groups are left; all threads meet; copy ahead, commit; the body
//
// The one meeting says both that all threads' copies of this iteration are there and that all have read
// what is overwritten now.
//
// A product of warp groups that may go on while the next iteration begins (flyingDot) is waited for one
// iteration later; then there is a place more, and copies write to what iteration i-2 has read.
type turning struct {
	*emitter
	*ring
	buf         *asm.Buffer
	offsets     []int // of each load's tile in a place
	place       int   // bytes of a place
	read, write asm.Reg
	ahead       ahead
}

// ahead is the iteration whose loads are issued next.
type ahead struct {
	index asm.Reg
	runs  asm.Reg // pred: whether there is such an iteration; none: there is
	state []held  // of the ring's carried values
}

// openRing begins a loop's ring, before the loop and where there is a first iteration: it is nil where
// the loop has none.
func (e *emitter) openRing(loop *ir.Instr) *turning {
	r := e.planRing(loop)
	if r == nil {
		return nil
	}
	t := &turning{emitter: e, ring: r}
	for _, l := range r.loads {
		t.offsets = append(t.offsets, t.place)
		t.place += roundUp(l.mem.Bytes(), ringAlign)
	}
	t.buf = e.Shared("ring", r.places*t.place, ringAlign)
	t.buf.Ring = true
	if !slices.Contains(e.fn.Body.Instrs, loop) {
		// The loop may have run before: its last copies, of nothing, may be under way.
		e.Add(asm.Inst{Op: "cp.async.wait_all", Access: asm.WaitAsync, Effect: true})
		e.Barrier()
	}
	t.begin()
	for stage := range r.stages - 1 {
		t.issue(asm.Reg{}, stage*t.place)
	}
	t.makeVariables()
	t.read, t.write = e.Reg(asm.B32), e.Reg(asm.B32)
	e.Move(t.read, asm.I(0))
	e.Move(t.write, asm.I(int64((r.stages-1)*t.place)))
	return t
}

// ringAlign is the alignment of tiles in places: that of the widest swizzle.
const ringAlign = 1024

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// begin is at the first iteration.
func (t *turning) begin() {
	t.ahead.index = t.bound(0)
	for _, c := range t.moving {
		t.ahead.state = append(t.ahead.state, t.holdAs(t.loop.Operands[3+c], t.argument(c)))
	}
}

func (t *turning) bound(i int) asm.Reg { return t.regs(t.loop.Operands[i])[0] }

func (t *turning) argument(c int) *ir.Value { return t.loop.Regions[0].Args[1+c] }

// kind is the type of the index in comparisons.
func (t *turning) kind() string {
	info := t.loop.Operands[0].Type.DType.Info()
	return fmt.Sprintf("%s%d", map[bool]string{true: "s", false: "u"}[info.Signed], info.Bits)
}

// issue copies the tiles of the iteration ahead to a place, given by a register and a constant, and
// goes on to the next.
func (t *turning) issue(base asm.Reg, off int) {
	index := t.loop.Regions[0].Args[0]
	was := []held{t.hold(index)}
	t.set(index, []asm.Reg{t.ahead.index})
	t.elems[index.ID] = nil
	for i, c := range t.moving {
		was = append(was, t.hold(t.argument(c)))
		t.release(t.argument(c), t.ahead.state[i])
		t.convertCopies(t.argument(c))
	}
	for _, in := range t.slice {
		t.instr(in)
	}
	for i, l := range t.loads {
		t.copyAsync(l, sharedTile{t.buf, base, off + t.offsets[i], l.mem, l.in.Results[0].Type.DType})
	}
	t.Effect("cp.async.commit_group")
	yielded := t.loop.Regions[0].Terminator().Operands
	for i, c := range t.moving {
		t.ahead.state[i] = t.holdAs(yielded[c], t.argument(c))
	}
	t.step()
	t.release(index, was[0])
	for i, c := range t.moving {
		t.release(t.argument(c), was[1+i])
	}
}

// step goes on to the next iteration ahead; where the index wraps there is none.
func (t *turning) step() {
	kind, c := t.kind(), t.ahead.index.Class
	next := t.Do(sums[c], c, asm.R(t.ahead.index), asm.R(t.bound(2)))
	runs := t.Do("setp.lt."+kind, asm.Pred, asm.R(next), asm.R(t.bound(1)))
	if t.ahead.runs.OK() {
		runs = t.Do("and.pred", asm.Pred, asm.R(runs), asm.R(t.ahead.runs))
	}
	t.ahead.runs = t.Do("setp.gt.and."+kind, asm.Pred, asm.R(next), asm.R(t.ahead.index), asm.R(runs))
	t.ahead.index = next
}

// copyAsync copies one tile. What the mask leaves out, or is outside, becomes 0. A vector that is not
// inside as a whole, or not where the program said that it is, is copied an element at a time.
func (t *turning) copyAsync(l *ringLoad, to sharedTile) {
	t.Span = l.in.Span
	at := t.at[l.in]
	t.during = t.ahead.runs
	a := t.newAccess(l.in, at, l.vec, false)
	t.during = asm.Reg{}
	whole := int64(a.size * a.bytes)
	op := "cp.async.ca.shared.global"
	if whole == maxVector {
		op = "cp.async.cg.shared.global"
	}
	owner := t.owner(at)
	w := t.walk(l.mem.Access(at, a.size))
	spots := map[int]shared{} // by the first register of the vector
	for i := range w.access.At {
		spots[w.access.Regs[i*w.access.Vec]] = t.spot(to, w, i)
	}
	for i := range a.vectors {
		v := &a.vectors[i]
		size := asm.I(whole)
		if v.mask.OK() {
			size = asm.R(t.Do("selp.b32", asm.B32, size, asm.I(0), asm.R(v.mask)))
		}
		t.Add(asm.Inst{Op: op, Src: []asm.Operand{spots[v.regs[0]].operand(), v.operand(), asm.I(whole), size}, Guard: t.inside(v, owner),
			Access: asm.AsyncWrite, Buffer: t.buf, Effect: true})
	}
	d := l.in.Results[0].Type.DType
	one := a.instruction("ld", d, 1)
	_, bits := cells(d, 1)
	a.finish(func(v *vector, i int, at asm.Operand, guard asm.Reg) {
		word := t.Reg(unitClass(bits))
		t.Move(word, asm.I(0))
		t.Add(asm.Inst{Op: one, Dst: []asm.Operand{asm.R(word)}, Src: []asm.Operand{at}, Guard: guard})
		dst := spots[v.regs[0]]
		dst.off += int64(i * a.bytes)
		t.Add(asm.Inst{Op: "st.shared.b" + strconv.Itoa(bits), Src: []asm.Operand{dst.operand(), asm.R(word)}, Guard: owner,
			Access: asm.AsyncWrite, Buffer: t.buf, Effect: true})
	}, nil)
}

// inside is a predicate that holds for the threads that copy vector v as a whole, none standing for true.
func (t *turning) inside(v *vector, owner asm.Reg) asm.Reg {
	if !v.out.OK() {
		return owner
	}
	return t.both(map[asm.Reg]asm.Reg{}, owner, t.Do("not.pred", asm.Pred, asm.R(v.out)))
}

// turn is the beginning of an iteration: it makes sure of its tiles and sends for later ones.
func (t *turning) turn() {
	if t == nil {
		return
	}
	t.Span = t.loop.Span
	t.Add(asm.Inst{Op: "cp.async.wait_group", Src: []asm.Operand{asm.I(int64(t.stages - 2))}, Access: asm.WaitAsync, Effect: true})
	t.publish()
	t.Barrier()
	vars := t.ahead
	vars.state = slices.Clone(vars.state)
	t.issue(t.write, 0)
	t.assign(vars, t.ahead)
	t.ahead = vars
	for i, l := range t.loads {
		v := l.in.Results[0]
		t.fetched[v] = sharedTile{t.buf, t.read, t.offsets[i], l.mem, v.Type.DType}
	}
}

// end is the end of an iteration: the next one reads the next place.
func (t *turning) end() {
	if t == nil {
		return
	}
	for _, at := range []asm.Reg{t.write, t.read} {
		next := t.Do("add.s32", asm.B32, asm.R(at), asm.I(int64(t.place)))
		last := t.Do("setp.eq.s32", asm.Pred, asm.R(next), asm.I(int64(t.places*t.place)))
		t.Move(at, asm.R(t.Do("selp.b32", asm.B32, asm.I(0), asm.R(next), asm.R(last))))
	}
	for _, l := range t.loads {
		delete(t.fetched, l.in.Results[0])
	}
}

// close is the end of the loop: it makes sure of what products have left in flight.
func (t *turning) close() {
	if t != nil && t.flying != nil {
		t.waitGroups(t.buf, nil, 0)
	}
}
