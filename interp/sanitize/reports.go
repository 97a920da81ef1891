package sanitize

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// reports are the findings of a sanitizer, one for each code and place: the first program that has it, and how often.
type reports struct {
	found map[place]*diag.Diagnostic
	list  diag.List
	lost  bool // findings beyond maxFound
}

type place struct {
	code   string
	span   source.Span
	tensor string
}

// maxLanes is how many lanes of the first access that has a finding are kept.
const maxLanes = 1 << 12

// accesses counts those of the program that runs.
type accesses struct {
	program [3]int
	made    int
}

// count counts an access of a program.
func (n *accesses) count(program [3]int) {
	n.begin(program)
	n.made++
}

// begin begins again with a program that is not the one that ran.
func (n *accesses) begin(program [3]int) {
	if program != n.program {
		*n = accesses{program: program}
	}
}

// add reports a finding, or counts one that there is. It is nil then.
func (r *reports) add(code string, span source.Span, at diag.Runtime, args ...any) *diag.Diagnostic {
	key := place{code, span, at.Tensor}
	if d := r.found[key]; d != nil {
		d.Runtime.Count++
		if of := d.Runtime; at.Program == of.Program && at.Access == of.Access && len(of.Lanes) < maxLanes {
			of.Lanes = append(of.Lanes, at.Lanes...)
		}
		return nil
	}
	if len(r.list) == maxFound {
		r.lost = true
		return nil
	}
	if r.found == nil {
		r.found = map[place]*diag.Diagnostic{}
	}
	d := diag.Warn(code, span, args...)
	at.Count = 1
	d.Runtime = &at
	r.found[key] = d
	r.list.Add(d)
	return d
}

// Diagnostics are the findings in the order of the source, and whether some are missing.
func (r *reports) Diagnostics() diag.List {
	list := slices.Clone(r.list)
	list.Sort()
	if r.lost {
		d := diag.New("sanitize-findings", source.Span{}, maxFound)
		d.Severity = diag.Hint
		list.Add(d)
	}
	return list
}
