package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/host"
)

// compilation are the options of what Python computes for a check or a compilation.
func compilation(ctx context.Context, files *folders) host.Options {
	o := files.options()
	o.Libraries, o.Stop = host.AllLibraries(), func() bool { return ctx.Err() != nil }
	return o
}

// liveCode leaves out the branches of a module's top level that do not run.
func liveCode(o host.Options) func(*syntax.Module) *syntax.Module {
	return func(m *syntax.Module) *syntax.Module { return host.EliminateDeadBranches(m, o) }
}

func exitOf(list diag.List) int {
	if list.HasErrors() {
		return exitFail
	}
	return exitOK
}

func writeDiagnostics(e *Env, w io.Writer, files source.Files, list diag.List, lang string) {
	fmt.Fprint(w, diag.Printer{Lang: diag.ParseLang(lang), Color: e.colors(w)}.Print(files, list))
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

var compileCommand = &command{
	name:  "compile",
	args:  `FILE --signature "*fp32:16, i32, 1024" [--kernel K] [--emit ir|wire|passes|plan|placed|layouts|ptx|sass] [--target NAME | --device NAME] [--ptxas PATH] [--nvdisasm PATH] [--strict]`,
	short: "compile a kernel and print its IR, the plan for a GPU, PTX or SASS",
	help: "Compiles one kernel for the types and constants of the signature, in the form of Triton's own ahead-of-time\n" +
		"compiler: one item per parameter, a type or a constant; :16 means that a value, or a pointer's address,\n" +
		"is a multiple of 16. --emit ir prints the optimized tile IR, --emit wire the same in the binary form\n" +
		"that a runner accepts, --emit passes the IR after each pass that changed it, --emit plan what is decided\n" +
		"for a GPU (how dots are done, software pipelining, accesses, barriers, shared memory, registers, the layout\n" +
		"of each tile and why), --emit placed the function of the plan alone, which run takes, --emit layouts the\n" +
		"layouts, --emit ptx the PTX, and --emit sass the machine code that ptxas makes of it, after the line of the\n" +
		"source that it comes from; no GPU is needed. --device compiles for the GPU of that name, cuda:N or another\n" +
		"newt's ws://HOST:PORT, instead of --target. The bounds of the tensors are not known, so every access is\n" +
		"checked.",
	run: compile,
}

// compiled is a kernel of a file, and what to make code for.
type compiled struct {
	*compiler.Artifact
	file   *source.File
	target string
	tools  toolFlags
}

// options are those of its PTX.
func (a compiled) options() ptx.Options {
	return ptx.Options{Target: a.target, NumWarps: a.NumWarps, NumStages: a.NumStages, PrintBytes: gpu.DefaultPrintBytes}
}

// emitters are the forms that compile can print, with warnings about the code. What cannot be compiled for the target
// is a *ptx.Error.
var emitters = map[string]func(ctx context.Context, w io.Writer, a compiled) (diag.List, error){
	"ir": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		fmt.Fprint(w, a.Func.String())
		return nil, nil
	},
	"wire": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		_, err := w.Write(ir.Encode(a.Func))
		return nil, err
	},
	"passes": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		for _, s := range a.Dump.Stages() {
			fmt.Fprintf(w, "// %s: %s\n%s\n", s.Name, s.Why, s.Text())
		}
		return nil, nil
	},
	"plan": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		p := ptx.Plan(a.Func, a.options())
		fmt.Fprint(w, p.Text(a.file))
		return p.Warnings, nil
	},
	"placed": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		p := ptx.Plan(a.Func, a.options())
		fmt.Fprint(w, p.Func.String())
		return p.Warnings, nil
	},
	"ptx": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		m, err := ptx.Compile(a.Func, a.options())
		if err != nil {
			return nil, err
		}
		fmt.Fprint(w, m.Text)
		return m.Warnings, nil
	},
	"layouts": func(_ context.Context, w io.Writer, a compiled) (diag.List, error) {
		m, err := ptx.Compile(a.Func, a.options())
		if err != nil {
			return nil, err
		}
		for _, l := range m.Layouts {
			fmt.Fprintln(w, l.Text())
		}
		return m.Warnings, nil
	},
	"sass": emitSASS,
}

// emitSASS prints machine code, and before it each line of the source that it comes from.
func emitSASS(ctx context.Context, w io.Writer, a compiled) (diag.List, error) {
	tools, err := a.tools.find()
	if err != nil {
		return nil, err
	}
	if missing := tools.Missing(); missing != "" {
		return nil, fmt.Errorf("--emit sass needs ptxas and nvdisasm of the CUDA toolkit: "+
			"%[1]s is not on the PATH, name it with --%[1]s", missing)
	}
	m, err := ptx.Compile(a.Func, a.options())
	if err != nil {
		return nil, err
	}
	cubin, said, err := tools.Assemble(ctx, m.Text, m.Target)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	code, err := tools.Disassemble(ctx, cubin)
	if err != nil {
		return nil, err
	}
	last := 0
	for _, l := range code {
		if at := l.Span(m.Lines); at != (source.Span{}) {
			if line := a.file.Position(at.Start).Line; line != last {
				fmt.Fprintf(w, "// line %d: %s\n", line, strings.TrimSpace(a.file.Slice(a.file.LineSpan(line))))
				last = line
			}
		}
		fmt.Fprintln(w, l.Text)
	}
	return m.Warnings, nil
}

