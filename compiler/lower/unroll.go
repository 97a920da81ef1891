package lower

import (
	"fmt"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// unroll lowers a loop's body once for each value. What next gives ends with ok false.
func (l *lowerer) unroll(f *syntax.For, next func(i int) (value, bool)) {
	saved := l.frame.carried
	l.frame.carried = make(map[string]bool)
	for name := range saved {
		l.frame.carried[name] = true
	}
	for _, name := range assigned(f.Body) {
		l.frame.carried[name] = true
	}
	before, had := l.frame.vars.get(keyContinue)
	l.iterations(f, next, 0)
	l.frame.carried = saved
	if !had {
		before = binding{val: never}
	}
	l.frame.vars.set(keyContinue, before)
	l.frame.vars.set(keyBreak, binding{val: never})
}

func (l *lowerer) iterations(f *syntax.For, next func(i int) (value, bool), i int) {
	for ; ; i++ {
		v, ok := next(i)
		if !ok {
			return
		}
		if i == guessedTrips && l.guessing() {
			l.cutShort(f)
			return
		}
		if l.unrolled++; l.unrolled > maxUnrolled {
			l.stop(diag.New("unroll-too-long", l.place(f.Iter), maxUnrolled))
		}
		l.step(f.Span())
		l.frame.vars.set(keyContinue, binding{val: never})
		l.assignTarget(f.Target, v, f.Target.Span())
		l.stmts(f.Body, func() {})
		l.frame.vars.set(keyContinue, binding{val: never})
		if known, left, _ := l.leaving(); left {
			return
		} else if !known {
			l.guarded(f.Span(), func() { l.iterations(f, next, i+1) })
			return
		}
	}
}

// staticLoop unrolls tl.static_range.
func (l *lowerer) staticLoop(f *syntax.For, r ranges) {
	var parts [3]int64
	for i, v := range []value{r.lo, r.hi, r.step} {
		n, ok := l.constantInt(v, f.Iter, "static_range")
		if !ok {
			l.quietLoop(l.newLoop(f, f.Body, f.Target), f.Body, f.Target)
			return
		}
		parts[i] = n
	}
	lo, hi, step := parts[0], parts[1], parts[2]
	if step == 0 {
		l.fail(diag.New("range-step-zero", l.at(r.span)))
		return
	}
	l.unroll(f, func(i int) (value, bool) {
		x := lo + int64(i)*step
		return integer(x), step > 0 && x < hi || step < 0 && x > hi
	})
}

// iteratorWords are what Triton says of a for over anything but a range: it looks for the function
// that is called.
func iteratorWords(e syntax.Expr) string {
	if _, isCall := e.(*syntax.Call); isCall {
		return "Only `range` and `static_range` iterators are currently supported"
	}
	_, node, _ := strings.Cut(fmt.Sprintf("%T", e), ".")
	return fmt.Sprintf("'%s' object has no attribute 'func'", node)
}

// forStmt lowers for: over a range at run time, over anything else by unrolling.
func (l *lowerer) forStmt(f *syntax.For) {
	if len(f.Else) > 0 {
		l.fail(diag.New("loop-else", l.place(f.Else[0])))
	}
	switch it := l.expr(f.Iter).(type) {
	case poison:
		l.quietLoop(l.newLoop(f, f.Body, f.Target), f.Body, f.Target)
	case ranges:
		if it.static {
			l.staticLoop(f, it)
		} else {
			l.forLoop(f, it)
		}
	case tuple:
		l.superset(diag.New("for-over-tuple", l.place(f.Iter), iteratorWords(f.Iter)))
		l.unroll(f, func(i int) (value, bool) {
			if i >= len(it.elems) {
				return nil, false
			}
			return it.elems[i], true
		})
	default:
		l.fail(diag.New("not-iterable", l.place(f.Iter), kindText(it)))
		l.quietLoop(l.newLoop(f, f.Body, f.Target), f.Body, f.Target)
	}
}
