package judge

import "github.com/newtlab/newt/interp/trace"

// writers remembers which program wrote each element of one argument last.
type writers struct {
	arg  int
	last map[int][3]int
}

func (w *writers) Launch([3]int, []trace.Buffer) {}

func (w *writers) Access(a *trace.Access) {
	if a.Kind == trace.Load {
		return
	}
	// Accesses come in the order in which programs run, so that the last one to write an element stays.
	for i, p := range a.Ptr {
		if arg, offset := trace.Split(p); arg == w.arg && a.Active(i) {
			w.last[int(offset)] = a.Program
		}
	}
}

var _ trace.Observer = (*writers)(nil)
