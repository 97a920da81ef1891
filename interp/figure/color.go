package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Cycle are the colors of marks that were given none, in matplotlib's order.
var Cycle = []string{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22",
	"#17becf"}

// colors are matplotlib's named colors that plots use: its letters, its tab: palette and the common ones of CSS.
var colors = map[string]string{
	"b": "#0000ff", "g": "#008000", "r": "#ff0000", "c": "#00bfbf", "m": "#bf00bf", "y": "#bfbf00", "k": "#000000",
	"w": "#ffffff", "tab:blue": "#1f77b4", "tab:orange": "#ff7f0e", "tab:green": "#2ca02c", "tab:red": "#d62728",
	"tab:purple": "#9467bd", "tab:brown": "#8c564b", "tab:pink": "#e377c2", "tab:gray": "#7f7f7f", "tab:grey": "#7f7f7f",
	"tab:olive": "#bcbd22", "tab:cyan": "#17becf", "black": "#000000", "white": "#ffffff", "red": "#ff0000",
	"green": "#008000", "blue": "#0000ff", "cyan": "#00ffff", "magenta": "#ff00ff", "yellow": "#ffff00",
	"orange": "#ffa500", "purple": "#800080", "brown": "#a52a2a", "pink": "#ffc0cb", "gray": "#808080",
	"grey": "#808080", "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "darkgray": "#a9a9a9", "darkgrey": "#a9a9a9",
	"olive": "#808000", "navy": "#000080", "teal": "#008080", "lime": "#00ff00", "gold": "#ffd700", "coral": "#ff7f50",
	"salmon": "#fa8072", "tomato": "#ff6347", "crimson": "#dc143c", "darkred": "#8b0000", "darkgreen": "#006400",
	"darkblue": "#00008b", "darkorange": "#ff8c00", "forestgreen": "#228b22", "steelblue": "#4682b4",
	"skyblue": "#87ceeb", "lightblue": "#add8e6", "lightgreen": "#90ee90", "royalblue": "#4169e1",
	"dodgerblue": "#1e90ff", "turquoise": "#40e0d0", "violet": "#ee82ee", "indigo": "#4b0082", "maroon": "#800000",
	"firebrick": "#b22222", "chocolate": "#d2691e", "tan": "#d2b48c", "slateblue": "#6a5acd", "orchid": "#da70d6",
	"mediumseagreen": "#3cb371", "seagreen": "#2e8b57", "limegreen": "#32cd32", "deepskyblue": "#00bfff",
}

// Color is a color as matplotlib names it: a name, "C1" of the cycle, "#rgb", "#rrggbb", or a gray level such as "0.5".
// The result is "#rrggbb".
func Color(name string) (hex string, ok bool) {
	if hex, ok = colors[strings.ToLower(name)]; ok {
		return hex, true
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "C")); err == nil && strings.HasPrefix(name, "C") && n >= 0 {
		return Cycle[n%len(Cycle)], true
	}
	if level, err := strconv.ParseFloat(name, 64); err == nil && level >= 0 && level <= 1 {
		return RGB(level, level, level), true
	}
	digits, isHex := strings.CutPrefix(strings.ToLower(name), "#")
	if len(digits) == 3 {
		digits = strings.Repeat(digits[:1], 2) + strings.Repeat(digits[1:2], 2) + strings.Repeat(digits[2:], 2)
	}
	if _, err := strconv.ParseUint(digits, 16, 32); !isHex || err != nil || len(digits) != 6 {
		return "", false
	}
	return "#" + digits, true
}

// RGB is a color by its parts, each 0 to 1.
func RGB(r, g, b float64) string {
	return fmt.Sprintf("#%02x%02x%02x", eighth(r), eighth(g), eighth(b))
}

// eighth is a part of a color, 0 to 1, in 8 bits.
func eighth(f float64) uint8 { return uint8(math.Round(255 * min(max(f, 0), 1))) }

