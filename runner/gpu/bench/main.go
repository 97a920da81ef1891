// Command bench compiles the kernels of a file for the arguments that beside_triton.py times, and
// writes their PTX with what a launch needs to know. The file holds kernels by the names and with
// the parameters of the table below; Triton compiles the same file on the other side.
//
//	go run ./runner/gpu/bench -out .build/bench KERNELS.py
//	python3 runner/gpu/bench/beside_triton.py KERNELS.py .build/bench     # on the machine with the GPU
//
// With -cases the file itself says what its kernels are called with, in the list CASES (cases.py has its form), and the
// PTX of each configuration is what a launch of it compiles:
//
//	go run ./runner/gpu/bench -cases -out .build/cases KERNELS.py
//	python3 runner/gpu/bench/beside_cases.py KERNELS.py .build/cases
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

// entry is one kernel's line in the manifest.
type entry struct {
	Name       string         `json:"name"`
	Kernel     string         `json:"kernel"`
	Kind       string         `json:"kind,omitempty"`   // dtypes of a matmul
	Config     map[string]int `json:"config"`           // block sizes, warps, stages
	Even       bool           `json:"even"`             // sizes are multiples of 16
	Checked    bool           `json:"checked"`          // every access compares with its tensor's extent
	Whole      bool           `json:"whole"`            // tiles lie in their tensors, whose sizes are powers of two
	Entry      string         `json:"entry,omitempty"`  // the name in the PTX
	Threads    int            `json:"threads"`          // a block
	Shared     int            `json:"shared"`           // bytes
	Sites      int            `json:"sites"`            // 64 bytes each in the report area
	Persistent bool           `json:"persistent"`       // a thread block for each multiprocessor runs them all
	Params     []param        `json:"params,omitempty"` // eight bytes each
	IRMs       float64        `json:"ir_ms"`            // source to IR, median of nine
	PTXMs      float64        `json:"ptx_ms"`           // IR to PTX, median of nine
	Problem    string         `json:"problem,omitempty"`

	// Of an entry of CASES.
	Case    int     `json:"case"`
	Size    string  `json:"size,omitempty"`
	Contest bool    `json:"contest,omitempty"`
	Grid    [3]int  `json:"grid"`
	Cost    float64 `json:"cost,omitempty"` // what the model expects of a launch; 0: nothing
}

// paramNames are the manifest's words for what a parameter carries.
var paramNames = map[ptx.ParamKind]string{
	ptx.Base: "base", ptx.First: "first", ptx.Count: "count", ptx.Value: "value",
	ptx.Report: "report", ptx.Prints: "prints", ptx.BudgetParam: "budget", ptx.Address: "address",
	ptx.Tensor: "tensor", ptx.Pitch: "pitch", ptx.Programs: "programs",
}

// param describes a parameter of an entry: base, first, count or value of the argument Arg, or report, prints or
// budget.
type param struct {
	Kind string `json:"kind"`
	Arg  string `json:"arg,omitempty"`
	// Tensor is the tensor map, of tensor and pitch.
	Tensor *tensorMap `json:"tensor,omitempty"`
}

// tensorMap is ptx.TensorMap, with the pitch that the launch gives it if that is known, in elements.
type tensorMap struct {
	Pitch     int    `json:"pitch,omitempty"`
	ElemBytes int    `json:"elem_bytes"`
	Dims      [3]int `json:"dims"`
	Box       [3]int `json:"box"`
}

func main() {
	out := flag.String("out", ".build/bench", "folder for the PTX and manifest.json")
	only := flag.String("only", "", "comma-separated kernels, as in the manifest; all where empty")
	cases := flag.Bool("cases", false, "compile what the file's CASES say")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: bench [-cases] [-out FOLDER] KERNELS.py")
	}
	text, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	w := &writer{folder: *out, file: source.NewFile(filepath.Base(flag.Arg(0)), string(text))}
	if *only != "" {
		w.only = strings.Split(*only, ",")
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		log.Fatal(err)
	}
	if *cases {
		err = w.cases(context.Background())
	} else {
		err = w.table()
	}
	if err == nil {
		err = w.manifest()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// writer writes the PTX of a file's kernels into a folder.
type writer struct {
	folder  string
	file    *source.File
	only    []string // kernels; all where empty
	entries []entry
}

func (w *writer) wants(kernel string) bool {
	return len(w.only) == 0 || slices.Contains(w.only, kernel)
}

// add writes an entry's PTX and tells of it.
func (w *writer) add(e entry, text string) error {
	fmt.Printf("%-44s IR %6.2f ms  PTX %6.2f ms  %s\n", e.Name, e.IRMs, e.PTXMs, e.Problem)
	w.entries = append(w.entries, e)
	if text == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(w.folder, e.Name+".ptx"), []byte(text), 0o644)
}

// table compiles the table of jobs.
func (w *writer) table() error {
	for _, j := range jobs() {
		if !w.wants(strings.TrimSuffix(j.kernel+"_"+j.kind, "_")) {
			continue
		}
		for _, v := range variants {
			if v.whole && !j.even {
				continue
			}
			e, text := compileJob(w.file, j, v)
			if v.many && !e.Persistent { // the code is that of few programs
				continue
			}
			if err := w.add(e, text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) manifest() error {
	list, err := json.MarshalIndent(w.entries, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.folder, "manifest.json"), list, 0o644)
}

const runs = 9

// variant is what is known of the launches that a kernel is compiled for.
type variant struct {
	name    string
	checked bool // every access compares with its tensor's extent
	whole   bool // tiles lie in their tensors, whose sizes are powers of two: no masks, shifts in place of divisions
	many    bool // there are more programs than multiprocessors: thread blocks may be persistent
}

var variants = []variant{{name: "", whole: true}, {name: "_many", whole: true, many: true}, {name: "_copied"},
	{name: "_checked", checked: true}}

func compileJob(file *source.File, j job, v variant) (entry, string) {
	e := entry{Name: j.name() + v.name, Kernel: j.kernel, Kind: j.kind, Config: j.config, Even: j.even,
		Checked: v.checked, Whole: v.whole}
	art, list := compiler.Compile(file, j.options())
	if art == nil {
		e.Problem = diag.Printer{}.Print(file, list)
		return e, ""
	}
	options := ptx.Options{Target: "sm_90a", NumWarps: j.config["warps"], NumStages: j.config["stages"]}
	j.facts(&options, art, v)
	module, err := ptx.Compile(art.Func, options)
	if err != nil {
		e.Problem = err.Error()
		return e, ""
	}
	e.describe(art.Func, module)
	e.IRMs = median(func() { compiler.Compile(file, j.options()) })
	e.PTXMs = median(func() { ptx.Compile(art.Func, options) })
	return e, module.Text
}

// describe fills in what a launch of a module needs to know.
func (e *entry) describe(fn *ir.Func, m *ptx.Module) {
	e.Entry, e.Threads, e.Shared, e.Sites, e.Persistent = m.Entry, m.Threads, m.Shared, len(m.Sites), m.Persistent
	for _, p := range m.Params {
		of := ""
		if p.Kind <= ptx.Value || p.Tensor != nil {
			of = fn.Params[p.Arg].Name
		}
		x := param{Kind: paramNames[p.Kind], Arg: of}
		if t := p.Tensor; t != nil {
			x.Tensor = &tensorMap{ElemBytes: t.ElemBytes, Dims: t.Dims, Box: t.Box}
		}
		e.Params = append(e.Params, x)
	}
}
