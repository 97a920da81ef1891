//go:build cuda

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/newtlab/newt/runner/gpu/wire"
)

var handlers = map[wire.Kind]func(*gpu, *wire.Message) (*wire.Message, error){
	wire.Alloc: (*gpu).alloc, wire.Free: (*gpu).free, wire.Write: (*gpu).write, wire.Read: (*gpu).read,
	wire.Load: (*gpu).load, wire.Unload: (*gpu).unload, wire.Launch: (*gpu).launch, wire.Time: (*gpu).time,
	wire.Reset: (*gpu).reset,
}

func (w *gpu) answer(m *wire.Message) (*wire.Message, error) {
	handle := handlers[m.Kind]
	if handle == nil {
		return nil, wire.ErrMalformed
	}
	return handle(w, m)
}

// failure reports err, with the driver's code where it has one. An error that the context keeps is
// one that it does not recover from.
func (w *gpu) failure(err error) *wire.Message {
	lasting := uint64(0)
	if cu.Synchronize() != nil {
		lasting = 1
	}
	var code uint64
	text := err.Error()
	if v := reflect.ValueOf(err); v.CanInt() {
		code, text = uint64(v.Int()), errorText(int(v.Int()))
	}
	return &wire.Message{Kind: wire.Failed, Numbers: []uint64{code, lasting}, Blobs: [][]byte{[]byte(text)}}
}

func done(numbers ...uint64) *wire.Message { return &wire.Message{Kind: wire.Done, Numbers: numbers} }

// alloc allocates zeroed memory: it may hold the data of another user.
func (w *gpu) alloc(m *wire.Message) (*wire.Message, error) {
	size := int64(max(m.Number(0), 1))
	at, err := cu.MemAlloc(size)
	if err != nil {
		return nil, err
	}
	if err := cu.MemsetD8(at, 0, size); err != nil {
		cu.MemFree(at)
		return nil, err
	}
	w.allocated[at] = true
	return done(uint64(at)), nil
}

func (w *gpu) free(m *wire.Message) (*wire.Message, error) {
	at := cu.DevicePtr(m.Number(0))
	if !w.allocated[at] {
		return nil, fmt.Errorf("nothing is allocated at %#x", m.Number(0))
	}
	delete(w.allocated, at)
	return done(), cu.MemFree(at)
}

// reset frees what a job has left. It fails if the context has an error that the job did not wait for.
func (w *gpu) reset(*wire.Message) (*wire.Message, error) {
	for at := range w.allocated {
		if err := cu.MemFree(at); err != nil {
			return nil, err
		}
		delete(w.allocated, at)
	}
	return done(), cu.Synchronize()
}

func (w *gpu) write(m *wire.Message) (*wire.Message, error) {
	data := m.Blob(0)
	if len(data) == 0 {
		return done(), nil
	}
	return done(), cu.MemcpyHtoD(cu.DevicePtr(m.Number(0)), unsafe.Pointer(&data[0]), int64(len(data)))
}

func (w *gpu) read(m *wire.Message) (*wire.Message, error) {
	data, err := w.copyOut(wire.Area{Address: m.Number(0), Bytes: m.Number(1)})
	return &wire.Message{Kind: wire.Done, Blobs: [][]byte{data}}, err
}

func (w *gpu) copyOut(a wire.Area) ([]byte, error) {
	if a.Bytes > wire.MaxCopy {
		return nil, wire.ErrMalformed
	}
	data := make([]byte, a.Bytes)
	if len(data) == 0 {
		return data, nil
	}
	return data, cu.MemcpyDtoH(unsafe.Pointer(&data[0]), cu.DevicePtr(a.Address), int64(len(data)))
}

// load compiles PTX, or takes machine code as it is.
func (w *gpu) load(m *wire.Message) (*wire.Message, error) {
	began := time.Now()
	entry, cubin := string(m.Blob(0)), string(m.Blob(1))
	var l wire.Loaded
	if m.Number(0) != 0 {
		var err error
		if cubin, l.Log, err = assemble(cubin, m.Number(2) != 0); err != nil {
			return nil, err
		}
		l.Cubin = cubin
	}
	code, err := cu.LoadData(cubin)
	if err != nil {
		return nil, err
	}
	f, err := prepare(code, entry, int(m.Number(1)), &l)
	if err != nil {
		code.Unload()
		return nil, err
	}
	w.next++
	w.modules[w.next] = module{code, f}
	l.Module, l.Nanoseconds = w.next, uint64(time.Since(began))
	return l.Message(), nil
}

