package worker

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"
)

// Options configure a Pool.
type Options struct {
	// Command returns the command of a new child; the pool sets its standard streams.
	Command func() *exec.Cmd
	// Handshake waits until a child is ready and returns its description of itself.
	Handshake func(ctx context.Context, p *Process) (hello any, err error)
	// Spare is the number of children kept ready; with 0 each is started on demand.
	Spare int
	// Startup bounds the time from start to the end of the handshake; 0 means DefaultStartup.
	Startup time.Duration
}

// DefaultStartup is ample for the CUDA driver to initialize a machine with eight GPUs.
const DefaultStartup = 30 * time.Second

// The delay after a failed start, which doubles with each failure. A child that is ready for less than maxRetryDelay
// when it exits may be one.
const (
	firstRetryDelay = 100 * time.Millisecond
	maxRetryDelay   = 5 * time.Second
)

// ErrClosed is the error of Get after Close.
var ErrClosed = errors.New("the pool of workers is closed")

// Pool keeps spare children ready. The caller of Get owns the child and ends it with Kill or Close; no child comes back
// to the pool, so that nothing of one owner is left for the next.
type Pool struct {
	options  Options
	ready    chan *Process
	failures chan error
	context  context.Context // ends when the pool is closed
	close    context.CancelFunc
	offering sync.WaitGroup
}

// NewPool starts the spare children in the background.
func NewPool(o Options) *Pool {
	if o.Startup == 0 {
		o.Startup = DefaultStartup
	}
	p := &Pool{options: o, ready: make(chan *Process), failures: make(chan error)}
	p.context, p.close = context.WithCancel(context.Background())
	for range o.Spare {
		p.offering.Go(p.offerChildren)
	}
	return p
}

// Get returns a ready child.
func (p *Pool) Get(ctx context.Context) (*Process, error) {
	if p.options.Spare == 0 {
		return p.Start(ctx)
	}
	for {
		select {
		case child := <-p.ready:
			select {
			case <-child.Done(): // exited while it was handed over
				child.Close()
			default:
				return child, nil
			}
		case err := <-p.failures:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.context.Done():
			return nil, ErrClosed
		}
	}
}

// Close ends the spare children and waits until they have exited.
func (p *Pool) Close() {
	p.close()
	p.offering.Wait()
}

// offerChildren keeps one child ready and hands it to a caller of Get, until the pool is closed. One that exits before
// is replaced at once; if the next one soon does as well, that is a failed start.
func (p *Pool) offerChildren() {
	delay, exited := firstRetryDelay, false
	for p.context.Err() == nil {
		child, err := p.Start(p.context)
		if err == nil {
			ready := time.Now()
			err = p.offer(child)
			again := exited && time.Since(ready) < maxRetryDelay
			if exited = err != nil; !exited || !again {
				delay = firstRetryDelay
				continue
			}
		}
		p.reportFailure(err, delay)
		delay = min(2*delay, maxRetryDelay)
	}
}

// offer hands a ready child to a caller of Get. The error is that of a child that exited before, or of a closed pool.
func (p *Pool) offer(child *Process) error {
	select {
	case <-child.Done(): // it is offered to nobody
	default:
		select {
		case p.ready <- child:
			return nil
		case <-child.Done():
		case <-p.context.Done():
			child.Close()
			return ErrClosed
		}
	}
	child.Close()
	return fmt.Errorf("%w (%s)", ErrExited, child.ExitReport())
}

// reportFailure hands err to callers of Get for the time of the delay: they fail at once, instead of waiting for a
// retry.
func (p *Pool) reportFailure(err error, delay time.Duration) {
	over := time.After(delay)
	for {
		select {
		case p.failures <- err:
		case <-over:
			return
		case <-p.context.Done():
			return
		}
	}
}

// Start starts a child, whether or not one is ready, and waits for its handshake.
func (p *Pool) Start(ctx context.Context) (*Process, error) {
	if p.context.Err() != nil {
		return nil, ErrClosed
	}
	child, err := start(p.options.Command())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.options.Startup)
	defer cancel()
	if child.Hello, err = p.options.Handshake(ctx, child); err != nil {
		// Killed before ExitReport, which waits for the exit.
		child.Kill()
		return nil, fmt.Errorf("%w (%s)", err, child.ExitReport())
	}
	return child, nil
}
