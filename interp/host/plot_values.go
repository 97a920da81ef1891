package host

import (
	"encoding/binary"
	"math"
	"path"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/figure"
)

// arrayOf is the tensor behind a tensor or a numpy array. One that numpy() refuses, such as one on a GPU, is refused.
func arrayOf(m *machine, v Value) (Tensor, bool) {
	if t, ok := v.(Tensor); ok {
		v = tensorNumpy(m, arguments{positional: []Value{t}})
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

// plotNumbers are what a script gives as numbers to draw: an array, a sequence, or one number. Names are the categories
// of an axis, in the order in which they come.
func plotNumbers(m *machine, v Value, axis *figure.Axis) figure.Numbers {
	if t, ok := arrayOf(m, v); ok {
		return floatsOfTensor(m, t)
	}
	if !iterable(v) {
		return figure.Numbers{m.floatOf(v)}
	}
	items := m.itemsOf(v)
	if _, isText := v.(python.Str); isText {
		items = []Value{v}
	}
	out := make(figure.Numbers, 0, len(items))
	for _, item := range items {
		switch x := plain(item).(type) {
		case python.Str:
			if axis == nil {
				raise("ValueError", "could not convert string to float: %s", m.reprOf(x))
			}
			out = append(out, axis.Category(string(x)))
		case python.None:
			out = append(out, math.NaN())
		default:
			out = append(out, m.floatOf(x))
		}
	}
	return out
}

// plotColumns are the lines of an array: its columns if it has two dimensions. None has none.
func plotColumns(m *machine, v Value, axis *figure.Axis) []figure.Numbers {
	if v == none {
		return nil
	}
	if t, ok := arrayOf(m, v); ok && t.Dim() > 2 {
		raise("ValueError", "x and y can be no greater than 2D, but have shapes %s", shapeText(m, t))
	} else if ok && t.Dim() == 2 {
		numbers, width := floatsOfTensor(m, t), t.Shape()[1]
		columns := make([]figure.Numbers, width)
		for i, f := range numbers {
			columns[i%width] = append(columns[i%width], f)
		}
		return columns
	}
	return []figure.Numbers{plotNumbers(m, v, axis)}
}

// drawImage is imshow(X, cmap, vmin, vmax, origin, extent).
func drawImage(m *machine, a arguments) Value {
	ax, v := native[*plotAxes](a), a.parameter(1, "X", none)
	t, ok := arrayOf(m, v)
	if !ok {
		t = m.callTorch("tensor", v).(Tensor)
	}
	shape := t.Shape()
	image := &figure.Image{Channels: 1}
	switch {
	case len(shape) == 2:
	case len(shape) == 3 && shape[2] == 1:
	case len(shape) == 3 && (shape[2] == 3 || shape[2] == 4):
		image.Channels = shape[2]
	default:
		raise("TypeError", "Invalid shape %s for image data", shapeText(m, t))
	}
	image.Rows, image.Columns, image.Values = shape[0], shape[1], floatsOfTensor(m, t)
	scaleImage(m, image, a)
	if image.Channels > 1 { // what lies outside is clipped, as matplotlib does
		image.Colormap, image.Low, image.High = "", 0, 1
		if !t.DType().Info().Float {
			image.High = 255
		}
	}
	if origin, ok := a.take("origin"); ok {
		image.FromLow = origin == python.Str("lower")
	}
	if extent, ok := a.take("extent"); ok && extent != none {
		if image.Extent = plotNumbers(m, extent, nil); len(image.Extent) != 4 {
			raise("ValueError", "extent must have four numbers: left, right, bottom and top")
		}
	}
	aspect, given := a.take("aspect")
	ax.Equal = !given || aspect != python.Str("auto")
	return ax.draw(m, figure.Mark{Kind: figure.Picture, Image: image},
		a.without("X", "cmap", "vmin", "vmax", "norm", "origin", "extent"))
}

// scaleImage sets the colormap of an image with one channel and the values at its ends, by cmap, vmin and vmax.
func scaleImage(m *machine, image *figure.Image, a arguments) {
	image.Colormap = "viridis"
	if name, ok := a.take("cmap"); ok && name != none {
		image.Colormap = m.strOf(name)
	}
	if _, known := figure.Colormap(image.Colormap); !known {
		raise("ValueError", "%s is not a known colormap name", python.Repr(python.Str(image.Colormap)))
	}
	image.Low, image.High = bounds(image.Values)
	for name, to := range map[string]*float64{"vmin": &image.Low, "vmax": &image.High} {
		if v, ok := a.take(name); ok && v != none {
			*to = m.floatOf(v)
		}
	}
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
