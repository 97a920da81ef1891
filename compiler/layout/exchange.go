package layout

// Exchange is a straight program by which the lanes of a warp exchange values. Values 0 … n-1 are the registers of
// the source; each step makes one more, which is used by later steps only. Out is the value of each of the
// result's registers.
type Exchange struct {
	Steps []Step
	Lanes []LaneExpr
	Out   []int
}

// Step makes value Dst. With Lane < 0 it selects: B where the bit Cond of the thread's lane or warp number is set,
// else A. Otherwise it is value A of the lane given by Lanes[Lane], which all lanes exchange together.
type Step struct {
	Dst, A, B int
	Cond      Place
	Lane      int
}

// LaneExpr is the number of a lane: Const, XORed with Lane[i] for each set bit i of the thread's lane number and
// with Warp[i] for each of its warp number.
type LaneExpr struct {
	Lane  [LaneBits]uint8
	Warp  []uint8
	Const uint8
}

// Butterfly reports whether the expression is the own lane's number XOR Const.
func (e LaneExpr) Butterfly() bool {
	for i, m := range e.Lane {
		if m != 1<<i {
			return false
		}
	}
	for _, m := range e.Warp {
		if m != 0 {
			return false
		}
	}
	return true
}

// At is the lane's number as seen by a thread.
func (e LaneExpr) At(lane, warp int) int {
	n := e.Const
	for i, m := range e.Lane {
		n ^= m & -uint8(lane>>i&1)
	}
	for i, m := range e.Warp {
		n ^= m & -uint8(warp>>i&1)
	}
	return int(n)
}

// cost estimates an exchange in issue slots of a warp: one for a shuffle, half for a select.
func (e Exchange) cost() int {
	halves := 0
	for _, s := range e.Steps {
		halves++
		if s.Lane >= 0 {
			halves++
		}
	}
	return halves / 2
}

// Limits beyond which shared memory is better whatever the cost.
const (
	maxExchangeRegs  = 128
	maxExchangePicks = 3
)

// A pick is a bit of the source's register number that depends on the thread that wants the element. The thread that
// has it must know the bit: Cond is the bit of its own place that tells. Where that lane bit is wanted by a register
// (bit reg of the result's), one round after the other has both, XORed: in round j the wanting thread asks for
// the register bit j ^ its own lane bit wantLane, and sorts the rounds out afterwards.
type pick struct {
	src      int // bit of the source's register number
	cond     Place
	paired   bool
	reg      int
	wantLane int
}

// exchanger builds an Exchange.
type exchanger struct {
	src, dst Layout
	want     *[32]Place
	picks    []pick
	lane     LaneExpr // Const apart
	free     uint32   // source lane bits whose value is open
	laneOf   [32]uint8
	regOf    [32]int
	e        Exchange
	next     int
}

// exchange finds the program for src to dst, or reports that it is long or that warps are involved.
func exchange(src, dst Layout, want *[32]Place) (Exchange, bool) {
	if !inWarp(src, want) || dst.Regs() > maxExchangeRegs || src.Regs() > maxExchangeRegs {
		return Exchange{}, false
	}
	x := exchanger{src: src, dst: dst, want: want, next: src.Regs()}
	x.lanes()
	if !x.registers() || len(x.picks) > maxExchangePicks {
		return Exchange{}, false
	}
	x.e.Steps = make([]Step, 0, src.Regs()+2*dst.Regs())
	x.run()
	return x.e, true
}

// lanes finds the lane to ask: each of its bits comes from the wanting thread's lane, warp or register number, or is
// open, in which case the own lane's is taken at first.
func (x *exchanger) lanes() {
	x.lane.Warp = make([]uint8, len(x.dst.Warp))
	for i, b := range x.src.Lane {
		if b == 0 {
			x.free |= 1 << i
			x.lane.Lane[i] |= 1 << i
			continue
		}
		switch p := x.want[log2(int(b))]; p.In {
		case InReg:
			x.laneOf[p.Bit] = 1 << i
		case InLane:
			x.lane.Lane[p.Bit] |= 1 << i
		case InWarp:
			x.lane.Warp[p.Bit] |= 1 << i
		}
	}
}

