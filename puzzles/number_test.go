package puzzles

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestLabel(t *testing.T) {
	for number, want := range map[int]string{
		1: "1", 12: "12", 99: "99", 100: "100", 101: "1a", 601: "6a", 626: "6z", 627: "627", 700: "700", 1002: "10b", 1101: "11a", 2000: "2000",
		2001: "F1", 2012: "F12", 2100: "2100", 2101: "2101",
	} {
		if got := Label(number); got != want || IsWarmUp(number) != strings.ContainsFunc(want, unicode.IsLower) {
			t.Errorf("Label(%d) = %q, want %q; IsWarmUp is %t", number, got, want, IsWarmUp(number))
		}
	}
}

// TestPath: warm-ups come between the puzzles that their numbers name, and the twelve are the twelve.
func TestPath(t *testing.T) {
	var twelve []string
	for _, p := range All() {
		if !IsWarmUp(p.Number) {
			twelve = append(twelve, Label(p.Number))
		}
	}
	if got := strings.Join(twelve, " "); got != "1 2 3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("the puzzles are %s", got)
	}
	numbers := []int{12, 702, 8, 601, 7, 1, 701, 1101, 11, 6}
	slices.SortFunc(numbers, func(a, b int) int { return position(a) - position(b) })
	if want := []int{1, 6, 601, 7, 701, 702, 8, 11, 1101, 12}; !slices.Equal(numbers, want) {
		t.Errorf("the order is %v, want %v", numbers, want)
	}
}
