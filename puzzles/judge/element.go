package judge

import "math"

// Element is one wrong element beside what it should be.
type Element struct {
	Index   []int   `json:"index"`
	Got     string  `json:"got"`
	Want    string  `json:"want"`
	Program *[3]int `json:"program,omitempty"` // the program that wrote it last; nil where none did
}

// First lists the first wrong elements, at most n.
func (k *Case) First(n int) []Element {
	if len(k.Wrong) == 0 {
		return nil
	}
	var out []Element
	got, want := k.Output.Floats(), k.Expected.Floats()
	for _, i := range k.Wrong[:min(n, len(k.Wrong))] {
		e := Element{Index: k.Expected.Index(i), Got: text(k.Output.DType, got[i]),
			Want: text(k.Expected.DType, want[i])}
		// Elements that no program wrote have no writer: that is what the message then says.
		if i < len(k.Writers) {
			e.Program = k.Writers[i]
		}
		out = append(out, e)
	}
	return out
}

// FiniteError is MaxError for JSON, which has no infinity: the largest float64 stands for it.
func (k *Case) FiniteError() float64 { return min(k.MaxError, math.MaxFloat64) }
