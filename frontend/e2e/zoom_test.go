package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// zoom is a magnification of a window of 1280 × 1024 pixels.
type zoom struct {
	percent       int
	width, height int64
	theme         string
}

// zooms are how WCAG 1.4.10 has a window looked at, each in another theme.
var zooms = []zoom{{400, 320, 256, "light"}, {200, 640, 512, "dark"}}

// looks are how a view is looked at, in this order. axe-core takes more time than all the rest, so it sees each zoom, theme and
// language once; `make test` has these two alone.
var looks = []struct {
	zoom
	lang string
	axe  bool
}{{zooms[0], "en", true}, {zooms[1], "en", false}, {zooms[1], "zh-Hans", true}, {zooms[0], "zh-Hans", false}}

// everyPair are the views that axe-core sees in all four pairs of theme and language, and in forced colours: what they say is
// drawn or coloured.
var everyPair = map[string]bool{"memory": true, "values": true, "findings": true, "stages": true, "lens": true}

// everyPane are the views that are seen with the task and the code of their page, which other views have in common with them.
var everyPane = map[string]bool{"starter": true, "free": true, "document": true}

// marks are what is set apart in these views: an element with an attribute that does it, and its value.
var marks = []struct{ element, attribute, value string }{
	{".memory-chip[aria-checked=false]", "aria-checked", "true"},
	{".lens-table tbody tr:not(.linked)", "class", "linked"},
	{".code-lines [role=option]:not(.linked, [aria-selected=true])", "class", "linked"},
	{".finding-go:not([aria-current])", "aria-current", "true"},
}

// auditForced audits the page in forced colours, where what is marked must look so: backgrounds are gone.
func (p *page) auditForced(what string) {
	p.Helper()
	p.forceColors()
	p.audit(what)
	p.picture(what)
	for _, m := range marks {
		if !eval[bool](p, probe("marked", m.element, m.attribute, m.value)) {
			p.Errorf("%s: %s does not show its %s %s", what, m.element, m.attribute, m.value)
		}
	}
}

// again does what a change of language undoes of a view: the page repeats runs by itself, but not on a device.
var again = map[string]func(p *page){"device": (*page).runThere}

// speak changes to a language, and waits until the page has done again what depends on it.
func (p *page) speak(lang string, v view) {
	p.Helper()
	if eval[string](p, `document.documentElement.lang`) == lang {
		return
	}
	p.js(`document.querySelector("#language").click()`)
	p.wait("the language", fmt.Sprintf(`document.documentElement.lang === %q && !document.querySelector("[aria-busy=true], .run.stop, .run[aria-disabled=true]")`, lang))
	if repeat := again[v.name]; repeat != nil {
		repeat(p)
	}
	if v.at != "" {
		p.wait("the view", fmt.Sprintf(`document.querySelector(%q)`, v.at))
	}
}

// zoomed are the views of the docs and the dialogs that are not among them; those of who learns are zoomed in the soak, and
// their own tests have axe-core see them.
var zoomed = append([]view{
	{name: "starter", hash: "#/puzzle/3", reach: func(p *page) { p.wait("the task", `document.querySelector("h1")`) }},
	{name: "share", hash: "#/puzzle/2", reach: func(p *page) {
		p.js(`document.querySelector("#share").click()`)
		p.wait("the link", `document.querySelector(".share-dialog .short-link") && document.querySelector(".link-field input").value`)
	}},
	{name: "devices", hash: "#/puzzle/2", reach: func(p *page) {
		p.openDevices()
		p.wait("the server's device", `document.querySelector("[data-runner=own][data-state=ready] input")`)
	}},
	{name: "help", hash: "#/puzzle/2", reach: func(p *page) {
		p.js(`document.querySelector(".tools button:last-child").click()`)
		p.wait("the help", `document.querySelector(".help")?.open`)
	}},
	{name: "menu", hash: "#/puzzle/2", reach: func(p *page) {
		p.wait("the puzzles", `document.querySelectorAll(".menu-list a").length > 12`)
		p.js(`document.querySelector(".menu > summary").click()`)
	}},
}, working...)

