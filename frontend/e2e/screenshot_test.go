package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/puzzles"
)

var screenshot = flag.String("screenshot", "", "write the README's picture of the page to this file, and run nothing else: -run TestScreenshot")

var pictures = flag.String("pictures", "", "write pictures of what the tests come past into this folder")

// picture writes what the page looks like, where somebody wants to see it.
func (p *page) picture(name string) {
	p.Helper()
	if *pictures == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), data, 0o644); err != nil {
		p.Fatal(err)
	}
}

// TestScreenshot takes the README's picture: a puzzle, an answer, and what one of its programs does to memory, in light
// colours.
//
//	go test ./frontend/e2e -run TestScreenshot -screenshot ../screenshot.png
func TestScreenshot(t *testing.T) {
	if *screenshot == "" {
		t.Skip("no file to write")
	}
	p := open(t, "en", "#/puzzle/4")
	p.choose(`{"lang":"en","theme":"light","split":[0.26,0.3]}`)
	p.do(chromedp.EmulateViewport(1600, 1000))
	puzzle, _ := puzzles.Get(4)
	p.write(puzzle.Text.Solutions[0].Source)
	p.wait("the programs", `document.querySelector("[data-program='11']")`)
	p.click(`document.querySelector("[data-program='11']")`)
	p.wait("what one does, formulas and stillness", captionOf("z")+`?.includes("masked off") && document.querySelector(".katex") &&
		document.getAnimations().every((a) => a.playState === "finished")`)
	p.js(`document.activeElement.blur()`)
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*screenshot, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
