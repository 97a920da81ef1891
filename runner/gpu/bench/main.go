// Command bench compiles the kernels of a file for the arguments that beside_triton.py times, and
// writes their PTX with what a launch needs to know. The file holds kernels by the names and with
// the parameters of the table below; Triton compiles the same file on the other side.
//
//	go run ./runner/gpu/bench -out .build/bench KERNELS.py
//	python3 runner/gpu/bench/beside_triton.py KERNELS.py .build/bench     # on the machine with the GPU
package main

import (
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
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

// entry is one kernel's line in the manifest.
type entry struct {
	Name    string         `json:"name"`
	Kernel  string         `json:"kernel"`
	Kind    string         `json:"kind,omitempty"`   // dtypes of a matmul
	Config  map[string]int `json:"config"`           // block sizes, warps, stages
	Even    bool           `json:"even"`             // sizes are multiples of 16
	Checked bool           `json:"checked"`          // every access compares with its tensor's extent
	Boxes   bool           `json:"boxes"`            // loads may be made by tensor copies
	Entry   string         `json:"entry,omitempty"`  // the name in the PTX
	Threads int            `json:"threads"`          // a block
	Shared  int            `json:"shared"`           // bytes
	Sites   int            `json:"sites"`            // 64 bytes each in the report area
	Params  []param        `json:"params,omitempty"` // eight bytes each
	IRMs    float64        `json:"ir_ms"`            // source to IR, median of nine
	PTXMs   float64        `json:"ptx_ms"`           // IR to PTX, median of nine
	Problem string         `json:"problem,omitempty"`
}

// paramNames are the manifest's words for what a parameter carries.
var paramNames = map[ptx.ParamKind]string{
	ptx.Base: "base", ptx.First: "first", ptx.Count: "count", ptx.Value: "value",
	ptx.Report: "report", ptx.Prints: "prints", ptx.BudgetParam: "budget", ptx.Address: "address",
	ptx.Tensor: "tensor", ptx.Pitch: "pitch",
}

// param describes a parameter of an entry: base, first, count or value of the argument Arg, or report, prints or
// budget.
type param struct {
	Kind string `json:"kind"`
	Arg  string `json:"arg,omitempty"`
	// Tensor is the tensor map, of tensor and pitch.
	Tensor *tensor `json:"tensor,omitempty"`
}

// tensor is ptx.TensorMap.
type tensor struct {
	ElemBytes int    `json:"elem_bytes"`
	Dims      [3]int `json:"dims"`
	Box       [3]int `json:"box"`
}

func main() {
	out := flag.String("out", ".build/bench", "folder for the PTX and manifest.json")
	only := flag.String("only", "", "comma-separated kernels, as in the manifest; all where empty")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: bench [-out FOLDER] KERNELS.py")
	}
	text, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		log.Fatal(err)
	}
	file := source.NewFile(filepath.Base(flag.Arg(0)), string(text))
	var entries []entry
	for _, j := range jobs() {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), strings.TrimSuffix(j.kernel+"_"+j.kind, "_")) {
			continue
		}
		for _, v := range variants {
			e, text := compileJob(file, j, v)
			if e.Problem == "" {
				err = os.WriteFile(filepath.Join(*out, e.Name+".ptx"), []byte(text), 0o644)
			}
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%-44s IR %6.2f ms  PTX %6.2f ms  %s\n", e.Name, e.IRMs, e.PTXMs, e.Problem)
			entries = append(entries, e)
		}
	}
	list, err := json.MarshalIndent(entries, "", " ")
	if err == nil {
		err = os.WriteFile(filepath.Join(*out, "manifest.json"), list, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

const runs = 9

// variant is what is known of the launches that a kernel is compiled for.
type variant struct {
	name    string
	checked bool // every access compares with its tensor's extent
	boxes   bool // loads may be made by tensor copies
}

var variants = []variant{{name: "", boxes: true}, {name: "_copied"}, {name: "_checked", checked: true}}

func compileJob(file *source.File, j job, v variant) (entry, string) {
	e := entry{Name: j.name() + v.name, Kernel: j.kernel, Kind: j.kind, Config: j.config, Even: j.even,
		Checked: v.checked, Boxes: v.boxes}
	art, list := compiler.Compile(file, j.options())
	if art == nil {
		e.Problem = diag.Printer{}.Print(file, list)
		return e, ""
	}
	options := ptx.Options{Target: "sm_90a", NumWarps: j.config["warps"], NumStages: j.config["stages"]}
	facts(&options, art, v)
	module, err := ptx.Compile(art.Func, options)
	if err != nil {
		e.Problem = err.Error()
		return e, ""
	}
	e.Entry, e.Threads, e.Shared, e.Sites = module.Entry, module.Threads, module.Shared, len(module.Sites)
	for _, p := range module.Params {
		of := ""
		if p.Kind <= ptx.Value || p.Tensor != nil {
			of = art.Func.Params[p.Arg].Name
		}
		x := param{Kind: paramNames[p.Kind], Arg: of}
		if t := p.Tensor; t != nil {
			x.Tensor = &tensor{t.ElemBytes, t.Dims, t.Box}
		}
		e.Params = append(e.Params, x)
	}
	e.IRMs = median(func() { compiler.Compile(file, j.options()) })
	e.PTXMs = median(func() { ptx.Compile(art.Func, options) })
	return e, module.Text
}
