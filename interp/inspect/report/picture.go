package report

import (
	"strings"

	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/trace"
)

// The most cells of a picture. A vector has one row.
const (
	maxRows    = 16
	maxColumns = 64
	maxBeyond  = 16 // cells on either side of a vector
)

// mark is what a program does to the elements of a cell; a cell shows the last of marks that it has.
type mark uint8

const (
	untouched mark = iota
	maskedOff
	read
	written
	both
	outside
)

// marks are the sign of each mark, and the phrase that explains it.
var marks = [...]struct {
	sign rune
	key  string
}{
	untouched: {'.', "report.untouched"}, maskedOff: {'m', "report.masked"}, read: {'r', "report.read"},
	written: {'w', "report.written"}, both: {'b', "report.both"}, outside: {'!', "report.outside"},
}

// picture is a tensor as rows of cells, each of which stands for so many rows and columns of elements. All dimensions
// but the last count as rows. What lies before or past a vector has cells of its own.
type picture struct {
	size           [2]int // rows and columns of elements
	covers         [2]int
	cells          [][]mark
	before, beyond []mark // from the vector outwards
}

func newPicture(shape []int) *picture {
	p := &picture{size: [2]int{1, 1}}
	for i, n := range shape {
		if i == len(shape)-1 {
			p.size[1] = n
		} else {
			p.size[0] *= n
		}
	}
	for axis, most := range [2]int{maxRows, maxColumns} {
		p.covers[axis] = max(1, (p.size[axis]+most-1)/most)
	}
	for range (p.size[0] + p.covers[0] - 1) / p.covers[0] {
		p.cells = append(p.cells, make([]mark, (p.size[1]+p.covers[1]-1)/p.covers[1]))
	}
	return p
}

// add marks the elements of an access, which are numbered row by row.
func (p *picture) add(a *inspect.Access) {
	kind := [...]mark{trace.Load: read, trace.Store: written, trace.Atomic: both}[a.Kind]
	for i, n := range a.Elements {
		m := kind
		if a.Mask != nil && !a.Mask[i] {
			m = maskedOff
		}
		if at := p.cell(int(n)); at != nil {
			*at = merged(*at, m, p.inside(int(n)))
		}
	}
}

func (p *picture) inside(n int) bool { return n >= 0 && n < p.size[0]*p.size[1] }

// cell is that of an element; nil where the picture has none for it.
func (p *picture) cell(n int) *mark {
	columns := p.size[1]
	switch {
	case p.inside(n):
		return &p.cells[n/columns/p.covers[0]][n%columns/p.covers[1]]
	case p.size[0] > 1:
		return nil
	case n < 0:
		return grown(&p.before, (-1-n)/p.covers[1])
	}
	return grown(&p.beyond, (n-columns)/p.covers[1])
}

// grown is the cell at a distance from a vector, which gets as many cells as it takes.
func grown(cells *[]mark, at int) *mark {
	if at >= maxBeyond {
		return nil
	}
	for len(*cells) <= at {
		*cells = append(*cells, untouched)
	}
	return &(*cells)[at]
}

// merged is the mark of a cell that has one already.
func merged(has, m mark, inside bool) mark {
	switch {
	case m != maskedOff && !inside:
		return outside
	case has == read && m == written, has == written && m == read:
		return both
	}
	return max(has, m)
}

// rows writes the cells, with bars at the ends of the tensor.
func (p *picture) rows() []string {
	var out []string
	for _, cells := range p.cells {
		var b strings.Builder
		for i := range p.before {
			b.WriteRune(marks[p.before[len(p.before)-1-i]].sign)
		}
		b.WriteByte('|')
		for _, m := range cells {
			b.WriteRune(marks[m].sign)
		}
		b.WriteByte('|')
		for _, m := range p.beyond {
			b.WriteRune(marks[m].sign)
		}
		out = append(out, b.String())
	}
	return out
}