// colormaps are colors at equal distances; what lies between them is interpolated. Those of viridis, plasma, inferno
// and magma are matplotlib's at every eighth, the others' ColorBrewer's and matplotlib's own.
var colormaps = map[string]string{
	"gray":     "000000 ffffff",
	"viridis":  "440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725",
	"plasma":   "0d0887 4c02a1 7e03a8 aa2395 cc4778 e66c5c f89540 fdc527 f0f921",
	"inferno":  "000004 210c4a 57106e 8a226a bc3754 e45a31 f98e09 f9cb35 fcffa4",
	"magma":    "000004 1c1044 4f127b 812581 b5367a e55064 fb8761 fec287 fcfdbf",
	"hot":      "0b0000 5e0000 b20000 ff0700 ff5b00 ffaf00 ffff07 ffff86 ffffff",
	"coolwarm": "3b4cc0 6282ea 8db0fe b8d0f9 dddddd f5c4ad f49a7b de604d b40426",
	"jet":      "000080 0000ff 0080ff 00ffff 80ff80 ffff00 ff8000 ff0000 800000",
	"Blues":    "f7fbff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b",
	"Greens":   "f7fcf5 e5f5e0 c7e9c0 a1d99b 74c476 41ab5d 238b45 006d2c 00441b",
	"Reds":     "fff5f0 fee0d2 fcbba1 fc9272 fb6a4a ef3b2c cb181d a50f15 67000d",
	"Greys":    "ffffff f0f0f0 d9d9d9 bdbdbd 969696 737373 525252 252525 000000",
	"RdBu":     "67001f b2182b d6604d f4a582 f7f7f7 92c5de 4393c3 2166ac 053061",
}

// Colormap finds a colormap by matplotlib's name; one whose name ends in _r runs backwards. Its argument is 0 to 1.
func Colormap(name string) (at func(float64) color.NRGBA, ok bool) {
	plain, backwards := strings.CutSuffix(name, "_r")
	if plain == "grey" {
		plain = "gray"
	}
	text, ok := colormaps[plain]
	if !ok {
		return nil, false
	}
	var stops []uint64
	for _, hex := range strings.Fields(text) {
		n, _ := strconv.ParseUint(hex, 16, 32)
		stops = append(stops, n)
	}
	return func(x float64) color.NRGBA {
		x = min(max(x, 0), 1)
		if backwards {
			x = 1 - x
		}
		place := x * float64(len(stops)-1)
		i := min(int(place), len(stops)-2)
		part := func(shift uint) uint8 { // bits 16 to 23 are red, 8 to 15 green, 0 to 7 blue
			a, b := float64(stops[i]>>shift&0xff), float64(stops[i+1]>>shift&0xff)
			return uint8(math.Round(a + (b-a)*(place-float64(i))))
		}
		return color.NRGBA{part(16), part(8), part(0), 255}
	}, true
}

// At is the color of a pixel; transparent where its number is not one.
func (i *Image) At(row, column int) color.NRGBA {
	at := (row*i.Columns + column) * i.Channels
	part := func(channel int) float64 {
		if i.High == i.Low {
			return 0
		}
		return (i.Values[at+channel] - i.Low) / (i.High - i.Low)
	}
	if i.Channels == 1 {
		of, ok := Colormap(i.Colormap)
		if x := part(0); ok && !math.IsNaN(x) {
			return of(x)
		}
		return color.NRGBA{}
	}
	c := color.NRGBA{eighth(part(0)), eighth(part(1)), eighth(part(2)), 255}
	if i.Channels == 4 {
		c.A = eighth(part(3))
	}
	return c
}

// Pixels is the image in colors, its first row on top.
func (i *Image) Pixels() *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, i.Columns, i.Rows))
	for row := range i.Rows {
		y := row
		if i.FromLow {
			y = i.Rows - 1 - row
		}
		for column := range i.Columns {
			out.SetNRGBA(column, y, i.At(row, column))
		}
	}
	return out
}
