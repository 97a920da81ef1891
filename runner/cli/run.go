package cli

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/runner/findings"
	"github.com/newtlab/newt/runner/plot"
)

var runCommand = &command{
	name:  "run",
	args:  "[--device auto|cpu|cuda:N|ws://HOST:PORT] [--site DIR] [--sanitize] [--error-on KINDS] [--strict] [--format text|json|sarif|github] [--trace [--program N] [--line N]] [--lens] [--save FILE | --inplace] [--figures DIR] FILE [ARGUMENTS]",
	short: "run a script, a notebook or the code in a Markdown file",
	help: "Runs FILE (- is standard input): a Python script, a notebook (.ipynb), the Python fences of a Markdown file, or\n" +
		"a pasted session with its prompts, in the part of Python, torch and Triton that newt has. Kernels are\n" +
		"launched on the device, where tensors stay between launches: auto is the first GPU, or else the CPU. What\n" +
		"torch does runs here, except for products of matrices on a GPU. The token of another newt's runner is in\n" +
		"NEWT_TOKEN.\n\n" +
		"A script prints what Python would print, and ends at the first error. In the other formats, and in a script\n" +
		"with --cells, each cell runs in turn, its value is printed as a notebook shows it, and an error ends its cell\n" +
		"alone. A script test_….py or …_test.py that does not call its tests has them run and reported as by pytest -q.\n" +
		"The exit status is that of sys.exit, or 1 after an error. Modules are found in the folder of FILE, in those\n" +
		"of PYTHONPATH, in the folder that newt was started in, in the project around FILE and its folder src, and in the\n" +
		"folders of packages that --site names; nothing else is read. TRITON_INTERPRET=1 means what it means for Python.\n" +
		"What follows FILE goes to sys.argv, from the first word that is none of the flags below, or from --.\n\n" +
		"A FILE.ir is a function that is placed on threads, as compile --emit placed prints it. One program of it runs on\n" +
		"the CPU, warp by warp in a random order, and what nothing orders is reported. ARGUMENTS are one for each\n" +
		"parameter: a number, or how many elements its pointer has, which are 0, 1, 2 and so on.",
	run: runDocument,
}

// runFlags are what run was asked for.
type runFlags struct {
	device, save, figures, ptxas, kernel    string
	strict, races, cells, inPlace, tolerant bool
	sweep, noSweep, tests, sanitize         bool
	lens                                    bool
	format                                  findings.Format
	module                                  bool // FILE is the dotted name of a module
	packages                                sites
	tested                                  []string // folders of tests, which may be read
	lang                                    *string
	triton                                  triton.Version
	gpu                                     *arch.GPU // that is modelled or simulated; nil: the device
	tuning                                  tuning
	proofs                                  proofs
	errors                                  errorKinds // the kinds of findings that fail
	reported                                diag.List  // of all cells, without what the traceback says
	traces                                  traces
}

func runDocument(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	f := runFlags{lang: lang}
	f.define(set)
	return f.parseAndRun(ctx, e, c, set, args)
}

// parseAndRun runs the document that a command line names.
func (f *runFlags) parseAndRun(ctx context.Context, e *Env, c *command, set *flag.FlagSet, args []string) int {
	words, status, done := c.parseScript(e, set, args, 1)
	if done {
		return status
	}
	var err error
	if f.module {
		if words[0], err = moduleFile(e, words[0]); err != nil {
			return c.fail(e, err)
		}
	}
	if strings.ToLower(filepath.Ext(words[0])) == placedExtension {
		if status, err = f.runPlaced(ctx, e, words); err != nil {
			return c.fail(e, err)
		}
		return status
	}
	if f.inPlace {
		f.save = words[0]
	}
	if ext := strings.ToLower(filepath.Ext(f.save)); f.save != "" && ext != ".ipynb" && ext != ".md" {
		return c.misuse(e, "outputs can be saved in .ipynb and .md files, not in "+f.save)
	}
	doc, file, wrong, err := readDocument(words[0])
	if err != nil {
		return c.fail(e, err)
	}
	if doc == nil {
		writeDiagnostics(e, e.Stderr, file, wrong, *f.lang)
		return exitFail
	}
	status, err = f.run(ctx, e, doc, words)
	if err != nil {
		return c.fail(e, err)
	}
	return status
}

