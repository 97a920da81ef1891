package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/pipetest"
	"github.com/newtlab/newt/runner/protocol"
)

// runnerThat is a runner that accepts hello and leaves the rest of the connection to answer, which is
// called once for each submit, after its frames. It returns the runner's address.
func runnerThat(t *testing.T, answer func(c *websocket.Conn, s *protocol.Submit)) string {
	t.Helper()
	s := httptest.NewServer(hostileRunner(answer))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

func hostileRunner(answer func(c *websocket.Conn, s *protocol.Submit)) http.Handler {
	up := websocket.Upgrader{Subprotocols: []string{protocol.Subprotocol}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			kind, data, err := c.ReadMessage()
			if err != nil {
				return
			}
			if kind != websocket.TextMessage {
				continue
			}
			m, err := protocol.ReadClient(data)
			if err != nil {
				return
			}
			switch {
			case m.Hello != nil:
				c.WriteJSON(protocol.ServerMessage{Hello: &protocol.ServerHello{
					Version: protocol.Version, Session: "s", Jobs: []protocol.JobState{}, Limits: protocol.DefaultLimits(),
					Devices: []protocol.Device{{ID: "cpu", Name: "a\x1b]0;owned\x07CPU", DTypes: []string{"i32"}}},
				}})
			case m.Submit != nil:
				answer(c, m.Submit)
			}
		}
	})
}

// result is one frame of a result.
func result(job int64, seq, tensor int, offset int64, payload []byte) []byte {
	frame := make([]byte, protocol.HeaderBytes)
	h := protocol.Header{Kind: protocol.ResultFrame, Job: job, Seq: seq, Tensor: tensor, Offset: offset}
	h.Put(frame)
	return append(frame, payload...)
}

const stores = `func @stores(%z: *i32) {
  %pid = program_id {axis=0} : i32
  store %z, %pid
  return
}
`

