package judge

import (
	"reflect"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch/proof"
)

// ReportVersion is the version of the form of a Report. It grows where a field changes its meaning or is dropped.
const ReportVersion = 1

// Verdict is what is said of a submission.
type Verdict string

// The verdicts.
const (
	Right    Verdict = "right"    // every test passes, and nothing is wrong with a launch
	Wrong    Verdict = "wrong"    // a finding is an error
	Unjudged Verdict = "unjudged" // nothing is said: the reference fails, newt lacks something, or the time is over
)

// What a Report holds at most: a submission decides how long a message, a name or a list of results is.
const (
	maxText = 2000 // bytes; longer texts end in …
	maxList = 200  // longer lists are cut
)

// bounded cuts the texts and lists in a value that can be set.
func bounded(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); len(s) > maxText {
			v.SetString(strings.ToValidUTF8(s[:maxText], "") + "…")
		}
	case reflect.Slice:
		if v.Len() > maxList {
			v.SetLen(maxList)
		}
		for i := range v.Len() {
			bounded(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				bounded(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			bounded(v.Elem())
		}
	}
}

// Report is what the judge says of a submission. Its names are a contract; texts are cut after 2,000 bytes, and lists
// after 200 items.
type Report struct {
	Version int     `json:"version"`
	Verdict Verdict `json:"verdict"`
	Message string  `json:"message"` // the verdict in a sentence
	// Function is the one that was called, in the submission.
	Function string `json:"function,omitempty"`
	// Seed is what the inputs were drawn with: the same seed gives the same tests.
	Seed uint32 `json:"seed"`
	// Tests are those that were made, in their order; MoreTests could have followed.
	Tests     []Test `json:"tests"`
	MoreTests int    `json:"moreTests,omitempty"`
	// Findings are what is wrong (errors), what may be (warnings) and what else there is to say (hints), each once and
	// the errors first.
	Findings     []diag.JSON `json:"findings"`
	MoreFindings int         `json:"moreFindings,omitempty"`
	// Torch are the operations of torch that computed for the submission, the largest first.
	Torch  []TorchWork     `json:"torch"`
	Proofs []*proof.Report `json:"proofs,omitempty"`
	Bounds *Bounds         `json:"bounds,omitempty"` // of a right submission, where Options.Simulated is set
	Times  *Times          `json:"times,omitempty"`  // of a right submission, where Options.Timed is set

	// Diagnostics are the findings as values, with places in Files.
	Diagnostics diag.List    `json:"-"`
	Files       source.Files `json:"-"`
}

// Kind says what is special about the arguments of a test.
type Kind string

// The kinds of tests.
const (
	Values  Kind = "values"  // as the reference makes them
	Again   Kind = "again"   // other values in the same memory as those of the test before it
	Offset  Kind = "offset"  // tensors begin inside of larger memory, at odd elements
	Strided Kind = "strided" // elements of a row are not next to each other
	Timed   Kind = "timed"   // made on a device that times it; listed where it fails
	Special Kind = "special" // some elements are NaN, infinite, -0 or very large
)

// Outcome is how a test ended.
type Outcome string

// The outcomes of tests.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Differs Outcome = "differs" // at special values, or in memory that is laid out otherwise: no fault
	Skipped Outcome = "skipped" // the reference does not promise such arguments
)

// Test is one call of the submission.
type Test struct {
	// Sizes are the arguments of inputs: integers, and the names of dtypes.
	Sizes   map[string]any `json:"sizes"`
	Kind    Kind           `json:"kind"`
	Outcome Outcome        `json:"outcome"`
	Message string         `json:"message,omitempty"` // why it is no "passed"
	Outputs []Output       `json:"outputs,omitempty"` // of a call that has returned tensors as the reference does
	// Exact says, of each output that could be followed, whether it means what the reference's does; see Options.Exact.
	Exact []Exact `json:"exact,omitempty"`
	// Launches is how many kernels the call has launched.
	Launches int `json:"launches"`
}

// Exact compares what elements mean and not what they are: sums and products have no order and no rounding.
type Exact struct {
	Name      string `json:"name"` // of the output
	Elements  int    `json:"elements"`
	Different int    `json:"different"`
	Unknown   int    `json:"unknown"` // of which it is not known
}

// Output is a tensor that was compared with the reference's.
type Output struct {
	Name  string `json:"name"` // as Python writes it: "result", "result[0]", "x" for an argument that is to be changed
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	// Tolerance is what was allowed.
	Tolerance Tolerance `json:"tolerance"`
	MaxError  float64   `json:"maxError"` // of the finite elements, from the reference in float64
	Wrong     int       `json:"wrong"`
	Total     int       `json:"total"`
	First     []Element `json:"first,omitempty"` // the first wrong ones
}

// Tolerance is how far an element may be from the reference, which is computed in float64: the larger of
// Absolute + Relative·|want|, which is what torch.testing.assert_close allows for the dtype, and Rounding, four times
// the largest error that the reference has itself when it computes in the inputs' dtype.
type Tolerance struct {
	Absolute float64 `json:"absolute"`
	Relative float64 `json:"relative"`
	Rounding float64 `json:"rounding"`
}

// Element is a wrong element.
type Element struct {
	Index []int  `json:"index"`
	Got   string `json:"got"`
	Want  string `json:"want"`
}

// TorchWork is what one operation of torch on one line has computed, in all tests together.
type TorchWork struct {
	Op       string `json:"op"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Calls    int    `json:"calls"`
	Elements int64  `json:"elements"` // that it was given and that it gave
}
