package launch

import (
	"context"
	"errors"
	"unsafe"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
)

// Interpreter is the CPU of this process. It launches on tensors in place.
var Interpreter = cpu.New(cpu.Options{})

// Target says what a kernel is loaded for: a device, and what Triton calls the launch's options.
type Target struct {
	device.Device
	device.Options
}

// Run launches the kernel with arguments that it fits, on tensors that the device's memory has a copy of meanwhile;
// l.Args is filled in. The report is never nil. The fault says what stopped the launch, and is nil where it ran to its
// end; tensors may be changed in part if there is one.
func (k *Kernel) Run(ctx context.Context, on Target, args []Arg, l device.Launch) (report *device.Report,
	fault *diag.Diagnostic) {
	report, err := k.run(ctx, on, args, l)
	if err != nil {
		fault = Diagnostic(err)
	}
	return report, fault
}

func (k *Kernel) run(ctx context.Context, on Target, args []Arg, l device.Launch) (*device.Report, error) {
	loaded, err := k.load(on)
	if err != nil {
		return &device.Report{}, err
	}
	s := storages{device: on.Device}
	defer s.free()
	if l.Args, err = k.bind(args, s.upload); err != nil {
		return &device.Report{}, err
	}
	report, err := loaded.Launch(ctx, l)
	// After a fault, too: the page shows what the kernel wrote until then.
	if downloaded := s.download(); err == nil {
		err = downloaded
	}
	return report, err
}

// Time measures launches of the kernel on copies of the tensors, which stay as they are.
func (k *Kernel) Time(ctx context.Context, on Target, args []Arg, l device.Launch, r device.TimingRequest) (
	timings *device.Timings, fault *diag.Diagnostic) {
	loaded, err := k.load(on)
	if err != nil {
		return nil, Diagnostic(err)
	}
	timer, ok := loaded.(device.Timer)
	if !ok {
		return &device.Timings{}, nil
	}
	s := storages{device: on.Device}
	defer s.free()
	if l.Args, err = k.bind(args, s.upload); err == nil {
		timings, err = timer.Time(ctx, l, r)
	}
	if err != nil {
		return nil, Diagnostic(err)
	}
	return timings, nil
}

// Made is what a device has compiled the kernel to; nil where it compiles nothing.
func (k *Kernel) Made(on Target) (*device.Compiled, *diag.Diagnostic) {
	loaded, err := k.load(on)
	if err != nil {
		return nil, Diagnostic(err)
	}
	if c, ok := loaded.(device.Compiler); ok {
		return c.Compiled(), nil
	}
	return nil, nil
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

// storages are the storages of a launch's tensors, here and on the device. Tensors may share one.
type storages struct {
	device device.Device
	here   [][]byte
	there  []device.Memory
}

// upload gives the device's memory for a tensor's storage: the storage itself where the device launches in place, else
// a copy.
func (s *storages) upload(t *Tensor) (device.Memory, error) {
	for i, known := range s.here {
		if len(t.Data) > 0 && len(known) == len(t.Data) && unsafe.SliceData(known) == unsafe.SliceData(t.Data) {
			return s.there[i], nil
		}
	}
	memory, err := s.memory(t.Data)
	if err != nil {
		return nil, err
	}
	// Recorded before the write, so that free releases it even if the write fails.
	s.here, s.there = append(s.here, t.Data), append(s.there, memory)
	if s.inPlace() {
		return memory, nil
	}
	return memory, memory.Write(0, t.Data)
}

func (s *storages) memory(data []byte) (device.Memory, error) {
	if d, ok := s.device.(device.InPlace); ok {
		return d.Wrap(data), nil
	}
	return s.device.Alloc(len(data))
}

func (s *storages) inPlace() bool {
	_, ok := s.device.(device.InPlace)
	return ok
}

func (s *storages) download() error {
	if s.inPlace() {
		return nil
	}
	var errs []error
	for i, memory := range s.there {
		errs = append(errs, memory.Read(0, s.here[i]))
	}
	return errors.Join(errs...)
}

func (s *storages) free() {
	for _, memory := range s.there {
		memory.Free()
	}
}
