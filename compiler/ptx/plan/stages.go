package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Software pipelining as a change of the placed function. The tiles of later iterations are copied to shared memory
// while a loop computes on those of this one (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy").
// They go to a multistage circular buffer: each of its stage buffers has room for one tile of every pipelined load.
// Iteration i reads stage buffer i mod buffers, and its copies, for iteration i+stages-1, fill the one that iteration
// i-1 has read, or i-2 if there is one buffer more than stages:
//
//	prologue:      stages-1 times: the addresses of an iteration; async_copy …, async_commit
//	steady state:  async_wait until stages-2 groups are outstanding; barrier; the addresses of iteration i+stages-1;
//	               async_copy …, async_commit; the loop's body, with local_load in place of load
//	epilogue:      none: copies for iterations that do not come are masked off
//
// What addresses are computed from is carried twice: for this iteration, and for the one that is copied.
//
// The one barrier of an iteration says two things: the copies that other threads have waited for are there for all, and
// all threads have read the stage buffer that is overwritten now. With Pipeline.CopiesLast copies stand behind the dot
// that stays in flight, which keeps the tensor cores busy while threads wait for that of the iteration before and, at a
// second barrier, for each other.
//
// With two stages the prologue would copy for one iteration alone; if all copies are tensor copies, which need no place
// in an order of groups, and there are three buffers, it copies for two, and the first iteration copies nothing. (On an
// H100 attention gained 2 % by that; matmuls of three stages lost 1 % by a longer prologue.)

// Async is what an operation on stage buffers is about.
type Async struct {
	Pipeline *Pipeline
	Load     *AsyncLoad   // of local_alloc and of copies: the load; nil: the mbarriers
	Limits   []axis.Limit // of tensor copies: what the mask says
	Tensors  []*ir.Instr  // of mbarrier_expect: the tensor copies behind it, which the same thread issues with it
}

// stager makes the operations of one pipelined loop.
type stager struct {
	rewriter
	r        *Pipeline
	loads    [][]*ir.Value // the operands of each load, as long as it was one
	buffers  []*ir.Value   // by load: the stage buffers
	barriers *ir.Value     // the mbarriers, one for each stage buffer; nil: no load is made by tensor copies
}

func newStager(p *Plan, r *Pipeline) *stager {
	s := &stager{rewriter: rewriter{p: p, at: r.Loop.Span}, r: r}
	for _, l := range r.Loads {
		s.loads = append(s.loads, l.In.Operands)
	}
	return s
}

// iteration is one whose tiles are copied.
type iteration struct {
	index   *ir.Value
	valid   *ir.Value    // whether there is such an iteration; nil: there is
	carried []*ir.Value  // the values of Pipeline.Carried
	program substitution // what stands for the values before the loop
}

// eachPipeline has f append what a pipelined loop becomes; false: it stays as it is.
func (p *Plan) eachPipeline(f func(s *stager) bool) {
	p.eachLoop(p.Func.Body, func(loop *ir.Instr) []*ir.Instr {
		if r := p.Pipelines[loop]; r != nil {
			if s := newStager(p, r); f(s) {
				return s.list
			}
		}
		return []*ir.Instr{loop}
	})
}

// stage makes the pipelining of loops part of the function.
func (p *Plan) stage() {
	if p.Persistent != nil { // whose one loop is
		return
	}
	p.eachPipeline(func(s *stager) bool {
		r, loop := s.r, s.r.Loop
		s.allocate(!slices.Contains(p.Func.Body.Instrs, loop))
		r.Ahead = s.runsAhead()
		ahead := s.prologue(substitution{}, s.constant(num.Int32, 0))
		s.loop(ahead, s.buffersInUse())
		s.enter(nil)
		s.freeBarriers()
		return true
	})
}

// allocate allocates the stage buffers and mbarriers. A loop that may have run before waits for its last copies, which
// are all masked off. Tensor copies, which one warp issues, see what all threads have stored.
func (s *stager) allocate(nested bool) {
	some, _ := s.r.Tensors()
	if s.r.Nested = nested; nested {
		s.emit(ops.AsyncWait, nil, nil)
	}
	stored := some && s.r.StoresBefore
	if stored {
		s.emit(ops.FenceAsync, nil, nil, ir.Attr{Name: "global", Value: true})
	}
	if nested || stored {
		s.emit(ops.Barrier, nil, nil)
	}
	for _, l := range s.r.Loads {
		v := l.In.Results[0]
		s.buffers = append(s.buffers, s.alloc(v.Type.DType, v.Type.Shape, l))
	}
	if some {
		s.barriers = s.alloc(num.Int64, nil, nil)
		s.async(ops.MbarrierInit, nil, []*ir.Value{s.barriers})
	}
}

