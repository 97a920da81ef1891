// Package plot draws figures as pictures with gonum's plotting library: what `newt run --figures` and savefig write.
package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/newtlab/newt/interp/figure"
)

// dotsPerInch is matplotlib's default resolution of a saved picture.
const dotsPerInch = 100

// maxInches bounds both sides of a picture, whose pixels are all held in memory.
const maxInches = 50

// Draw makes a picture of a figure in the format of a file's extension, ".svg" or ".png". It is the Draw of
// host.Options.
func Draw(f *figure.Figure, extension string) ([]byte, error) {
	if !(f.Width > 0 && f.Width <= maxInches && f.Height > 0 && f.Height <= maxInches) {
		return nil, fmt.Errorf("newt draws figures of up to %d by %d inches, not %g by %g", maxInches, maxInches,
			f.Width, f.Height)
	}
	wide, high := vg.Length(f.Width)*vg.Inch, vg.Length(f.Height)*vg.Inch
	var canvas vg.CanvasSizer
	var picture io.WriterTo
	switch extension {
	case ".svg":
		c := vgsvg.New(wide, high)
		canvas, picture = c, c
	case ".png":
		c := vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(dotsPerInch))
		canvas, picture = c, vgimg.PngCanvas{Canvas: c}
	default:
		return nil, fmt.Errorf("pictures of type %q are not supported (supported formats: png, svg)", extension)
	}
	paint(draw.New(canvas), f)
	var b bytes.Buffer
	_, err := picture.WriteTo(&b)
	return b.Bytes(), err
}

// paint draws the title and the axes in their grid.
func paint(c draw.Canvas, f *figure.Figure) {
	c.FillPolygon(color.White, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	if f.Title != "" {
		style := plot.New().Title.TextStyle
		style.XAlign, style.YAlign = draw.XCenter, draw.YTop
		c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y - vg.Points(4)}, f.Title)
		c = draw.Crop(c, 0, 0, 0, -style.Height(f.Title)-vg.Points(8))
	}
	const margin = 8
	tiles := draw.Tiles{Rows: max(f.Rows, 1), Cols: max(f.Columns, 1), PadTop: margin, PadBottom: margin,
		PadLeft: margin, PadRight: margin, PadX: margin, PadY: margin}
	for _, a := range f.Axes {
		if a.Row < tiles.Rows && a.Column < tiles.Cols {
			paintAxes(tiles.At(c, a.Column, a.Row), a)
		}
	}
}

// paintAxes draws one plot.
func paintAxes(c draw.Canvas, a *figure.Axes) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = a.Title, a.X.Label, a.Y.Label
	p.Legend.Top = true
	if a.Grid {
		p.Add(plotter.NewGrid())
	}
	for i := range a.Marks {
		addMark(p, a, &a.Marks[i])
		if image := a.Marks[i].Image; image != nil && image.Colorbar && image.Channels == 1 {
			paintColorbar(draw.Crop(c, c.Max.X-c.Min.X-colorbarWidth, 0, 0, 0), image)
			c = draw.Crop(c, 0, -colorbarWidth, 0, 0)
		}
	}
	if a.Hidden {
		p.HideAxes()
	}
	setAxis(&p.X, &a.X)
	setAxis(&p.Y, &a.Y)
	if slices.ContainsFunc(a.Marks, growsDown) {
		p.Y.Scale = plot.InvertedScale{Normalizer: p.Y.Scale}
	}
	if a.Equal {
		c = equalUnits(c, p)
	}
	p.Draw(c)
}

// growsDown reports whether a mark is an image with its first row on top, whose y axis goes downwards.
func growsDown(m figure.Mark) bool {
	if m.Image == nil || len(m.Image.Extent) == 4 {
		return m.Image != nil && m.Image.Extent[2] > m.Image.Extent[3]
	}
	return !m.Image.FromLow
}

// equalUnits crops a canvas so that one unit is as long along x as along y.
func equalUnits(c draw.Canvas, p *plot.Plot) draw.Canvas {
	data := p.DataCanvas(c)
	size, wide, high := data.Size(), math.Abs(p.X.Max-p.X.Min), math.Abs(p.Y.Max-p.Y.Min)
	unit := min(float64(size.X)/wide, float64(size.Y)/high)
	x, y := (size.X-vg.Length(unit*wide))/2, (size.Y-vg.Length(unit*high))/2
	return draw.Crop(c, x, -x, y, -y)
}

// setAxis sets an axis's limits, scale and ticks after all marks are added. The limits of a logarithmic one are
// positive.
func setAxis(to *plot.Axis, a *figure.Axis) {
	if a.Low != nil {
		to.Min = *a.Low
	}
	if a.High != nil {
		to.Max = *a.High
	}
	upsideDown := to.Min > to.Max && !math.IsInf(to.Min, 0)
	if upsideDown {
		to.Min, to.Max = to.Max, to.Min
	}
	if a.Base > 1 {
		if !(to.Min > 0) || math.IsInf(to.Min, 0) {
			to.Min = min(1, math.Abs(to.Max)/1000)
		}
		if !(to.Max > to.Min) || math.IsInf(to.Max, 0) {
			to.Max = to.Min * a.Base
		}
		to.Scale, to.Tick.Marker = logScale{}, powersOf(a.Base)
	}
	switch {
	case a.Ticks != nil:
		ticks := plot.ConstantTicks{}
		for i, v := range a.Ticks {
			t := plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)}
			if a.Names != nil {
				t.Label = ""
			}
			if i < len(a.Names) {
				t.Label = a.Names[i]
			}
			ticks = append(ticks, t)
		}
		to.Tick.Marker = ticks
	case a.Names != nil:
		ticks := plot.ConstantTicks{}
		for i, name := range a.Names {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
		}
		to.Tick.Marker = ticks
	}
	if upsideDown {
		to.Scale = plot.InvertedScale{Normalizer: to.Scale}
	}
}

// logScale is a logarithmic scale on which numbers that have no logarithm lie below everything; gonum's ends the
// program.
type logScale struct{}

// Normalize implements plot.Normalizer.
func (logScale) Normalize(low, high, x float64) float64 {
	if !(x > 0) {
		return -1
	}
	return math.Log(x/low) / math.Log(high/low)
}

// powersOf puts up to ten ticks at powers of a logarithmic axis's base.
func powersOf(base float64) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) (ticks []plot.Tick) {
		log := func(f float64) float64 { return math.Log(f) / math.Log(base) }
		first, last := math.Ceil(log(low)-1e-9), math.Floor(log(high)+1e-9)
		for n, step := first, math.Max(1, math.Ceil((last-first)/9)); n <= last && len(ticks) < 10; n += step {
			label := strconv.FormatFloat(base, 'g', 4, 64) + "^" + strconv.FormatFloat(n+0, 'f', 0, 64) // 0 and not -0
			ticks = append(ticks, plot.Tick{Value: math.Pow(base, n), Label: label})
		}
		return ticks
	})
}

// colorbarWidth is the place beside a plot for the colors of its image.
const colorbarWidth = 60 * vg.Length(1)

// paintColorbar draws the colormap of an image with its values.
func paintColorbar(c draw.Canvas, of *figure.Image) {
	p := plot.New()
	p.HideX()
	p.Add(newPicture(of.Bar()))
	p.Draw(c)
}