// assemble makes the code of a function for scripts that ask for it on a device without a GPU.
func assemble(fn *ir.Func, target string, o device.Options) (*device.Compiled, error) {
	m, err := ptx.Compile(fn, ptx.Options{Target: target, NumWarps: o.NumWarps, NumStages: o.NumStages})
	if err != nil {
		return nil, err
	}
	return &device.Compiled{PTX: m.Text, Lines: m.Lines, SharedBytes: m.Shared}, nil
}

// tritonShared is what the model of Triton's allocation says of a function.
func tritonShared(fn *ir.Func, target string, o device.Options) (required, limit int) {
	return ptx.TritonShared(fn, ptx.Options{Target: target, NumWarps: o.NumWarps, NumStages: o.NumStages})
}

// compileWithGlobals compiles a kernel of a file. Where the compiler cannot tell the value of a global or what is in a
// module, Python computes the globals that the kernel takes.
func compileWithGlobals(ctx context.Context, e *Env, name string, file *source.File, o compiler.Options,
) (*compiler.Artifact, diag.List) {
	files, err := foldersOf(e, name, nil)
	if err != nil {
		return compiler.Compile(file, o)
	}
	defer files.Close()
	files.asModule()
	with := compilation(ctx, files)
	o.Live = liveCode(with)
	artifact, list := compiler.Compile(file, o)
	known := func(d *diag.Diagnostic) bool { return d.Code == "global-unknown" || d.Code == "module-in-kernel" }
	if !slices.ContainsFunc(list, known) {
		return artifact, list
	}
	tree, _ := syntax.Parse(file)
	fn, _ := compiler.Pick(tree, o.Kernel)
	var more diag.List
	o.Function, more = host.Define(file, fn.Name, with)
	if o.Function == nil {
		return artifact, append(list, more...)
	}
	return compiler.Compile(file, o)
}

// parametersOf is a kernel with its parameters, "" where there is no such kernel or it has none.
func parametersOf(file *source.File, kernel string) string {
	tree, _ := syntax.Parse(file)
	fn, _ := compiler.Pick(tree, kernel)
	if fn == nil || len(fn.Params.List) == 0 {
		return ""
	}
	var names []string
	for _, p := range fn.Params.List {
		names = append(names, p.Name)
	}
	return fn.Name + ": " + strings.Join(names, ", ")
}

func compile(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	kernel := set.String("kernel", "", "name of the kernel (default: the last one in the file)")
	signature := set.String("signature", "", "types and constants of the arguments, in order")
	emit := set.String("emit", "ir", "what to print: ir, wire, passes, plan, placed, layouts, ptx or sass")
	target := set.String("target", arch.Default, "GPUs to compile for: "+strings.Join(arch.Names(), ", "))
	on := set.String("device", "", "device to compile for: cuda:N or ws://HOST:PORT")
	strict := set.Bool("strict", false, "report as errors what Triton's GPU compiler refuses")
	var version triton.Version
	tritonFlag(set, &version)
	numWarps := set.Int("num-warps", 4, "number of warps per program")
	numStages := set.Int("num-stages", 3, "number of stages of software pipelining")
	tools := newToolFlags(set)
	words, status, done := c.parse(e, set, args, 1, 1)
	if done {
		return status
	}
	write := emitters[*emit]
	if write == nil {
		return c.misuse(e, fmt.Sprintf("--emit must be ir, wire, passes, plan, placed, layouts, ptx or sass, not %q",
			*emit))
	}
	if arch.Find(*target) == nil {
		return c.misuse(e, fmt.Sprintf("--target must be one of %s, not %q", strings.Join(arch.Names(), ", "), *target))
	}
	if n := *numWarps; n < 1 || n > 32 || n&(n-1) != 0 {
		return c.misuse(e, fmt.Sprintf("--num-warps must be 1, 2, 4, 8, 16 or 32, not %d", n))
	}
	if *numStages < 1 {
		return c.misuse(e, fmt.Sprintf("--num-stages must be at least 1, not %d", *numStages))
	}
	arguments, err := compiler.ParseSignature(*signature)
	if err != nil {
		return c.misuse(e, err.Error())
	}
	file, err := readSource(words[0])
	if err != nil {
		return c.fail(e, err)
	}
	if *signature == "" {
		if fn := parametersOf(file, *kernel); fn != "" {
			return c.misuse(e, "--signature needs a type or a constant for each parameter of "+fn)
		}
	}
	artifact, list := compileWithGlobals(ctx, e, words[0], file, compiler.Options{
		Kernel: *kernel, Args: arguments, Strict: *strict, Triton: version, NumWarps: *numWarps, NumStages: *numStages,
		Record: true,
	})
	writeDiagnostics(e, e.Stderr, file, list, *lang)
	if artifact == nil {
		return exitOf(list)
	}
	if *on != "" {
		if *target, err = archOf(ctx, e, *on); err != nil {
			return c.fail(e, err)
		}
	}
	var cannot *ptx.Error
	found, err := write(ctx, e.Stdout, compiled{artifact, file, *target, tools})
	switch {
	case errors.As(err, &cannot):
		found = diag.List{cannot.Diagnostic()}
	case err != nil:
		return c.fail(e, err)
	}
	writeDiagnostics(e, e.Stderr, file, found, *lang)
	return exitOf(append(list, found...))
}