// registers finds the register to ask for, and how the asked lane knows.
func (x *exchanger) registers() bool {
	for j, b := range x.src.Reg {
		if b == 0 {
			continue
		}
		switch p := x.want[log2(int(b))]; p.In {
		case InReg:
			x.regOf[p.Bit] = 1 << j
		case InWarp:
			x.picks = append(x.picks, pick{src: j, cond: p})
		case InLane:
			// The asked lane's bit p.Bit may differ from that of the lane that asks: see tell.
			if x.free>>p.Bit&1 == 0 {
				continue
			}
			// The open bit stays the own lane's: both lanes have it in common.
			x.free &^= 1 << p.Bit
			x.picks = append(x.picks, pick{src: j, cond: p})
		}
	}
	for j, b := range x.src.Reg {
		if b == 0 || x.known(j) {
			continue
		}
		if p := x.want[log2(int(b))]; p.In == InLane && !x.tell(j, int(p.Bit)) {
			return false
		}
	}
	return true
}

func (x *exchanger) known(src int) bool {
	for _, p := range x.picks {
		if p.src == src {
			return true
		}
	}
	return false
}

// tell lets the asked lane know bit k of the wanting lane's number, on which bit j of the register depends: by an open
// bit of the lane to ask, or by one that the result's registers run through, best the same bit.
func (x *exchanger) tell(j, k int) bool {
	if x.free != 0 {
		// An open bit costs nothing: it becomes the wanting lane's bit k, which the asked lane then knows as its own.
		i := log2(int(x.free))
		x.free &= x.free - 1
		x.lane.Lane[i] &^= 1 << i
		x.lane.Lane[k] |= 1 << i
		x.picks = append(x.picks, pick{src: j, cond: Place{InLane, uint8(i)}})
		return true
	}
	best := -1
	for d := range x.dst.Reg {
		if x.laneOf[d] != 0 && x.regOf[d] == 0 && (best < 0 || x.laneOf[d] == 1<<k) {
			best = d
		}
	}
	if best < 0 {
		return false
	}
	i := log2(int(x.laneOf[best]))
	x.regOf[best] = 1 << j
	x.lane.Lane[k] |= 1 << i
	x.picks = append(x.picks, pick{j, Place{InLane, uint8(i)}, true, best, k})
	return true
}

func (x *exchanger) step(s Step) int {
	s.Dst = x.next
	x.e.Steps = append(x.e.Steps, s)
	x.next++
	return s.Dst
}

// run writes the program: lanes pick what they will be asked for, pass it, and put it in place.
func (x *exchanger) run() {
	var buf [2][maxExchangeRegs]int
	have := buf[0][:x.src.Regs()]
	for r := range have {
		have[r] = r
	}
	other := buf[1][:len(have)]
	dead := 0 // register bits that are settled or make no difference
	for j, b := range x.src.Reg {
		if b == 0 {
			dead |= 1 << j
		}
	}
	for _, p := range x.picks {
		if !p.paired {
			dead |= 1 << p.src
		}
		for r := range have {
			// A settled bit halves the registers that are still needed.
			if r&dead == 0 {
				other[r] = x.step(Step{A: have[r], B: have[r^1<<p.src], Cond: p.cond, Lane: -1})
			}
		}
		have, other = other, have
	}
	x.pass(have)
}

// pass shuffles what the lanes have ready and sorts the rounds out.
func (x *exchanger) pass(have []int) {
	got := make([]int, x.dst.Regs())
	var exprs [1 << LaneBits]int // 1 + index in Lanes
	replica := 0
	for i, b := range x.dst.Reg {
		if b == 0 {
			replica |= 1 << i
		}
	}
	for r := range got {
		if r&replica != 0 {
			continue
		}
		reg, lane := 0, uint8(0)
		for i := range x.dst.Reg {
			reg ^= x.regOf[i] & -(r >> i & 1)
			lane ^= x.laneOf[i] & -uint8(r>>i&1)
		}
		got[r] = have[reg]
		expr := x.lane
		expr.Const = lane
		// The lane asks itself: no shuffle.
		if lane == 0 && expr.Butterfly() {
			continue
		}
		if exprs[lane] == 0 {
			x.e.Lanes = append(x.e.Lanes, expr)
			exprs[lane] = len(x.e.Lanes)
		}
		got[r] = x.step(Step{A: have[reg], Lane: exprs[lane] - 1})
	}
	x.e.Out = x.sort(got, replica)
}

// sort puts the values of paired rounds in place and copies replicas.
func (x *exchanger) sort(got []int, replica int) []int {
	var buf [maxExchangeRegs]int
	for _, p := range x.picks {
		if !p.paired {
			continue
		}
		round := buf[:copy(buf[:], got)]
		for r := range got {
			if r&replica == 0 {
				cond := Place{InLane, uint8(p.wantLane)}
				got[r] = x.step(Step{A: round[r], B: round[r^1<<p.reg], Cond: cond, Lane: -1})
			}
		}
	}
	for r := range got {
		got[r] = got[r&^replica]
	}
	return got
}
