package author

import (
	"iter"

	"github.com/newtlab/newt/interp/trace"
)

// coverage observes which elements of its tensors a launch reads and writes.
type coverage struct {
	args          []trace.Buffer
	reads, writes [][]bool // by argument and element
}

// Launch implements trace.Observer.
func (c *coverage) Launch(_ [3]int, args []trace.Buffer) {
	*c = coverage{args: args, reads: make([][]bool, len(args)), writes: make([][]bool, len(args))}
	for i, a := range args {
		if len(a.Data) > 0 {
			n := len(a.Data) / a.DType.Info().Bytes
			c.reads[i], c.writes[i] = make([]bool, n), make([]bool, n)
		}
	}
}

// Access implements trace.Observer.
func (c *coverage) Access(a *trace.Access) {
	for i, p := range a.Ptr {
		arg, offset := trace.Split(p)
		if !a.Active(i) || arg >= len(c.args) || offset < 0 || offset >= int64(len(c.reads[arg])) {
			continue
		}
		if a.Kind != trace.Store {
			c.reads[arg][offset] = true
		}
		if a.Kind != trace.Load {
			c.writes[arg][offset] = true
		}
	}
}

// written are the names of the tensors that are written to.
func (c *coverage) written() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, a := range c.args {
			if share(c.writes[i]) > 0 && !yield(a.Name) {
				return
			}
		}
	}
}

// readShare and writtenShare are how much of a tensor is read and written, from 0 to 1.
func (c *coverage) readShare(name string) float64    { return c.shareOf(name, c.reads) }
func (c *coverage) writtenShare(name string) float64 { return c.shareOf(name, c.writes) }

func (c *coverage) shareOf(name string, of [][]bool) float64 {
	for i, a := range c.args {
		if a.Name == name {
			return share(of[i])
		}
	}
	return 0
}

func share(of []bool) float64 {
	n := 0
	for _, is := range of {
		if is {
			n++
		}
	}
	return float64(n) / float64(max(1, len(of)))
}