func (s *stager) alloc(d num.DType, shape []int, l *AsyncLoad) *ir.Value {
	v := s.async(ops.LocalAlloc, l, nil, ir.Attr{Name: "dtype", Value: d.Info().Short},
		ir.Attr{Name: "shape", Value: ir.Ints(shape)}, ir.Attr{Name: "buffers", Value: int64(s.r.Buffers)}).Results[0]
	if l != nil {
		v.Mem, v.Name, l.Buffers = &l.Mem, l.In.Results[0].Name, v
	}
	return v
}

// async appends an operation on stage buffers.
func (s *stager) async(op ops.Op, l *AsyncLoad, operands []*ir.Value, attrs ...ir.Attr) *ir.Instr {
	in := s.emit(op, nil, operands, attrs...)
	s.p.Async[in] = Async{Pipeline: s.r, Load: l}
	return in
}

// buffer is the buffer with a number, of one load or of the mbarriers.
func (s *stager) buffer(of, number *ir.Value) *ir.Value {
	v := s.emit(ops.MemDescIndex, nil, []*ir.Value{of, number}).Results[0]
	v.Mem = of.Mem
	return v
}

// prologue issues the copies of the first iterations of a program, to the stage buffers from the one with a number on,
// and gives the iteration behind them.
func (s *stager) prologue(program substitution, number *ir.Value) iteration {
	x := s.first(program)
	for stage := range s.r.Stages - 1 {
		x.valid = s.comes(x, stage)
		x = s.next(x, s.issue(x, number))
		number, _ = s.nextBuffer(number)
	}
	if s.r.Ahead {
		x.valid = s.comes(x, s.r.Stages-1)
		s.issue(x, number)
	}
	return x
}

// nextBuffer is the number of the buffer behind one, and whether that is the first again.
func (s *stager) nextBuffer(number *ir.Value) (next, wraps *ir.Value) {
	if n, known := constInt(number); known {
		return s.constant(num.Int32, (n+1)%int64(s.r.Buffers)), nil
	}
	next = s.scalar(ops.Add, number, s.constant(num.Int32, 1))
	wraps = s.scalar(ops.Eq, next, s.constant(num.Int32, int64(s.r.Buffers)))
	return s.scalar(ops.Select, wraps, s.constant(num.Int32, 0), next), wraps
}

// constInt is the value of an integer that is a constant.
func constInt(v *ir.Value) (n int64, known bool) {
	if v.Def == nil || v.Def.Op != ops.Const {
		return 0, false
	}
	return v.Def.Scalar("value").Int(), true
}

// first is the loop's first iteration in a program.
func (s *stager) first(program substitution) iteration {
	x := iteration{index: program.of(s.r.Loop.Operands[0]), program: program}
	for _, c := range s.r.Carried {
		x.carried = append(x.carried, program.of(s.r.Loop.Operands[3+c]))
	}
	return x
}

// comes is whether the loop has an iteration with a number below Stages; nil: it has.
func (s *stager) comes(x iteration, number int) *ir.Value {
	loop := s.r.Loop
	if trips, known := facts.ConstTrips(loop, s.p.Facts.Const); known && trips > uint64(number) {
		return nil
	}
	lower, upper := x.program.of(loop.Operands[0]), x.program.of(loop.Operands[1])
	comes := s.scalar(ops.Lt, lower, upper)
	if step, known := s.p.Facts.Const(loop.Operands[2]); !known || step < 1 {
		comes = s.and(comes, s.scalar(ops.Gt, loop.Operands[2], s.constant(loop.Operands[2].Type.DType, 0)))
	}
	if number > 0 {
		comes = s.and(comes, s.farther(lower, upper, s.distanceOf(number)))
	}
	return comes
}

// unsigned is an integer's bits as an unsigned number.
func (s *stager) unsigned(v *ir.Value) *ir.Value {
	return s.bitcast(v, num.Unsigned(v.Type.DType.Info().Bits))
}

func (s *stager) bitcast(v *ir.Value, to num.DType) *ir.Value {
	if v.Type.DType == to {
		return v
	}
	name := ir.Attr{Name: "to", Value: to.Info().Short}
	return s.emit(ops.Bitcast, s.p.scalarLayout(), []*ir.Value{v}, name).Results[0]
}

// farther reports whether upper is farther from index, which is below it, than so many. The difference is right as an
// unsigned number even if it overflows the signed type.
func (s *stager) farther(index, upper, distance *ir.Value) *ir.Value {
	return s.scalar(ops.Gt, s.unsigned(s.scalar(ops.Sub, upper, index)), distance)
}

