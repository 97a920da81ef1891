package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/newtlab/newt/frontend"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/server"
	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
	"github.com/newtlab/newt/runner/share/sqlite"
	"github.com/newtlab/newt/runner/version"
)

// site is what `newt serve` serves, with a clock and a store that tests can turn off.
type site struct {
	http.Handler
	later atomic.Int64 // how far the service's clock is ahead, in nanoseconds
	down  atomic.Bool  // the store does not answer
}

// newSite serves the page, short links kept in dir, and one puzzle beside newt's own.
func newSite(dir string) (*site, error) {
	page, err := server.Site(frontend.FS)
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(context.Background(), filepath.Join(dir, "share.sqlite"), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	s := &site{}
	links := share.New(share.Options{
		Store: switched{store, &s.down}, Limiter: share.NewBuckets(1000, time.Millisecond),
		Now: func() time.Time { return time.Now().Add(time.Duration(s.later.Load())) },
		Title: func(number int) (en, zh string, ok bool) {
			p, ok := puzzles.Get(number)
			if !ok {
				return "", "", false
			}
			return p.Title.En, p.Title.Zh, true
		},
	})
	mux := http.NewServeMux()
	mux.Handle("/", page)
	for _, pattern := range []string{"/api/share", "/api/share/", "/s/"} {
		mux.Handle(pattern, links)
	}
	mux.HandleFunc("/api/puzzles", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode([]sentPuzzle{
			sent(ownPuzzle("91_offered", "Offered here")), sent(ownPuzzle("92_further", "Further on")),
			{Folder: ".", Files: []sentFile{{Name: "course.json", Text: course}}},
		})
	})
	lent := endpoint.New(endpoint.Options{Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}, Limits: patientLimits()})
	mux.Handle(protocol.Path, lent)
	s.Handler, err = server.Status(version.Info{}, lent.Health, mux)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ownSite serves a site that the test may turn off.
func ownSite(t *testing.T) (s *site, origin string) {
	t.Helper()
	s, err := newSite(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	return s, listening.URL
}

// switched is a store that can go away.
type switched struct {
	share.Store
	down *atomic.Bool
}

func (s switched) Get(ctx context.Context, id string) ([]byte, error) {
	if s.down.Load() {
		return nil, errors.New("the disk is gone")
	}
	return s.Store.Get(ctx, id)
}

func (s switched) Put(ctx context.Context, id string, value []byte, until time.Time) (bool, error) {
	if s.down.Load() {
		return false, errors.New("the disk is gone")
	}
	return s.Store.Put(ctx, id, value, until)
}

// course is what the site's puzzles are.
const course = `{"id": "week1", "title": {"en": "A week", "zh": "一周"},
	"regions": [{"title": {"en": "Begin", "zh": "开始"}, "puzzles": [91]}, {"title": {"en": "Go on", "zh": "继续"}, "puzzles": [92]}],
	"after": {"92": [91]},
	"ideas": [{"id": "mask", "puzzle": 92}, {"id": "given", "puzzle": 91, "title": {"en": "What is given", "zh": "已知"}, "text": "Read it: ` + "`x_ptr`" + `", "words": ["given"]}]}`

// sentPuzzle is a puzzle as GET /api/puzzles sends it.
type sentPuzzle struct {
	Folder string     `json:"folder"`
	Files  []sentFile `json:"files"`
}

type sentFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func sent(c *link.Custom) sentPuzzle {
	p := sentPuzzle{Folder: c.Folder}
	for _, f := range c.Files {
		p.Files = append(p.Files, sentFile(f))
	}
	return p
}

// hostileStatement tries what a stranger may put into a puzzle's text.
const hostileStatement = "## Add ten\n\nLet $x_i$ be *given*.\n\n<script>window.hacked = 1</script>\n\n" +
	"<img src=x onerror=\"window.hacked = 1\">\n\n[click](javascript:window.hacked=1)\n\n" +
	"$\\href{javascript:window.hacked=1}{y}$ $\\htmlData{a=b}{z}$\n\n```python\ntl.load(x_ptr)\n```\n"

// ownPuzzle is newt's first puzzle under another name, with a hostile statement.
func ownPuzzle(folder, title string) *link.Custom {
	c := &link.Custom{Folder: folder}
	from := "../../puzzles/01_constant_add"
	entries, err := os.ReadDir(from)
	if err != nil {
		panic(err) // the repository is not whole
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			panic(err)
		}
		text := string(data)
		switch e.Name() {
		case "puzzle.json":
			text = renamed(data, folder, title)
		case "statement.en.md", "statement.zh.md":
			text = hostileStatement
		case "slip.py":
			continue
		}
		c.Files = append(c.Files, link.File{Name: e.Name(), Text: text})
	}
	return c
}

// renamed is a puzzle.json with the number of folder and another title.
func renamed(data []byte, folder, title string) string {
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		panic(err)
	}
	var number int
	fmt.Sscanf(folder, "%d_", &number)
	fields["number"], fields["title"] = number, map[string]string{"en": title, "zh": title}
	out, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// payload is the text of a link.
func payload(t *testing.T, s link.State) string {
	t.Helper()
	text, err := link.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
