package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// slowLink is a listener whose connections share one rate to the client. The browser's own emulation of a slow
// network does not reach what workers fetch.
type slowLink struct {
	net.Listener
	bytesPerSecond int
	mutex          sync.Mutex
	free           time.Time // when all that was taken has passed
}

type slowConn struct {
	net.Conn
	link *slowLink
}

func (l *slowLink) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return slowConn{c, l}, err
}

// catchUp is for how long a link may have been idle and still send what it could have sent.
const catchUp = 20 * time.Millisecond

// packetBytes is what a connection sends before the others have their turn.
const packetBytes = 1460

func (c slowConn) Write(data []byte) (written int, err error) {
	for len(data) > 0 && err == nil {
		var n int
		piece := data[:min(len(data), packetBytes)]
		time.Sleep(time.Until(c.link.reserve(len(piece))))
		n, err = c.Conn.Write(piece)
		written, data = written+n, data[n:]
	}
	return written, err
}

// reserve gives the time at which so many bytes have passed, after those of earlier writes.
func (l *slowLink) reserve(bytes int) time.Time {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	// A sleep that lasts too long on a busy machine is made up for.
	if soonest := time.Now().Add(-catchUp); l.free.Before(soonest) {
		l.free = soonest
	}
	l.free = l.free.Add(time.Duration(bytes) * time.Second / time.Duration(l.bytesPerSecond))
	return l.free
}

// slowly serves the site over a link of so many bytes a second, with so long between a request and its answer.
func slowly(t *testing.T, bytesPerSecond int, latency time.Duration) (origin string) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(latency)
		home.ServeHTTP(w, r)
	}))
	s.Listener = &slowLink{Listener: s.Listener, bytesPerSecond: bytesPerSecond}
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// firstVisit opens a page, which runs a script before its own, in a fresh profile.
func firstVisit(t *testing.T, origin, hash, script string) *page {
	t.Helper()
	p := fresh(t, &page{origin: origin})
	p.do(chromedp.EmulateViewport(1440, 900))
	p.onLoad(script)
	p.do(chromedp.Navigate(origin + "/" + hash))
	return p
}

// pictured tells that the memory view shows the example's launch.
const pictured = `probe.pictured()`

// TestFirstVisitTimes measures how long a first visit takes to the first picture of what a kernel does to memory, which is stored,
// to its code, and to the first result of the page's own.
//
//	go test ./frontend/e2e -run TestFirstVisitTimes -v -timings 5
func TestFirstVisitTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	for _, link := range []struct {
		name           string
		bytesPerSecond int
		latency        time.Duration
	}{{"no limit", 1 << 30, 0}, {"10 Mbit/s, 40 ms", 1_250_000, 40 * time.Millisecond}, {"60 kB/s, 400 ms", 60_000, 400 * time.Millisecond}} {
		t.Run(link.name, func(t *testing.T) {
			parts := []string{"picture", "code", "live"}
			times := map[string][]float64{}
			for i := range *timings {
				t.Run(strconv.Itoa(i+1), func(t *testing.T) { // which closes the page: one that is open has work to do
					p := firstVisit(t, slowly(t, link.bytesPerSecond, link.latency), "", probe("watchFirst"))
					p.wait("the first result", `probe.first.picture && probe.first.code && probe.first.live`)
					for _, part := range parts {
						times[part] = append(times[part], eval[float64](p, "probe.first."+part)/1000)
					}
				})
			}
			for _, part := range parts {
				t.Logf("%s: %.2f s at the median of %.2f", part, median(times[part], func(s float64) float64 { return s }), times[part])
			}
		})
	}
}

// TestStored: a first visit shows what the example does before the compiler is there, in both languages; that is what the page's
// own look gives, which takes its place; and it is of the example alone.
func TestStored(t *testing.T) {
	t.Parallel()
	const shown = `["#view-memory .memory-programs", "#view-memory figcaption", ".timeline-now", ".memory-steps"].map((part) => document.querySelector(part)?.innerText).join("\n")`
	const picture = `document.querySelector("#view-memory canvas").toDataURL()`
	for _, c := range soak.Variants([2]string{"zh", "程序 0 写入 out_ptr"}, [2]string{"en", "Program 0 writes out_ptr"}) {
		lang, says := c[0], c[1]
		origin, load := heldBack(t, "/assets/app-")
		p := openAt(t, origin, lang, "")
		p.wait("the stored picture", pictured+` && document.querySelector("#view-memory figcaption")?.innerText.includes("out_ptr")`)
		p.wait("it is said to be on its way", `document.querySelector(".memory-launch[aria-busy=true]") && document.querySelector("#loading")`)
		if got := p.text("#view-memory figcaption"); !strings.Contains(got, says) {
			t.Errorf("%s: the picture says %q", lang, got)
		}
		p.wait("the values of lines", `document.querySelector("#editor").shadowRoot.querySelector(".cm-line-value")`)
		p.picture("stored-" + lang)
		before, drawn := eval[string](p, shown), eval[string](p, picture)
		load()
		p.wait("the page's own", `document.querySelector(".memory-launch[aria-busy=false]") && !document.querySelector("#loading")`)
		if after := eval[string](p, shown); after != before {
			t.Errorf("%s: stored:\n%s\nthe page's own:\n%s", lang, before, after)
		}
		if eval[string](p, picture) != drawn {
			t.Errorf("%s: the stored picture is another", lang)
		}
	}

	origin, load := heldBack(t, "/assets/app-")
	p := openAt(t, origin, "en", "")
	p.wait("the stored picture", pictured)
	p.write(strings.Replace(p.source(), "def ripple", "def another", 1))
	p.reload()
	p.wait("the text", editor+`?.textContent.includes("another")`)
	if eval[bool](p, pictured) {
		t.Error("another kernel is shown as the example")
	}
	load()
	p.wait("its own picture", pictured)
}

