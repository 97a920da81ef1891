package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

// legible lists which colors carry text on which grounds.
var legible = map[string][]string{
	"--ink":         {"--paper", "--surface", "--raised", "--sunken", "--line-now", "--accent-soft", "--pass-soft", "--warn-soft", "--selection", "--match", "--related"},
	"--ink-2":       {"--paper", "--surface", "--raised", "--sunken"},
	"--ink-3":       {"--paper", "--surface", "--raised", "--sunken", "--line-now"},
	"--accent":      {"--paper", "--surface", "--raised", "--sunken", "--accent-soft"},
	"--accent-ink":  {"--accent", "--accent-strong"},
	"--pass":        {"--paper", "--pass-soft"},
	"--fail":        {"--paper", "--surface", "--raised", "--sunken", "--fail-soft"},
	"--warn":        {"--paper", "--raised", "--sunken", "--warn-soft"},
	"--syn-keyword": {"--surface", "--line-now"}, "--syn-call": {"--surface", "--line-now"},
	"--syn-number": {"--surface", "--line-now"}, "--syn-string": {"--surface", "--line-now"},
}

// TestContrast holds every text color of both themes to WCAG 2.2's 4.5 : 1.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("../src/styles/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.SplitAfter(string(css), "}\n")[:2] {
		colors := map[string]string{}
		for _, m := range regexp.MustCompile(`(--[\w-]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(block, -1) {
			colors[m[1]] = m[2]
		}
		for ink, grounds := range legible {
			for _, ground := range grounds {
				if c := contrast(t, colors[ink], colors[ground]); c < 4.5 {
					t.Errorf("theme %d: %s on %s has contrast %.2f", i, ink, ground, c)
				}
			}
		}
	}
}

// contrast is WCAG's contrast ratio of two colors.
func contrast(t *testing.T, a, b string) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	var r, g, b uint8
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatalf("color %q: %v", hex, err)
	}
	linear := func(c uint8) float64 {
		s := float64(c) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
