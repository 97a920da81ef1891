package sanitize

import (
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// Bounds observes a launch and gathers how far its accesses leave their arguments: more than the
// first instance, which the engine itself reports.
type Bounds struct {
	args  []trace.Arg
	found map[outside]*Outside
}

type outside struct {
	span source.Span
	arg  int
}

// Outside is what one access did outside one argument over a launch.
type Outside struct {
	Span      source.Span
	Kind      trace.Kind
	Arg       int
	Low, High int64 // the least and the greatest offset outside
	Lanes     int64
	Programs  int64  // how many programs had such lanes
	FirstLane int    // in the first of them
	First     [3]int // that program

	last [3]int
}

// Launch forgets what was and begins with the arguments of a new launch.
func (b *Bounds) Launch(_ [3]int, args []trace.Arg) {
	*b = Bounds{args: args, found: map[outside]*Outside{}}
}

// Access looks for lanes outside their arguments.
func (b *Bounds) Access(a *trace.Access) {
	for i, ptr := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, offset := trace.Split(ptr)
		if arg < len(b.args) && b.inside(arg, offset, a.DType.Info().Bytes) {
			continue
		}
		b.add(a, i, arg, offset)
	}
}

func (b *Bounds) inside(arg int, offset int64, size int) bool {
	at := offset*int64(size) + int64(b.args[arg].Origin*b.args[arg].DType.Info().Bytes)
	return at >= 0 && at+int64(size) <= int64(len(b.args[arg].Data))
}

func (b *Bounds) add(a *trace.Access, lane, arg int, offset int64) {
	key := outside{a.Span, arg}
	o := b.found[key]
	if o == nil {
		o = &Outside{
			Span: a.Span, Kind: a.Kind, Arg: arg, Low: offset, High: offset,
			Programs: 1, FirstLane: lane, First: a.Program, last: a.Program,
		}
		b.found[key] = o
	}
	o.Low, o.High = min(o.Low, offset), max(o.High, offset)
	o.Lanes++
	if o.last != a.Program {
		o.Programs++
		o.last = a.Program
	}
}

// Of is what the access at span did outside argument arg; nil where it did not leave it.
func (b *Bounds) Of(span source.Span, arg int) *Outside { return b.found[outside{span, arg}] }
