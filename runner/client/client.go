// Package client runs kernels on another newt's devices, over the websocket that package protocol
// describes. A connection that is lost is made again, and no job or result is lost with it.
package client

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// Options say who connects.
type Options struct {
	Token string
	Name  string // of the program, for whoever runs the runner
	// Patience is how long a lost connection is tried to be made again; 20 seconds where it is 0.
	Patience time.Duration
	// Dial connects to an address, as net.Dialer's DialContext; that is used where it is nil.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// defaultPatience is less than the time that a runner keeps jobs without a connection.
const defaultPatience = 20 * time.Second

// bufferBytes is how much is written and read at once: tensors come in frames of a mebibyte.
const bufferBytes = 64 << 10

// dialTime bounds one attempt to connect, the runner's hello included.
const dialTime = 10 * time.Second

// Fault is an error of the runner, or of the connection to it, in words for the user.
type Fault = codec.Fault

func fault(code string, args ...any) *Fault { return codec.Failed(code, args...) }

// Client is a connection to a runner. Its methods may be called from several goroutines.
type Client struct {
	address string
	options Options
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup
	room    chan struct{} // holds a token for each job that has not ended

	lastBuffer atomic.Int64 // number of a buffer of the session

	lock    sync.Mutex
	resumes int // connections that have resumed the session, or tried to
	hello   *protocol.ServerHello
	link    *link // nil while there is no connection
	jobs    map[int64]*pending
	waiting []*pending // for a connection
	last    int64
	failure *Fault         // why nothing works any more
	buffers map[int64]bool // that the session has
}

// link is one websocket. Frames of several jobs may be mixed; each is written whole.
type link struct {
	conn *websocket.Conn
	lock sync.Mutex
}

// Address completes what a person writes for a runner: "lab", "lab:8080", "ws://lab:8080",
// "https://lab/". Without a scheme the connection is not encrypted.
func Address(text string) (string, error) {
	if !strings.Contains(text, "://") {
		text = "ws://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%q is not the address of a runner, such as ws://host:8080", text)
	}
	scheme, ok := map[string]string{"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}[u.Scheme]
	if !ok {
		return "", fmt.Errorf("the address of a runner begins with ws:// or wss://, not %s://", u.Scheme)
	}
	u.Scheme = scheme
	if u.Path == "" || u.Path == "/" {
		u.Path = protocol.Path
	}
	return u.String(), nil
}

// Connect finds a runner and says hello. Its errors are Faults where the runner answered.
func Connect(ctx context.Context, address string, o Options) (*Client, error) {
	address, err := Address(address)
	if err != nil {
		return nil, err
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	c := &Client{address: address, options: o, jobs: map[int64]*pending{}, buffers: map[int64]bool{}}
	l, hello, err := c.dial(ctx, nil)
	if err != nil {
		return nil, err
	}
	// Each job takes a place in room: the runner would refuse more jobs of one client at a time.
	c.hello, c.link, c.room = hello, l, make(chan struct{}, max(1, hello.Limits.ClientJobs))
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.running.Go(func() { c.readLoop(l) })
	return c, nil
}

// dial makes one connection and reads the runner's hello.
func (c *Client) dial(ctx context.Context, resume *protocol.Resume) (*link, *protocol.ServerHello, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	dialer := websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, Subprotocols: []string{protocol.Subprotocol}, ReadBufferSize: bufferBytes,
		WriteBufferSize: bufferBytes, NetDialContext: c.options.Dial,
	}
	conn, answer, err := dialer.DialContext(ctx, c.address, nil)
	if err != nil {
		return nil, nil, unreachable(c.address, answer, err)
	}
	// Reading the hello has no deadline of its own: closing the connection ends it when ctx does.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	conn.SetReadLimit(protocol.MaxServerMessage)
	hello := protocol.ClientHello{Version: protocol.Version, Token: c.options.Token, Name: c.options.Name,
		Resume: resume}
	if err := conn.WriteJSON(protocol.ClientMessage{Hello: &hello}); err != nil {
		conn.Close()
		return nil, nil, fmt.Errorf("cannot communicate with the runner at %s: %w", c.address, err)
	}
	answered, err := first(conn)
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return &link{conn: conn}, answered, nil
}

// unreachable says why there is no connection, in the server's words where it has any.
func unreachable(address string, answer *http.Response, err error) error {
	if answer == nil {
		return fmt.Errorf("cannot reach the runner at %s: %w", address, err)
	}
	words := make([]byte, 500)
	n, _ := answer.Body.Read(words)
	return fmt.Errorf("the server at %s refused the connection to its runner: %s (%s)",
		address, visible(strings.TrimSpace(string(words[:n]))), visible(answer.Status))
}

// first reads the runner's hello.
func first(conn *websocket.Conn) (*protocol.ServerHello, error) {
	_, text, err := conn.ReadMessage()
	if err != nil {
		return nil, fmt.Errorf("the runner closed the connection without answering hello: %s", visible(err.Error()))
	}
	m, err := protocol.ReadServer(text)
	switch {
	case err != nil:
		return nil, fault("protocol-error", visible(err.Error()))
	case m.Error != nil:
		return nil, codec.Reported(&m.Error.Diagnostic)
	case m.Hello == nil || m.Hello.Version != protocol.Version || m.Hello.Limits.ChunkBytes <= 0:
		return nil, fault("protocol-error", "its first message is not a hello of this version")
	}
	for i := range m.Hello.Devices {
		d := &m.Hello.Devices[i]
		d.ID, d.Name, d.Arch, d.Driver = visible(d.ID), visible(d.Name), visible(d.Arch), visible(d.Driver)
	}
	return m.Hello, nil
}

// closeTime is what the last messages of a connection may take. A runner that does not read holds up
// an upload, and whatever waits behind it.
const closeTime = 250 * time.Millisecond

// Close ends the connection. Jobs that have not ended fail, and the runner cancels them.
func (c *Client) Close() error {
	c.lock.Lock()
	open, buffers := slices.Collect(maps.Keys(c.jobs)), slices.Collect(maps.Keys(c.buffers))
	l := c.link
	c.lock.Unlock()
	if l != nil {
		// A send may be held up by an upload that the runner does not read.
		defer time.AfterFunc(closeTime, func() { l.conn.Close() }).Stop()
		for _, number := range open {
			l.send(protocol.ClientMessage{Release: &protocol.JobRef{Job: number}})
		}
		if len(buffers) > 0 { // else they would wait for the client to come back
			l.send(protocol.ClientMessage{Free: &protocol.Buffers{Buffers: buffers}})
		}
		l.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
			time.Now().Add(time.Second))
	}
	c.cancel()
	c.fail(fault("runner-lost"))
	c.running.Wait()
	return nil
}

