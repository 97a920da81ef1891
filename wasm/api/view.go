package api

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/newtlab/newt/puzzles/judge"
)

// maxSide is how many rows and how many columns of cells a TensorView has at most. A vector, which the page wraps,
// has at most maxSide² cells.
const maxSide = 192

// sample is the choice of elements that views of one shape show. Views that are compared share one.
type sample struct {
	step  [2]int // rows and columns of elements that a cell covers
	at    []int  // the element of each cell, row by row
	wrong []int  // cells whose element is wrong
}

// sampleOf chooses from a tensor of a shape: in each cell the first wrong element that it covers, or else the first.
// The positions of the wrong elements are in order.
func sampleOf(shape, wrong []int) *sample {
	rows, columns, widest := 1, 1, maxSide*maxSide
	// All dimensions but the last count as rows: a tensor of any rank is shown as a matrix.
	for i, n := range shape {
		if i == len(shape)-1 {
			columns = n
		} else {
			rows *= n
			widest = maxSide
		}
	}
	s := &sample{step: [2]int{divideUp(rows, maxSide), divideUp(columns, widest)}, wrong: []int{}}
	across := s.columns(shape)
	first := map[int]int{}
	for _, i := range wrong {
		cell := i/columns/s.step[0]*across + i%columns/s.step[1]
		if _, ok := first[cell]; !ok {
			first[cell] = i
		}
	}
	for row := 0; row < rows; row += s.step[0] {
		for column := 0; column < columns; column += s.step[1] {
			// A cell that covers a wrong element shows it: wrong elements must not fall between the samples.
			i, ok := first[len(s.at)]
			if ok {
				s.wrong = append(s.wrong, len(s.at))
			} else {
				i = row*columns + column
			}
			s.at = append(s.at, i)
		}
	}
	return s
}

// columns is how many cells a row has.
func (s *sample) columns(shape []int) int {
	if len(shape) == 0 {
		return 1
	}
	return divideUp(shape[len(shape)-1], s.step[1])
}

// divideUp is n over size, rounded up, and at least 1.
func divideUp(n, size int) int { return max(1, (n+size-1)/size) }

// whole reports whether every element has a cell of its own.
func (s *sample) whole() bool { return s.step == [2]int{1, 1} }

// cells lists the cells whose element in lists.
func (s *sample) cells(in func(position int) bool) []int {
	list := []int{}
	for cell, i := range s.at {
		if in(i) {
			list = append(list, cell)
		}
	}
	return list
}

// view shows the chosen elements of a tensor.
func (s *sample) view(a judge.Array) *TensorView {
	data := float64Bytes(pick(a.Floats(), s.at))
	v := &TensorView{
		Name: a.Name, DType: torchName(a.DType), Shape: a.Shape, Values: base64.StdEncoding.EncodeToString(data),
		Wrong: []int{}, Unwritten: []int{},
	}
	if !s.whole() {
		v.Step, v.At = s.step[:], s.at
	}
	return v
}

// pick chooses elements by their positions.
func pick[T any](from []T, at []int) []T {
	out := make([]T, len(at))
	for i, p := range at {
		out[i] = from[p]
	}
	return out
}

// float64Bytes are numbers as a Float64Array holds them.
func float64Bytes(values []float64) []byte {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}
