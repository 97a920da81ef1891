package tl

import "strings"

// Lacks reports whether Triton 3.6 has a name in a module of its language and newt has it not yet.
func Lacks(module, name string) bool {
	if LookupIn(module, name) != nil {
		return false
	}
	if strings.HasSuffix(module, ".libdevice") {
		return deviceLibrary[name]
	}
	return lacking[module][name] != ""
}

// Lacking gives the names that Triton 3.6 has in a module of its language and newt has not, each with the reason.
func Lacking(module string) map[string]string {
	m := make(map[string]string)
	for name, why := range lacking[module] {
		if Lacks(module, name) {
			m[name] = why
		}
	}
	return m
}

// lacking are names of modules, each with the reason why newt has it not. A name that newt gets is found before this
// table is asked.
var lacking = map[string]map[string]string{
	"triton.language": reasons([]lack{
		{"newt does not mark pointers that are only read; the annotation alone is accepted", "const"},
		{"a type that only Triton's compiler makes and asks for",
			"constexpr_type function_type pi32_t slice str_to_ty tensor_descriptor_type tuple_type void"},
		{"a part of Triton's compiler, and no function for kernels", "semantic"},
		{"kernels use the class that they name, and cannot make another from it", "aggregate_replace"},
		{"newt has no warp specialization", "async_task"},
	}),
	"triton.language.core": reasons([]lack{
		{"newt does not mark pointers that are only read; the annotation alone is accepted", "const"},
		{"a part of Triton's compiler, and no function for kernels", `
			_tensor_member_fn _unwrap_if_constexpr _unwrap_shape base_type base_value builtin builtin_max
			builtin_min constexpr_type extern extern_elementwise is_builtin must_use_result pi32_t slice
			tensor_descriptor_base tuple_type void`},
	}),
	"triton.language.standard": reasons([]lack{{"a step of Triton's own implementation, which newt does not share", `
		_argmax_combine _argmin_combine _bitonic_merge _bitonic_merge_hypercube _compare_and_swap _get_flip_dim _indicator
		_pick_sum_dtype sort_impl`}}),
	"triton.language.extra.cuda": reasons([]lack{
		{"for GPUs older than those that newt compiles for", "convert_custom_float8_sm70 convert_custom_float8_sm80"},
	}),
	"triton.language.target_info": reasons([]lack{
		{"the IR leaves open which GPU a kernel is for, which is up to the launch", "current_target"},
	}),
	"triton.language.extra.libdevice": reasons([]lack{
		{"no polynomial of newt's yet", `
			cyl_bessel_i0 cyl_bessel_i1 erfcinv erfinv j0 j1 jn normcdfinv y0 y1 yn`},
		{"an approximation that CUDA does not specify", "rcp64h"},
	}),
}

// lack is a reason, and names that lack for it.
type lack struct{ why, names string }

func reasons(list []lack) map[string]string {
	m := make(map[string]string)
	for _, l := range list {
		for name := range strings.FieldsSeq(l.names) {
			m[name] = l.why
		}
	}
	return m
}

// deviceLibrary are the functions of libdevice.
var deviceLibrary = wordSet(`
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
`)

func wordSet(text string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}
