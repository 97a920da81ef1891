package sched

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
)

// program is a client of a scheduler with a CPU.
type program struct {
	t     testing.TB
	st    *Stream
	n     int64
	ended map[int64]*protocol.Done // that were read and not asked for yet
	stop  chan struct{}            // closed when nobody waits for the end of its jobs any more
}

func onCPU(t testing.TB, change func(*protocol.Limits)) *Scheduler {
	t.Helper()
	limits := protocol.DefaultLimits()
	if change != nil {
		change(&limits)
	}
	s := New(Options{Devices: []Device{{"cpu", cpu.New(cpu.Options{Workers: 1})}}, Limits: limits})
	t.Cleanup(func() {
		s.Stop(t.Context(), 0) // which has ended
		s.Close(context.Background())
		if _, bytes := s.Usage(); bytes != 0 || len(s.sessions) != 0 {
			t.Errorf("at the end %d bytes and %d sessions are left", bytes, len(s.sessions))
		}
		for name, c := range s.clients {
			if c.bytes != 0 || c.sessions != 0 {
				t.Errorf("at the end client %s has %d bytes and %d sessions", name, c.bytes, c.sessions)
			}
		}
	})
	return s
}

func (s *Scheduler) program(t testing.TB, client string) *program {
	t.Helper()
	st, why := s.Open(client)
	if why != nil {
		t.Fatal(why.Code)
	}
	return &program{t: t, st: st, ended: map[int64]*protocol.Done{}}
}

// wireOf is the wire form of a kernel with one parameter, a pointer to i32.
func wireOf(t testing.TB, text string) []byte {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return ir.Encode(fn)
}

