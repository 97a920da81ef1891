package host

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// pandasFunctions are what prelude/pandas.py formats its columns with.
func pandasFunctions() map[string]method {
	return map[string]method{"_cells(column)": func(m *machine, a arguments) Value {
		cells, numeric := columnText(m.itemsOf(a.positional[0]))
		return Tuple{textList(cells), python.Bool(numeric)}
	}}
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
		if f, isFloat := v.(python.Float); isFloat && math.IsNaN(float64(f)) {
			v = python.Str("NaN")
		}
		cells = append(cells, " "+Str(v))
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

func textList(list []string) *List {
	out := &List{}
	for _, s := range list {
		out.Items = append(out.Items, python.Str(s))
	}
	return out
}