// distanceOf is how far the index is ahead that many iterations later, unsigned: the most there is if it is more.
func (s *stager) distanceOf(iterations int) *ir.Value {
	step := s.r.Loop.Operands[2]
	d := num.Unsigned(step.Type.DType.Info().Bits)
	most := ^uint64(0) >> (64 - d.Info().Bits)
	if n, known := s.p.Facts.Const(step); known {
		if n < 1 || uint64(n) > most/uint64(iterations) {
			return s.constant(d, -1)
		}
		return s.constant(d, n*int64(iterations))
	}
	step = s.unsigned(step)
	fits := s.scalar(ops.Le, step, s.constant(d, int64(most/uint64(iterations))))
	product := s.scalar(ops.Mul, step, s.constant(d, int64(iterations)))
	return s.scalar(ops.Select, fits, product, s.constant(d, -1))
}

// issue issues the copies of an iteration to the stage buffer with a number, and gives what stands for the loop's
// values in it.
func (s *stager) issue(x iteration, number *ir.Value) substitution {
	at := s.addresses(x)
	for i, l := range s.r.Loads {
		if l.Tensor == nil {
			s.copyTile(ops.AsyncCopy, i, at, x.valid, s.buffer(s.buffers[i], number))
		}
	}
	if _, all := s.r.Tensors(); !all {
		s.async(ops.AsyncCommit, nil, nil)
	}
	if s.barriers != nil {
		s.issueTensors(x, at, number)
	}
	return at
}

// issueTensors issues the tensor copies of an iteration, and says how many bytes they are.
func (s *stager) issueTensors(x iteration, at substitution, number *ir.Value) {
	barrier := s.buffer(s.barriers, number)
	bytes, tiles := 0, make([]*ir.Value, len(s.r.Loads))
	for i, l := range s.r.Loads {
		if l.Tensor != nil {
			bytes += l.Mem.Bytes()
			tiles[i] = s.buffer(s.buffers[i], number)
		}
	}
	expect := s.emit(ops.MbarrierExpect, nil, []*ir.Value{barrier, x.valid},
		ir.Attr{Name: "bytes", Value: int64(bytes)})
	var tensors []*ir.Instr
	for i, l := range s.r.Loads {
		if l.Tensor != nil {
			tensors = append(tensors, s.copyTile(ops.TMALoad, i, at, x.valid, tiles[i], barrier))
		}
	}
	s.p.Async[expect] = Async{Pipeline: s.r, Tensors: tensors}
}

// copyTile issues the copy of the i-th load.
func (s *stager) copyTile(op ops.Op, i int, at substitution, valid *ir.Value, to ...*ir.Value) *ir.Instr {
	l := s.r.Loads[i]
	operands := append([]*ir.Value{at.of(s.loads[i][0])}, to...)
	var mask *ir.Value
	if len(s.loads[i]) > 1 {
		mask = at.of(s.loads[i][1])
	}
	in := s.emit(op, nil, append(operands, mask, valid))
	in.Span = l.In.Span
	limits, _ := axis.Limits(mask, s.p.Target.True)
	s.p.Async[in] = Async{Pipeline: s.r, Load: l, Limits: limits}
	s.p.source[in] = s.p.source[l.In]
	s.p.Accesses[in] = &Access{Layout: s.p.Accesses[l.In].Layout, Vector: l.Vec}
	return in
}

// addresses computes the addresses of an iteration's copies. Integers that are loaded for them are loaded where there
// is such an iteration alone.
func (s *stager) addresses(x iteration) substitution {
	at, body := substitution{}, s.r.Loop.Regions[0]
	for v, to := range x.program {
		at[v] = to
	}
	at[body.Args[0]] = x.index
	for i, c := range s.r.Carried {
		at[body.Args[1+c]] = x.carried[i]
	}
	for _, in := range s.r.AddressSlice {
		if in.Op != ops.Load {
			s.copy(in, at)
			continue
		}
		s.loadAhead(in, x, at)
	}
	return at
}

// loadAhead loads an integer of the address slice. What is out of bounds the loop's body reports, which has the load
// again.
func (s *stager) loadAhead(in *ir.Instr, x iteration, at substitution) {
	if x.valid == nil {
		silence(s.copy(in, at))
		return
	}
	ptr, valid := in.Operands[0], x.valid
	if !ptr.Type.IsScalar() {
		valid = s.emit(ops.Splat, ptr.Layout, []*ir.Value{valid},
			ir.Attr{Name: "shape", Value: ir.Ints(ptr.Type.Shape)}).Results[0]
	}
	if m := in.Operand(1); m != nil {
		valid = s.emit(ops.And, ptr.Layout, []*ir.Value{at.of(m), valid}).Results[0]
	}
	c := s.copy(in, at)
	c.Operands = append([]*ir.Value{c.Operands[0], valid}, c.Operands[min(2, len(c.Operands)):]...)
	silence(c)
}

