package ptx

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

func init() {
	emitters[ops.Scan] = emitScan
}

// scanner scans tiles along an axis, one run of bits of the index after the other, from the lowest on. Elements whose
// indices agree in the bits that are still to do form a group; the bits that are done order it. In a reverse scan a
// group begins at its highest index.
type scanner struct {
	e       *emitter
	region  *ir.Block
	dtypes  []num.DType
	reverse bool
	// By register number, for each operand: the elements, scanned over the leading run if that is in registers; then,
	// where the bits in done are 0, what a whole group gives; and where those in leading are 0, what comes before.
	elems, totals [][]asm.Reg
	before        []prefix
	leading, done int
}

// prefix is what the elements of a group before a thread's own give. There is none if vals is nil, or if some is a
// register and does not hold.
type prefix struct {
	vals []asm.Reg
	some asm.Reg
}

// emitScan emits an inclusive scan: along registers sequentially, along lanes by shuffles (Hillis and Steele), along
// warps through shared memory.
func emitScan(e *emitter, in *ir.Instr) {
	l := in.Operands[0].Layout
	_, keep := l.DropReplicas()
	t := e.tilesOf(in.Operands, keep)
	s := &scanner{e: e, region: in.Regions[0], dtypes: t.dtypes, reverse: in.Bool("reverse"),
		before: make([]prefix, len(keep))}
	for r := range keep {
		s.elems = append(s.elems, t.row(r))
	}
	s.totals = slices.Clone(s.elems)
	exchanged := false
	for i, run := range e.plan.Scans[in] {
		switch run.In {
		case layout.InReg:
			s.scanRegisters(run.Bits, i == 0)
		case layout.InLane:
			s.scanLanes(run.Bits)
		case layout.InWarp:
			if exchanged {
				e.Barrier()
			}
			s.scanWarps(run, e.scratch(in))
			exchanged = true
		}
	}
	out := tilesOfRows(s.dtypes, s.results())
	for i, v := range in.Results {
		e.setRegs(v, pickRegs(out.regs[i], l.Replicas()))
	}
}

// results is each element combined with all that come before it.
func (s *scanner) results() [][]asm.Reg {
	for r, x := range s.elems {
		// Registers of the leading run share what comes before their group.
		p := s.before[r&^s.leading]
		if p.vals == nil {
			continue
		}
		s.elems[r] = s.e.combine(s.region, p.vals, x)
		if p.some.OK() {
			s.elems[r] = s.e.selectRow(p.some, s.elems[r], x)
		}
	}
	return s.elems
}

// prependGroup combines left with what is before the elements of group r, for the threads where cond holds; none stands
// for all.
func (s *scanner) prependGroup(r int, left []asm.Reg, cond asm.Reg) {
	for x := range s.before {
		p := &s.before[x]
		if x&s.leading != 0 || x&^s.done != r {
			continue
		}
		if p.vals == nil {
			p.vals, p.some = left, cond
			continue
		}
		// left comes before what is already there, so it goes on the left.
		both := s.e.combine(s.region, left, p.vals)
		if p.some.OK() {
			both = s.e.selectRow(p.some, both, left)
		}
		if !cond.OK() {
			p.vals, p.some = both, cond
			continue
		}
		p.vals = s.e.selectRow(cond, both, p.vals)
		if p.some.OK() {
			p.some = s.e.Do("or.pred", asm.R(cond), asm.R(p.some))
		}
	}
}

// groupLeaders is the registers that stand for the groups once the bits of mask are done, too.
func (s *scanner) groupLeaders(mask int) (regs []int) {
	for r := range s.elems {
		if r&(s.done|mask) == 0 {
			regs = append(regs, r)
		}
	}
	return regs
}

// scanRegisters scans along bits of the register number, one register after the other.
func (s *scanner) scanRegisters(bits []int, leading bool) {
	mask := 0
	for _, b := range bits {
		mask |= 1 << b
	}
	// A run that is first in the index can be scanned in place; later ones only produce what comes before each group.
	if leading {
		s.leading = mask
	}
	for _, r := range s.groupLeaders(mask) {
		var sum []asm.Reg
		for i := range 1 << len(bits) {
			at := r | depositBits(s.scanOrder(i, len(bits)), bits)
			switch {
			case sum == nil:
				sum = s.totals[at]
				continue
			case !leading:
				s.prependGroup(at, sum, asm.Reg{})
			}
			sum = s.e.combine(s.region, sum, s.totals[at])
			if leading {
				s.elems[at] = sum
			}
		}
		s.totals[r] = sum
	}
	s.done |= mask
}

