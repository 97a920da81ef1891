package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// tap touches the middle of an element with one finger, again where that has moved away or the browser took the touch for a
// long press; element is a JavaScript expression.
func (p *page) tap(element string) {
	p.Helper()
	missed := ""
	for range 3 {
		x, y := p.middle(element)
		p.js(probe("watchClick", script(element)))
		p.tapAt(x, y)
		if missed = p.missed(element); missed == "" {
			return
		}
	}
	p.Fatalf("the touch of %s hit %s", element, missed)
}

// tapAt touches a place of the window for a tenth of a second, however long the page takes to answer: a touch of half a second
// is a long press, which is no click.
func (p *page) tapAt(x, y float64) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		start := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}}
		touching, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		if _, err := cdp.Call(touching, t, input.DispatchTouchEvent, start); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		end := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, end)
		return err
	}))
}

// smallTargets are what can be touched inside of a part of the page and is smaller than 24 × 24 CSS pixels (WCAG 2.2, 2.5.8),
// and what sticks out of the window.
func (p *page) smallTargets(part string) []string {
	p.Helper()
	return eval[[]string](p, probe("smallTargets", part, false))
}

// TestWhyByTouch follows a wrong answer on a phone with a finger alone: from its first wrong element to what wrote it, to what
// that comes from, and to the line.
func TestWhyByTouch(t *testing.T) {
	soak.Only(t, "TestWhyByKeyboard goes the same way, and TestLessonByTouch and TestSheet are by touch")
	t.Parallel()
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/puzzle/2")
		p.write(addWrong())
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.tap(`document.querySelector(".tabs .run")`)
		p.wait("the verdict", `document.querySelector("#verdict")?.dataset.pass === "false"`)
		p.wait("the table", `document.querySelector(".elements .link")`)
		if small := p.smallTargets(".elements"); len(small) > 0 {
			t.Errorf("%s: %s", lang, strings.Join(small, "\n"))
		}
		p.picture("why-touch-table-" + lang)
		p.tap(`document.querySelector(".elements .link")`)
		p.wait("the answer", `document.querySelector("[data-tensor=z] .memory-why")?.innerText.includes("z[0] = ")`)
		p.wait("the step that wrote it", `document.querySelector(".memory-why li:first-child [aria-current=step]") && document.querySelector(".memory-launch[aria-busy=false]")`)
		p.tap(`[...document.querySelectorAll(".memory-why li > button")].find((b) => b.innerText.includes("tl.load"))`)
		p.wait("the step of the load", `document.querySelector(".memory-why [aria-current=step]") && document.querySelector(".timeline-now code")?.innerText.includes("tl.load")`)
		if small := p.smallTargets(".memory-why"); len(small) > 0 {
			t.Errorf("%s: %s", lang, strings.Join(small, "\n"))
		}
		if width := eval[float64](p, `document.documentElement.scrollWidth`); width > 390 {
			t.Errorf("%s: the page is %g px wide", lang, width)
		}
		p.picture("why-touch-" + lang)
		p.tap(`document.querySelector(".memory-why .to-line")`)
		p.wait("the line", stepLine+`?.includes("tl.load") && document.querySelector('.panes[data-pane="editor"]')`)
		p.tap(`document.querySelectorAll(".tabs button")[2]`)
		p.wait("the pictures again", `document.querySelector('.panes[data-pane="result"] [data-tensor=x] canvas')`)

		p.tap(`document.querySelector("[data-tensor=x] canvas")`)
		p.wait("a cell", `document.querySelector("[data-tensor=x] .memory-reading .link")`)
		if small := p.smallTargets(".memory-reading"); len(small) > 0 {
			t.Errorf("%s: %s", lang, strings.Join(small, "\n"))
		}
		p.tap(`document.querySelector("[data-tensor=x] .memory-reading .link")`)
		p.wait("another answer", `document.querySelector("[data-tensor=x] .memory-why")?.innerText.includes("x")`)
		p.tap(`document.querySelector("[data-tensor=x] .memory-why > .tool")`)
		p.wait("no answer", `!document.querySelector(".memory-why")`)

		p.tap(`document.querySelector(".memory-steps summary")`)
		p.tap(`[...document.querySelectorAll(".memory-steps th button")].find((b) => b.innerText.includes("tl.load"))`)
		p.tap(`document.querySelector(".memory-block canvas")`)
		p.tap(`document.querySelector(".memory-block .values > .link")`)
		p.wait("the answer about a value", `document.querySelector(".memory-block .memory-why li > button")`)
		if small := p.smallTargets(".memory-block"); len(small) > 0 {
			t.Errorf("%s: %s", lang, strings.Join(small, "\n"))
		}
	}
}

