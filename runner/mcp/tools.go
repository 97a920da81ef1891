package mcp

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A call is a command line of newt, without the file at its end.
type call struct {
	args []string
	json stream // where the command prints its document
}

// stream is one that a command prints to.
type stream uint8

const (
	noStream stream = iota
	stdout
	stderr
)

// input is what a tool takes: the command's flags and the program.
type input interface {
	call() (call, error)
	files() program
}

// program is what the tools take: the files of a document.
type program struct {
	Files    map[string]string `json:"files"`
	Document string            `json:"document,omitempty"`
	Version  string            `json:"triton,omitempty"`
}

func (p program) files() program { return p }

// flags are those of a document, which every command has, and more.
func (p program) flags(more ...string) []string {
	if p.Version != "" {
		more = append(more, "--triton", p.Version)
	}
	return more
}

// when is a flag where it is set.
func when(set bool, flag string) []string {
	if set {
		return []string{flag}
	}
	return nil
}

type checkInput struct {
	program
	Strict      bool `json:"strict,omitempty"`
	AllVersions bool `json:"all_versions,omitempty"`
}

func (in checkInput) call() (call, error) {
	args := append([]string{"check", "--json"}, in.flags(when(in.Strict, "--strict")...)...)
	return call{append(args, when(in.AllVersions, "--all-versions")...), stdout}, nil
}

type runInput struct {
	program
	Sanitize bool `json:"sanitize,omitempty"`
	Lens     bool `json:"lens,omitempty"`
	Strict   bool `json:"strict,omitempty"`
}

func (in runInput) call() (call, error) {
	args := append([]string{"run", "--json", "--device", "cpu", "--no-sweep"}, in.flags()...)
	for flag, set := range map[string]bool{"--sanitize": in.Sanitize, "--lens": in.Lens, "--strict": in.Strict} {
		args = append(args, when(set, flag)...)
	}
	return call{args, stderr}, nil
}

type testInput struct {
	program
	Select string `json:"select,omitempty"`
}

func (in testInput) call() (call, error) {
	args := append([]string{"test", "--device", "cpu"}, in.flags()...)
	if in.Select != "" {
		args = append(args, "-k", in.Select)
	}
	return call{args, noStream}, nil
}

type compileInput struct {
	program
	Kernel    string `json:"kernel,omitempty"`
	Signature string `json:"signature"`
	Emit      string `json:"emit,omitempty"`
	Target    string `json:"target,omitempty"`
	Warps     int    `json:"num_warps,omitempty"`
	Stages    int    `json:"num_stages,omitempty"`
}

func (in compileInput) call() (call, error) {
	args := append([]string{"compile", "--signature", in.Signature}, in.flags()...)
	for flag, value := range map[string]string{"--kernel": in.Kernel, "--emit": in.Emit, "--target": in.Target} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	for flag, n := range map[string]int{"--num-warps": in.Warps, "--num-stages": in.Stages} {
		if n != 0 {
			args = append(args, flag, strconv.Itoa(n))
		}
	}
	if in.Emit == "sass" {
		return call{}, errors.New("machine code takes a tool of NVIDIA's, which is not run for agents")
	}
	return call{args, noStream}, nil
}

type judgeInput struct {
	program
	Against    string `json:"against"`
	Sizes      string `json:"sizes,omitempty"`
	Function   string `json:"function,omitempty"`
	AllowTorch bool   `json:"allow_torch,omitempty"`
}

func (in judgeInput) call() (call, error) {
	args := []string{"judge", "--json", "--against", in.Against}
	for flag, value := range map[string]string{"--sizes": in.Sizes, "--function": in.Function} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	return call{append(args, when(in.AllowTorch, "--allow-torch")...), stdout}, nil
}

type fixInput struct {
	program
	Descriptors bool `json:"descriptors,omitempty"`
}

func (in fixInput) call() (call, error) {
	return call{append([]string{"fix", "--block-pointers"}, when(in.Descriptors, "--descriptors")...), noStream}, nil
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
	"select":       "run the tests whose names have what this says: names with and, or, not",
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

// tools add themselves to a server.
var tools = []func(s *sdk.Server, o *Options){
	tool[checkInput]("check", "List the errors, warnings and hints of a Python file with Triton kernels, each with its "+
		"place, the reason, Triton's own message and edits that fix it (byte offsets). Nothing is run."),
	tool[runInput]("run", "Run a Python script that launches Triton kernels, on the CPU. With sanitize or lens the "+
		"document has what they found for each kernel."),
	tool[testInput]("test", "Run the tests of a file test_….py as pytest -q does, with kernels on the CPU."),
	tool[compileInput]("compile", "Compile one kernel and print its IR, the plan for a GPU, or its PTX."),
	tool[judgeInput]("judge", "Say whether a function that launches kernels computes what a reference in torch computes, "+
		"for sizes at the edges, special values and strides, and whether its kernels do the work."),
	tool[fixInput]("fix", "Write block pointers, which Triton 3.9 no longer has, as pointers with masks. The changed "+
		"files are returned, and the reasons for those that stay."),
}

// tool is a command as a tool, whose schema is that of its input.
func tool[In input](name, description string) func(s *sdk.Server, o *Options) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a type of this package
	}
	for name, p := range schema.Properties {
		p.Description = fields[name]
	}
	return func(s *sdk.Server, o *Options) {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: description, InputSchema: schema,
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
			func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Result, error) {
				c, err := in.call()
				if err != nil {
					return nil, Result{}, err
				}
				r, err := o.run(ctx, in.files(), c)
				return nil, r, err
			})
	}
}
