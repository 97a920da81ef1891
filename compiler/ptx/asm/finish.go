package asm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/source"
)

// SharedError says that a kernel's shared memory does not fit a block.
type SharedError struct{ Need, Have int }

func (e *SharedError) Error() string {
	return fmt.Sprintf("the kernel needs %d bytes of shared memory, a block has %d", e.Need, e.Have)
}

// Finish gives the program's text, and where each of its lines comes from. The error is a *SharedError or an
// *InstructionError. The program is used up.
func Finish(p *Program) (text string, lines []source.Span, err error) {
	if have := cmp.Or(p.SharedLimit, arch.Find(p.Target).BlockShared()); p.SharedBytes > have {
		return "", nil, &SharedError{p.SharedBytes, have}
	}
	linearize(p)
	if err := checkAll(p); err != nil {
		return "", nil, err
	}
	// The kernel must not run into the cold code behind it.
	if n := len(p.code); n == 0 || !p.code[n-1].is(isa.Exits) || p.code[n-1].Guard.OK() {
		p.code = append(p.code, resolve(Inst{Op: Op("ret")}))
	}
	exits := coldExitsOf(p.cold)
	numberValues(p, exits)
	eliminateDead(p)
	sink(p)
	makeFastPaths(p)
	schedule(p)
	text, lines = print(p, version(p), p.SharedBytes > 0)
	return text, lines, nil
}

// uses calls f with each register that the instruction reads.
func (in *Inst) uses(f func(r *Reg)) {
	if in.Guard.OK() {
		f(&in.Guard)
	}
	for i := range in.Src {
		in.Src[i].registers(f)
	}
	if in.Update {
		in.defs(f)
	}
}

// defs calls f with each register that the instruction writes.
func (in *Inst) defs(f func(r *Reg)) {
	for i := range in.Dst {
		in.Dst[i].registers(f)
	}
}

// registers calls f with each register that is an operand of the instruction.
func (in *Inst) registers(f func(r *Reg)) {
	if in.Guard.OK() {
		f(&in.Guard)
	}
	for i := range in.Src {
		in.Src[i].registers(f)
	}
	in.defs(f)
}

func (o *Operand) registers(f func(r *Reg)) {
	if o.Reg.OK() {
		f(&o.Reg)
	}
	for i := range o.Regs {
		if o.Regs[i].OK() {
			f(&o.Regs[i])
		}
	}
}

// linearize puts entry, body and cold code together, and makes the base of each access to shared memory an address: a
// base register is an offset, to which the address of shared memory is added once, before the access.
func linearize(p *Program) {
	code, cold := append(p.entry.all(), p.body.all()...), p.coldBody.all()
	var start Reg
	moved := func(lists [][]Inst) (n int) {
		for _, list := range lists {
			n += len(list)
			for i := range list {
				list[i].sharedOffsets(func(*Operand) {
					n++
					if !start.OK() {
						start = p.Reg(B32)
					}
				})
			}
		}
		return n
	}
	p.code, p.cold = make([]Inst, 0, moved(code)+1), make([]Inst, 0, moved(cold))
	if start.OK() {
		p.code = append(p.code, Inst{Op: Op("mov.b32"), Dst: p.one(start), Src: []Operand{S(sharedSymbol)}})
	}
	add := Op("add.s32")
	move := func(to []Inst, lists [][]Inst) []Inst {
		for _, list := range lists {
			for i := range list {
				in := &list[i]
				in.sharedOffsets(func(o *Operand) {
					sum, src := p.Reg(B32), p.operands.alloc(2)
					src[0], src[1] = R(o.Reg), R(start)
					to = append(to, Inst{Op: add, Dst: p.one(sum), Src: src, Span: in.Span})
					o.Reg, o.Sym = sum, ""
				})
				to = append(to, *in)
			}
		}
		return to
	}
	p.code, p.cold = move(p.code, code), move(p.cold, cold)
	p.entry, p.body, p.coldBody = instList{}, instList{}, instList{}
}

