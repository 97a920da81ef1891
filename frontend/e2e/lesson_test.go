package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// concept tells that the lesson shows a concept; whether its task is done says isDone.
func concept(id string) string {
	return fmt.Sprintf(`document.querySelector(".basics .concept")?.dataset.concept === %q`, id)
}

const isDone = `document.querySelector(".concept-task").dataset.done === "true"`

// TestLesson goes through puzzle 0 by keys alone, from the offer on the free page to puzzle 1, and by touch on a phone.
func TestLesson(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.wait("the offer", `document.querySelector("#lesson-offer")`)
	p.js(`document.querySelector("#lesson-offer").focus()`)
	p.key(kb.Enter)
	for _, c := range []struct{ id, keys string }{ // what is typed into the controls, one after the other
		{"program", ">>"}, {"offset", ">"}, {"block", ">"}, {"mask", ">>\t "}, {"broadcast", ">>"}, {"axes", ">\t>"}, {"reduction", ">>>"},
	} {
		p.wait(c.id, concept(c.id)+` && !(`+isDone+`)`)
		p.picture("lesson-" + c.id)
		p.js(`document.querySelector(".concept-controls input").focus()`)
		p.key(strings.NewReplacer(">", kb.ArrowRight).Replace(c.keys))
		p.wait(c.id+" is done", isDone)
		p.picture("lesson-" + c.id + "-done")
		p.js(`document.querySelector("#basics-next").focus()`)
		p.key(kb.Enter)
	}
	p.wait("puzzle 1", `location.hash === "#/puzzle/1" && !document.querySelector("dialog:modal") && document.querySelector(".statement-text .term")`)
	p.wait("its mark", `document.querySelector(".menu-list a[href='#/puzzle/0'] .mark-solved")`)

	// A term of the statement opens its card alone, and the focus returns.
	p.js(`document.querySelector(".term[data-term=block]").focus()`)
	p.key(kb.Enter)
	p.wait("the card", concept("block")+` && !document.querySelector("#basics-next")`)
	p.key(kb.Escape)
	p.wait("the term again", `!document.querySelector("dialog:modal") && document.activeElement.dataset.term === "block"`)
}

// TestLessonByTouch: on a phone a finger moves the figures by their cells, and nothing is wider than the window.
func TestLessonByTouch(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/free")
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.visit("#/puzzle/0")
	p.wait("the lesson", concept("program"))
	p.tap(`document.querySelector(".concept-grid:last-child [data-cell='9']")`)
	p.wait("the task is done", isDone)
	eval[bool](p, axeSource(t)+"; true")
	p.auditWidth("lesson", 390)
	p.tap(`document.querySelector("#basics-next")`)
	p.wait("the next concept", concept("offset"))
	p.reload()
	p.wait("the lesson where it was left", concept("offset"))
}

// TestRipple: the slider of the first screen changes the kernel, whose picture follows; the introduction stays.
func TestRipple(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	const picture = `document.querySelector(".ripple canvas")?.toDataURL()`
	p.wait("the picture", `document.querySelector(".ripple canvas")?.width > 200 && document.querySelector(".memory-launch[aria-busy=false][data-outdated=false]")`)
	p.js(`window.before = ` + picture + `; document.querySelector("#ripple").focus()`)
	p.key(kb.ArrowRight)
	p.wait("another number", editor+`.textContent.includes("(row - H / 2) / 9") && `+editor+`.textContent.includes("(cols - W / 2) / 9")`)
	p.wait("another picture", picture+` !== window.before && document.querySelector(".intro").open`)
}
