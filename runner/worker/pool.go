package worker

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"
)

// Options say what a pool starts.
type Options struct {
	// Command makes the command of one child; its pipes are the pool's.
	Command func() *exec.Cmd
	// Greet waits until a child is ready and gives what it says of itself.
	Greet func(ctx context.Context, p *Process) (hello any, err error)
	// Spare is how many children wait ready for use; with 0 each is started when it is asked for.
	Spare int
	// Startup bounds the time from start to ready; 0 means DefaultStartup.
	Startup time.Duration
}

// DefaultStartup is ample for a driver that initialises a machine of eight GPUs.
const DefaultStartup = 30 * time.Second

// After a failed start the next one waits, longer each time.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("the pool of workers is closed")

// Pool keeps spare children ready. A child that was got belongs to the caller, who ends it with
// Kill or Close; it is never used twice, so that no job meets another's traces.
type Pool struct {
	options  Options
	ready    chan *Process
	failures chan error
	context  context.Context // ends when the pool is closed
	close    context.CancelFunc
	fillers  sync.WaitGroup
}

// NewPool starts the spare children in the background.
func NewPool(o Options) *Pool {
	if o.Startup == 0 {
		o.Startup = DefaultStartup
	}
	p := &Pool{options: o, ready: make(chan *Process), failures: make(chan error)}
	p.context, p.close = context.WithCancel(context.Background())
	for range o.Spare {
		p.fillers.Go(p.fill)
	}
	return p
}

// Get gives a ready child.
func (p *Pool) Get(ctx context.Context) (*Process, error) {
	if p.options.Spare == 0 {
		return p.start(ctx)
	}
	for {
		select {
		case child := <-p.ready:
			select {
			case <-child.Done(): // died between offer and taking
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

// Close ends the spare children and waits until they are gone.
func (p *Pool) Close() {
	p.close()
	p.fillers.Wait()
}

// fill keeps one child on offer until the pool is closed.
func (p *Pool) fill() {
	pause := firstPause
	for p.context.Err() == nil {
		child, err := p.start(p.context)
		if err != nil {
			p.fail(err, pause)
			pause = min(2*pause, lastPause)
			continue
		}
		pause = firstPause
		select {
		case p.ready <- child:
			continue
		case <-child.Done():
		case <-p.context.Done():
		}
		child.Close()
	}
}

// fail tells those who wait for a child what went wrong, for as long as pause.
func (p *Pool) fail(err error, pause time.Duration) {
	over := time.After(pause)
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

func (p *Pool) start(ctx context.Context) (*Process, error) {
	if p.context.Err() != nil {
		return nil, ErrClosed
	}
	child, err := start(p.options.Command())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.options.Startup)
	defer cancel()
	if child.Hello, err = p.options.Greet(ctx, child); err != nil {
		child.Kill()
		return nil, fmt.Errorf("%w (%s)", err, child.Ending())
	}
	return child, nil
}
