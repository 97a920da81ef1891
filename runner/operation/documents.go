package operation

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/interp/inspect/report"
	"github.com/newtlab/newt/interp/launch/proof"
	"github.com/newtlab/newt/interp/recorded"
)

// CheckedVersions is what the versions of Triton make of a document: newt check --all-versions --json.
type CheckedVersions struct {
	File     string           `json:"file"`
	Versions []CheckedVersion `json:"versions"` // oldest first
}

// CheckedVersion is what one of them makes of it.
type CheckedVersion struct {
	Triton      string         `json:"triton"`
	Verdict     editor.Verdict `json:"verdict"`
	Diagnostics []diag.JSON    `json:"diagnostics"` // errors and warnings
}

// Explanation is a diagnostic with a program that yields it: newt explain CODE --json.
type Explanation struct {
	Code     string      `json:"code"`
	Headline string      `json:"headline"`
	Program  string      `json:"program,omitempty"` // absent where no short program yields the code
	Reports  []diag.JSON `json:"reports,omitempty"` // what newt says of the program
	Fixed    string      `json:"fixed,omitempty"`   // the program put right
}

// RunReport is what newt run and newt tune write as JSON. Its names are part of the command line's contract. A list
// that was not asked for is left out.
type RunReport struct {
	Status      int              `json:"status"` // of the process
	Diagnostics []diag.JSON      `json:"diagnostics"`
	Traces      []*report.Report `json:"traces,omitempty"`
	Proofs      []*proof.Report  `json:"proofs,omitempty"`
	Autotune    []Ranking        `json:"autotune,omitempty"`
	Lens        []*lens.Report   `json:"lens,omitempty"`
}

// Ranking is a host.Ranking as JSON.
type Ranking struct {
	Kernel      string         `json:"kernel"`
	Key         string         `json:"key"`
	Configs     []RankedConfig `json:"configs"`         // the one that is expected to take least first
	Correlation *float64       `json:"rankCorrelation"` // host.Ranking.Correlation; null where that is not a number
}

// RankedConfig is one config of a Ranking.
type RankedConfig struct {
	Config     string   `json:"config"`
	ExpectedMS *float64 `json:"expectedMs"` // null where the config needs more than the GPU has
	Bound      string   `json:"bound,omitempty"`
	Kept       bool     `json:"kept"`       // it is timed, or used without that
	MeasuredMS *float64 `json:"measuredMs"` // null where it was not timed, or could not be
}

// Replayed is the outcome of a launch as newt replay --json prints it, one a line.
type Replayed struct {
	File        string           `json:"file"`
	Launch      int              `json:"launch"` // its number in the file, from 0
	Kernel      string           `json:"kernel"`
	Source      string           `json:"source"` // where the recorded program launched it
	Outcome     recorded.Outcome `json:"outcome"`
	MS          float64          `json:"ms"` // to compile and to launch
	Element     string           `json:"element,omitempty"`
	Got         string           `json:"got,omitempty"`
	Want        string           `json:"want,omitempty"`
	ULPs        *float64         `json:"ulps,omitempty"`      // absent where the worst error is no number of them
	Differ      int              `json:"differ,omitempty"`    // elements of that storage
	Beyond      int              `json:"beyond,omitempty"`    // of these, farther off than their own rounding explains
	Magnified   bool             `json:"magnified,omitempty"` // as far as rounding errors within the kernel move them
	Elements    int              `json:"elements,omitempty"`
	Diagnostics []diag.JSON      `json:"diagnostics,omitempty"`
	Notes       []string         `json:"notes,omitempty"`
}
