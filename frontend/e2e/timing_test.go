package e2e

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles"
)

var timings = flag.Int("timings", 0, "how often what the page takes is measured; 0 leaves such tests out")

type timing struct {
	Pass                                           bool
	Compile, Run, ToClassic, Classic, Verdict, All float64
}

// TestPuzzleTimes measures, in the browser, how long each puzzle's solution takes to compile and to check.
//
//	go test ./frontend/e2e -run TestPuzzleTimes -v -timings 9
func TestPuzzleTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	p := open(t, "en", "#/puzzle/1")
	p.run()
	t.Log("medians in ms: the compiler's own figure; until the first check began; the classic check; all checks; request to reply")
	for _, puzzle := range puzzles.All() {
		source := puzzle.Text.Solutions[0].Source
		var list []timing
		for range *timings + 2 { // the first two warm the engine up
			one := eval[timing](p, probe("checkTimes", puzzle.Number, source))
			if !one.Pass {
				t.Fatalf("puzzle %d does not pass", puzzle.Number)
			}
			list = append(list, one)
		}
		of := func(get func(timing) float64) float64 { return median(list[2:], get) }
		t.Logf("%2d %-38s %6.1f %6.1f %6.1f %7.1f %7.1f", puzzle.Number, strings.TrimSpace(puzzle.Title.En),
			of(func(x timing) float64 { return x.Compile }), of(func(x timing) float64 { return x.ToClassic }),
			of(func(x timing) float64 { return x.Classic }), of(func(x timing) float64 { return x.Run }), of(func(x timing) float64 { return x.All }))
	}
}

func median[V any](list []V, get func(V) float64) float64 {
	values := make([]float64, len(list))
	for i, x := range list {
		values[i] = get(x)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
