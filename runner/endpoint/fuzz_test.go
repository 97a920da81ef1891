package endpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// script packs frames as FuzzFrames reads them: kind, length, bytes.
type script []byte

func (s script) text(m protocol.ClientMessage) script {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return s.add(0, text)
}

func (s script) add(kind byte, data []byte) script {
	s = append(s, kind)
	s = binary.LittleEndian.AppendUint16(s, uint16(len(data)))
	return append(s, data...)
}

// FuzzFrames plays a connection's frames to a runner. Whatever they are, nothing panics, and when
// the client has gone nothing of its is left.
func FuzzFrames(f *testing.F) {
	wire := kernel(f, fill)
	one := submission(1, wire, 256)
	two := submission(2, kernel(f, devicetest.Endless), 1)
	two.Tensors = []protocol.Tensor{{Bytes: 4, Return: true}}
	whole := script{}.text(protocol.ClientMessage{Submit: &one}).add(1, frame(protocol.Header{Kind: protocol.IRFrame, Job: 1}, wire))
	f.Add([]byte(whole))
	f.Add([]byte(whole.text(protocol.ClientMessage{Submit: &two}).
		add(1, frame(protocol.Header{Kind: protocol.IRFrame, Job: 2}, kernel(f, devicetest.Endless))).
		add(1, frame(protocol.Header{Kind: protocol.TensorFrame, Job: 2}, make([]byte, 4))).
		text(protocol.ClientMessage{Cancel: job(2)}).text(protocol.ClientMessage{Release: job(1)})))
	limits := protocol.DefaultLimits()
	limits.JobBytes, limits.TotalBytes, limits.DefaultJobMS, limits.MaxJobMS, limits.MeasureMS = 1<<20, 4<<20, 20, 20, 5
	limits.DisconnectGraceMS = 1
	f.Fuzz(func(t *testing.T, data []byte) {
		r := New(Options{Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{MemoryBytes: 4 << 20})}}, Limits: limits})
		st, why := r.sched.Open("here")
		if why != nil {
			t.Fatal(why.Code)
		}
		p := &peer{runner: r, stream: st, errors: make(chan protocol.ServerMessage, maxErrors)}
		for len(data) >= 3 {
			n := min(int(binary.LittleEndian.Uint16(data[1:])), len(data)-3)
			frame := bytes.NewReader(data[3 : 3+n])
			var err error
			if data[0]%2 == 0 {
				err = p.readMessage(frame)
			} else {
				err = p.readBinary(frame)
			}
			if err != nil {
				break
			}
			data = data[3+n:]
			for frame, ok := st.Next(); ok; frame, ok = st.Next() {
				st.Written(frame)
			}
		}
		st.Close()
		r.Shutdown(0)
		if sessions, bytes := r.sched.Usage(); sessions != 0 || bytes != 0 {
			t.Fatalf("%d sessions and %d bytes are left", sessions, bytes)
		}
	})
}
