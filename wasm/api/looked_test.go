package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/wasm/rpc"
)

// TestWhole: a launch of more work than a look does ends early, and says so; a person may have all of it, and is told
// how far it has come. Looks at one launch share its checkpoints, seeks too; a look at another one has none.
func TestWhole(t *testing.T) {
	s := newDocumentServer(testBudget, Libraries{})
	free := freeOf(kernelOf("s = n\nfor i in range(400000):\n    s = (s * 3 + i) & 1023\ntl.store(x_ptr, s)"))
	free.Kernel = "k"
	early, _ := inspectRequest(t, s, "en", &InspectRequest{Free: free, Program: []int{0, 0, 0}})
	if !early.More || early.Total < 1000 || early.Total > 1_600_000 {
		t.Fatalf("%d steps, more %v, %v", early.Total, early.More, early.Diagnostics)
	}
	if !strings.Contains(early.Message, "tracing") || len(early.Diagnostics) > 0 {
		t.Errorf("of a picture that ends early it is said: %q, %v", early.Message, early.Diagnostics)
	}
	text, err := json.Marshal(&Request{Lang: "en", Inspect: &InspectRequest{Free: free, Program: []int{0, 0, 0}, Whole: true}})
	if err != nil {
		t.Fatal(err)
	}
	var told []Progress
	var whole *InspectReply
	serve(t, s, rpc.Message{Text: text}, func(r *Reply, _ [][]byte) {
		if whole = r.Inspect; r.Progress != nil {
			told = append(told, *r.Progress)
		}
	})
	if whole == nil || whole.More || whole.Total != 1_600_001 || len(whole.Diagnostics) > 0 {
		t.Fatalf("%+v", whole)
	}
	for i, p := range told {
		if p.Stage != "steps" || p.Done <= 0 || p.Done > whole.Total || i > 0 && p.Done <= told[i-1].Done {
			t.Errorf("progress %+v", told)
		}
	}
	l := s.looked.launch
	last, _ := inspectRequest(t, s, "zh", &InspectRequest{Free: free, From: 1_599_990, Whole: true})
	if len(last.Steps) != 11 || last.Total != whole.Total || s.looked.launch != l {
		t.Errorf("%d steps of %d, of one launch %v", len(last.Steps), last.Total, s.looked.launch == l)
	}
	seek := &SeekRequest{Of: InspectRequest{Free: free, Whole: true}, Program: []int{0, 0, 0}, Step: 1_599_000, Stops: []Stop{{Line: 8}}}
	var found *SeekReply
	text, _ = json.Marshal(&Request{Lang: "en", Seek: seek})
	serve(t, s, rpc.Message{Text: text}, func(r *Reply, _ [][]byte) { found = r.Seek })
	if found == nil || found.Step <= 1_599_000 || found.Step > 1_599_004 || s.looked.launch != l {
		t.Errorf("%+v, of one launch %v", found, s.looked.launch == l)
	}
	other := *free
	other.Seed++
	if inspectRequest(t, s, "en", &InspectRequest{Free: &other}); s.looked.launch == l {
		t.Error("another launch is taken for the one before")
	}
}
