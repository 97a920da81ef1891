package trace

import "slices"

// Recorder keeps a copy of the accesses it sees, up to MaxLanes lanes in all; later ones are
// counted but not kept. Filter, where set, chooses the programs that are kept.
type Recorder struct {
	MaxLanes int
	Filter   func(program [3]int) bool

	Grid     [3]int
	Args     []Buffer
	Accesses []Access
	Dropped  int

	lanes int
}

// Launch starts a new recording.
func (r *Recorder) Launch(grid [3]int, args []Buffer) {
	r.Grid, r.Args = grid, args
	r.Accesses, r.Dropped, r.lanes = nil, 0, 0
}

// Access copies a.
func (r *Recorder) Access(a *Access) {
	if r.Filter != nil && !r.Filter(a.Program) {
		return
	}
	if r.lanes+len(a.Ptr) > r.MaxLanes {
		r.Dropped++
		return
	}
	r.lanes += len(a.Ptr)
	var kept Access
	kept.Set(*a)
	kept.Ptr, kept.Mask = slices.Clone(a.Ptr), slices.Clone(a.Mask)
	kept.Values, kept.Compare = a.Values.Clone(), a.Compare.Clone()
	r.Accesses = append(r.Accesses, kept)
}

// Tee is an observer that tells several.
type Tee []Observer

// Launch tells every observer of the launch.
func (t Tee) Launch(grid [3]int, args []Buffer) {
	for _, o := range t {
		o.Launch(grid, args)
	}
}

// Access tells every observer of a.
func (t Tee) Access(a *Access) {
	for _, o := range t {
		o.Access(a)
	}
}

// Watches reports whether an observer is to be told of the program's operations.
func (t Tee) Watches(program [3]int) bool {
	return slices.ContainsFunc(t, func(o Observer) bool {
		w, ok := o.(OperationObserver)
		return ok && w.Watches(program)
	})
}

// Operation tells every observer of o that watches its program.
func (t Tee) Operation(op *Operation) {
	for _, o := range t {
		if w, ok := o.(OperationObserver); ok && w.Watches(op.Program) {
			w.Operation(op)
		}
	}
}

// Product tells every observer of p that asks for products.
func (t Tee) Product(p Product) {
	for _, o := range t {
		if o, ok := o.(ProductObserver); ok {
			o.Product(p)
		}
	}
}
