package main

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/newtlab/newt/compiler/diag/example"
	"github.com/newtlab/newt/wasm/api"
	"github.com/newtlab/newt/wasm/rpc"
)

// refusalRow is a row of src/questions/refused.ts: a puzzle's number and codes.
var refusalRow = regexp.MustCompile(`(?m)^  (\d+): \["([\w-]+)", "([\w-]+)", "([\w-]+)"\],$`)

// TestRefusals: newt gives each program that a question shows a reason of its own, as an error, in both languages: the right
// answer is what it says of the first program of a row.
func TestRefusals(t *testing.T) {
	source, err := os.ReadFile("../src/questions/refused.ts")
	if err != nil {
		t.Fatal(err)
	}
	rows := refusalRow.FindAllStringSubmatch(string(source), -1)
	if len(rows) < 10 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, lang := range languages {
		for _, row := range rows {
			whys := map[string]bool{}
			for _, code := range row[2:] {
				found := checkExample(t, lang, code)
				if found.Code != code || found.Severity != "error" || found.Why == "" {
					t.Errorf("puzzle %s, %s: newt says %s (%s) of the example of %s: %q", row[1], lang, found.Code, found.Severity, code, found.Why)
				}
				whys[found.Why] = true
			}
			if len(whys) != 3 {
				t.Errorf("puzzle %s, %s: two programs have one reason: %v", row[1], lang, whys)
			}
		}
	}
}

// checkExample asks as the page does what is wrong with the example of a code.
func checkExample(t *testing.T, lang, code string) api.Diagnostic {
	t.Helper()
	request := api.Request{Lang: lang, Check: &api.CheckRequest{
		Source: example.Of(code).Bad, Kernel: "kernel", Grid: "1", Args: []api.FreeArg{
			{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "64", Fill: "arange"},
			{Name: "i_ptr", Kind: "tensor", DType: "int32", Shape: "64", Fill: "arange"},
			{Name: "n", Kind: "int", Value: "100"}, {Name: "BLOCK", Kind: "constexpr", Value: "16"},
		},
	}}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	replies := make(chan rpc.Message, 1)
	api.Handle()(rpc.Message{Text: text}, func(m rpc.Message) { replies <- m })
	var reply api.Reply
	if err := json.Unmarshal((<-replies).Text, &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Check == nil || len(reply.Check.Diagnostics) == 0 {
		t.Fatalf("%s: newt says nothing of its example", code)
	}
	return reply.Check.Diagnostics[0]
}
