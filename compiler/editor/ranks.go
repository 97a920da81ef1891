package editor

import (
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/tl"
)

// uses counts, for each name, the files that use it inside @triton.jit functions, of 638 files of
// thirteen kernel libraries (Liger, unsloth, fla, lightllm, tritonbench, FlagGems and others);
// for the names of triton itself, the files that hold kernels.
var uses = map[tl.Where]map[string]int{
	tl.Language: counts(`constexpr 563 store 537 arange 537 load 530 program_id 486 float32 452 zeros 302 where 300
		sum 293 int64 253 cdiv 222 dot 192 int32 165 maximum 117 max 116 trans 93 exp 87 range 80 minimum 77 full 71
		num_programs 60 multiple_of 60 atomic_add 53 abs 45 sigmoid 43 sqrt 42 cumsum 41 static_assert 37 cast 36
		debug_barrier 34 log 34 max_contiguous 30 float16 30 static_range 29 uint32 28 bfloat16 27 int1 23
		make_block_ptr 22 math 22 reshape 22 inline_asm_elementwise 17 float8e4nv 16 clamp 14 broadcast_to 13 int8 12
		rsqrt 12 zeros_like 12 float8e5 11 split 11 join 11 make_tensor_descriptor 10 uint8 10 int16 9 tensor 9 exp2 9
		assume 8 advance 8 min 8 reduce 8 philox 8 argmax 7 floor 6 rand 6 float64 6 pointer_type 5 log2 5 sort 5
		softmax 5 device_assert 5 ceil 5 associative_scan 5 sin 5 cos 5 fma 4 uint64 4 dtype 4 atomic_xchg 3 fdiv 3
		permute 2 atomic_cas 2 dot_scaled 2 xor_sum 2 static_print 2 device_print 2 atomic_max 2 argmin 2 swizzle2d 1
		expand_dims 1 gather 1 topk 1 ravel 1 interleave 1 uint16 1 max_constancy 1`),
	tl.Tensor: counts(`to 496 dtype 310 reshape 26 shape 25 type 21 T 18 load 16 store 15 cast 9 numel 7 trans 7
		permute 1 split 1 gather 1 sum 1 item 1 expand_dims 1 broadcast_to 1`),
	tl.DTypeOf:    counts(`element_ty 246 primitive_bitwidth 6 is_int 4 is_bf16 4 is_floating 4 is_ptr 4 is_fp16 4`),
	tl.Descriptor: counts(`load 16 store 15`),
	tl.Triton:     counts(`jit 636 cdiv 382 next_power_of_2 257 autotune 171 heuristics 163 Config 128`),
	tl.Builtin:    counts(`range 348 min 122 float 109 max 60 len 9 isinstance 6 pow 5`),
}

// mostUsed is the largest count.
const mostUsed = 636

func counts(table string) map[string]int {
	m := make(map[string]int)
	fields := strings.Fields(table)
	for i := 0; i+1 < len(fields); i += 2 {
		m[fields[i]], _ = strconv.Atoi(fields[i+1])
	}
	return m
}

// Ranks of completions, from 0 to 99. A name of the language has at most rankUsed, by the logarithm of
// its count; rankNeeded is that of the first name that the caller asks for.
const (
	rankKeyword   = 20
	rankVariable  = 60
	rankUsed      = 80
	rankParameter = 85
	rankNeeded    = 99
)

func rankOf(where tl.Where, name string) int {
	return int(rankUsed * math.Log1p(float64(uses[where][name])) / math.Log1p(mostUsed))
}