func silence(load *ir.Instr) {
	load.Attrs = append(slices.Clip(load.Attrs), ir.Attr{Name: "silent", Value: true})
}

// next is the iteration behind one whose addresses are at.
func (s *stager) next(x iteration, at substitution) iteration {
	loop := s.r.Loop
	y := iteration{program: x.program}
	y.index = s.scalar(ops.Add, x.index, x.program.of(loop.Operands[2]))
	for _, c := range s.r.Carried {
		y.carried = append(y.carried, at.of(loop.Regions[0].Terminator().Operands[c]))
	}
	return y
}

// runsAhead reports whether the prologue copies for the iteration, too, that the first one would copy for.
func (s *stager) runsAhead() bool {
	_, all := s.r.Tensors()
	return all && s.r.Stages == 2 && s.r.Buffers > s.r.Stages
}

// buffersInUse are the numbers of the stage buffers that a loop carries as it begins: of the one that is read, and
// then of those that are filled next, the last one first. They are those that were read before.
func (s *stager) buffersInUse() []*ir.Value {
	numbers := []*ir.Value{s.constant(num.Int32, 0)}
	for i := range s.r.Buffers - s.r.Stages + 1 {
		filled := s.constant(num.Int32, int64((s.r.Stages-1+i)%s.r.Buffers))
		numbers = slices.Insert(numbers, 1, filled)
	}
	if s.barriers != nil {
		numbers = append(numbers, s.constant(num.Int32, 0)) // the parity of the phase of the buffer that is read
	}
	return numbers
}

// loop rewrites the loop. ahead is the first iteration behind the prologue, buffers what the loop carries of
// buffersInUse.
func (s *stager) loop(ahead iteration, buffers []*ir.Value) {
	r, loop := s.r, s.r.Loop
	body := loop.Regions[0]
	distance := s.distanceOf(r.Stages - 1)
	var offset *ir.Value
	if n, known := constInt(distance); known {
		offset = s.constant(loop.Operands[0].Type.DType, n)
	} else {
		offset = s.bitcast(distance, loop.Operands[0].Type.DType)
	}
	var numbers []*ir.Value
	for _, v := range buffers {
		numbers = append(numbers, s.carry(loop, v, nil))
	}
	read, write := numbers[0], numbers[r.Buffers-r.Stages+1]
	r.Read, r.Last = read, numbers[1]
	if r.Ahead || slices.ContainsFunc(body.Instrs, s.overwrites) {
		r.Later = s.carry(loop, s.constant(num.Int1, 0), nil)
	}
	var moving []int // which of the carried values change
	for i, c := range r.Carried {
		if arg := body.Args[1+c]; body.Terminator().Operands[c] != arg {
			ahead.carried[i] = s.carry(loop, ahead.carried[i], arg)
			moving = append(moving, i)
		}
	}
	before := s.list
	s.list = nil
	s.await(numbers)
	next := s.moved(numbers)
	if r.Later != nil {
		next = append(next, s.constant(num.Int1, 1))
	}
	begin := s.list
	s.list = nil
	if r.CopiesLast {
		s.emit(ops.Barrier, nil, nil)
	}
	ahead.index = s.scalar(ops.Add, body.Args[0], offset)
	ahead.valid = s.farther(body.Args[0], loop.Operands[1], distance)
	if r.Ahead {
		ahead.valid = s.and(ahead.valid, r.Later)
	}
	at := s.issue(ahead, write)
	for _, i := range moving {
		next = append(next, at.of(body.Terminator().Operands[r.Carried[i]]))
	}
	copies := s.list
	s.list = nil
	if !r.CopiesLast {
		s.list, copies = append(begin, copies...), nil
	} else {
		s.list = begin
	}
	for _, in := range body.Instrs {
		if i := slices.IndexFunc(r.Loads, func(l *AsyncLoad) bool { return l.In == in }); i >= 0 {
			tile := s.buffer(s.buffers[i], read)
			in.Op, in.Operands, in.Attrs = ops.LocalLoad, []*ir.Value{tile}, nil
		}
		s.list = append(s.list, in)
		if in == r.DotInFlight {
			s.list = append(s.list, copies...)
		}
	}
	body.Instrs, s.list = s.list, before
	yield(body, next...)
}

