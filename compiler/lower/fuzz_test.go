package lower_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/diag/example"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// seedArgs makes arguments for a kernel's parameters out of a seed, three bits for each.
func seedArgs(fn *syntax.FunctionDef, seed uint64) []lower.Arg {
	choices := [8]lower.Arg{
		{Type: types.PointerTo(num.Float32)}, {Type: types.PointerTo(num.Int32)},
		{Type: types.Scalar(num.Int32), Value: 16}, {Type: types.Scalar(num.Float32)},
		{Constexpr: true, Value: 16}, {Constexpr: true, Value: nil},
		{Constexpr: true, Value: num.Float16}, {Type: types.PointerTo(num.Float8E5M2)},
	}
	var args []lower.Arg
	for range fn.Params.List {
		args = append(args, choices[seed&7])
		seed >>= 3
	}
	return args
}

// FuzzLower: whatever the source and the arguments, lowering ends without a panic, what it makes
// passes the verifier, and a kernel comes without errors.
func FuzzLower(f *testing.F) {
	for _, code := range diag.Codes() {
		e := example.Of(code)
		f.Add(e.Bad, uint64(0b100_010_001_000))
		f.Add(e.Good, uint64(0b100_010_001_000))
	}
	files, _ := filepath.Glob("../../puzzles/*/solution*.py")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint64(0b100_100_010_010_000_000_000))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 8192 {
			t.Skip("long sources are slow and find nothing new")
		}
		m, list := syntax.Parse(source.NewFile("k.py", text))
		for _, fn := range lower.Kernels(m) {
			res, more := lower.Lower(m, fn, lower.Options{Args: seedArgs(fn, seed), Record: seed&1 == 1})
			for _, d := range more {
				if d.Code == "internal-error" {
					t.Fatalf("%v", d.Args)
				}
				if _, ok := diag.Lookup(d.Code); !ok {
					t.Fatalf("no row for %s", d.Code)
				}
				if s := d.Primary.Span; s.Start < 0 || s.End < s.Start || int(s.End) > len(text) {
					t.Fatalf("%s at %v of %d bytes", d.Code, s, len(text))
				}
			}
			if res.Func == nil {
				continue
			}
			if more.HasErrors() {
				t.Fatalf("a kernel beside errors")
			}
			if err := ir.Verify(res.Func); err != nil && !list.HasErrors() {
				t.Fatalf("%v\n%s", err, ir.Print(res.Func))
			}
		}
	})
}

// TestBounded: small sources that ask for endless work end soon, with a diagnostic.
func TestBounded(t *testing.T) {
	deep := "x = 1\n" + strings.Repeat("x = x + x\n", 300)
	nest := "for i in range(n):\n"
	var loops strings.Builder
	for i := range 40 {
		loops.WriteString(strings.Repeat("    ", i) + nest)
	}
	loops.WriteString(strings.Repeat("    ", 40) + "x_ptr += 1")
	for name, body := range map[string]string{
		"a sum that doubles":   deep + "print('', tl.arange(0, x))",
		"nested loops":         loops.String(),
		"unrolled in unrolled": "for i in tl.static_range(10000):\n    for j in tl.static_range(10000):\n        tl.store(i_ptr, i)",
		"a long tuple":         "a = (1,) * 10000\nb = a * 10000\ntl.store(i_ptr, b[0])",
		"a large power":        "tl.store(i_ptr, 9 ** 9 ** 9)",
		"a large shift":        "tl.store(i_ptr, 1 << 10000000)",
		"a long string":        "a: tl.constexpr = 'x' * 1000000000\ntl.store(i_ptr, n)",
		"calls that double":    "f00 = lambda a: a + 1\n" + doubling(30) + "tl.store(i_ptr, f30(n))",
	} {
		t.Run(name, func(t *testing.T) {
			text := "@triton.jit\ndef kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):\n    " + strings.ReplaceAll(body,
				"\n",
				"\n    ") + "\n"
			lowerText(t, text, lower.Options{Args: exampleArgs})
		})
	}
}

func doubling(n int) string {
	var sb strings.Builder
	for i := 1; i <= n; i++ {
		a, b := itoa(i), itoa(i-1)
		sb.WriteString("f" + a + " = lambda a: f" + b + "(f" + b + "(a))\n")
	}
	return sb.String()
}

func itoa(i int) string { return string(rune('0'+i/10)) + string(rune('0'+i%10)) }
