package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// sizeOf is an expression for the width or the height of a pane, in CSS pixels.
func sizeOf(pane, side string) string {
	return fmt.Sprintf(`document.querySelector(".pane.%s").getBoundingClientRect().%s`, pane, side)
}

// divider is an expression for a divider.
func divider(id string) string {
	return fmt.Sprintf(`document.querySelector(".splitter-%s")`, id)
}

// TestSheet: on a phone the result is a sheet below the editor: a finger on its handle sets its height, so do keys, the editor
// ends where it begins, and it is as high after a reload.
func TestSheet(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.pictured(addBlock())
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.tap(`document.querySelectorAll(".tabs button")[2]`)
	p.wait("the sheet", divider("sheet")+`.checkVisibility() && document.getAnimations().every((a) => a.playState === "finished")`)
	p.picture("sheet-high")
	apart := `Math.abs(` + sizeOf("editing", "bottom") + ` - ` + sizeOf("result", "top") + `) < 1.5`
	if !eval[bool](p, apart+" && "+sizeOf("editing", "height")+" > 60") {
		t.Error("the sheet lies over the editor, or leaves it no line")
	}
	before := eval[float64](p, sizeOf("result", "height"))
	x, y := p.middle(divider("sheet"))
	p.slide(x, y, x, y+240)
	p.wait("a lower sheet", fmt.Sprintf(`Math.abs(%s - %g) < 12 && %s`, sizeOf("result", "height"), before-240, apart))
	p.picture("sheet-low")
	if eval[bool](p, `document.querySelector(".bar").checkVisibility({ visibilityProperty: true })`) {
		t.Error("the editor's bar takes room beside the sheet")
	}

	p.js(divider("sheet") + `.focus()`)
	low := eval[float64](p, sizeOf("result", "height"))
	for range 3 {
		p.key(kb.ArrowUp)
	}
	p.wait("a higher sheet", fmt.Sprintf(`%s > %g`, sizeOf("result", "height"), low+20))
	said := eval[[]string](p, `["role", "aria-orientation", "aria-valuenow", "aria-label", "aria-controls"].map((a) => `+divider("sheet")+`.getAttribute(a))`)
	if want := fmt.Sprint([]string{"separator", "horizontal", fmt.Sprintf("%.0f", eval[float64](p, `100 * `+sizeOf("result", "height")+` / document.querySelector(".panes").clientHeight`)), "Height of the result", "pane-result"}); fmt.Sprint(said) != want {
		t.Errorf("the handle says %v, want %s", said, want)
	}
	eval[bool](p, axeSource(t)+"; true")
	p.audit("the sheet")

	now := eval[float64](p, sizeOf("result", "height"))
	p.reload()
	p.tap(`document.querySelectorAll(".tabs button")[2]`)
	p.wait("the same height", fmt.Sprintf(`Math.abs(%s - %g) < 2`, sizeOf("result", "height"), now))

	// A browser that could take the drag for a fling loses the tap after it, now and then.
	if eval[bool](p, divider("sheet")+`.dispatchEvent(new TouchEvent("touchmove", { bubbles: true, cancelable: true }))`) {
		t.Error("a drag of the handle is a gesture of the browser, too")
	}

	// Dragged to the foot, the sheet makes way for the code.
	x, y = p.middle(divider("sheet"))
	p.slide(x, y, x, 800)
	p.wait("the code", `document.querySelector('.panes[data-pane="editor"]')`)
	p.tap(`document.querySelectorAll(".tabs button")[2]`)
	p.wait("the sheet again", fmt.Sprintf(`Math.abs(%s - %g) < 2`, sizeOf("result", "height"), now))
	p.js(divider("sheet") + `.focus()`)
	p.key(kb.Enter)
	p.wait("the code by keys", `document.querySelector('.panes[data-pane="editor"]') && document.activeElement.closest(".tabs")`)
}

