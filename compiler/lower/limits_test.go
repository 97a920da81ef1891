package lower_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
)

// TestTooLarge makes tiles of 2^21 elements in every way: that is said, and nothing else.
func TestTooLarge(t *testing.T) {
	const column, row = "tl.arange(0, 2048)[:, None]", "tl.arange(0, 1024)[None, :]"
	const long = "tl.arange(0, 1048576)"
	for name, expr := range map[string]string{
		"add":          column + " + " + row,
		"compare":      column + " < " + row,
		"shift":        column + " << " + row,
		"where":        "tl.where(" + column + " < 3, " + row + ", 0)",
		"where sides":  "tl.where(n > 3, " + column + ", " + row + ")",
		"maximum":      "tl.maximum(" + column + ", " + row + ")",
		"clamp":        "tl.clamp(" + column + ".to(tl.float32), " + row + ".to(tl.float32), 3.0)",
		"fma":          "tl.fma(" + column + ".to(tl.float32), " + row + ".to(tl.float32), 1.0)",
		"fdiv":         "tl.fdiv(" + column + ".to(tl.float32), " + row + ".to(tl.float32))",
		"umulhi":       "tl.umulhi(" + column + ", " + row + ")",
		"cdiv":         "tl.cdiv(" + column + ", " + row + ")",
		"min":          "min(" + column + ", " + row + ")",
		"and":          "(" + column + " < 3) & (" + row + " < 3)",
		"broadcast":    "tl.broadcast(" + column + ", " + row + ")",
		"broadcast_to": "tl.broadcast_to(" + column + ", (2048, 1024))",
		"zeros":        "tl.zeros((2048, 1024), tl.int32)",
		"full":         "tl.full((2048, 1024), n, tl.int32)",
		"arange":       "tl.arange(0, 2097152)",
		"reshape":      "tl.reshape(" + row + ", (2048, 1024))",
		"pointer":      "x + " + column + " + " + row,
		"pointers":     "(x + " + column + ") == (x + " + row + ")",
		"mask":         "tl.load(x + " + column + ", mask=" + row + " < 3)",
		"other":        "tl.load(x + " + column + ", mask=" + column + " < 3, other=" + row + ")",
		"store":        "tl.store(x + " + column + ", " + row + ")",
		"atomic":       "tl.atomic_add(x + " + column + ", " + row + ")",
		"cas":          "tl.atomic_cas(x + " + column + ", " + row + ", 0)",
		"join":         "tl.join(" + long + ", " + long + ")",
		"join shapes":  "tl.join(" + column + ", " + row + ")",
		"interleave":   "tl.interleave(" + long + ", " + long + ")",
		"cat":          "tl.cat(" + long + ", " + long + ", can_reorder=True)",
		"dot":          "tl.dot(tl.zeros((2048, 16), tl.float16), tl.zeros((16, 1024), tl.float16))",
		"dot batches":  "tl.dot(tl.zeros((8, 8, 128, 16), tl.float16), tl.zeros((8, 8, 16, 256), tl.float16))",
		"histogram":    "tl.histogram(tl.arange(0, 16), 2097152)",
		"rand":         "tl.rand(" + column + ", " + row + ")",
		"reduce":       "tl.reduce((" + column + ", " + row + "), 0, both)",
		"three sides":  "tl.arange(0, 128)[:, None, None] + tl.arange(0, 128)[None, :, None] + tl.arange(0, 128)[None, None, :]",
	} {
		text := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef both(a, b, c, d):\n    return a + c, b + d\n\n\n" +
			"@triton.jit\ndef k(x, n):\n    y = " + expr + "\n"
		_, list := lowerText(t, text, lower.Options{Args: exampleArgs[1:3]})
		want := "tile-too-large"
		if code, ok := needsShape[name]; ok {
			want = code
		}
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return d.Severity == diag.Warning })
		if got := codes(list); got != "error "+want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// needsShape are operations that need one shape already, so that another is what is wrong.
var needsShape = map[string]string{"mask": "mask-shape", "other": "mask-shape", "store": "mask-shape",
	"atomic": "mask-shape",
	"cas":    "mask-shape", "reduce": "reduce-shapes"}

// TestTextTooLong: a text that is longer than a kernel may carry is refused where it is.
func TestTextTooLong(t *testing.T) {
	long := strings.Repeat("n", 5000)
	for name, line := range map[string]string{
		"print":       "print('" + long + "', n)",
		"assertion":   "tl.device_assert(n > 3, '" + long + "')",
		"assembly":    "tl.inline_asm_elementwise('mov.b32 $0, $1; // " + long + "', '=r,r', [n], tl.int32, True, 1)",
		"constraints": "tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r,~{" + long + "}', [n], tl.int32, True, 1)",
	} {
		text := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, n):\n    " + line + "\n"
		_, list := lowerText(t, text, lower.Options{Args: exampleArgs[1:3]})
		if got := codes(list); got != "error text-too-long" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestTooNested: what is nested too deep is refused where that begins.
func TestTooNested(t *testing.T) {
	text := "@triton.jit\ndef k(x, n):\n" + strings.Repeat("    if n == 1:\n        return\n", 250) + "    tl.store(x, n)\n"
	if _, list := lowerText(t, text, lower.Options{Args: exampleArgs[1:3]}); codes(list) != "error too-nested" {
		t.Error(codes(list))
	}
}

// TestTooManyParts: a tuple that holds another one twice, and so on, is refused before it takes the memory.
func TestTooManyParts(t *testing.T) {
	for name, line := range map[string]string{"in a tuple": "y = (y, y)", "in a list": "y = [y, y]", "added": "y += y",
		"in calls": "y = pair(y)"} {
		text := "def pair(y):\n    return (y, y)\n\n@triton.jit\ndef k(x, n):\n    y = (1, n)\n" +
			strings.Repeat("    "+line+"\n", 60) + "    tl.store(x, n)\n"
		if _, list := lowerText(t, text, lower.Options{Args: exampleArgs[1:3]}); !strings.Contains(codes(list), "error too-many-parts") {
			t.Errorf("%s: %s", name, codes(list))
		}
	}
}
