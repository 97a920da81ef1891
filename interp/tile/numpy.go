package tile

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// Prints look as in Triton's interpreter, whose tiles are numpy arrays and whose scalars are
// arrays of one element. The layout and its numbers are those of numpy's default print options.
const (
	lineWidth  = 75
	threshold  = 1000 // larger arrays are shown by their edges
	edgeItems  = 3
	precision  = 8
	largeFloat = 1e8 // from here on floats have exponents,
	smallFloat = 1e-4
	floatRange = 1e3 // and where the largest is more than this many times the smallest
)

// arrayText writes v, a tile of type t, as numpy's str does.
func arrayText(w *textBuilder, t types.Type, v num.Vec, hex bool) {
	a := newArray(t)
	// An element and what follows it take two bytes at least.
	// The text is bounded before it is built.
	if n := a.numShown(); 2*n > w.room() || !w.goOn(n) {
		w.full = true
		return
	}
	a.format = formatter(w, t, v, a.shown(0, 0, nil), hex)
	a.text(w, 0, 0, 0)
}

type array struct {
	shape  []int
	edges  bool
	format func(i int) string
}

func newArray(t types.Type) *array {
	shape := t.Shape
	if len(shape) == 0 {
		shape = []int{1}
	}
	return &array{shape: shape, edges: t.Numel() > threshold}
}

// span is how many elements one step along axis passes.
func (a *array) span(axis int) int {
	n := 1
	for _, d := range a.shape[axis+1:] {
		n *= d
	}
	return n
}

// indices are the positions shown along axis; -1 means the dots.
func (a *array) indices(axis int) []int {
	n := a.shape[axis]
	var list []int
	for i := range n {
		switch {
		case !a.edges || n <= 2*edgeItems || i < edgeItems || i >= n-edgeItems:
			list = append(list, i)
		case i == edgeItems:
			list = append(list, -1)
		}
	}
	return list
}

// numShown is how many elements are shown.
func (a *array) numShown() int {
	n := 1
	for _, size := range a.shape {
		if a.edges {
			size = min(size, 2*edgeItems)
		}
		n *= size
	}
	return n
}

// shown appends the elements that are shown, from axis on.
func (a *array) shown(axis, base int, into []int) []int {
	if axis == len(a.shape) {
		return append(into, base)
	}
	for _, i := range a.indices(axis) {
		if i >= 0 {
			into = a.shown(axis+1, base+i*a.span(axis), into)
		}
	}
	return into
}

func (a *array) text(w *textBuilder, axis, base, indent int) {
	if axis == len(a.shape)-1 {
		a.row(w, axis, base, indent+1)
		return
	}
	// numpy puts one line feed between rows, two between matrices, and so on.
	gap := strings.Repeat("\n", len(a.shape)-1-axis) + strings.Repeat(" ", indent+1)
	w.write("[")
	for k, i := range a.indices(axis) {
		if k > 0 {
			w.write(gap)
		}
		if w.full {
			return
		}
		if i < 0 {
			w.write("...")
			continue
		}
		a.text(w, axis+1, base+i*a.span(axis), indent+1)
	}
	w.write("]")
}

// row writes the last axis, broken into lines.
func (a *array) row(w *textBuilder, axis, base, indent int) {
	line := indent
	w.write("[")
	for k, i := range a.indices(axis) {
		word := "..."
		if i >= 0 {
			word = a.format(base + i)
		}
		if k > 0 {
			// numpy counts the closing brackets that may follow into the width of each line.
			if line+len(word)+1 >= lineWidth-len(a.shape)+1 && line > indent {
				w.write("\n" + strings.Repeat(" ", indent))
				line = indent
			} else {
				w.write(" ")
				line++
			}
		}
		if w.write(word); !w.goOn(1) {
			return
		}
		line += len(word)
	}
	w.write("]")
}

