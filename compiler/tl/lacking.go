package tl

import "strings"

// Lacks reports whether Triton 3.6 has a name in a module of its language and newt has it not yet.
func Lacks(module, name string) bool {
	if LookupIn(module, name) != nil {
		return false
	}
	if strings.HasSuffix(module, ".libdevice") {
		module = "triton.language.extra.libdevice"
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

func wordSet(text string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}
