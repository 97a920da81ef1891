package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles/goal"
)

// ladderWords are what the command line says of a ladder.
var ladderWords = [2]struct {
	levels                 [goal.Levels + 1]string
	head, top, most, least string
}{
	diag.English: {
		[...]string{"none yet", "bronze", "silver", "gold"},
		"Level: %s. The counts are those of a model, the PTX simulator's for an H100, in the first test; not measured.\n",
		"      %s: %s\n", "      %s: %s; %s takes %s at most\n", "      %s: %s; %s takes %s at least\n",
	},
	diag.Chinese: {
		[...]string{"尚无", "铜", "银", "金"},
		"等级：%s。以下是模型的计数（第一个测试，PTX 模拟器，H100），并非实测。\n",
		"      %s：%s\n", "      %s：%s；%s级最多 %s\n", "      %s：%s；%s级至少 %s\n",
	},
}

// writeLadder says how fast an answer that passes is, and what the next level takes.
func (r *verdictReport) writeLadder(w io.Writer) {
	if r.ladder == nil {
		return
	}
	words := &ladderWords[r.lang]
	fmt.Fprintf(w, words.head, words.levels[r.ladder.Level])
	for _, x := range r.ladder.Rungs {
		form := words.most
		if x.Least {
			form = words.least
		}
		if x.Level == goal.Levels {
			fmt.Fprintf(w, words.top, x.Label, decimal(x.Value))
			continue
		}
		fmt.Fprintf(w, form, x.Label, decimal(x.Value), words.levels[x.Level+1], decimal(x.Limits[x.Level]))
	}
}

// decimal writes a count without digits that say nothing.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
