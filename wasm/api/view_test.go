package api

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// counting is a tensor whose elements are their own positions.
func counting(shape ...int) judge.Array {
	a := judge.Array{Array: puzzles.Array{Name: "z", DType: num.Float32, Shape: shape}}
	for i := range a.Len() {
		a.Data = binary.LittleEndian.AppendUint32(a.Data, math.Float32bits(float32(i)))
	}
	return a
}

func decoded(t *testing.T, v *TensorView) []int {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(v.Values)
	if err != nil {
		t.Fatal(err)
	}
	list := []int{}
	for ; len(data) > 0; data = data[8:] {
		list = append(list, int(math.Float64frombits(binary.LittleEndian.Uint64(data))))
	}
	return list
}

// TestViews: nothing is cut short. What is too large shows an element of each part, a wrong one where there is one.
func TestViews(t *testing.T) {
	for _, c := range []struct {
		shape, wrong   []int
		step           []int // nil: all elements
		cells          int
		wrongCells     []int
		cell, position int // an element that must be shown
	}{
		{[]int{90, 100}, []int{8999}, nil, 9000, []int{8999}, 8999, 8999},
		{[]int{}, nil, nil, 1, []int{}, 0, 0},
		{[]int{0}, nil, nil, 0, []int{}, -1, 0},
		{[]int{4, 0}, nil, nil, 0, []int{}, -1, 0},
		{[]int{1000}, nil, nil, 1000, []int{}, 999, 999},
		{[]int{40_000}, []int{39_999}, []int{1, 2}, 20_000, []int{19_999}, 19_999, 39_999},
		{[]int{400, 300}, []int{301, 600, 602}, []int{3, 2}, 134 * 150, []int{0, 1}, 0, 301},
		{[]int{2, 200, 5}, []int{5}, []int{3, 1}, 134 * 5, []int{0}, 0, 5},
	} {
		s := sampleOf(c.shape, c.wrong)
		v := s.view(counting(c.shape...))
		values := decoded(t, v)
		if !slices.Equal(v.Step, c.step) || len(values) != c.cells || !slices.Equal(s.wrong, c.wrongCells) {
			t.Errorf("%v: step %v, %d cells, wrong %v; want %v, %d, %v", c.shape, v.Step, len(values), s.wrong, c.step, c.cells, c.wrongCells)
			continue
		}
		if c.cell >= 0 && (values[c.cell] != c.position || v.At != nil && v.At[c.cell] != c.position) {
			t.Errorf("%v: cell %d shows element %d, want %d", c.shape, c.cell, values[c.cell], c.position)
		}
	}
}
