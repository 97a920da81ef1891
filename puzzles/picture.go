package puzzles

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// The elements and attributes that a picture may use. A picture is put into the page as it is and
// may come with a stranger's link, so what is not listed is refused: no script, no style sheet, no
// reference to anything outside or inside the file.
var (
	pictureElements = strings.Fields(`svg title desc g path rect circle ellipse line polyline polygon text tspan`)

	pictureAttributes = strings.Fields(`viewBox role width height x y x1 y1 x2 y2 cx cy r rx ry dx dy d points
		transform fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray
		stroke-linecap stroke-linejoin opacity font-size font-family font-weight font-style
		text-anchor dominant-baseline lang`)
)

const svgNamespace = "http://www.w3.org/2000/svg"

// maxPictureDepth bounds how deep elements nest.
const maxPictureDepth = 16

// checkPicture reports why an SVG may not be shown: it is not well-formed, uses what is not on the
// lists above, or lacks its viewBox, title or description.
func checkPicture(svg string) error {
	d := xml.NewDecoder(strings.NewReader(svg))
	var open []string
	described := map[string]bool{}
	roots := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return wrong("puzzle-picture")
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := checkElement(t, len(open)); err != nil {
				return at(err, offset(d.InputOffset()-1))
			}
			if len(open) == 0 {
				roots++
			}
			open = append(open, t.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 2 && strings.TrimSpace(string(t)) != "" {
				described[open[1]] = true
			}
		case xml.Directive, xml.ProcInst:
			return wrong("puzzle-picture-part", "<!…>")
		}
	}
	if roots != 1 || !described["title"] || !described["desc"] {
		return wrong("puzzle-picture")
	}
	return nil
}

func checkElement(e xml.StartElement, depth int) error {
	switch {
	case len(e.Name.Space) == 0 && e.Name.Local == "svg":
		return wrong("puzzle-picture")
	case e.Name.Space != svgNamespace || !slices.Contains(pictureElements, e.Name.Local):
		return wrong("puzzle-picture-part", "<"+e.Name.Local+">")
	case (depth == 0) != (e.Name.Local == "svg"):
		return wrong("puzzle-picture")
	case depth > maxPictureDepth:
		return wrong("puzzle-picture-part", "<"+e.Name.Local+">")
	}
	viewBox := depth > 0
	for _, a := range e.Attr {
		if a.Name.Local == "xmlns" && a.Name.Space == "" && a.Value == svgNamespace {
			continue
		}
		if a.Name.Space != "" || !slices.Contains(pictureAttributes, a.Name.Local) {
			return wrong("puzzle-picture-part", a.Name.Local)
		}
		if value := strings.ToLower(a.Value); strings.Contains(value, "url") || strings.Contains(value, `\`) {
			return wrong("puzzle-picture-part", a.Name.Local+"="+a.Value)
		}
		viewBox = viewBox || a.Name.Local == "viewBox"
	}
	if !viewBox {
		return wrong("puzzle-picture")
	}
	return nil
}
