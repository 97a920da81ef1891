package figure_test

import (
	"encoding/json"
	"image/color"
	"math"
	"reflect"
	"testing"

	"github.com/newtlab/newt/interp/figure"
)

// A figure survives JSON, which has no NaN.
func TestJSON(t *testing.T) {
	f := figure.Figure{Width: 6.4, Height: 4.8, Rows: 1, Columns: 1, Axes: []*figure.Axes{{
		Marks: []figure.Mark{{Kind: figure.Line, X: figure.Numbers{1, 2}, Y: figure.Numbers{math.Inf(1), 3}, Alpha: 1}}}}}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back figure.Figure
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	y := back.Axes[0].Marks[0].Y
	if len(y) != 2 || !math.IsNaN(y[0]) || y[1] != 3 {
		t.Errorf("y is %v after a round trip", y)
	}
	if got := back.String(); got != "<Figure size 640x480 with 1 Axes>" {
		t.Error(got)
	}
}

func TestColor(t *testing.T) {
	for name, want := range map[string]string{"red": "#ff0000", "C1": "#ff7f0e", "C11": "#ff7f0e", "#abc": "#aabbcc",
		"#123456": "#123456", "0.5": "#808080", "tab:green": "#2ca02c", "Cx": "", "#12": "", "nocolor": "", "1.5": ""} {
		if got, _ := figure.Color(name); got != want {
			t.Errorf("Color(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestPixels(t *testing.T) {
	gray := &figure.Image{Rows: 2, Columns: 1, Channels: 1, Values: figure.Numbers{0, 10}, High: 10, Colormap: "gray"}
	if got := gray.Pixels().NRGBAAt(0, 1); got != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("the highest value is %v", got)
	}
	gray.FromLow, gray.Colormap = true, "gray_r"
	if got := gray.Pixels().NRGBAAt(0, 1); got != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("upside down and backwards, the lowest value is %v", got)
	}
	gray.Values[1] = math.NaN()
	if got := gray.At(1, 0); got.A != 0 {
		t.Errorf("NaN is %v", got)
	}
	rgb := &figure.Image{Rows: 1, Columns: 1, Channels: 3, Values: figure.Numbers{255, 0, 128}, High: 255}
	if got := rgb.At(0, 0); got != (color.NRGBA{255, 0, 128, 255}) {
		t.Errorf("a pixel of three channels is %v", got)
	}
	viridis, _ := figure.Colormap("viridis")
	if got := viridis(1); got != (color.NRGBA{0xfd, 0xe7, 0x25, 255}) {
		t.Errorf("viridis ends with %v", got)
	}
}

func TestTables(t *testing.T) {
	line := func(label string, x, y figure.Numbers) figure.Mark {
		return figure.Mark{Kind: figure.Line, Label: label, X: x, Y: y}
	}
	one, two := figure.Numbers{1, 2}, figure.Numbers{3, 0.5}
	for name, test := range map[string]struct {
		axes figure.Axes
		want []figure.Table
	}{
		"shared x": {figure.Axes{X: figure.Axis{Label: "N"}, Marks: []figure.Mark{line("a", one, two), line("", one, one)}},
			[]figure.Table{{Columns: []string{"N", "a", "2"}, Rows: [][]string{{"1", "3", "1"}, {"2", "0.5", "2"}}}}},
		"own x": {figure.Axes{Marks: []figure.Mark{line("a", one, two), line("b", two[:1], one[:1])}},
			[]figure.Table{{Columns: []string{"", "x", "y"},
				Rows: [][]string{{"a", "1", "3"}, {"a", "2", "0.5"}, {"b", "3", "1"}}}}},
		"categories": {figure.Axes{X: figure.Axis{Names: []string{"p", "q"}},
			Marks: []figure.Mark{{Kind: figure.Bars, X: figure.Numbers{0, 1}, Y: one}}},
			[]figure.Table{{Columns: []string{"x", "y"}, Rows: [][]string{{"p", "1"}, {"q", "2"}}}}},
		"image": {figure.Axes{Marks: []figure.Mark{{Kind: figure.Picture,
			Image: &figure.Image{Rows: 1, Columns: 2, Channels: 1, Values: one}}}},
			[]figure.Table{{Columns: []string{"", "0", "1"}, Rows: [][]string{{"0", "1", "2"}}}}},
	} {
		f := figure.Figure{Axes: []*figure.Axes{&test.axes}}
		if got := f.Tables(); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
