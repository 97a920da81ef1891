package main

import (
	"encoding/json"
	"testing"

	"github.com/newtlab/newt/compiler/diag/example"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/wasm/api"
	"github.com/newtlab/newt/wasm/rpc"
)

// TestRefusals: newt gives each program that a question shows a reason of its own, as an error, in both languages: the right
// answer is what it says of the first program of a puzzle.
func TestRefusals(t *testing.T) {
	questions := 0
	for _, p := range puzzles.All() {
		questions += min(1, len(p.Text.Refused))
		for _, lang := range languages {
			whys := map[string]bool{}
			for _, code := range p.Text.Refused {
				found := checkExample(t, lang, code)
				if found.Code != code || found.Severity != "error" || found.Why == "" {
					t.Errorf("puzzle %d, %s: newt says %s (%s) of the example of %s: %q", p.Number, lang, found.Code, found.Severity, code, found.Why)
				}
				whys[found.Why] = true
			}
			if len(whys) != len(p.Text.Refused) {
				t.Errorf("puzzle %d, %s: two programs have one reason: %v", p.Number, lang, whys)
			}
		}
	}
	if questions < 10 {
		t.Errorf("%d puzzles have such a question", questions)
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
