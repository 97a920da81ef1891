package endpoint

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/runner/protocol"
)

// tensors is a submission whose two tensors are to be sent.
func tensors(w *wire, number int64) (irHeader, tensorHeader protocol.Header, wire []byte) {
	wire = kernel(w.t, fill)
	s := submission(number, wire, 256)
	s.Tensors = []protocol.Tensor{{Bytes: 1024}, {Bytes: 100}}
	w.say(protocol.ClientMessage{Submit: &s})
	return protocol.Header{Kind: protocol.IRFrame, Job: number}, protocol.Header{Kind: protocol.TensorFrame, Job: number}, wire
}

// TestHostile sends what no honest client sends. Each gets a clear error, and a client beside it
// notices nothing.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name, want string // code of the error
		send       func(w *wire)
	}{
		{"no JSON", "runner-message", func(w *wire) { w.text("{") }},
		{"empty", "runner-message", func(w *wire) { w.text("") }},
		{"two values", "runner-message", func(w *wire) { w.text(`{"cancel":{"job":1}} {}`) }},
		{"two kinds", "runner-message", func(w *wire) { w.text(`{"cancel":{"job":1},"release":{"job":1}}`) }},
		{"no kind", "runner-message", func(w *wire) { w.text(`{}`) }},
		{"null", "runner-message", func(w *wire) { w.text(`null`) }},
		{"unknown field", "runner-message", func(w *wire) { w.text(`{"python":"import os"}`) }},
		{"wrong type", "runner-message", func(w *wire) { w.text(`{"cancel":{"job":"one"}}`) }},
		{"not UTF-8", "runner-message", func(w *wire) { w.text("{\"cancel\":{\"job\xff\":1}}") }},
		{"deep", "runner-message", func(w *wire) { w.text(strings.Repeat("[", 100_000)) }},
		{"long message", "runner-message", func(w *wire) { w.text(`{"hello":{"name":"` + strings.Repeat("x", 300<<10) + `"}}`) }},
		{"second hello", "runner-message", func(w *wire) { w.text(`{"hello":{"version":1}}`) }},
		{"unknown job", "runner-job-unknown", func(w *wire) { w.text(`{"cancel":{"job":1}}`) }},
		{"empty frame", "runner-message", func(w *wire) { w.raw(nil) }},
		{"truncated header", "runner-message", func(w *wire) { w.raw(make([]byte, protocol.HeaderBytes-1)) }},
		{"wrong frame version", "runner-message", func(w *wire) { w.raw(append([]byte{9}, make([]byte, 40)...)) }},
		{"unknown kind of frame", "runner-message", func(w *wire) { w.raw(frame(protocol.Header{Kind: 77}, nil)) }},
		{"result from a client", "runner-message", func(w *wire) { w.raw(frame(protocol.Header{Kind: protocol.ResultFrame, Seq: 1}, nil)) }},
		{"negative offset", "runner-message", func(w *wire) { w.raw(frame(protocol.Header{Kind: protocol.TensorFrame, Offset: -1}, nil)) }},
		{"reserved bytes", "runner-message", func(w *wire) {
			f := frame(protocol.Header{Kind: protocol.TensorFrame}, nil)
			binary.LittleEndian.PutUint32(f[12:], 1)
			w.raw(f)
		}},
		{"frame of no job", "runner-job-unknown", func(w *wire) { w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: 5}, []byte("x"))) }},
		{"tensor before IR", "runner-message", func(w *wire) {
			_, h, _ := tensors(w, 1)
			w.raw(frame(h, make([]byte, 10)))
		}},
		{"second tensor first", "runner-message", func(w *wire) {
			head, h, ir := tensors(w, 1)
			w.raw(frame(head, ir))
			h.Tensor = 1
			w.raw(frame(h, make([]byte, 10)))
		}},
		{"no such tensor", "runner-message", func(w *wire) {
			head, h, ir := tensors(w, 1)
			w.raw(frame(head, ir))
			h.Tensor = 65535
			w.raw(frame(h, make([]byte, 10)))
		}},
		{"gap", "runner-message", func(w *wire) {
			head, h, ir := tensors(w, 1)
			w.raw(frame(head, ir))
			w.raw(frame(h, make([]byte, 10)))
			h.Offset = 11
			w.raw(frame(h, make([]byte, 10)))
		}},
		{"again", "runner-message", func(w *wire) {
			head, h, ir := tensors(w, 1)
			w.raw(frame(head, ir))
			w.raw(frame(h, make([]byte, 10)))
			w.raw(frame(h, make([]byte, 10)))
		}},
		{"beyond the tensor", "runner-message", func(w *wire) {
			head, h, ir := tensors(w, 1)
			w.raw(frame(head, ir))
			w.raw(frame(h, make([]byte, 1025)))
		}},
		{"empty part", "runner-message", func(w *wire) {
			head, h, ir := tensors(w, 1)
			w.raw(frame(head, ir))
			w.raw(frame(h, nil))
		}},
		{"too much IR", "runner-message", func(w *wire) {
			head, _, ir := tensors(w, 1)
			w.raw(frame(head, append(ir, 0)))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, nil)
			bystander, w := d.client(nil), d.client(nil)
			c.send(w)
			if _, done := w.done(1); why(done) != c.want {
				t.Errorf("the runner says %s, want %s", why(done), c.want)
			}
			bystander.works(1)
		})
	}
}

