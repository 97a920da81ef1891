// Package tl is the surface of the language: every name that a kernel can use, with its
// signature, its documentation in English and Chinese and an example that runs.
//
// # One table
//
// A name is one [Row] (rows.txt, rows.go), and what there is to say of it is in docs.txt, or in the row. The compiler's
// lowering, completion, hover, signature help and the reference page all read the same rows, so that a name that is
// documented is a name that compiles: a test runs every example. Params is Python text, parsed once by the compiler; it
// is what Triton's own signature says, whether or not newt has a use for each parameter.
//
// A row becomes IR in one of these ways ([Bind]):
//
//   - Op: one IR operation on operands of one floating type, such as tl.exp.
//   - PreludeFn: the function of that name in prelude.py, of libdevice's in libdevice.py, or of torch's in
//     inductor.py, which are written in the language itself, as Triton writes much of its own library: softmax, sum,
//     cumsum, sort.
//   - Special: Go code in package lower, found under the row's path: tl.load, tl.dot.
//   - DType: an element type; Property: an attribute that is read; Constant: a number.
//
// A new name is best a prelude function; a row and the function are all that it takes.
//
// # Versions
//
// A row holds in the versions of its Lifetime: "since 3.7", "deprecated 3.7" and "until 3.9" in rows.txt. Where the
// parameters are others from a version on, a line says so: "  since 3.8 (x, k, dim=None, descending=True)". What has
// changed in meaning alone is a row of package triton.
//
// # What is not there
//
// lacking.go lists what Triton 3.6 has and newt has not, so that the message for such a name can say
// "not in newt" rather than "no such name".
package tl

import (
	_ "embed" // prelude.py, libdevice.py, inductor.py and docs.txt
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/triton"
)

//go:embed prelude.py
var prelude string

//go:embed libdevice.py
var libdevice string

//go:embed inductor.py
var inductor string

// Prelude is the source of the functions that are written in the language itself.
func Prelude() string { return prelude }

// LibdeviceSource is the source of libdevice's functions.
func LibdeviceSource() string { return libdevice }

// InductorSource is the source of the functions of torch's triton_helpers.
func InductorSource() string { return inductor }

// Where says through what a name is reached.
type Where uint8

// The places of names.
const (
	Language   Where = iota // tl.name, and tl.math.name for mathematics
	Triton                  // triton.name
	Builtin                 // name alone, Python's own
	Tensor                  // an attribute or method that tensors alone have: x.name
	DTypeOf                 // an attribute or method of a dtype: x.dtype.name
	Libdevice               // libdevice.name, as triton.language.extra has it
	Core                    // tl.core.name, of what tl itself lacks
	Standard                // tl.standard.name, of what tl itself lacks
	CUDA                    // tl.extra.cuda.name
	TargetInfo              // tl.target_info.name
	Descriptor              // an attribute or method of a tensor descriptor: desc.name
	Inductor                // triton_helpers.name, as torch._inductor.runtime has it
)

// Bind says how a row becomes IR.
type Bind uint8

// The bindings.
const (
	Special Bind = iota
	Op
	PreludeFn
	DType
	Property // an attribute that is read, not called
	Constant // a number
)

// Text is a text in both languages.
type Text struct{ En, Zh string }

// Row is one user-visible name.
type Row struct {
	Name   string
	Where  Where
	Params string // as Python writes them, defaults included; "" for types and properties
	// Changed are the parameters of later versions of Triton, oldest first, where they are others than Params.
	Changed  []Changed
	Lifetime triton.Lifetime
	Stub     bool   // the name is there from Lifetime.Until on, and raises when it is called
	Warns    string // what Triton says of a call from Lifetime.Deprecated on
	Raises   string // what it says from Lifetime.Until on
	Bind     Bind
	Op       ops.Op // of Op rows
	Method   bool   // also a method of tensors, which become the first argument
	Math     bool   // also reached as tl.math.name
	Value    int    // of Constant rows
	// Overloads are the dtypes of the arguments that a function of Libdevice takes; others are promoted together first.
	Overloads []string
	// Of rows that docs.txt does not have:
	doc     Text
	example string
}

//go:embed docs.txt
var docsText string

var (
	docs     map[string]documentation // by the path of a row
	docsOnce sync.Once
)

type documentation struct {
	doc             Text
	module, example string
}

// readDocs reads docs.txt, which the page's first program is sent without.
func readDocs() {
	docsOnce.Do(func() {
		docs = map[string]documentation{}
		for block := range strings.SplitSeq(strings.TrimSpace(docsText), "\n\n") {
			lines := strings.SplitN(block, "\n", 4)
			if block[0] == '#' || len(lines) < 4 {
				continue
			}
			d := documentation{doc: Text{lines[1][2:], lines[2][2:]}}
			d.example = strings.ReplaceAll(lines[3][4:], "\n    ", "\n")
			if module, example, ok := strings.Cut(d.example, "\n---\n"); ok {
				d.module, d.example = module, example
			}
			docs[lines[0]] = d
		}
	})
}

// documented is what there is to say of a row.
func (r *Row) documented() documentation {
	if r.doc != (Text{}) {
		return documentation{r.doc, "", r.example}
	}
	readDocs()
	return docs[r.Path()]
}

