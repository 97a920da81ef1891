package puzzles

import "testing"

func TestAllAreValid(t *testing.T) {
	list, problems := all()
	for _, p := range problems {
		t.Error(p)
	}
	if len(list) != 12 {
		t.Fatalf("%d puzzles, not 12", len(list))
	}
	for i, p := range list {
		if p.Number != i+1 {
			t.Errorf("puzzle %d at position %d", p.Number, i)
		}
	}
}