// TestRefusedJobs submits what cannot run. The connection lives, and the next job is done.
func TestRefusedJobs(t *testing.T) {
	limits := func(l *protocol.Limits) { l.JobBytes, l.TotalBytes = 1<<20, 2<<20 }
	change := func(f func(*protocol.Submit)) func(*wire) {
		return func(w *wire) { w.submit(1, fill, f) }
	}
	minus := -1
	for _, c := range []struct {
		name, want string
		send       func(w *wire)
	}{
		{"IR that is noise", "runner-ir", func(w *wire) {
			s := submission(1, make([]byte, 500), 256)
			w.say(protocol.ClientMessage{Submit: &s})
			w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: 1}, make([]byte, 500)))
		}},
		{"IR that is cut short", "runner-ir", func(w *wire) {
			wire := kernel(w.t, fill)
			wire = wire[:len(wire)-3]
			s := submission(1, wire, 256)
			w.say(protocol.ClientMessage{Submit: &s})
			w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: 1}, wire))
		}},
		{"IR that does not verify", "runner-ir", func(w *wire) {
			wire := unverified()
			s := submission(1, wire, 256)
			w.say(protocol.ClientMessage{Submit: &s})
			w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: 1}, wire))
		}},
		{"IR longer than the runner takes", "runner-request", change(func(s *protocol.Submit) { s.IRBytes = 1<<20 + 1 })},
		{"no IR", "runner-request", change(func(s *protocol.Submit) { s.IRBytes = 0 })},
		{"two dimensions", "runner-request", change(func(s *protocol.Submit) { s.Grid = s.Grid[:2] })},
		{"no such tensor", "runner-request", change(func(s *protocol.Submit) { *s.Args[0].Tensor = 1 })},
		{"tensor -1", "runner-request", change(func(s *protocol.Submit) { s.Args[0].Tensor = &minus })},
		{"many tensors", "runner-request", change(func(s *protocol.Submit) { s.Tensors = make([]protocol.Tensor, 257) })},
		{"negative size", "runner-request", change(func(s *protocol.Submit) { s.Tensors[0].Bytes = -4 })},
		{"negative budget", "runner-request", change(func(s *protocol.Submit) { s.Budget = -1 })},
		{"endless deadline", "runner-request", change(func(s *protocol.Submit) { s.DeadlineMS = 1 << 40 })},
		{"endless measuring", "runner-request", change(func(s *protocol.Submit) { s.Timing = &protocol.TimingRequest{MeasureMS: 1 << 40} })},
		{"no such dtype", "runner-request", change(func(s *protocol.Submit) { s.Args[0].DType = "float31" })},
		{"no digits", "runner-request", change(func(s *protocol.Submit) { s.Args[0] = protocol.Arg{DType: "i32", Bits: "xyz"} })},
		{"too many digits", "runner-request", change(func(s *protocol.Submit) { s.Args[0] = protocol.Arg{DType: "i32", Bits: "100000000"} })},
		{"long name", "runner-request", change(func(s *protocol.Submit) { s.Args[0].Name = strings.Repeat("x", 1000) })},
		{"one large tensor", "runner-job-memory", change(func(s *protocol.Submit) { s.Tensors[0].Bytes = 2 << 20 })},
		{"sizes that overflow", "runner-job-memory", change(func(s *protocol.Submit) {
			s.Tensors = []protocol.Tensor{{Bytes: 1<<63 - 1}, {Bytes: 1<<63 - 1}}
		})},
		{"no such device", "runner-device-unknown", change(func(s *protocol.Submit) { s.Device = "cuda:7" })},
		{"empty grid", "grid-out-of-range", change(func(s *protocol.Submit) { s.Grid = []int{0, 1, 1} })},
		{"negative grid", "grid-out-of-range", change(func(s *protocol.Submit) { s.Grid = []int{-1, 1, 1} })},
		{"endless grid", "grid-out-of-range", change(func(s *protocol.Submit) { s.Grid = []int{1 << 40, 1, 1} })},
		{"no arguments", "launch-arguments", change(func(s *protocol.Submit) { s.Args = []protocol.Arg{} })},
		{"nothing as an argument", "launch-argument-type", change(func(s *protocol.Submit) { s.Args[0] = protocol.Arg{} })},
		{"scalar for a tensor", "launch-argument-type", change(func(s *protocol.Submit) { s.Args[0] = protocol.Arg{DType: "i32", Bits: "0"} })},
		{"offset beyond", "launch-argument-offset", change(func(s *protocol.Submit) { s.Args[0].Offset = 1 << 50 })},
		{"endless, budget", "loop-budget", func(w *wire) {
			w.submit(1, devicetest.Endless, func(s *protocol.Submit) { s.Budget = 1 << 22 })
		}},
		{"endless, deadline", "runner-deadline", func(w *wire) {
			w.submit(1, devicetest.Endless, func(s *protocol.Submit) { s.Budget, s.DeadlineMS = 1<<52, 50 })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, limits)
			bystander, w := d.client(nil), d.client(nil)
			c.send(w)
			if _, done := w.done(1); why(done) != c.want {
				t.Errorf("the runner says %s, want %s", why(done), c.want)
			}
			w.works(2)
			bystander.works(1)
		})
	}
}

