package e2e

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/frontend/packed"
	"github.com/newtlab/newt/runner/server"
)

// staticSite serves the page's files and nothing else.
func staticSite(t *testing.T) string {
	t.Helper()
	site, err := server.Site(frontend.FS)
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(site)
	t.Cleanup(listening.Close)
	return listening.URL
}

// openKept opens a puzzle, and waits until the service worker holds the whole page and answers for it. It does so in the
// browser's own profile, whose caches are on disk as those that people have, and where this site was never seen.
func openKept(t *testing.T, origin string) *page {
	t.Helper()
	ctx, done := chromedp.NewContext(browser)
	t.Cleanup(done)
	p := &page{T: t, ctx: ctx, origin: origin, offline: true}
	p.attach()
	p.begin("en", "#/puzzle/1", false)
	p.wait("the service worker", `navigator.serviceWorker.controller`)
	return p
}

// TestOffline stops the server and goes on: reload, another puzzle, the other language, a run.
func TestOffline(t *testing.T) {
	t.Parallel()
	listening := httptest.NewServer(home)
	defer listening.Close()
	p := openKept(t, listening.URL)
	p.expect("Failed to load resource")
	p.expect("net::ERR")
	p.write(theirs)
	p.kept()
	p.click(`document.querySelector(".tools button:last-child")`)
	p.wait("that it is ready", `document.querySelector("#offline-ready")?.innerText === "It is ready now."`)
	p.key(kb.Escape)
	listening.CloseClientConnections()
	listening.Close()
	p.reload()
	if got := p.source(); got != theirs {
		t.Errorf("without a network the editor holds %q", got)
	}
	p.run()
	p.js(`location.hash = "#/puzzle/8"`)
	p.click(`document.querySelector("#language")`)
	p.wait("formulas and Chinese", `document.querySelector(".statement-text .katex") && document.documentElement.lang === "zh-Hans"`)
	p.share(false)
	p.click(`document.querySelector("#make-short")`)
	p.wait("that there is no network", `document.querySelector(".share-dialog .fault")?.innerText.startsWith("连不上网站")`)
}

// upgrade serves the page, and from the moment that newer is set another version of it.
type upgrade struct {
	page  http.Handler
	newer atomic.Int32
}

var versionInWorker = regexp.MustCompile(`"?version"?: ?"[0-9A-F]{12}"`)

func (u *upgrade) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := map[string]string{"/": "index.html", "/sw.js": "sw.js"}[r.URL.Path]
	number := u.newer.Load()
	if name == "" || number == 0 {
		u.page.ServeHTTP(w, r)
		return
	}
	data, err := packed.ReadFile(frontend.FS, name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	mark := strings.Repeat(string(rune('0'+number)), 12)
	text := versionInWorker.ReplaceAllString(string(data), `version:"`+mark+`"`)
	text = strings.Replace(text, "<body>", `<body data-version="`+mark+`">`, 1)
	for header, value := range server.SecurityHeaders() {
		w.Header().Set(header, value)
	}
	w.Header().Set("Content-Type", map[string]string{"index.html": "text/html", "sw.js": "text/javascript"}[name])
	w.Write([]byte(text))
}

// TestUpdate serves a newer page: it is announced, waits until somebody wants it, in one tab after another, and old versions go.
func TestUpdate(t *testing.T) {
	t.Parallel()
	page, err := server.Site(frontend.FS)
	if err != nil {
		t.Fatal(err)
	}
	u := &upgrade{page: page}
	listening := httptest.NewServer(u)
	defer listening.Close()
	p := openKept(t, listening.URL)
	other := p.sibling("#/puzzle/2")
	for n, mark := range []string{"111111111111", "222222222222"} {
		u.newer.Store(int32(n + 1))
		p.write("# still here")
		eval[bool](p, `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => true)`)
		p.wait("news of it", `document.querySelector("#newer")`)
		if eval[bool](p, `document.body.dataset.version === "`+mark+`"`) {
			t.Fatal("the newer page came without being asked for")
		}
		other.wait("news of it in another tab", `document.querySelector("#newer")`)
		p.click(`document.querySelector("#newer button")`)
		p.wait("the newer page", `document.body?.dataset.version === "`+mark+`" && navigator.serviceWorker.controller`)
		p.waitForText()
		if got := p.source(); got != "# still here" {
			t.Errorf("after the update the editor holds %q", got)
		}
		other.click(`document.querySelector("#newer button")`)
		other.wait("the newer page in the other tab", `document.body?.dataset.version === "`+mark+`"`)
	}
	// Old versions go once the newest worker is activated, which may take minutes after both pages have come from it.
	p.wait("old versions to go", `["a worker waits", "newt-111111111111,newt-222222222222"].includes(await `+probe("versionsKept")+`)`)
}