// Devices are the runner's.
func (c *Client) Devices() []protocol.Device { return c.Hello().Devices }

// Hello is what the runner said about itself.
func (c *Client) Hello() *protocol.ServerHello {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.hello
}

// fail ends all jobs, and the client.
func (c *Client) fail(why *Fault) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.failure == nil {
		c.failure = why
	}
	if c.link != nil {
		c.link.conn.Close()
		c.link = nil
	}
	for number, p := range c.jobs {
		delete(c.jobs, number)
		p.fail(c.failure)
	}
	for _, p := range c.waiting {
		p.fail(c.failure)
	}
	c.waiting = nil
}

// send writes a message. Its error needs no care: the connection that it ends is made again.
func (l *link) send(m protocol.ClientMessage) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.write(m)
}

func (l *link) write(m protocol.ClientMessage) error {
	l.conn.SetWriteDeadline(time.Now().Add(dialTime))
	return l.conn.WriteJSON(m)
}

// frame writes a binary frame.
func (l *link) frame(h protocol.Header, payload []byte) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.conn.SetWriteDeadline(time.Now().Add(dialTime))
	w, err := l.conn.NextWriter(websocket.BinaryMessage)
	if err != nil {
		return err
	}
	var head [protocol.HeaderBytes]byte
	h.Put(head[:])
	w.Write(head[:]) // an error stays with the writer until Close
	if _, err := w.Write(payload); err != nil {
		return err
	}
	return w.Close()
}
