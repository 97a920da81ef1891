package ptx_test

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/internal/golden"
	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/infra/soak"
)

// lowerer makes samples from source and keeps what is common to them.
type lowerer struct {
	testing.TB
	out []sample
}

// add compiles a kernel.
func (l *lowerer) add(name, kernel, text string, args []compiler.Arg) {
	art, list := compiler.Compile(source.NewFile("k.py", text), compiler.Options{Kernel: kernel, Args: args, NumWarps: 4})
	if art == nil {
		l.Errorf("%s: %s", name, list[0].Code)
		return
	}
	l.out = append(l.out, sample{name, art.Func})
}

func (l *lowerer) args(signature string) []compiler.Arg { return parsed(l, signature) }

// recordedOps are the operations that Triton took when they were recorded.
func recordedOps(t testing.TB) []sample {
	l, rec := &lowerer{TB: t}, golden.Ops(t)
	for i := range rec.Cases {
		c := &rec.Cases[i]
		out, ok := num.Parse(c.DType)
		if !ok {
			continue
		}
		var args []compiler.Arg
		for _, a := range c.Args {
			args = append(args, compiler.Arg{Type: types.PointerTo(rec.Inputs[a].DType), Divisible: 16})
		}
		args = append(args, compiler.Arg{Type: types.PointerTo(out), Divisible: 16}, compiler.Arg{Constexpr: true, Value: int64(golden.Lanes)})
		l.add(c.Kind+" "+c.Expr+" on "+c.X+" "+c.Y, "kernel", c.Kernel(), args)
	}
	return l.out
}

// written are the kernels that golden files hold as IR: what source is lowered to, and what the passes make.
func written(t testing.TB) (out []sample) {
	paths, err := filepath.Glob("../opt/testdata/*.ir")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, "../lower/testdata/lowered.txt") {
		for i, part := range strings.Split("\n"+read(t, path), "\nfunc ")[1:] {
			text, _, _ := strings.Cut(part, "\n}")
			fn, err := ir.Parse("func " + text + "\n}\n")
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			out = append(out, sample{fmt.Sprint(filepath.Base(path), " ", i), fn})
		}
	}
	return out
}

// language are the kernels that show what the language does at run time, and the example of each name.
func language(t testing.TB) []sample {
	l := &lowerer{TB: t}
	const folder = "../../interp/launch/testdata/"
	head := read(t, folder+"helpers.py") + "@triton.jit\ndef k(x, out, n, B: tl.constexpr):\n"
	for i, chunk := range strings.Split(read(t, folder+"language.py"), "\n---\n") {
		args := l.args("*fp32:16, *fp32:16, i32, 8")
		args[2].Value = int64(10) // some kernels have it compiled in
		l.add(fmt.Sprint("language ", i), "k", languageText(head, chunk), args)
	}
	for _, row := range tl.Rows() {
		l.add(row.Path(), "example", row.ExampleKernel(), l.args("*fp32:16, *i32:16, *fp32:16, i32"))
	}
	return l.out
}

func indented(body string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ") + "\n"
}

// module is one text with the kernels of many.
type module struct {
	kernels         int
	version, target string
	globals         []string
	entries         strings.Builder
}

// add appends the kernel of text; declarations that several kernels have stand once.
func (m *module) add(t testing.TB, text string) {
	head, entry, ok := strings.Cut(text, ".visible .entry ")
	if !ok {
		t.Fatal(text)
	}
	m.entries.WriteString(".visible .entry " + entry)
	for line := range strings.Lines(head) {
		switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case word == ".version":
			m.version = slices.MaxFunc([]string{m.version, rest}, strings.Compare)
		case word == ".target":
			m.target = cmp.Or(m.target, rest)
		case word != ".address_size" && !slices.Contains(m.globals, line):
			m.globals = append(m.globals, line)
		}
	}
}

// addKernel compiles a kernel and appends it under a name of its own.
func (m *module) addKernel(t testing.TB, fn *ir.Func, o ptx.Options) {
	t.Helper()
	copied := *fn
	copied.Name = fmt.Sprint("k", m.kernels)
	m.kernels++
	one, err := ptx.Compile(&copied, o)
	if err != nil {
		t.Errorf("%s: %v", fn.Name, err)
		return
	}
	m.add(t, one.Text)
}

func (m *module) String() string {
	return ".version " + m.version + "\n.target " + m.target + "\n.address_size 64\n" + strings.Join(m.globals, "") + m.entries.String()
}

// TestAssemblesGolden has ptxas assemble every kernel that a golden file holds, those whose operations were
// recorded on a GPU among them.
func TestAssemblesGolden(t *testing.T) {
	ptxas.Need(t)
	const batch = 100
	all := slices.Concat(written(t), language(t), recordedOps(t))
	for _, target := range ptxas.All {
		for some := range slices.Chunk(all, batch) {
			t.Run(target+"/"+some[0].name, func(t *testing.T) {
				t.Parallel()
				var m module
				for _, s := range some {
					m.addKernel(t, s.fn, ptx.Options{Target: target, NumWarps: 4, PrintBytes: 1 << 16})
				}
				ptxas.Assemble(t, target, m.String())
			})
		}
	}
}

// TestAssemblesInlineAsm has ptxas assemble the kernels that try inline assembly, for the targets that have their
// instructions.
func TestAssemblesInlineAsm(t *testing.T) {
	ptxas.Need(t)
	l := &lowerer{TB: t}
	const head = "import triton\nimport triton.language as tl\n\n\n"
	for chunk := range strings.SplitSeq(read(t, "../../interp/launch/testdata/inline_asm.py"), "\n---\n") {
		name, _, _ := strings.Cut(chunk, "\n")
		l.add(name, "k", head+chunk+"\n", l.args("*i32:16, *i32:16, 256"))
	}
	for _, target := range ptxas.Targets {
		var m module
		for i, s := range l.out {
			fn := *s.fn
			fn.Name = fmt.Sprint("k", i)
			one, err := ptx.Compile(&fn, ptx.Options{Target: target, NumWarps: 4, PrintBytes: 1 << 16})
			var refused *ptx.Error
			if errors.As(err, &refused) && refused.Code == "asm-target" && target != "sm_90a" {
				continue
			} else if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			m.add(t, one.Text)
		}
		ptxas.Assemble(t, target, m.String())
	}
}

// TestAssemblesWgmma has ptxas assemble the golden kernels with warpgroup MMAs, and neither serialize those nor warn of
// anything else, of which it says how it slows a kernel.
func TestAssemblesWgmma(t *testing.T) {
	ptxas.Need(t)
	i := 0
	for _, k := range benchKernels(t) {
		for _, v := range k.variants() {
			if v.target != "sm_90a" {
				continue
			}
			fn := k.lowered(t, v)
			m, err := ptx.Compile(fn, v.options(fn))
			if err != nil || !strings.Contains(m.Text, "wgmma.mma_async") {
				continue
			}
			if i++; soak.Skips(i, 12) {
				continue
			}
			t.Run(k.name+"/"+v.name(), func(t *testing.T) {
				t.Parallel()
				ptxas.Accept(t, v.target, m.Text)
			})
		}
	}
	if i == 0 {
		t.Error("no golden kernel has a warpgroup MMA")
	}
}
