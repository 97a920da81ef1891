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
	"github.com/newtlab/newt/runner/people"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// peer is one websocket connection. The HTTP handler's goroutine runs readLoop, a second goroutine writeLoop.
type peer struct {
	runner      *Runner
	client      string // its address, from clientaddr
	owner       string // of its session: the person with its token, or the address
	connectedAt time.Time
	stream      *sched.Stream
	tokenEnd    *time.Timer                 // ends the session with its token; nil if that has no end
	errors      chan protocol.ServerMessage // errors of requests, from the reader to the writer
	readerDone  chan struct{}               // closed when readLoop has returned

	// The runner's lock guards these.
	conn          *websocket.Conn
	authenticated bool // its hello was accepted, so it has a stream
	evicted       bool // it is being closed to make room for another connection
}

// maxErrors bounds the errors that wait to be sent. A client that causes more without reading them is disconnected.
const maxErrors = 32

// fatalError is a violation that ends the connection.
type fatalError struct{ why *diag.Diagnostic }

func (f fatalError) Error() string { return f.why.Code }

func newFatal(code string, args ...any) error { return fatalError{refusal(code, args...)} }

// serve runs the connection from handshake to close.
func (p *peer) serve() {
	p.conn.SetReadLimit(int64(p.runner.limits.MessageBytes))
	if err := p.handshake(); err != nil {
		p.closeWith(err)
		return
	}
	if p.tokenEnd != nil {
		defer p.tokenEnd.Stop()
	}
	p.errors, p.readerDone = make(chan protocol.ServerMessage, maxErrors), make(chan struct{})
	written := make(chan struct{})
	go func() { p.writeLoop(); close(written) }()
	err := p.readLoop()
	// The session is detached first, so that the client can resume it as soon as it sees the connection close.
	p.stream.Close()
	close(p.readerDone)
	<-written
	p.closeWith(err)
}

// handshake reads the client's hello and answers it.
func (p *peer) handshake() error {
	l := p.runner.limits
	p.conn.SetReadDeadline(time.Now().Add(protocol.Millis(l.HandshakeTimeoutMS)))
	kind, text, err := p.conn.ReadMessage()
	if err != nil {
		if isTimeout(err) {
			return newFatal("runner-hello", l.HandshakeTimeoutMS/1000)
		}
		return err
	}
	if kind != websocket.TextMessage {
		return newFatal("runner-hello", l.HandshakeTimeoutMS/1000)
	}
	m, err := protocol.ReadClient(text)
	if err != nil {
		return newFatal("runner-message", err.Error())
	}
	if m.Hello == nil {
		return newFatal("runner-hello", l.HandshakeTimeoutMS/1000)
	}
	if m.Hello.Version != protocol.Version {
		return newFatal("runner-version", protocol.Version, m.Hello.Version)
	}
	closing := p.runner.closing
	person, ok := p.runner.options.Access.identify(closing, m.Hello.Token)
	if !ok && closing.Err() != nil { // a provider may have been asked in vain
		return newFatal("runner-stopping")
	}
	if !ok {
		p.runner.delayWrongToken(p.client, nil)
		if m.Hello.Token == "" {
			return newFatal("runner-token-missing")
		}
		return newFatal("runner-token")
	}
	p.owner = p.client
	if person.Name != "" {
		p.owner = sched.Person(person.Name)
	}
	p.runner.options.Log.Info("client",
		"person", person.Name, "name", printable(m.Hello.Name), "resumes", m.Hello.Resume != nil)
	if err := p.openSession(m.Hello.Resume); err != nil {
		return err
	}
	if person.Name != "" { // a client without a session may be forgotten with its share
		p.runner.sched.SetShare(p.owner, shareOf(person))
	}
	// It may have been revoked while the session was opened, and revoke have found none.
	again, ok := p.runner.options.Access.identify(closing, m.Hello.Token)
	if closing.Err() == nil && (!ok || again.Name != person.Name) {
		p.runner.sched.Revoke(p.owner)
	}
	if !person.Until.IsZero() {
		stream := p.stream
		p.tokenEnd = time.AfterFunc(time.Until(person.Until), func() { stream.Evict(refusal("runner-token")) })
	}
	return nil
}