// define adds the flags of run to a set.
func (f *runFlags) define(set *flag.FlagSet) {
	set.StringVar(&f.device, "device", "auto", "device for the launches: auto, cpu, cuda:N or ws://HOST:PORT")
	f.packages.define(set)
	set.BoolVar(&f.strict, "strict", false, "report as errors what Triton's GPU compiler refuses")
	tritonFlag(set, &f.triton)
	set.BoolVar(&f.races, "races", false,
		"also run each launch on the CPU with race detection, and report data races between programs")
	set.BoolVar(&f.sanitize, "sanitize", false, sanitizeUsage)
	formatFlag(set, &f.format,
		"write diagnostics, and what --trace, --sanitize and --lens report, as one JSON object to standard error")
	set.Func("error-on", "end with status 1 after findings of these `KINDS`, such as race,undefined,oob: "+
		kindsOfFindings()+"; implies --sanitize", f.errorOn)
	set.BoolVar(&f.lens, "lens", false, lensUsage)
	set.Func("gpu", gpuUsage, f.chooseGPU)
	set.BoolVar(&f.traces.on, "trace", false, traceUsage)
	defineProgram(set, &f.traces.Options, "--trace")
	set.StringVar(&f.ptxas, "ptxas", "",
		"path of NVIDIA's ptxas, with which --lens also assembles the kernels to report registers and spills")
	set.StringVar(&f.kernel, "kernel", "", "the kernel that --lens reports; all of them if it is not given")
	set.BoolVar(&f.tolerant, "tolerant", false,
		"go on after accesses out of bounds, as a GPU may: such a load gives 0")
	set.BoolVar(&f.sweep, "sweep", false, "measure all points of a perf_report, also without a GPU, and print each "+
		"result of it and of autotune to standard error as soon as it is measured")
	set.BoolVar(&f.noSweep, "no-sweep", false, "measure no points of a perf_report")
	set.BoolVar(&f.tests, "tests", false, "run the tests of a script after it, whatever its name, as pytest does")
	set.BoolVar(&f.module, "m", false, "FILE is the dotted name of a module, as after python -m: found from the "+
		"folder that newt was started in or in PYTHONPATH, it imports relative to its packages")
	set.BoolVar(&f.cells, "cells", false, "run the cells of a script (# %%) as those of a notebook")
	set.StringVar(&f.save, "save", "", "write the document with its outputs to this .ipynb or .md file")
	set.BoolVar(&f.inPlace, "inplace", false, "write the outputs into FILE itself")
	set.StringVar(&f.figures, "figures", "",
		"write the pictures that are shown into this folder, and the numbers of plots as tables (.csv)")
}

// sanitizer is what looks at each launch on a device.
func (f *runFlags) sanitizer(d device.Device) launch.Sanitizer {
	switch {
	case f.sanitize:
		return f.proofs.sanitize
	case f.races:
		return (*launch.Kernel).Races
	}
	return overflowsOn(d).sanitize
}

// sanitizeUsage is the description of --sanitize.
const sanitizeUsage = "also launch on the CPU under sanitizers, and report races, reads of memory that nobody " +
	"has written, uses of lanes that a mask left undefined, tl.multiple_of and tl.max_contiguous that do not hold, " +
	"integers that wrap where an address or a decision rests on them, and the origin of NaN and infinity; and say which accesses are proved to be in bounds, and which tensors free of races, for " +
	"this launch, any grid or any size"

