package dump

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
)

func parse(t *testing.T, text string) *ir.Func {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

func recorded(t *testing.T) *Recorder {
	t.Helper()
	r := &Recorder{}
	file := source.NewFile("k.py", "import x\n\ndef f(p):\n    store(p, load(p))\n")
	r.Source(file, source.Span{Start: 10, End: 41})
	fn := parse(t, "func @f(%p: *i32) {\n  %x = load %p : i32 @33:40\n  store %p, %x @24:41\n  return\n}")
	r.IR("lower", "the program as tiles", fn)
	r.IR("fold", "", fn)
	fn.Body.Instrs = slices.Delete(fn.Body.Instrs, 1, 2)
	r.IR("dce", "", fn)
	return r
}

func TestRecorder(t *testing.T) {
	r := recorded(t)
	var names []string
	var changed []bool
	for _, s := range r.Stages() {
		names = append(names, s.Name)
		changed = append(changed, s.Changed)
	}
	if !slices.Equal(names, []string{"source", "lower", "fold", "dce"}) || !slices.Equal(changed, []bool{false, false, false, true}) {
		t.Errorf("stages %v, changed %v", names, changed)
	}
	if got, want := r.Stage("source").Text(), "def f(p):\n    store(p, load(p))\n"; got != want {
		t.Errorf("source is %q, want %q", got, want)
	}
	if got := r.Stage("lower").Text(); !strings.Contains(got, "%x = load %p : i32\n") {
		t.Errorf("IR without spans expected:\n%s", got)
	}
}

func TestNilRecorder(t *testing.T) {
	var r *Recorder
	r.Source(source.NewFile("", ""), source.Span{})
	r.Lines("syntax", "", nil)
	r.IR("lower", "", nil)
	if r.Stages() != nil || r.Stage("lower") != nil {
		t.Error("a nil recorder has stages")
	}
}

func TestFrom(t *testing.T) {
	lower := recorded(t).Stage("lower")
	cases := []struct {
		start, end int32
		want       []int
	}{
		{33, 40, []int{1}},    // the load itself
		{34, 35, []int{1}},    // inside it: the smallest around
		{25, 26, []int{2}},    // inside the store alone
		{20, 45, []int{1, 2}}, // a line holds both
		{0, 5, nil},
	}
	for _, c := range cases {
		if got := lower.From(source.Span{Start: c.start, End: c.end}); !slices.Equal(got, c.want) {
			t.Errorf("from %d:%d: lines %v, want %v", c.start, c.end, got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	got, err := json.Marshal(recorded(t).Stage("lower").Lines[:2])
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"text":"func @f(%p: *i32) {"},{"text":"  %x = load %p : i32","start":33,"end":40}]`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
