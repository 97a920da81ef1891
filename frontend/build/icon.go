package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// drawing is src/icon.svg as far as it is drawn: strokes with round ends, and discs.
type drawing struct {
	ViewBox string   `xml:"viewBox,attr"`
	Paths   []stroke `xml:"path"`
	Circles []disc   `xml:"circle"`
}

type stroke struct {
	D      string  `xml:"d,attr"`
	Stroke string  `xml:"stroke,attr"`
	Width  float64 `xml:"stroke-width,attr"`
}

type disc struct {
	CX   float64 `xml:"cx,attr"`
	CY   float64 `xml:"cy,attr"`
	R    float64 `xml:"r,attr"`
	Fill string  `xml:"fill,attr"`
}

// point is in the drawing's own units.
type point struct{ x, y float64 }

// blob is what is nearer to a line of points than radius.
type blob struct {
	line   []point
	radius float64
	ink    color.RGBA
}

// maskableRoom is how much of a maskable icon the drawing may fill, so that no mask cuts it:
// https://www.w3.org/TR/appmanifest/#icon-masks keeps a disc of 80 % of the width.
const maskableRoom = 0.6

// paper is the ground of a maskable icon: --paper of the light theme.
var paper = color.RGBA{0xfa, 0xf8, 0xf4, 0xff}

// renderIcon draws an SVG of strokes and discs as a square PNG of size pixels; maskable puts it
// smaller on a ground that fills the square.
func renderIcon(svg []byte, size int, maskable bool) ([]byte, error) {
	blobs, width, err := readIcon(svg)
	if err != nil {
		return nil, err
	}
	scale, shift, ground := float64(size)/width, 0.0, color.RGBA{}
	if maskable {
		scale, shift, ground = scale*maskableRoom, float64(size)*(1-maskableRoom)/2, paper
	}
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			at := point{(float64(x) + 0.5 - shift) / scale, (float64(y) + 0.5 - shift) / scale}
			img.Set(x, y, shade(blobs, at, scale, ground))
		}
	}
	var out bytes.Buffer
	err = png.Encode(&out, img)
	return out.Bytes(), err
}

// shade is the color at a point: each blob over those before it, its edge one pixel soft.
func shade(blobs []blob, at point, scale float64, c color.RGBA) color.NRGBA {
	r, g, b, a := float64(c.R), float64(c.G), float64(c.B), float64(c.A)/255
	for _, blob := range blobs {
		cover := min(1, max(0, (blob.radius-distance(blob.line, at))*scale+0.5))
		if cover == 0 {
			continue
		}
		whole := cover + a*(1-cover)
		mix := func(over uint8, under float64) float64 {
			return (float64(over)*cover + under*a*(1-cover)) / whole
		}
		r, g, b, a = mix(blob.ink.R, r), mix(blob.ink.G, g), mix(blob.ink.B, b), whole
	}
	byteOf := func(v float64) uint8 { return uint8(math.Round(v)) }
	return color.NRGBA{byteOf(r), byteOf(g), byteOf(b), byteOf(a * 255)}
}

// distance is that of a point from a line of points.
func distance(line []point, p point) float64 {
	least := math.Inf(1)
	for i, b := range line {
		a := line[max(0, i-1)]
		dx, dy := b.x-a.x, b.y-a.y
		along := 0.0
		if length := dx*dx + dy*dy; length > 0 {
			along = min(1, max(0, ((p.x-a.x)*dx+(p.y-a.y)*dy)/length))
		}
		least = min(least, math.Hypot(p.x-a.x-along*dx, p.y-a.y-along*dy))
	}
	return least
}

// readIcon gives the blobs of a drawing and the width of its view box.
func readIcon(svg []byte) ([]blob, float64, error) {
	var d drawing
	if err := xml.Unmarshal(svg, &d); err != nil {
		return nil, 0, fmt.Errorf("icon: %w", err)
	}
	var x, y, width, height float64
	if _, err := fmt.Sscan(d.ViewBox, &x, &y, &width, &height); err != nil || x != 0 || y != 0 || width != height {
		return nil, 0, fmt.Errorf("icon: the view box %q is no square from 0 0", d.ViewBox)
	}
	var blobs []blob
	for _, p := range d.Paths {
		ink, err := parseColor(p.Stroke)
		if err != nil {
			return nil, 0, err
		}
		lines, err := flatten(p.D)
		if err != nil {
			return nil, 0, err
		}
		for _, line := range lines {
			blobs = append(blobs, blob{line, p.Width / 2, ink})
		}
	}
	for _, c := range d.Circles {
		ink, err := parseColor(c.Fill)
		if err != nil {
			return nil, 0, err
		}
		blobs = append(blobs, blob{[]point{{c.CX, c.CY}}, c.R, ink})
	}
	return blobs, width, nil
}

func parseColor(text string) (c color.RGBA, err error) {
	c.A = 255
	if len(text) == 4 {
		text = "#" + strings.Repeat(text[1:2], 2) + strings.Repeat(text[2:3], 2) + strings.Repeat(text[3:4], 2)
	}
	if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		return c, fmt.Errorf("icon: color %q", text)
	}
	return c, nil
}

// pathToken is a command or a number of a path's data.
var pathToken = regexp.MustCompile(`[A-Za-z]|[-+]?(?:\d*\.\d+|\d+\.?)(?:[eE][-+]?\d+)?`)

// curveSteps is into how many pieces a curve is cut.
const curveSteps = 24

// flatten reads path data of the commands M, l and c (the others do not occur) as lines of points.
func flatten(d string) ([][]point, error) {
	var lines [][]point
	command, numbers := "", []float64{}
	for _, token := range append(pathToken.FindAllString(d, -1), "") {
		if n, err := strconv.ParseFloat(token, 64); err == nil {
			numbers = append(numbers, n)
			continue
		}
		var err error
		if lines, err = draw(lines, command, numbers); err != nil {
			return nil, err
		}
		command, numbers = token, nil
	}
	return lines, nil
}

// draw adds what one command with its numbers draws.
func draw(lines [][]point, command string, n []float64) ([][]point, error) {
	if command == "M" && len(n) == 2 {
		return append(lines, []point{{n[0], n[1]}}), nil
	}
	arity := map[string]int{"l": 2, "c": 6}[command]
	switch {
	case command == "":
		return lines, nil
	case arity == 0 || len(n)%arity != 0 || len(lines) == 0:
		return nil, fmt.Errorf("icon: path command %q with %d numbers", command, len(n))
	}
	line := &lines[len(lines)-1]
	for ; len(n) > 0; n = n[arity:] {
		from := (*line)[len(*line)-1]
		at := func(i int) point { return point{from.x + n[i], from.y + n[i+1]} }
		if command == "l" {
			*line = append(*line, at(0))
			continue
		}
		for step := 1; step <= curveSteps; step++ {
			*line = append(*line, bezier(from, at(0), at(2), at(4), float64(step)/curveSteps))
		}
	}
	return lines, nil
}

// bezier is the point at t of a cubic Bézier curve.
func bezier(a, b, c, d point, t float64) point {
	s := 1 - t
	k := [4]float64{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}
	return point{k[0]*a.x + k[1]*b.x + k[2]*c.x + k[3]*d.x, k[0]*a.y + k[1]*b.y + k[2]*c.y + k[3]*d.y}
}
