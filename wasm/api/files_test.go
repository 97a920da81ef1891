package api

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/wasm/rpc"
)

const twoCells = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": ["# Title"]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "metadata": {"tags": ["kept"]},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["old\n"]
    },
    {
     "data": {"image/png": "iVBORw0K", "text/plain": ["<Figure>"]},
     "execution_count": 3,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": ["print('old')"]
  }
 ],
 "metadata": {"mine": 1},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// withFile serves a request with a file as its buffer.
func withFile(t *testing.T, r Request, file string) (last *Reply) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, newDocumentServer(testBudget, testLibraries), rpc.Message{Text: text, Buffers: [][]byte{[]byte(file)}}, func(r *Reply, _ [][]byte) { last = r })
	return last
}

// TestOpenAndSave: a notebook is one text with its outputs beside it, and is saved as it was but for what changed.
func TestOpenAndSave(t *testing.T) {
	open := withFile(t, Request{Open: &OpenRequest{Name: "a.ipynb"}}, twoCells).Open
	if open.Problem != "" || open.Format != "notebook" || !strings.Contains(open.Text, "# %% [markdown]\n# # Title\n") {
		t.Fatalf("the notebook opens as %+v", open)
	}
	if len(open.Cells) != 1 || open.Cells[0].Count != 3 || open.Cells[0].Outputs[0] != (CellOutput{Kind: "stdout", Text: "old\n"}) ||
		open.Cells[0].Outputs[1] != (CellOutput{Kind: "value", Text: "<Figure>", MIME: "image/png", Image: "iVBORw0K"}) {
		t.Errorf("its outputs: %+v", open.Cells)
	}
	save := SaveRequest{Name: "a.ipynb", From: "a.ipynb", Format: "notebook", Text: open.Text}
	if got := withFile(t, Request{Save: &save}, twoCells).Save.Text; got != twoCells {
		t.Errorf("an unchanged notebook is saved as\n%s", got)
	}
	save.Cells = []SavedCell{{Cell: 0, Count: 1, Outputs: []CellOutput{{Kind: "stdout", Text: "new\n"}, {Kind: "error", Text: "Traceback:\nValueError: no"}}}}
	got := withFile(t, Request{Save: &save}, twoCells).Save.Text
	for _, want := range []string{`"new\n"`, `"ename": "ValueError"`, `"evalue": "no"`, `"mine": 1`, `"kept"`, `"execution_count": 1`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in the notebook that ran:\n%s", want, got)
		}
	}
	save.Name, save.Format, save.Cells = "a.py", "python", nil
	if got := withFile(t, Request{Save: &save}, twoCells).Save.Text; got != open.Text {
		t.Errorf("as Python it is\n%s\nnot\n%s", got, open.Text)
	}
}

// TestLineEnds: a script with Windows' line ends is saved with them.
func TestLineEnds(t *testing.T) {
	const script = "a = 1\r\nprint(a)\r\n"
	open := withFile(t, Request{Open: &OpenRequest{Name: "a.py"}}, script).Open
	if open.Text != "a = 1\nprint(a)\n" || open.Format != "python" {
		t.Errorf("the script opens as %+v", open)
	}
	save := SaveRequest{Name: "a.py", From: "a.py", Format: "python", Text: open.Text}
	if got := withFile(t, Request{Save: &save}, script).Save.Text; got != script {
		t.Errorf("the script is saved as %q", got)
	}
}

// TestOpenProblem: what is no document says what is wrong with it.
func TestOpenProblem(t *testing.T) {
	for name, file := range map[string]string{"a.ipynb": "{", "b.ipynb": `{"cells": 3}`, "c.py": "\xff\xfe"} {
		if got := withFile(t, Request{Open: &OpenRequest{Name: name}}, file).Open; got.Problem == "" || got.Text != "" {
			t.Errorf("%s opens as %+v", name, got)
		}
	}
}

// TestFigures: a plot is sent with its numbers and its images, and kept in the file that is saved; what is no plot, though
// a stranger's notebook says so, is none.
func TestFigures(t *testing.T) {
	const text = `{"width":4,"height":3,"rows":1,"columns":1,"axes":[{"row":0,"column":0,"x":{"label":"n"},"y":{},"marks":[` +
		`{"kind":"line","x":[1,2],"y":[3,null],"cycle":0,"alpha":1},` +
		`{"kind":"picture","cycle":0,"alpha":1,"image":{"rows":1,"columns":2,"channels":1,"values":[0,1],"low":0,"high":1,"colormap":"gray"}}]}]}`
	shown := document.Shown("display_data", document.MIME{Type: figure.MIME, Text: text})
	o := shownOutput(shown, codec.Go{})
	if o.Figure == nil || len(o.Figure.Pixels) != 1 || len(o.Figure.Tables) != 2 || o.Figure.Tables[1].Rows[1][1] != "NaN" {
		t.Fatalf("%+v", o.Figure)
	}
	if kept := o.saved(0); len(kept.Data) != 1 || kept.Data[0] != shown.Data[0] {
		t.Errorf("saved as %v", kept)
	}
	for _, wrong := range []string{"", "[]", "{}", `{"axes":[null]}`, strings.Replace(text, "[3,null]", "[3]", 1),
		strings.Replace(text, `"rows":1,"columns":2,"ch`, `"rows":1,"columns":9,"ch`, 1)} {
		if p := plotOf(wrong, codec.Go{}); p != nil {
			t.Errorf("%s is taken for a plot", wrong)
		}
	}
}

// TestOpenRecorded: recorded launches are a script with their storages beside it, which runs.
func TestOpenRecorded(t *testing.T) {
	data, err := os.ReadFile("../../interp/recorded/testdata/recorded.launch")
	if err != nil {
		t.Fatal(err)
	}
	var open *OpenReply
	n := notebook{T: t, server: newDocumentServer(testBudget, testLibraries)}
	text, _ := json.Marshal(Request{Open: &OpenRequest{Name: "recorded.launch"}})
	serve(t, n.server, rpc.Message{Text: text, Buffers: [][]byte{data}}, func(r *Reply, files [][]byte) {
		open = r.Open
		for _, f := range files {
			n.data = append(n.data, f...)
		}
	})
	if open.Name != "recorded.py" || open.Format != "python" || len(open.Files) == 0 {
		t.Fatalf("%+v", open)
	}
	n.text, n.files = open.Text, open.Files
	for i, o := range n.run("s").outputs {
		if strings.HasPrefix(o, "error") {
			t.Errorf("output %d: %s", i, o)
		}
	}
	broken := withFile(t, Request{Lang: "zh", Open: &OpenRequest{Name: "a.LAUNCH"}}, string(data[:100])).Open
	if !strings.Contains(broken.Problem, "zip") || broken.Text != "" {
		t.Errorf("%+v", broken)
	}
}
