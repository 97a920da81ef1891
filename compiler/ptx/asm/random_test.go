package asm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/ptx/sim"
)

const lanes = 96 // three warps

// statement is a step of a random program that all threads take. Thread t has one number, acc[t].
type statement struct {
	kind   kind
	buffer int
	shift  uint32
	body   []statement
	other  []statement
}

type kind int

const (
	makeBuffer kind = iota // and store to it
	storeTo                // buffer[t+shift] = 3·acc[t] + shift
	readFrom               // acc[t] = 5·acc[t] + buffer[t+shift]
	addTo                  // buffer[t+shift] += acc[t], atomically
	copyTo                 // buffer[t+shift] = input[t+shift], asynchronously
	waitFor                // for copies
	compute                // acc[t] = 7·acc[t] + shift
	slowPath               // three steps of which some threads take cold code's (slowStep), with values that live on
	repeat                 // body, three times
	branch                 // body where the rounds of loops so far are odd, other else
	numKinds
)

// generator makes programs in which every read is of what was written before.
type generator struct {
	*rand.Rand
	buffers int
}

func (g *generator) block(depth int, ready []int) []statement {
	var out []statement
	for range 2 + g.IntN(6) {
		s := statement{kind: kind(g.IntN(int(numKinds))), shift: uint32(g.IntN(lanes))}
		if len(ready) == 0 && s.kind != compute && s.kind != slowPath {
			s.kind = makeBuffer
		}
		if (s.kind == repeat || s.kind == branch) && depth == 0 {
			s.kind = compute
		}
		switch s.kind {
		case makeBuffer:
			s.buffer = g.buffers
			g.buffers++
			ready = append(ready, s.buffer)
		case storeTo, readFrom, addTo, copyTo:
			s.buffer = ready[g.IntN(len(ready))]
		case repeat, branch:
			s.body, s.other = g.block(depth-1, ready[:len(ready):len(ready)]), g.block(depth-1, ready[:len(ready):len(ready)])
		}
		if s.kind != readFrom && s.kind != compute && s.kind != slowPath { // writes of one kind in a row are of one operation
			s.shift = uint32(7 * s.buffer % lanes)
		}
		out = append(out, s)
	}
	return out
}

// slowSteps is the steps of a slow path, slowValues the values that live from one to the end.
const slowSteps, slowValues = 3, 24

// slowPaths is what a slow path makes of acc for the thread that at stands for.
func slowPaths(acc, at uint32) uint32 {
	var sum uint32
	for i := range uint32(slowSteps) {
		for j := range uint32(slowValues) {
			sum += acc ^ j<<i
		}
		if (at+i)&7 == 0 {
			acc = 11*acc + at
		} else {
			acc = 7*acc + i
		}
	}
	return acc + sum
}

// machine runs statements one after the other, each for all threads at once.
type machine struct {
	acc     [lanes]uint32
	input   [lanes]uint32
	buffers map[int]*[lanes]uint32
	rounds  int
}

func (m *machine) run(list []statement) {
	for _, s := range list {
		switch s.kind {
		case makeBuffer:
			m.buffers[s.buffer] = new([lanes]uint32)
			m.each(s, func(acc, x *uint32, _ uint32) { *x = 3**acc + s.shift })
		case storeTo:
			m.each(s, func(acc, x *uint32, _ uint32) { *x = 3**acc + s.shift })
		case readFrom:
			m.each(s, func(acc, x *uint32, _ uint32) { *acc = 5**acc + *x })
		case addTo:
			m.each(s, func(acc, x *uint32, _ uint32) { *x += *acc })
		case copyTo:
			m.each(s, func(_, x *uint32, in uint32) { *x = in })
		case compute:
			for t := range m.acc {
				m.acc[t] = 7*m.acc[t] + s.shift
			}
		case slowPath:
			for t := range m.acc {
				m.acc[t] = slowPaths(m.acc[t], uint32(t)+s.shift)
			}
		case repeat:
			for range 3 {
				m.rounds++
				m.run(s.body)
			}
		case branch:
			if m.rounds&1 != 0 {
				m.run(s.body)
			} else {
				m.run(s.other)
			}
		}
	}
}