// TestDividers: in wide windows and in those of two columns panes have their sizes by mouse and keys, fold, and come back.
func TestDividers(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		width, height int64
		id            string
		pane, side    string
		less          string // the key that makes the pane smaller
		dx, dy        float64
	}{
		{1440, 900, "left", "statement", "width", kb.ArrowLeft, 1, 0}, {1440, 900, "right", "result", "width", kb.ArrowRight, -1, 0},
		{1024, 768, "column", "statement", "width", kb.ArrowLeft, 1, 0}, {1024, 768, "row", "result", "height", kb.ArrowDown, 0, -1},
	} {
		if soak.Skips(i, 3) {
			continue
		}
		t.Run(c.id, func(t *testing.T) {
			p := open(t, "en", "#/puzzle/2")
			p.do(chromedp.EmulateViewport(c.width, c.height))
			p.wait("the divider", divider(c.id)+`?.checkVisibility()`)
			size := sizeOf(c.pane, c.side)
			before := eval[float64](p, size)
			x, y := p.middle(divider(c.id))
			p.dragTo(x, y, x+40*c.dx, y+40*c.dy)
			p.wait("a larger pane", fmt.Sprintf(`Math.abs(%s - %g) < 3`, size, before+40))
			p.js(divider(c.id) + `.focus()`)
			p.key(c.less)
			p.wait("a smaller pane", fmt.Sprintf(`%s < %g`, size, before+38))
			kept := eval[float64](p, size)

			p.key(kb.Enter)
			hidden := fmt.Sprintf(`!document.querySelector(".pane.%s").checkVisibility({ visibilityProperty: true })`, c.pane)
			p.wait("no pane", hidden+fmt.Sprintf(` && %s < 2 && %s.ariaValueNow === "0"`, size, divider(c.id)))
			p.picture("folded-" + c.id)
			p.reload()
			p.wait("no pane after a reload", hidden)
			p.js(divider(c.id) + `.focus()`)
			p.key(kb.Enter)
			p.wait("the pane again", fmt.Sprintf(`Math.abs(%s - %g) < 2`, size, kept))

			// What leads to a folded pane unfolds it.
			x, y = p.middle(divider(c.id))
			p.dragTo(x, y, x-c.dx*(kept-10), y-c.dy*(kept-10))
			p.wait("a pane dragged away", hidden)
			p.js(fmt.Sprintf(`document.querySelectorAll(".skip")[%d].click()`, map[string]int{"statement": 1, "result": 2}[c.pane]))
			p.wait("the pane, with the focus", fmt.Sprintf(`document.activeElement === document.querySelector(".pane.%s") && %s > 100`, c.pane, size))
		})
	}
}

// TestMemoryAtTwoColumns: at 1024 × 768 a launch's pictures have nearly a third of the window's height between the tabs and the
// steps, whose buttons stay in view; the editor above has room for a starter.
func TestMemoryAtTwoColumns(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/4")
	p.pictured(solution(4))
	p.do(chromedp.EmulateViewport(1024, 768))
	p.wait("the layout", divider("row")+`.checkVisibility()`)
	p.picture("memory-two-columns")
	p.wait("room for the pictures", `probe.gap(".views", ".timeline > .timeline-buttons") >= 240 && document.querySelector("[data-tensor=x] canvas").width > 250`)
	p.wait("the buttons in view", probe("inView", script(`document.querySelector(".timeline > .timeline-buttons")`)))

	// A phone on its side has two columns as well: code and result are seen together.
	p.do(chromedp.EmulateViewport(844, 390, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.showView("memory")
	p.wait("code and result", `[".pane.editing", ".pane.result"].map((pane) => document.querySelector(pane)).every((e) => probe.visible(e) && e.clientHeight > 100 && e.clientWidth > 400)`)
	if eval[bool](p, `document.querySelector("#language").scrollHeight > 40 || document.documentElement.scrollWidth > 844`) {
		t.Error("the header does not keep to its row")
	}
	p.picture("memory-on-its-side")
}

// TestPlaceToWrite: where a puzzle's answer is written on is in view as it is opened, in a low window, too, in which the pane
// below the editor finds its size after the text has come.
func TestPlaceToWrite(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.do(chromedp.EmulateViewport(1024, 768))
	for _, puzzle := range []string{"6", "12"} {
		p.visit("#/puzzle/" + puzzle)
		p.reload()
		p.wait("the pictures", `document.querySelector("[data-tensor] canvas")`)
		p.wait("the line of the cursor in view", probe("inView", script(inEditor(".cm-activeLine")), script(inEditor(".cm-scroller"))))
	}
}

// dragTo moves the mouse with its button down.
func (p *page) dragTo(x, y, toX, toY float64) {
	p.Helper()
	for _, at := range []struct {
		kind input.DispatchMouseEventType
		x, y float64
	}{
		{input.DispatchMouseEventTypeMousePressed, x, y}, {input.DispatchMouseEventTypeMouseMoved, (x + toX) / 2, (y + toY) / 2},
		{input.DispatchMouseEventTypeMouseMoved, toX, toY}, {input.DispatchMouseEventTypeMouseReleased, toX, toY},
	} {
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: at.kind, X: at.x, Y: at.y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
			return err
		}))
	}
}
