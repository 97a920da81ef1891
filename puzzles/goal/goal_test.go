package goal

import "testing"

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		goal Goal
		want Flaw
	}{
		{Goal{Count: "sectors", Most: []float64{8, 2, 1.1}}, Sound},
		{Goal{Count: "warps", Least: []float64{0, 32, 32}}, Sound},
		{Goal{Count: "seconds", Most: []float64{3, 2, 1}}, NoCount},
		{Goal{Count: "sectors"}, NoLimits},
		{Goal{Count: "sectors", Most: []float64{3, 2}}, NoLimits},
		{Goal{Count: "sectors", Most: []float64{3, 2, 1, 0}}, NoLimits},
		{Goal{Count: "sectors", Most: []float64{3, 2, 1}, Least: []float64{1, 2, 3}}, NoLimits},
		{Goal{Count: "sectors", Most: []float64{3}, Least: []float64{1, 2}}, NoLimits},
		{Goal{Count: "sectors", Most: []float64{1, 2, 3}}, Unordered},
		{Goal{Count: "warps", Least: []float64{3, 2, 1}}, Unordered},
		{Goal{Count: "sectors", Most: []float64{1, 0, -1}}, Unordered},
	} {
		if got := c.goal.Validate(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.goal, got, c.want)
		}
	}
}

// TestGrade: a level is reached where every goal's limit of it is met; a limit itself meets it.
func TestGrade(t *testing.T) {
	goals := []Goal{
		{Count: "sectors", Most: []float64{400, 200, 100}},
		{Count: "warps", Least: []float64{16, 32, 64}},
	}
	for _, c := range []struct {
		sectors, warps float64
		level          int
	}{
		{401, 64, 0}, {400, 64, 1}, {201, 64, 1}, {200, 64, 2}, {100, 64, 3}, {0, 64, 3},
		{100, 15, 0}, {100, 16, 1}, {200, 32, 2}, {100, 63, 2}, {401, 15, 0},
	} {
		l := Grade(goals, map[string]float64{"sectors": c.sectors, "warps": c.warps}, "en")
		if l.Level != c.level || len(l.Rungs) != 2 || l.Rungs[0].Value != c.sectors || !l.Rungs[1].Least {
			t.Errorf("%+v: %+v", c, l)
		}
	}
}

// TestLabels: each count has a name of its own in both languages.
func TestLabels(t *testing.T) {
	if len(labels) != len(Counts) {
		t.Fatalf("%d labels of %d counts", len(labels), len(Counts))
	}
	seen := map[string]bool{}
	for _, name := range Counts {
		for _, lang := range []string{"en", "zh"} {
			label := Goal{Count: name}.label(lang)
			if label == "" || seen[label] {
				t.Errorf("%s: %q", name, label)
			}
			seen[label] = true
		}
	}
}