// slide moves one finger across the window, from one place to another.
func (p *page) slide(x, y, toX, toY float64) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, at := range []struct {
			kind   input.DispatchTouchEventType
			points []*input.TouchPoint
		}{
			{input.DispatchTouchEventTypeTouchStart, []*input.TouchPoint{{X: x, Y: y}}},
			{input.DispatchTouchEventTypeTouchMove, []*input.TouchPoint{{X: (x + toX) / 2, Y: (y + toY) / 2}}},
			{input.DispatchTouchEventTypeTouchMove, []*input.TouchPoint{{X: toX, Y: toY}}},
			{input.DispatchTouchEventTypeTouchEnd, []*input.TouchPoint{}},
		} {
			if _, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: at.kind, TouchPoints: at.points}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// TestSwipe: a finger that moves across the pictures goes to the next program, or back.
func TestSwipe(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.tap(`document.querySelectorAll(".tabs button")[2]`)
	p.tap(`document.querySelector("[data-program='2']")`)
	p.wait("program 2", `document.querySelector("[data-program='2'][aria-checked=true]")`)
	x, y := p.middle(`document.querySelector("[data-tensor=x] canvas")`)
	p.slide(x, y, x-120, y)
	p.wait("program 3", `document.querySelector("[data-program='3'][aria-checked=true]")`)
	x, y = p.middle(`document.querySelector("[data-tensor=x] canvas")`)
	p.slide(x, y, x+120, y)
	p.wait("program 2 again", `document.querySelector("[data-program='2'][aria-checked=true]")`)

	// A browser that could take a swipe for a fling loses the tap after it, now and then; what goes down is for it to scroll.
	for _, to := range []struct {
		x, y    int
		browser bool
	}{{40, 10, false}, {10, 40, true}} {
		if got := eval[bool](p, probe("swipe", "[data-tensor=x] canvas", to.x, to.y)); got != to.browser {
			t.Errorf("a finger that moves by %d, %d is left to the browser: %t", to.x, to.y, got)
		}
	}
}

// keyOnRow is a button of the row of keys.
func keyOnRow(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".key-row button")].find((b) => (b.ariaLabel ?? b.innerText) === %q)`, name)
}

// TestPhoneKeys: while a person writes on a phone, a row of keys has undo, indentation and symbols; the editor keeps the focus,
// and the line of the cursor is in view as the keyboard comes.
func TestPhoneKeys(t *testing.T) {
	t.Parallel()
	for _, names := range soak.Variants(
		struct{ lang, undo, indent, outdent string }{"zh", "撤销", "缩进", "减少缩进"},
		struct{ lang, undo, indent, outdent string }{"en", "Undo", "Indent", "Outdent"},
	) {
		lang := names.lang
		t.Run(lang, func(t *testing.T) {
			p := open(t, lang, "#/puzzle/2")
			p.write(strings.Repeat("# a line\n", 40) + "x = f")
			p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
			p.tap(`document.querySelectorAll(".tabs button")[1]`)
			p.wait("the editor", `document.querySelector('.panes[data-pane="editor"]')`)
			p.js(editor + `.focus()`)
			p.key(kb.End, chromedp.ModifierCtrl)
			p.wait("the keys", keyOnRow(names.undo))
			if height := eval[float64](p, `Math.min(...[...document.querySelectorAll(".key-row button")].map((b) => Math.min(b.offsetWidth, b.offsetHeight)))`); height < 36 {
				t.Errorf("a key is %g px small", height)
			}
			const keyRow = `document.querySelector(".key-row")`
			lastLine := `[...` + editor + `.querySelectorAll(".cm-line")].at(-1)`
			p.do(chromedp.EmulateViewport(390, 480, chromedp.EmulateMobile, chromedp.EmulateTouch))
			p.wait("the line of the cursor above the keys", probe("inView", script(lastLine))+` && `+probe("inView", script(keyRow))+` && probe.rect(`+lastLine+`).bottom <= probe.rect(`+keyRow+`).top + 1`)
			p.picture("phone-keys-" + lang)
			for _, step := range []struct{ key, want string }{
				{"(", "x = f()"}, {names.indent, "    x = f()"}, {names.undo, "x = f()"},
				{names.indent, "    x = f()"}, {names.outdent, "x = f()"},
			} {
				p.tap(keyOnRow(step.key))
				p.wait(step.key+" makes it "+step.want, fmt.Sprintf(`%s?.textContent === %q`, lastLine, step.want))
			}
			if !eval[bool](p, `document.activeElement.id === "editor"`) {
				t.Error("the keys have taken the focus")
			}
			eval[bool](p, axeSource(t)+"; true")
			p.audit("the row of keys, " + lang)
		})
	}
}
