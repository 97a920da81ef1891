package main

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"testing"
)

// TestIcon looks at places of the drawn icon: ground, head, eye.
func TestIcon(t *testing.T) {
	svg, err := os.ReadFile("../src/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	ink, clear := color.NRGBA{0xc4, 0x50, 0x1b, 0xff}, color.NRGBA{}
	for _, c := range []struct {
		name     string
		maskable bool
		x, y     float64 // in units of the view box, 32 wide
		want     color.NRGBA
	}{
		{"ground", false, 1, 1, clear},
		{"head", false, 9.500, 9, ink},
		{"eye", false, 8, 6, color.NRGBA{0xff, 0xff, 0xff, 0xff}},
		{"tail", false, 26, 26, ink},
		{"maskable ground", true, 1, 1, color.NRGBA(paper)},
		{"maskable head", true, 16 + (9.500-16)*maskableRoom, 16 + (9-16)*maskableRoom, ink},
	} {
		data, err := renderIcon(svg, 192, c.maskable)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.NRGBAModel.Convert(img.At(int(c.x*6), int(c.y*6))); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

func TestIconRefusesWhatItCannotDraw(t *testing.T) {
	for name, svg := range map[string]string{
		"no XML":      `<svg`,
		"no square":   `<svg viewBox="0 0 32 16"></svg>`,
		"an arc":      `<svg viewBox="0 0 32 32"><path d="M1 1a1 1 0 0 1 1 1" stroke="#000000"/></svg>`,
		"no start":    `<svg viewBox="0 0 32 32"><path d="l1 1" stroke="#000000"/></svg>`,
		"odd numbers": `<svg viewBox="0 0 32 32"><path d="M1 1l1" stroke="#000000"/></svg>`,
		"a name":      `<svg viewBox="0 0 32 32"><circle r="1" fill="red"/></svg>`,
	} {
		if _, err := renderIcon([]byte(svg), 16, false); err == nil {
			t.Errorf("%s is drawn", name)
		}
	}
}
