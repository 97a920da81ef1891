package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// peer is one connection. Its handler's goroutine reads; a second one writes.
type peer struct {
	runner *Runner
	client string // its address, as clientaddr has it
	since  time.Time
	stream *sched.Stream
	errors chan protocol.ServerMessage // from the reader to the writer
	over   chan struct{}               // closed when the reader has ended

	// The runner's lock guards these.
	conn          *websocket.Conn
	authenticated bool // its hello was accepted, and it has a stream
	evicted       bool // it gives way to another connection
}

// maxErrors is how many errors may wait to be sent to a client that makes them faster than it
// reads them.
const maxErrors = 32

// fatal is what a client did that ends its connection.
type fatal struct{ why *diag.Diagnostic }

func (f fatal) Error() string { return f.why.Code }

func fail(code string, args ...any) error { return fatal{refusal(code, args...)} }

// serve talks to the client until one of the two has had enough.
func (p *peer) serve() {
	p.conn.SetReadLimit(int64(p.runner.limits.MessageBytes))
	if err := p.handshake(); err != nil {
		p.close(err)
		return
	}
	p.errors, p.over = make(chan protocol.ServerMessage, maxErrors), make(chan struct{})
	written := make(chan struct{})
	go func() { p.write(); close(written) }()
	err := p.read()
	p.stream.Close()
	close(p.over)
	<-written
	p.close(err)
}

// handshake reads the client's hello and answers it.
func (p *peer) handshake() error {
	l := p.runner.limits
	p.conn.SetReadDeadline(time.Now().Add(protocol.Millis(l.HandshakeTimeoutMS)))
	kind, text, err := p.conn.ReadMessage()
	if err != nil {
		if timeout(err) {
			return fail("runner-hello", l.HandshakeTimeoutMS/1000)
		}
		return err
	}
	if kind != websocket.TextMessage {
		return fail("runner-hello", l.HandshakeTimeoutMS/1000)
	}
	m, err := protocol.ReadClient(text)
	if err != nil {
		return fail("runner-message", err.Error())
	}
	if m.Hello == nil {
		return fail("runner-hello", l.HandshakeTimeoutMS/1000)
	}
	if m.Hello.Version != protocol.Version {
		return fail("runner-version", protocol.Version, m.Hello.Version)
	}
	if !p.runner.options.Access.admits(m.Hello.Token) {
		p.runner.refuseToken(p.client, nil)
		return fail("runner-token")
	}
	p.runner.options.Log.Info("client", "name", printable(m.Hello.Name), "resumes", m.Hello.Resume != nil)
	return p.open(m.Hello.Resume)
}

// maxName is how much of a client's name is logged.
const maxName = 40

// printable is a name as it may stand in a log.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, name[:min(len(name), maxName)])
}

// open finds or makes the client's session and says hello.
func (p *peer) open(resume *protocol.Resume) error {
	var stream *sched.Stream
	var why *diag.Diagnostic
	if resume != nil {
		stream, why = p.runner.sched.Resume(*resume)
	} else {
		stream, why = p.runner.sched.Open(p.client)
	}
	if why != nil {
		return fatal{why}
	}
	if !p.runner.authenticate(p, stream) {
		stream.Close()
		return fail("runner-evicted")
	}
	if err := p.send(protocol.ServerMessage{Hello: p.runner.hello(p.stream, resume != nil)}); err != nil {
		p.stream.Close()
		return err
	}
	return nil
}

func timeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// close tells the client why the connection ends, where it is its own doing.
func (p *peer) close(err error) {
	var f fatal
	switch {
	case errors.As(err, &f):
		p.send(protocol.ServerMessage{Error: &protocol.Error{Fatal: true, Diagnostic: protocol.FromDiag(f.why)}})
		p.sendClose(websocket.ClosePolicyViolation, f.why.Code)
		p.runner.metrics.refused.WithLabelValues(f.why.Code).Inc()
	case errors.Is(err, websocket.ErrReadLimit):
		p.runner.metrics.refused.WithLabelValues("too-large").Inc() // websocket has said so
	case !gone(err):
		p.sendClose(websocket.CloseNormalClosure, "")
	}
}

// closeTimeout is what a client has to answer the end of its connection.
const closeTimeout = time.Second

func (p *peer) sendClose(code int, reason string) {
	p.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(closeTimeout))
}

// read takes what the client sends until something is wrong with it.
func (p *peer) read() error {
	l := p.runner.limits
	alive := func(string) error {
		return p.conn.SetReadDeadline(time.Now().Add(3 * protocol.Millis(l.PingMS)))
	}
	p.conn.SetPongHandler(alive)
	p.conn.SetReadLimit(int64(max(l.MessageBytes, l.ChunkBytes+protocol.HeaderBytes)))
	for {
		alive("")
		kind, r, err := p.conn.NextReader()
		if err != nil {
			return err
		}
		if kind == websocket.BinaryMessage {
			err = p.data(r)
		} else {
			err = p.message(r)
		}
		if err != nil {
			return err
		}
	}
}