// run runs a document and saves what is to be saved. The status is that of the document.
func (f *runFlags) run(ctx context.Context, e *Env, doc *document.Document, argv []string) (status int, err error) {
	files, err := foldersOf(e, argv[0], f.packages)
	if err != nil {
		return exitUsage, err
	}
	defer files.Close()
	for _, dir := range f.tested {
		files.openProject(dir) // pytest says what is not there
	}
	d, counts, err := f.open(ctx, e)
	if err != nil {
		return exitUsage, err
	}
	defer d.Close()
	asScript := doc.Format == document.Python && !f.cells && f.save == ""
	if asScript {
		doc = doc.Script()
	}
	f.traces.Lang = diag.ParseLang(*f.lang)
	out := &terminal{ctx: ctx, e: e, flags: f, script: asScript}
	tests := asScript && (f.tests || host.HasTests(doc.Name, doc.Encode()))
	if tests || f.module {
		files.asModule()
	}
	options := files.options()
	options.Argv, options.Draw, options.Tune, options.Triton = argv, plot.Draw, f.tuning.top, f.triton
	options.CompileConfigs = f.sanitize
	f.gpu = cmp.Or(f.gpu, arch.FindGPU(d.Capabilities().Name), &arch.GPUs[0])
	var model script.Model
	onGPU := d.Capabilities().Arch != ""
	if f.tuning.top > 0 || !onGPU {
		model = gpuModel(f.gpu)
	}
	line := progressOn(e.Stderr, f.traces.Lang)
	out.progress, options.Sweeping = line, f.sweeping(onGPU, line)
	out.run = script.New(doc, script.Options{
		Host: options,
		Launcher: &script.Launcher{Device: d, With: device.Launch{Progress: line.launch},
			Strict: f.strict, Sanitizer: f.sanitizer(d), Tolerant: f.tolerant, Assemble: assemble,
			TritonShared: tritonShared, WithoutHints: f.format != findings.JSON, Model: model},
		Script:    asScript,
		Tests:     tests,
		Emit:      out.emit,
		Keep:      f.traces.keep(),
		MaxOutput: math.MaxInt, // the session's own budget bounds it
	})
	status = out.run.All(ctx)
	if status == exitOK && f.found() {
		status = exitFail
	}
	if err := f.writeReport(ctx, e, counts, out.run.Sources(), status); err != nil {
		return exitUsage, err
	}
	if out.failed == nil && f.save != "" {
		out.failed = save(doc, f.save)
	}
	return status, out.failed
}

// sweepTime is how long a sweep without a GPU may have taken for another point to begin.
const sweepTime = 15 * time.Second

// sweeping decides on the points of sweeps, and says on the line which one is next.
func (f *runFlags) sweeping(onGPU bool, line *progress) func(host.SweepPoint) bool {
	return func(p host.SweepPoint) bool {
		line.sweep(p)
		return !f.noSweep && (f.sweep || onGPU || p.Elapsed < sweepTime)
	}
}

// parseScript reads the flags before FILE and after it; what follows is the script's. The words are sys.argv, at least
// as many as least.
func (c *command) parseScript(e *Env, set *flag.FlagSet, args []string, least int) (words []string, status int,
	done bool) {
	before := args
	if err := set.Parse(args); err == nil && set.NArg() > 0 {
		before = args[:len(args)-set.NArg()+1]
	}
	if words, status, done = c.parse(e, set, before, least, 1); done {
		return words, status, done
	}
	rest := args[len(before):]
	for len(rest) > 0 {
		n := ownWords(set, rest)
		if n == 0 {
			break
		}
		if _, status, done = c.parse(e, set, rest[:n], 0, 0); done {
			return nil, status, true
		}
		rest = rest[n:]
	}
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	return append(words, rest...), exitOK, false
}

// ownWords is how many of the first words are one of newt's flags with its value.
func ownWords(set *flag.FlagSet, words []string) int {
	name, _, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(words[0], "-"), "-"), "=")
	f := set.Lookup(name)
	if isHelp(words[0]) {
		return 1
	}
	if !strings.HasPrefix(words[0], "-") || f == nil {
		return 0
	}
	if isBool, ok := f.Value.(interface{ IsBoolFlag() bool }); hasValue || ok && isBool.IsBoolFlag() {
		return 1
	}
	return min(2, len(words))
}

// terminal prints what a document does as it happens.
type terminal struct {
	ctx      context.Context
	e        *Env
	flags    *runFlags
	script   bool
	run      *script.Run
	progress *progress
	figures  int
	failed   error // of writing a picture
}

func (t *terminal) emit(event script.Event) {
	o := event.Output
	t.progress.clear()
	switch event.Kind {
	case script.Printed:
		w := t.e.Stdout
		if o.Name == "stderr" {
			w = t.e.Stderr
		}
		io.WriteString(w, o.Text)
	case script.Displayed:
		t.display(&o)
	case script.Failed:
		fmt.Fprintln(t.e.Stderr, strings.Join(o.Traceback, "\n"))
	case script.Launched:
		t.flags.traces.add(t.ctx, t.run, event.Launch)
	case script.Ranked:
		if t.flags.tuning.top > 0 {
			t.flags.tuning.orders = append(t.flags.tuning.orders, &event.Order)
		}
	case script.Measured:
		t.flags.tuning.measured(&event.Sweep)
		if t.flags.sweep {
			writeMeasurement(t.e.Stderr, &event.Sweep)
		}
	case script.Ended:
		t.ended(event.Result)
	}
}

