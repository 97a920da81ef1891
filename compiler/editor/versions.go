package editor

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
)

// Verdict is what a version of Triton makes of a file.
type Verdict string

// The verdicts.
const (
	Accepts Verdict = "accepts"
	Warns   Verdict = "warns"   // and compiles it
	Refuses Verdict = "refuses" // also where newt runs it
	Unknown Verdict = "unknown" // newt lacks what it uses
)

// VerdictOf is the verdict that diagnostics come to.
func VerdictOf(list diag.List) Verdict {
	v := Accepts
	for _, d := range list {
		switch {
		case d.Severity == diag.Hint:
		case limits[d.Code]:
			if v != Refuses {
				v = Unknown
			}
		case d.Severity == diag.Error || d.IsRefused():
			v = Refuses
		case v == Accepts:
			v = Warns
		}
	}
	return v
}

// OfVersion is what a version of Triton makes of a file, and the errors and warnings that say why.
type OfVersion struct {
	Version triton.Version
	Verdict Verdict
	List    diag.List
}

// maxTried bounds the fixes that CheckVersions applies to see what comes of them.
const maxTried = 16

// CheckVersions checks a file for each version of Triton. check is Check with the caller's own options. A fix is kept
// where no version refuses more of the file once it is applied, so that it is right for the oldest of them, too.
func CheckVersions(file *source.File, check func(*source.File, triton.Version) diag.List) []OfVersion {
	all := triton.All()
	list := make([]OfVersion, len(all))
	for i, v := range all {
		found := slices.DeleteFunc(check(file, v), func(d *diag.Diagnostic) bool { return d.Severity == diag.Hint })
		list[i] = OfVersion{v, VerdictOf(found), found}
	}
	tried := map[string]bool{} // by the text that a fix makes
	for i := range list {
		for _, d := range list[i].List {
			d.Fixes = slices.DeleteFunc(d.Fixes, func(f diag.Fix) bool {
				fixed, ok := applied(file, f.Edits)
				if !ok {
					return true
				}
				keep, seen := tried[fixed.Text]
				if !seen && len(tried) < maxTried {
					keep = fits(list, fixed, check)
					tried[fixed.Text] = keep
				}
				return !keep
			})
		}
	}
	return list
}

// fits reports whether no version finds more errors in a text than it found before.
func fits(before []OfVersion, text *source.File, check func(*source.File, triton.Version) diag.List) bool {
	for _, b := range before {
		if refusals(check(text, b.Version)) > refusals(b.List) {
			return false
		}
	}
	return true
}

// refusals counts what Triton refuses in a list.
func refusals(list diag.List) (n int) {
	for _, d := range list {
		if d.Severity == diag.Error || d.Severity == diag.Warning && d.IsRefused() {
			n++
		}
	}
	return n
}

// applied is a file with edits made; not ok where they are not of that file.
func applied(file *source.File, edits []diag.Edit) (*source.File, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return int(a.Span.Start - b.Span.Start) })
	all := file.Span()
	if slices.ContainsFunc(edits, func(e diag.Edit) bool { return e.Span.Start < all.Start || e.Span.End > all.End }) {
		return nil, false
	}
	return source.NewFile(file.Name, diag.Apply(file, edits)), true
}