// prepare looks up the entry and raises its limit of dynamic shared memory.
func prepare(code cu.Module, entry string, shared int, l *wire.Loaded) (cu.Function, error) {
	f, err := code.Function(entry)
	if err != nil {
		return f, err
	}
	if err := allowShared(f, shared); err != nil {
		return f, err
	}
	for attribute, into := range map[cu.FunctionAttribute]*uint64{
		cu.NumRegs:        &l.Registers,
		cu.LocalSizeBytes: &l.LocalBytes,
	} {
		value, err := f.Attribute(attribute)
		if err != nil {
			return f, err
		}
		*into = uint64(value)
	}
	return f, nil
}

const logBytes = 64 << 10

// assemble compiles PTX to machine code (SASS) with the driver's linker, and returns its log. The code knows its lines
// of PTX if that is asked for.
func assemble(ptx string, lines bool) (cubin, log string, err error) {
	said, wrong := make([]byte, logBytes), make([]byte, logBytes)
	options := []cu.JITOption{&cu.JITInfoLogBuffer{Buffer: said}, &cu.JITErrorLogBuffer{Buffer: wrong},
		&cu.JITLogVerbose{Enabled: true}, &cu.JITTargetFromContext{}}
	if lines {
		options = append(options, &cu.JITGenerateLineInfo{Enabled: true})
	}
	link, err := cu.NewLink(options...)
	if err != nil {
		return "", "", err
	}
	defer link.Destroy()
	err = link.AddData(cu.JITInputPTX, ptx+"\x00", "kernel.ptx")
	if err == nil {
		cubin, err = link.Complete()
	}
	if text := cString(wrong); err != nil && text != "" {
		err = errors.New(text)
	}
	return cubin, cString(said), err
}

func cString(raw []byte) string {
	if end := bytes.IndexByte(raw, 0); end >= 0 {
		raw = raw[:end]
	}
	return string(bytes.ToValidUTF8(bytes.TrimSpace(raw), []byte("?")))
}

func (w *gpu) unload(m *wire.Message) (*wire.Message, error) {
	loaded, ok := w.modules[m.Number(0)]
	if !ok {
		return nil, wire.ErrMalformed
	}
	delete(w.modules, m.Number(0))
	return done(), loaded.code.Unload()
}

// kernel is a launch that can be repeated.
type kernel struct {
	*wire.Run
	entry   cu.Function
	params  []byte
	offsets []uint32 // in params, by parameter
}

func (w *gpu) kernel(m *wire.Message) (*kernel, error) {
	r, err := wire.ParseRun(m)
	if err != nil {
		return nil, err
	}
	loaded, ok := w.modules[r.Module]
	if !ok {
		return nil, fmt.Errorf("there is no module %d", r.Module)
	}
	k := &kernel{Run: r, entry: loaded.entry}
	err = k.packParams()
	return k, err
}

// packParams lays out the parameters: 8 bytes each, and tensor maps.
func (k *kernel) packParams() error {
	maps := map[int]*wire.TensorMap{}
	for i := range k.TensorMaps {
		maps[int(k.TensorMaps[i].Param)] = &k.TensorMaps[i]
	}
	for i, value := range k.Params {
		t := maps[i]
		if t != nil {
			k.params = append(k.params, make([]byte, -len(k.params)&(tensorMapAlign-1))...)
		}
		k.offsets = append(k.offsets, uint32(len(k.params)))
		if t == nil {
			k.params = binary.LittleEndian.AppendUint64(k.params, value)
			continue
		}
		raw, err := encodeTensorMap(t)
		if err != nil {
			return err
		}
		k.params = append(k.params, raw...)
	}
	return nil
}

func (k *kernel) start() error { return launch(k.entry, k.Run, k.params, k.offsets) }

// launch clears the reports, launches and reads back. All of it is on the default stream, and so in order.
func (w *gpu) launch(m *wire.Message) (*wire.Message, error) {
	k, err := w.kernel(m)
	if err != nil {
		return nil, err
	}
	for _, a := range k.Clear {
		if err := cu.MemsetD8(cu.DevicePtr(a.Address), 0, int64(a.Bytes)); err != nil {
			return nil, err
		}
	}
	took, err := w.between(k.start)
	if err != nil {
		return nil, err
	}
	answer := done(uint64(took))
	for _, a := range k.Read {
		data, err := w.copyOut(a)
		if err != nil {
			return nil, err
		}
		answer.Blobs = append(answer.Blobs, data)
	}
	return answer, nil
}

// between is the time on the device, by two events, of the work that f enqueues.
func (w *gpu) between(f func() error) (time.Duration, error) {
	for _, step := range []func() error{
		func() error { return w.start.Record(cu.NoStream) }, f,
		func() error { return w.end.Record(cu.NoStream) }, cu.Synchronize,
	} {
		if err := step(); err != nil {
			return 0, err
		}
	}
	return elapsed(w.start, w.end)
}

func elapsed(from, to cu.Event) (time.Duration, error) {
	ms, err := from.Elapsed(to)
	return time.Duration(ms * float64(time.Millisecond)), err
}