// writeMeasurement writes a result of a sweep on one line: of a config also what it was compiled to, and which is the
// fastest so far.
func writeMeasurement(w io.Writer, x *host.Measurement) {
	fmt.Fprintf(w, "%s %d/%d: %s: %.4g", x.Name, x.Number, x.Total, x.Label, x.Value)
	if x.Best == "" {
		fmt.Fprintln(w)
		return
	}
	fmt.Fprint(w, " ms")
	if x.Code.Registers > 0 {
		fmt.Fprintf(w, ", compiled in %.0f ms, %d registers, %d bytes spilled", x.Code.Took.Seconds()*1e3,
			x.Code.Registers, x.Code.SpillBytes)
	}
	if x.Best == x.Label {
		fmt.Fprint(w, ", the fastest so far")
	}
	fmt.Fprintln(w)
}

// picture are the types of pictures, and the extensions of their files.
var picture = map[string]string{"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg"}

// display prints the text of something shown, and writes its picture to a file where that is asked for. A script's own
// pictures open a window in Python, and print nothing.
func (t *terminal) display(o *document.Output) {
	shown := false
	for _, m := range o.Data {
		shown = shown || m.Type == figure.MIME || picture[m.Type] != ""
	}
	if t.flags.figures != "" && t.failed == nil {
		t.failed = t.savePicture(o)
	}
	if text, ok := o.Form("text/plain"); ok && !(t.script && shown) {
		fmt.Fprintln(t.e.Stdout, text)
	}
}

// savePicture writes a figure by the name that the script saved it as, or the picture that an output has, numbered.
func (t *terminal) savePicture(o *document.Output) error {
	if text, ok := o.Form(figure.MIME); ok {
		return t.saveFigure(text)
	}
	for _, m := range o.Data {
		ext := picture[m.Type]
		if ext == "" {
			continue
		}
		data := []byte(m.Text)
		if ext != ".svg" {
			var err error
			if data, err = base64.StdEncoding.DecodeString(m.Text); err != nil {
				return err
			}
		}
		return t.write(t.nextFigure()+ext, data)
	}
	return nil
}

// saveFigure draws a figure, and writes its numbers as a table beside it.
func (t *terminal) saveFigure(text string) error {
	var f figure.Figure
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return err
	}
	ext := path.Ext(f.Name)
	name := strings.TrimSuffix(f.Name, ext)
	if f.Name == "" {
		name = t.nextFigure()
	}
	if ext != ".png" {
		ext = ".svg"
	}
	data, err := plot.Draw(&f, ext)
	if err == nil {
		err = t.write(name+ext, data)
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, table := range f.Tables() {
		w.WriteAll(slices.Concat([][]string{table.Columns}, table.Rows))
	}
	if b.Len() == 0 {
		return nil
	}
	return t.write(name+".csv", []byte(b.String()))
}

// nextFigure is the name of a picture that has none.
func (t *terminal) nextFigure() string {
	t.figures++
	return fmt.Sprintf("figure-%d", t.figures)
}

// write writes a file into the folder for pictures. Its name is a base name.
func (t *terminal) write(name string, data []byte) error {
	if err := os.MkdirAll(t.flags.figures, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.flags.figures, filepath.Base(name)), data, 0o644)
}

// ended prints the diagnostics of a cell that say more than its traceback does.
func (t *terminal) ended(result *script.Result) {
	var list diag.List
	for _, d := range result.Diagnostics {
		switch {
		case result.Exited && d.Severity == diag.Error:
			if len(d.Args) > 1 && result.Status == exitFail && d.Args[1] != "1" { // sys.exit("message")
				fmt.Fprintln(t.e.Stderr, d.Args[1])
			}
		case d.Severity != diag.Error || result.Traceback == "" || !strings.HasPrefix(d.Code, "host-exception") ||
			t.flags.format.IsForTools():
			list.Add(d)
		}
	}
	t.flags.reported = append(t.flags.reported, list...)
	if t.flags.format != findings.Text { // writeReport writes them
		return
	}
	writeDiagnostics(t.e, t.e.Stderr, t.run.Sources(), list, *t.flags.lang)
}

// save writes a document with its outputs, in the format of the file's name.
func save(doc *document.Document, name string) error {
	format := document.Detect(name, "")
	if format != doc.Format {
		doc = doc.As(name, format)
	}
	return os.WriteFile(name, []byte(doc.Encode()), 0o644)
}
