package operation

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/judge"
)

// Table has every operation.
var Table = []*Operation{
	quick[checkInput]("List the errors, warnings and hints of a Python file with Triton kernels, each with its place, the "+
		"reason, Triton's own message and edits that fix it (byte offsets). Nothing is run.", "check", "--json").
		with(documents(schemaOf[[]diag.JSON](), schemaOf[[]CheckedVersions]())),
	quick[explainInput]("Explain a diagnostic by its code: a program that yields it, the report, and the program put right.",
		"explain", "--json").with(schemaOf[Explanation]()).public(),
	quick[compileInput]("Compile one kernel and print its IR, the plan for a GPU, or its PTX.", "compile"),
	quick[fixInput]("Write block pointers, which Triton 3.9 no longer has, as pointers with masks. The changed files are "+
		"returned, and the reasons for those that stay.", "fix", "--block-pointers"),
	long[runInput]("Run a Python script that launches Triton kernels, on the CPU. With sanitize the document has what the "+
		"sanitizers found and what was proved for each kernel.", "run", "--json", "--device=cpu", "--no-sweep").
		with(schemaOf[RunReport]()).withOutput(),
	long[testInput]("Run the tests of a file test_….py as pytest -q does, with kernels on the CPU.", "test", "--device=cpu"),
	long[judgeInput]("Say whether a function that launches kernels computes what a reference in torch computes, for sizes "+
		"at the edges, special values and strides, and whether its kernels do the work.", "judge", "--json").
		with(schemaOf[judge.Report]()),
	long[replayInput]("Make recorded launches again, on the CPU, and compare what they compute with the recording.",
		"replay", "--json", "--device=cpu").with(schemaOf[[]Replayed]()).list(),
	long[lensInput]("Run a script on a simulated GPU, and count by line what each kernel costs: memory sectors, "+
		"shared-memory wavefronts, instructions. Nothing is timed.", "run", "--json", "--lens", "--no-sweep").
		with(schemaOf[RunReport]()).withOutput().named("lens"),
	long[tuneInput]("Run a script whose kernels are under triton.autotune, and rank their configs by a model of a GPU. "+
		"Nothing is timed.", "tune", "--json", "--device=cpu").with(schemaOf[RunReport]()).withOutput(),
	quick[shareInput]("Store a document under a short link, which opens it in the page.", "share").
		with(schemaOf[Link]()).public().linked(),
}

// program is what most operations take: the files of a document.
type program struct {
	Files    map[string]string `json:"files"`
	Document string            `json:"document,omitempty"`
	spoken
}

// spoken is what takes a language.
type spoken struct {
	Lang string `json:"lang,omitempty"`
}

func (p program) given() (files map[string]string, document string, err error) {
	names := slices.Sorted(maps.Keys(p.Files))
	document = p.Document
	if document == "" && len(names) == 1 {
		document = names[0]
	}
	if _, ok := p.Files[document]; !ok {
		return nil, "", invalid("operation-document", Shown(strings.Join(names, ", ")))
	}
	return p.Files, document, nil
}

// versioned is what operations take that follow a version of Triton.
type versioned struct {
	program
	Triton string `json:"triton,omitempty"`
}

// The inputs. A field that holds no file is a flag of the command: all_versions is --all-versions.
type (
	checkInput struct {
		versioned
		Strict      bool `json:"strict,omitempty"`
		AllVersions bool `json:"all_versions,omitempty"`
	}
	explainInput struct {
		Code string `json:"code"`
		spoken
	}
	compileInput struct {
		versioned
		Kernel    string `json:"kernel,omitempty"`
		Signature string `json:"signature"`
		Emit      string `json:"emit,omitempty"`
		Target    string `json:"target,omitempty"`
		Warps     int    `json:"num_warps,omitempty"`
		Stages    int    `json:"num_stages,omitempty"`
	}
	fixInput struct {
		program
		Descriptors bool `json:"descriptors,omitempty"`
	}
	runInput struct {
		versioned
		Sanitize bool `json:"sanitize,omitempty"`
		Strict   bool `json:"strict,omitempty"`
	}
	testInput struct {
		versioned
		Select string `json:"k,omitempty"`
	}
	judgeInput struct {
		program
		Against    string  `json:"against"`
		Sizes      string  `json:"sizes,omitempty"`
		Function   string  `json:"function,omitempty"`
		Seed       uint32  `json:"seed,omitempty"`
		Exact      bool    `json:"exact,omitempty"`
		AllowTorch bool    `json:"allow_torch,omitempty"`
		Tolerance  float64 `json:"tolerance,omitempty"`
		Lens       bool    `json:"lens,omitempty"`
	}
	replayInput struct {
		Recording []byte `json:"recording"`
		Sanitize  bool   `json:"sanitize,omitempty"`
		Triton    string `json:"triton,omitempty"`
		spoken
	}
	lensInput struct {
		versioned
		Kernel string `json:"kernel,omitempty"`
		GPU    string `json:"gpu,omitempty"`
	}
	tuneInput struct {
		program
		GPU string `json:"gpu,omitempty"`
		Top int    `json:"top,omitempty"`
	}
)