// scanOrder is the i-th of 2^n indices in the direction of the scan.
func (s *scanner) scanOrder(i, n int) int {
	if s.reverse {
		return i ^ (1<<n - 1)
	}
	return i
}

// depositBits puts bit j of n at bits[j] (pdep).
func depositBits(n int, bits []int) (to int) {
	for j, b := range bits {
		to |= n >> j & 1 << b
	}
	return to
}

// scanLanes scans along consecutive bits of the lane number in log2 steps (Hillis and Steele, Data Parallel Algorithms,
// 1986): in each, a lane combines the sum of the lane 2^b before it with its own.
func (s *scanner) scanLanes(bits []int) {
	// the lane bits of this run
	all := (uint32(1)<<len(bits) - 1) << bits[0]
	// The group's total is in its last lane, by the direction of the scan.
	mode, last := "up", s.e.Do("or.b32", asm.R(s.e.lane), asm.I(int64(all)))
	if s.reverse {
		mode, last = "down", s.e.Do("and.b32", asm.R(s.e.lane), asm.I(int64(^all&31)))
	}
	for _, r := range s.groupLeaders(0) {
		sum := s.totals[r]
		for _, b := range bits {
			left := s.shuffled(sender{mode, asm.I(1 << b)}, sum)
			// whether a lane 2^b before this one is in the group
			far := s.hasPredecessor(all&^(1<<b-1), 0)
			sum = s.e.selectRow(far, s.e.combine(s.region, left, sum), sum)
		}
		s.prependGroup(r, s.shuffled(sender{mode, asm.I(1 << bits[0])}, sum), s.hasPredecessor(all, 0))
		s.totals[r] = s.shuffled(sender{"idx", asm.R(last)}, sum)
	}
}

// shuffled is a row of registers as another lane has them.
func (s *scanner) shuffled(from sender, row []asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(row))
	for i, v := range row {
		out[i] = s.e.shuffleLanes(from, []asm.Reg{v})[0]
	}
	return out
}

// hasPredecessor is a predicate: whether the thread is not the first in the direction of the scan, by the given bits of
// its number alone.
func (s *scanner) hasPredecessor(lane, warp uint32) asm.Reg {
	if s.reverse {
		return s.e.threadLacks(lane, warp)
	}
	return s.e.threadBits(lane, warp)
}

// scanWarps scans along bits of the warp number: each thread gets the totals of all warps' groups and takes from those
// before its own. Register j + k·len(open) of the exchanged tiles is the total of the j-th group and the k-th warp.
func (s *scanner) scanWarps(run plan.ScanRun, scratch int) {
	open, bits := s.groupLeaders(0), run.Bits
	n := 1 << len(bits)
	rows := make([][]asm.Reg, len(open))
	for i, r := range open {
		rows[i] = s.totals[r]
	}
	groups := s.e.convertAll(tilesOfRows(s.dtypes, rows), run.Exchange, scratch)
	at := s.warpPosition(bits)
	var reached []asm.Reg // whether the thread is the i-th or later
	for i := range n {
		reached = append(reached, s.e.Do("setp.ge.u32", asm.R(at), asm.I(int64(i))))
	}
	for j, r := range open {
		// Every thread adds up the totals of all warps; at warp i the sum so far is what comes before.
		sum := groups.row(j + s.scanOrder(0, len(bits))*len(open))
		left := sum
		for i := 1; i < n; i++ {
			if i > 1 {
				left = s.e.selectRow(reached[i], sum, left)
			}
			sum = s.e.combine(s.region, sum, groups.row(j+s.scanOrder(i, len(bits))*len(open)))
		}
		var mask uint32
		for _, b := range bits {
			mask |= 1 << b
		}
		s.prependGroup(r, left, s.hasPredecessor(0, mask))
		s.totals[r] = sum
	}
}

// warpPosition is the thread's position in the direction of the scan, by bits of its warp's number.
func (s *scanner) warpPosition(bits []int) asm.Reg {
	masks := make([]uint32, slices.Max(bits)+1)
	for j, b := range bits {
		masks[b] = 1 << j
	}
	at := s.e.threadOffset(nil, masks)
	if s.reverse {
		at = s.e.Do("xor.b32", asm.R(at), asm.I(int64(1<<len(bits)-1)))
	}
	return at
}
