package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
)

// loadFile names the store in the environment of the process that BenchmarkLoad measures.
const loadFile = "NEWT_SHARE_LOAD_FILE"

// TestMain makes this binary that process where it is asked to be.
func TestMain(m *testing.M) {
	if path := os.Getenv(loadFile); path != "" {
		if err := serveLoad(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// unlimited lets every client post without end: the load comes from one address.
type unlimited struct{}

func (unlimited) Wait(context.Context, string) (time.Duration, error) { return 0, nil }

// serveLoad serves the share service on a loopback port until standard input ends, then says how
// much memory it took at most.
func serveLoad(path string) error {
	store, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go http.Serve(listener, share.New(share.Options{Store: store, Limiter: unlimited{}, Report: func(err error) { fmt.Fprintln(os.Stderr, err) }}))
	fmt.Printf("http://%s\n", listener.Addr())
	io.Copy(io.Discard, os.Stdin)
	fmt.Println(peakMemory())
	return nil
}

// peakMemory is the most resident memory this process had, in kB; "0" where the system does not tell.
func peakMemory() string {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	if fields := strings.Fields(after); len(fields) > 0 {
		return fields[0]
	}
	return "0"
}

// BenchmarkLoad measures the service over SQLite in a process of its own, through loopback, with
// clients that each keep one connection and ask again at once: of 20 requests 16 open any link, 2
// ask for the page and 1 for the card of one of the first 100, 1 shares a new one. Fewer than 20,000
// requests (-benchtime 20000x) say little.
func BenchmarkLoad(b *testing.B) {
	for _, connections := range []int{100, 1000} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) { load(b, connections) })
	}
}

func load(b *testing.B, connections int) {
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), loadFile+"="+filepath.Join(b.TempDir(), "load.db"))
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	l := &loader{url: lines.Text(), client: &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections},
	}}
	for i := range popular {
		l.post(-1 - i)
	}
	b.ResetTimer()
	times := l.run(connections, b.N)
	b.StopTimer()
	stdin.Close()
	lines.Scan()
	memory := 0.0
	fmt.Sscan(lines.Text(), &memory)
	if err := server.Wait(); err != nil {
		b.Error(err)
	}
	if n := l.failed.Load(); n > 0 {
		b.Errorf("%d requests failed", n)
	}
	slices.Sort(times)
	milliseconds := func(q float64) float64 { return float64(times[int(q*float64(len(times)-1))].Microseconds()) / 1000 }
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(milliseconds(0.5), "p50-ms")
	b.ReportMetric(milliseconds(0.99), "p99-ms")
	b.ReportMetric(memory/1024, "MiB")
	b.ReportMetric(0, "ns/op")
}

type loader struct {
	url    string
	client *http.Client
	failed atomic.Int64

	mu  sync.Mutex
	ids []string
}

// run sends n requests over as many connections and returns how long each took.
func (l *loader) run(connections, n int) []time.Duration {
	times := make([]time.Duration, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range connections {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				times[i] = l.one(i)
			}
		})
	}
	wait.Wait()
	return times
}

// one sends the i-th request and returns how long its answer took.
func (l *loader) one(i int) time.Duration {
	switch kind := i % 20; {
	case kind == 0:
		return l.post(i)
	case kind == 1:
		return l.get("/s/" + l.id(popular) + "/card.png")
	case kind <= 3:
		return l.get("/s/" + l.id(popular))
	}
	return l.get("/api/share/" + l.id(math.MaxInt))
}

// popular is how many links there are before the load begins, and how many are previewed.
const popular = 100

// id is one of the first links.
func (l *loader) id(first int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ids[rand.IntN(min(first, len(l.ids)))]
}

func (l *loader) get(path string) time.Duration {
	return l.send(http.MethodGet, path, nil, http.StatusOK)
}

func (l *loader) post(i int) time.Duration {
	text, err := link.Encode(link.State{Source: strings.Repeat(fmt.Sprintf("x%d = tl.load(ptr + %d)\n", i, i), 40), Puzzle: 1})
	if err != nil {
		panic(err) // the state is small
	}
	took := l.send(http.MethodPost, "/api/share", strings.NewReader(text), http.StatusCreated)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = append(l.ids, share.Record{Link: text}.ID())
	return took
}

func (l *loader) send(method, path string, body io.Reader, want int) time.Duration {
	request, err := http.NewRequest(method, l.url+path, body)
	if err != nil {
		panic(err) // the parts are constants and ids
	}
	request.Header.Set("Content-Type", share.ContentType)
	before := time.Now()
	response, err := l.client.Do(request)
	if err != nil {
		l.failed.Add(1)
		return 0
	}
	defer response.Body.Close()
	if _, err = io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != want {
		l.failed.Add(1)
	}
	return time.Since(before)
}
