package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestMain is the child where the environment says so: it answers lines.
func TestMain(m *testing.M) {
	if os.Getenv("NEWT_TEST_CHILD") == "" {
		os.Exit(m.Run())
	}
	fmt.Println("hello")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch in.Text() {
		case "hang":
			time.Sleep(time.Hour)
		case "leave":
			fmt.Println("last words")
			os.Exit(4)
		case "crash":
			fmt.Fprintln(os.Stderr, "something broke")
			os.Exit(3)
		default:
			fmt.Println(strings.ToUpper(in.Text()))
		}
	}
}

func options(spare int) Options {
	return Options{
		Spare: spare,
		Command: func() *exec.Cmd {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "NEWT_TEST_CHILD=1")
			return c
		},
		Handshake: func(ctx context.Context, p *Process) (any, error) {
			return line(ctx, p, "")
		},
	}
}

// line sends a line, unless it is empty, and gives the one that comes back.
func line(ctx context.Context, p *Process, text string) (answer string, err error) {
	err = p.Exchange(ctx, func(to io.Writer, from io.Reader) error {
		if text != "" {
			if _, err := fmt.Fprintln(to, text); err != nil {
				return err
			}
		}
		var b [1]byte
		for {
			if _, err := io.ReadFull(from, b[:]); err != nil {
				return err
			}
			if b[0] == '\n' {
				return nil
			}
			answer += string(b[:])
		}
	})
	return answer, err
}

func pool(t *testing.T, o Options) *Pool {
	p := NewPool(o)
	t.Cleanup(p.Close)
	return p
}

func get(t *testing.T, p *Pool) *Process {
	t.Helper()
	child, err := p.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(child.Close)
	return child
}

func TestConversation(t *testing.T) {
	for _, spare := range []int{0, 2} {
		child := get(t, pool(t, options(spare)))
		if child.Hello != "hello" {
			t.Errorf("spare %d: the child says %q", spare, child.Hello)
		}
		for _, text := range []string{"one", "two"} {
			if got, err := line(t.Context(), child, text); err != nil || got != strings.ToUpper(text) {
				t.Errorf("spare %d: %q gave %q, %v", spare, text, got, err)
			}
		}
	}
}

func TestDeadlineKills(t *testing.T) {
	child := get(t, pool(t, options(1)))
	cause := errors.New("time is up")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, cause)
	defer cancel()
	if _, err := line(ctx, child, "hang"); !errors.Is(err, cause) {
		t.Errorf("a child that hangs gave %v", err)
	}
	select {
	case <-child.Done():
	default:
		t.Error("the child lives on")
	}
	if _, err := line(t.Context(), child, "one"); !errors.Is(err, ErrExited) {
		t.Errorf("a dead child gave %v", err)
	}
}

// TestLastWords: what a child says before it ends is heard however late one listens.
func TestLastWords(t *testing.T) {
	child := get(t, pool(t, options(0)))
	if err := child.Exchange(t.Context(), func(to io.Writer, _ io.Reader) error { _, err := fmt.Fprintln(to, "leave"); return err }); err != nil {
		t.Fatal(err)
	}
	<-child.Done()
	if got, err := line(t.Context(), child, ""); got != "last words" || err != nil {
		t.Errorf("heard %q, %v", got, err)
	}
}

func TestCrash(t *testing.T) {
	child := get(t, pool(t, options(1)))
	if _, err := line(t.Context(), child, "crash"); !errors.Is(err, ErrExited) {
		t.Errorf("a crash gave %v", err)
	}
	if got := child.ExitReport(); got != "exit status 3: something broke" {
		t.Errorf("it ended as %q", got)
	}
}

// TestManyJobs runs jobs of which some hang or crash, several at once: every other one is done,
// and no process is left.
func TestManyJobs(t *testing.T) {
	p := NewPool(options(3))
	var children sync.Map
	job := func(n int) error {
		child, err := p.Get(t.Context())
		if err != nil {
			return err
		}
		children.Store(child.PID(), child)
		defer child.Close()
		text := map[int]string{3: "hang", 7: "crash"}[n%10]
		if text != "" {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if _, err := line(ctx, child, text); err == nil {
				return fmt.Errorf("job %d: %s was answered", n, text)
			}
			return nil
		}
		want := fmt.Sprint("JOB ", n)
		if got, err := line(t.Context(), child, strings.ToLower(want)); err != nil || got != want {
			return fmt.Errorf("job %d gave %q, %w", n, got, err)
		}
		return nil
	}
	jobs := make(chan int)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range jobs {
				if err := job(n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 200 {
		jobs <- n
	}
	close(jobs)
	all.Wait()
	p.Close()
	if _, err := p.Get(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed pool gave %v", err)
	}
	children.Range(func(pid, child any) bool {
		select {
		case <-child.(*Process).Done():
		default:
			t.Errorf("process %v is left", pid)
		}
		return true
	})
}

// TestIdleDeath ends a spare child: nobody gets it.
func TestIdleDeath(t *testing.T) {
	o := options(1)
	var first atomic.Int64
	greet := o.Handshake
	o.Handshake = func(ctx context.Context, p *Process) (any, error) {
		if first.CompareAndSwap(0, int64(p.PID())) {
			defer p.Kill()
		}
		return greet(ctx, p)
	}
	child := get(t, pool(t, o))
	if int64(child.PID()) == first.Load() {
		t.Error("a dead child was given out")
	}
	if got, err := line(t.Context(), child, "one"); err != nil || got != "ONE" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestDeathAfterStart: children that exit as soon as they are ready are started ever less often, and callers are told.
func TestDeathAfterStart(t *testing.T) {
	o := options(1)
	starts := make(chan time.Time, 100)
	greet := o.Handshake
	o.Handshake = func(ctx context.Context, p *Process) (any, error) {
		starts <- time.Now()
		defer p.Kill()
		return greet(ctx, p)
	}
	p := pool(t, o)
	if _, err := p.Get(t.Context()); !errors.Is(err, ErrExited) {
		t.Errorf("it gave %v", err)
	}
	// At once, again at once, after the first delay, and after twice as long.
	<-starts
	last := <-starts
	for _, least := range []time.Duration{firstRetryDelay, 2 * firstRetryDelay} {
		next := <-starts
		if waited := next.Sub(last); waited < least {
			t.Errorf("a child was started %v after another one, want %v", waited, least)
		}
		last = next
	}
}

func TestStartFails(t *testing.T) {
	broken := errors.New("no greeting")
	for _, spare := range []int{0, 1} {
		o := options(spare)
		o.Handshake = func(context.Context, *Process) (any, error) { return nil, broken }
		if _, err := pool(t, o).Get(t.Context()); !errors.Is(err, broken) {
			t.Errorf("spare %d: %v", spare, err)
		}
		o.Command = func() *exec.Cmd { return exec.Command("/nonexistent/newt-cuda") }
		if _, err := pool(t, o).Get(t.Context()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("spare %d: %v", spare, err)
		}
	}
}

// TestSilentStart ends a child that does not greet in time.
func TestSilentStart(t *testing.T) {
	o := options(0)
	o.Startup = 50 * time.Millisecond
	o.Handshake = func(ctx context.Context, p *Process) (any, error) {
		if _, err := line(ctx, p, ""); err != nil {
			return nil, err
		}
		return line(ctx, p, "hang")
	}
	if _, err := pool(t, o).Get(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it gave %v", err)
	}
}
