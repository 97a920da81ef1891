package asm

import "github.com/newtlab/newt/compiler/ptx/isa"

// makeFastPaths gives straight-line code that branches to cold code in several places, as for the bounds checks of one
// access after the other, a fast path: what the branches ask is asked before the first of them, once, and threads that
// take none of them run a copy of the code without branches. So do those that would branch back at once. The others run
// the code as it was, which becomes cold.
//
// NVIDIA's assembler moves nothing over a branch. All that is loaded between two branches is in registers at once,
// where the loads of a fast path can go along with what uses them up. Code that has the registers stays as it is.
func makeFastPaths(p *Program) {
	f := &fastPaths{Program: p, exits: coldExitsOf(p.cold), targets: map[string]bool{},
		operands: make([]int32, p.regs+1), assigned: make([]int32, p.regs+1), last: make([]int, p.regs+1)}
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			list[i].defs(func(r *Reg) { f.assigned[r.ID]++ })
			list[i].registers(func(r *Reg) { f.operands[r.ID]++ })
		}
	}
	for i := range p.code {
		if p.code[i].branches() {
			f.targets[p.code[i].Src[0].Sym] = true
		}
	}
	for i := range p.code {
		p.code[i].registers(func(r *Reg) { f.last[r.ID] = i })
	}
	code := make([]Inst, 0, len(p.code))
	var cold []Inst
	for i := 0; i < len(p.code); {
		s := f.regionAt(i)
		end := max(s.end, i+1)
		fast, slow := p.code[i:end], []Inst(nil)
		if len(s.branches) > 1 {
			// Where the whole region has the registers, each part of it has.
			if values := f.valuesIn(s); values.most() > registerBudget(p.Threads)/liveShare {
				fast, slow = f.split(s, values)
			}
		}
		code, cold = append(code, fast...), append(cold, slow...)
		i = end
	}
	p.code, p.cold = code, append(p.cold, cold...)
}

type fastPaths struct {
	*Program
	exits    *coldExits
	targets  map[string]bool // labels to which code branches that is not cold
	operands []int32         // by register: how many operands it is
	assigned []int32         // by register: how many of them define it
	last     []int           // by register: the last instruction of code that it is an operand of
}

// region is straight-line code but for branches to cold code, which returns to it.
type region struct {
	start, end int
	branches   []coldBranch
	early      map[int]bool    // instructions that may come before the region and compute a branch's guard
	writers    map[int32]int   // by register: the instruction that defines it, in cold code coldWriter
	waiting    map[string]bool // labels to which cold code returns that are still to come
	joins      map[string]bool // labels at which all of it has returned
}

// coldBranch is a branch to cold code.
type coldBranch struct {
	at    int
	cold  []int // the instructions of cold code that it leads to
	check []int // those of them that find out whether it branches back at once, the last of them the branch
}

const coldWriter = -1

// regionAt is the longest region that begins with instruction i, a branch to cold code; else it has no branches.
func (f *fastPaths) regionAt(i int) (found region) {
	if !f.code[i].branches() {
		return found
	}
	s := region{start: i, early: map[int]bool{}, writers: map[int32]int{}, waiting: map[string]bool{},
		joins: map[string]bool{}}
	for s.end = i; s.end < len(f.code) && f.extend(&s); {
		s.end++
		if last := &f.code[s.end-1]; s.joins[last.Label] || len(s.waiting) == 0 && last.is(isa.Converges) {
			found = s
		}
	}
	return found
}

// extend takes the next instruction into a region, if it may.
func (f *fastPaths) extend(s *region) bool {
	in := &f.code[s.end]
	switch {
	case in.branches():
		if !in.Guard.OK() || !f.comesEarly(s, in.Guard) || !f.addBranch(s, in.Src[0].Sym) {
			return false
		}
	case s.waiting[in.Label]:
		delete(s.waiting, in.Label)
		s.joins[in.Label] = len(s.waiting) == 0
	case !in.is(isa.Converges) && !in.divergent():
		return false
	}
	in.defs(func(r *Reg) {
		if _, ok := s.writers[r.ID]; !ok {
			s.writers[r.ID] = s.end
		}
	})
	return true
}

// divergent reports whether some threads of a warp may run an instruction while others do not, and a copy of it in
// another place.
func (in *Inst) divergent() bool {
	if in.Op == nil || in.Op.Space == isa.Shared {
		return false
	}
	return in.Op.Memory == isa.Reads || in.Op.Memory == isa.Writes || in.isPure()
}

// comesEarly reports whether a register can be computed before the region, by instructions that it makes early.
func (f *fastPaths) comesEarly(s *region, r Reg) bool {
	i, inside := s.writers[r.ID]
	switch {
	case !inside || s.early[i]:
		return true
	case i == coldWriter || f.assigned[r.ID] > 1 || f.code[i].Guard.OK() || !f.code[i].isPure():
		return false
	}
	ok := true
	f.code[i].uses(func(r *Reg) { ok = ok && f.comesEarly(s, *r) })
	s.early[i] = ok
	return ok
}

