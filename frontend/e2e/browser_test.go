// Package e2e uses the built page as a person would: in Chromium, with keys and clicks.
// Build the page first (go run ./frontend/build); the tests serve it as newt does.
package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds every wait for the page; only a page that is broken needs it, however busy the machine is.
var patience = flag.Duration("patience", 5*time.Minute, "how long to wait for the page")

// testsPerCore is how many tests run at once for each core. Three took 1.8 times the CPU time of one and longer, too: each
// needs a profile of its own then, which starts with nothing compiled, and what waits goes on drawing and being asked.
const testsPerCore = 1

// look is for how long the page itself looks for what is waited for until it says that it is not there; a page that is left
// for another may say nothing.
const look = 2 * time.Second

// tieringBudget is how long V8 runs WebAssembly before it optimizes a function, in a unit of its own: a tab of a test does not
// live long enough for what it takes with the default of 13,000,000, a quarter of the suite's CPU time. What is measured runs as it does for a person.
const tieringBudget = "--wasm-tiering-budget=2000000000"

// withoutFeatures are parts of Chromium that no test sees: the address bar's lists are pages of their own, which took a
// third of the suite's CPU time; a process is kept ready for the next page, of one profile alone, so that profiles that take
// turns have one started and ended at each. Translate and BlinkGenPropertyTrees are what chromedp goes without.
const withoutFeatures = "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,SpareRendererForSitePerProcess"

// withoutServiceWorker has a page that has been open for half a minute, as happens on a busy machine, not fetch all of newt
// for times without a network, which takes seconds of CPU time in each profile.
const withoutServiceWorker = `delete Navigator.prototype.serviceWorker`

// serviceWorkerAtOnce has a page not wait ten seconds, for what a person does first, until it fetches all of newt.
const serviceWorkerAtOnce = `{ const start = setTimeout; window.setTimeout = (then, ms, ...rest) => start(then, ms === 10_000 ? 0 : ms, ...rest); }`

// origin is where home is served; browser is the Chromium that all tests share.
var (
	home    *site
	origin  string
	browser context.Context
	probes  string // of bundleProbes
)

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		flag.Set("test.parallel", strconv.Itoa(testsPerCore*runtime.NumCPU()))
	}
	os.Exit(withBrowser(m.Run))
}

