package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// TestMap: the map shows what is solved, known and next, by keys from the menu; its link shows the same progress to somebody
// else, who may add it to their own.
func TestMap(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, look := range appearances() {
		p := open(t, look.lang, "#/puzzle/2")
		p.js(`localStorage.setItem("newt:progress", JSON.stringify({ 1: "solved", 2: "tried", "own-90.abc": "solved" }))`)
		p.reload()
		p.choose(`{"lang":"` + look.lang + `","theme":"` + look.theme + `"}`)
		p.wait("the puzzles", `document.querySelectorAll(".menu-list a").length > 12`)
		p.js(`document.querySelector(".menu > summary").focus()`)
		p.key(kb.Enter)
		p.js(`document.querySelector(".menu-map").focus()`)
		p.key(kb.Enter)
		p.wait("the map", `document.querySelector(".map .map-regions [data-next] a")?.getAttribute("href") === "#/puzzle/2"`)
		p.wait("what is known", `document.querySelectorAll(".map-ideas [data-known=true]").length === 2 && document.querySelectorAll(".map-regions .prose").length === 1`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.auditWidth("map-"+look.lang, width)
		}
		link := eval[string](p, `document.querySelector(".map .link-field input").value`)
		if !strings.HasSuffix(link, "/#/map/1s.2t") {
			t.Errorf("the link is %q", link)
		}
		p.js(`document.querySelector(".map-ideas button").click()`)
		p.wait("a concept's card over it", concept("program"))
		p.key(kb.Escape)
		p.wait("the map again", `document.querySelectorAll("dialog:modal").length === 1 && document.querySelector(".map").open`)
		p.js(`document.querySelector(".map-regions [data-next] a").click()`)
		p.wait("the puzzle that was there before", `!document.querySelector("dialog:modal") && location.hash === "#/puzzle/2"`)
	}
}

// TestProgressLink: somebody else's progress is shown beside nothing of one's own, and added where it is higher.
func TestProgressLink(t *testing.T) {
	soak.Only(t, "TestMap opens a link with progress")
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.js(`localStorage.setItem("newt:progress", JSON.stringify({ 1: "tried", 5: "solved" }))`)
	p.reload()
	p.js(`location.hash = "#/map/1s.2t.<b>"`)
	p.wait("their map", `document.querySelector(".map [href='#/puzzle/1'] .mark-solved") && !document.querySelector(".map [href='#/puzzle/5'] .mark-solved")`)
	p.click(`document.querySelector("#add-progress")`)
	p.click(`document.querySelector("#own-map")`)
	p.wait("one's own, with theirs", `[1, 5].every((n) => document.querySelector(".map [href='#/puzzle/" + n + "'] .mark-solved")) && document.querySelector(".map [href='#/puzzle/2'] .mark-tried")`)
	p.key(kb.Escape)
	p.wait("the page", `!document.querySelector("dialog:modal") && location.hash === "#/puzzle/1"`)
}
