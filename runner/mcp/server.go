// Package mcp offers newt's operations to agents over the Model Context Protocol: each row of package operation's table
// is a tool. What can be read of the language and the diagnostics is a resource.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/explain"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/runner/operation"
)

// Options say what a server offers.
type Options struct {
	Version   string // of newt
	Processes *operation.Processes
	Links     bool // calls have a place for links (operation.WithLinks)
}

// New returns a server that answers agents. The context of a call may have a turn (operation.WithTurn).
func New(o Options) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "newt", Version: o.Version},
		&sdk.ServerOptions{Instructions: instructions})
	for _, row := range operation.Table {
		if row.Linked && !o.Links {
			continue
		}
		s.AddTool(&sdk.Tool{Name: row.Name, Description: row.Description,
			InputSchema: row.Input, OutputSchema: row.Output,
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !row.Linked}},
			func(ctx context.Context, call *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				r, err := row.Call(ctx, o.Processes, call.Params.Arguments)
				return result(r, err)
			})
	}
	for _, r := range resources {
		s.AddResource(&sdk.Resource{URI: r.uri, Name: r.name, Description: r.description, MIMEType: "text/markdown"},
			func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				return text(req.Params.URI, r.text()), nil
			})
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: explainURI + "{code}", Name: "explain",
		Description: "A diagnostic by its code: a program that yields it, the report, and the program put right.",
		MIMEType:    "text/plain"}, explainCode)
	return s
}

// result is what a tool returns: a Result as structured content, and as text for clients that read that alone. What was
// not carried out is an error of the tool, which the agent reads, and not one of the protocol.
func result(r *operation.Result, err error) (*sdk.CallToolResult, error) {
	var why *operation.Error
	if errors.As(err, &why) {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: why.Error()}}}, nil
	}
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(body)}},
		StructuredContent: json.RawMessage(body)}, nil
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

// explainCode is the page of a diagnostic.
func explainCode(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	page := explain.Of(strings.TrimPrefix(req.Params.URI, explainURI))
	if page == nil {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	return text(req.Params.URI, page.Text(diag.Printer{})), nil
}

func text(uri, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}
}
