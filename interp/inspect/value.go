package inspect

import (
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/trace"
)

// Value is what an operation gives.
type Value struct {
	Type types.Type
	Name string // the variable that holds it, if it is an input; empty where none does
	// Lanes are its numbers, row by row; those of a pointer are offsets from its tensor's first element.
	Lanes []float64

	pointee string // the tensor that a pointer points into; of its first lane
}

// newValue copies the lanes of a value.
func newValue(t types.Type, lanes num.Vec, pointee func(arg int) string) *Value {
	v := &Value{Type: t, Lanes: make([]float64, lanes.Len())}
	if !t.Pointer {
		num.Cast(t.DType, num.Float64, num.RTNE)(num.Vec{F64: v.Lanes}, lanes)
		return v
	}
	for i, p := range lanes.I64 {
		arg, offset := trace.Split(p)
		if v.Lanes[i] = float64(offset); i == 0 {
			v.pointee = pointee(arg)
		}
	}
	return v
}

// TypeText is the value's type: int32[32], or pointer<float32>[32].
func (v *Value) TypeText() string {
	text := v.Type.DType.Info().Attr
	if v.Type.Pointer {
		text = "pointer<" + text + ">"
	}
	if v.Type.IsScalar() {
		return text
	}
	return text + types.ShapeString(v.Type.Shape)
}

// shown is how many lanes a text holds before it leaves some out, and digits how many significant ones of floats.
const (
	shown  = 4
	digits = 3
)

// In is the value in short: 192 193 … 223, or 8 of 32 true.
func (v *Value) In(lang diag.Lang) string {
	n := len(v.Lanes)
	if v.isTruth() && n > 1 {
		true := 0
		for _, x := range v.Lanes {
			true += int(x)
		}
		return diag.Text{Key: "inspect.true", Args: []any{true, n}}.In(lang)
	}
	if n <= shown {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = v.lane(i, digits)
		}
		return strings.Join(texts, " ")
	}
	return v.lane(0, digits) + " " + v.lane(1, digits) + " … " + v.lane(n-1, digits)
}

func (v *Value) isTruth() bool { return !v.Type.Pointer && v.Type.DType == num.Int1 }

// lane is one lane as a person reads it, a float with so many significant digits.
func (v *Value) lane(i, digits int) string {
	x := v.Lanes[i]
	switch {
	case v.Type.Pointer:
		return v.pointee + "[" + strconv.FormatFloat(x, 'f', -1, 64) + "]"
	case v.isTruth():
		return truthText(x != 0)
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return map[bool]string{true: "inf", false: "-inf"}[x > 0]
	case v.Type.DType.Info().Float:
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func truthText(x bool) string {
	return map[bool]string{false: "False", true: "True"}[x]
}
