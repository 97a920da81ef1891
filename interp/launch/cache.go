package launch

import (
	"slices"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
)

// JITFunction is a kernel as it is written, with the cache of what it was compiled to: one Kernel for each way in which
// arguments were specialized. Triton's class of that name is the same. Its identity is the value, not the kernel's
// name: two definitions of one name are two JITFunctions.
type JITFunction struct {
	file     *source.File
	options  compiler.Options // without Args
	compiled []*Kernel
}

// Named is the kernel of that name in a file; the last kernel where the name is empty.
func Named(file *source.File, name string, strict bool) *JITFunction {
	return &JITFunction{file: file, options: compiler.Options{Kernel: name, Strict: strict}}
}

// Held is a kernel that a running program holds.
func Held(fn *compiler.Function, strict bool) *JITFunction {
	return &JITFunction{file: fn.File, options: compiler.Options{Function: fn, Strict: strict}}
}

// Interpreted is the same kernel as TRITON_INTERPRET=1 runs it: what Triton's compiler refuses is fine, and plain
// functions that its statements call are calls of the program (compiler.HostCall).
func (f *JITFunction) Interpreted() *JITFunction {
	o := f.options
	o.Interpreted, o.Strict = true, false
	return &JITFunction{file: f.file, options: o}
}

// WithDotPrecision is the same kernel, whose tl.dot has this precision where it names none.
func (f *JITFunction) WithDotPrecision(precision string) *JITFunction {
	o := f.options
	o.DotPrecision = precision
	return &JITFunction{file: f.file, options: o}
}

// Compile gives the kernel for the arguments, compiling it unless one that fits them is in the cache; it is nil where
// the list has errors. The list is empty where the kernel was in the cache.
func (f *JITFunction) Compile(args []Arg) (*Kernel, diag.List) {
	for _, k := range f.compiled {
		if k.Fits(args) {
			return k, nil
		}
	}
	k, list := f.compile(specialize(args), Interpreter)
	if k != nil {
		f.compiled = append(f.compiled, k)
	}
	return k, list
}

// Changed is the first constexpr or dtype around the function that has another value than when it was compiled in, and
// the value that it has now. Triton refuses to launch the kernel then.
func (f *JITFunction) Changed() (was lower.Read, now lower.Outer, changed bool) {
	for _, k := range f.compiled {
		for _, r := range k.Reads {
			if !pinned(r.Value) {
				continue
			}
			if now, ok := r.Scope.Lookup(r.Name); ok && !lower.SameValue(now.Value, r.Value) {
				return r, now, true
			}
		}
	}
	return was, now, false
}

// pinned reports whether Triton accepts a value around a kernel, and compares it at each launch. What it does not
// accept is newt's own, and compiled anew.
func pinned(v any) bool {
	switch v.(type) {
	case lower.Constexpr, num.DType:
		return true
	}
	return false
}

// CompileObservable compiles the kernel for the arguments as Kernel.Observable does, and not otherwise unless it must:
// for launches that are observed, and made nowhere else. It is nil where the list has errors.
func (f *JITFunction) CompileObservable(args []Arg) (*Kernel, diag.List) {
	o := f.options
	o.Args = specialize(args)
	if k := observable(f.file, o); k != nil {
		return k, nil
	}
	return f.Compile(args)
}

// Fits reports whether the kernel that would be compiled for args is this one: where arguments have
// the same types and divisibility, and what was compiled in has the same value, arguments as well as
// what the kernel read of the names around it. It is the key of Triton's cache of compiled kernels.
func (k *Kernel) Fits(args []Arg) bool {
	// What a kernel read of the names around it was compiled in, as constexprs are.
	for _, r := range k.Reads {
		if !r.Holds() {
			return false
		}
	}
	// Params are what lowering left; of these, a value that folding has used counts as compiled in.
	atRunTime := map[string]bool{}
	for _, p := range k.Func.Params {
		atRunTime[p.Name] = !slices.Contains(k.Used, p.Name)
	}
	at := 0
	return slices.EqualFunc(k.of.Args, specialize(args), func(a, b compiler.Arg) bool {
		name := k.Param(at, a.Name)
		at++
		// 1 is always compiled in: Triton makes a constexpr of it.
		free := atRunTime[name] && a.Value != int64(1) && b.Value != int64(1)
		return a.Name == b.Name && a.Constexpr == b.Constexpr && a.Type.Equal(b.Type) && a.Divisible == b.Divisible &&
			a.Descriptor.Equal(b.Descriptor) && a.Tuple.Equal(b.Tuple) && (free || lower.SameValue(a.Value, b.Value))
	})
}
