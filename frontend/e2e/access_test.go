package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
)

// TestPictureTexts: what a statement's picture shows is said in the page's language alone.
func TestPictureTexts(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"zh", "一个程序盖住整个 x，加 10 之后写入 z。"}, {"en", "One program covers all of x, adds 10 and writes z."}} {
		lang, text := c[0], c[1]
		p := open(t, lang, "#/puzzle/1")
		p.wait("the picture's text", fmt.Sprintf(`document.querySelector(".picture")?.getAttribute("aria-label") === %q`, text))
		if eval[bool](p, `!!document.querySelector(".picture :is(title, desc)") || document.querySelector(".picture").getAttribute("role") !== "img"`) {
			t.Error("the picture has texts of its own")
		}
	}
}

// TestFewTabStops: the ways past the header come first, and the header has few stops.
func TestFewTabStops(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.wait("the puzzles", `document.querySelectorAll(".strip a").length === 12`)
	if stops := eval[int](p, `[...document.querySelectorAll(".header :is(a, button, summary)")].filter((e) => e.tabIndex >= 0 && e.checkVisibility()).length`); stops > 11 {
		t.Errorf("the header has %d stops for Tab", stops)
	}
	for n, pane := range map[int]string{2: "statement", 3: "result"} {
		p.js(`document.activeElement.blur(); document.body.focus()`)
		p.js(`document.querySelectorAll(".skip")[` + fmt.Sprint(n-1) + `].focus()`)
		p.key(kb.Enter)
		p.wait("the "+pane, fmt.Sprintf(`document.activeElement.classList.contains(%q)`, pane))
	}
}

func (p *page) emulateMedia(features ...*emulation.MediaFeature) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return err
	}))
}

// forceColors makes the page use the system's own colours.
func (p *page) forceColors() {
	p.Helper()
	p.emulateMedia(&emulation.MediaFeature{Name: "forced-colors", Value: "active"})
	p.Cleanup(func() { p.emulateMedia() })
	p.wait("forced colours", `matchMedia("(forced-colors: active)").matches`)
}

// TestForcedColors: with the system's own colours one tab looks chosen, and panes have borders.
func TestForcedColors(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.forceColors()
	lines := eval[[]string](p, `[...document.querySelectorAll(".views button")].map((b) => getComputedStyle(b).borderBottomColor)`)
	if len(lines) < 3 || lines[0] == lines[1] || lines[1] != lines[2] {
		t.Errorf("the lines below the tabs: %v", lines)
	}
	if eval[bool](p, `getComputedStyle(document.querySelector(".splitter")).backgroundColor === getComputedStyle(document.body).backgroundColor`) {
		t.Error("nothing divides the panes")
	}
}

// TestZoom: at 400 % of 1280 × 1024 the bars scroll away and leave the panes most of the window.
func TestZoom(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.do(chromedp.EmulateViewport(320, 256))
	for i := range 3 {
		p.click(fmt.Sprintf(`document.querySelectorAll(".tabs button")[%d]`, i))
		// The pane comes, and its fonts, after the click.
		p.wait(fmt.Sprintf("200 of 256 px for pane %d", i), probe("paneHeight", i)+" >= 200")
	}
	if width := eval[float64](p, `document.documentElement.scrollWidth`); width > 320 {
		t.Errorf("the page is %g px wide", width)
	}
}

// TestBarIsOneRow: with a device chosen, in both languages and at every width, with an error's count and with a notice, the
// bar keeps to one row, and nothing is cut off or covers its neighbor.
func TestBarIsOneRow(t *testing.T) {
	t.Parallel()
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/puzzle/2")
		p.js(`localStorage.setItem("newt:device", JSON.stringify({ runner: "", id: "cpu", name: "NVIDIA H200 of the laboratory" }))`)
		p.reload()
		p.write(kernel("tl.store(z_ptr + j, 1)"))
		p.wait("an error's count", `document.querySelector(".bar .count")`)
		p.barIsOneRow(lang + ", an error")
		p.click(`document.querySelector("#reset")`)
		p.wait("a notice", `document.querySelector(".bar .status .link")`)
		p.barIsOneRow(lang + ", a notice")
	}
}

// TestHeaderFits: at the widths from which on the header shows more, nothing in it covers its neighbor, under the longest title.
func TestHeaderFits(t *testing.T) {
	t.Parallel()
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/puzzle/6")
		for _, width := range []int64{1259, 1260, 1399, 1400} {
			p.do(chromedp.EmulateViewport(width, 900))
			if eval[bool](p, probe("headerCrowded")) {
				t.Errorf("%s: something is covered at %d px", lang, width)
			}
		}
	}
}

// barIsOneRow looks at the bar at several widths.
func (p *page) barIsOneRow(when string) {
	p.Helper()
	for _, width := range []int64{1440, 1280, 1024, 800} {
		p.do(chromedp.EmulateViewport(width, 900))
		if got := eval[string](p, probe("barProblems")); got != "" {
			p.Errorf("%s, %d px: the bar is %s", when, width, got)
		}
	}
}

// TestSmallThings: a reference beside the task, without backquotes; one word of copying; no keys on a phone's button.
func TestSmallThings(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/puzzle/1")
	p.click(`document.querySelector("#reference")`)
	p.wait("the reference", `document.querySelectorAll(".entry").length > 20`)
	if eval[bool](p, `!document.querySelector(".statement h1")?.checkVisibility() || document.querySelector(".reference").innerText.includes("\x60")`) {
		t.Error("the reference covers the task, or shows backquotes")
	}
	p.share(false)
	p.wait("the first copy", `document.querySelector(".link-note")?.innerText.includes("已复制")`)
	p.shorten()
	p.wait("one word of copying", `[...document.querySelectorAll(".link-note")].filter((n) => n.innerText.includes("已复制")).length === 1`)
	p.key(kb.Escape)
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	if got := eval[string](p, `document.querySelector(".tabs .run").textContent`); got != "运行" {
		t.Errorf("a phone's Run button is called %q", got)
	}
}

// TestCodeOfNothing: PTX and layouts of a kernel without effect say so; without checks the PTX is shorter; it has colours.
func TestCodeOfNothing(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write(kernel("x = tl.load(x_ptr + tl.arange(0, B0))"))
	p.showView("layouts")
	const said = `document.querySelector(".code")?.innerText.includes("This kernel has no effect")`
	p.wait("why there are no layouts", said)
	p.showView("ptx")
	p.wait("why the PTX does nothing", said)
	puzzle, _ := puzzles.Get(1)
	p.write(puzzle.Text.Solutions[0].Source)
	p.wait("its PTX", `document.querySelector(".code-lines")?.innerText.includes("st.global")`)
	p.wait("colours", `document.querySelectorAll(".code-lines .ptx-opcode").length > 5`)
	all := eval[int](p, `document.querySelectorAll(".code-lines [role=option]").length`)
	p.click(`document.querySelector("#unchecked")`)
	p.wait("shorter PTX", fmt.Sprintf(`document.querySelectorAll(".code-lines [role=option]").length < %d`, all*3/4))
	if text := p.text(".code-lines"); !strings.Contains(text, "st.global") {
		t.Errorf("the PTX without checks stores nothing:\n%s", text)
	}
}