// submit announces a job and sends its IR; change may be nil.
func (p *program) submit(wire []byte, change func(*protocol.Submit)) int64 {
	p.t.Helper()
	p.n++
	zero := 0
	spec := &protocol.Submit{
		Job: p.n, IRBytes: len(wire), Grid: []int{1, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
		Tensors: []protocol.Tensor{{Bytes: 4, Zero: true}},
	}
	if change != nil {
		change(spec)
	}
	if why := p.st.Submit(spec); why != nil {
		p.t.Fatalf("job %d: %s", p.n, why.Code)
	}
	h := protocol.Header{Kind: protocol.IRFrame, Job: p.n}
	into, why := p.st.UploadBuffer(h, len(wire))
	if why != nil {
		p.t.Fatal(why.Code)
	}
	p.st.Uploaded(h, copy(into, wire))
	return p.n
}

// done reads until the job's end.
func (p *program) done(job int64) *protocol.Done {
	p.t.Helper()
	for end := time.After(5 * time.Minute); ; {
		if d := p.ended[job]; d != nil {
			delete(p.ended, job)
			return d
		}
		for f, ok := p.st.Next(); ok; f, ok = p.st.Next() {
			p.st.Written(f)
			if f.Message == nil { // a piece of a result
				continue
			}
			var m protocol.ServerMessage
			if err := json.Unmarshal(f.Message, &m); err != nil {
				p.t.Fatal(err)
			}
			if m.Done != nil {
				p.ended[m.Job] = m.Done
			}
		}
		if p.ended[job] != nil {
			continue
		}
		select {
		case <-p.st.Wake():
		case <-p.stop:
			return nil
		case <-end:
			p.t.Fatalf("job %d does not end", job)
		}
	}
}

const endless = `func @endless(%z: *i32) {
  %zero = const {value=i32(0)} : i32
  %r = while %zero : i32 cond (%a: i32) {
    %t = eq %a, %a : i1
    condition %t, %a
  } do (%b: i32) {
    yield %b
  }
  return
}
`

// millisecond is a kernel that runs for about one.
const millisecond = `func @some(%z: *i32) {
  %zero = const {value=i32(0)} : i32
  %n = const {value=i32(60000)} : i32
  %one = const {value=i32(1)} : i32
  %s = for %zero, %n, %one, %zero : i32 do (%i: i32, %a: i32) {
    %b = add %a, %i : i32
    yield %b
  }
  store %z, %s
  return
}
`

// TestTurnsByTime: a session whose jobs run for long does not keep others waiting, of its own client or of another one.
func TestTurnsByTime(t *testing.T) {
	s := onCPU(t, nil)
	long, short := wireOf(t, endless), wireOf(t, nothing)
	greedy := s.program(t, "greedy")
	for range 8 {
		greedy.submit(long, func(s *protocol.Submit) { s.DeadlineMS = 100_000 })
	}
	for _, client := range []string{"modest", "greedy"} {
		p := s.program(t, client)
		for range 5 {
			if done := p.done(p.submit(short, nil)); done.State != protocol.StateDone {
				t.Errorf("the short job is %s", done.State)
			}
		}
	}
	if devices, _ := s.Status(); devices[0].Running == 0 && devices[0].Queued == 0 {
		t.Error("the long job did not go on")
	}
	greedy.st.Cancel(1)
	if done := greedy.done(1); done.State != protocol.StateCancelled {
		t.Errorf("the long job is %s", done.State)
	}
}

// TestDeadlineOfTurns: time for which a job was suspended does not count towards its deadline.
func TestDeadlineOfTurns(t *testing.T) {
	s := onCPU(t, nil)
	wire := wireOf(t, endless)
	begin := time.Now()
	var programs []*program
	for i := range 4 {
		p := s.program(t, fmt.Sprint(i))
		p.submit(wire, func(s *protocol.Submit) { s.DeadlineMS = 200 })
		programs = append(programs, p)
	}
	for i, p := range programs {
		if done := p.done(1); done.Reason == nil || done.Reason.Code != "runner-deadline" {
			t.Errorf("job %d is %s", i, done.State)
		}
	}
	if took := time.Since(begin); took < 750*time.Millisecond {
		t.Errorf("four jobs with 200 ms each ended within %v", took)
	}
}

// fat is a kernel that takes thirty times its wire form when it is decoded.
func fat(barriers int) string {
	return "func @fat(%z: *i32) {\n" + strings.Repeat("  barrier\n", barriers) + "  return\n}\n"
}

// TestDecodedKernels: of a job that waits, the scheduler keeps the kernel's bytes and not what they are decoded to.
func TestDecodedKernels(t *testing.T) {
	s := onCPU(t, nil)
	p := s.program(t, "here")
	wire := wireOf(t, fat(20_000))
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for range 10 {
		p.submit(wire, func(s *protocol.Submit) { s.Tensors[0].Zero = false })
	}
	_, counted := s.Usage()
	if counted < int64(10*len(wire)) {
		t.Errorf("ten kernels of %d bytes count as %d", len(wire), counted)
	}
	if held := heap() - before; held > 2*counted {
		t.Errorf("ten kernels of %d bytes take %d, which count as %d", len(wire), held, counted)
	}
}

// TestLogNamesNothing: whatever byte of a kernel is wrong, the log holds none of the names in it.
func TestLogNamesNothing(t *testing.T) {
	var log bytes.Buffer
	s := New(Options{
		Devices: []Device{{"cpu", cpu.New(cpu.Options{Workers: 1})}}, Limits: protocol.DefaultLimits(), Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	p := s.program(t, "here")
	wire := wireOf(t, "func @hidden(%hidden: *i32) {\n  return\n}\n")
	for i := range wire {
		mutant := bytes.Clone(wire)
		mutant[i] ^= 0x7f
		job := p.submit(mutant, func(s *protocol.Submit) { s.DeadlineMS = 1000 })
		p.done(job)
		p.st.Release(job)
	}
	ctx := t.Context()
	s.Stop(ctx, 0)
	s.Close(ctx)
	if text := log.String(); !strings.Contains(text, "msg=job") || strings.Contains(text, "hidden") {
		t.Errorf("the log says %s", text)
	}
}

// TestEventsCount: the messages of an ended job are limited by their size on the wire, and charged.
func TestEventsCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onCPU(t, func(l *protocol.Limits) { l.PrintBytes, l.TotalBytes, l.ClientBytes = 1<<16, 1<<19, 3<<17 })
		p := s.program(t, "here")
		wire := wireOf(t, "func @chatter(%z: *i32) {\n"+strings.Repeat(fmt.Sprintf("  print {text=%q, style=python}\n", strings.Repeat("\x01", 1000)), 200)+"  return\n}\n")
		dropped := 0
		for i := range 20 {
			job := p.submit(wire, nil)
			synctest.Wait()
			s.mu.Lock()
			if j := p.st.session.jobs[job]; j.state != ended {
				t.Errorf("job %d has not ended", i)
			} else if j.messageBytes < 50_000 {
				dropped++
			}
			s.mu.Unlock()
			if _, bytes := s.Usage(); bytes > 1<<19 || i == 0 && (bytes < 50_000 || bytes > 1<<17) {
				t.Fatalf("after %d jobs with 60 KB of messages each, %d bytes are held", i+1, bytes)
			}
			if dropped > 0 {
				return // there was no room for the prints any more, and the job ended all the same
			}
		}
		t.Error("20 jobs with 60 KB of messages each had room in 384 KB")
	})
}

