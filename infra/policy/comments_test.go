package policy

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

func TestComments(t *testing.T) {
	bad, err := CheckComments(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bad {
		t.Error(b)
	}
}

func TestCheckComments(t *testing.T) {
	bad, err := CheckComments(fstest.MapFS{"p/a.go": {Data: []byte(`package p

// old adds (see b.go and a.go; torch/x.py).
func add() {}

// A point is two numbers.
type point struct{}

// point's are many.
var pointless int

// TestX: what it claims, in gone.ts.
func TestX() {}
`)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"p/a.go:12: the comment mentions gone.ts, which is nowhere in the tree",
		"p/a.go:3: the comment mentions b.go, which is nowhere in the tree",
		"p/a.go:3: the doc comment of add does not begin with its name",
		"p/a.go:9: the doc comment of pointless does not begin with its name",
	}
	if !slices.Equal(bad, want) {
		t.Errorf("got %q", bad)
	}
}
