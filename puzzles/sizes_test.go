package puzzles

import (
	"maps"
	"slices"
	"testing"
)

// TestOtherCases: other cases are none of the tests', are what the statements allow, and come with the smallest first.
func TestOtherCases(t *testing.T) {
	for _, p := range All() {
		list := OtherCases(p, []int{200, 8, 40})
		if len(list) == 0 || len(list) > maxOtherCases {
			t.Errorf("%s: %d cases", p.Slug, len(list))
		}
		tests := map[string]bool{}
		for _, c := range p.tests() {
			tests[c.key()] = true
		}
		for i, c := range list {
			if err := p.validateCase(c.Case); err != nil || tests[c.key()] {
				t.Errorf("%s: %v: %v", p.Slug, c.key(), err)
			}
			tests[c.key()] = true
			of, _ := p.Test(c.Test)
			if of.Seed != c.Seed || of.Shift != c.Shift {
				t.Errorf("%s: %v is not of test %d", p.Slug, c.key(), c.Test)
			}
			if i > 0 && list[i-1].sum() > c.sum() {
				t.Errorf("%s: %v comes after larger sizes", p.Slug, c.key())
			}
		}
	}
}

// TestOtherCasesAreNearBlocksAndConstants: puzzle 2 is tried at sizes around its blocks and constants of the source.
func TestOtherCasesAreNearBlocksAndConstants(t *testing.T) {
	p, _ := Get(2)
	var sizes []int
	for _, c := range OtherCases(p, []int{3, 17}) {
		if c.Blocks["B0"] == 32 {
			sizes = append(sizes, c.Sizes["N0"])
		}
	}
	want := []int{1, 2, 3, 4, 5, 17, 18, 31, 33, 63, 64, 65, 97, 545}
	if !slices.Equal(sizes, want) {
		t.Errorf("got %v, want %v: all but the tests' 7 and 32", sizes, want)
	}
}

func TestVary(t *testing.T) {
	p, _ := Get(3)
	c := Vary(p, OtherCase{Case: p.Classic}, map[string]int{"B1": 4})
	if want := map[string]int{"N0": 32, "N1": 4}; !maps.Equal(c.Sizes, want) || p.Classic.Sizes["N1"] != 32 {
		t.Errorf("got %v, want %v", c.Sizes, want)
	}
	if got, want := Describe(p, c.Case), "N1 = 4, B0 = 32, B1 = 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range []struct {
		puzzle int
		name   string
		below  int
		want   []int
	}{{3, "B0", 9, []int{1, 2, 4, 8}}, {12, "MID", 32, []int{8, 16, 24}}, {2, "N0", 3, []int{1, 2}}, {2, "N0", 1, nil}} {
		p, _ := Get(c.puzzle)
		if got := Smaller(p, c.name, c.below); !slices.Equal(got, c.want) {
			t.Errorf("puzzle %d, %s below %d: %v, want %v", c.puzzle, c.name, c.below, got, c.want)
		}
	}
}
