package lower_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/lower"
)

// TestComputedGlobals: kernels know what Python computes at module level, without a word under Strict.
func TestComputedGlobals(t *testing.T) {
	const odd = "def odd(n):\n    total = 0\n    for i in range(n):\n        if i % 2:\n            total += i\n    return total\n\n\n"
	for _, c := range []struct{ module, assertion, code string }{
		{"K = tl.constexpr(math.sqrt(2.0 / math.pi))", "K > 0.79 and K < 0.8", ""},
		{"K = tl.constexpr(1 / math.log(2.0))", "K > 1.44 and K < 1.45", ""},
		{"K = tl.constexpr(math.ceil(7 / 2) + math.gcd(12, 18))", "K == 10", ""},
		{odd + "K = tl.constexpr(odd(7))", "K == 9", ""},
		{odd + "J = odd(4)\nK = tl.constexpr(J * 2)", "K == 8", ""},
		{"K = tl.constexpr('-'.join(['a', str(3)]).upper())", "K == 'A-3'", ""},
		{"K = tl.constexpr(f'mov ${2 + 3};')", "K == 'mov $5;'", ""},
		{"K = tl.constexpr([2, 4])", "K == (2, 4)", ""},
		{"K = tl.constexpr(tl.float16)", "K == tl.float16", ""},
		{"K = tl.constexpr(sum([1, 2, 3]) + len('ab'))", "K == 8", ""},
		{"K = tl.constexpr([i * i for i in range(4) if i % 2][-1])", "K == 9", ""},
		{"K = tl.constexpr(float('-inf'))", "K < 0", ""},
		{"@triton.constexpr_function\ndef bits(n):\n    b = 0\n    while n > 1:\n        n >>= 1\n        b += 1\n    return b\n\n\nK = tl.constexpr(16)",
			"bits(K) == 4", ""},
		{"@tl.constexpr\ndef wide(t):\n    if t.is_int():\n        return tl.int64\n    return tl.float32", "wide(tl.int8) == tl.int64", ""},
		{"@triton.constexpr_function\ndef fact(n):\n    return 1 if n == 0 else n * fact(n - 1)", "fact(10) == 3628800", ""},
		{"@triton.constexpr_function\ndef none(n):\n    return n\n\n\n@triton.jit\ndef pid():\n    return tl.program_id(0)", "none(pid()) == 0",
			"error needs-constexpr"},
		{"@triton.jit\ndef down(n: tl.constexpr):\n    if n == 0:\n        return tl.program_id(0)\n    return down(n - 1) + 1", "down(3).dtype == tl.int32", ""},
		{"@triton.jit\ndef down(n):\n    return down(n - 1) + 1", "down(3) == 0", "error call-too-deep"},
		{"@triton.jit\ndef same(n):\n    return same(n)", "same(3) == 0", "error recursion"},
		{"from triton.language.core import CONSTEXPR_0", "CONSTEXPR_0 == 0 and tl.TRITON_MAX_TENSOR_NUMEL == 2 ** 20", ""},
		{"K = tl.constexpr(math.sqrt(-1.0))", "K == 1", "error global-unknown"},
		{odd + "K = tl.constexpr(odd(1000000))", "K == 1", "error global-unknown"},
		{"def forever(n):\n    while n > 0:\n        n += 1\n    return n\n\n\nK = tl.constexpr(forever(1))", "K == 1",
			"error global-unknown"},
	} {
		text := "import math\n\nimport triton\nimport triton.language as tl\n\n\n" + c.module + "\n\n\n@triton.jit\ndef k():\n    tl.static_assert(" + c.assertion + ")\n"
		if _, list := lowerText(t, text, lower.Options{Strict: true}); codes(list) != c.code {
			t.Errorf("%s: %s, want %q", c.module, codes(list), c.code)
		}
	}
}