func shareOf(p people.Person) sched.Share {
	return sched.Share{Weight: p.Weight, Jobs: p.Jobs, Bytes: p.Bytes}
}

// maxName is the number of bytes of a client's name that are logged.
const maxName = 40

// printable cuts a name and replaces what cannot be printed, so that it can be logged.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, name[:min(len(name), maxName)])
}

// openSession resumes or opens the client's session and sends the hello.
func (p *peer) openSession(resume *protocol.Resume) error {
	var stream *sched.Stream
	var why *diag.Diagnostic
	if resume != nil {
		stream, why = p.runner.sched.Resume(*resume)
		if why == nil && sched.PersonOf(stream.Owner()) != sched.PersonOf(p.owner) {
			stream.Close() // the key came into other hands
			return newFatal("runner-session-unknown")
		}
	} else {
		stream, why = p.runner.sched.Open(p.owner)
	}
	if why != nil {
		return fatalError{why}
	}
	if !p.runner.authenticate(p, stream) { // evicted during the handshake
		stream.Close()
		return newFatal("runner-evicted")
	}
	if err := p.send(protocol.ServerMessage{Hello: p.runner.serverHello(p.stream, resume != nil)}); err != nil {
		p.stream.Close()
		return err
	}
	return nil
}

// isTimeout reports whether err is that of a deadline.
func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// closeWith closes the connection, and sends the reason if err is the client's mistake.
func (p *peer) closeWith(err error) {
	var f fatalError
	switch {
	case errors.As(err, &f):
		p.send(protocol.ServerMessage{Error: &protocol.Error{Fatal: true, Diagnostic: protocol.FromDiag(f.why)}})
		p.sendClose(websocket.ClosePolicyViolation, f.why.Code)
		p.runner.metrics.refused.WithLabelValues(f.why.Code).Inc()
	case errors.Is(err, websocket.ErrReadLimit):
		p.runner.metrics.refused.WithLabelValues("too-large").Inc() // the websocket package has sent status 1009
	case !isDisconnect(err):
		p.sendClose(websocket.CloseNormalClosure, "")
	}
}

// closeTimeout bounds writing the close frame, and the time that an evicted client has to read the reason.
const closeTimeout = time.Second

func (p *peer) sendClose(code int, reason string) {
	message := websocket.FormatCloseMessage(code, reason)
	p.conn.WriteControl(websocket.CloseMessage, message, time.Now().Add(closeTimeout))
}

// readLoop reads frames until one is invalid or the connection ends.
func (p *peer) readLoop() error {
	l := p.runner.limits
	// A client that is connected answers each ping: three intervals without any frame mean that it is gone.
	alive := func(string) error {
		return p.conn.SetReadDeadline(time.Now().Add(3 * protocol.Millis(l.PingMS)))
	}
	p.conn.SetPongHandler(alive)
	// A binary frame may be larger than a message; readMessage has a limit of its own, if that is lower.
	p.conn.SetReadLimit(int64(max(l.MessageBytes, l.ChunkBytes+protocol.HeaderBytes)))
	for {
		alive("")
		kind, r, err := p.conn.NextReader()
		if err != nil {
			return err
		}
		if kind == websocket.BinaryMessage {
			err = p.readBinary(r)
		} else {
			err = p.readMessage(r)
		}
		if err != nil {
			return err
		}
	}
}

// readMessage reads a text frame and executes its request.
func (p *peer) readMessage(r io.Reader) error {
	limit := p.runner.limits.MessageBytes
	text, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return err
	}
	if len(text) > limit {
		return newFatal("runner-message", fmt.Sprintf("a text frame of more than %d bytes", limit))
	}
	m, err := protocol.ReadClient(text)
	if err != nil {
		return newFatal("runner-message", err.Error())
	}
	switch {
	case m.Submit != nil:
		return p.answerRequest(m.Submit.Job, p.stream.Submit(m.Submit))
	case m.Cancel != nil:
		return p.answerRequest(m.Cancel.Job, p.stream.Cancel(m.Cancel.Job))
	case m.Release != nil:
		return p.answerRequest(m.Release.Job, p.stream.Release(m.Release.Job))
	}
	if m.Free != nil {
		return p.answerRequest(0, p.stream.Free(m.Free.Buffers))
	}
	return newFatal("runner-message", "a second hello")
}