func withBrowser(run func() int) int {
	dir, err := os.MkdirTemp("", "newt-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	if home, err = newSite(dir); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	if probes, err = bundleProbes(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	listening := httptest.NewServer(home)
	defer listening.Close()
	origin = listening.URL

	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("no-sandbox", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-features", withoutFeatures))
	if *timings == 0 {
		options = append(options, chromedp.Flag("js-flags", tieringBudget))
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	started, quit := chromedp.NewContext(allocated)
	defer quit()
	if err := chromedp.Do(started); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: Chromium does not start; install it (Debian: apt-get install chromium):", err)
		return 1
	}
	browser = started
	return run()
}

// page is one tab of a browser profile of its own.
type page struct {
	*testing.T
	ctx context.Context

	origin  string // of the site that it shows
	altered bool   // the tab, or its profile, is not as a next test wants it
	offline bool   // it keeps newt for times without a network

	mutex      sync.Mutex
	foreign    bool     // the tab still shows what an earlier test left
	complaints []string // what the page or the browser wrote as an error
	expected   []string // parts of complaints that the test provokes
}

// idle are tabs that earlier tests are through with. Their processes have newt compiled already, which costs a fresh profile
// seconds; a site of a test of its own is at another port, which is no other process.
var idle struct {
	sync.Mutex
	tabs []context.Context
}

func takeIdle() (tab context.Context, found bool) {
	idle.Lock()
	defer idle.Unlock()
	last := len(idle.tabs) - 1
	if last < 0 {
		return nil, false
	}
	tab, idle.tabs = idle.tabs[last], idle.tabs[:last]
	return tab, true
}

func giveIdle(tab context.Context) {
	idle.Lock()
	defer idle.Unlock()
	idle.tabs = append(idle.tabs, tab)
}

// open opens a hash of the page in a profile that speaks lang, asks no questions and keeps nothing else, in a window of 1440 × 900.
func open(t *testing.T, lang, hash string) *page {
	t.Helper()
	return openAt(t, origin, lang, hash)
}

// openAt opens a hash of a site's page. An earlier test may have used the profile, of which the page finds nothing.
func openAt(t *testing.T, origin, lang, hash string) *page {
	t.Helper()
	tab, used := takeIdle()
	if !used {
		tab, _ = chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
		// The tab lives as long as the context that it is started with.
		if err := chromedp.Do(tab); err != nil {
			t.Fatal(err)
		}
	}
	ctx, leave := context.WithCancel(tab)
	p := &page{T: t, ctx: ctx, origin: origin, foreign: used}
	t.Cleanup(func() {
		leave()
		if p.altered || t.Failed() {
			chromedp.Cancel(tab)
		} else {
			giveIdle(tab)
		}
	})
	p.attach()
	p.begin(lang, hash, used)
	return p
}

// fresh attaches a page to a tab of a fresh profile, which shows nothing yet.
func fresh(t *testing.T, p *page) *page {
	t.Helper()
	ctx, done := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(done)
	p.T, p.ctx = t, ctx
	p.attach()
	return p
}

// heldBack serves the page without the files whose paths begin with prefix, until load is called.
func heldBack(t *testing.T, prefix string) (origin string, load func()) {
	loaded := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) {
			<-loaded
		}
		home.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	load = sync.OnceFunc(func() { close(loaded) })
	t.Cleanup(load)
	return s.URL, load
}

// missing serves the page without the files whose paths contain part, until back is called.
func missing(t *testing.T, part string) (origin string, back func()) {
	var there atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, part) && !there.Load() {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		home.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() { there.Store(true) }
}

// begin loads the page with a language chosen and nothing else kept; used tabs show the page already.
func (p *page) begin(lang, hash string, used bool) {
	p.Helper()
	p.do(chromedp.EmulateViewport(1440, 900))
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 0, 0))
	script := p.addScript(fmt.Sprintf(`localStorage.clear(); sessionStorage.clear(); indexedDB.deleteDatabase("newt"); localStorage.setItem("newt:settings", %q)`, fmt.Sprintf(`{"lang":%q,"questions":false}`, lang)))
	if used && eval[string](p, "origin") == p.origin {
		p.js(fmt.Sprintf(`history.replaceState(null, "", "/" + %q)`, hash))
		p.reload()
	} else {
		p.visit(hash)
	}
	p.removeScript(script)
}

// onLoad runs a script in what the page loads from now on, before any of its own.
func (p *page) onLoad(script string) {
	p.Helper()
	added := p.addScript(script)
	p.Cleanup(func() { p.removeScript(added) })
}

func (p *page) removeScript(script cdppage.ScriptIdentifier) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.RemoveScriptToEvaluateOnNewDocument, cdppage.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: script})
		return err
	}))
}

func (p *page) addScript(source string) cdppage.ScriptIdentifier {
	p.Helper()
	added, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (cdppage.AddScriptToEvaluateOnNewDocumentResult, error) {
		return cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: source})
	})
	if err != nil {
		p.Fatal(err)
	}
	return added.Identifier
}

// sibling opens another tab of the same profile.
func (p *page) sibling(hash string) *page {
	p.Helper()
	s := p.emptySibling()
	s.visit(hash)
	return s
}

// duplicate opens another tab of the same profile with what this tab shows and a copy of its session, as "Duplicate tab" does.
func (p *page) duplicate() *page {
	p.Helper()
	session := eval[string](p, `JSON.stringify(sessionStorage)`)
	s := p.emptySibling()
	s.addScript(fmt.Sprintf(`if (window.name !== "duplicate") { window.name = "duplicate"; Object.assign(sessionStorage, %s) }`, session))
	s.visit(eval[string](p, `location.hash`))
	return s
}

