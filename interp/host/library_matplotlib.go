package host

import (
	"encoding/binary"
	"image/color"
	"math"
	"path"
	"reflect"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/figure"
)

// pyplotFunctions are those that prelude/matplotlib.pyplot.py stands on.
func pyplotFunctions() map[string]method {
	return map[string]method{
		"_at_end": func(m *machine, a arguments) Value {
			m.atEnd = append(m.atEnd, func(m *machine, notebook bool) { m.callWith(a.positional[0], python.Bool(notebook)) })
			return none
		},
		"_color": func(m *machine, a arguments) Value { // a color as "#rrggbb", None of what is none
			if hex, ok := figure.Color(m.strOf(a.positional[0])); ok {
				return python.Str(hex)
			}
			return none
		},
		"_known": func(m *machine, a arguments) Value {
			_, known := figure.Colormap(m.strOf(a.positional[0]))
			return python.Bool(known)
		},
		"_mapped": func(m *machine, a arguments) Value { // the colors of numbers, by a colormap
			image := figure.Image{Rows: 1, Channels: 1}
			m.fill(reflect.ValueOf(&image).Elem(), a.positional[0])
			image.Columns = len(image.Values)
			out := &List{}
			for i := range image.Values {
				out.Items = append(out.Items, python.Str(hexOf(image.At(0, i))))
			}
			return out
		},
		"_show": func(m *machine, a arguments) Value { showFigure(m, figureOf(m, a.positional[0])); return none },
		"_save": func(m *machine, a arguments) Value {
			writeFigure(m, figureOf(m, a.positional[0]), pathText(m, a.positional[1]))
			return none
		},
		"_limit": func(m *machine, a arguments) Value {
			limit("ValueError", "%s", m.strOf(a.positional[0]))
			return none
		},
		"_lack": func(m *machine, a arguments) Value {
			lack("NotImplementedError", m.strOf(a.positional[0]), textsOf(m, Tuple(a.positional[1:])))
			return none
		},
	}
}

func hexOf(c color.NRGBA) string {
	return figure.RGB(float64(c.R)/255, float64(c.G)/255, float64(c.B)/255)
}

func figureOf(m *machine, data Value) *figure.Figure {
	f := &figure.Figure{}
	m.fill(reflect.ValueOf(f).Elem(), data)
	return f
}

// fill sets a Go value from Python's: a struct from a dict, by the names that its fields have in JSON. A None in a
// sequence of floats is NaN, any other leaves what is there.
func (m *machine) fill(to reflect.Value, v Value) {
	if to.Type() == reflect.TypeFor[figure.Numbers]() {
		if t, ok := arrayOf(m, v); ok {
			to.Set(reflect.ValueOf(floatsOfTensor(m, t)))
			return
		}
	}
	switch kind := to.Kind(); {
	case kind == reflect.Float64 && v == none:
		to.SetFloat(math.NaN())
	case v == none:
	case kind == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		m.fill(to.Elem(), v)
	case kind == reflect.Struct:
		for i := range to.NumField() {
			name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
			if x := valueOf[*Dict](v).at(name); x != nil {
				m.fill(to.Field(i), x)
			}
		}
	case kind == reflect.Slice:
		items := m.itemsOf(v)
		m.budget.chargeItems(len(items))
		to.Set(reflect.MakeSlice(to.Type(), len(items), len(items)))
		for i, item := range items {
			m.fill(to.Index(i), item)
		}
	case kind == reflect.Float64:
		to.SetFloat(m.floatOf(v))
	case kind == reflect.Int:
		to.SetInt(asIndex(v))
	case kind == reflect.Bool:
		to.SetBool(m.truthOf(v))
	case kind == reflect.String:
		to.SetString(m.strOf(v))
	}
}

// arrayOf is the tensor behind a tensor or a numpy array. One that numpy() refuses, such as one on a GPU, is refused.
func arrayOf(m *machine, v Value) (Tensor, bool) {
	if t, ok := v.(Tensor); ok {
		v = tensorNumpy(m, arguments{positional: []Value{t, python.Bool(false)}})
	}
	o, ok := v.(*Instance)
	if !ok {
		return Tensor{}, false
	}
	t, ok := o.attrs.at("_tensor").(Tensor)
	return t, ok
}

// floatsOfTensor are a tensor's elements in row-major order.
func floatsOfTensor(m *machine, t Tensor) figure.Numbers {
	data := m.tensorMethod(m.tensorMethod(t, "double").(Tensor), "contiguous").(Tensor).Bytes()
	m.budget.chargeItems(len(data) / 8)
	out := make(figure.Numbers, len(data)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return out
}

// showFigure shows a figure, as a picture too where there is someone who draws.
func showFigure(m *machine, f *figure.Figure) {
	d := Display{Text: f.String(), Figure: f}
	if m.options.Draw != nil {
		d.Image, d.MIME = drawFigure(m, f, ".svg"), "image/svg+xml"
	}
	m.showDisplay(d)
}

// writeFigure names a figure after a file, and makes the picture a file of the session.
func writeFigure(m *machine, f *figure.Figure, name string) {
	f.Name = path.Base(name)
	if m.options.Draw != nil {
		m.files.writeText(name, string(drawFigure(m, f, path.Ext(name))))
	}
}

// drawFigure is a figure as a picture in the format of a file's extension.
func drawFigure(m *machine, f *figure.Figure, extension string) []byte {
	data, err := m.options.Draw(f, extension)
	if err != nil {
		raise("ValueError", "%s", err)
	}
	m.budget.chargeItems(len(data))
	return data
}