// sharedOffsets calls f with each operand whose base register is an offset in shared memory.
func (in *Inst) sharedOffsets(f func(o *Operand)) {
	for i := range in.Src {
		if o := &in.Src[i]; o.Kind == MemOperand && o.Sym == sharedSymbol && o.Reg.OK() {
			f(o)
		}
	}
}

// coldExits finds, for each label of cold code, the labels of the kernel proper to which that returns.
type coldExits struct {
	cold  []Inst
	at    map[string]int // by label of cold code
	exits map[string][]string
	seen  []int32 // by instruction: the last search that came here
	stamp int32
	found []int // instructions that the last search has come to
}

func coldExitsOf(cold []Inst) *coldExits {
	e := &coldExits{cold: cold, at: map[string]int{}, exits: map[string][]string{}, seen: make([]int32, len(cold))}
	for i := range cold {
		if cold[i].Mark == LabelMark {
			e.at[cold[i].Label] = i
		}
	}
	return e
}

// search is the labels outside cold code that its instruction i leads to.
func (e *coldExits) search(i int) (out []string) {
	for ; i < len(e.cold) && e.seen[i] != e.stamp; i++ {
		e.seen[i] = e.stamp
		e.found = append(e.found, i)
		in := &e.cold[i]
		if in.branches() {
			to := in.Src[0].Sym
			if next, ok := e.at[to]; ok {
				out = append(out, e.search(next)...)
			} else {
				out = append(out, to)
			}
		}
		// nothing falls through
		if in.is(isa.Branches|isa.Exits) && !in.Guard.OK() {
			break
		}
	}
	return out
}

// from is the labels outside cold code that its instruction i leads to, and the instructions on the way.
func (e *coldExits) from(i int) (back []string, instructions []int) {
	e.stamp++
	e.found = nil
	back = e.search(i)
	slices.Sort(back)
	return slices.Compact(back), e.found
}

// of is the labels of the kernel proper at which a branch to label arrives.
func (e *coldExits) of(label string) []string {
	back, ok := e.exits[label]
	if !ok {
		back = []string{label}
		if i, ok := e.at[label]; ok {
			back, _ = e.from(i)
		}
		e.exits[label] = back
	}
	return back
}

// eliminateDead keeps instructions with effects and what they depend on, through variables.
func eliminateDead(p *Program) {
	all := len(p.code)
	at := func(i int) *Inst {
		if i < all {
			return &p.code[i]
		}
		return &p.cold[i-all]
	}
	// The instructions that write a register are a chain of links, by its number; 0 ends it.
	type link struct{ inst, next int32 }
	links := make([]link, 1, all+len(p.cold)+1)
	writers := make([]int32, p.regs+1)
	live := make([]bool, all+len(p.cold))
	var work []int
	for i := range live {
		in := at(i)
		in.defs(func(r *Reg) {
			links = append(links, link{int32(i), writers[r.ID]})
			writers[r.ID] = int32(len(links) - 1)
		})
		if in.hasEffect() {
			live[i] = true
			work = append(work, i)
		}
	}
	for len(work) > 0 {
		in := at(work[len(work)-1])
		work = work[:len(work)-1]
		in.uses(func(r *Reg) {
			for l := writers[r.ID]; l != 0; l = links[l].next {
				if w := int(links[l].inst); !live[w] {
					live[w] = true
					work = append(work, w)
				}
			}
			// All writers are live now; the register need not be looked at again.
			writers[r.ID] = 0
		})
	}
	p.code, p.cold = compact(p.code, live[:all]), compact(p.cold, live[all:])
}

func (in *Inst) hasEffect() bool {
	return in.Effect || in.Op == nil
}

// is reports whether the instruction has one of the traits.
func (in *Inst) is(t isa.Traits) bool { return in.Op != nil && in.Op.Is(t) }

func (in *Inst) branches() bool { return in.is(isa.Branches) }

// compact moves the live instructions together.
func compact(list []Inst, live []bool) []Inst {
	n := 0
	for i := range list {
		if live[i] {
			list[n] = list[i]
			n++
		}
	}
	return list[:n]
}