func (m *machine) each(s statement, f func(acc, x *uint32, in uint32)) {
	for t := range m.acc {
		at := (uint32(t) + s.shift) % lanes
		f(&m.acc[t], &m.buffers[s.buffer][at], m.input[at])
	}
}

// writer emits statements as a code generator would.
type writer struct {
	*Program
	acc, rounds, tid, input Reg
}

func (w *writer) write(list []statement) {
	for _, s := range list {
		w.statement(s)
	}
}

func (w *writer) statement(s statement) {
	times := func(n int64, plus Operand) Reg {
		return w.Do("mad.lo.s32", R(w.acc), I(n), plus)
	}
	at := int64(4 * lanes * s.buffer)
	switch s.kind {
	case makeBuffer, storeTo, readFrom, addTo, copyTo:
		w.Effect("cp.async.wait_all")
		w.Barrier()
		w.SharedBytes = max(w.SharedBytes, int(at)+4*lanes)
	}
	switch s.kind {
	case makeBuffer, storeTo:
		w.Effect("st.shared.b32", MB(w.slot(s), at), R(times(3, I(int64(s.shift)))))
	case readFrom:
		w.Move(w.acc, R(times(5, R(w.Do("ld.shared.b32", MB(w.slot(s), at))))))
	case addTo:
		w.Effect("red.shared.add.u32", MB(w.slot(s), at), R(w.acc))
	case copyTo:
		slot := w.slot(s)
		from := w.Do("add.s64", R(w.input), R(w.Do("cvt.u64.u32", R(slot))))
		w.Effect("cp.async.ca.shared.global", MB(slot, at), M(from, 0), I(4))
	case waitFor:
		w.Add(Inst{Op: Op("cp.async.wait_all")})
	case compute:
		w.Move(w.acc, R(times(7, I(int64(s.shift)))))
	case slowPath:
		w.slowPath(s)
	case repeat:
		w.repeat(s)
	case branch:
		w.branch(s)
	}
}

// slowPath emits a slow path: cold code is asked first by a condition that holds too often.
func (w *writer) slowPath(s statement) {
	at := w.Do("add.s32", R(w.tid), I(int64(s.shift)))
	none := func(i, mask int64) Reg {
		low := w.Do("and.b32", R(w.Do("add.s32", R(at), I(i))), I(mask))
		return w.Do("setp.eq.s32", R(low), I(0))
	}
	var values []Reg
	for i := range int64(slowSteps) {
		for j := range int64(slowValues) {
			values = append(values, w.Do("xor.b32", R(w.acc), I(j<<i)))
		}
		cold, within, back := w.NewLabel("cold"), w.NewLabel("within"), w.NewLabel("back")
		w.Branch(cold, none(i, 3), false)
		w.Bind(within)
		w.Move(w.acc, R(w.Do("mad.lo.s32", R(w.acc), I(7), I(i))))
		w.Bind(back)
		w.Effect("bar.warp.sync", I(-1))
		w.Cold(func() {
			w.Bind(cold)
			w.Branch(within, none(i, 7), true)
			w.Move(w.acc, R(w.Do("mad.lo.s32", R(w.acc), I(11), R(at))))
			w.Branch(back, Reg{}, false)
		})
	}
	for _, v := range values {
		w.Move(w.acc, R(w.Do("add.s32", R(w.acc), R(v))))
	}
}

// slot is the byte at which the statement's element lies.
func (w *writer) slot(s statement) Reg {
	at := w.Do("rem.u32", R(w.Do("add.s32", R(w.tid), I(int64(s.shift)))), I(lanes))
	return w.Do("shl.b32", R(at), I(2))
}