// overwrites reports whether an instruction is a dot that overwrites its accumulator in the first iteration.
func (s *stager) overwrites(in *ir.Instr) bool {
	d := s.p.Dots[in]
	return d != nil && d.ZeroInit
}

// await waits for the tiles of an iteration.
func (s *stager) await(numbers []*ir.Value) {
	if _, all := s.r.Tensors(); !all {
		// Groups complete in order. stages-1 are outstanding here, and the oldest is this iteration's. Those of a loop
		// in this one, which are younger, may stay outstanding.
		s.async(ops.AsyncWait, nil, nil, ir.Attr{Name: "pending", Value: int64(s.r.Stages - 2)})
		if s.p.hasWgmma() {
			s.emit(ops.FenceAsync, nil, nil)
		}
	}
	if s.barriers != nil {
		barrier := s.buffer(s.barriers, numbers[0])
		s.async(ops.MbarrierWait, nil, []*ir.Value{barrier, numbers[len(numbers)-1]})
	}
	s.r.Meet = s.emit(ops.Barrier, nil, nil)
}

// moved is the numbers that the next iteration carries. A phase later the parity is the other.
func (s *stager) moved(numbers []*ir.Value) []*ir.Value {
	next, wraps := s.nextBuffer(numbers[0])
	list := append([]*ir.Value{next}, numbers[:s.r.Buffers-s.r.Stages+1]...)
	if s.barriers != nil {
		flip := s.scalar(ops.Select, wraps, s.constant(num.Int32, 1), s.constant(num.Int32, 0))
		list = append(list, s.scalar(ops.Xor, numbers[len(numbers)-1], flip))
	}
	return list
}

// freeBarriers gives the mbarriers' memory back, when all threads have waited for the last copy, if the loop may run
// again; else they keep it to the end.
func (s *stager) freeBarriers() {
	if s.r.Nested && s.barriers != nil {
		s.emit(ops.Barrier, nil, nil)
		s.emit(ops.MbarrierInval, nil, []*ir.Value{s.barriers})
	}
}

// enter appends the loop, with the wait for the dot that its last iteration leaves in flight, and gives what stands for
// its results, of which the caller uses some. A loop whose first iteration overwrites accumulators is in a branch
// (Plan.Guards): it has an iteration, and what they are without one is assigned elsewhere, which hardly ever runs. So
// is the wait: ptxas serializes MMAs whose sums others define while they are in flight.
func (s *stager) enter(used []*ir.Value) substitution {
	var comes *ir.Value
	if slices.ContainsFunc(s.r.Loop.Regions[0].Instrs, s.overwrites) {
		comes = s.comes(s.first(substitution{}), 0)
	}
	return s.ifComes(comes, used, func() []*ir.Value {
		s.list = append(s.list, s.r.Loop)
		return s.awaitDot()
	})
}

// awaitDot waits, behind the loop, for the dot that is still in flight, and gives the loop's results.
func (s *stager) awaitDot() []*ir.Value {
	results := slices.Clone(s.r.Loop.Results)
	if dot := s.r.DotInFlight; dot != nil {
		i := slices.Index(s.r.Loop.Regions[0].Terminator().Operands, dot.Results[0])
		sum := s.async(ops.WGMMAWait, nil, results[i:i+1], ir.Attr{Name: "pending", Value: int64(0)}).Results[0]
		sum.ID, sum.Name, sum.Layout, results[i] = results[i].ID, results[i].Name, results[i].Layout, sum
	}
	return results
}

// ifComes appends what f appends where the loop has an iteration, nil: it has. What f gives, and else what the loop
// begins with, stands for the loop's results, of which the caller uses some.
func (s *stager) ifComes(comes *ir.Value, used []*ir.Value, f func() []*ir.Value) substitution {
	results, uses, become := s.r.Loop.Results, usesIn(s.p.Func.Body), substitution{}
	pick := func(values []*ir.Value) (list []*ir.Value) {
		for i, v := range results {
			if uses[v] > 0 || slices.Contains(used, v) {
				list = append(list, values[i])
			}
		}
		return list
	}
	if comes == nil {
		values := f()
		for i, v := range results {
			become[v] = values[i]
		}
	} else {
		inits := pick(s.r.Loop.Operands[3:])
		in := s.ifThen(comes, func() []*ir.Value { return pick(f()) }, inits)
		in.Results = become.define(pick(results), in)
		s.p.Guards[in] = s.r.Delay == nil
	}
	replaceUses(s.p.Func.Body, become)
	return become
}
