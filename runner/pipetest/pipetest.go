// Package pipetest is a network of pipes, for tests in a bubble of testing/synctest: connections through the system's
// network would keep the clock of the bubble from moving on.
package pipetest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"time"
)

// Network is a listener and what dials it, whatever the address is.
type Network struct {
	conns  chan net.Conn
	closed context.Context
	close  context.CancelFunc
}

// New returns a network.
func New() *Network {
	n := &Network{conns: make(chan net.Conn)}
	n.closed, n.close = context.WithCancel(context.Background())
	return n
}

// Serve starts a server on a network of its own. The caller closes it.
func Serve(h http.Handler) (*httptest.Server, *Network) {
	n, s := New(), httptest.NewUnstartedServer(h)
	s.Listener.Close()
	s.Listener = n
	s.Start()
	return s, n
}

// Dial connects to the listener. It takes a millisecond, so that no two connections are made at the same time.
func (n *Network) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	if time.Sleep(time.Millisecond); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	near, inner := net.Pipe()
	outer, far := net.Pipe()
	select {
	case n.conns <- loopback{far}:
		go relay(inner, outer)
		go relay(outer, inner)
		return near, nil
	case <-n.closed.Done():
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// As in a connection of the system's, some bytes are on their way: two ends that both write before they read would
// otherwise wait for each other.
const (
	chunkBytes = 4 << 10
	chunks     = 64
)

// relay passes on what comes from one end until that is closed; what the other one does not want any more is dropped.
func relay(from, to net.Conn) {
	underWay := make(chan []byte, chunks)
	go func() {
		defer close(underWay)
		for {
			b := make([]byte, chunkBytes)
			n, err := from.Read(b)
			if err != nil {
				return
			}
			underWay <- b[:n]
		}
	}()
	for b := range underWay {
		to.Write(b)
	}
	to.Close()
}

// Accept implements net.Listener.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.closed.Done():
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (n *Network) Close() error { n.close(); return nil }

// Addr implements net.Listener.
func (n *Network) Addr() net.Addr { return address }

var address = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

// loopback is an accepted end, which comes from this machine.
type loopback struct{ net.Conn }

func (loopback) RemoteAddr() net.Addr { return address }