func (w *writer) repeat(s statement) {
	i := w.Reg(B32)
	w.Move(i, I(0))
	head := w.NewLabel("loop")
	w.Loop(head, func() {
		w.Move(w.rounds, R(w.Do("add.s32", R(w.rounds), I(1))))
		w.write(s.body)
		w.Move(i, R(w.Do("add.s32", R(i), I(1))))
		w.Branch(head, w.Do("setp.lt.s32", R(i), I(3)), false)
	})
}

func (w *writer) branch(s statement) {
	other, end := w.NewLabel("else"), w.NewLabel("end")
	odd := w.Do("setp.ne.s32", R(w.Do("and.b32", R(w.rounds), I(1))), I(0))
	w.Branch(other, odd, true)
	w.write(s.body)
	w.Branch(end, Reg{}, false)
	w.Bind(other)
	w.write(s.other)
	w.Bind(end)
}

func emit(list []statement) *Program {
	w := &writer{Program: &Program{Name: "k", Threads: lanes, Target: "sm_80", SharedAlign: 16, Params: []Param{{Name: "out"}, {Name: "in"}}}}
	out := w.Do("ld.param.u64", MS("out", 0))
	w.input = w.Do("ld.param.u64", MS("in", 0))
	w.tid = w.Do("mov.u32", S("%tid.x"))
	w.acc, w.rounds = w.Reg(B32), w.Reg(B32)
	w.Move(w.acc, R(w.tid))
	w.Move(w.rounds, I(0))
	w.write(list)
	w.Effect("st.global.b32", M(w.Do("mad.wide.u32", R(w.tid), I(4), R(out)), 0), R(w.acc))
	return w.Program
}

// simulate runs a program and gives its output.
func simulate(p *Program, input []uint32, seed uint64) (out []uint32, text string, err error) {
	text, _, err = Finish(p)
	if err != nil {
		return nil, text, err
	}
	m, err := sim.Load(text)
	if err != nil {
		return nil, text, err
	}
	mem := sim.NewMemory(0)
	to, err := mem.Alloc(4 * lanes)
	if err != nil {
		return nil, text, err
	}
	from, err := mem.Alloc(4 * lanes)
	if err != nil {
		return nil, text, err
	}
	raw := make([]byte, 4*lanes)
	for i, x := range input {
		binary.LittleEndian.PutUint32(raw[4*i:], x)
	}
	if err := mem.Write(from, raw); err != nil {
		return nil, text, err
	}
	cfg := sim.LaunchConfig{Threads: lanes, Shared: p.SharedBytes, Params: []uint64{to, from}, Memory: mem, Seed: seed}
	if _, err := m.Launch(context.Background(), cfg); err != nil {
		return nil, text, err
	}
	if err := mem.Read(to, raw); err != nil {
		return nil, text, err
	}
	for i := range lanes {
		out = append(out, binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out, text, nil
}

func check(t *testing.T, seed uint64) {
	t.Helper()
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	list := g.block(3, nil)
	m := &machine{buffers: map[int]*[lanes]uint32{}}
	for i := range m.acc {
		m.acc[i], m.input[i] = uint32(i), g.Uint32()
	}
	m.run(list)
	out, text, err := simulate(emit(list), m.input[:], seed)
	if err != nil {
		t.Fatalf("seed %d: %v in\n%s", seed, err, text)
	}
	if fmt.Sprint(out) != fmt.Sprint(m.acc[:]) {
		t.Fatalf("seed %d: got %v, want %v from\n%s", seed, out, m.acc, text)
	}
}

// TestRandom runs random programs on the simulator, which finds races, divergent barriers and reads
// of what was never written, and compares what they compute with a machine that has no threads.
func TestRandom(t *testing.T) {
	for seed := range uint64(400) {
		check(t, seed)
	}
}

func FuzzRandom(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { check(t, seed) })
}
