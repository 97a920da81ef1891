package opt

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestOrder(t *testing.T) {
	place := map[string]int{}
	for i, p := range passes {
		if _, twice := place[p.name]; twice || p.why == "" || p.run == nil {
			t.Errorf("pass %s lacks a reason, or is named twice", p.name)
		}
		place[p.name] = i
	}
	for _, o := range passOrder {
		first, ok1 := place[o.first]
		then, ok2 := place[o.then]
		if !ok1 || !ok2 || first >= then || o.why == "" {
			t.Errorf("%s must come before %s: %s", o.first, o.then, o.why)
		}
	}
}

// TestGolden runs one pass per file of testdata: the file's name up to a dot is the pass ("all" is
// Run). A file holds cases; each is a comment line "-- title --", the function, a line "=>" and
// what the pass makes of it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) { goldenFile(t, path) })
	}
}

func goldenFile(t *testing.T, path string) {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	run := func(fn *ir.Func) { Run(fn, Options{}) }
	if i := slices.IndexFunc(passes, func(p pass) bool { return p.name == name }); i >= 0 {
		run = passes[i].run
	} else if name != "all" {
		t.Fatalf("no pass is called %s", name)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rewritten strings.Builder
	for _, part := range strings.Split(string(text), "\n-- ")[1:] {
		title, body, _ := strings.Cut(part, " --\n")
		in, want, _ := strings.Cut(body, "=>\n")
		fn, err := ir.Parse(in)
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		run(fn)
		if errs := ir.Verify(fn); len(errs) > 0 {
			t.Errorf("%s: %v\n%s", title, errs[0], fn)
		}
		got := fn.String()
		if got != strings.TrimRight(want, "\n")+"\n" && !*update {
			t.Errorf("%s:\n%swant\n%s", title, got, want)
		}
		rewritten.WriteString("\n-- " + title + " --\n" + in + "=>\n" + got)
	}
	if *update {
		header, _, _ := strings.Cut(string(text), "\n-- ")
		if err := os.WriteFile(path, []byte(strings.TrimRight(header, "\n")+"\n"+rewritten.String()),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRandomFunctionsStayValid runs all passes with the verifier after each, and looks for work
// that a second run would find.
func TestRandomFunctionsStayValid(t *testing.T) {
	for seed := range seeds.Upto(300) {
		fn := irgen.Generate(seed, irgen.Config{}).Func
		before := ir.Print(fn)
		Run(fn, Options{Stages: func(name string, fn *ir.Func) {
			if errs := ir.Verify(fn); len(errs) > 0 {
				t.Fatalf("seed %d after %s: %v\n%s\nfrom\n%s", seed, name, errs[0], fn, before)
			}
		}})
	}
}

// TestIdentitiesHold checks the tables of neutral and absorbing constants against the arithmetic,
// on the values where identities break.
func TestIdentitiesHold(t *testing.T) {
	for op := range ops.OfClass(ops.Binary, ops.Comparison) {
		for d := range num.NumDTypes {
			kernel := op.BinaryKernel(d, false)
			if kernel == nil || !op.Def().Elem.Holds(scalarType(d)) {
				continue
			}
			for _, s := range interesting(d) {
				absorbs := false
				if v, ok := absorbers[op]; ok && !d.Info().Float {
					absorbs = s == num.FromInt(d, v)
				}
				if !isNeutral(op, s) && !absorbs {
					continue
				}
				for _, x := range interesting(d) {
					want := x
					if absorbs {
						want = s
					}
					dst := num.MakeVec(d.Info().Class, 1)
					kernel(dst, x.Vec(), s.Vec())
					if got := num.ScalarAt(d, dst, 0); got != want {
						t.Errorf("%s %s %s %s is %s", d, x, op, s, got)
					}
				}
			}
		}
	}
}

// TestCastChains checks isExact and wrapsTwice: wherever they allow it, one cast must give what two
// give.
func TestCastChains(t *testing.T) {
	cast := func(s num.Scalar, to num.DType, rounding num.Rounding) num.Scalar {
		dst := num.MakeVec(to.Info().Class, 1)
		num.Cast(s.DType, to, rounding)(dst, s.Vec())
		return num.ScalarAt(to, dst, 0)
	}
	for a := range num.NumDTypes {
		for b := range num.NumDTypes {
			for c := range num.NumDTypes {
				if a == b || !isExact(a, b) && !wrapsTwice(a, b, c) {
					continue
				}
				for _, x := range interesting(a) {
					for _, rounding := range []num.Rounding{num.RTNE, num.RTZ} {
						two, once := cast(cast(x, b, num.RTNE), c, rounding), cast(x, c, rounding)
						if two != once {
							t.Errorf("%s %s to %s to %s is %s, at once %s", a, x, b, c, two, once)
						}
					}
				}
			}
		}
	}
}

func BenchmarkRun(b *testing.B) {
	wire := ir.Encode(irgen.Generate(3, irgen.Config{Instrs: 60}).Func)
	fns := make([]*ir.Func, b.N)
	for i := range fns {
		fn, err := ir.Decode(wire)
		if err != nil {
			b.Fatal(err)
		}
		fns[i] = fn
	}
	n := 0
	fns[0].Body.Walk(func(*ir.Instr) { n++ })
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		Run(fns[i], Options{})
	}
	b.ReportMetric(float64(n), "instrs")
}
