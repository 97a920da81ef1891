package tl

import (
	"maps"
	"slices"
	"strings"
)

// modules are the modules that kernels reach into, by their dotted names, each with the rows that it has.
var modules = map[string]func(r *Row) bool{
	"triton":                               in(Triton),
	"triton.language":                      in(Language),
	"triton.language.math":                 func(r *Row) bool { return r.Math },
	"triton.language.core":                 func(r *Row) bool { return r.Where == Core || r.Where == Language && r.isCore() },
	"triton.language.standard":             func(r *Row) bool { return r.Where == Standard || r.isLanguage(standard) },
	"triton.language.random":               func(r *Row) bool { return r.isLanguage(random) },
	"triton.language.target_info":          in(TargetInfo),
	"triton.language.extra":                func(*Row) bool { return false },
	"triton.language.extra.libdevice":      isLibdevice,
	"triton.language.extra.cuda":           in(CUDA),
	"triton.language.extra.cuda.libdevice": isLibdevice,
	// What torch.compile's kernels import; triton_helpers also has libdevice and math.
	"torch._inductor.triton_helpers":                   in(Inductor),
	"torch._inductor.triton_helpers.libdevice":         isLibdevice,
	"torch._inductor.triton_helpers.math":              func(r *Row) bool { return r.Math },
	"torch._inductor.runtime.triton_helpers":           in(Inductor),
	"torch._inductor.runtime.triton_helpers.libdevice": isLibdevice,
	"torch._inductor.runtime.triton_helpers.math":      func(r *Row) bool { return r.Math },
}

// standard are the names of tl that Triton defines in triton.language.standard.
var standard = wordSet(`
argmax argmin bitonic_merge cdiv cumprod cumsum flip interleave max min ravel reduce_or sigmoid softmax sort squeeze
sum swizzle2d topk unsqueeze xor_sum zeros zeros_like
`)

// random are the names of triton.language.random.
var random = wordSet(`
pair_uniform_to_normal philox philox_impl rand rand4x randint randint4x randn randn4x uint_to_uniform_float
`)

func in(where Where) func(*Row) bool { return func(r *Row) bool { return r.Where == where } }

func (r *Row) isLanguage(names map[string]bool) bool { return r.Where == Language && names[r.Name] }

func (r *Row) isCore() bool {
	return !r.Math && !standard[r.Name] && !random[r.Name] && r.Name != "math"
}

// inLibdevice are the functions of tl.math that libdevice has, too.
var inLibdevice = wordSet("abs ceil cos erf exp2 floor fma log log2 rsqrt sin sqrt")

func isLibdevice(r *Row) bool { return r.Where == Libdevice || r.Math && inLibdevice[r.Name] }

var membersOf = func() map[string]map[string]*Row {
	all := make(map[string]map[string]*Row, len(modules))
	for path, has := range modules {
		all[path] = make(map[string]*Row)
		for i := range rows {
			// A function that libdevice and tl.math both have is libdevice's own there.
			if r := &rows[i]; has(r) && (all[path][r.Name] == nil || r.Where == Libdevice) {
				all[path][r.Name] = r
			}
		}
	}
	return all
}()

// Modules lists the modules that kernels can reach into, by their dotted names, in order.
func Modules() []string { return slices.Sorted(maps.Keys(modules)) }

// IsModule reports whether a dotted name is one of Modules.
func IsModule(path string) bool { return modules[path] != nil }

// LookupIn finds a name of a module; nil if there is none.
func LookupIn(module, name string) *Row { return membersOf[module][name] }

// Members lists the names of a module and the modules below it, in order.
func Members(module string) []string {
	names := slices.Collect(maps.Keys(membersOf[module]))
	for path := range modules {
		if name, ok := strings.CutPrefix(path, module+"."); ok && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
