package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/interp/judge"
	"github.com/newtlab/newt/runner/findings"
)

var judgeCommand = &command{
	name:  "judge",
	args:  "KERNEL.py --against REFERENCE.py [--sizes M=1,128:dtype=float16] [--function NAME] [--seed N] [--tolerance T] [--exact] [--allow-torch] [--lens] [--gpu GPU] [--device DEVICE] [--format text|json|sarif|github] [--lang en|zh]",
	short: "say whether kernels compute what a reference computes",
	help: "Calls a function of KERNEL.py, which launches kernels, and the function of the same name in REFERENCE.py, which\n" +
		"is written in torch, with the same arguments, and compares what they return. REFERENCE.py also has a function\n" +
		"inputs that returns the arguments of a call; its parameters are the sizes, and dtype if there are several:\n\n" +
		"    def inputs(M, N, dtype=torch.float32):\n" +
		"        assert N > 0\n" +
		"        return torch.randn(M, N, dtype=dtype), torch.randn(N, dtype=dtype)\n\n" +
		"A reference may also have KernelBench's form: classes Model and, in KERNEL.py, ModelNew, with get_inputs and\n" +
		"get_init_inputs; its sizes are the integers of its module, which --sizes changes. Or it has GPU MODE's: functions\n" +
		"generate_input, ref_kernel and check_implementation, which says what is right, and custom_kernel in KERNEL.py; its\n" +
		"sizes are the tests of a task.yml next to it. Where the sizes of these are too large for the interpreter, they are\n" +
		"halved until they are not. Modules next to the reference can be imported by both files.\n\n" +
		"Tensors that name no device are on cuda. An AssertionError says that nothing is promised for such sizes. The\n" +
		"sizes are those of --sizes; or of the reference's own list, sizes = [{\"M\": 1, \"N\": 128}] or\n" +
		"sizes = {\"M\": [1, 128], \"N\": [64]}; or they are found: 0, 1, primes, each block size, its neighbors, and two\n" +
		"that the seed decides. Each call is made again with other values in the same memory, and some with tensors that\n" +
		"are not contiguous, or begin inside of larger memory, or hold NaN and infinities.\n\n" +
		"The reference is computed in float64. Each launch is looked at by the sanitizers, and what is proved of a kernel is\n" +
		"reported. Outputs have to be written by a kernel; torch may make, view, copy and convert tensors, but not compute\n" +
		"in place of a kernel. The files run in sessions of their own: KERNEL.py can read no file and change nothing of the\n" +
		"reference. Kernels run on the interpreter, and no times are taken.\n\n" +
		"The exit status is 0 where the kernels are right, 1 where they are wrong, and 2 where nothing can be said.",
	run: judgeSubmission,
}

func judgeSubmission(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	o := judge.Options{Codecs: codec.Go{}, Sizes: map[string][]string{}}
	against := set.String("against", "", "the `FILE` with the reference")
	set.Func("sizes", "`SIZES` to try: NAME=VALUE,… for each parameter of inputs, with colons between them",
		func(text string) error { return parseSizes(text, o.Sizes) })
	set.StringVar(&o.Function, "function", "", "the `NAME` of the function, where both files have several")
	seed := set.Uint("seed", 0, "what inputs are drawn with; 0 draws a new one")
	set.BoolVar(&o.Exact, "exact", false, "also compare small launches without a tolerance, in numbers for which sums "+
		"and products have no order and no rounding: another expression is an error")
	set.BoolVar(&o.AllowTorch, "allow-torch", false, "take work that torch does for a hint")
	set.Float64Var(&o.Tolerance, "tolerance", 0, "the least `T` by which an element may differ: T + T*|want|, as atol "+
		"and rtol of torch.allclose")
	count := runFlags{device: "auto", gpu: &arch.GPUs[0]}
	set.BoolVar(&count.lens, "lens", false, "also count what a call of a right submission moves and computes, on a "+
		"simulated GPU, and say how long a GPU takes for that at least")
	set.Func("gpu", "the `GPU` that --lens has figures of: "+gpuNames(), count.chooseGPU)
	on := set.String("device", "", "also time calls of a right submission on this device: cuda:N or ws://HOST:PORT")
	var format findings.Format
	formatFlag(set, &format, "print the report as JSON, which interp/judge/report.schema.json describes")
	words, status, done := c.parse(e, set, args, 1, 1)
	if done {
		return status
	}
	if *against == "" {
		return c.misuse(e, "--against names the reference")
	}
	o.Lang = diag.ParseLang(*lang)
	var err error
	if o.Submission, err = readSource(words[0]); err == nil {
		o.Reference, err = readSource(*against)
	}
	if err == nil {
		err = readNeighbors(e, &o)
	}
	if err != nil {
		return c.fail(e, err)
	}
	if o.Seed = uint32(*seed); o.Seed == 0 {
		var drawn [4]byte
		rand.Read(drawn[:])
		o.Seed = binary.LittleEndian.Uint32(drawn[:])
	}
	var counted *counts
	if count.lens {
		if o.Simulated, counted, err = count.open(ctx, e); err != nil {
			return c.fail(e, err)
		}
	}
	if *on != "" {
		_, o.Timed, err = openDevice(ctx, e, *on, forSelf)
		if err == nil && o.Timed.Capabilities().Arch == "" {
			err = fmt.Errorf("--device %s is not a GPU, and only the times of a GPU are told", *on)
		}
		if err != nil {
			return c.fail(e, err)
		}
	}
	report := judge.Judge(ctx, o)
	counted.addTo(report, count.gpu)
	switch {
	case format == findings.JSON:
		err = writeJSON(e.Stdout, report)
	case format.IsForTools():
		failure := ""
		if report.Verdict == judge.Unjudged {
			failure = report.Message
		}
		err = format.Write(e.Stdout, report.Findings, failure, e.repository())
	default:
		writeJudgement(e, report, o.Lang)
	}
	if err != nil {
		return c.fail(e, err)
	}
	return map[judge.Verdict]int{judge.Right: exitOK, judge.Wrong: exitFail, judge.Unjudged: exitUsage}[report.Verdict]
}

