package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// place is where an element is, as text: what a person's pointer relies on.
func (p *page) place(element string) string {
	p.Helper()
	p.wait("an element", element)
	return eval[string](p, fmt.Sprintf(`(() => { const r = %s.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round).join() })()`, element))
}

// TestDialogWantedAgain: a click that follows Escape before the browser tells of the closing opens the dialog again.
func TestDialogWantedAgain(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	for what, button := range map[string]string{".help": `document.querySelector(".tools button:last-child")`, ".device-dialog": `document.querySelector("#device")`} {
		p.click(button)
		p.wait("the dialog", fmt.Sprintf(`document.querySelector(%q)?.open`, what))
		if !eval[bool](p, probe("wantAgain", what, script(button))) {
			t.Errorf("%s: the click was lost", what)
		}
		p.key(kb.Escape)
		p.wait("no dialog", `!document.querySelector("dialog:modal")`)
	}
}

// TestDevicesStay: in the list of devices, what a late runner brings moves nothing that is there already.
func TestDevicesStay(t *testing.T) {
	t.Parallel()
	first, second := newRunner(t, testToken), newRunner(t, testToken)
	answers := make(chan struct{})
	to, err := url.Parse(second.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-answers
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(late.Close)
	p := open(t, "en", "#/puzzle/1")
	p.js(fmt.Sprintf(`localStorage.setItem("newt:runners", JSON.stringify([{ address: "ws%s/api/runner", token: %q }, { address: "%s/api/runner", token: %q }]))`,
		late.URL[len("http"):], testToken, first.address(), testToken))
	p.reload()
	p.openDevices()
	device := fmt.Sprintf(`document.querySelector('[data-runner="%s/api/runner"] input[name=device]')`, first.address())
	form := `document.querySelector("#add-runner [name=address]")`
	p.wait("the site's own devices", `document.querySelector("[data-runner=own] input[name=device]")`)
	before := p.place(device) + " " + p.place(form)
	close(answers)
	p.wait("the late runner's devices", `document.querySelectorAll("input[name=device]").length === 4`)
	if after := p.place(device) + " " + p.place(form); after != before {
		t.Errorf("a device and the form moved from %s to %s", before, after)
	}
	p.click(device)
	p.wait("its choice", device+`.checked`)
}

// TestMenuStays: the list of the site's own puzzles arrives below what the menu shows already.
func TestMenuStays(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.js(probe("holdFetch", "api/puzzles"))
	p.click(`document.querySelector(".menu summary")`)
	own := `document.querySelector(".menu-own")`
	before := p.place(own)
	p.wait("the question for the site's puzzles", `probe.holding()`)
	p.js(`probe.release()`)
	p.wait("the site's own puzzle", `document.querySelector('.menu-list a[href^="#/own/91_offered."]')`)
	if after := p.place(own); after != before {
		t.Errorf("the way to one's own puzzle moved from %s to %s", before, after)
	}
	p.click(own)
	p.wait("the dialog", `document.querySelector(".own-dialog")?.open`)
}

// TestPointedStays: what the mouse points at stays under it while findings and proofs arrive above it and go again, in a pane
// whose content is longer than the window and in one that has room to spare. Who types has the pane without more room.
func TestPointedStays(t *testing.T) {
	soak.Only(t, "TestMenuStays and TestDevicesStay have what comes late")
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	const table, found = `document.querySelector(".courses summary")`, `document.querySelectorAll(".finding, .proof").length`
	for _, c := range []struct {
		height int64
		counts []int // of the findings and proofs, which the switch shows or takes away
	}{{900, []int{0, 3, 0}}, {1600, []int{0, 3, 0}}, {1600, []int{3, 0, 3}}} {
		p.do(chromedp.EmulateViewport(1440, c.height))
		p.choose(fmt.Sprintf(`{"lang":"en","sanitize":%t}`, c.counts[0] > 0))
		p.pictured(addOutside())
		p.click(`document.querySelector("#lanes")`)
		p.wait("the lanes", `document.querySelectorAll(".lane canvas[width]").length === 7`)
		p.wait("what is found", fmt.Sprintf("%s === %d", found, c.counts[0]))
		p.hover(table)
		before := p.place(table)
		for _, count := range c.counts[1:] {
			p.js(`document.querySelector("#sanitize").click()`) // the mouse stays where it is
			p.wait("what is found", fmt.Sprintf("%s === %d", found, count))
			if after := p.place(table); after != before {
				t.Errorf("%d px, %d lines: the table's title moved from %s to %s", c.height, count, before, after)
			}
		}
		p.click(table)
		p.wait("the table", `document.querySelectorAll(".courses tbody tr").length === 7`)
	}
	p.key(kb.Tab)
	p.wait("no more room than content", `!document.querySelector("#view-memory").getAttribute("style").includes("--")`)
}

// TestShareDialogStays: the link and what may be done with it arrive below the button that closes the dialog, and below the
// switch for results.
func TestShareDialogStays(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.js(probe("watchWorkers", ""))
	p.click(`document.querySelector("#share")`)
	shut, results := `document.querySelector(".share-dialog .tool")`, `document.querySelector(".share-dialog .switch")`
	p.wait("the dialog", `document.querySelector("dialog:modal")`)
	before := p.place(shut) + " " + p.place(results)
	p.js(`probe.release()`)
	p.wait("the link", `document.querySelector(".link-field input")?.value && document.querySelector(".short-link")`)
	if after := p.place(shut) + " " + p.place(results); after != before {
		t.Errorf("the closing button and the switch moved from %s to %s", before, after)
	}
	p.click(shut)
	p.wait("no dialog", `!document.querySelector("dialog:modal")`)
}
