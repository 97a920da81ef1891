package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// firstVisit opens a page in a fresh profile.
func firstVisit(t *testing.T, origin, hash string) *page {
	t.Helper()
	ctx, done := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(done)
	p := &page{T: t, ctx: ctx, origin: origin}
	p.attach()
	p.do(chromedp.EmulateViewport(1440, 900))
	p.onLoad(countWorkers)
	p.do(chromedp.Navigate(origin + "/" + hash))
	return p
}

// countWorkers keeps in window.working how many workers were made and not ended.
const countWorkers = `window.working = 0;
window.Worker = class extends Worker {
	constructor(...options) { super(...options); working++; }
	terminate() { working--; super.terminate(); }
};`

// pictured tells that the memory view shows the example's launch.
const pictured = `document.querySelector("#view-memory canvas")?.width > 100`

// TestFirstVisitTimes measures how long a first visit takes to the first picture of what a kernel does to memory.
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
	}{{"no limit", 1 << 30, 0}, {"10 Mbit/s, 20 ms", 1_250_000, 20 * time.Millisecond}, {"60 kB/s, 400 ms", 60_000, 400 * time.Millisecond}} {
		t.Run(link.name, func(t *testing.T) {
			var times []float64
			for range *timings {
				p := firstVisit(t, slowly(t, link.bytesPerSecond, link.latency), "")
				p.wait("the first picture", pictured+` && (window.seen ??= performance.now())`)
				times = append(times, eval[float64](p, `window.seen`)/1000)
			}
			t.Logf("%.2f s at the median of %.2f", median(times, func(s float64) float64 { return s }), times)
		})
	}
}

const arriving = `/compiler: \d\.\d of \d\.\d MB/.test(document.querySelector("#loading")?.innerText ?? "")`

// What a slow first visit has: 60 kB/s, and 400 ms between a request and its answer.
const (
	slowBytesPerSecond = 60_000
	slowLatency        = 400 * time.Millisecond
)

// slowFirstVisit opens the page over a slow link and waits until it tells how much of the compiler is here.
func slowFirstVisit(t *testing.T, hash string) *page {
	t.Helper()
	p := firstVisit(t, slowly(t, slowBytesPerSecond, slowLatency), hash)
	p.wait("how much of the compiler is here", arriving+" && "+editor+"?.textContent")
	return p
}

// TestSlowFirstVisit: a first visit over a slow link ends with an answer.
func TestSlowFirstVisit(t *testing.T) {
	t.Parallel()
	p := slowFirstVisit(t, "")
	p.wait("the first picture", pictured)
	p.showView("result")
	p.wait("a kernel that has run", `document.querySelector("#verdict")?.dataset.pass === "true"`)
	// One runs kernels and one checks the text; none was started in vain.
	if working := eval[int](p, `working`); working > 2 {
		t.Errorf("%d workers were started and not ended", working)
	}
	t.Logf("the first kernel had run after %.1f s", eval[float64](p, "performance.now()")/1000)
}

// TestSlowFirstRun: a run that is asked for while the compiler downloads is not lost.
func TestSlowFirstRun(t *testing.T) {
	t.Parallel()
	p := slowFirstVisit(t, "")
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("an outcome", `document.querySelector("#verdict")`)
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
}

// TestSlowFirstDiagnostics: what is written while the compiler downloads is checked once that is here.
func TestSlowFirstDiagnostics(t *testing.T) {
	t.Parallel()
	p := slowFirstVisit(t, "#/puzzle/1")
	p.write(kernel("tl.store(z_ptr + i, 1)"))
	if !eval[bool](p, arriving) {
		t.Error("the compiler was there before the text was")
	}
	p.wait("a mark on the unknown name", inEditor(".cm-lintRange-error")+`?.textContent === "i"`)
	if got := p.source(); !strings.Contains(got, "tl.store(z_ptr + i, 1)") {
		t.Errorf("the text became %q", got)
	}
}
