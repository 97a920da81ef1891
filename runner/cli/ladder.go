package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/newtlab/newt/puzzles/goal"
)

// levelKeys are the names of the levels.
var levelKeys = [goal.Levels + 1]string{"judge.level-none", "judge.level-bronze", "judge.level-silver", "judge.level-gold"}

func (r *verdictReport) writeLadder(w io.Writer) {
	l := r.ladder
	if l == nil {
		return
	}
	level := func(n int) string { return r.phrase(levelKeys[n]) }
	fmt.Fprintln(w, r.phrase("judge.level", level(l.Level)))
	for _, x := range l.Rungs {
		key := "judge.rung"
		if x.Level == goal.Levels {
			fmt.Fprintln(w, "     ", r.phrase("judge.rung-top", x.Label, decimal(x.Value)))
			continue
		}
		if x.Least {
			key = "judge.rung-least"
		}
		fmt.Fprintln(w, "     ", r.phrase(key, x.Label, decimal(x.Value), level(x.Level+1), decimal(x.Limits[x.Level])))
	}
}

// decimal writes a count without digits that say nothing.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
