// Package figure holds plots as data: what a script draws with matplotlib.pyplot, before anyone has drawn it. A page
// draws it with a plotting library of its own, the command line with another, and Tables gives its numbers as text.
package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

//go:generate go run ../../infra/tsgen -in figure.go -from interp/figure/figure.go -out ../../frontend/src/gen/figure.ts

// MIME is the type of a Figure as JSON among the outputs of a notebook.
const MIME = "application/vnd.newt.figure+json"

// Figure is a picture: axes that lie in a grid.
type Figure struct {
	Name    string  `json:"name,omitempty"` // of the file that it was saved as
	Title   string  `json:"title,omitempty"`
	Width   float64 `json:"width"` // in inches
	Height  float64 `json:"height"`
	Rows    int     `json:"rows"` // of the grid
	Columns int     `json:"columns"`
	Axes    []*Axes `json:"axes"`
}

// Axes are one plot of a figure.
type Axes struct {
	Row    int    `json:"row"` // in the figure's grid, from 0
	Column int    `json:"column"`
	Title  string `json:"title,omitempty"`
	X      Axis   `json:"x"`
	Y      Axis   `json:"y"`
	Hidden bool   `json:"hidden,omitempty"` // only the marks are drawn: no lines, ticks and labels around them
	Equal  bool   `json:"equal,omitempty"`  // one unit is as long along x as along y
	Grid   bool   `json:"grid,omitempty"`
	Legend bool   `json:"legend,omitempty"` // the labels of the marks are shown
	Marks  []Mark `json:"marks"`            // in the order in which they are drawn
}

// Axis is one direction of a plot.
type Axis struct {
	Label string   `json:"label,omitempty"`
	Base  float64  `json:"base,omitempty"` // of a logarithmic scale; 0 for a linear one
	Low   *float64 `json:"low,omitempty"`  // at the left or the bottom; nil where the marks decide
	High  *float64 `json:"high,omitempty"`
	Ticks Numbers  `json:"ticks,omitempty"` // nil where the drawer decides
	Names []string `json:"names,omitempty"` // of the ticks, or of the categories 0, 1, … where there are no ticks
}

// Category is the place of a category on an axis that names them.
func (a *Axis) Category(name string) float64 {
	i := slices.Index(a.Names, name)
	if i < 0 {
		i = len(a.Names)
		a.Names = append(a.Names, name)
	}
	return float64(i)
}

// Kind says what a mark is.
type Kind string

// The kinds of marks, with the fields of Mark that they use besides Label, Color and Alpha.
const (
	Line       Kind = "line"       // X, Y, Style, Marker, Width
	Scatter    Kind = "scatter"    // X, Y, Marker, Sizes
	Bars       Kind = "bars"       // X, Y, Base, Width: the bar of X goes from Base to Base + Y
	SideBars   Kind = "sidebars"   // the same lying: the bar at X of the y axis goes from Base to Base + Y
	Band       Kind = "band"       // X, Y, Base: between two lines
	Horizontal Kind = "horizontal" // Y, Style, Width: lines across the plot
	Vertical   Kind = "vertical"   // X, Style, Width
	Text       Kind = "text"       // X, Y, InAxes, Text
	Picture    Kind = "picture"    // Image
)

// Mark is one thing in a plot. Points whose numbers are not finite are gaps.
type Mark struct {
	Kind   Kind     `json:"kind"`
	Label  string   `json:"label,omitempty"` // in the legend; "" for none
	X      Numbers  `json:"x,omitempty"`
	Y      Numbers  `json:"y,omitempty"`
	Base   Numbers  `json:"base,omitempty"`
	Sizes  Numbers  `json:"sizes,omitempty"`  // of the points of a scatter plot, in points squared
	Color  string   `json:"color,omitempty"`  // "#rrggbb"; "" for color Cycle of the drawer's own
	Cycle  int      `json:"cycle"`            // counts the marks of a plot without a color, from 0
	Colors []string `json:"colors,omitempty"` // of the points, where each has its own
	Style  string   `json:"style,omitempty"`  // of a line: "-", "--", "-." or ":"; "" for none
	Marker string   `json:"marker,omitempty"` // of a point, as matplotlib names it: "o", "s", "^", …; "" for none
	Width  float64  `json:"width,omitempty"`  // of lines, in points; of bars, in units of the axis
	Alpha  float64  `json:"alpha"`            // opacity, 0 to 1
	Text   string   `json:"text,omitempty"`
	InAxes bool     `json:"inAxes,omitempty"` // X and Y of a text are fractions of the axes, up and to the right
	Image  *Image   `json:"image,omitempty"`
}

// Image is a picture of Rows × Columns pixels with one channel, which a colormap colors, or 3 or 4: red, green, blue,
// opacity.
type Image struct {
	Rows     int     `json:"rows"`
	Columns  int     `json:"columns"`
	Channels int     `json:"channels"`
	Values   Numbers `json:"values"` // by row, column and channel
	Low      float64 `json:"low"`    // the values at the ends of the colormap, or of a channel
	High     float64 `json:"high"`
	Colormap string  `json:"colormap,omitempty"` // a name that Colormap knows
	Colorbar bool    `json:"colorbar,omitempty"` // the colormap is shown beside it
	FromLow  bool    `json:"fromLow,omitempty"`  // the first row is at the bottom
	// Extent is where the image lies: left, right, bottom, top. Pixels are centered on whole numbers if it is nil.
	Extent []float64 `json:"extent,omitempty"`
}

// barRows are the pixels of a colorbar.
const barRows = 64

// Bar is the colorbar of an image: its colormap from the least value, at the bottom, to the greatest.
func (i *Image) Bar() *Image {
	bar := &Image{Rows: barRows, Columns: 1, Channels: 1, Low: i.Low, High: i.High, Colormap: i.Colormap,
		FromLow: true, Extent: []float64{0, 1, i.Low, i.High}}
	for row := range barRows {
		bar.Values = append(bar.Values, i.Low+(i.High-i.Low)*float64(row)/(barRows-1))
	}
	return bar
}

// Numbers are float64s; in JSON those that are not finite are null.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(n))
	for i := range n {
		if !math.IsNaN(n[i]) && !math.IsInf(n[i], 0) {
			out[i] = &n[i]
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	var in []*float64
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*n = make(Numbers, len(in))
	for i, f := range in {
		(*n)[i] = math.NaN()
		if f != nil {
			(*n)[i] = *f
		}
	}
	return nil
}

// DotsPerInch is matplotlib's resolution.
const DotsPerInch = 100

// String is the figure's repr in matplotlib.
func (f *Figure) String() string {
	return fmt.Sprintf("<Figure size %gx%g with %d Axes>", math.Round(f.Width*DotsPerInch),
		math.Round(f.Height*DotsPerInch), len(f.Axes))
}
