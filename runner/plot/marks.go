package plot

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/newtlab/newt/interp/figure"
)

// adder draws a mark with points into a plot. thumbnail stands in the legend; nil for none.
type adder func(p *plot.Plot, points plotter.XYs, m *figure.Mark) (thumbnail plot.Thumbnailer)

var adders = map[figure.Kind]adder{
	figure.Line: addLine, figure.Scatter: addScatter, figure.Bars: addBars, figure.SideBars: addBars,
	figure.Band: addBand, figure.Horizontal: addAcross, figure.Vertical: addAcross, figure.Text: addText,
	figure.Picture: func(p *plot.Plot, _ plotter.XYs, m *figure.Mark) plot.Thumbnailer {
		p.Add(newPicture(m.Image))
		return nil
	},
}

// addMark draws a mark, and names it in the legend if there is one.
func addMark(p *plot.Plot, a *figure.Axes, m *figure.Mark) {
	add := adders[m.Kind]
	if add == nil {
		return
	}
	var points plotter.XYs
	for i := range min(len(m.X), len(m.Y)) {
		points = append(points, plotter.XY{X: visible(m.X[i], &a.X), Y: visible(m.Y[i], &a.Y)})
	}
	thumbnail := add(p, points, m)
	if a.Legend && m.Label != "" && thumbnail != nil {
		p.Legend.Add(m.Label, thumbnail)
	}
}

// visible is a number that its axis can show, otherwise NaN.
func visible(f float64, on *figure.Axis) float64 {
	if math.IsInf(f, 0) || on.Base > 1 && f <= 0 {
		return math.NaN()
	}
	return f
}

// colorOf is the color of a mark, of its point i where each has its own.
func colorOf(m *figure.Mark, i int) color.NRGBA {
	text := m.Color
	if i < len(m.Colors) {
		text = m.Colors[i]
	} else if text == "" {
		text = figure.Cycle[m.Cycle%len(figure.Cycle)]
	}
	rgb, err := strconv.ParseUint(text[min(1, len(text)):], 16, 32)
	if err != nil || len(text) != len("#rrggbb") {
		rgb = 0
	}
	opacity := math.Round(255 * min(max(m.Alpha, 0), 1))
	// Red is in bits 16 to 23, green in 8 to 15, blue in 0 to 7.
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: uint8(opacity)}
}

// dashes are matplotlib's line styles, in widths of the line.
var dashes = map[string][]vg.Length{"--": {3.7, 1.6}, "-.": {6.4, 1.6, 1, 1.6}, ":": {1, 1.65}}

func lineStyle(m *figure.Mark) draw.LineStyle {
	s := draw.LineStyle{Color: colorOf(m, 0), Width: vg.Points(m.Width)}
	if m.Width <= 0 {
		s.Width = vg.Points(1.5)
	}
	for _, d := range dashes[m.Style] {
		s.Dashes = append(s.Dashes, d*s.Width)
	}
	return s
}

// glyphs are the shapes of markers; others are circles.
var glyphs = map[string]draw.GlyphDrawer{"s": draw.BoxGlyph{}, "^": draw.PyramidGlyph{}, "v": draw.PyramidGlyph{},
	"x": draw.CrossGlyph{}, "+": draw.PlusGlyph{}}

