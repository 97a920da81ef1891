package e2e

import (
	"fmt"
	"strings"
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
		seen := eval[string](p, fmt.Sprintf(`(() => {
			const element = document.querySelector(%q);
			if (!element) return "none";
			const look = () => { const s = getComputedStyle(element); return [s.outlineStyle, s.outlineWidth, s.borderTopColor, s.borderTopWidth].join(); };
			const [before, kept] = [look(), element.getAttribute(%q)];
			element.setAttribute(%q, %q);
			const after = look();
			if (kept === null) element.removeAttribute(%q);
			else element.setAttribute(%q, kept);
			return before === after ? "alike" : "";
		})()`, m.element, m.attribute, m.attribute, m.value, m.attribute, m.attribute))
		if seen == "alike" {
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

// zoomed are the views of the docs and the dialogs that are not among them.
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
}, views...)

// TestViewsZoomed: at 400 % and at 200 %, in both languages, every view and dialog reflows. The page scrolls in one direction, every control can be
// scrolled to and clicked in its middle, one that has the focus is seen, and no words are cut off.
func TestViewsZoomed(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, v := range zoomed {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, "en", v.hash)
			v.reach(p)
			eval[bool](p, axe+"; true")
			eval[bool](p, zoomChecks+"; true")
			for _, look := range looks {
				if !look.axe && !soak.On() {
					continue
				}
				p.do(chromedp.EmulateViewport(look.width, look.height))
				p.speak(look.lang, v)
				p.js(fmt.Sprintf(`document.documentElement.dataset.theme = %q`, look.theme))
				p.wait("the width", fmt.Sprintf(`innerWidth === %d`, look.width))
				over := eval[bool](p, `!!document.querySelector("dialog:modal, .menu[open]")`)
				for pane := range 3 {
					// Task and code of a puzzle are the starter's; what lies over the page is all there is.
					if over && pane > 0 || !over && pane < 2 && v.name != "starter" && strings.HasPrefix(v.hash, "#/puzzle/") {
						continue
					}
					if !over {
						p.js(fmt.Sprintf(`document.querySelectorAll(".tabs button")[%d].click()`, pane))
					}
					what := fmt.Sprintf("%s-%s-%d-%d", v.name, look.lang, look.percent, pane)
					p.wait("stillness", `document.fonts.status === "loaded" && document.getAnimations().every((a) => a.playState === "finished")`)
					p.js(`scrollTo(0, 0)`)
					p.picture(what)
					for _, found := range eval[[]string](p, `zoomProblems()`) {
						t.Errorf("%s: %s", what, found)
					}
					if look.axe || pane == 2 && everyPair[v.name] {
						p.audit(what)
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
	eval[bool](p, zoomChecks+"; true")
	p.openPalette()
	p.search("tour", "tour")
	p.enter()
	for _, stop := range tourStops {
		p.wait("the stop "+stop, tourAt(stop)+` && document.querySelector(".tour-about")`)
		p.picture("tour-zoomed-" + stop)
		for _, found := range eval[[]string](p, `unreachable([...document.querySelectorAll(".tour button")])`) {
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

// zoomChecks defines zoomProblems, which lists what cannot be used of the page as it is.
var zoomChecks = strings.TrimSpace(`
const nameOf = (e) => (e.id ? "#" + e.id : e.localName + (e.classList.length ? "." + [...e.classList].join(".") : "")) + " " + (e.ariaLabel ?? e.innerText ?? "").trim().slice(0, 40);

// A control is what a person acts on; one for screen readers alone, or that shows when it has the focus, is none.
const controlsOf = (root) => [...root.querySelectorAll("button, a[href], select, textarea, input, summary, [role=separator], [tabindex='0']")]
	.map((e) => e.localName === "input" && e.closest("label") ? e.closest("label") : e)
	.filter((e, i, all) => all.indexOf(e) === i && !e.closest("[inert], .unseen, .skip, .prose a") && e.checkVisibility({ visibilityProperty: true }))
	.filter((e) => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1; });

const hit = (e, x, y) => {
	const top = document.elementFromPoint(x, y);
	return top !== null && (e.contains(top) || top.contains(e) && top.localName === "label" || top.closest("label")?.contains(e));
};

// Where something is larger than the window, its visible part counts.
const middleOf = (e) => {
	const r = e.getBoundingClientRect();
	const [left, right] = [Math.max(r.left, 0), Math.min(r.right, innerWidth)], [top, bottom] = [Math.max(r.top, 0), Math.min(r.bottom, innerHeight)];
	return { x: (left + right) / 2, y: (top + bottom) / 2, inside: right - left >= Math.min(r.width, 20) && bottom - top >= Math.min(r.height, 20) };
};

globalThis.unreachable = (controls) => controls.flatMap((e) => {
	e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
	const { x, y, inside } = middleOf(e);
	if (!inside) return ["cannot be scrolled to: " + nameOf(e)];
	if (!hit(e, x, y)) return [nameOf(e) + " is covered by " + nameOf(document.elementFromPoint(x, y) ?? document.body)];
	const r = e.getBoundingClientRect();
	if (r.left < -1 || r.right > innerWidth + 1) return [nameOf(e) + " sticks out of the window"];
	// WCAG 2.4.11: what has the focus is seen, if only in part.
	if (e.tabIndex < 0 || e.disabled) return [];
	e.focus();
	e.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
	const f = e.getBoundingClientRect();
	const seen = [0.1, 0.5, 0.9].some((u) => [0.1, 0.5, 0.9].some((v) => hit(e, f.left + u * f.width, f.top + v * f.height)));
	return seen ? [] : [nameOf(e) + " is hidden while it has the focus"];
});

// Pictures, tables and code may scroll both ways within their box.
const twoDimensional = "canvas, table, pre, .memory-picture, .memory-map, .table-box, .code-lines, .grid, .timeline-strip, .tile-grid, .author-text, .cm-scroller";
const scrollers = (root) => [...root.querySelectorAll("*")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && /auto|scroll/.test(getComputedStyle(e).overflow));

// widest is what makes a box scroll, which nothing within cuts off.
const widest = (box) => [...box.querySelectorAll("*")].filter((e) => {
	for (let part = e; part !== box; part = part.parentElement) if (part !== e && getComputedStyle(part).overflowX !== "visible") return false;
	return true;
}).reduce((a, b) => b.getBoundingClientRect().right > a.getBoundingClientRect().right ? b : a);

globalThis.zoomProblems = () => {
	const root = document.querySelector("dialog:modal") ?? document.querySelector(".menu[open]") ?? document.body;
	const found = [];
	if (document.documentElement.scrollWidth > innerWidth) found.push("the page is " + document.documentElement.scrollWidth + " px wide");
	for (const e of scrollers(root)) {
		if (e.scrollWidth > e.clientWidth + 1 && e.scrollHeight > e.clientHeight + 1 && !e.closest(twoDimensional)) found.push(nameOf(e) + " scrolls in both directions, for " + nameOf(widest(e)));
		if (e.clientHeight < 40 && e.scrollHeight > e.clientHeight + 8) found.push(nameOf(e) + " shows " + e.clientHeight + " px of " + e.scrollHeight);
	}
	for (const e of root.querySelectorAll("button, label, h1, h2, h3, p, li, summary, th, td, figcaption, select")) {
		if (!e.checkVisibility({ visibilityProperty: true }) || e.closest(".unseen, .skip") || e.title || e.closest("[title]")) continue;
		const { overflowX, textOverflow } = getComputedStyle(e);
		if (/hidden|clip/.test(overflowX) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) found.push("cut off: " + nameOf(e));
	}
	found.push(...unreachable(controlsOf(root)));
	return found;
};`)
