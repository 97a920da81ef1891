package wire

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	info := Info{Version: Version, Memory: 1 << 40, Major: 9, Processors: 132, Name: "GPU", Serial: "0"}
	loaded := Loaded{Module: 7, Registers: 255, Log: "log", Cubin: "\x7fELF\x00"}
	run := &Run{
		Module: 7, Grid: [3]uint64{1, 2, 3}, Threads: 128, Shared: 1 << 16, Params: []uint64{1, 2, 1 << 63},
		Clear: []Area{{1, 2}}, Read: []Area{{3, 4}, {5, 6}}, Warmup: 1, Measure: 2,
	}
	times := &Times{SMClock: 1980, MemClock: 3201, Flushed: 1 << 28, Samples: []uint64{5, 6}}
	var stream bytes.Buffer
	for _, m := range []*Message{info.Message(), loaded.Message(), run.Message(Launch), times.Message()} {
		if err := m.Send(&stream); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want any, parse func(*Message) (any, error)) {
		t.Helper()
		m, err := Receive(&stream)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parse(m); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	check(info, func(m *Message) (any, error) { return ParseInfo(m) })
	check(loaded, func(m *Message) (any, error) { return ParseLoaded(m) })
	check(run, func(m *Message) (any, error) { return ParseRun(m) })
	check(times, func(m *Message) (any, error) { return ParseTimes(m) })
	if _, err := Receive(&stream); err != io.EOF {
		t.Errorf("after the last message: %v", err)
	}
}

func TestMalformed(t *testing.T) {
	for name, raw := range map[string]string{
		"too short":        "\x02\x00\x00\x00\x00\x00",
		"too long":         "\xff\xff\xff\xff",
		"no such kind":     "\x03\x00\x00\x00\xff\x00\x00",
		"numbers missing":  "\x03\x00\x00\x00\x00\x01\x00",
		"blob missing":     "\x03\x00\x00\x00\x00\x00\x01",
		"blob too long":    "\x08\x00\x00\x00\x00\x00\x01\xff\xff\xff\xffa",
		"something beyond": "\x04\x00\x00\x00\x00\x00\x00a",
	} {
		if _, err := Receive(bytes.NewReader([]byte(raw))); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Receive(bytes.NewReader([]byte("\x08\x00\x00\x00\x00"))); err != io.ErrUnexpectedEOF {
		t.Errorf("a message that breaks off: %v", err)
	}
	if err := (&Message{Numbers: make([]uint64, 256)}).Send(io.Discard); !errors.Is(err, ErrMalformed) {
		t.Errorf("256 numbers: %v", err)
	}
}

func FuzzReceive(f *testing.F) {
	for _, m := range []*Message{Info{Name: "GPU"}.Message(), (&Run{Params: []uint64{1}, Read: []Area{{1, 2}}}).Message(Launch), (&Times{}).Message()} {
		var b bytes.Buffer
		if err := m.Send(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Receive(bytes.NewReader(raw))
		if err != nil {
			return
		}
		ParseInfo(m)
		ParseLoaded(m)
		ParseRun(m)
		ParseTimes(m)
		var b bytes.Buffer
		if err := m.Send(&b); err != nil || !bytes.HasPrefix(raw, b.Bytes()) {
			t.Errorf("%x came back as %x, %v", raw, b.Bytes(), err)
		}
	})
}