// answerRequest sends the error of a request, if there is one. The connection goes on unless too many errors wait.
func (p *peer) answerRequest(job int64, why *diag.Diagnostic) error {
	if why == nil {
		return nil
	}
	p.runner.metrics.refused.WithLabelValues(why.Code).Inc()
	select {
	case p.errors <- protocol.ServerMessage{Job: job, Error: &protocol.Error{Diagnostic: protocol.FromDiag(why)}}:
		return nil
	default:
		return fatalError{why}
	}
}

// readBinary reads a binary frame into its job. The payload of an ended job's frame is read and ignored, since other
// frames follow it.
func (p *peer) readBinary(r io.Reader) error {
	var head [protocol.HeaderBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return newFatal("runner-message", "a binary frame that is shorter than its header")
		}
		return err
	}
	h, err := protocol.ReadHeader(head[:])
	if err != nil {
		return newFatal("runner-message", err.Error())
	}
	if h.Kind == protocol.ResultFrame {
		return newFatal("runner-message", "a result from a client")
	}
	return p.readPayload(h, r)
}

// readPayload reads the rest of a frame into the job, buffer by buffer: its length is only known when its end is
// reached.
func (p *peer) readPayload(h protocol.Header, r io.Reader) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	for first := true; ; first = false {
		n, err := io.ReadFull(r, *buffer)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		p.runner.metrics.received.Add(float64(n))
		if n > 0 || first { // an empty payload is an error of the protocol, which UploadBuffer reports
			if why := p.copyToJob(h, (*buffer)[:n]); why != nil {
				return fatalError{why}
			}
			h.Offset += int64(n)
		}
		if err != nil {
			return nil
		}
	}
}

// copyToJob copies bytes of a payload into the buffers of its job, unless the job has ended.
func (p *peer) copyToJob(h protocol.Header, data []byte) *diag.Diagnostic {
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

// writeLoop writes events, errors and pings until the reader has ended, the session is detached, or a write takes
// longer than writeMs, which ends the connection of a client that does not read.
func (p *peer) writeLoop() {
	l := p.runner.limits
	ping := time.NewTicker(protocol.Millis(l.PingMS))
	defer ping.Stop()
	for {
		for f, ok := p.stream.Next(); ok; f, ok = p.stream.Next() {
			if p.sendFrame(f) != nil {
				p.conn.Close() // makes readLoop return
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
			p.sendDetached()
			return
		case <-p.readerDone:
			return
		}
		if err != nil {
			p.conn.Close()
			return
		}
	}
}

// sendDetached closes a connection whose session was taken over, evicted or closed by the runner.
func (p *peer) sendDetached() {
	why := p.stream.CloseReason()
	if why == nil {
		return // the reader closed the stream, and closes the connection
	}
	p.send(protocol.ServerMessage{Error: &protocol.Error{Fatal: true, Diagnostic: protocol.FromDiag(why)}})
	p.sendClose(websocket.CloseGoingAway, why.Code)
	p.conn.Close()
}

// setWriteDeadline bounds the next write.
func (p *peer) setWriteDeadline() {
	p.conn.SetWriteDeadline(time.Now().Add(protocol.Millis(p.runner.limits.WriteMS)))
}

func (p *peer) send(m protocol.ServerMessage) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	p.setWriteDeadline()
	return p.conn.WriteMessage(websocket.TextMessage, text)
}

// sendFrame writes an event of a job: a text frame, or a header and payload in one binary frame.
func (p *peer) sendFrame(f sched.Frame) error {
	p.setWriteDeadline()
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
