package host

import (
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// How numpy prints: eight digits at most, lines of 75 characters, the first and last three of each dimension past a
// thousand elements.
const (
	numpyDigits    = 8
	numpyWidth     = 75
	numpyThreshold = 1000
	numpyEdge      = 3
)

// numpyLibrary is numpy as far as it is Go: printing. The rest is in Python.
func numpyLibrary(*machine) map[string]Value {
	return functions(map[string]method{
		"_text": func(m *machine, a arguments) Value {
			a.want("_text", 2, 2)
			t := self[Tensor](a)
			return python.Str(numpyText(t.Tensor, m.truthOf(a.positional[1])))
		},
		"_number": func(m *machine, a arguments) Value {
			a.want("_number", 1, 1)
			t := self[Tensor](a)
			return python.Str(numpyNumber(t.DType(), t.Floats()[0], m.strOf(m.tensorMethod(t, "item"))))
		},
	})
}

// numpyNumber is a scalar as str() shows it: the shortest digits of its dtype.
func numpyNumber(d num.DType, v float64, plain string) string {
	if !d.Info().Float || d == num.Float64 {
		return plain
	}
	return python.Repr(python.Float(shortest(d, v)))
}

// shortest is the float64 with the fewest digits that d rounds to v.
func shortest(d num.DType, v float64) float64 {
	if v-v != 0 {
		return v
	}
	if d == num.Float32 {
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
		return f
	}
	digits := 1
	// 17 digits tell any two float64 apart.
	for ; digits < 17; digits++ {
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		c := tensor.New(tensor.Options{})
		if t, err := c.FromFloats(d, nil, []float64{f}); err == nil && t.Floats()[0] == v {
			return f
		}
	}
	return v
}

// numpyPrinter formats the elements of one array alike.
type numpyPrinter struct {
	dtype       num.DType
	separator   string
	scientific  bool
	left, right int  // the widest parts before and behind the point
	scalar      bool // an array without dimensions
	summarize   bool
}

// numpyText is an array as str() or repr() shows it.
func numpyText(t *tensor.Tensor, repr bool) string {
	p := &numpyPrinter{dtype: t.DType(), separator: " ", scalar: len(t.Shape()) == 0,
		summarize: t.Numel() > numpyThreshold}
	indent, width := " ", numpyWidth
	if repr {
		// Continued lines are aligned behind "array(["; repr leaves a column for the closing parenthesis.
		p.separator, indent, width = ", ", strings.Repeat(" ", len("array(")+1), numpyWidth-1
	}
	values := t.Floats()
	ints := t.Ints()
	body := "[]"
	if t.Numel() > 0 {
		p.study(p.shown(t.Shape(), values))
		body = p.layout(t.Shape(), func(i int) string { return p.element(values[i], ints[i]) }, indent, width)
	}
	if !repr {
		return body
	}
	text := "array(" + body
	var extras []string
	// The text does not show the shape in these cases (array_repr of numpy).
	if t.Numel() == 0 && len(t.Shape()) != 1 || p.summarize {
		extras = append(extras, "shape="+Repr(Size(t.Shape()).tuple()))
	}
	// The dtypes that numpy makes of Python's own numbers are left out.
	if d := t.DType(); t.Numel() == 0 || d != num.Float64 && d != num.Int64 && d != num.Int1 {
		extras = append(extras, "dtype="+numpyName(d))
	}
	if len(extras) == 0 {
		return text + ")"
	}
	between, extra := ", ", strings.Join(extras, ", ")+")"
	if len(text)-strings.LastIndexByte(text, '\n')-1+len(extra)+2 > numpyWidth {
		between = ",\n" + strings.Repeat(" ", len("array("))
	}
	return text + between + extra
}

func numpyName(d num.DType) string { return tensor.TorchName(d) }

// shown are the elements that are printed.
func (p *numpyPrinter) shown(shape []int, values []float64) (out []float64) {
	p.layout(shape, func(i int) string { out = append(out, values[i]); return "" }, "", numpyWidth)
	return out
}

// digits are a float's shortest ones, eight at most behind the point.
func (p *numpyPrinter) digits(v float64) string {
	form := byte('f')
	if p.scientific {
		form = 'e'
	}
	v = shortest(p.dtype, v)
	text := strconv.FormatFloat(v, form, -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	if _, fraction, _ := strings.Cut(mantissa, "."); len(fraction) > numpyDigits {
		mantissa, exponent, _ = strings.Cut(strconv.FormatFloat(v, form, numpyDigits, 64), "e")
		mantissa = strings.TrimRight(mantissa, "0")
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if exponent != "" {
		return mantissa + "e" + exponent
	}
	return mantissa
}

func (p *numpyPrinter) study(shown []float64) {
	if !p.dtype.Info().Float {
		if p.dtype == num.Int1 && !p.scalar {
			p.left = len("False") // numpy writes " True" in every array
		}
		for _, v := range shown {
			p.left = max(p.left, len(p.integer(int64(v))))
		}
		return
	}
	low, high := math.Inf(1), 0.0
	for _, v := range shown {
		if v-v == 0 && v != 0 {
			low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
		}
	}
	// A narrow dtype has less digits than numbers of nine places.
	largest := map[num.DType]float64{num.Float16: 1e3, num.Float32: 1e6}[p.dtype]
	if largest == 0 {
		largest = 1e8
	}
	p.scientific = high >= largest || high > 0 && (low < 1e-4 || high/low > 1000)
	longest := 0 // of nan and the infinities
	for _, v := range shown {
		if v-v != 0 {
			longest = max(longest, len(notFinite(v)))
			continue
		}
		mantissa, _, _ := strings.Cut(p.digits(v), "e")
		whole, fraction, _ := strings.Cut(mantissa, ".")
		p.left, p.right = max(p.left, len(whole)), max(p.right, len(fraction))
	}
	p.left = max(p.left, longest-p.right-1)
}

func notFinite(v float64) string {
	switch {
	case v != v:
		return "nan"
	case v > 0:
		return "inf"
	}
	return "-inf"
}

func (p *numpyPrinter) integer(v int64) string {
	switch {
	case p.dtype == num.Int1 && v != 0:
		return "True"
	case p.dtype == num.Int1:
		return "False"
	case p.dtype == num.Uint64:
		return strconv.FormatUint(uint64(v), 10)
	}
	return strconv.FormatInt(v, 10)
}

func (p *numpyPrinter) element(v float64, i int64) string {
	if !p.dtype.Info().Float {
		text := p.integer(i)
		return strings.Repeat(" ", max(p.left-len(text), 0)) + text
	}
	if v-v != 0 {
		text := notFinite(v)
		return strings.Repeat(" ", max(p.left+p.right+1-len(text), 0)) + text
	}
	if p.scientific { // all mantissas have as many digits, those of the value itself behind the shortest
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', p.right, 64), "e")
		whole, fraction, _ := strings.Cut(mantissa, ".")
		return strings.Repeat(" ", p.left-len(whole)) + whole + "." + fraction + "e" + exponent
	}
	whole, fraction, _ := strings.Cut(p.digits(v), ".")
	fraction += strings.Repeat(" ", p.right-len(fraction))
	return strings.Repeat(" ", p.left-len(whole)) + whole + "." + fraction
}

// layout puts the elements, given by their place, in brackets and lines.
func (p *numpyPrinter) layout(shape []int, element func(i int) string, indent string, width int) string {
	var at func(axis, from int, indent string, width int) string
	at = func(axis, from int, indent string, width int) string {
		if axis == len(shape) {
			return element(from)
		}
		step := 1
		for _, n := range shape[axis+1:] {
			step *= n
		}
		n := shape[axis]
		var s, line strings.Builder
		last := axis == len(shape)-1
		line.WriteString(indent)
		add := func(word string, end bool) {
			switch {
			case !last:
				s.WriteString(indent + word)
				if !end {
					s.WriteString(strings.TrimRight(p.separator, " ") + strings.Repeat("\n", len(shape)-axis-1))
				}
				return
			case line.Len()+len(word) > width-1 && line.Len() > len(indent):
				s.WriteString(strings.TrimRight(line.String(), " ") + "\n")
				line.Reset()
				line.WriteString(indent)
			}
			line.WriteString(word)
			if !end {
				line.WriteString(p.separator)
			}
		}
		for i := 0; i < n; i++ {
			if p.summarize && n > 2*numpyEdge && i == numpyEdge {
				add("...", false)
				i = n - numpyEdge
			}
			add(at(axis+1, from+i*step, indent+" ", width-1), i == n-1)
		}
		if last {
			s.WriteString(line.String())
		}
		return "[" + s.String()[len(indent):] + "]"
	}
	return at(0, 0, indent, width)
}
