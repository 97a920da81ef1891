package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// TestMemoryOfAProduct: x and z have their rows beside each other, y and z their columns above each other, with the edges of tiles
// on the axes, and the tiles of x and y slide as the loop's slider does: by keys, and by a finger on a phone. So have queries and
// scores, and the window of a convolution has the filter and the result beside it.
func TestMemoryOfAProduct(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, way := range soak.Variants("keys", "touch") {
		for _, c := range appearances() {
			p := open(t, c.lang, "#/puzzle/11")
			p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
			p.pictured(solution(11))
			p.js(`document.querySelector(".timeline-strip").focus()`)
			p.key(kb.End)
			p.key(strings.Repeat(kb.ArrowLeft, 25))
			const slider = `document.querySelector(".timeline-loops input")`
			width := map[string]int64{"keys": 1440, "touch": 390}[way]
			hold := func() {
				if way == "touch" {
					p.do(chromedp.EmulateViewport(width, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
					p.tap(`document.querySelectorAll(".tabs button")[2]`)
				}
			}
			hold()
			for _, s := range []struct{ key, iteration, x, y string }{
				{kb.Home, "0", "0:16, 0:16", "0:16, 0:16"}, {kb.ArrowRight, "1", "0:16, 16:32", "16:32, 0:16"},
			} {
				p.wait("the slider", slider)
				if way == "touch" {
					slideTo(p, slider, s.iteration == "1")
				} else {
					p.js(slider + `.focus()`)
					p.key(s.key)
				}
				for tensor, tile := range map[string]string{"x": s.x, "y": s.y, "z": "0:16, 0:16"} {
					got := probe("tile", tensor, 32)
					p.wait("the tile of "+tensor+" in iteration "+s.iteration, fmt.Sprintf(`%s.value === %q && %s.replace(" ahead", "") === %q`, slider, s.iteration, got, tile))
				}
			}
			const canvas = `((tensor) => probe.rect(document.querySelector("[data-tensor=" + tensor + "] canvas")))`
			p.wait("the pictures beside each other", canvas+`("x").top === `+canvas+`("z").top && `+canvas+`("y").left === `+canvas+`("z").left && `+canvas+`("x").width === `+canvas+`("y").width`)
			for _, axis := range []string{"over", "left"} {
				const numbers = `[...document.querySelectorAll("[data-tensor=z] .memory-%s span")].slice(0, 3).map((of) => of.textContent).join()`
				if got := eval[string](p, fmt.Sprintf(numbers, axis)); got != "0,16,32" {
					t.Errorf("the numbers %s of z are %s", axis, got)
				}
			}
			eval[bool](p, axe+"; true")
			p.auditWidth("memory-product-"+way+"-"+c.lang+"-"+c.theme, width)
			for _, s := range soak.Variants(
				placed{9, ".memory-plane", canvas + `("q").top === ` + canvas + `("z").top && ` + canvas + `("k").left === probe.rect(document.querySelector(".memory-plane")).left`},
				placed{10, "[data-placing=window]", canvas + `("x").top === ` + canvas + `("z").top && ` + canvas + `("x").right < ` + canvas + `("k").left && ` + canvas + `("k").right < ` + canvas + `("z").left`},
			) {
				p.do(chromedp.EmulateViewport(1440, 900))
				p.js(fmt.Sprintf(`location.hash = "#/puzzle/%d"`, s.puzzle))
				p.wait("the puzzle", fmt.Sprintf(`document.title.startsWith("%d ")`, s.puzzle))
				p.pictured(solution(s.puzzle))
				hold()
				p.wait("the pictures as in the formula", fmt.Sprintf(`document.querySelector(%q) && %s`, s.shown, s.as))
				p.auditWidth(fmt.Sprintf("memory-%d-%s-%s-%s", s.puzzle, way, c.lang, c.theme), width)
			}
		}
	}
}

// placed is a puzzle whose tensors are placed as in its formula: what shows that, and where they are.
type placed struct {
	puzzle    int
	shown, as string
}

// slideTo drags the thumb of a slider with one finger from one end to the other.
func slideTo(p *page, slider string, last bool) {
	p.Helper()
	p.middle(slider)
	at := eval[[3]float64](p, fmt.Sprintf(`(({ left, right, top, bottom }) => [left + 10, right - 10, (top + bottom) / 2])(probe.rect(%s))`, slider))
	from, to := at[1], at[0]
	if last {
		from, to = to, from
	}
	p.slide(from, at[2], to, at[2])
}