// TestResultsInPieces: a tensor comes back as it was sent, whatever frames it came in.
func TestResultsInPieces(t *testing.T) {
	s := onCPU(t, func(l *protocol.Limits) { l.ChunkBytes = 100 })
	p := s.program(t, "here")
	data := make([]byte, 1234)
	for i := range data {
		data[i] = byte(i * 7)
	}
	wire := wireOf(t, nothing)
	job := p.submit(wire, func(s *protocol.Submit) { s.Tensors[0] = protocol.Tensor{Bytes: len(data), Return: true} })
	for at := 0; at < len(data); {
		n := min(len(data)-at, 137)
		h := protocol.Header{Kind: protocol.TensorFrame, Job: job, Offset: int64(at)}
		into, why := p.st.UploadBuffer(h, n)
		if why != nil {
			t.Fatal(why)
		}
		n = copy(into, data[at:at+n])
		p.st.Uploaded(h, n)
		at += n
	}
	var got []byte
	for got = nil; len(got) < len(data); {
		f, ok := p.st.Next()
		if !ok {
			<-p.st.Wake()
			continue
		}
		if f.Message == nil {
			if f.Header.Offset != int64(len(got)) {
				t.Fatalf("a piece from byte %d on after %d bytes", f.Header.Offset, len(got))
			}
			got = append(got, f.Payload...)
		}
	}
	if !slices.Equal(got, data) {
		t.Error("the tensor is another one")
	}
}

// fair measures how long a small client's jobs take next to 200 sessions of one other client, with three jobs of a
// millisecond each in flight.
func fair(t testing.TB, client string, jobs int) []time.Duration {
	s := onCPU(t, func(l *protocol.Limits) { l.QueuedJobs = 2000 })
	some, small := wireOf(t, millisecond), wireOf(t, nothing)
	stop, over, begun := make(chan struct{}), make(chan struct{}, 200), make(chan struct{}, 400)
	for range 200 {
		p := s.program(t, "greedy")
		p.stop = stop
		go func() {
			defer func() { over <- struct{}{}; begun <- struct{}{} }()
			for range 3 {
				p.submit(some, nil)
			}
			p.done(1)
			begun <- struct{}{}
			for {
				select {
				case <-stop:
					return
				default:
				}
				p.submit(some, nil)
				p.done(p.n - 2)
				p.st.Release(p.n - 2)
			}
		}()
	}
	for range 200 {
		<-begun
	}
	p := s.program(t, client)
	var took []time.Duration
	for range jobs {
		begin := time.Now()
		job := p.submit(small, nil)
		p.done(job)
		took = append(took, time.Since(begin))
		p.st.Release(job)
	}
	close(stop)
	for range 200 {
		<-over
	}
	slices.Sort(took)
	return took
}

func BenchmarkFair(b *testing.B) {
	for _, client := range []string{"small", "greedy"} {
		b.Run(client, func(b *testing.B) {
			took := fair(b, client, max(b.N, 100))
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
			b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
		})
	}
}

// TestHostilePrints: three kernels of 6 KB that each would print two thousand tiles of a million elements leave the
// device when they are told to: none is stuck, and a small job runs afterwards.
func TestHostilePrints(t *testing.T) {
	const operands = 2000
	shape := "[" + strings.TrimSuffix(strings.Repeat("2, ", 20), ", ") + "]"
	for _, style := range []string{"python", "device"} {
		s := onCPU(t, func(l *protocol.Limits) { l.CancelGraceMS = 120_000 })
		wire := wireOf(t, fmt.Sprintf(`func @wide(%%z: *i32) {
  %%i = arange {start=0, end=1048576} : i32[1048576]
  %%x = reshape %%i {shape=%s} : i32%[1]s
  print %s {text=%q, style=%s}
  return
}
`, shape, strings.TrimSuffix(strings.Repeat("%x, ", operands), ", "), strings.Repeat("{}", operands), style))
		if len(wire) > 6500 {
			t.Fatalf("the kernel has %d bytes", len(wire))
		}
		var hostile []*program
		for i := range 3 {
			p := s.program(t, fmt.Sprint(i))
			p.submit(wire, func(s *protocol.Submit) { s.DeadlineMS, s.Budget = 100, 1<<44 })
			hostile = append(hostile, p)
		}
		for i, p := range hostile {
			done := p.done(1)
			if done.State == protocol.StateDone {
				continue // it printed what fits into a report, and the rest was dropped
			}
			if done.Reason == nil || done.Reason.Code != "runner-deadline" {
				t.Errorf("%s: hostile job %d is %s: %+v", style, i, done.State, done.Reason)
			}
		}
		devices, _ := s.Status()
		if devices[0].Stuck != 0 || devices[0].Running > 0 {
			t.Errorf("%s: the device is %+v", style, devices[0])
		}
		small := s.program(t, "small")
		if done := small.done(small.submit(wireOf(t, nothing), nil)); done.State != protocol.StateDone {
			t.Errorf("%s: a small job afterwards is %s", style, done.State)
		}
	}
}
