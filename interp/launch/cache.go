package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
)

// JITFunction is a kernel as it is written, with the cache of what it was compiled to: one Kernel for each way in which
// arguments were specialized. Triton's class of that name is the same. Its identity is the value, not the kernel's
// name: two definitions of one name are two JITFunctions.
type JITFunction struct {
	file        *source.File
	options     compiler.Options     // without Args
	interpreter device.Device        // which kernels are planned for as they are compiled
	compiled    map[string][]*Kernel // by what Fits compares of types and constexprs
	pinned      []lower.Read         // what the compiled kernels have read of the names around them, of what is pinned
}

// Named is the kernel of that name in a file; the last kernel where the name is empty.
func Named(file *source.File, name string, strict bool) *JITFunction {
	return newFunction(file, compiler.Options{Kernel: name, Strict: strict}, Interpreter)
}

// Held is a kernel that a running program holds.
func Held(fn *compiler.Function, strict bool) *JITFunction {
	return newFunction(fn.File, compiler.Options{Function: fn, Strict: strict}, Interpreter)
}

func newFunction(file *source.File, o compiler.Options, interpreter device.Device) *JITFunction {
	return &JITFunction{file: file, options: o, interpreter: interpreter}
}

// On is the same kernel, planned for another interpreter, on which it is then ready to run.
func (f *JITFunction) On(interpreter device.Device) *JITFunction {
	return newFunction(f.file, f.options, interpreter)
}

// Interpreted is the same kernel as TRITON_INTERPRET=1 runs it: what Triton's compiler refuses is fine, and plain
// functions that its statements call are calls of the program (compiler.HostCall).
func (f *JITFunction) Interpreted() *JITFunction {
	o := f.options
	o.Interpreted, o.Strict = true, false
	return newFunction(f.file, o, f.interpreter)
}

// For is the same kernel, compiled for a version of Triton.
func (f *JITFunction) For(v triton.Version) *JITFunction {
	o := f.options
	o.Triton = v
	return newFunction(f.file, o, f.interpreter)
}

// With is the same kernel, whose tl.dot has this precision where it names none, and which so many warps run a program
// of, 4 where that is 0.
func (f *JITFunction) With(dotPrecision string, warps int) *JITFunction {
	o := f.options
	o.DotPrecision, o.NumWarps = dotPrecision, warps
	return newFunction(f.file, o, f.interpreter)
}

// Compile gives the kernel for the arguments, compiling it unless one that fits them is in the cache; it is nil where
// the list has errors. The list is empty where the kernel was in the cache.
func (f *JITFunction) Compile(args []Arg) (*Kernel, diag.List) {
	given := specialize(args)
	key := cacheKey(given)
	for _, k := range f.compiled[key] {
		if k.fits(given) {
			return k, nil
		}
	}
	k, list := f.compile(given)
	if k != nil {
		if f.compiled == nil {
			f.compiled = map[string][]*Kernel{}
		}
		f.compiled[key] = append(f.compiled[key], k)
		for _, r := range k.Reads {
			if pinned(r.Value) && !slices.ContainsFunc(f.pinned, func(o lower.Read) bool {
				return o.Name == r.Name && o.Scope == r.Scope && lower.SameValue(o.Value, r.Value)
			}) {
				f.pinned = append(f.pinned, r)
			}
		}
	}
	return k, list
}

// cacheKey is a text of what is compiled in whatever the kernel does with it: the types and the constexprs.
func cacheKey(args []compiler.Arg) string {
	var b strings.Builder
	for _, a := range args {
		fmt.Fprintf(&b, "%s %v %v %s", a.Name, a.Constexpr, a.Divisible, a.Type)
		if a.Constexpr {
			switch a.Value.(type) {
			case bool, int64, float64, string:
				fmt.Fprintf(&b, " %T %v", a.Value, a.Value)
			}
		}
		b.WriteByte(';')
	}
	return b.String()
}

// Changed is the first constexpr or dtype around the function that has another value than when it was compiled in, and
// the value that it has now. Triton refuses to launch the kernel then.
func (f *JITFunction) Changed() (was lower.Read, now lower.Outer, changed bool) {
	for _, r := range f.pinned {
		if now, ok := r.Scope.Lookup(r.Name); ok && !lower.SameValue(now.Value, r.Value) {
			return r, now, true
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
func (k *Kernel) Fits(args []Arg) bool { return k.fits(specialize(args)) }

func (k *Kernel) fits(given []compiler.Arg) bool {
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
	return slices.EqualFunc(k.of.Args, given, func(a, b compiler.Arg) bool {
		name := k.Param(at, a.Name)
		at++
		// 1 is always compiled in: Triton makes a constexpr of it.
		free := atRunTime[name] && a.Value != int64(1) && b.Value != int64(1)
		return a.Name == b.Name && a.Constexpr == b.Constexpr && a.Type.Equal(b.Type) && a.Divisible == b.Divisible &&
			a.Descriptor.Equal(b.Descriptor) && a.Tuple.Equal(b.Tuple) && (free || lower.SameValue(a.Value, b.Value))
	})
}
