package host

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// dataFrame is a table as pandas makes and prints one: what triton.testing's reports are.
type dataFrame struct {
	columns []string
	rows    [][]Value
}

// Type is the name of pandas' class.
func (*dataFrame) Type() string { return "DataFrame" }

// append adds a row. pandas keeps a row of numbers as floats where one of them is a float or missing.
func (d *dataFrame) append(row []Value) {
	numbers, floats := true, false
	for _, v := range row {
		switch v.(type) {
		case python.Int:
		case python.Float, python.None:
			floats = true
		default:
			numbers = false
		}
	}
	if numbers && floats {
		for i, v := range row {
			f, ok, _ := python.AsFloat(v)
			if !ok {
				f = math.NaN()
			}
			row[i] = python.Float(f)
		}
	}
	d.rows = append(d.rows, row)
}

// first is the table of the first n columns.
func (d *dataFrame) first(n int) *dataFrame {
	out := &dataFrame{columns: slices.Clone(d.columns[:n])}
	for _, row := range d.rows {
		out.rows = append(out.rows, slices.Clone(row[:n]))
	}
	return out
}

// column is a column's values.
func (d *dataFrame) column(i int) []Value {
	out := make([]Value, len(d.rows))
	for r, row := range d.rows {
		out[r] = row[i]
	}
	return out
}

// text is DataFrame.to_string().
func (d *dataFrame) text() string {
	if len(d.rows) == 0 {
		return "Empty DataFrame\nColumns: [" + strings.Join(d.columns, ", ") + "]\nIndex: []"
	}
	lines := make([]string, len(d.rows)+1)
	width := len(strconv.Itoa(len(d.rows) - 1))
	lines[0] = strings.Repeat(" ", width)
	for r := range d.rows {
		index := strconv.Itoa(r)
		lines[r+1] = index + strings.Repeat(" ", width-len(index))
	}
	for i, name := range d.columns {
		cells, numeric := columnText(d.column(i))
		if numeric {
			name = " " + name // pandas leaves the place of a sign
		}
		cells = append([]string{name}, cells...)
		width := 0
		for _, c := range cells {
			width = max(width, utf8.RuneCountInString(c))
		}
		for r, c := range cells {
			lines[r] += " " + strings.Repeat(" ", width-utf8.RuneCountInString(c)) + c
		}
	}
	return strings.Join(lines, "\n")
}

// csv is DataFrame.to_csv without the index, floats with a number of decimals.
func (d *dataFrame) csv(decimals int) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(d.columns) // a strings.Builder takes everything
	for _, row := range d.rows {
		cells := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case python.Float:
				if !math.IsNaN(float64(v)) { // a missing value is an empty cell
					cells[i] = strconv.FormatFloat(float64(v), 'f', decimals, 64)
				}
			case python.None:
			default:
				cells[i] = Str(v)
			}
		}
		w.Write(cells)
	}
	w.Flush()
	return b.String()
}

// columnText is a column as pandas formats it, with a blank in the place of a sign before numbers.
func columnText(column []Value) (cells []string, numeric bool) {
	kinds := map[string]bool{}
	for _, v := range column {
		kinds[v.Type()] = true
	}
	switch {
	case len(kinds) == 1 && kinds["int"]:
		for _, v := range column {
			cells = append(cells, signed(Str(v)))
		}
		return cells, true
	case len(kinds) <= 2 && kinds["float"] && (len(kinds) == 1 || kinds["int"]):
		floats := make([]float64, len(column))
		for i, v := range column {
			floats[i], _, _ = python.AsFloat(v)
		}
		return floatColumn(floats), true
	}
	for _, v := range column {
		cells = append(cells, Str(v))
	}
	return cells, false
}

// pandas' display.precision, and the width from which a column with large numbers is written with exponents.
const (
	pandasPrecision = 6
	pandasWidth     = pandasPrecision + 6
)

// floatColumn formats floats alike: with six decimals less the zeros that all of them end in, or with exponents where
// some are too small or too large for that. It follows pandas' FloatArrayFormatter.
func floatColumn(list []float64) []string {
	cells := trimZeros(formatAll(list, 'f'))
	long, large, small := false, false, false
	for i, f := range list {
		abs := math.Abs(f)
		long = long || len(cells[i]) > pandasWidth
		large = large || abs > 1e6
		small = small || abs > 0 && abs < 1e-6
	}
	if small || long && large {
		cells = formatAll(list, 'e')
	}
	return cells
}

func formatAll(list []float64, verb byte) []string {
	cells := make([]string, len(list))
	for i, f := range list {
		switch {
		case math.IsNaN(f):
			cells[i] = "NaN"
		case math.IsInf(f, 0):
			cells[i] = signed(strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64), "+")))
		default:
			cells[i] = signed(strconv.FormatFloat(f, verb, pandasPrecision, 64))
		}
	}
	return cells
}

// signed puts a blank in the place of a sign.
func signed(s string) string {
	if strings.HasPrefix(s, "-") {
		return s
	}
	return " " + s
}

// trimZeros removes the zeros that all numbers end in, but the first after the point.
func trimZeros(cells []string) []string {
	isNumber := func(s string) bool { return strings.Contains(s, ".") }
	for slices.ContainsFunc(cells, isNumber) && !slices.ContainsFunc(cells, func(s string) bool {
		return isNumber(s) && (!strings.HasSuffix(s, "0") || strings.HasSuffix(s, ".0"))
	}) {
		for i, s := range cells {
			if isNumber(s) {
				cells[i] = s[:len(s)-1]
			}
		}
	}
	return cells
}

// attr is an attribute of the table that reports use.
func (d *dataFrame) attr(_ *machine, name string) (Value, bool) {
	switch name {
	case "columns":
		return textList(d.columns), true
	case "shape":
		return Tuple{intValue(len(d.rows)), intValue(len(d.columns))}, true
	case "to_string":
		return &Builtin{name, func(*machine, arguments) Value { return python.Str(d.text()) }}, true
	case "_append":
		return &Builtin{name, func(m *machine, a arguments) Value {
			d.append(slices.Clone(m.itemsOf(a.positional[0])))
			return none
		}}, true
	case "_add": // a column
		return &Builtin{name, func(m *machine, a arguments) Value {
			d.columns = append(d.columns, m.strOf(a.positional[0]))
			for i, v := range m.itemsOf(a.positional[1]) {
				d.rows[i] = append(d.rows[i], v)
			}
			return none
		}}, true
	case "_first":
		return &Builtin{name, func(_ *machine, a arguments) Value {
			return d.first(int(asIndex(a.positional[0])))
		}}, true
	case "_csv":
		return &Builtin{name, func(_ *machine, a arguments) Value {
			return python.Str(d.csv(int(asIndex(a.positional[0]))))
		}}, true
	case "values":
		list := &List{}
		for _, row := range d.rows {
			list.Items = append(list.Items, &List{slices.Clone(row)})
		}
		return list, true
	}
	if i := slices.Index(d.columns, name); i >= 0 {
		return &List{d.column(i)}, true
	}
	return nil, false
}

func textList(list []string) *List {
	out := &List{}
	for _, s := range list {
		out.Items = append(out.Items, python.Str(s))
	}
	return out
}