// parseSizes reads M=1,128:N=64.
func parseSizes(text string, sizes map[string][]string) error {
	for part := range strings.SplitSeq(text, ":") {
		name, values, ok := strings.Cut(part, "=")
		if !ok || name == "" || values == "" {
			return fmt.Errorf("%q is not NAME=VALUE,…", part)
		}
		sizes[name] = append(sizes[name], strings.Split(values, ",")...)
	}
	return judge.ParseSizes(sizes)
}

// writeJudgement writes a report for people: the verdict first, then the first test that fails, then what was found.
func writeJudgement(e *Env, r *judge.Report, lang diag.Lang) {
	failed := slices.IndexFunc(r.Tests, func(t judge.Test) bool { return t.Outcome == judge.Failed })
	switch { // the diagnostics below say what is wrong
	case r.Verdict != judge.Wrong || len(r.Tests) == 0:
		fmt.Fprintln(e.Stdout, r.Message)
	case failed < 0:
		fmt.Fprintln(e.Stdout, diag.Text{Key: "judge-report.faults"}.In(lang))
	default:
		fmt.Fprintln(e.Stdout, diag.Text{Key: "judge-report.test-fails"}.In(lang))
		writeTest(e.Stdout, &r.Tests[failed])
	}
	if r.Times != nil {
		fmt.Fprintln(e.Stdout, r.Times.Text(lang))
	}
	if r.Bounds != nil {
		fmt.Fprintln(e.Stdout, r.Bounds.Text(lang))
	}
	if len(r.Diagnostics) > 0 {
		fmt.Fprintln(e.Stdout)
		writeDiagnostics(e, e.Stdout, r.Files, r.Diagnostics, lang.String())
	}
}

func writeTest(w io.Writer, t *judge.Test) {
	fmt.Fprintf(w, "\nFAIL  %s\n", strings.TrimPrefix(fmt.Sprintf("%s, %s", judge.SizesText(t.Sizes), t.Kind), ", "))
	for _, o := range t.Outputs {
		for _, x := range o.First {
			index := strings.ReplaceAll(fmt.Sprint(x.Index), " ", ", ")
			fmt.Fprintf(w, "      %s%s  got %s  want %s\n", o.Name, index, x.Got, x.Want)
		}
	}
}

// sectorBytes is what a GPU reads or writes of its memory at least.
const sectorBytes = 32

// addTo adds what the launches of a call did to a report that has Bounds.
func (c *counts) addTo(r *judge.Report, on *arch.GPU) {
	if c == nil || r.Bounds == nil {
		return
	}
	b := r.Bounds
	b.GPU, b.LeastSeconds = on.Name, float64(b.LeastBytes)/on.Bytes
	for _, kernel := range c.kernels {
		of := kernel.Report(r.Files)
		k := judge.KernelBounds{Kernel: of.Kernel, Launches: of.Launches, Touched: of.ReadBytes + of.WrittenBytes,
			Bound: "memory"}
		k.Seconds = float64(k.Touched) / on.Bytes
		for _, line := range of.Lines {
			for _, t := range line.Memory {
				if t.Memory == lens.Global {
					k.Bytes += sectorBytes * t.Units
				}
			}
		}
		for _, n := range of.FLOPs {
			k.FLOPs += n
		}
		for _, roof := range of.Roofline {
			if roof.GPU == on.Name {
				k.Seconds, k.Bound = max(roof.MemorySeconds, roof.ComputeSeconds), roof.Bound()
			}
		}
		b.Add(k)
	}
}
