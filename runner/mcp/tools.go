package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// stream is one that a command prints its document to.
type stream uint8

const (
	noStream stream = iota
	stdout
	stderr
)

// program is what each tool takes: the files of a document.
type program struct {
	Files    map[string]string `json:"files"`
	Document string            `json:"document,omitempty"`
}

func (p program) files() program { return p }

// versioned is what tools take that follow a version of Triton.
type versioned struct {
	program
	Triton string `json:"triton,omitempty"`
}

// The inputs of the tools. A field that is none of program is a flag of the command: all_versions is --all-versions.
type (
	checkInput struct {
		versioned
		Strict      bool `json:"strict,omitempty"`
		AllVersions bool `json:"all_versions,omitempty"`
	}
	runInput struct {
		versioned
		Sanitize bool `json:"sanitize,omitempty"`
		Lens     bool `json:"lens,omitempty"`
		Strict   bool `json:"strict,omitempty"`
	}
	testInput struct {
		versioned
		Select string `json:"k,omitempty"`
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
	judgeInput struct {
		program
		Against    string `json:"against"`
		Sizes      string `json:"sizes,omitempty"`
		Function   string `json:"function,omitempty"`
		AllowTorch bool   `json:"allow_torch,omitempty"`
	}
	fixInput struct {
		program
		Descriptors bool `json:"descriptors,omitempty"`
	}
)

// flags are the fields of an input as flags.
func flags(input any) (args []string) {
	var given map[string]any
	text, err := json.Marshal(input)
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		panic(err) // a type of this package
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch value := given[name]; name {
		case "files", "document":
		default:
			args = append(args, fmt.Sprintf("--%s=%v", strings.ReplaceAll(name, "_", "-"), value))
		}
	}
	return args
}

// fields are what the fields of the inputs mean.
var fields = map[string]string{
	"files":        "the texts of the files by their names, such as kernel.py; modules that they import lie beside them",
	"document":     "the name of the file to take; needed where there are several",
	"triton":       "the version of Triton to follow: 3.6, 3.7, 3.8, 3.9 or latest",
	"strict":       "report as errors what Triton's GPU compiler refuses and newt runs",
	"all_versions": "say what each version of Triton makes of it",
	"sanitize":     "look for races, accesses out of bounds, undefined values and integers that wrap, and prove that there are none",
	"lens":         "count what each line costs on a simulated GPU: memory sectors, wavefronts, instructions",
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
	"allow_torch":  "let torch compute in place of a kernel",
	"descriptors":  "write tensor descriptors where they can be used",
}

// stages are what compile prints for agents. Machine code takes a tool of NVIDIA's.
var stages = []any{"ir", "wire", "passes", "plan", "placed", "layouts", "ptx"}

// tools add themselves to a server.
var tools = []func(s *sdk.Server, o *Options){
	tool[checkInput]("List the errors, warnings and hints of a Python file with Triton kernels, each with its place, the "+
		"reason, Triton's own message and edits that fix it (byte offsets). Nothing is run.", stdout, "check", "--json"),
	tool[runInput]("Run a Python script that launches Triton kernels, on the CPU. With sanitize or lens the document has "+
		"what they found for each kernel.", stderr, "run", "--json", "--device=cpu", "--no-sweep"),
	tool[testInput]("Run the tests of a file test_….py as pytest -q does, with kernels on the CPU.", noStream,
		"test", "--device=cpu"),
	tool[compileInput]("Compile one kernel and print its IR, the plan for a GPU, or its PTX.", noStream, "compile"),
	tool[judgeInput]("Say whether a function that launches kernels computes what a reference in torch computes, for sizes "+
		"at the edges, special values and strides, and whether its kernels do the work.", stdout, "judge", "--json"),
	tool[fixInput]("Write block pointers, which Triton 3.9 no longer has, as pointers with masks. The changed files are "+
		"returned, and the reasons for those that stay.", noStream, "fix", "--block-pointers"),
}

// tool is a command as a tool of its name, whose schema is that of its input.
func tool[In interface{ files() program }](
	description string, document stream, command ...string,
) func(s *sdk.Server, o *Options) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a type of this package
	}
	for name, p := range schema.Properties {
		p.Description = fields[name]
	}
	if p := schema.Properties["emit"]; p != nil {
		p.Enum = stages
	}
	return func(s *sdk.Server, o *Options) {
		sdk.AddTool(s, &sdk.Tool{Name: command[0], Description: description, InputSchema: schema,
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
			func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Result, error) {
				r, err := o.run(ctx, in.files(), document, slices.Concat(command, flags(in))...)
				return nil, r, err
			})
	}
}