// panes are the parts of the page that a narrow window shows one at a time; overPage is what may lie over all of them.
var panes = []string{".pane.statement", ".pane.editing", ".pane.result"}

const overPage = "dialog:modal, .menu[open]"

// TestViewsZoomed: at 400 % and at 200 %, in both languages, every view and dialog reflows. The page scrolls in one direction, every control can be
// scrolled to and clicked in its middle, one that has the focus is seen, and no words are cut off.
func TestViewsZoomed(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, v := range slices.Concat(soak.Variants(zoomed, learning)...) {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, "en", v.hash)
			v.reach(p)
			eval[bool](p, axe+"; true")
			for _, look := range looks {
				if !look.axe && !soak.On() {
					continue
				}
				p.do(chromedp.EmulateViewport(look.width, look.height))
				p.speak(look.lang, v)
				p.js(fmt.Sprintf(`document.documentElement.dataset.theme = %q`, look.theme))
				p.wait("the width", fmt.Sprintf(`innerWidth === %d`, look.width))
				over := eval[bool](p, fmt.Sprintf(`!!document.querySelector(%q)`, overPage))
				for pane, part := range panes {
					// Task and code of a page are seen once; what lies over the page is all there is.
					if over && pane > 0 || !over && pane < 2 && !everyPane[v.name] {
						continue
					}
					switch {
					case over:
						part = overPage
					case v.name == "starter", v.name == "tour", soak.On():
						part = "body" // with the header, which is the same in all views, and the tour's card
					}
					if !over {
						p.js(fmt.Sprintf(`document.querySelectorAll(".tabs button")[%d].click()`, pane))
					}
					what := fmt.Sprintf("%s-%s-%d-%d", v.name, look.lang, look.percent, pane)
					p.wait("stillness", `document.fonts.status === "loaded" && document.getAnimations().every((a) => a.playState === "finished")`)
					p.js(`scrollTo(0, 0)`)
					p.picture(what)
					for _, found := range eval[[]string](p, probe("zoomProblems", part)) {
						t.Errorf("%s: %s", what, found)
					}
					if look.axe || pane == 2 && everyPair[v.name] {
						p.auditPart(what, part)
					}
				}
			}
			if everyPair[v.name] {
				p.js(`document.documentElement.dataset.theme = "light"`) // as the forced colors are
				p.auditForced(v.name + "-forced")
			}
		})
	}
}

// TestTourZoomed goes through the tour at 400 %: the card has a place of its own, and its buttons can be clicked.
func TestTourZoomed(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.do(chromedp.EmulateViewport(320, 256))
	p.openPalette()
	p.search("tour", "tour")
	p.enter()
	for _, stop := range tourStops {
		p.wait("the stop "+stop, tourAt(stop)+` && document.querySelector(".tour-about")`)
		p.picture("tour-zoomed-" + stop)
		for _, found := range eval[[]string](p, `probe.unreachable(probe.all(".tour button"))`) {
			t.Errorf("%s: %s", stop, found)
		}
		p.js(`document.querySelector(".tour-next").focus()`)
		p.key(kb.Enter)
	}
	p.wait("the end", `!document.querySelector(".tour")`)
}

// TestSkipLinks: a link past the header is large enough to touch while it is seen, and within the window.
func TestSkipLinks(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/puzzle/1")
	for _, zoom := range zooms {
		p.do(chromedp.EmulateViewport(zoom.width, zoom.height))
		for n := range 3 {
			p.js(fmt.Sprintf(`document.querySelectorAll(".skip")[%d].focus()`, n))
			p.wait("the link", `document.activeElement.className === "skip" && document.activeElement.getBoundingClientRect().top >= 0`)
			if small := eval[bool](p, `(() => { const r = document.activeElement.getBoundingClientRect(); return r.width < 24 || r.height < 24 || r.right > innerWidth })()`); small {
				t.Errorf("%d %%: link %d is too small, or sticks out", zoom.percent, n)
			}
		}
	}
}
