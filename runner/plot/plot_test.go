package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/figure"
)

// everything is a figure with a mark of every kind, with gaps and numbers that a logarithmic axis cannot show.
func everything() *figure.Figure {
	x, y := figure.Numbers{1, 2, 4, 8}, figure.Numbers{0, 10, math.NaN(), math.Inf(1)}
	low := 0.0
	all := &figure.Axes{Title: "all", Legend: true, Grid: true, X: figure.Axis{Label: "N", Base: 2},
		Y: figure.Axis{Label: "GB/s", Base: 10, Low: &low}}
	for i, kind := range []figure.Kind{figure.Line, figure.Scatter, figure.Band, figure.Horizontal, figure.Vertical,
		figure.Text, "unknown"} {
		all.Marks = append(all.Marks, figure.Mark{Kind: kind, Label: string(kind), X: x, Y: y, Base: y, Cycle: i, Alpha: 1,
			Style: "--", Marker: "o", Sizes: figure.Numbers{9}, Text: "here"})
	}
	all.Marks = append(all.Marks, figure.Mark{Kind: figure.Text, X: figure.Numbers{0.5}, Y: figure.Numbers{0.5}, InAxes: true,
		Text: "middle"})
	bars := &figure.Axes{Column: 1, X: figure.Axis{Names: []string{"p", "q"}}, Marks: []figure.Mark{
		{Kind: figure.Bars, X: figure.Numbers{0, 1}, Y: figure.Numbers{1, 2}, Width: 0.8, Color: "#ff0000", Alpha: 1}}}
	picture := &figure.Axes{Row: 1, Equal: true, Marks: []figure.Mark{{Kind: figure.Picture, Image: &figure.Image{Rows: 2,
		Columns: 2, Channels: 1, Values: figure.Numbers{0, 1, 1, 0}, High: 1, Colormap: "gray", Colorbar: true}}}}
	empty := &figure.Axes{Row: 1, Column: 1, Hidden: true, Y: figure.Axis{Base: 10}}
	return &figure.Figure{Title: "whole", Width: 6.4, Height: 4.8, Rows: 2, Columns: 2,
		Axes: []*figure.Axes{all, bars, picture, empty}}
}

// TestDraw: figures with every mark become well-formed SVG with their texts, and PNG of their size.
func TestDraw(t *testing.T) {
	svg, err := Draw(everything(), ".svg")
	if err != nil {
		t.Fatal(err)
	}
	texts := ""
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if chars, ok := token.(xml.CharData); ok {
			texts += string(chars)
		}
	}
	for _, want := range []string{"whole", "all", "GB/s", "line", "2^1", "10^1", "p", "here", "middle"} {
		if !strings.Contains(texts, want) {
			t.Errorf("the picture says nothing of %q", want)
		}
	}
	data, err := Draw(everything(), ".png")
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(data))
	if err != nil || p.Bounds().Size() != image.Pt(640, 480) {
		t.Error(err, p.Bounds())
	}
}

// TestDrawOrder: the first row of an image is on top, unless its origin is below, and bars have their color.
func TestDrawOrder(t *testing.T) {
	for _, fromLow := range []bool{false, true} {
		f := &figure.Figure{Width: 2, Height: 2, Rows: 1, Columns: 1, Axes: []*figure.Axes{{Hidden: true,
			Marks: []figure.Mark{{Kind: figure.Picture, Image: &figure.Image{Rows: 2, Columns: 1, Channels: 3,
				Values: figure.Numbers{1, 0, 0, 0, 0, 1}, High: 1, FromLow: fromLow}}}}}}
		data, err := Draw(f, ".png")
		if err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		r, _, b, _ := p.At(100, 50).RGBA()
		if onTop := r > b; onTop == fromLow {
			t.Errorf("from low %v: the upper half is %v", fromLow, p.At(100, 50))
		}
	}
}

// TestDrawRefuses: formats that are not drawn and sizes past the limit are errors.
func TestDrawRefuses(t *testing.T) {
	if _, err := Draw(everything(), ".pdf"); err == nil || !strings.Contains(err.Error(), "png, svg") {
		t.Error(err)
	}
	f := everything()
	for _, width := range []float64{0, -1, 51, math.NaN(), math.Inf(1)} {
		f.Width = width
		if _, err := Draw(f, ".png"); err == nil {
			t.Errorf("draws a figure %g inches wide", width)
		}
	}
}
