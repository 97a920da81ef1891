package compiler_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/source"
)

// TestReach: compiling one kernel of a file by its name says what the kernel reaches, and no more.
func TestReach(t *testing.T) {
	kernel := "@triton.jit\ndef k(x_ptr, ON: tl.constexpr):\n    tl.store(x_ptr, 1.0)\n"
	for _, c := range []struct{ name, text, want string }{
		{"another function", "def other():\n    return missing\n" + kernel, ""},
		{"another kernel", kernel + "@triton.jit\ndef other(x):\n    tl.store(x, missing)\n", ""},
		{"module-level code", kernel + "print(missing)\n", ""},
		{"a branch that is not taken", strings.Replace(kernel, "1.0)", "1.0)\n    if ON:\n        tl.store(x_ptr, missing)", 1), ""},
		{"the kernel itself", strings.Replace(kernel, "1.0", "missing", 1), "undefined-name"},
		{"a helper that it calls", "@triton.jit\ndef h(x):\n    return x + missing\n" + strings.Replace(kernel, "1.0", "h(1.0)", 1), "undefined-name"},
		{"a name before its value", strings.Replace(kernel, "1.0)", "y)\n    y = 1.0", 1), "used-before-assignment"},
		{"in a function", "def make():\n    " + strings.ReplaceAll(strings.TrimSpace(kernel), "\n", "\n    ") + "\n    return k\n", ""},
		{"in a class", "class C:\n    " + strings.ReplaceAll(strings.TrimSpace(kernel), "\n", "\n    ") + "\n", ""},
		{"in an if", "if True:\n    " + strings.ReplaceAll(strings.TrimSpace(kernel), "\n", "\n    ") + "\n", ""},
		{"a constexpr of the function around it", "def make():\n    S = tl.constexpr(2.0)\n    " + strings.ReplaceAll(strings.TrimSpace(strings.Replace(kernel, "1.0", "S", 1)), "\n", "\n    ") + "\n", ""},
		{"a parameter of the function around it", "def make(s):\n    " + strings.ReplaceAll(strings.TrimSpace(strings.Replace(kernel, "1.0", "s", 1)), "\n", "\n    ") + "\n", "global-unknown"},
		{"autotune", "@triton.autotune(configs=[], key=[])\n" + kernel, "decorator-not-applied"},
		{"heuristics", "@triton.heuristics({})\n" + kernel, "decorator-not-applied"},
		{"an unknown decorator", "@traced(1)\n" + kernel, "decorator-unknown"},
		{"options of jit", strings.Replace(kernel, "triton.jit", "triton.jit(debug=True, do_not_specialize=['ON'])", 1), ""},
	} {
		args, err := compiler.ParseSignature("*fp32:16, False")
		if err != nil {
			t.Fatal(err)
		}
		_, list := compiler.Compile(source.NewFile("k.py", head+c.text), compiler.Options{Kernel: "k", Args: args})
		var got []string
		for _, d := range list {
			got = append(got, d.Code)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
}
