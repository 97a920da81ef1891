package host

import (
	"runtime"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// budget is what a run has spent of its limits: steps, items of containers, and levels of calls. It counts work and not
// time, so that a slow machine gives the same verdict.
type budget struct {
	options *Options
	files   *source.Set
	steps   int64
	items   int64
	pollAt  int64 // the steps at which poll is due
	ticks   int64
	depth   int
	loop    source.Span // the innermost loop that runs
}

// reset begins anew: each call from outside has a budget of its own.
func (b *budget) reset() { b.steps, b.items, b.pollAt = 0, 0, 0 }

// stopEvery is the number of steps between two questions whether the run is to stop. A step can be a launch, or an
// operation on a large tensor, of many milliseconds.
const stopEvery = 8

// countStep counts one step of the program at a place and stops it past the budget.
func (b *budget) countStep(span source.Span) {
	if b.steps++; b.steps >= b.pollAt {
		b.poll(span)
	}
}

// poll ends the run past the budget, and where it is to stop.
func (b *budget) poll(span source.Span) {
	if b.steps > b.options.MaxSteps {
		halt(b.outOfSteps(span))
	}
	b.pollAt = b.options.MaxSteps + 1
	if b.options.Stop != nil {
		b.pollAt = min(b.pollAt, b.steps+stopEvery)
		if b.options.Stop() {
			halt(diag.New("host-stopped", span))
		}
	}
}

// tick is for loops in Go over what people's data hold, whose rounds are no steps: of a thousand, one asks whether the
// run is to stop. Without a machine nothing can stop it.
func (m *machine) tick() {
	if m == nil {
		return
	}
	if m.budget.ticks++; m.budget.ticks%1024 == 0 {
		m.budget.poll(m.at)
	}
}

// ticking is a visitor of the entries of a dict that ticks.
func (m *machine) ticking(visit func(k, v Value)) func(k, v Value) {
	return func(k, v Value) {
		m.tick()
		visit(k, v)
	}
}

// outOfSteps points at the innermost loop, if there is one.
func (b *budget) outOfSteps(span source.Span) *diag.Diagnostic {
	if b.loop != (source.Span{}) {
		span = b.loop
	}
	return diag.New("host-steps", span, b.options.MaxSteps, b.files.File(span).Position(span.Start).Line)
}

// enterLevel enters one level of calls or of nested values; the caller leaves it again. Exceptions need not: whoever
// catches one restores the depth.
func (b *budget) enterLevel() {
	if b.depth++; b.depth > b.options.MaxDepth {
		b.depth--
		raise("RecursionError", "maximum recursion depth exceeded")
	}
}

func (b *budget) leaveLevel() { b.depth-- }

// chargeItems counts n items of containers or bytes of text, before they are made where their number is known. Most of
// what a run has made is garbage by the time that the count reaches the limit: then it goes on from what is there.
func (b *budget) chargeItems(n int) {
	// n is negative where the caller's product has overflowed.
	most := b.options.MaxItems
	if n >= 0 && b.items+int64(n) <= most {
		b.items += int64(n)
		return
	}
	if n >= 0 && int64(n) < most {
		if live := b.liveItems(); live+int64(n) <= most/4*3 {
			b.items = live + int64(n)
			return
		}
	}
	limit("MemoryError", "the lists, texts and dicts of this run grow past %d items, the most that are allowed here",
		most)
}

// itemBytes is what an item takes.
const itemBytes = 16

// liveItems is how many items there are by the memory in use, that of tensors aside.
func (b *budget) liveItems() int64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return max(int64(s.HeapAlloc)-b.options.Tensors.Held(), 0) / itemBytes
}
