package tl_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// TestRows: what completion, hover and the reference page rely on.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range tl.Rows() {
		path := r.Path()
		if seen[path] {
			t.Errorf("%s has two rows", path)
		}
		seen[path] = true
		if got := tl.Lookup(r.Where, r.Name); got == nil || got.Path() != path {
			t.Errorf("%s is not found by its name", path)
		}
		if r.Doc().En == "" || r.Doc().Zh == "" || r.Example() == "" {
			t.Errorf("%s lacks a text or its example", path)
		}
		if _, list := syntax.Parse(source.NewFile("p.py", "def f("+r.Params+"): pass\n")); list.HasErrors() {
			t.Errorf("the parameters of %s are no Python: %s", path, r.Params)
		}
		if _, list := syntax.Parse(source.NewFile("e.py", r.ExampleKernel())); list.HasErrors() {
			t.Errorf("the example of %s is no Python:\n%s", path, r.Example())
		}
	}
}

// TestPrelude: every prelude row has its function, and every function of libdevice its row.
func TestPrelude(t *testing.T) {
	functions := func(name, text string) map[string]bool {
		m, list := syntax.Parse(source.NewFile(name, text))
		if list.HasErrors() {
			t.Fatal(name, list[0].Code)
		}
		found := map[string]bool{}
		for _, s := range m.Body {
			switch s := s.(type) {
			case *syntax.FunctionDef:
				found[s.Name] = true
			case *syntax.Assign:
				found[s.Targets[0].(*syntax.Name).ID] = true
			}
		}
		return found
	}
	prelude, libdevice := functions("prelude.py", tl.Prelude()), functions("libdevice.py", tl.LibdeviceSource())
	inductor := functions("inductor.py", tl.InductorSource())
	for _, r := range tl.Rows() {
		of := prelude
		switch r.Where {
		case tl.Libdevice:
			of = libdevice
		case tl.Inductor:
			of = inductor
		}
		if r.Bind == tl.PreludeFn && !of[r.Name] {
			t.Errorf("%s has no function", r.Path())
		}
	}
	for name := range libdevice {
		if !strings.HasPrefix(name, "_") && tl.Lookup(tl.Libdevice, name) == nil {
			t.Errorf("libdevice.py has %s, which has no row", name)
		}
	}
}

// TestInstead: what to write instead is said of names and parameters that are there, in both languages.
func TestInstead(t *testing.T) {
	text, err := os.ReadFile("instead.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		path, _, _ := strings.Cut(line, "\t")
		if line[0] == '#' {
			continue
		}
		if said, ok := tl.Instead(path); !ok || said.En == "" || said.Zh == "" || !isPathOfLanguage(path) {
			t.Errorf("%q: %v", path, said)
		}
	}
	if said, ok := tl.Instead("tl.dot"); ok {
		t.Errorf("tl.dot is to be written as %v", said)
	}
}

// isPathOfLanguage reports whether a path is that of a name of the language, or of a parameter behind it.
func isPathOfLanguage(path string) bool {
	return slices.ContainsFunc(tl.Rows(), func(r tl.Row) bool {
		name, behind := strings.CutPrefix(path, r.Path()+".")
		in := func(params string) bool { return strings.Contains(" "+params, " "+name+"=") }
		return r.Path() == path || behind && (in(r.Params) || slices.ContainsFunc(r.Changed,
			func(c tl.Changed) bool { return in(c.Params) }))
	})
}

// TestLookup: methods are found where they are used, and functions that are no methods are not.
func TestLookup(t *testing.T) {
	for _, c := range []struct {
		where tl.Where
		name  string
		found bool
	}{
		{tl.Language, "load", true},
		{tl.Language, "cdiv", true},
		{tl.Triton, "cdiv", true},
		{tl.Tensor, "sum", true}, // a method as well as tl.sum
		{tl.Tensor, "load", false},
		{tl.Builtin, "range", true},
		{tl.Language, "lod", false},
	} {
		if got := tl.Lookup(c.where, c.name) != nil; got != c.found {
			t.Errorf("%d %s: found %v", c.where, c.name, got)
		}
		if got := slices.Contains(tl.Names(c.where), c.name); got != c.found {
			t.Errorf("%d %s: listed %v", c.where, c.name, got)
		}
	}
	for _, module := range tl.Modules() {
		for _, name := range tl.Members(module) {
			if tl.LookupIn(module, name) == nil && !tl.IsModule(module+"."+name) {
				t.Errorf("%s.%s is listed and not found", module, name)
			}
		}
	}
}

// languageNames are the names in __all__ of triton.language, of Triton 3.6.
const languageNames = `
PropagateNan TRITON_MAX_TENSOR_NUMEL abs add advance arange argmax argmin associative_scan assume atomic_add
atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor bfloat16 bitonic_merge block_type
broadcast broadcast_to cast cat cdiv ceil clamp condition const constexpr constexpr_type cos cumprod cumsum
debug_barrier device_assert device_print div_rn dot dot_scaled dtype erf exp exp2 expand_dims extra fdiv flip float16
float32 float64 float8e4b15 float8e4b8 float8e4nv float8e5 float8e5b16 floor fma full gather histogram
inline_asm_elementwise int1 int16 int32 int64 int8 interleave join load load_tensor_descriptor log log2 make_block_ptr
make_tensor_descriptor map_elementwise math max max_constancy max_contiguous maximum min minimum multiple_of
num_programs pair_uniform_to_normal permute philox philox_impl pi32_t pointer_type program_id rand rand4x randint
randint4x randn randn4x range ravel reduce reduce_or reshape rsqrt sigmoid sin slice softmax sort split sqrt sqrt_rn
static_assert static_print static_range store store_tensor_descriptor sum swizzle2d target_info tensor
tensor_descriptor topk trans tuple uint16 uint32 uint64 uint8 uint_to_uniform_float umulhi view void where xor_sum
zeros zeros_like
`

