package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Table is the numbers of a plot as text, for who cannot see it or wants to copy them.
type Table struct {
	Title   string     `json:"title,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Tables are the numbers of a figure: for each of its axes one table of the marks with points, and one for each image.
func (f *Figure) Tables() []Table {
	var out []Table
	for _, a := range f.Axes {
		var points []*Mark
		for i := range a.Marks {
			switch m := &a.Marks[i]; m.Kind {
			case Line, Scatter, Bars, SideBars, Band:
				points = append(points, m)
			case Picture:
				out = append(out, m.Image.table(cmp.Or(a.Title, f.Title)))
			}
		}
		if len(points) > 0 {
			out = append(out, a.table(cmp.Or(a.Title, f.Title), points))
		}
	}
	return out
}

// table has one row for each x where all marks have the same ones, otherwise one for each point.
func (a *Axes) table(title string, points []*Mark) Table {
	x, y := cmp.Or(a.X.Label, "x"), cmp.Or(a.Y.Label, "y")
	shared := !slices.ContainsFunc(points, func(m *Mark) bool { return !slices.Equal(m.X, points[0].X) })
	t := Table{Title: title}
	if !shared {
		t.Columns = []string{"", x, y}
		for n, m := range points {
			for i := range m.X {
				t.Rows = append(t.Rows, []string{m.name(n), a.nameOf(m, i), number(m.Y[i])})
			}
		}
		return t
	}
	t.Columns = []string{x}
	for n, m := range points {
		if len(points) == 1 && m.Label == "" {
			t.Columns = append(t.Columns, y)
			continue
		}
		t.Columns = append(t.Columns, m.name(n))
	}
	for i := range points[0].X {
		row := []string{a.nameOf(points[0], i)}
		for _, m := range points {
			row = append(row, number(m.Y[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// name is what a mark is called: its label, or its number.
func (m *Mark) name(n int) string { return cmp.Or(m.Label, strconv.Itoa(n+1)) }

// nameOf is the x of a point: the name of its category where there are categories.
func (a *Axes) nameOf(m *Mark, i int) string {
	axis := &a.X
	if m.Kind == SideBars {
		axis = &a.Y
	}
	for at, name := range axis.Names {
		tick := float64(at)
		if at < len(axis.Ticks) {
			tick = axis.Ticks[at]
		}
		if tick == m.X[i] {
			return name
		}
	}
	return number(m.X[i])
}

// table has the rows of the image, its channels side by side in a cell.
func (i *Image) table(title string) Table {
	t := Table{Title: title, Columns: []string{""}}
	for column := range i.Columns {
		t.Columns = append(t.Columns, strconv.Itoa(column))
	}
	for row := range i.Rows {
		cells := []string{strconv.Itoa(row)}
		for column := range i.Columns {
			at := (row*i.Columns + column) * i.Channels
			var channels []string
			for _, v := range i.Values[at : at+i.Channels] {
				channels = append(channels, number(v))
			}
			cells = append(cells, strings.Join(channels, " "))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// number is a number in up to 6 significant digits.
func number(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }
