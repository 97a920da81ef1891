package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// tourStops are the ids of the tour's stops, in their order.
var tourStops = []string{"task", "code", "programs", "steps", "run", "gpu", "share"}

// tourAt tells that the tour is at a stop, with the focus in its card.
func tourAt(stop string) string {
	return fmt.Sprintf(`document.querySelector(".tour")?.dataset.stop === %q && document.activeElement.closest(".tour")`, stop)
}

// tourClear tells that the tour's card is within the window and outlines what it tells of.
const tourClear = `document.querySelector(".tour-about") && probe.inWindow(() => document.querySelector(".tour"))`

// TestTour goes through the tour by keys alone, from its offer on a first visit: it types and steps when it is asked to, runs, and
// leaves the puzzle as it was.
func TestTour(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.wait("the offer", `document.querySelector("#tour-offer")`)
	p.js(`document.querySelector("#tour-offer").focus()`)
	p.key(kb.Enter)
	p.wait("the task", tourAt("task")+` && location.hash === "#/puzzle/1" && !document.querySelector("#tour-offer")`)
	p.wait("the starter", editor+`.textContent.includes("def add_kernel")`)
	starter := p.source()
	try := func() {
		p.wait("something to try", `document.querySelector(".tour-try")`)
		p.js(`document.querySelector(".tour-try").focus()`)
		p.key(kb.Enter)
	}
	const next = `document.querySelector(".tour-next")`
	way := ""
	for _, stop := range tourStops {
		p.wait("the stop "+stop, tourAt(stop)+" && "+tourClear)
		corner := eval[string](p, `(({ right, bottom }) => [right, bottom].map(Math.round).join())(`+next+`.getBoundingClientRect())`)
		if way == "" {
			way = corner
		} else if corner != way {
			t.Errorf("%s: the way on is at %s, and was at %s", stop, corner, way)
		}
		switch stop {
		case "code":
			try()
			p.wait("the answer", editor+`.textContent.includes("x + 9") && !document.querySelector(".tour-try")`)
		case "programs":
			p.wait("the answer's picture", captionOf("z")+`?.includes("writes z[0:32]")`)
		case "steps":
			p.wait("the first step", stepNow+`.startsWith("Step 1 of")`)
			try()
			p.wait("the second step", stepNow+`.startsWith("Step 2 of")`)
			p.js(`document.querySelector(".tour-next").focus()`)
		case "run":
			p.wait("what is wrong", `document.querySelector("#verdict")?.dataset.pass === "false" && document.querySelector("#view-result .elements .link")`)
		case "gpu":
			p.wait("PTX", `document.querySelector(".code-lines")?.innerText.includes("st.global")`)
		}
		p.wait("the way on", `document.activeElement.classList.contains("tour-next")`)
		p.key(kb.Enter)
	}
	p.wait("the end", `!document.querySelector(".tour") && document.querySelector("#tab-memory[aria-selected=true]")`)
	p.wait("the starter again", fmt.Sprintf(`[...%s.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n") === %q`, editor, starter))

	// It is offered once; Escape leaves it, and the focus returns.
	p.visit("#/free")
	p.reload()
	p.wait("no offer", `document.querySelector(".intro .cta") && !document.querySelector("#tour-offer")`)
	p.js(editor + `.focus()`)
	p.openPalette()
	p.search("two minutes", "tour")
	p.enter()
	p.wait("the task", tourAt("task"))
	p.key(kb.Escape)
	p.wait("the editor again", `!document.querySelector(".tour") && document.activeElement.id === "editor"`)
}

// TestTourKeepsTexts: in a puzzle that a person has begun the tour only points, and their text stays.
func TestTourKeepsTexts(t *testing.T) {
	t.Parallel()
	p := open(t, "zh", "#/puzzle/1")
	p.write("# my own text")
	p.click(`document.querySelector(".tools button:last-child")`)
	p.wait("the help", `document.querySelector(".help")?.open`)
	p.js(`document.querySelector(".help [data-action=tour]").focus()`)
	p.key(kb.Enter)
	mine := p.kept()
	for _, stop := range tourStops {
		p.wait("the stop "+stop, tourAt(stop))
		if stop == "code" && eval[bool](p, `!!document.querySelector(".tour-try")`) {
			t.Error("the tour offers to type over a person's text")
		}
		p.key(kb.Enter)
	}
	p.wait("the end", `!document.querySelector(".tour")`)
	if got := p.kept(); got != mine {
		t.Errorf("after the tour the text is %q", got)
	}
}

// TestTourOnAPhone: on a phone and on a desk, in both themes, every card is within the window, large enough to touch and accessible.
func TestTourOnAPhone(t *testing.T) {
	soak.Only(t, "TestTour goes through the tour, TestTourZoomed in a narrow window")
	t.Parallel()
	axe := axeSource(t)
	for _, theme := range soak.Variants("light", "dark") {
		for _, width := range soak.Variants[int64](390, 1440) {
			p := open(t, "en", "#/puzzle/1")
			p.choose(fmt.Sprintf(`{"lang":"en","theme":%q}`, theme))
			if width == 390 {
				p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
			}
			eval[bool](p, axe+"; true")
			p.click(`document.querySelector(".tools button:last-child")`)
			p.wait("the help", `document.querySelector(".help")?.open`)
			p.click(`document.querySelector(".help [data-action=tour]")`)
			// The card moves with what it tells of, which may still change its size: a key does not miss a button.
			press := func(button string) {
				p.js(fmt.Sprintf(`document.querySelector(%q).focus()`, button))
				p.key(kb.Enter)
			}
			for _, stop := range tourStops {
				p.wait("the stop "+stop, tourAt(stop)+" && "+tourClear)
				p.picture(fmt.Sprintf("tour-%d-%s-%s", width, theme, stop))
				if small := p.smallTargets(".tour"); len(small) > 0 {
					t.Errorf("%s: too small to touch: %s", stop, strings.Join(small, "\n"))
				}
				if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > int(width) {
					t.Errorf("%s: the page is %d px wide", stop, wide)
				}
				p.wait("the view, which is fetched", `document.getElementById(document.querySelector(".views [aria-selected=true]").getAttribute("aria-controls"))`)
				p.audit(theme + " " + stop)
				switch stop {
				case "code":
					press(".tour-try")
					p.wait("the answer", editor+`.textContent.includes("x + 9")`)
				case "run":
					p.wait("what is wrong", `document.querySelector("#view-result .elements .link")`)
					p.wait("its outline", tourClear)
					p.picture(fmt.Sprintf("tour-%d-%s-ran", width, theme))
				}
				press(".tour-next")
			}
			p.wait("the end", `!document.querySelector(".tour")`)
		}
	}
}

// TestTourForcedColors: with the system's own colors what a card tells of is outlined.
func TestTourForcedColors(t *testing.T) {
	soak.Only(t, "TestTour goes through the tour")
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.forceColors()
	p.openPalette()
	p.search("tour", "tour")
	p.enter()
	p.wait("the outline", tourAt("task")+` && getComputedStyle(document.querySelector(".tour-about")).borderStyle === "solid"`)
}
