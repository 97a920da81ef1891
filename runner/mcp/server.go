// Package mcp offers newt's commands to agents over the Model Context Protocol.
//
//	tool call ─► files in a folder of its own ─► newt COMMAND --json, a process ─► status, output, document
//
// A tool is a command: it takes the texts of files and the command's flags as fields, and returns what the command
// prints, so that an agent reads the document that a person, a page or CI gets. Each call is a process with a folder,
// a deadline and a bound on what it prints; what a program does to it ends with it.
package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/newtlab/newt/compiler/explain"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/host"
)

// Options say what a server runs.
type Options struct {
	Version string // of newt
	// Program is newt's own, and Environ the environment of its processes.
	Program string
	Environ []string
}

// Serve answers an agent over a transport until it goes or ctx is done.
func Serve(ctx context.Context, t sdk.Transport, o Options) error {
	s := sdk.NewServer(&sdk.Implementation{Name: "newt", Version: o.Version},
		&sdk.ServerOptions{Instructions: instructions})
	for _, t := range tools {
		t(s, &o)
	}
	for _, r := range resources {
		s.AddResource(&sdk.Resource{URI: r.uri, Name: r.name, Description: r.description, MIMEType: "text/markdown"},
			func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				return text(req.Params.URI, r.text()), nil
			})
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: explainURI + "{code}", Name: "explain",
		Description: "A diagnostic by its code: a program that yields it, the report, and the program put right.",
		MIMEType:    "text/plain"}, o.explain)
	return s.Run(ctx, t)
}

const instructions = "newt compiles and runs Triton kernels without a GPU. check lists what is wrong with a file, " +
	"with fixes; run executes a script on the CPU and, with sanitize, finds races, accesses out of bounds, undefined " +
	"values and integers that wrap."

// resources are what an agent can read.
var resources = []struct {
	uri, name, description string
	text                   func() string
}{
	{"newt://language", "language", "The names that kernels can use, with their signatures and documentation.", language},
	{"newt://host", "host", "The parts of Python, torch and Triton's host library that scripts can use.", host.Supported},
	{"newt://mistakes", "mistakes", "The codes of the diagnostics that newt://explain/CODE explains.", mistakes},
}

const explainURI = "newt://explain/"

// language is a list of the names of tl.
func language() string {
	var b strings.Builder
	for _, r := range tl.Rows() {
		fmt.Fprintf(&b, "- `%s`: %s\n", r.Signature(), strings.ReplaceAll(r.Doc().En, "\n", " "))
	}
	return b.String()
}

func mistakes() string {
	var b strings.Builder
	for _, p := range explain.Pages() {
		fmt.Fprintf(&b, "- `%s`: %s\n", p.Code, p.Headline(0))
	}
	return b.String()
}

// explain is the text of newt explain CODE.
func (o *Options) explain(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	code := strings.TrimPrefix(req.Params.URI, explainURI)
	if explain.Of(code) == nil {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	r, err := o.run(ctx, program{}, noStream, "explain", "--", code)
	if err != nil {
		return nil, err
	}
	return text(req.Params.URI, r.Output), nil
}

func text(uri, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}
}
