package protocol

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzClient reads text frames. What passes can be written and read again, and Check never
// panics, whatever the numbers are; what Check lets through keeps the limits.
func FuzzClient(f *testing.F) {
	for _, seed := range []string{
		`{"hello":{"version":1,"token":"x","resume":{"session":"00","seen":[{"job":1,"seq":2}]}}}`,
		`{"submit":{"job":1,"irBytes":97,"grid":[1,1,1],"args":[{"dtype":"i32","tensor":0},{"dtype":"i32","bits":"2a"}],"tensors":[{"bytes":8,"return":true}]}}`,
		`{"submit":{"job":4294967295,"timing":{"warmupMs":1},"tensors":[{"bytes":9223372036854775807}],"deadlineMs":-1}}`,
		`{"cancel":{"job":1}}`, `{"release":null}`, `[]`, `{}{}`,
	} {
		f.Add([]byte(seed))
	}
	limits := DefaultLimits()
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadClient(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadClient(again); err != nil {
			t.Fatalf("%s is read, %s is not: %v", text, again, err)
		}
		s := m.Submit
		if s == nil || s.Check(limits) != nil {
			return
		}
		if total := s.TensorBytes(); total < 0 || total > limits.JobBytes || s.IRBytes < 1 || s.IRBytes > limits.IRBytes || len(s.Grid) != 3 {
			t.Fatalf("%s passes", text)
		}
		for i := range s.Args {
			s.Args[i].Scalar()
			if at := s.Args[i].Tensor; at != nil && (*at < 0 || *at >= len(s.Tensors)) {
				t.Fatalf("%s points to tensor %d", text, *at)
			}
		}
	})
}

// FuzzHeader reads binary frames' headers. What passes is written as it was read.
func FuzzHeader(f *testing.F) {
	for _, h := range []Header{{Kind: IRFrame, Job: 1}, {Kind: TensorFrame, Tensor: 3, Job: 7, Offset: 1 << 40}, {Kind: ResultFrame, Seq: 9}} {
		b := make([]byte, HeaderBytes)
		h.Put(b)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := ReadHeader(data)
		if err != nil {
			return
		}
		var back [HeaderBytes]byte
		h.Put(back[:])
		if !bytes.Equal(back[:], data[:HeaderBytes]) {
			t.Fatalf("%x is read as %+v", data, h)
		}
	})
}

// FuzzServer reads a runner's text frames as a client does.
func FuzzServer(f *testing.F) {
	f.Add([]byte(`{"job":1,"seq":3,"done":{"state":"fault","fault":{"code":"x","start":-1,"args":[{"number":3}],"runtime":{"program":[1]}}}}`))
	f.Add([]byte(`{"compiled":{"lines":[1,2,3],"toPtxMs":1e300},"timings":{"samples":[1]},"prints":{"prints":[{"program":null}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadServer(text)
		if err != nil {
			return
		}
		if m.Done != nil && m.Done.Fault != nil {
			m.Done.Fault.Diag()
		}
		if m.Compiled != nil {
			m.Compiled.Device()
		}
		if m.Timings != nil {
			m.Timings.Device().Summary()
		}
		if m.Prints != nil {
			for i := range m.Prints.Prints {
				m.Prints.Prints[i].Device()
			}
		}
	})
}