// launch runs a kernel that writes to z, four integers that hold 7, and says what z holds then.
func launch(t *testing.T, ctx context.Context, address string) (*device.Report, []byte, error) {
	t.Helper()
	d, err := client.Open(ctx, address, client.Options{Patience: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if name := d.Capabilities().Name; name != `a\x1b]0;owned\x07CPU` {
		t.Errorf("the device is named %q", name)
	}
	fn, err := ir.Parse(stores)
	if err != nil {
		t.Fatal(err)
	}
	k, err := d.Load(fn, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, err := d.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Write(0, []byte{7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	report, fault := k.Launch(ctx, device.Launch{
		Grid: [3]int{1, 1, 1}, Args: []device.Arg{device.Pointer{Memory: z, DType: num.Int32}},
	})
	held := make([]byte, 16)
	if err := z.Read(0, held); err != nil {
		t.Fatal(err)
	}
	return report, held, fault
}

// TestResultsThatDoNotCome: a job that claims to be done although a result is missing, incomplete,
// out of order or of another job is an error, and memory stays as it was.
func TestResultsThatDoNotCome(t *testing.T) {
	nine := []byte{9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0}
	for name, frames := range map[string]func(job int64) [][]byte{
		"missing":        func(int64) [][]byte { return nil },
		"of another job": func(job int64) [][]byte { return [][]byte{result(job+1, 1, 0, 0, nine)} },
		"incomplete":     func(job int64) [][]byte { return [][]byte{result(job, 1, 0, 0, nine[:12])} },
		"with a gap": func(job int64) [][]byte {
			return [][]byte{result(job, 1, 0, 8, nine[:8]), result(job, 2, 0, 0, nine[:8])}
		},
		"repeated": func(job int64) [][]byte {
			return [][]byte{result(job, 1, 0, 0, nine[:8]), result(job, 2, 0, 0, nine[:8])}
		},
	} {
		t.Run(name, func(t *testing.T) {
			address := runnerThat(t, func(c *websocket.Conn, s *protocol.Submit) {
				for _, f := range frames(s.Job) {
					c.WriteMessage(websocket.BinaryMessage, f)
				}
				c.WriteJSON(protocol.ServerMessage{Job: s.Job, Seq: 9, Done: &protocol.Done{State: protocol.StateDone, Programs: 1}})
			})
			_, held, err := launch(t, t.Context(), address)
			var fault device.Fault
			if !errors.As(err, &fault) || fault.Diagnostic().Code != "protocol-error" {
				t.Errorf("the launch ends with %v", err)
			}
			if held[0] != 7 || held[8] != 7 {
				t.Errorf("memory was changed: %v", held)
			}
		})
	}
}

// TestControlCharacters: nothing that a runner prints can speak to a terminal.
func TestControlCharacters(t *testing.T) {
	address := runnerThat(t, func(c *websocket.Conn, s *protocol.Submit) {
		c.WriteMessage(websocket.BinaryMessage, result(s.Job, 1, 0, 0, make([]byte, 16)))
		c.WriteJSON(protocol.ServerMessage{Job: s.Job, Seq: 2, Prints: &protocol.Prints{
			Prints: []protocol.Print{{Program: []int{0, 0, 0}, Text: "x\x1b]0;owned\x07\r\u009b2J\tend"}},
		}})
		c.WriteJSON(protocol.ServerMessage{Job: s.Job, Seq: 3, Done: &protocol.Done{State: protocol.StateDone, Programs: 1}})
	})
	report, _, err := launch(t, t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	if want := `x\x1b]0;owned\x07\x0d\x9b2J` + "\tend"; len(report.Prints) != 1 || report.Prints[0].Text != want {
		t.Errorf("printed %+v, want %q", report.Prints, want)
	}

	rude := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		c.ReadMessage()
		c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1008, "\x1b]0;owned\x07"), time.Now().Add(time.Second))
	}))
	defer rude.Close()
	_, err = client.Connect(t.Context(), rude.URL, client.Options{})
	if err == nil || strings.ContainsRune(err.Error(), '\x1b') || !strings.Contains(err.Error(), `\x1b`) {
		t.Errorf("connecting fails with %q", err)
	}
}

// TestCancelIsNotAnswered: once ctx ends, a launch and its device are over soon, though the runner neither answers nor
// reads any more.
func TestCancelIsNotAnswered(t *testing.T) {
	blocked := make(chan struct{})
	defer close(blocked)
	for name, answer := range map[string]func(*websocket.Conn, *protocol.Submit){
		"it reads":     func(*websocket.Conn, *protocol.Submit) {},
		"it reads not": func(*websocket.Conn, *protocol.Submit) { <-blocked },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			submitted := make(chan struct{}, 16)
			address := runnerThat(t, func(c *websocket.Conn, s *protocol.Submit) {
				submitted <- struct{}{}
				answer(c, s)
			})
			ended := make(chan error)
			go func() {
				_, _, err := launch(t, ctx, address)
				ended <- err
			}()
			<-submitted
			cancel()
			select {
			case err := <-ended:
				var fault device.Fault
				if !errors.As(err, &fault) || fault.Diagnostic().Code != "launch-cancelled" {
					t.Errorf("the launch ends with %v", err)
				}
			case <-time.After(patience):
				t.Error("the launch does not end")
			}
		})
	}
}

// TestCancelBehindUpload: once ctx ends a job is over, though its submit waits behind the upload of another job that the
// runner does not read.
func TestCancelBehindUpload(t *testing.T) {
	blocked, submitted := make(chan struct{}), make(chan struct{}, 16)
	s, network := pipetest.Serve(hostileRunner(func(*websocket.Conn, *protocol.Submit) {
		submitted <- struct{}{}
		<-blocked
	}))
	defer s.Close()
	defer close(blocked)
	c, err := client.Connect(t.Context(), "runner", client.Options{Dial: network.Dial})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const large = 2 << 20 // more than is under way between pipes
	go c.Run(t.Context(), client.Job{
		Submit: protocol.Submit{Tensors: []protocol.Tensor{{Bytes: large}}}, Tensors: [][]byte{make([]byte, large)},
	})
	<-submitted
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := c.Run(ctx, client.Job{})
		ended <- err
	}()
	select {
	case err := <-ended:
		var fault device.Fault
		if !errors.As(err, &fault) || fault.Diagnostic().Code != "launch-cancelled" {
			t.Errorf("the job ends with %v", err)
		}
	case <-time.After(patience):
		t.Error("the job does not end")
	}
}
