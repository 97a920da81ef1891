package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/operation"
)

// agent is a client of newt mcp, which runs as a process.
type agent struct {
	*testing.T
	*sdk.ClientSession
}

func startAgent(t *testing.T) agent {
	newt := exec.Command(os.Args[0], "mcp")
	newt.Env = append(os.Environ(), asNewt+"=1", "LC_ALL=en")
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: newt}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return agent{t, session}
}

// call calls a tool. The document of the result is decoded into document, unless that is nil.
func (a agent) call(name string, args map[string]any, document any) (r operation.Result) {
	a.Helper()
	got, err := a.CallTool(a.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil || got.IsError {
		a.Fatalf("%s: %v, %+v", name, err, got)
	}
	bytes, err := json.Marshal(got.StructuredContent)
	if err == nil {
		err = json.Unmarshal(bytes, &r)
	}
	if err == nil && document != nil {
		err = json.Unmarshal(r.Document, document)
	}
	if err != nil {
		a.Fatal(err)
	}
	return r
}

const faultyScript = `import torch
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr)
    pid = tl.programid(0)
    offs = pid * BLOCK + tl.arrange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(out_ptr + offs, x * 2, mask=off < n)


x = torch.arange(100, dtype=torch.float32, device="cuda")
out = torch.empty_like(x)
scale[(4,)](x, out, 100, BLOCK=32)
print(torch.equal(out, 2 * x))
`

// TestAgentFixes is an agent without a model: it checks, applies the first fix that there is, and checks again, until
// nothing is wrong. Then it runs the script.
func TestAgentFixes(t *testing.T) {
	a, text := startAgent(t), faultyScript
	for round := 0; ; round++ {
		var list []diag.JSON
		a.call("check", map[string]any{"files": map[string]string{"scale.py": text}}, &list)
		list = slices.DeleteFunc(list, func(d diag.JSON) bool { return d.Severity != "error" })
		if len(list) == 0 {
			break
		}
		at := slices.IndexFunc(list, func(d diag.JSON) bool { return len(d.Fixes) > 0 })
		if at < 0 || round == 10 {
			t.Fatalf("after %d fixes: %+v in\n%s", round, list, text)
		}
		edits := list[at].Fixes[0].Edits
		for i := len(edits) - 1; i >= 0; i-- {
			text = text[:edits[i].Place.Start] + edits[i].New + text[edits[i].Place.End:]
		}
	}
	r := a.call("run", map[string]any{"files": map[string]string{"scale.py": text}, "sanitize": true}, nil)
	if r.Status != 0 || r.Output != "True\n" || r.Document == nil || r.Errors != "" {
		t.Errorf("run: %+v of\n%s", r, text)
	}
}

// TestAgentTools calls each tool, and reads each resource.
func TestAgentTools(t *testing.T) {
	a := startAgent(t)
	tools, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		text, _ := json.Marshal(tool.InputSchema)
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(text, &schema); err != nil || len(schema.Properties) < 2 {
			t.Errorf("%s: %v, %s", tool.Name, err, text)
		}
		for name, p := range schema.Properties {
			if p.Description == "" {
				t.Errorf("%s does not say what %s is", tool.Name, name)
			}
		}
	}
	calls := operationCalls(t)
	for _, tool := range tools.Tools {
		c, ok := calls[tool.Name]
		if !ok {
			t.Errorf("%s is not called", tool.Name)
			continue
		}
		r, _ := json.Marshal(a.call(tool.Name, c.good, nil))
		if !strings.Contains(string(r), c.want) {
			t.Errorf("%s: %s has no %s", tool.Name, r, c.want)
		}
		if r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: c.bad}); err == nil && !r.IsError {
			t.Errorf("%s of %.60v: %+v", tool.Name, c.bad, r.StructuredContent)
		}
	}
	for uri, want := range map[string]string{"newt://language": "`tl.load(pointer", "newt://host": "torch",
		"newt://mistakes": "plain-constexpr", "newt://explain/plain-constexpr": "constexpr"} {
		r, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "newt://explain/--help"}); err == nil {
		t.Error("an unknown code is explained")
	}
}

// TestAgentMisuse calls tools wrongly: each call is refused with a reason, and the next one works.
func TestAgentMisuse(t *testing.T) {
	a := startAgent(t)
	for _, args := range []map[string]any{
		{"files": map[string]string{"../a.py": "x"}},
		{"files": map[string]string{"/etc/a.py": "x"}},
		{"files": map[string]string{"--json": "x"}},
		{"files": map[string]string{"a.py": "x", "b.py": "y"}},
		{"files": map[string]string{"a.py": "x", "a.py/b.py": "y"}, "document": "a.py"},
		{"files": map[string]string{"a.py": strings.Repeat("x", 5<<20)}}, // more than is taken, less than a message may have
		{"files": "a.py"},
		{},
	} {
		r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "check", Arguments: args})
		if err == nil && !r.IsError && !strings.Contains(fmt.Sprint(r.StructuredContent), "status:2") {
			t.Errorf("check of %.60s: %+v", fmt.Sprint(args), r.StructuredContent)
		}
	}
	compiled := map[string]any{"files": map[string]string{"a.py": "x"}, "signature": "i32", "emit": "sass"}
	if r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "compile", Arguments: compiled}); err == nil && !r.IsError {
		t.Errorf("machine code is printed: %+v", r.StructuredContent)
	}
	// What is printed is bounded, and what a program asks of the machine is not there.
	long := map[string]string{"a.py": "for i in range(100000): print('x' * 100)\n"}
	r := a.call("run", map[string]any{"files": long}, nil)
	if !r.Truncated || len(r.Output) > 200<<10 {
		t.Errorf("a long output: %d bytes, %v", len(r.Output), r.Truncated)
	}
	r = a.call("run", map[string]any{"files": map[string]string{"a.py": "print(open('/etc/passwd').read())\n"}}, nil)
	if r.Status == 0 || strings.Contains(r.Output, "root") {
		t.Errorf("a file of the machine: %+v", r)
	}
}
