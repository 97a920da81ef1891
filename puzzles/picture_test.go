package puzzles

import (
	"strings"
	"testing"
)

const (
	svgOpen = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>t</title><desc>d</desc>`
	svgEnd  = `</svg>`
)

func TestCheckPictureAccepts(t *testing.T) {
	for _, body := range []string{
		``,
		`<g font-size="11"><text x="1" y="2">a &lt; b</text></g>`,
		`<rect x="1" y="1" width="3" height="3" fill="var(--picture-1, #4c8dff)" stroke="currentColor"/>`,
	} {
		if err := checkPicture(svgOpen + body + svgEnd); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestCheckPictureRefuses(t *testing.T) {
	for _, c := range []struct{ svg, say string }{
		{svgOpen + `<script>alert(1)</script>` + svgEnd, "script"},
		{svgOpen + `<style>*{display:none}</style>` + svgEnd, "style"},
		{svgOpen + `<foreignObject/>` + svgEnd, "foreignObject"},
		{svgOpen + `<image href="https://example.org/a.png"/>` + svgEnd, "image"},
		{svgOpen + `<g onclick="alert(1)"/>` + svgEnd, "onclick"},
		{svgOpen + `<g style="fill:red"/>` + svgEnd, "style"},
		{svgOpen + `<rect fill="url(https://example.org/#a)"/>` + svgEnd, "is not allowed"},
		{svgOpen + `<rect fill="UR\4c(x)"/>` + svgEnd, "is not allowed"},
		{svgOpen + `<g xmlns:xlink="http://www.w3.org/1999/xlink"/>` + svgEnd, "xlink"},
		{svgOpen + `<script xmlns="http://www.w3.org/1999/xhtml"/>` + svgEnd, "script"},
		{svgOpen + `<g xmlns="http://www.w3.org/1999/xhtml"/>` + svgEnd, "`<g>` is not allowed"},
		{svgOpen + `<svg/>` + svgEnd, "one well-formed"},
		{svgOpen + strings.Repeat("<g>", 20) + strings.Repeat("</g>", 20) + svgEnd, "`<g>` is not allowed"},
		{svgOpen + `<g>` + svgEnd, "well-formed"},
		{`<!DOCTYPE svg [<!ENTITY a "b">]>` + svgOpen + svgEnd, "`<!…>`"},
		{`<?xml-stylesheet href="a.css"?>` + svgOpen + svgEnd, "`<!…>`"},
		{svgOpen + svgEnd + svgOpen + svgEnd, "one well-formed"},
		{`<svg xmlns="http://www.w3.org/2000/svg"><title>t</title><desc>d</desc></svg>`, "viewBox"},
		{`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>t</title></svg>`, "desc"},
		{`<svg viewBox="0 0 9 9"><title>t</title><desc>d</desc></svg>`, "one well-formed"},
		{`plain text`, "one well-formed"},
	} {
		if err := checkPicture(c.svg); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v does not say %q", c.svg, err, c.say)
		}
	}
}

func FuzzPicture(f *testing.F) {
	f.Add(svgOpen + `<path d="M0 0h1"/>` + svgEnd)
	f.Add(svgOpen + `<script/>` + svgEnd)
	f.Fuzz(func(t *testing.T, svg string) {
		if checkPicture(svg) == nil && strings.Contains(strings.ToLower(svg), "<script") {
			// Only a comment or CDATA may still hold the words.
			if !strings.Contains(svg, "<!") {
				t.Errorf("a script passes: %q", svg)
			}
		}
	})
}
