package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/reroll"
	"github.com/newtlab/newt/compiler/syntax"
)

// unrollFor lowers a loop's body once for each value. What next gives ends with ok false.
func (l *lowerer) unrollFor(f *syntax.For, next func(i int) (value, bool)) {
	l.unrollLoop(f, f.Iter, f.Body, func(i int) bool {
		v, ok := next(i)
		if ok {
			// The induction variable is a constexpr in each iteration.
			l.assignTarget(f.Target, v, f.Target.Span())
		}
		return ok
	})
}

// unrollWhile runs a while loop of Python, whose condition is known.
func (l *lowerer) unrollWhile(w *syntax.While) {
	l.unrollLoop(w, w.Test, w.Body, func(int) bool {
		_, known, ok := l.lowerCondition(w.Test)
		return ok && known
	})
}

// unrollLoop lowers a loop's body once for each iteration that next begins.
func (l *lowerer) unrollLoop(loop syntax.Stmt, head syntax.Expr, body []syntax.Stmt, next func(i int) bool) {
	// What the body assigns lives on into the next iteration, as if a loop carried it.
	saved := l.frame.carried
	l.frame.carried = make(map[string]bool)
	for name := range saved {
		l.frame.carried[name] = true
	}
	for _, name := range assignedNames(body) {
		l.frame.carried[name] = true
	}
	// continue and break end with the loop; a return does not.
	before, had := l.frame.vars.get(exitContinue)
	l.unrollFrom(loop, head, body, next, 0)
	l.frame.carried = saved
	if !had {
		before = binding{val: pyFalse}
	}
	l.frame.vars.set(exitContinue, before)
	l.frame.vars.set(exitBreak, binding{val: pyFalse})
}

func (l *lowerer) unrollFrom(loop syntax.Stmt, head syntax.Expr, body []syntax.Stmt, next func(i int) bool, i int) {
	block := l.b.current()
	iterations := reroll.Loop{Span: l.userSpan(loop.Span()), Starts: []int{len(block.Instrs)}}
	defer func() { l.result.Unrolled[block] = append(l.result.Unrolled[block], iterations) }()
	for ; next(i); i++ {
		if i == guessedTripCount && l.underGuess() && !l.inModuleCode() {
			l.truncateUnrolled(loop)
			return
		}
		if l.unrolled++; l.unrolled > maxUnrolled {
			l.abortWith(diag.New("unroll-too-long", l.spanOf(head), maxUnrolled))
		}
		l.countStep(loop.Span())
		l.frame.vars.set(exitContinue, binding{val: pyFalse})
		l.lowerStmts(body, func() {})
		l.frame.vars.set(exitContinue, binding{val: pyFalse})
		iterations.Starts = append(iterations.Starts, len(block.Instrs))
		if known, left, _ := l.exitState(); left {
			return
		} else if !known {
			// A break under a run-time condition: the remaining iterations are the rest of a branch.
			l.lowerGuarded(loop.Span(), func() { l.unrollFrom(loop, head, body, next, i+1) })
			return
		}
	}
}

// unrollStaticRange unrolls tl.static_range.
func (l *lowerer) unrollStaticRange(f *syntax.For, r rangeValue) {
	var parts [3]int64
	for i, v := range []value{r.lo, r.hi, r.step} {
		n, ok := l.constantInt(v, f.Iter, "static_range")
		if !ok {
			l.newLoop(f, f.Body, f.Target).lowerBroken(f.Body, f.Target)
			return
		}
		parts[i] = n
	}
	lo, hi, step := parts[0], parts[1], parts[2]
	if step == 0 {
		l.fail(diag.New("range-step-zero", l.userSpan(r.span)))
		return
	}
	l.unrollFor(f, func(i int) (value, bool) {
		x := lo + int64(i)*step
		return integer(x), step > 0 && x < hi || step < 0 && x > hi
	})
}

// tritonIteratorText are what Triton says of a for over anything but a range: it looks for the function
// that is called.
func tritonIteratorText(e syntax.Expr) string {
	if _, isCall := e.(*syntax.Call); isCall {
		return "Only `range` and `static_range` iterators are currently supported"
	}
	return "'" + nodeName(e) + "' object has no attribute 'func'"
}

// knownElements lists the elements of a tuple, or of a range whose bounds are known.
func (l *lowerer) knownElements(v value, e syntax.Expr) ([]value, bool) {
	switch v := v.(type) {
	case poison:
		return nil, false
	case tuple:
		return v.elems, true
	case rangeValue:
		return l.knownRange(v, e)
	}
	l.fail(diag.New("not-iterable", l.spanOf(e), kindText(v)))
	return nil, false
}

func (l *lowerer) knownRange(r rangeValue, e syntax.Expr) ([]value, bool) {
	lo, ok1 := l.constantInt(r.lo, e, "range")
	hi, ok2 := l.constantInt(r.hi, e, "range")
	step, ok3 := l.constantInt(r.step, e, "range")
	if !ok1 || !ok2 || !ok3 || step == 0 {
		return nil, false
	}
	var out []value
	for x := lo; step > 0 && x < hi || step < 0 && x > hi; x += step {
		if l.unrolled++; l.unrolled > maxUnrolled {
			l.abortWith(diag.New("unroll-too-long", l.spanOf(e), maxUnrolled))
		}
		out = append(out, integer(x))
	}
	return out, true
}