const arriving = `/compiler: \d\.\d of \d\.\d MB/.test(document.querySelector("#loading")?.innerText ?? "")`

// What a slow first visit has: 60 kB/s, and 400 ms between a request and its answer.
const (
	slowBytesPerSecond = 60_000
	slowLatency        = 400 * time.Millisecond
)

// halfway serves the page with half of its program, until load is called.
func halfway(t *testing.T) (origin string, load func()) {
	t.Helper()
	loaded := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/assets/app-") {
			w = &pausing{ResponseWriter: w, loaded: loaded}
		}
		home.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	load = sync.OnceFunc(func() { close(loaded) })
	t.Cleanup(load)
	return s.URL, load
}

// pausing sends the first half of what is written to it, and the rest once all may be loaded.
type pausing struct {
	http.ResponseWriter
	loaded <-chan struct{}
}

func (p *pausing) Write(data []byte) (int, error) {
	half := len(data) / 2
	n, err := p.ResponseWriter.Write(data[:half])
	if err == nil {
		err = http.NewResponseController(p.ResponseWriter).Flush()
	}
	if err != nil {
		return n, err
	}
	<-p.loaded
	rest, err := p.ResponseWriter.Write(data[half:])
	return n + rest, err
}

// halfFirstVisit opens the page and waits until it tells how much of the compiler is here; the rest comes with load.
func halfFirstVisit(t *testing.T, hash string) (p *page, load func()) {
	t.Helper()
	origin, load := halfway(t)
	p = firstVisit(t, origin, hash, probe("watchWorkers"))
	p.wait("how much of the compiler is here", arriving+" && "+editor+"?.textContent")
	return p, load
}

// TestSlowFirstVisit: a first visit over a slow link ends with an answer.
func TestSlowFirstVisit(t *testing.T) {
	t.Parallel()
	soak.Only(t, "in TestSlowFirstRun the program comes when the test lets it, not after half a minute")
	p := firstVisit(t, slowly(t, slowBytesPerSecond, slowLatency), "", probe("watchWorkers"))
	p.wait("how much of the compiler is here", arriving+" && "+editor+"?.textContent")
	p.wait("the first picture", pictured)
	p.showView("result")
	p.wait("a kernel that has run", `document.querySelector("#verdict")?.dataset.pass === "true"`)
	p.fewWorkers()
	t.Logf("the first kernel had run after %.1f s", eval[float64](p, "performance.now()")/1000)
}

// fewWorkers looks whether a worker was started in vain: one runs kernels and one checks the text.
func (p *page) fewWorkers() {
	p.Helper()
	if working := eval[int](p, `probe.workers.length`); working > 2 {
		p.Errorf("%d workers were started and not ended", working)
	}
}

// TestSlowFirstRun: a run that is asked for while the compiler downloads is not lost.
func TestSlowFirstRun(t *testing.T) {
	t.Parallel()
	p, load := halfFirstVisit(t, "")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	load()
	p.wait("an outcome", `document.querySelector("#verdict")`)
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
	p.fewWorkers()
}

// TestSlowFirstDiagnostics: what is written while the compiler downloads is checked once that is here.
func TestSlowFirstDiagnostics(t *testing.T) {
	soak.Only(t, "TestSlowFirstRun has the compiler come late")
	t.Parallel()
	p, load := halfFirstVisit(t, "#/puzzle/1")
	p.write(kernel("tl.store(z_ptr + i, 1)"))
	if !eval[bool](p, arriving) {
		t.Error("the compiler was there before the text was")
	}
	load()
	p.wait("a mark on the unknown name", inEditor(".cm-lintRange-error")+`?.textContent === "i"`)
	if got := p.source(); !strings.Contains(got, "tl.store(z_ptr + i, 1)") {
		t.Errorf("the text became %q", got)
	}
}
