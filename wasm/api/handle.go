package api

import (
	"bytes"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/wasm/rpc"
)

// MaxRequest is the largest text of a request in bytes: a source of its largest size, with room for escapes.
const MaxRequest = 16 << 20

// server keeps what outlives a request: the judges, with the puzzles' inputs and expected outputs.
type server struct {
	mutex      sync.Mutex
	judges     map[int]*judge.Judge
	form       form
	remotes    remotes
	interrupts interrupts
	looked     looked
	packer     packer
	budget     int64 // bounds the work of a free run and of each launch of a puzzle
	extra      extension
}

// pageBudget is some ten seconds in a page.
const pageBudget = 1 << 33

// extension is what the larger program serves beyond the one that a first visit loads: documents, and puzzles of
// somebody's own. It is an interface, and keeps its own state, so that the latter links none of it: the linker keeps
// the types of a server's fields, and with them the methods that reflection might call. (The larger program has an
// assembler, too, by importing one.)
type extension interface {
	// serve reports whether the request is one of the extension's.
	serve(c *call, r *Request, buffer []byte) bool
	// checked is a document as one file of Python with the same lines, and what there is to say about lines that are
	// IPython's own, and about what newt lacks. files are the names of those beside it.
	checked(text string, files []string) (*source.File, diag.List, func(*syntax.Module) *syntax.Module)
	// judge is that of a puzzle of somebody's own.
	judge(of *Custom) (*judge.Judge, bool)
	// puzzle is one of newt's own that the first program does not have.
	puzzle(number int) (*puzzles.Puzzle, bool)
}

func newServer(budget int64) *server {
	return &server{judges: map[int]*judge.Judge{}, budget: budget}
}

// call is one request being served.
type call struct {
	*server
	id   int
	lang diag.Lang
	send func(Reply, ...[]byte) // a reply, with its buffers
}

// Handle serves requests about kernels and puzzles.
func Handle() rpc.Handler { return newServer(pageBudget).handle }

// HandleDocuments serves requests about documents and about puzzles of somebody's own, too.
func HandleDocuments(with Libraries) rpc.Handler { return newDocumentServer(pageBudget, with).handle }

// handle serves a request and sends one or more replies, the last of them with Done set. It never panics, and never
// fails but by a reply that says so. It returns at once: a call with a Remote waits for LaunchedRequests. Calls are
// served one after another.
func (s *server) handle(request rpc.Message, send func(rpc.Message)) {
	if serve := s.accept(request, send); serve != nil {
		go serve()
	}
}

// accept decodes a request and gives what is left to do for it, nil where that is nothing.
func (s *server) accept(request rpc.Message, send func(rpc.Message)) func() {
	c := &call{server: s, id: request.Call, send: func(r Reply, buffers ...[]byte) {
		// What a program without an assembler says of inline assembly is of no use.
		if r.Done && inline.Missed() {
			r, buffers = Reply{ID: r.ID, Done: true, Larger: true}, nil
		}
		send(rpc.Message{Text: encode(&r), Buffers: buffers})
	}}
	var r Request
	err := rpc.Decode(request.Text, MaxRequest, &r)
	c.lang = diag.ParseLang(r.Lang)
	switch {
	case err != nil:
		// If the text was to be a LaunchedRequest, the call that waits for it must not wait forever.
		c.remotes.deliver(c.id, &launched{LaunchedRequest: LaunchedRequest{Lost: "runner-lost"}})
		c.finish(Reply{Error: err.Error()})
	// Before the lock: the call that waits for this answer holds it.
	case r.Launched != nil:
		c.remotes.deliver(c.id, &launched{*r.Launched, request.Buffers})
	case r.Stop != nil:
		c.interrupts.stop(c.id, r.Stop)
	default:
		return func() { c.handle(&r, request.Buffers) }
	}
	return nil
}

func (c *call) handle(r *Request, buffers [][]byte) {
	defer func() {
		if fault := recover(); fault != nil {
			c.finish(Reply{Error: rpc.Fault(fault)})
		}
	}()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.serve(r, bytes.Join(buffers, nil))
}

func (c *call) serve(r *Request, buffer []byte) {
	switch {
	case r.Check != nil:
		c.finish(Reply{Check: c.check(r.Check)})
	case r.Puzzle != nil:
		c.puzzle(r.Puzzle)
	case r.Case != nil:
		c.explain(r.Case)
	case r.Free != nil:
		c.finish(Reply{Free: c.free(r.Free)})
	case r.Inspect != nil && r.Inspect.Look == nil:
		c.inspect(r.Inspect)
	case r.Complete != nil:
		c.finish(Reply{Complete: c.complete(r.Complete)})
	case r.Signature != nil:
		c.finish(Reply{Signature: c.signature(r.Signature)})
	case r.Hover != nil:
		c.finish(Reply{Hover: c.hover(r.Hover)})
	case r.Kernels != nil:
		c.finish(Reply{Kernels: c.kernels(r.Kernels)})
	case r.Pack != nil:
		c.finish(Reply{Pack: c.pack(r.Pack)})
	case r.Unpack != nil:
		c.finish(Reply{Unpack: c.unpack(r.Unpack)})
	case r.Script != nil:
		c.finish(Reply{Script: c.script(r.Script)})
	case r.Job != nil && r.Job.Of.Look == nil:
		c.job(r.Job)
	case r.Versions != nil:
		c.finish(Reply{Versions: c.versions(r.Versions)})
	case r.IR != nil:
		c.finish(Reply{IR: c.ir(&r.IR.Of)})
	case c.extra != nil && c.extra.serve(c, r, buffer):
	default:
		c.finish(Reply{Error: "the request is empty, or one that this program does not serve"})
	}
}

func (c *call) finish(r Reply, buffers ...[]byte) {
	r.ID, r.Done = c.id, true
	c.send(r, buffers...)
}

func (c *call) progress(stage string, done, total int) {
	c.send(Reply{ID: c.id, Progress: &Progress{stage, done, total}})
}

// judge is the judge of a puzzle, kept between requests.
func (s *server) judge(number int) (*judge.Judge, bool) {
	p, ok := puzzles.Get(number)
	if !ok && s.extra != nil {
		p, ok = s.extra.puzzle(number)
	}
	if !ok {
		return nil, false
	}
	// Inputs and expected outputs take longer to make than an answer takes to run.
	if s.judges[number] == nil {
		s.judges[number] = judge.New(p)
	}
	return s.judges[number], true
}

func encode(r *Reply) []byte {
	text, err := rpc.Encode(r)
	if err != nil {
		text, _ = rpc.Encode(&Reply{ID: r.ID, Done: true, Error: "the reply cannot be encoded: " + err.Error()})
	}
	return text
}