// deviceLibrary are the names of triton.language.extra.libdevice in Triton 3.6.
const deviceLibrary = `
clz popc byte_perm mulhi mul24 brev sad abs floor rcp64h rsqrt ceil trunc exp2 saturatef fma_rn fma_rz fma_rd fma_ru
fast_dividef div_rn div_rz div_rd div_ru rcp_rn rcp_rz rcp_rd rcp_ru sqrt_rn sqrt_rz sqrt_rd sqrt_ru sqrt add_rn
add_rz add_rd add_ru mul_rn mul_rz mul_rd mul_ru sub_rn sub_rz sub_rd sub_ru double2float_rn double2float_rz
double2float_rd double2float_ru double2int_rn double2int_rz double2int_rd double2int_ru double2uint_rn
double2uint_rz double2uint_rd double2uint_ru int2double_rn uint2double_rn float2int_rn float2int_rz float2int_rd
float2int_ru float2uint_rn float2uint_rz float2uint_rd float2uint_ru int2float_rn int2float_rz int2float_rd
int2float_ru uint2float_rn uint2float_rz uint2float_rd uint2float_ru hiloint2double double2loint double2hiint
float2ll_rn float2ll_rz float2ll_rd float2ll_ru float2ull_rn float2ull_rz float2ull_rd float2ull_ru double2ll_rn
double2ll_rz double2ll_rd double2ll_ru double2ull_rn double2ull_rz double2ull_rd double2ull_ru ll2float_rn
ll2float_rz ll2float_rd ll2float_ru ull2float_rn ull2float_rz ull2float_rd ull2float_ru ll2double_rn ll2double_rz
ll2double_rd ll2double_ru ull2double_rn ull2double_rz ull2double_rd ull2double_ru int_as_float float_as_int
uint_as_float float_as_uint longlong_as_double double_as_longlong fast_sinf fast_cosf fast_tanf fast_tanhf
fast_log2f fast_logf fast_expf fast_exp10f fast_log10f fast_powf hadd rhadd rsqrt_rn ffs rint llrint nearbyint isnan
signbit copysign finitef isinf nextafter sin cos sinpi cospi tan log2 exp exp10 cosh sinh tanh atan2 atan asin acos
log log10 log1p acosh asinh atanh expm1 hypot rhypot norm3d rnorm3d norm4d rnorm4d cbrt rcbrt j0 j1 y0 y1 yn jn
cyl_bessel_i0 cyl_bessel_i1 erf erfinv erfc erfcx erfcinv normcdfinv normcdf lgamma ldexp scalbn fmod remainder fma
pow tgamma round llround fdim ilogb logb isfinited
`

// TestLanguageNames: newt has each name of triton.language, or says why not.
func TestLanguageNames(t *testing.T) {
	for name := range strings.FieldsSeq(languageNames) {
		found := tl.Lookup(tl.Language, name) != nil || tl.IsModule("triton.language."+name)
		if !found && tl.Lacking("triton.language")[name] == "" {
			t.Errorf("tl.%s has no row, and no reason in lacking.go", name)
		}
	}
	const libdevice = "triton.language.extra.libdevice"
	for name := range strings.FieldsSeq(deviceLibrary) {
		if tl.LookupIn(libdevice, name) == nil && tl.Lacking(libdevice)[name] == "" {
			t.Errorf("libdevice.%s has no row, and no reason in lacking.go", name)
		}
	}
}

// TestLacks: a name is there, lacking, or nobody's.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		module, name string
		want         bool
	}{
		{"triton.language", "dot", false},
		{"triton.language", "dott", false},
		{"triton.language.extra.cuda.libdevice", "erfinv", true},
		{"triton.language.extra.cuda.libdevice", "tanh", false},
		{"triton.language.extra.cuda.libdevice", "exp", false},
		{"triton.language.extra.cuda", "gdc_wait", false},
		{"triton.language.target_info", "current_target", true},
		{"triton.language.target_info", "is_cuda", false},
		{"triton.language.core", "_unwrap_if_constexpr", true},
		{"triton.language.core", "load", false},
		{"triton.language.standard", "sort_impl", true},
		{"triton.language.standard", "_log2", false},
		{"elsewhere", "topk", false},
	} {
		if got := tl.Lacks(c.module, c.name); got != c.want {
			t.Errorf("%s.%s: %v", c.module, c.name, got)
		}
	}
	for _, r := range tl.Rows() {
		if strings.HasPrefix(r.Path(), "tl.") && tl.Lacks("triton.language", r.Name) {
			t.Errorf("%s is there and lacking", r.Path())
		}
	}
}
