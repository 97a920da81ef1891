package endpoint

import (
	"context"
	"net"
	"testing"

	"github.com/newtlab/newt/runner/protocol"
)

// pipes is a network within this process: the other ends of the connections that were made and not accepted yet.
type pipes struct {
	conns chan net.Conn
	ctx   context.Context
	close context.CancelFunc
}

func newPipes() *pipes {
	p := &pipes{conns: make(chan net.Conn)}
	p.ctx, p.close = context.WithCancel(context.Background())
	return p
}

// loopback is one end of a pipe, as if it came from this machine.
type loopback struct{ net.Conn }

var loopbackAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

func (loopback) RemoteAddr() net.Addr { return loopbackAddr }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- loopback{far}:
		return near, nil
	case <-p.ctx.Done():
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept, Close and Addr implement net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ctx.Done():
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.close(); return nil }
func (p *pipes) Addr() net.Addr { return loopbackAddr }

// openInBubble is open in a bubble of synctest: the connections are pipes, and the clock stands still while anything of
// the test or the runner can go on, so that nothing comes too early or too late, however busy the machine is. A kernel
// that does not end lets no time pass.
func openInBubble(t testing.TB, change func(*protocol.Limits)) *desk {
	t.Helper()
	return openOn(t, newPipes(), Options{Limits: testLimits(change), Access: Access{Token: token}})
}