// unverified is IR whose bytes are well formed, but which stores a float through a pointer to i32.
func unverified() []byte {
	b := ir.NewBuilder("bad")
	z := b.Param("z", types.Type{DType: num.Int32, Pointer: true}, 1)
	v := b.Param("v", types.Type{DType: num.Int32}, 1)
	b.Emit(source.Span{}, ops.Store, []*ir.Value{z, v})
	b.Emit(source.Span{}, ops.Return, nil)
	f := b.Finish()
	f.Params[1].Value.Type.DType = num.Float32
	return ir.Encode(f)
}

// TestHugeIR runs a kernel about as large as the runner takes. It verifies, so it is run, and must
// not hold up the others for long.
func TestHugeIR(t *testing.T) {
	b := ir.NewBuilder("huge")
	z := b.Param("z", types.Type{DType: num.Int32, Pointer: true}, 1)
	v, _ := b.Emit(source.Span{}, ops.Load, []*ir.Value{z})
	for range 100_000 {
		v, _ = b.Emit(source.Span{}, ops.Add, []*ir.Value{v[0], v[0]})
	}
	b.Emit(source.Span{}, ops.Store, []*ir.Value{z, v[0]})
	b.Emit(source.Span{}, ops.Return, nil)
	wire := ir.Encode(b.Finish())
	d := open(t, nil)
	if limit := protocol.DefaultLimits().IRBytes; len(wire) < limit/2 || len(wire) > limit {
		t.Fatalf("%d bytes of IR, of %d that are taken", len(wire), limit)
	}
	w, bystander := d.client(nil), d.client(nil)
	s := submission(1, wire, 1)
	w.say(protocol.ClientMessage{Submit: &s})
	w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: 1}, wire))
	bystander.works(1)
	if _, done := w.done(1); done.State != protocol.StateDone {
		t.Errorf("the job is %s (%s)", done.State, why(done))
	}
}