func (p *page) emptySibling() *page {
	p.Helper()
	p.altered = true
	ctx, done := chromedp.NewContext(p.ctx)
	p.Cleanup(done)
	s := &page{T: p.T, ctx: ctx, origin: p.origin, offline: p.offline}
	s.attach()
	return s
}

// attach starts the tab and collects what its page complains of.
func (p *page) attach() {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		// chromedp has the page keep the bodies of all answers for it, a third of the CPU time that it takes to load.
		if _, err := cdp.Call(ctx, t, network.Disable, cdp.Empty{}); err != nil {
			return err
		}
		// Several pages are used at once, and only one window can have the focus.
		_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
	p.allowCopying()
	if !p.foreign {
		p.addScript(probes)
	}
	if p.offline {
		p.addScript(serviceWorkerAtOnce)
	} else if !p.foreign {
		p.addScript(withoutServiceWorker)
	}
	if err := chromedp.Listen(p.ctx, p.listen); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(p.reportComplaints)
}

// allowCopying lets the page write to the clipboard at any time. A browser allows it for five seconds after a click, which
// may be over on a busy machine when the link is made; the page says so then.
func (p *page) allowCopying() {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		c := chromedp.FromContext(p.ctx)
		_, err := cdp.Call(ctx, c.Browser, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission:       &cdpbrowser.PermissionDescriptor{Name: "clipboard-write", AllowWithoutSanitization: true},
			Setting:          cdpbrowser.PermissionSettingGranted,
			BrowserContextID: c.BrowserContextID,
		})
		return err
	}))
}

// listen collects exceptions and errors, which include what the page's policy refuses.
func (p *page) listen(event any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if e, ok := event.(*cdppage.EventFrameNavigated); ok && e.Frame.ParentID == "" {
		p.foreign = false
	}
	if p.foreign {
		return
	}
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		p.complaints = append(p.complaints, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.ConsoleAPICalledTypeError || e.Type == cdpruntime.ConsoleAPICalledTypeWarning || e.Type == cdpruntime.ConsoleAPICalledTypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, fmt.Sprint(string(a.Value), a.Description))
			}
			p.complaints = append(p.complaints, strings.Join(words, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.complaints = append(p.complaints, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// slowness is what Chromium complains of where the machine is busy, and nowhere else: that a script has not asked for a file
// for three seconds which it had the browser fetch ahead.
const slowness = "was preloaded using link preload but not used within a few seconds"

func (p *page) reportComplaints() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, c := range p.complaints {
		if strings.Contains(c, slowness) || slices.ContainsFunc(p.expected, func(part string) bool { return strings.Contains(c, part) }) {
			continue
		}
		p.Errorf("the browser complained: %s", c)
	}
}

// expect lets the browser complain of what a test provokes.
func (p *page) expect(part string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.expected = append(p.expected, part)
}

func (p *page) visit(hash string) {
	p.Helper()
	p.do(chromedp.Navigate(p.origin + "/" + hash))
	p.waitForText()
}

// choose stores settings as JSON and reloads, as if they had been chosen on an earlier visit. Questions, which come once a
// launch is shown, are off in tests of anything else: what is below them would move.
func (p *page) choose(settings string) {
	p.Helper()
	p.js(fmt.Sprintf(`localStorage.setItem("newt:settings", JSON.stringify({ questions: false, ...%s }))`, settings))
	p.reload()
}

func (p *page) reload() {
	p.Helper()
	p.js("window.left = true") // a late event of a change of the hash ends chromedp's wait for the new page
	p.do(chromedp.Reload())
	p.wait("another page", "!window.left")
	p.waitForText()
}

// waitForText waits until the editor holds the text that it opens with.
func (p *page) waitForText() {
	p.Helper()
	p.wait("the text in the editor", editor+`?.textContent`)
}

func (p *page) do(action chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, action); err != nil {
		p.Fatal(err)
	}
}

// js runs a statement in the page.
func (p *page) js(statement string) {
	p.Helper()
	eval[bool](p, "(() => {"+statement+"; return true})()")
}

// eval gives the value of an expression in the page.
func eval[V any](p *page, expression string) V {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return value
}

// wait waits until a condition holds in the page; a promise of it is awaited.
func (p *page) wait(what, condition string) {
	p.Helper()
	until := fmt.Sprintf("probe.until(async () => (%s), %d)", condition, look.Milliseconds())
	for deadline := time.Now().Add(*patience); ; {
		ctx, cancel := context.WithTimeout(p.ctx, *patience/10)
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](until, chromedp.EvalAwaitPromise))
		cancel()
		if holds {
			return
		}
		if err != nil && !leaving(err) {
			p.Fatalf("%s: %v", condition, err)
		}
		if time.Now().After(deadline) {
			p.Fatalf("waited in vain for %s: %s\nthe page shows:\n%s", what, condition, eval[string](p, "document.body.innerText"))
		}
	}
}

