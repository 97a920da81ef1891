// Package worker keeps child processes that do dangerous work: started before they are needed,
// killed when their time is up, and replaced.
package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Process is a child that is spoken to over its standard input and output.
type Process struct {
	Hello   any // what Options.Greet learned
	command *exec.Cmd
	in      *os.File
	out     *os.File
	said    tail
	done    chan struct{} // closed once the child is gone and reaped
	turn    sync.Mutex    // one conversation at a time
}

// ErrGone says that the child ended, or was ended, before it had answered.
var ErrGone = errors.New("the worker process is gone")

// patience is how long a child may take to end after its input was closed.
const patience = 2 * time.Second

// start runs a command.
func start(command *exec.Cmd) (*Process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	p := &Process{command: command, in: in, out: out, done: make(chan struct{})}
	command.Stdin, command.Stdout, command.Stderr = childIn, childOut, &p.said
	command.WaitDelay = patience
	prepare(command)
	if err := command.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		command.Wait()
		in.Close()
		close(p.done)
	}()
	return p, nil
}

// Do holds one conversation with the child. When ctx ends first the child is killed and the error
// is ctx's; when the child ends first it is ErrGone.
func (p *Process) Do(ctx context.Context, talk func(to io.Writer, from io.Reader) error) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	stop := context.AfterFunc(ctx, p.Kill)
	err := talk(p.in, p.out)
	if !stop() {
		<-p.done
		return context.Cause(ctx)
	}
	if err != nil && p.broken(err) {
		p.Kill()
		return ErrGone
	}
	return err
}

// broken reports whether err comes from a pipe whose other end is gone.
func (p *Process) broken(err error) bool {
	var path *os.PathError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &path)
}

// Kill ends the child at once and waits until it is gone. What it said and nobody has read is lost.
func (p *Process) Kill() {
	p.command.Process.Kill() // of a child that is gone already: refused, by the handle, not the number
	<-p.done
	p.out.Close()
}

// Close lets the child end by itself, which closing its input asks of it, and kills it where it
// takes too long.
func (p *Process) Close() {
	p.in.Close()
	select {
	case <-p.done:
	case <-time.After(patience):
	}
	p.Kill()
}

// Done is closed once the child is gone. Its last words can be read until Kill or Close.
func (p *Process) Done() <-chan struct{} { return p.done }

// PID is the child's number.
func (p *Process) PID() int { return p.command.Process.Pid }

// Ending says how the child ended, with the last of what it wrote to standard error.
func (p *Process) Ending() string {
	<-p.done
	state := p.command.ProcessState
	if state == nil {
		return "it was never reaped"
	}
	if said := p.said.String(); said != "" {
		return fmt.Sprintf("%v: %s", state, said)
	}
	return state.String()
}

// tail keeps the last bytes that were written to it.
type tail struct {
	lock sync.Mutex
	text []byte
}

const tailBytes = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return strings.ToValidUTF8(strings.TrimSpace(string(t.text)), "?")
}