func glyphStyle(m *figure.Mark, i int) draw.GlyphStyle {
	s := draw.GlyphStyle{Color: colorOf(m, i), Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	if shape, ok := glyphs[m.Marker]; ok {
		s.Shape = shape
	}
	if m.Marker == "." {
		s.Radius /= 2
	}
	if len(m.Sizes) > 0 && m.Kind == figure.Scatter { // in points squared, of the whole marker
		s.Radius = vg.Points(math.Sqrt(max(m.Sizes[i%len(m.Sizes)], 0)) / 2)
	}
	return s
}

// runs are the stretches of points between gaps.
func runs(points plotter.XYs) (out []plotter.XYs) {
	var run plotter.XYs
	for _, at := range append(points, plotter.XY{X: math.NaN()}) {
		if !math.IsNaN(at.X) && !math.IsNaN(at.Y) {
			run = append(run, at)
		} else if len(run) > 0 {
			out, run = append(out, run), nil
		}
	}
	return out
}

func addLine(p *plot.Plot, points plotter.XYs, m *figure.Mark) (thumbnail plot.Thumbnailer) {
	if len(points) == 0 { // it stands in the legend alone
		return &plotter.Line{LineStyle: lineStyle(m)}
	}
	for _, run := range runs(points) {
		if m.Style != "" {
			line := &plotter.Line{XYs: run, LineStyle: lineStyle(m)}
			p.Add(line)
			thumbnail = line
		}
		if m.Marker != "" {
			dots := &plotter.Scatter{XYs: run, GlyphStyle: glyphStyle(m, 0)}
			p.Add(dots)
			if thumbnail == nil {
				thumbnail = dots
			}
		}
	}
	return thumbnail
}

func addScatter(p *plot.Plot, points plotter.XYs, m *figure.Mark) (thumbnail plot.Thumbnailer) {
	for i, at := range points {
		if !math.IsNaN(at.X) && !math.IsNaN(at.Y) {
			dot := &plotter.Scatter{XYs: plotter.XYs{at}, GlyphStyle: glyphStyle(m, i)}
			p.Add(dot)
			thumbnail = dot
		}
	}
	return thumbnail
}

// addBars draws a rectangle for each number, from Base to Base + Y.
func addBars(p *plot.Plot, _ plotter.XYs, m *figure.Mark) plot.Thumbnailer {
	thumbnail := &plotter.Polygon{Color: colorOf(m, 0)}
	for i := range min(len(m.X), len(m.Y)) {
		base := 0.0
		if i < len(m.Base) {
			base = m.Base[i]
		}
		x, y, half := m.X[i], base+m.Y[i], m.Width/2
		if math.IsNaN(x+y+base) || math.IsInf(x+y+base, 0) {
			continue
		}
		corners := plotter.XYs{{X: x - half, Y: base}, {X: x + half, Y: base}, {X: x + half, Y: y}, {X: x - half, Y: y}}
		if m.Kind == figure.SideBars {
			for j, at := range corners {
				corners[j] = plotter.XY{X: at.Y, Y: at.X}
			}
		}
		thumbnail = &plotter.Polygon{XYs: []plotter.XYs{corners}, Color: colorOf(m, i)}
		p.Add(thumbnail)
	}
	return thumbnail
}

// addBand fills the area between Y and Base.
func addBand(p *plot.Plot, points plotter.XYs, m *figure.Mark) plot.Thumbnailer {
	var upper, lower plotter.XYs
	for i, at := range points {
		if i < len(m.Base) && !math.IsNaN(at.X+at.Y+m.Base[i]) {
			upper, lower = append(upper, at), append(lower, plotter.XY{X: at.X, Y: m.Base[i]})
		}
	}
	if len(upper) == 0 {
		return nil
	}
	for i := range lower {
		upper = append(upper, lower[len(lower)-1-i])
	}
	band := &plotter.Polygon{XYs: []plotter.XYs{upper}, Color: colorOf(m, 0)}
	p.Add(band)
	return band
}

// inAxes is a text at fractions of the plot's area.
type inAxes struct{ *figure.Mark }

// Plot implements plot.Plotter.
func (m inAxes) Plot(c draw.Canvas, p *plot.Plot) {
	style := p.X.Tick.Label // as plotter.NewLabels has it, but from the left
	style.XAlign, style.YAlign = draw.XLeft, draw.YBottom
	c.FillText(style, vg.Point{X: c.X(m.X[0]), Y: c.Y(m.Y[0])}, m.Text)
}

func addText(p *plot.Plot, points plotter.XYs, m *figure.Mark) plot.Thumbnailer {
	if m.InAxes && len(points) > 0 {
		p.Add(inAxes{m})
		return nil
	}
	for _, run := range runs(points) {
		labels, err := plotter.NewLabels(plotter.XYLabels{XYs: run[:1], Labels: []string{m.Text}})
		if err == nil {
			p.Add(labels)
		}
	}
	return nil
}

// across is a line through the whole plot at a number of one axis.
type across struct {
	plotter.Line // its style stands in the legend
	at           float64
	vertical     bool
}

func addAcross(p *plot.Plot, _ plotter.XYs, m *figure.Mark) (thumbnail plot.Thumbnailer) {
	vertical, places := m.Kind == figure.Vertical, m.Y
	if vertical {
		places = m.X
	}
	for _, at := range places {
		if !math.IsNaN(at) && !math.IsInf(at, 0) {
			line := &across{plotter.Line{LineStyle: lineStyle(m)}, at, vertical}
			p.Add(line)
			thumbnail = line
		}
	}
	return thumbnail
}

// Plot implements plot.Plotter.
func (a *across) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if a.vertical {
		c.StrokeLine2(a.LineStyle, x(a.at), c.Min.Y, x(a.at), c.Max.Y)
		return
	}
	c.StrokeLine2(a.LineStyle, c.Min.X, y(a.at), c.Max.X, y(a.at))
}

// DataRange implements plot.DataRanger: only the axis that has the number is stretched.
func (a *across) DataRange() (xmin, xmax, ymin, ymax float64) {
	if a.vertical {
		return a.at, a.at, math.Inf(1), math.Inf(-1)
	}
	return math.Inf(1), math.Inf(-1), a.at, a.at
}

// picture is an image in a plot.
type picture struct {
	pixels                   image.Image
	left, right, bottom, top float64
}

func newPicture(i *figure.Image) *picture {
	p := &picture{pixels: enlarge(i.Pixels()), left: -0.5, right: float64(i.Columns) - 0.5, bottom: -0.5,
		top: float64(i.Rows) - 0.5}
	if len(i.Extent) == 4 {
		p.left, p.right, p.bottom, p.top = i.Extent[0], i.Extent[1], i.Extent[2], i.Extent[3]
	}
	return p
}

// enlarge repeats the pixels of a small image, which viewers would blur.
func enlarge(p *image.NRGBA) image.Image {
	const enough = 256
	size := p.Bounds().Size()
	n := enough / max(size.X, size.Y, 1)
	if n < 2 {
		return p
	}
	out := image.NewNRGBA(image.Rect(0, 0, n*size.X, n*size.Y))
	for y := range n * size.Y {
		for x := range n * size.X {
			out.SetNRGBA(x, y, p.NRGBAAt(x/n, y/n))
		}
	}
	return out
}

// Plot implements plot.Plotter.
func (i *picture) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: min(x(i.left), x(i.right)), Y: min(y(i.bottom), y(i.top))},
		Max: vg.Point{X: max(x(i.left), x(i.right)), Y: max(y(i.bottom), y(i.top))}}, i.pixels)
}

// DataRange implements plot.DataRanger.
func (i *picture) DataRange() (xmin, xmax, ymin, ymax float64) {
	return min(i.left, i.right), max(i.left, i.right), min(i.bottom, i.top), max(i.bottom, i.top)
}
