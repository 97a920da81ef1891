package placed

import (
	"bytes"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// event is one execution of an operation by a warp, as far as memory is concerned. It is ordered before what a warp
// does whose clock of the agent has reached its time.
type event struct {
	in      *ir.Instr
	agent   int
	time    uint32
	pending bool   // it is asynchronous, and its agent has not waited for it
	fence   uint32 // of the agent's fences, the first that orders it for the asynchronous proxy; 0: needs none
	turn    int    // how often the agent has done in
}

// event is what w does now.
func (w *warp) event(in *ir.Instr) *event {
	w.turns[in]++
	return &event{in: in, agent: w.id, time: w.clock[w.id], fence: w.fenced[w.id] + 1, turn: w.turns[in]}
}

// await makes an asynchronous event of w complete.
func (w *warp) await(e *event) { e.pending, e.time, e.fence = false, w.clock[w.id], w.fenced[w.id]+1 }

// before reports whether e is ordered before what w does now.
func (w *warp) before(e *event) bool {
	return !e.pending && e.agent < len(w.clock) && w.clock[e.agent] >= e.time
}

// cell is the accesses to an element in memory, or to all of a buffer, that a later one may have to be ordered with.
type cell []use

// use is an event as an access.
type use struct {
	*event
	writes bool
}

// access makes e, which w does now, an access to an element.
func (c *cell) access(w *warp, e *event, writes bool) {
	c.check(w, e, writes)
	c.add(w, e, writes)
}

// add adds e to c. What is ordered before e is ordered before all that is ordered behind e, too.
func (c *cell) add(w *warp, e *event, writes bool) {
	*c = slices.DeleteFunc(*c, func(x use) bool {
		return x.event == e || w.before(x.event) && (writes || !x.writes)
	})
	*c = append(*c, use{e, writes})
}

// check reports what e, which w does now, lacks an order with in c.
func (c cell) check(w *warp, e *event, writes bool) {
	for _, x := range c {
		switch {
		case !x.writes && !writes || x.writes && writes && concurrent(x.event, e):
		case !w.before(x.event):
			w.p.unordered(kindOf(x.writes, writes), x.event, e)
		case byAsyncProxy(e.in.Op, writes) && x.writes && x.fence > 0 && w.fenced[x.agent] < x.fence:
			w.p.report(Unfenced, x.in, e.in, 1)
		}
	}
}

// byAsyncProxy reports whether an operation reads or writes shared memory through the async proxy.
func byAsyncProxy(op ops.Op, writes bool) bool { return op == ops.WGMMA || op == ops.TMALoad && writes }

// concurrent reports whether two writes need no order: atomics; in global memory, where a tile may be stored that has
// an element twice, those of one operation and, as in Triton, of two iterations; else those of one operation done once.
func concurrent(x, y *event) bool {
	same := x.in == y.in
	switch {
	case x.in.Op.Has(ops.Reads|ops.Writes) && y.in.Op.Has(ops.Reads|ops.Writes):
		return true
	case y.in.Op.Has(ops.Writes):
		return same || x.turn != y.turn
	}
	return same && x.turn == y.turn
}

// kindOf is the hazard of two accesses, one of which writes.
func kindOf(firstWrites, secondWrites bool) Kind {
	switch {
	case !firstWrites:
		return WAR
	case secondWrites:
		return WAW
	}
	return RAW
}

func (p *program) unordered(kind Kind, first, second *event) {
	if first.pending || first.agent >= len(p.warps) {
		kind = Early
	}
	p.report(kind, first.in, second.in, 1)
}

// reaches reports whether a pointer leads to an element of an argument.
func (m *machine) reaches(ptr int64) bool {
	arg, offset := trace.Split(ptr)
	if arg >= len(m.args) {
		return false
	}
	b, ok := m.args[arg].(tile.Buffer)
	at := offset + int64(b.Offset)
	return ok && at >= 0 && at < int64(len(b.Data)/b.DType.Info().Bytes)
}

// buffer is what a local_alloc gives: tiles, mbarriers, or scratch memory, whose bytes each operation uses in its own
// way, so that it counts as a whole.
type buffer struct {
	offsets  []int64 // where its tiles are in the program's shared memory; nil: nowhere
	bytes    int     // of a tile
	tiles    [][]byte
	cells    []cell // one for each element; none of scratch memory
	barriers []mbarrier
	common   bool // it is scratch memory of which warps have no parts of their own
	whole    cell
}

// tilesOf is how many tiles a local_alloc has, and the bytes of one.
func tilesOf(in *ir.Instr) (tiles, bytes int) {
	t := in.Results[0].Type
	if n := int(in.Int("bytes")); n > 0 {
		return 1, n
	}
	return int(t.Buffers), t.Numel() * t.DType.Info().Bytes
}

// sharedBytes is the size of the shared memory in which a function's buffers have their places.
func sharedBytes(fn *ir.Func) (size int) {
	fn.Body.Walk(func(in *ir.Instr) {
		for _, at := range in.Ints("offsets") {
			_, bytes := tilesOf(in)
			size = max(size, int(at)+bytes)
		}
	})
	return size
}

// random is memory of which nobody knows what it has.
func (m *machine) random(bytes int) []byte {
	data := make([]byte, bytes)
	for i := range data {
		data[i] = byte(m.rng.Uint32())
	}
	return data
}

func (p *program) newBuffer(in *ir.Instr) *buffer {
	n, bytes := tilesOf(in)
	b := &buffer{offsets: in.Ints("offsets"), bytes: bytes, tiles: make([][]byte, n)}
	for i := range n {
		if b.offsets == nil {
			b.tiles[i] = p.random(bytes)
		} else {
			b.tiles[i] = p.shared[b.offsets[i]:][:bytes]
		}
	}
	if in.Int("bytes") > 0 {
		b.common = !in.Bool("per_warp")
		return b
	}
	t := in.Results[0].Type
	b.cells = make([]cell, n*t.Numel())
	if t.IsScalar() {
		b.barriers = make([]mbarrier, n)
	}
	return b
}

// overlaps reports whether two buffers have bytes in common.
func (b *buffer) overlaps(c *buffer) bool {
	for _, x := range b.offsets {
		for _, y := range c.offsets {
			if x < y+int64(c.bytes) && y < x+int64(b.bytes) {
				return true
			}
		}
	}
	return false
}

// access makes e, which w does now, an access to b, where other buffers may have been before.
func (b *buffer) access(w *warp, e *event, writes bool) {
	for _, c := range w.p.buffers {
		if c == b && b.common || c != b && b.overlaps(c) {
			c.whole.check(w, e, writes)
		}
	}
	b.whole.add(w, e, writes)
}

// view is one or several tiles of a buffer.
type view struct {
	buffer *buffer
	first  int // which tile of the buffer
	tiles  int
	dtype  num.DType
	layout *layout.Mem // nil: of mbarriers and scratch memory
}

func (w *warp) alloc(in *ir.Instr) {
	r := in.Results[0]
	b := w.p.buffers[in]
	if b == nil {
		b = w.p.newBuffer(in)
		w.p.buffers[in] = b
	}
	m := view{b, 0, len(b.tiles), r.Type.DType, r.Mem}
	w.values[r.ID] = &register{mem: m}
	if v := in.Operand(0); v != nil {
		w.storeTile(in, v, m)
	}
}

// useScratch makes an operation's scratch memory, if it has some, be written or read now. What it had is lost.
func (w *warp) useScratch(in *ir.Instr, writes bool) {
	if in.Scratch == nil {
		return
	}
	b := w.values[in.Scratch.ID].mem.buffer
	b.access(w, w.event(in), writes)
	if writes {
		copy(b.tiles[0], bytes.Repeat([]byte{byte(w.p.rng.Uint32())}, b.bytes))
	}
}

func (w *warp) memDescIndex(in *ir.Instr) {
	m := w.values[in.Operands[0].ID].mem
	i := int(w.integer(in, in.Operands[1]))
	if i < 0 || i >= m.tiles {
		w.p.report(Index, nil, in, 1)
		i = 0
	}
	m.first, m.tiles = m.first+i, 1
	w.values[in.Results[0].ID] = &register{mem: m}
}

func (w *warp) memDescTrans(in *ir.Instr) {
	m := w.values[in.Operands[0].ID].mem
	m.layout = in.Results[0].Mem
	w.values[in.Results[0].ID] = &register{mem: m}
}

func (m view) load(dst num.Vec, i int, e uint32) {
	num.LoadAt(m.dtype, dst, i, m.buffer.tiles[m.first], int(m.layout.At(e)))
}

func (m view) store(e uint32, src num.Vec, i int) {
	num.StoreAt(m.dtype, m.buffer.tiles[m.first], int(m.layout.At(e)), src, i)
}

// access makes e, which w does now, an access to elements of a tile, nil for all.
func (m view) access(w *warp, e *event, writes bool, elements []uint32) {
	m.buffer.access(w, e, writes)
	n := len(m.buffer.cells) / len(m.buffer.tiles)
	cells := m.buffer.cells[m.first*n:][:n]
	for _, at := range elements {
		cells[m.layout.At(at)].access(w, e, writes)
	}
	if elements == nil {
		for i := range cells {
			cells[i].access(w, e, writes)
		}
	}
}

// elements is the numbers of some of the elements that w has of v.
func (w *warp) elements(v *ir.Value, which []int) []uint32 {
	list := make([]uint32, len(which))
	for k, i := range which {
		list[k] = w.element(v, i)
	}
	return list
}

func (w *warp) localStore(in *ir.Instr) {
	w.storeTile(in, in.Operands[0], w.values[in.Operands[1].ID].mem)
}

// storeTile stores a tile that threads hold to shared memory.
func (w *warp) storeTile(in *ir.Instr, v *ir.Value, m view) {
	src, e := w.take(in, v), w.event(in)
	own, _ := w.split(v)
	at := w.elements(v, own)
	m.access(w, e, true, at)
	for k, i := range own {
		m.store(at[k], src, i)
	}
}

func (w *warp) localLoad(in *ir.Instr) {
	r, m := in.Results[0], w.values[in.Operands[0].ID].mem
	dst, e := w.define(r), w.event(in)
	at := make([]uint32, dst.Len())
	for i := range at {
		at[i] = w.element(r, i)
		m.load(dst, i, at[i])
	}
	m.access(w, e, false, at)
}

// copying is an asynchronous copy of some elements to shared memory.
type copying struct {
	p    *program
	what *event
	do   func() // nil: it is complete
}

// complete does the copy, if it is not done.
func (c *copying) complete() {
	if c.do == nil {
		return
	}
	c.do()
	c.do = nil
	c.p.copies = slices.DeleteFunc(c.p.copies, func(x *copying) bool { return x == c })
}

// begin begins a copy.
func (p *program) begin(e *event, do func()) *copying {
	c := &copying{p, e, do}
	p.copies = append(p.copies, c)
	return c
}

// holds reports whether a condition that may be absent holds.
func (w *warp) holds(in *ir.Instr, pred *ir.Value) bool {
	return pred == nil || w.integer(in, pred) != 0
}

// maskOf is the mask of n elements: given, or none, where on.
func maskOf(n int, given []num.Vec, on bool) num.Vec {
	if on && len(given) > 0 {
		return given[0]
	}
	mask := num.MakeVec(num.ClassI32, n)
	num.FromBool(on).Fill(mask)
	return mask
}

func (w *warp) asyncCopy(in *ir.Instr) {
	ptr, to := in.Operands[0], w.values[in.Operands[1].ID].mem
	own, _ := w.split(ptr)
	if len(own) == 0 {
		return
	}
	e := w.event(in)
	e.pending = true
	values := w.gather(in, own, ptr)
	values = append(values, maskOf(len(own), w.gather(in, own, in.Operand(2)), w.holds(in, in.Operand(3))))
	w.accessGlobal(e, values)
	at := w.elements(ptr, own)
	to.access(w, e, true, at)
	w.open = append(w.open, w.p.begin(e, func() {
		got := w.p.loaded(in, values)
		for k := range at {
			to.store(at[k], got, k)
		}
	}))
}

func (w *warp) asyncCommit(*ir.Instr) {
	w.groups = append(w.groups, w.open)
	w.open = nil
}

func (w *warp) asyncWait(in *ir.Instr) {
	n := max(0, len(w.groups)-int(in.Int("pending")))
	for _, group := range w.groups[:n] {
		for _, c := range group {
			c.complete()
			w.await(c.what)
		}
	}
	w.groups = w.groups[n:]
}

func (w *warp) fenceAsync(*ir.Instr) { w.fenced[w.id]++ }

// mbarrier is an mbarrier of phases of one arrival.
type mbarrier struct {
	ready  bool // it was initialized
	agent  int  // that its copies are done by
	phase  uint32
	arrive int   // arrivals that the phase waits for
	bytes  int64 // that it waits for
}

// turn begins the next phase if this one has all that it waits for.
func (b *mbarrier) turn() {
	if b.arrive == 0 && b.bytes == 0 {
		b.phase, b.arrive = b.phase+1, 1
	}
}

// barrier is the mbarrier of an operand, which e, which w does now, uses.
func (w *warp) barrier(v *ir.Value, e *event) *mbarrier {
	m := w.values[v.ID].mem
	m.access(w, e, false, nil)
	return &m.buffer.barriers[m.first]
}

// mbarrierInit makes mbarriers ready, mbarrierInval makes them memory again; one thread does.
func (w *warp) mbarrierInit(in *ir.Instr) {
	w.eachMbarrier(in, func() mbarrier {
		w.p.agents++
		return mbarrier{ready: true, agent: w.p.agents - 1, arrive: 1}
	})
}

func (w *warp) mbarrierInval(in *ir.Instr) {
	w.eachMbarrier(in, func() mbarrier { return mbarrier{} })
}

func (w *warp) eachMbarrier(in *ir.Instr, next func() mbarrier) {
	if w.id != 0 {
		return
	}
	m, e := w.values[in.Operands[0].ID].mem, w.event(in)
	for i := range m.buffer.barriers {
		m.first = i
		m.access(w, e, true, nil)
		m.buffer.barriers[i] = next()
	}
	w.fenced[w.id]++ // so that tensor copies see it
}

func (w *warp) mbarrierExpect(in *ir.Instr) {
	if w.id == 0 && w.holds(in, in.Operand(1)) {
		b := w.barrier(in.Operands[0], w.event(in))
		b.bytes += in.Int("bytes")
		b.arrive--
		b.turn()
	}
}

func (w *warp) mbarrierWait(in *ir.Instr) {
	b := w.barrier(in.Operands[0], w.event(in))
	parity := uint32(w.integer(in, in.Operands[1])) & 1
	// The phase before the first one counts as complete (PTX ISA, "mbarrier.test_wait").
	w.waitUntil(in, func() bool { return b.ready && b.phase&1 != parity })
	clock := make([]uint32, b.agent+1)
	clock[b.agent] = b.phase
	w.learn(knowledge{clock: clock})
}

// box is a tile that warp 0 copies. Each warp has a part of the pointers alone, and the copy begins when all have come.
type box struct {
	ptr, mask num.Vec
	left      int   // warps that have not come
	issuer    *warp // as it was then
	begin     func()
}

// boxKey names a box by how often its operation was done.
type boxKey struct {
	in   *ir.Instr
	turn int
}

// tmaLoad copies a whole tile, as one thread for all. No warp waits for another.
func (w *warp) tmaLoad(in *ir.Instr) {
	if !w.holds(in, in.Operand(4)) {
		return
	}
	p, ptr, e := w.p, in.Operands[0], w.event(in)
	n, key := ptr.Type.Numel(), boxKey{in, e.turn}
	x := p.boxes[key]
	if x == nil {
		x = &box{num.MakeVec(num.ClassI64, n), maskOf(n, nil, true), len(p.warps), nil, nil}
		p.boxes[key] = x
	}
	w.addTo(x.ptr, in, ptr)
	if mask := in.Operand(3); mask != nil {
		w.addTo(x.mask, in, mask)
	}
	if w.id == 0 {
		x.issuer = &warp{p: p}
		x.issuer.learn(w.knowledge)
		to := w.values[in.Operands[1].ID].mem
		b := w.barrier(in.Operands[2], e)
		copied := &event{in: in, agent: b.agent, time: b.phase + 1}
		to.access(w, copied, true, nil)
		x.begin = func() {
			values := []num.Vec{x.ptr, x.mask}
			x.issuer.accessGlobal(e, values)
			p.begin(copied, func() {
				got := p.loaded(in, values)
				for i := range n {
					to.store(uint32(i), got, i)
				}
				b.bytes -= int64(n * ptr.Type.DType.Info().Bytes)
				b.turn()
			})
		}
	}
	if x.left--; x.left == 0 {
		delete(p.boxes, key)
		x.begin()
	}
}

// addTo sets the elements of a tile that w has of v.
func (w *warp) addTo(tile num.Vec, in *ir.Instr, v *ir.Value) {
	x := w.take(in, v)
	for i := range x.Len() {
		move(tile, int(w.element(v, i)), x, i)
	}
}
