package judge

import (
	"errors"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// seed seeds torch's random numbers.
func (p *program) seed(n uint32) {
	p.Tensors().Generator.Seed(uint64(n))
	p.Tensors().CUDAGenerator.Seed(uint64(n))
}

// drawn is the state of torch's random numbers.
func (p *program) drawn() string {
	return string(p.Tensors().Generator.State()) + string(p.Tensors().CUDAGenerator.State())
}

// smallSize is the largest integer that is left as it is where sizes are changed: the size of a window, a number of
// heads.
const smallSize = 8

// variables are what the reference's module binds to integers and to tuples of them: the sizes of its tensors.
func (j *judging) variables() (own point) {
	module, _ := syntax.Parse(j.o.Reference)
	for _, s := range module.Body {
		assignment, ok := s.(*syntax.Assign)
		if !ok {
			continue
		}
		for _, target := range assignment.Targets {
			syntax.Walk(target, func(n syntax.Node) bool {
				name, ok := n.(*syntax.Name)
				if !ok || slices.ContainsFunc(own, func(k host.Keyword) bool { return k.Name == name.ID }) {
					return true
				}
				v, _ := j.reference.Global(name.ID)
				if _, ok := integers(v, func(n int64) int64 { return n }); ok {
					own = append(own, host.Keyword{Name: name.ID, Value: v})
				}
				return true
			})
		}
	}
	return own
}

// integers copies an integer, or a tuple or list of them, with those of f. ok is false for anything else.
func integers(v host.Value, f func(int64) int64) (out host.Value, ok bool) {
	if v == nil {
		return nil, false
	}
	out, err := host.MapLeaves(v, func(_ string, leaf host.Value) (host.Value, error) {
		if n, isInt := leaf.(python.Int); isInt {
			if n, fits := n.Int64(); fits {
				ok = true
				return python.NewInt(f(n)), nil
			}
		}
		return nil, errors.New("no integer")
	})
	return out, ok && err == nil
}

// halved has half of each size that is not small. ok is false where there are none.
func halved(p point) (half point, ok bool) {
	for _, k := range p {
		smaller, isSize := integers(k.Value, func(n int64) int64 {
			if n < 2*smallSize {
				return n
			}
			ok = true
			return n / 2
		})
		if isSize {
			k.Value = smaller
		}
		half = append(half, k)
	}
	return half, ok
}

// fitting are those of a reference's own points that can be interpreted in short time or, where there are none, the
// largest of their halves, quarters and so on that can.
func (j *judging) fitting(own []point) (list []point, reason *diag.Text) {
	seen := map[string]bool{}
	var failed *diag.Diagnostic
	var failure error
	var notes diag.List // of those that were made smaller
	for _, p := range own {
		best, ok, d, err := j.fit(p)
		if !ok {
			if failed == nil && failure == nil {
				failed, failure = d, err
			}
			continue
		}
		whole, text := SizesText(p.sizes()), SizesText(best.sizes())
		smaller := whole != text
		switch {
		case smaller && len(list) > len(notes) || seen[text]: // some are as they are, and enough
			continue
		case smaller:
			notes.Add(diag.New("judge-smaller-sizes", j.at, whole, text))
		case len(notes) > 0:
			list, notes = nil, nil
		}
		seen[text] = true
		list = append(list, best)
	}
	if j.smaller = len(notes) > 0; j.smaller {
		notes[0].Severity = diag.Hint
		j.report.Diagnostics.AddNew(notes[0])
	}
	switch {
	case len(list) > 0:
		return list, nil
	case failure != nil:
		return nil, &diag.Text{Key: "judge-report.inputs-form", Args: []any{failure.Error()}}
	}
	return nil, j.failing(failed, "judge-report.reference-fails-at", sizesArg(own[0].sizes()))
}

// ownShare is how many times as much work a point may take that is not made smaller.
const ownShare = 8

// fit finds the largest point that is not too large. Where there is none, ok is false, and the others say why the
// reference fails. It starts with the smallest, since how long one takes is known afterwards.
func (j *judging) fit(own point) (best point, ok bool, failed *diag.Diagnostic, err error) {
	list := []point{own}
	for half, smaller := halved(own); smaller; half, smaller = halved(half) {
		list = append(list, half)
	}
	for i, p := range slices.Backward(list) {
		var work int64
		work, failed, err = j.rehearse(p)
		fails := failed != nil || err != nil
		tooMuch := work > maxVolume && (i > 0 || work > ownShare*maxVolume)
		if !fails && !(ok && tooMuch) {
			best, ok = p, true
		}
		if j.ctx.Err() != nil || failed != nil && hasCode(failed, lacks) || ok && (fails || tooMuch) {
			break
		}
	}
	return best, ok, failed, err
}

// rehearse calls the reference at a point and gives the work of the call.
func (j *judging) rehearse(p point) (work int64, d *diag.Diagnostic, err error) {
	if j.protocol.constructor != "" {
		d, err = j.constructReference(p)
	}
	if d == nil && err == nil {
		var args host.Value
		if args, d = j.makeInputs(p); d == nil {
			d, err = (&trial{judging: j}).reference(args)
		}
	}
	return j.reference.spent(), d, err
}

// neighbors are sizes, and those with one of them larger or smaller by one, which a reference need not promise.
func neighbors(own point) []point {
	points := []point{own}
	for i, k := range own {
		for _, by := range []int64{-1, 1} {
			p := slices.Clone(own)
			changed := false
			p[i].Value, _ = integers(k.Value, func(n int64) int64 {
				if n <= smallSize {
					return n
				}
				changed = true
				return n + by
			})
			if changed {
				points = append(points, p)
			}
		}
	}
	return points
}

// construct makes an object of a session's class. The seed is the same for all that are made at a point, so that their
// parameters are.
func (j *judging) construct(s *program, class string) (host.Value, *diag.Diagnostic, error) {
	args, err := newCopier(s.Tensors()).values(j.constructorArgs)
	if err != nil {
		return nil, nil, err
	}
	c := s.Tensors()
	heard, on := c.Called, c.DefaultDevice
	c.Called, c.DefaultDevice = nil, tensor.CUDA
	defer func() { c.Called, c.DefaultDevice, c.GradEnabled = heard, on, false }()
	s.seed(j.seed)
	c.GradEnabled = true
	of, _ := s.Global(class)
	s.begin(callWork)
	made, d := s.callWith(of, args)
	return made.result, d, nil
}

// constructAt makes the objects of a point, where the form has some. Not ok where it cannot; the reason then says why
// nothing can be judged, if that is so.
func (j *judging) constructAt(p point, given bool) (ok bool, reason *diag.Text) {
	if j.protocol.constructor == "" {
		return true, nil
	}
	switch d, err := j.constructReference(p); {
	case err != nil:
		return false, &diag.Text{Key: "judge-report.inputs-form", Args: []any{err.Error()}}
	case d != nil:
		return false, j.unpromised(p, d, given)
	}
	reason = j.constructSubmission(p)
	return reason == nil && j.got != nil, reason
}

// constructReference makes the reference's object at a point, and the same in float64.
func (j *judging) constructReference(p point) (d *diag.Diagnostic, err error) {
	for _, k := range p {
		j.reference.SetGlobal(k.Name, k.Value)
	}
	j.seed = j.random.Uint32()
	j.reference.seed(j.seed)
	j.constructorArgs = host.Tuple{}
	j.reference.begin(callWork)
	if f, ok := j.reference.Global(j.protocol.constructor); ok {
		if j.constructorArgs, d = j.reference.Call(f); d != nil {
			return d, nil
		}
	}
	if j.want, d, err = j.construct(j.reference, j.protocol.reference); d != nil || err != nil {
		return d, err
	}
	if j.wantExact, d, err = j.construct(j.reference, j.protocol.reference); d == nil && err == nil {
		j.wantExact, d = j.reference.Call(j.double, j.wantExact)
	}
	return d, err
}

// constructSubmission makes the submission's object: nil where it raises. The reason says why nothing can be judged.
func (j *judging) constructSubmission(p point) *diag.Text {
	var d *diag.Diagnostic
	if j.got, d, _ = j.construct(j.submission, j.protocol.submission); d != nil {
		if d = j.placed(d); hasCode(d, lacks) {
			return j.lacking(d)
		}
		j.got = nil
		test := Test{Sizes: p.sizes(), Kind: Values, Outcome: Failed, Message: d.In(j.o.Lang).Headline}
		if j.refuses(d) {
			test.Outcome = Differs
			j.refusal(test.Sizes, d)
		} else {
			j.fault(d)
		}
		j.add(test)
	}
	return nil
}
