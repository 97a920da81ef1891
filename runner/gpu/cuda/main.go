//go:build cuda

// Command cuda is newt's GPU worker: it holds a context on one GPU and does what its parent asks
// over standard input, for one client in its life. It is given PTX by its parent alone.
//
// Importing cu initializes the driver, and ends the process where there is none: that is why the
// worker is a program of its own.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"

	"gorgonia.org/cu"

	"github.com/newtlab/newt/runner/gpu/wire"
)

func main() {
	runtime.LockOSThread() // a CUDA context belongs to a thread
	out := os.Stdout
	os.Stdout = os.Stderr // nothing else may write between messages
	w, info, err := open(os.Args[1:])
	if err != nil {
		refuse(out, err)
		os.Exit(1)
	}
	greeting := info.Message()
	if greeting.Send(out) != nil {
		os.Exit(1)
	}
	for request := range requests(os.Stdin) {
		answer, err := w.answer(request)
		if err != nil {
			answer = w.failure(err)
		}
		if answer.Send(out) != nil {
			os.Exit(1)
		}
	}
}

// requests reads on while a kernel runs, so that the process ends with its parent even then.
func requests(in io.Reader) <-chan *wire.Message {
	list := make(chan *wire.Message)
	go func() {
		for {
			m, err := wire.Receive(in)
			if errors.Is(err, io.EOF) {
				os.Exit(0)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			list <- m
		}
	}()
	return list
}

func refuse(out io.Writer, err error) {
	m := wire.Message{Kind: wire.Failed, Numbers: []uint64{0, 1}, Blobs: [][]byte{[]byte(err.Error())}}
	m.Send(out)
}

// gpu is the context and what was made in it.
type gpu struct {
	context    cu.CUContext
	device     cu.Device
	allocated  map[cu.DevicePtr]bool
	modules    map[uint64]module
	next       uint64
	start, end cu.Event
	meter      *meter
}

type module struct {
	code  cu.Module
	entry cu.Function
}

// open creates the context, and does now what the driver would otherwise do on first use.
func open(args []string) (*gpu, wire.Info, error) {
	number := 0
	if len(args) > 0 {
		var err error
		if number, err = strconv.Atoi(args[0]); err != nil {
			return nil, wire.Info{}, err
		}
	}
	count, err := cu.NumDevices()
	if err != nil {
		return nil, wire.Info{}, err
	}
	if number < 0 || number >= count {
		return nil, wire.Info{}, fmt.Errorf("there is no GPU %d; GPUs: %d", number, count)
	}
	w := &gpu{device: cu.Device(number), allocated: map[cu.DevicePtr]bool{}, modules: map[uint64]module{}}
	if w.context, err = w.device.MakeContext(cu.SchedAuto); err != nil {
		return nil, wire.Info{}, err
	}
	if err := cu.SetCurrentContext(w.context); err != nil {
		return nil, wire.Info{}, err
	}
	for _, e := range []*cu.Event{&w.start, &w.end} {
		if *e, err = cu.MakeEvent(cu.DefaultEvent); err != nil {
			return nil, wire.Info{}, err
		}
	}
	w.meter = newMeter(pciAddress(w.device))
	if err := w.warm(); err != nil {
		return nil, wire.Info{}, err
	}
	info, err := w.info()
	return w, info, err
}

// idle is a kernel that does nothing, for any device that PTX 7.0 knows.
const idle = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry idle() { ret; }\n"

// warm compiles, loads and launches a kernel: the first of each takes tens of milliseconds.
func (w *gpu) warm() error {
	loaded, err := w.load(&wire.Message{Numbers: []uint64{1, 0}, Blobs: [][]byte{[]byte("idle"), []byte(idle)}})
	if err != nil {
		return err
	}
	_, err = w.launch((&wire.Run{Module: loaded.Number(0), Grid: [3]uint64{1, 1, 1}, Threads: 32}).Message(wire.Launch))
	if err != nil {
		return err
	}
	_, err = w.unload(&wire.Message{Numbers: []uint64{loaded.Number(0)}})
	return err
}

// info asks the driver about the device. What it does not know stays 0.
func (w *gpu) info() (wire.Info, error) {
	i := wire.Info{Version: wire.Version, Driver: uint64(cu.Version()), DriverText: w.meter.version()}
	var err error
	if i.Name, err = w.device.Name(); err != nil {
		return i, err
	}
	memory, err := w.device.TotalMem()
	if err != nil {
		return i, err
	}
	i.Memory, i.Serial = uint64(memory), pciAddress(w.device)
	for attribute, into := range map[cu.DeviceAttribute]*uint64{
		cu.ComputeCapabilityMajor: &i.Major, cu.ComputeCapabilityMinor: &i.Minor, cu.MultiprocessorCount: &i.Processors,
		cu.ClockRate: &i.SMClock, cu.MemoryClockRate: &i.MemClock, cu.GlobalMemoryBusWidth: &i.BusWidth,
		cu.L2CacheSize: &i.L2Bytes, sharedPerBlockOptin: &i.SharedBytes,
	} {
		if value, err := w.device.Attribute(attribute); err == nil {
			*into = uint64(value)
		}
	}
	return i, nil
}

func pciAddress(d cu.Device) string {
	domain, _ := d.Attribute(cu.PciDomainID)
	bus, _ := d.Attribute(cu.PciBusID)
	slot, _ := d.Attribute(cu.PciDeviceID)
	return fmt.Sprintf("%08x:%02x:%02x.0", domain, bus, slot)
}
