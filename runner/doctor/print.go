package doctor

import (
	"fmt"
	"io"

	"github.com/newtlab/newt/compiler/diag"
)

// titles are the headings of the areas.
var titles = []struct {
	area  Area
	words Words
}{
	{Serving, Words{"What newt uses", "newt 要用到的"}},
	{GPU, Words{
		"GPU: what newt needs to run kernels on a GPU of this machine (`newt serve --device cuda:0`). Without a GPU, kernels run in each visitor's own page.",
		"GPU：在这台机器的 GPU 上运行 kernel 所需的条件（`newt serve --device cuda:0`）。没有 GPU 时，kernel 在每位访问者自己的网页里运行。",
	}},
}

// labels are the states, padded to the same width.
var labels = map[State]Words{
	OK: {"ok  ", "正常"}, Note: {"note", "说明"}, Warn: {"WARN", "注意"}, Lack: {"LACK", "缺少"},
}

var verdicts = map[bool]Words{
	true:  {"newt has everything that it needs.", "newt 需要的都已具备。"},
	false: {"newt lacks the items marked LACK.", "newt 缺少标为“缺少”的项目。"},
}

// Print writes the report as text.
func (r Report) Print(w io.Writer, lang diag.Lang) {
	between := ""
	for _, t := range titles {
		heading := between + t.words.In(lang) + "\n"
		for _, f := range r {
			if f.Area != t.area {
				continue
			}
			fmt.Fprintf(w, "%s  %s  %s\n", heading, labels[f.State].In(lang), f.Says.In(lang))
			if f.Do.En != "" {
				fmt.Fprintf(w, "        → %s\n", f.Do.In(lang))
			}
			heading, between = "", "\n"
		}
	}
	fmt.Fprintf(w, "\n%s\n", verdicts[r.Healthy()].In(lang))
}

// JSON is the machine-readable form of a report. Its names are part of the command line's interface.
type JSON struct {
	Healthy  bool          `json:"healthy"`
	Findings []JSONFinding `json:"findings"`
}

// JSONFinding is one finding of a JSON report.
type JSONFinding struct {
	Check string `json:"check"`
	Area  Area   `json:"area"`
	State State  `json:"state"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"`
}

// JSON returns the machine-readable form of the report.
func (r Report) JSON(lang diag.Lang) JSON {
	out := JSON{Healthy: r.Healthy(), Findings: make([]JSONFinding, 0, len(r))}
	for _, f := range r {
		out.Findings = append(out.Findings, JSONFinding{f.Check, f.Area, f.State, f.Says.In(lang), f.Do.In(lang)})
	}
	return out
}