// formatter writes elements of v in one width, chosen by the elements shown.
func formatter(w *textBuilder, t types.Type, v num.Vec, shown []int, hex bool) func(int) string {
	switch d := dtypeOf(t); {
	case hex:
		return func(i int) string { return fmt.Sprintf("0x%02x", num.ScalarAt(d, v, i).Bits) }
	case d == num.Int1:
		return func(i int) string {
			if v.I32[i] != 0 {
				return " True"
			}
			return "False"
		}
	case d.Info().Float:
		return floats(w, d, v, shown)
	default:
		return padded(w, shown, func(i int) string { return num.Format(d, v, i) })
	}
}

// padded aligns texts at the right.
func padded(w *textBuilder, shown []int, text func(int) string) func(int) string {
	width := 0
	for _, i := range shown {
		if !w.goOn(1) {
			break
		}
		width = max(width, len(text(i)))
	}
	return func(i int) string { return fmt.Sprintf("%*s", width, text(i)) }
}

// floats aligns decimals at the point, or writes all with exponents where their sizes differ much.
func floats(w *textBuilder, d num.DType, v num.Vec, shown []int) func(int) string {
	at := func(i int) float64 { return num.ScalarAt(d, v, i).Float() }
	largest, smallest := 0.0, math.Inf(1)
	for _, i := range shown {
		if x := math.Abs(at(i)); x != 0 && !math.IsInf(x, 0) && x == x {
			largest, smallest = max(largest, x), min(smallest, x)
		}
	}
	if largest > 0 && (largest >= largeFloat || smallest < smallFloat || largest/smallest > floatRange) {
		digits := 0
		for _, i := range shown {
			if !w.goOn(1) {
				break
			}
			s := shortest(d, at(i), 'e')
			if point, e := strings.IndexByte(s, '.'), strings.IndexByte(s, 'e'); point >= 0 && e > point {
				digits = max(digits, e-point-1)
			}
		}
		return padded(w, shown, func(i int) string { return scientific(at(i), min(digits, precision)) })
	}
	left, right, word := 0, 0, 0
	for _, i := range shown {
		if !w.goOn(1) {
			break
		}
		whole, part, finite := strings.Cut(decimal(d, at(i)), ".")
		if !finite {
			word = max(word, len(whole))
			continue
		}
		left, right = max(left, len(whole)), max(right, len(part))
	}
	left = max(left, word-right-1) // nan and inf take part in the width, not in the place of the point
	return func(i int) string {
		s := decimal(d, at(i))
		whole, part, finite := strings.Cut(s, ".")
		if !finite {
			return fmt.Sprintf("%*s", left+right+1, s)
		}
		return fmt.Sprintf("%*s.%-*s", left, whole, right, part)
	}
}

// scientific keeps all digits; the exponent has at least two.
func scientific(x float64, digits int) string {
	if math.IsInf(x, 0) || x != x {
		return special(x)
	}
	s := strconv.FormatFloat(x, 'e', digits, 64)
	if digits == 0 {
		s = strings.Replace(s, "e", ".e", 1)
	}
	return s
}

// decimal has at most eight digits after its point, without trailing zeros.
func decimal(d num.DType, x float64) string {
	if math.IsInf(x, 0) || x != x {
		return special(x)
	}
	s := shortest(d, x, 'f')
	if _, part, ok := strings.Cut(s, "."); !ok {
		return s + "."
	} else if len(part) <= precision {
		return s
	}
	return strings.TrimRight(strconv.FormatFloat(x, 'f', precision, 64), "0")
}

// shortest writes the fewest digits that d reads back as x.
func shortest(d num.DType, x float64, form byte) string {
	switch {
	case d == num.Float64 || x == 0:
		return strconv.FormatFloat(x, form, -1, 64)
	case d == num.Float32:
		return strconv.FormatFloat(x, form, -1, 32)
	}
	// strconv knows no narrower floats: try one digit after the other.
	for digits := range precision {
		s := strconv.FormatFloat(x, 'e', digits, 64)
		if y, err := strconv.ParseFloat(s, 64); err == nil && num.FromFloat(d, y).Float() == x {
			return strconv.FormatFloat(y, form, -1, 64)
		}
	}
	return strconv.FormatFloat(x, form, -1, 64)
}

func special(x float64) string {
	switch {
	case x > 0:
		return "inf"
	case x < 0:
		return "-inf"
	}
	return "nan"
}