// Doc is what the name means.
func (r *Row) Doc() Text { return r.documented().doc }

// Example is the body of a kernel that uses the name; see ExampleParams.
func (r *Row) Example() string { return r.documented().example }

// Module is what Example needs in front of the kernel.
func (r *Row) Module() string { return r.documented().module }

// Changed says that a name has other parameters from a version on.
type Changed struct {
	Since  triton.Version
	Params string
}

//go:embed instead.txt
var insteadText string

// Instead says what to write in place of a name, by its path, or of a parameter (tl.load.boundary_check), in versions
// that lack it. It is a part of a sentence: "write …".
func Instead(path string) (t Text, ok bool) {
	for line := range strings.SplitSeq(insteadText, "\n") {
		if words, found := strings.CutPrefix(line, path+"\t"); found {
			t.En, t.Zh, _ = strings.Cut(words, "\t")
			return t, true
		}
	}
	return t, false
}

// IsThere reports whether a version has the name.
func (r *Row) IsThere(v triton.Version) bool {
	return r.Lifetime.In(v) || r.Stub && v.AtLeast(r.Lifetime.Until)
}

// ParamsIn are the row's parameters in a version.
func (r *Row) ParamsIn(v triton.Version) string {
	params := r.Params
	for _, c := range r.Changed {
		if v.AtLeast(c.Since) {
			params = c.Params
		}
	}
	return params
}

// ExampleParams are the parameters that every Example may use: x_ptr points at the 16 fp32
// numbers 0 … 15, i_ptr at the same as int32, out_ptr at 16 fp32 zeros, and n is 10.
const ExampleParams = "x_ptr, i_ptr, out_ptr, n"

type key struct {
	where Where
	name  string
}

var byName = func() map[key]*Row {
	m := make(map[key]*Row, len(rows))
	for i := range rows {
		m[key{rows[i].Where, rows[i].Name}] = &rows[i]
	}
	return m
}()

// Rows lists every row in the table's order.
func Rows() []Row { return rows }

// Lookup finds a name in a place; nil if there is none. Tensor finds methods of Language rows too.
func Lookup(where Where, name string) *Row {
	if r := byName[key{where, name}]; r != nil || where != Tensor {
		return r
	}
	if r := byName[key{Language, name}]; r != nil && r.Method {
		return r
	}
	return nil
}

// Floats are how a kernel writes what has a name in Python's math module and none in the language.
var Floats = map[string]string{"inf": `float("inf")`, "nan": `float("nan")`}

// Names lists the names that Lookup finds in a place, in order.
func Names(where Where) []string {
	var names []string
	for i := range rows {
		r := &rows[i]
		if r.Where == where || where == Tensor && r.Where == Language && r.Method {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var prefixes = [...]string{Language: "tl.", Triton: "triton.", Builtin: "", Tensor: "tensor.", DTypeOf: "dtype.",
	Libdevice: "libdevice.", Core: "tl.core.", Standard: "tl.standard.", CUDA: "tl.extra.cuda.",
	TargetInfo: "tl.target_info.", Descriptor: "tensor_descriptor.", Inductor: "triton_helpers."}

// Path is the name as people write it: tl.load.
func (r *Row) Path() string { return prefixes[r.Where] + r.Name }

// Signature is the path with the parameters, in the default version of Triton: tl.where(condition, x, y).
func (r *Row) Signature() string { return r.SignatureIn(0) }

// SignatureIn is the path with the parameters of a version.
func (r *Row) SignatureIn(v triton.Version) string {
	if !r.IsCalled() {
		return r.Path()
	}
	return r.Path() + "(" + r.ParamsIn(v) + ")"
}

// DocIn is the documentation, and where a version lacks the name which versions have it.
func (r *Row) DocIn(v triton.Version) Text {
	switch {
	case r.Lifetime.In(v):
		return r.Doc()
	case !v.AtLeast(r.Lifetime.Since):
		since := r.Lifetime.Since.String()
		return Text{"Since Triton " + since + ". " + r.Doc().En, "自 Triton " + since + " 起。" + r.Doc().Zh}
	}
	until := r.Lifetime.Until.String()
	return Text{"Until Triton " + until + ", which has it no longer. " + r.Doc().En,
		"Triton " + until + " 已移除。" + r.Doc().Zh}
}

// IsCalled reports whether the name is a function.
func (r *Row) IsCalled() bool { return r.Bind < DType }

// Imports are the import statements of a file that uses the name, and what its Example needs behind them.
func (r *Row) Imports() string {
	text := "import triton\nimport triton.language as tl\n"
	if r.Where == Inductor {
		text += "from torch._inductor.runtime import triton_helpers\n"
	}
	if r.Module() != "" {
		text += "\n\n" + strings.TrimSpace(r.Module()) + "\n"
	}
	return text
}

// ExampleKernel is the row's example as a whole file.
func (r *Row) ExampleKernel() string {
	version := ""
	if r.Lifetime.Since > triton.Default {
		version = "# triton: " + r.Lifetime.Since.String() + "\n"
	}
	body := "    " + strings.ReplaceAll(strings.TrimSpace(r.Example()), "\n", "\n    ")
	return version + r.Imports() + "\n\n@triton.jit\ndef example(" + ExampleParams + "):\n" + body + "\n"
}
