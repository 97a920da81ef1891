package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/runner/findings"
	"github.com/newtlab/newt/runner/operation"
)

// writeReport writes what the flags ask for to standard error. The error is one of ptxas.
func (f *runFlags) writeReport(ctx context.Context, e *Env, c *counts, files source.Files, status int) error {
	lenses, err := c.reports(ctx, f.ptxas, files)
	if err != nil {
		return err
	}
	lang := diag.ParseLang(*f.lang)
	switch {
	case f.format.IsForTools():
		return f.format.Write(e.Stderr, diag.ToJSON(files, f.reported, lang), "", e.repository())
	case f.format == findings.JSON:
		return writeJSON(e.documents(), operation.RunReport{
			Status: status, Diagnostics: diag.ToJSON(files, f.reported, lang),
			Traces: f.traces.list, Proofs: f.proofs.list, Autotune: f.tuning.json(), Lens: lenses})
	}
	f.traces.write(e.Stderr)
	f.proofs.text(e.Stderr, lang)
	f.tuning.write(e.Stderr, f.gpu, lang)
	for _, r := range lenses {
		io.WriteString(e.Stderr, r.Text(lang))
	}
	return nil
}

// findingKinds are the kinds of findings that --error-on names, each with the codes of its diagnostics: a code, or the
// beginning of several that ends in a hyphen.
var findingKinds = map[string][]string{
	"race":      {"race-"},
	"undefined": {"undefined-lane-"},
	"unwritten": {"read-unwritten"},
	"oob":       {"out-of-bounds-", "wild-pointer"},
	"nan":       {"nan-origin", "overflow-origin"},
	"overflow":  {"integer-overflow"},
	"hint":      {"hint-divisibility", "hint-contiguity", "hint-constancy"},
	"warning":   nil, // any warning
}

// kindsOfFindings lists the kinds.
func kindsOfFindings() string { return strings.Join(slices.Sorted(maps.Keys(findingKinds)), ", ") }

// errorKinds are kinds of findings that make a command fail.
type errorKinds []string

// sanitizerKinds are the kinds of what sanitizers find.
var sanitizerKinds = errorKinds{"race", "undefined", "unwritten", "oob", "nan", "overflow", "hint"}

// Set reads the value of --error-on.
func (k *errorKinds) Set(text string) error {
	for kind := range strings.SplitSeq(text, ",") {
		if _, ok := findingKinds[kind]; !ok {
			return fmt.Errorf("%q is none of %s%s", kind, kindsOfFindings(),
				nearest(kind, slices.Collect(maps.Keys(findingKinds))))
		}
		*k = append(*k, kind)
	}
	return nil
}

// has reports whether a finding is of one of the kinds.
func (k errorKinds) has(d *diag.Diagnostic) bool {
	return slices.ContainsFunc(k, func(kind string) bool {
		return kind == "warning" && d.Severity == diag.Warning ||
			slices.ContainsFunc(findingKinds[kind], func(code string) bool {
				return d.Code == code || strings.HasSuffix(code, "-") && strings.HasPrefix(d.Code, code)
			})
	})
}

// errorOn reads the value of --error-on.
func (f *runFlags) errorOn(text string) error {
	f.sanitize = true
	return f.errors.Set(text)
}

// found reports whether there are findings of the kinds that --error-on names.
func (f *runFlags) found() bool { return slices.ContainsFunc(f.reported, f.errors.has) }