// message acts on a text frame.
func (p *peer) message(r io.Reader) error {
	limit := p.runner.limits.MessageBytes
	text, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return err
	}
	if len(text) > limit {
		return fail("runner-message", fmt.Sprintf("a text frame of more than %d bytes", limit))
	}
	m, err := protocol.ReadClient(text)
	if err != nil {
		return fail("runner-message", err.Error())
	}
	switch {
	case m.Submit != nil:
		return p.answer(m.Submit.Job, p.stream.Submit(m.Submit))
	case m.Cancel != nil:
		return p.answer(m.Cancel.Job, p.stream.Cancel(m.Cancel.Job))
	case m.Release != nil:
		return p.answer(m.Release.Job, p.stream.Release(m.Release.Job))
	}
	return fail("runner-message", "a second hello")
}

// answer tells the client what is wrong with a request of its, and goes on.
func (p *peer) answer(job int64, why *diag.Diagnostic) error {
	if why == nil {
		return nil
	}
	p.runner.metrics.refused.WithLabelValues(why.Code).Inc()
	select {
	case p.errors <- protocol.ServerMessage{Job: job, Error: &protocol.Error{Diagnostic: protocol.FromDiag(why)}}:
		return nil
	default:
		return fatal{why}
	}
}

// data puts a binary frame where it belongs. Bytes that nobody wants any more are read all the
// same, since others follow them.
func (p *peer) data(r io.Reader) error {
	var head [protocol.HeaderBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return fail("runner-message", "a binary frame that is shorter than its header")
		}
		return err
	}
	h, err := protocol.ReadHeader(head[:])
	if err != nil {
		return fail("runner-message", err.Error())
	}
	if h.Kind == protocol.ResultFrame {
		return fail("runner-message", "a result from a client")
	}
	return p.payload(h, r)
}

// payload reads the rest of a frame into the job. Its length is not known before it was read, so
// it is read in pieces, each of which the job finds a place for.
func (p *peer) payload(h protocol.Header, r io.Reader) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	for first := true; ; first = false {
		n, err := io.ReadFull(r, *buffer)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		p.runner.metrics.received.Add(float64(n))
		if n > 0 || first {
			if why := p.place(h, (*buffer)[:n]); why != nil {
				return fatal{why}
			}
			h.Offset += int64(n)
		}
		if err != nil {
			return nil
		}
	}
}

// place gives a job bytes of its upload, where it still wants them.
func (p *peer) place(h protocol.Header, data []byte) *diag.Diagnostic {
	for {
		into, why := p.stream.UploadBuffer(h, len(data))
		if into == nil {
			return why
		}
		n := copy(into, data)
		p.stream.Uploaded(h, n)
		if data = data[n:]; len(data) == 0 {
			return nil
		}
		h.Offset += int64(n)
	}
}

// write sends what there is to send until the reader has ended or the client does not read.
func (p *peer) write() {
	l := p.runner.limits
	ping := time.NewTicker(protocol.Millis(l.PingMS))
	defer ping.Stop()
	for {
		for f, ok := p.stream.Next(); ok; f, ok = p.stream.Next() {
			if p.frame(f) != nil {
				p.conn.Close() // which ends the reader
				return
			}
			p.stream.Written(f)
		}
		var err error
		select {
		case <-p.stream.Wake():
		case m := <-p.errors:
			err = p.send(m)
		case <-ping.C:
			err = p.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(protocol.Millis(l.WriteMS)))
		case <-p.stream.Closed():
			p.leave()
			return
		case <-p.over:
			return
		}
		if err != nil {
			p.conn.Close()
			return
		}
	}
}

// leave ends a connection whose session another one has, or which has none any more.
func (p *peer) leave() {
	why := p.stream.CloseReason()
	if why == nil {
		return // the reader has ended, and does the rest
	}
	p.send(protocol.ServerMessage{Error: &protocol.Error{Fatal: true, Diagnostic: protocol.FromDiag(why)}})
	p.sendClose(websocket.CloseGoingAway, why.Code)
	p.conn.Close()
}

func (p *peer) deadline() {
	p.conn.SetWriteDeadline(time.Now().Add(protocol.Millis(p.runner.limits.WriteMS)))
}

func (p *peer) send(m protocol.ServerMessage) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	p.deadline()
	return p.conn.WriteMessage(websocket.TextMessage, text)
}

// frame sends a job's event.
func (p *peer) frame(f sched.Frame) error {
	p.deadline()
	if f.Message != nil {
		return p.conn.WriteMessage(websocket.TextMessage, f.Message)
	}
	w, err := p.conn.NextWriter(websocket.BinaryMessage)
	if err != nil {
		return err
	}
	var head [protocol.HeaderBytes]byte
	f.Header.Put(head[:])
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	if _, err := w.Write(f.Payload); err != nil {
		return err
	}
	p.runner.metrics.sent.Add(float64(len(f.Payload)))
	return w.Close()
}