func (i explainInput) given() (files map[string]string, document string, err error) {
	if _, ok := diag.Lookup(i.Code); !ok {
		return nil, "", invalid("operation-code", Shown(i.Code))
	}
	return nil, i.Code, nil
}

func (i replayInput) given() (files map[string]string, document string, err error) {
	const name = "recording.launch"
	return map[string]string{name: string(i.Recording)}, name, nil
}

// noFlags are the fields that are no flags.
var noFlags = []string{"files", "document", "code", "recording"}

// flags are the other fields of an input as flags.
func flags(in input) (args []string) {
	var given map[string]any
	text, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		panic(err) // a type of this package
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(noFlags, name) {
			args = append(args, fmt.Sprintf("--%s=%v", strings.ReplaceAll(name, "_", "-"), given[name]))
		}
	}
	return args
}

// fields are what the fields of the inputs mean.
var fields = map[string]string{
	"files":        "the texts of the files by their names, such as kernel.py; modules that they import lie beside them",
	"document":     "the name of the file to take; needed where there are several",
	"lang":         "the language of messages",
	"triton":       "the version of Triton to follow: 3.6, 3.7, 3.8, 3.9 or latest",
	"strict":       "report as errors what Triton's GPU compiler refuses and newt runs",
	"all_versions": "say what each version of Triton makes of it",
	"code":         "what a diagnostic has in brackets, such as plain-constexpr",
	"sanitize":     "look for races, accesses out of bounds, undefined values and integers that wrap, and prove that there are none",
	"k":            "run the tests whose names have what this says: names with and, or, not",
	"kernel":       "the kernel's name; needed where the file has several",
	"signature":    "a type or a constant for each parameter, as in *fp32:16, i32, 1024; :16 means a multiple of 16",
	"emit":         "what to print: ir, passes, plan, placed, layouts or ptx",
	"target":       "the GPU, such as sm_90a",
	"num_warps":    "warps of a program",
	"num_stages":   "stages of software pipelining",
	"against":      "the name of the file with the reference: def inputs(sizes…), and the function in torch",
	"sizes":        "sizes to try, such as M=1,128:N=64; found by themselves without it",
	"function":     "the function's name, where both files have several",
	"seed":         "what inputs are drawn with; 0 draws a new one",
	"exact":        "also compare small launches without a tolerance",
	"allow_torch":  "let torch compute in place of a kernel",
	"tolerance":    "the least by which an element may differ: T + T*|want|",
	"lens":         "also count what a call of a right submission moves and computes, on a simulated GPU",
	"descriptors":  "write tensor descriptors where they can be used",
	"recording":    "a .launch file of newt record, in base64",
	"days":         "how long the link is kept, from 1 to 365; for ever without it",
	"gpu":          "the GPU that is simulated or modelled, such as H100",
	"top":          "how many configs of a kernel are kept",
}

// enums are the values of fields that have only some. Machine code takes a tool of NVIDIA's, and the wire form is no
// text, so compile does not print them here.
var enums = map[string][]any{
	"emit": {"ir", "passes", "plan", "placed", "layouts", "ptx"},
	"lang": {"en", "zh"},
}

// long is a command as an operation of its name, whose schema is that of its input.
func long[In input](description string, command ...string) *Operation {
	schema := schemaOf[In]()
	for name, p := range schema.Properties {
		p.Description = fields[name]
	}
	for name, values := range enums {
		if p := schema.Properties[name]; p != nil {
			p.Enum = values
		}
	}
	return &Operation{Name: command[0], Description: description, Input: schema, Output: resultOf(nil),
		command: command,
		decode: func(text json.RawMessage) (input, error) {
			var in In
			return in, json.Unmarshal(text, &in)
		}}
}

// quick is long for a command that runs nothing of the caller's.
func quick[In input](description string, command ...string) *Operation {
	o := long[In](description, command...)
	o.Quick = true
	return o
}

func (o *Operation) with(document *jsonschema.Schema) *Operation {
	o.Output = resultOf(document)
	return o
}

func (o *Operation) public() *Operation {
	o.Public = true
	return o
}

func (o *Operation) linked() *Operation {
	o.Linked = true
	return o
}

func (o *Operation) list() *Operation {
	o.lines = true
	return o
}

func (o *Operation) withOutput() *Operation {
	o.beside = true
	return o
}

func (o *Operation) named(name string) *Operation {
	o.Name = name
	return o
}

// document reports whether the command prints a document.
func (o *Operation) document() bool { return o.Output.Properties["document"] != nil }

func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[[]byte](): {Type: "string", ContentEncoding: "base64"}, // as encoding/json has it
	}})
	if err != nil {
		panic(err) // a type of newt's
	}
	return s
}

// documents are those of a command that prints one or the other.
func documents(either ...*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: either}
}

// resultOf is the schema of a Result with a document; nil: the command prints none.
func resultOf(document *jsonschema.Schema) *jsonschema.Schema {
	s := schemaOf[Result]()
	if delete(s.Properties, "document"); document != nil {
		s.Properties["document"] = document
	}
	return s
}
