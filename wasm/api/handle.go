package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// MaxRequest is the largest request in bytes: a source of its largest size, with room for escapes.
const MaxRequest = 16 << 20

// server keeps what outlives a request: the judges, with the puzzles' inputs and expected outputs.
type server struct {
	mutex   sync.Mutex
	judges  map[int]*judge.Judge
	custom  custom
	form    form
	remotes remotes
	budget  int64 // bounds the work of a free run and of each launch of a puzzle
}

// pageBudget is some ten seconds in a page.
const pageBudget = 1 << 33

var shared = newServer(pageBudget)

func newServer(budget int64) *server {
	return &server{judges: map[int]*judge.Judge{}, budget: budget}
}

// call is one request being served.
type call struct {
	*server
	id   int
	lang diag.Lang
	send func(Reply)
}

// Handle serves one request and sends one or more replies, the last of them with Done set.
// It never panics, and never fails but by a reply that says so. A request with a Remote waits for
// LaunchedRequests, so these must be handed in meanwhile: see Queue.
func Handle(request []byte, send func(reply []byte)) { shared.handle(request, send) }

func (s *server) handle(request []byte, send func(reply []byte)) {
	c := &call{server: s, send: func(r Reply) { send(encode(r)) }}
	var r Request
	err := decode(request, &r)
	c.id, c.lang = r.ID, diag.ParseLang(r.Lang)
	if err != nil {
		c.finish(Reply{Error: err.Error()})
		return
	}
	defer func() {
		if fault := recover(); fault != nil {
			c.finish(Reply{Error: fmt.Sprintf("newt met a fault of its own: %v", fault)})
		}
	}()
	if r.Launched != nil {
		c.remotes.deliver(r.Launched)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.serve(&r)
}

func (c *call) serve(r *Request) {
	switch {
	case r.Check != nil:
		c.finish(Reply{Check: c.check(r.Check)})
	case r.Puzzle != nil:
		c.puzzle(r.Puzzle)
	case r.Free != nil:
		c.finish(Reply{Free: c.free(r.Free)})
	case r.Complete != nil:
		c.finish(Reply{Complete: c.complete(r.Complete)})
	case r.Hover != nil:
		c.finish(Reply{Hover: c.hover(r.Hover)})
	case r.Kernels != nil:
		c.finish(Reply{Kernels: c.kernels(r.Kernels)})
	case r.Pack != nil:
		c.finish(Reply{Pack: c.pack(r.Pack)})
	case r.Unpack != nil:
		c.finish(Reply{Unpack: c.unpack(r.Unpack)})
	case r.Load != nil:
		c.finish(Reply{Load: c.load(r.Load)})
	case r.IR != nil:
		c.finish(Reply{IR: c.ir(&r.IR.Of)})
	default:
		c.finish(Reply{Error: "the request asks for nothing"})
	}
}

func (c *call) finish(r Reply) {
	r.ID, r.Done = c.id, true
	c.send(r)
}

func (c *call) progress(stage string, done, total int) {
	c.send(Reply{ID: c.id, Progress: &Progress{stage, done, total}})
}

// judge is the judge of a puzzle, kept between requests.
func (s *server) judge(number int) (*judge.Judge, bool) {
	p, ok := puzzles.Get(number)
	if !ok {
		return nil, false
	}
	if s.judges[number] == nil {
		s.judges[number] = judge.New(p)
	}
	return s.judges[number], true
}

func decode(data []byte, r *Request) error {
	if len(data) > MaxRequest {
		return fmt.Errorf("the request has %d bytes; %d are allowed", len(data), MaxRequest)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return fmt.Errorf("the request cannot be read: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("the request cannot be read: something follows it")
	}
	return nil
}

func encode(r Reply) []byte {
	data, err := json.Marshal(r)
	if err != nil {
		data, _ = json.Marshal(Reply{ID: r.ID, Done: true, Error: "the reply cannot be written: " + err.Error()})
	}
	return data
}
