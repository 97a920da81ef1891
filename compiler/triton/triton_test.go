package triton_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/triton"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]triton.Version{
		"3.6": triton.V36, "3.7.1": triton.V37, "3.8": triton.V38, "3.9.0": triton.V39, "latest": triton.Latest,
		"": 0, "3": 0, "3.5": 0, "3.60": 0, "v3.8": 0,
	} {
		if got, err := triton.Parse(text); got != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, v := range triton.All() {
		if got, err := triton.Parse(v.String()); got != v || err != nil {
			t.Errorf("%v: %v, %v", v, got, err)
		}
	}
}

func TestRequested(t *testing.T) {
	for text, want := range map[string]struct {
		v    triton.Version
		line int
	}{
		"import triton\n":                          {},
		"# triton: 3.7\n# triton: 3.9\n":           {triton.V37, 0},
		"import triton\r\n#triton:latest\r\nx = 1": {triton.Latest, 0},
		"x = 1  # triton: 3.7":                     {},
		"    # triton: 3.7":                        {},
		"# triton 3.7":                             {},
		"\n# triton: 2.1\n":                        {0, 2},
		"# about triton: it is a compiler\n":       {},
		"## triton: 3.9":                           {triton.V39, 0},
	} {
		if v, line := triton.Requested(text); v != want.v || line != want.line {
			t.Errorf("%q: %v, line %d", text, v, line)
		}
	}
}

// TestLifetime: the zero values are the default and always.
func TestLifetime(t *testing.T) {
	var always triton.Lifetime
	block := triton.Lifetime{Deprecated: triton.V37, Until: triton.V39}
	for _, c := range []struct {
		v          triton.Version
		has, warns bool
	}{{triton.V36, true, false}, {triton.V37, true, true}, {triton.V38, true, true}, {triton.V39, false, false},
		{0, triton.Default < triton.V39, triton.Default < triton.V39}} {
		if block.In(c.v) != c.has || block.Warns(c.v) != c.warns || !always.In(c.v) || always.Warns(c.v) {
			t.Errorf("%v: in %v, warns %v", c.v, block.In(c.v), block.Warns(c.v))
		}
	}
}

// TestChanges: each change has a version from which or until which it holds.
func TestChanges(t *testing.T) {
	for c := range triton.NumChanges {
		if triton.Oldest.Has(c) == triton.Latest.Has(c) {
			t.Errorf("change %d: nothing changes", c)
		}
	}
}
