package launch

import (
	"context"
	"errors"
	"unsafe"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/tile"
)

// Interpreter is the CPU of this process. It launches on tensors in place.
var Interpreter = cpu.New(cpu.Options{})

// ObservingInterpreter is Interpreter for launches whose Observer is a trace.OperationObserver of every operation.
var ObservingInterpreter = cpu.New(cpu.Options{Watch: tile.Everything})

// Target says what a kernel is loaded for: a device, and what Triton calls the launch's options.
type Target struct {
	device.Device
	device.Options
}

// Run launches the kernel with arguments that it fits; l.Args is filled in. The report is never nil. The fault says
// what stopped the launch, and is nil where it ran to its end; tensors may be changed in part if there is one.
func (k *Kernel) Run(ctx context.Context, on Target, args []Arg, l device.Launch) (report *device.Report,
	fault *diag.Diagnostic) {
	report = &device.Report{}
	m := newMemory(on.Device)
	defer m.release()
	err := k.on(on, args, &l, m, func(loaded device.Kernel) (err error) {
		report, err = loaded.Launch(ctx, l)
		return err
	})
	// After a fault, too: the page shows what the kernel wrote until then.
	if copied := m.copyBack(); err == nil {
		err = copied
	}
	if err != nil {
		fault = Diagnostic(err)
	}
	return report, fault
}

// Time measures launches of the kernel. They change memory that stays on the device, and no Data.
func (k *Kernel) Time(ctx context.Context, on Target, args []Arg, l device.Launch, r device.TimingRequest) (
	timings *device.Timings, fault *diag.Diagnostic) {
	m := newMemory(on.Device)
	defer m.release()
	err := k.on(on, args, &l, m, func(loaded device.Kernel) (err error) {
		timer, ok := loaded.(device.Timer)
		if !ok {
			timings = &device.Timings{}
			return nil
		}
		timings, err = timer.Time(ctx, l, r)
		return err
	})
	if err != nil {
		return nil, Diagnostic(err)
	}
	return timings, nil
}

// on loads the kernel, binds the arguments to l in memory of the device, and does what launches.
func (k *Kernel) on(on Target, args []Arg, l *device.Launch, m *memory, do func(device.Kernel) error) error {
	loaded, err := k.load(on)
	if err != nil {
		return err
	}
	if l.Args, err = k.bind(args, m.of); err != nil {
		return err
	}
	err = do(loaded)
	for _, s := range m.written {
		s.Changed()
	}
	return err
}

// Made is what a device has compiled the kernel to, or compiles it to now; nil where it compiles nothing.
func (k *Kernel) Made(on Target) (*device.Compiled, *diag.Diagnostic) {
	loaded, err := k.load(on)
	if err != nil {
		return nil, Diagnostic(err)
	}
	c, ok := loaded.(device.Compiler)
	if !ok {
		return nil, nil
	}
	made := c.Compiled()
	if p, ok := loaded.(device.Preparer); ok && made == nil {
		if made, err = p.Prepare(); err != nil {
			return nil, Diagnostic(err)
		}
	}
	return made, nil
}

// load makes the kernel ready on a device, once.
func (k *Kernel) load(on Target) (device.Kernel, error) {
	k.lock.Lock()
	defer k.lock.Unlock()
	if loaded := k.loaded[on]; loaded != nil {
		return loaded, nil
	}
	loaded, err := on.Load(k.Func, on.Options)
	if err != nil {
		return nil, err
	}
	k.loaded[on] = loaded
	return loaded, nil
}

// Diagnostic puts an error of a device in words.
func Diagnostic(err error) *diag.Diagnostic {
	if fault, ok := errors.AsType[device.Fault](err); ok {
		return fault.Diagnostic()
	}
	return diag.New("protocol-error", source.Span{}, err.Error())
}

// memory is that of a launch's tensors on a device. Tensors may share it.
type memory struct {
	device  device.Device
	on      map[*device.Storage]device.Memory
	data    map[*byte]*device.Storage // made for the launch, of tensors with Data
	written []*device.Storage         // by the kernel, as far as its code says
}

func newMemory(d device.Device) *memory {
	return &memory{device: d, on: map[*device.Storage]device.Memory{}, data: map[*byte]*device.Storage{}}
}

// of is a tensor's memory on the device.
func (m *memory) of(t *Tensor, written bool) (device.Memory, error) {
	s := m.storage(t)
	if written {
		m.written = append(m.written, s)
	}
	if m.on[s] == nil {
		on, err := s.On(m.device)
		if err != nil {
			return nil, err
		}
		m.on[s] = on
	}
	return m.on[s], nil
}

func (m *memory) storage(t *Tensor) *device.Storage {
	if t.Storage != nil {
		return t.Storage
	}
	at := unsafe.SliceData(t.Data)
	if m.data[at] == nil || len(t.Data) == 0 { // pieces of memory without bytes may have one address
		m.data[at] = device.StorageOf(t.Data)
	}
	return m.data[at]
}

// copyBack copies what the kernel may have written to Data back.
func (m *memory) copyBack() error {
	var errs []error
	for _, s := range m.data {
		_, err := s.Read()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (m *memory) release() {
	for _, s := range m.data {
		s.Release()
	}
}