func TestHello(t *testing.T) {
	hello := func(h protocol.ClientHello) func(*wire) {
		return func(w *wire) { w.say(protocol.ClientMessage{Hello: &h}) }
	}
	for _, c := range []struct {
		name, want string
		send       func(*wire)
	}{
		{"no token", "runner-token-missing", hello(protocol.ClientHello{Version: 1})},
		{"wrong token", "runner-token", hello(protocol.ClientHello{Version: 1, Token: token + "x"})},
		{"wrong version", "runner-version", hello(protocol.ClientHello{Version: 2, Token: token})},
		{"no version", "runner-version", hello(protocol.ClientHello{Token: token})},
		{"unknown session", "runner-session-unknown", hello(protocol.ClientHello{Version: 1, Token: token, Resume: &protocol.Resume{Session: "00"}})},
		{"job before hello", "runner-hello", func(w *wire) { w.text(`{"cancel":{"job":1}}`) }},
		{"frame before hello", "runner-hello", func(w *wire) { w.raw(make([]byte, 100)) }},
		{"noise before hello", "runner-message", func(w *wire) { w.text("GET / HTTP/1.1") }},
		{"silence", "runner-hello", func(*wire) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := openInBubble(t, nil)
				w := d.silent()
				c.send(w)
				m, _ := w.next()
				if m.Error == nil || !m.Error.Fatal || m.Error.Diagnostic.Code != c.want {
					t.Errorf("the runner says %s, want %s", show(m), c.want)
				}
				if _, _, err := w.conn.ReadMessage(); !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
					t.Errorf("the connection goes on: %v", err)
				}
			})
		})
	}
}

func TestLongHello(t *testing.T) {
	d := open(t, nil)
	w := d.silent()
	w.text(`{"hello":{"name":"` + strings.Repeat("x", 1<<20) + `"}}`)
	w.conn.SetReadDeadline(time.Now().Add(patience))
	if _, _, err := w.conn.ReadMessage(); err == nil {
		t.Error("a hello of 1 MiB is answered")
	}
	d.client(nil).works(1)
}

func TestOrigins(t *testing.T) {
	d := open(t, nil)
	d.runner.options.Access.Origins = []string{"https://friend.example"}
	host := strings.TrimPrefix(d.url, "http://")
	for origin, ok := range map[string]bool{
		"": true, "http://" + host: true, "https://friend.example": true,
		"https://enemy.example": false, "null": false, "http://" + host + ".enemy.example": false, "https://friend.example.enemy.example": false, "::": false,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		_, answer, err := d.dial(header)
		if (err == nil) != ok {
			t.Errorf("origin %q: %v", origin, err)
		}
		if !ok && answer.StatusCode != http.StatusForbidden {
			t.Errorf("origin %q: status %d", origin, answer.StatusCode)
		}
	}
}

func TestMetrics(t *testing.T) {
	d := open(t, nil)
	w := d.client(nil)
	w.works(1)
	w.submit(2, fill, func(s *protocol.Submit) { s.Grid = []int{0, 1, 1} })
	w.done(2)
	get := func(token string) (int, string) {
		r, err := http.NewRequest("GET", d.url+MetricsPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	for _, line := range []string{
		`newt_jobs_total{device="cpu",state="done"} 1`, `newt_jobs_total{device="cpu",state="fault"} 1`, `newt_faults_total{code="grid-out-of-range"} 1`,
		`newt_queue_jobs{device="cpu"} 0`, `newt_device_busy{device="cpu"} 0`, `newt_connections 1`, `newt_sessions 1`, `newt_sent_bytes_total 2048`,
		`newt_job_seconds_count{phase="run"} 2`, fmt.Sprintf("newt_job_bytes %d", d.bytes()),
	} {
		eventually(t, line, func() bool {
			status, body := get(token)
			return status == 200 && strings.Contains(body, line+"\n")
		})
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "TRACE"} {
		w := httptest.NewRecorder()
		d.runner.Metrics().ServeHTTP(w, httptest.NewRequest(method, MetricsPath, nil))
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: status %d", method, w.Code)
		}
	}
	if status, _ := get("guess"); status != http.StatusUnauthorized {
		t.Errorf("the metrics are shown to strangers: %d", status)
	}
}

func TestHealth(t *testing.T) {
	d := open(t, nil)
	d.client(nil).works(1)
	eventually(t, "the device is idle", func() bool {
		status, body := d.runner.Health()
		return status == 200 && body == "ok\ncpu: CPU, 0 waiting, idle\n"
	})
	d.runner.Shutdown(0)
	if status, body := d.runner.Health(); status != 503 || !strings.HasPrefix(body, "stopping\n") {
		t.Errorf("a runner that has stopped says %d %q", status, body)
	}
	var none *Runner
	if status, body := none.Health(); status != 200 || body != "ok\n" {
		t.Errorf("without a runner: %d %q", status, body)
	}
}
