// Package worker runs dangerous work in a pool of child processes, which are started before they are
// needed, killed at a deadline, and replaced.
package worker

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Process is a child process that answers requests over its standard input and output.
type Process struct {
	Hello    any // the result of Options.Handshake
	command  *exec.Cmd
	in       *os.File
	out      *os.File
	stderr   tail          // the end of its standard error
	done     chan struct{} // closed when the child has exited and was reaped
	exchange sync.Mutex    // held during an exchange: requests and answers are not numbered
}

// ErrExited is the error of an exchange whose child exited or was killed before it answered.
var ErrExited = errors.New("the worker process is gone")

// exitTimeout is how long a child may take to exit after its input was closed.
const exitTimeout = 2 * time.Second

// start starts a command with pipes to its standard input and output.
func start(command *exec.Cmd) (*Process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	// The child has its own copies; a write end kept open here would hide the end of the child's output.
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	p := &Process{command: command, in: in, out: out, done: make(chan struct{})}
	command.Stdin, command.Stdout, command.Stderr = childIn, childOut, &p.stderr
	command.WaitDelay = exitTimeout
	setProcessGroup(command)
	if err := command.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		command.Wait()
		in.Close() // so that a write to a full pipe does not block forever; out may still hold output
		close(p.done)
	}()
	return p, nil
}

// Exchange calls talk to send requests to the child and read its answers. If ctx ends first, the child is killed and
// the error is the cause of ctx; if the child exits first, the error is ErrExited.
func (p *Process) Exchange(ctx context.Context, talk func(to io.Writer, from io.Reader) error) error {
	p.exchange.Lock()
	defer p.exchange.Unlock()
	stop := context.AfterFunc(ctx, p.Kill)
	err := talk(p.in, p.out)
	if !stop() { // Kill was called, or is being called: whatever talk returned is the result of that
		<-p.done
		return context.Cause(ctx)
	}
	if err != nil && p.isBrokenPipe(err) {
		p.Kill()
		return ErrExited
	}
	return err
}

// isBrokenPipe reports whether err means that the other end of a pipe was closed.
func (p *Process) isBrokenPipe(err error) bool {
	var path *os.PathError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &path)
}

// Kill kills the child and waits until it was reaped. Unread output is lost.
func (p *Process) Kill() {
	p.command.Process.Kill() // an error if it has exited: os.Process signals by handle, not by a PID that may be reused
	<-p.done
	p.out.Close()
}

// Close closes the child's input, which asks it to exit, and kills it after exitTimeout.
func (p *Process) Close() {
	p.in.Close()
	select {
	case <-p.done:
	case <-time.After(exitTimeout):
	}
	p.Kill()
}

// Done returns a channel that is closed when the child has exited. Its output can be read until Kill or Close.
func (p *Process) Done() <-chan struct{} { return p.done }

// PID returns the child's process ID.
func (p *Process) PID() int { return p.command.Process.Pid }

// ExitStatus waits until the child has exited and returns how, such as "exit status 2" or "signal: killed".
func (p *Process) ExitStatus() string {
	<-p.done
	if p.command.ProcessState == nil {
		return "it was never reaped"
	}
	return p.command.ProcessState.String()
}

// ExitReport is ExitStatus with the end of the child's standard error, which may have paths and stacks.
func (p *Process) ExitReport() string {
	status := p.ExitStatus()
	if text := p.stderr.String(); text != "" {
		return status + ": " + text
	}
	return status
}

// tail is a writer that keeps the last tailBytes bytes.
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
