package host

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Launcher runs kernels for scripts.
type Launcher interface {
	// Launch runs one kernel[grid](…) to its end. What it reports ends the script, as a failed
	// launch does; a nil Diagnostic is success.
	Launch(l Launch) *diag.Diagnostic
}

// Launch is one kernel[grid](…): a grid of programs and the kernel's arguments.
type Launch struct {
	Kernel  *Kernel
	Grid    [3]int
	Args    []Value          // by parameter; nil where the kernel's default counts
	Options map[string]Value // keywords that are not parameters: num_warps, num_stages, …
	Span    source.Span      // the call
}

// launch binds arguments to the kernel's parameters, evaluates the grid and hands over.
func (m *machine) launch(g *gridded, a arguments, span source.Span) Value {
	if m.options.Launcher == nil {
		halt(diag.New("host-no-launcher", span, g.kernel.Name))
	}
	l := Launch{Kernel: g.kernel, Options: map[string]Value{}, Span: span}
	params := g.kernel.Def.Params.List
	l.Args = make([]Value, len(params))
	if len(a.positional) > len(params) {
		raise("TypeError", "%s() takes %d positional arguments but %d were given", g.kernel.Name, len(params), len(a.positional))
	}
	meta := newDict()
	set := func(i int, v Value) {
		l.Args[i] = v
		meta.set(python.Str(params[i].Name), v)
	}
	for i, v := range a.positional {
		set(i, v)
	}
	for _, k := range a.keywords {
		if i := paramNamed(params, k.name); i >= 0 {
			if l.Args[i] != nil {
				raise("TypeError", "%s() got multiple values for argument '%s'", g.kernel.Name, k.name)
			}
			set(i, k.value)
			continue
		}
		l.Options[k.name] = k.value
		meta.set(python.Str(k.name), k.value)
	}
	for i, p := range params {
		if l.Args[i] == nil && p.Default == nil {
			raise("TypeError", "%s() missing 1 required positional argument: '%s'", g.kernel.Name, p.Name)
		}
	}
	grid := g.grid
	if callable(grid) {
		grid = m.call(grid, arguments{positional: []Value{meta}})
	}
	l.Grid = m.gridSizes(grid)
	if d := m.options.Launcher.Launch(l); d != nil {
		halt(d)
	}
	return none
}

func paramNamed(params []syntax.Param, name string) int {
	for i, p := range params {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// gridSizes reads a grid: one to three integers.
func (m *machine) gridSizes(v Value) [3]int {
	sizes := [3]int{1, 1, 1}
	if _, ok := python.AsInt(v); ok {
		v = Tuple{v}
	}
	items := m.items1(v)
	if len(items) > 3 {
		raise("ValueError", "a grid has at most three dimensions, not %d", len(items))
	}
	for i, x := range items {
		n := m.index(x)
		if n < 0 || n > 1<<31-1 {
			raise("ValueError", "grid dimension %d is %d; it must lie between 0 and 2147483647", i, n)
		}
		sizes[i] = int(n)
	}
	return sizes
}