// leaving reports whether a page had no answer because it was just being left for another.
func leaving(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || slices.ContainsFunc([]string{"Inspected target navigated or closed", "Execution context was destroyed", "Cannot find context", "Promise was collected"}, func(part string) bool {
		return strings.Contains(err.Error(), part)
	})
}

// text is the visible text of the first element that matches.
func (p *page) text(selector string) string {
	p.Helper()
	return strings.TrimSpace(eval[string](p, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector)))
}

// click clicks the middle of an element with the mouse; element is a JavaScript expression.
func (p *page) click(element string) {
	p.Helper()
	p.wait("an element that is not disabled", fmt.Sprintf("(%s)?.disabled !== true", element))
	x, y := p.middle(element)
	if !eval[bool](p, fmt.Sprintf(`(%s).getRootNode() instanceof ShadowRoot`, element)) { // in the editor a mouse opens cards
		x, y = p.hover(element)
	}
	p.js(probe("watchClick", script(element)))
	p.do(chromedp.MouseClickXY(x, y))
	if missed := p.missed(element); missed != "" {
		p.Fatalf("the click on %s hit %s", element, missed)
	}
}

// missed is what the last click or touch hit in place of the element; nothing where the page leaves because of it.
func (p *page) missed(element string) string {
	p.Helper()
	missed, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`probe.missed`))
	if err != nil && !leaving(err) {
		p.Fatalf("after the click on %s: %v", element, err)
	}
	return missed
}

// showView chooses a view of the result's pane by its tab, of all where it has none yet.
func (p *page) showView(id string) {
	p.Helper()
	if eval[bool](p, fmt.Sprintf(`!document.querySelector("#tab-%s")`, id)) {
		p.click(`document.querySelector("#all-views")`)
	}
	p.click(fmt.Sprintf(`document.querySelector("#tab-%s")`, id))
}

// hover moves the mouse over the middle of an element, again where the element has moved in the meantime: from then on the
// page holds it there.
func (p *page) hover(element string) (x, y float64) {
	p.Helper()
	for {
		x, y = p.middle(element)
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
		if eval[bool](p, probe("covers", script(element), x, y)) {
			return x, y
		}
	}
}

// frames waits until the page has drawn what is done by now: an effect of a change comes a frame later.
func (p *page) frames() {
	p.Helper()
	eval[bool](p, `new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => then(true)))))`)
}

// middle brings an element into view and tells where its middle is.
func (p *page) middle(element string) (x, y float64) {
	p.Helper()
	p.wait("an element", element)
	at := eval[[2]float64](p, probe("middle", script(element)))
	return at[0], at[1]
}
