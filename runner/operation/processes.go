package operation

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/newtlab/newt/runner/worker"
)

// How long a command may wait for its turn, and how long it may take. One that asks nobody whether to stop is killed
// after the grace.
const (
	MaxWait   = 30 * time.Second
	QuickTime = 10 * time.Second
	LongTime  = 60 * time.Second
	grace     = time.Second
)

// MaxTime is the longest that an operation takes.
const MaxTime = MaxWait + LongTime + grace

// The bounds of what a command's process may allocate, in bytes.
const (
	minMemory = 128 << 20
	maxMemory = 1 << 30
)

// maxReply bounds what a process answers: its streams and its document, in which a byte takes six where JSON escapes
// it.
const maxReply = 6*(2*MaxOutput+MaxDocument) + 1<<10

// maxIdle is how many processes wait for the next quick command.
const maxIdle = 4

// Turn is a client's turn on this machine, among the operations of others.
type Turn interface {
	// Start waits until the operation may begin, and returns what to call when it has ended: nil if ctx ends first.
	Start(ctx context.Context, quick bool) (end func())
}

type turnKey struct{}

// WithTurn says in whose turn an operation is called. Without one nobody else is there.
func WithTurn(ctx context.Context, t Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// Processes runs commands, each in a process. One that ran quick commands alone serves the next, of whomever: nothing
// of a client's ran in it. Any other process ends with its command.
type Processes struct {
	pool *worker.Pool

	mu   sync.Mutex
	idle []*worker.Process
}

// NewProcesses returns Processes that are started with program, which is newt, and an environment. Each may allocate an
// eighth of the machine's memory in bytes, within bounds: a few of them run at once, beside the server. 0 is unknown.
func NewProcesses(program string, environ []string, machine int64) *Processes {
	memory := min(max(machine/8, minMemory), maxMemory)
	if machine == 0 {
		memory = maxMemory
	}
	return &Processes{pool: worker.NewPool(worker.Options{
		Command: func() *exec.Cmd {
			c := exec.Command(program, "execute", "--memory", strconv.FormatInt(memory, 10))
			c.Env = append(slices.Clip(environ), "GOTRACEBACK=none") // what is told of its end is the reason alone
			return c
		},
		Handshake: func(ctx context.Context, p *worker.Process) (any, error) {
			var ready string
			return ready, p.Exchange(ctx, func(_ io.Writer, from io.Reader) error {
				return json.NewDecoder(io.LimitReader(from, maxReply)).Decode(&ready)
			})
		},
	})}
}

// Close ends the processes that wait.
func (p *Processes) Close() {
	p.pool.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		w.Close()
	}
	p.idle = nil
}

// get is a process that waits, or a new one.
func (p *Processes) get(ctx context.Context, quick bool) (*worker.Process, error) {
	for quick {
		p.mu.Lock()
		n := len(p.idle) - 1
		if n < 0 {
			p.mu.Unlock()
			break
		}
		w := p.idle[n]
		p.idle = p.idle[:n]
		p.mu.Unlock()
		select {
		case <-w.Done():
			w.Close()
		default:
			return w, nil
		}
	}
	return p.pool.Get(ctx)
}

// put lets a process wait for the next quick command, or ends it.
func (p *Processes) put(w *worker.Process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < maxIdle {
		p.idle = append(p.idle, w)
		return
	}
	go w.Close()
}

// start waits for the turn that ctx has, and returns what to call when the operation has ended.
func (o *Operation) start(ctx context.Context) (end func(), err error) {
	turn, ok := ctx.Value(turnKey{}).(Turn)
	if !ok {
		return func() {}, nil
	}
	waiting, cancel := context.WithTimeout(ctx, MaxWait)
	defer cancel()
	end = turn.Start(waiting, o.Quick)
	switch {
	case ctx.Err() != nil:
		if end != nil {
			end()
		}
		return nil, ctx.Err()
	case end == nil:
		return nil, newError(Busy, "operation-wait", int(MaxWait.Seconds()))
	}
	return end, nil
}

// command is what a process is asked to run.
type command struct {
	Folder   string        `json:"folder"`
	Args     []string      `json:"args"`
	Timeout  time.Duration `json:"timeout"`
	Document bool          `json:"document"` // its output is a document, which may be longer than what a program prints
}

// reply is what it answers.
type reply struct {
	Status    int    `json:"status"`
	Output    string `json:"output"`
	Errors    string `json:"errors"`
	Document  string `json:"document"` // of commands whose output is that of a program
	Truncated bool   `json:"truncated"`
	Stopped   string `json:"stopped"` // as in Result
}

// run runs an operation's command on files.
func (p *Processes) run(ctx context.Context, o *Operation, f folder, args []string) (*Result, error) {
	// The folder around that of the files is the command's own too: where the files are a package, newt looks for other
	// packages there.
	around, err := os.MkdirTemp("", "newt-")
	if err != nil {
		return nil, newError(Internal, "operation-failed")
	}
	defer os.RemoveAll(around)
	dir := filepath.Join(around, "files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, newError(Internal, "operation-failed")
	}
	if err := f.write(dir); err != nil {
		return nil, err
	}
	if f.document != "" {
		args = append(args, f.document)
	}
	out, err := p.execute(ctx, o.Quick, command{dir, args, LongTime, o.document() && !o.beside})
	if err != nil {
		return nil, err
	}
	r := &Result{Version: Version, Status: out.Status, Output: out.Output, Errors: out.Errors, Truncated: out.Truncated,
		Stopped: out.Stopped, Files: f.changed(dir)}
	if o.document() {
		text := out.Document
		if !o.beside {
			text, r.Output = r.Output, ""
		}
		r.Document = documentOf(text, o.lines)
	}
	return r, nil
}

// execute has a process run a command.
func (p *Processes) execute(ctx context.Context, quick bool, c command) (out reply, err error) {
	if quick {
		c.Timeout = QuickTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout+grace, errTooLong)
	defer cancel()
	w, err := p.get(ctx, quick)
	if err != nil {
		return out, newError(Internal, "operation-failed")
	}
	err = w.Exchange(ctx, func(to io.Writer, from io.Reader) error {
		if err := json.NewEncoder(to).Encode(c); err != nil {
			return err
		}
		return json.NewDecoder(io.LimitReader(from, maxReply)).Decode(&out)
	})
	switch {
	case err == nil && quick:
		p.put(w)
	default:
		w.Kill()
	}
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, errTooLong):
		return reply{Status: 1, Truncated: true, Stopped: "time"}, nil
	case ctx.Err() != nil:
		return out, ctx.Err() // nobody waits for it
	case wasOutOfMemory(w.ExitReport()):
		return reply{Status: 1, Truncated: true, Stopped: "memory"}, nil
	}
	return out, newError(Internal, "operation-failed")
}

var errTooLong = errors.New("the command took too long")

// wasOutOfMemory reports whether a process ended as the Go runtime does where the system gives no more memory, or as
// the system ends one when there is none left.
func wasOutOfMemory(report string) bool {
	return strings.Contains(report, "out of memory") || strings.Contains(report, "cannot allocate memory") ||
		strings.HasPrefix(report, "signal: killed")
}