// addBranch adds a branch to cold code that returns to the labels that follow.
func (f *fastPaths) addBranch(s *region, label string) bool {
	at, ok := f.exits.at[label]
	if !ok {
		return false
	}
	back, reached := f.exits.from(at)
	for _, l := range back {
		if f.targets[l] {
			return false
		}
		s.waiting[l] = true
	}
	s.branches = append(s.branches, coldBranch{s.end, reached, f.check(s, at+1)})
	for _, i := range reached {
		f.exits.cold[i].defs(func(r *Reg) { s.writers[r.ID] = coldWriter })
	}
	return len(back) > 0
}

// check is the instructions of cold code, from i on, that find out whether a branch at the end of the region has to be
// taken, if they do so first thing and before the region may.
func (f *fastPaths) check(s *region, i int) (list []int) {
	inside := map[int32]bool{}
	for ; i < len(f.exits.cold); i++ {
		in := &f.exits.cold[i]
		ok := in.isPure() && !in.Guard.OK()
		in.uses(func(r *Reg) { ok = ok && (inside[r.ID] || f.comesEarly(s, *r)) })
		in.defs(func(r *Reg) {
			ok = ok && f.assigned[r.ID] == 1
			inside[r.ID] = true
		})
		list = append(list, i)
		switch next := s.end + 1; {
		case in.branches() && in.Guard.OK() && next < len(f.code) && f.code[next].Label == in.Src[0].Sym:
			return list
		case !ok:
			return nil
		}
	}
	return nil
}

// split is the fast path, with what leads to it, and the region as cold code.
func (f *fastPaths) split(s region, values regionValues) (fast, slow []Inst) {
	slowLabel, fastLabel, join := f.NewLabel("slow"), f.NewLabel("fast"), f.NewLabel("join")
	branch := func(to string, guard Reg, not bool) Inst {
		return resolve(Inst{Op: Op("bra"), Src: []Operand{S(to)}, Guard: guard, Not: not})
	}
	label := func(name string) Inst { return Inst{Mark: LabelMark, Label: name} }
	for i := s.start; i < s.end; i++ {
		if s.early[i] {
			fast = append(fast, f.code[i])
		}
	}
	fast, taken := f.anyTaken(fast, s, false)
	fast = append(fast, branch(slowLabel, taken, false), label(fastLabel))
	slow, taken = f.anyTaken([]Inst{label(slowLabel)}, s, true)
	spills := f.spillsOf(s, values)
	slow = spills.enterPart(append(slow, branch(fastLabel, taken, true)))
	rename := f.renaming(s)
	for i := s.start; i < s.end; i++ {
		in := f.code[i]
		if s.early[i] || in.is(isa.Converges) {
			continue
		}
		slow = spills.add(slow, in)
		if in.Op != nil && !in.branches() {
			in.Src, in.Dst = f.own(in.Src), f.own(in.Dst)
			in.registers(rename)
			fast = append(fast, in)
		}
	}
	fast = append(fast, label(join), resolve(Inst{Op: Op("bar.warp.sync"), Src: []Operand{I(-1)}}))
	return fast, append(slow, branch(join, Reg{}, false))
}

// anyTaken appends code that computes whether a thread takes any of the branches of a region and, if checked, does not
// branch back at once.
func (f *fastPaths) anyTaken(code []Inst, s region, checked bool) (_ []Inst, any Reg) {
	do := func(op string, src ...Operand) Reg {
		d := f.Reg(Pred)
		code = append(code, Inst{Op: Op(op), Dst: f.one(d), Src: f.own(src), Span: f.code[s.start].Span})
		return d
	}
	for _, b := range s.branches {
		taken, not := f.code[b.at].Guard, f.code[b.at].Not
		if checked && b.check != nil {
			check := f.copyOf(b.check)
			last := len(check) - 1
			code = append(code, check[:last]...)
			taken, not = check[last].Guard, !check[last].Not
		}
		if not {
			taken = do("not.pred", R(taken))
		}
		if any.OK() {
			taken = do("or.pred", R(any), R(taken))
		}
		any = taken
	}
	return code, any
}

// copyOf is a copy of a branch's check that computes other registers.
func (f *fastPaths) copyOf(check []int) (list []Inst) {
	names := map[int32]Reg{}
	for _, i := range check {
		in := f.exits.cold[i]
		in.Src, in.Dst = f.own(in.Src), f.own(in.Dst)
		in.defs(func(r *Reg) { names[r.ID] = f.Reg(r.Class) })
		in.registers(func(r *Reg) {
			if to, ok := names[r.ID]; ok {
				*r = to
			}
		})
		list = append(list, in)
	}
	return list
}

// renaming gives the registers of a region that nothing else reads or writes other names.
func (f *fastPaths) renaming(s region) func(r *Reg) {
	inside := map[int32]int32{}
	count := func(r *Reg) { inside[r.ID]++ }
	for i := s.start; i < s.end; i++ {
		if !s.early[i] {
			f.code[i].registers(count)
		}
	}
	for _, b := range s.branches {
		for _, i := range b.cold {
			f.exits.cold[i].registers(count)
		}
	}
	names := map[int32]Reg{}
	return func(r *Reg) {
		if inside[r.ID] != f.operands[r.ID] {
			return
		}
		name, ok := names[r.ID]
		if !ok {
			name = f.Reg(r.Class)
			names[r.ID] = name
		}
		*r = name
	}
}
