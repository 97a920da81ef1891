package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/interp/device"
)

// SimulatorOptions bound a simulated GPU. Zero values mean the defaults below.
type SimulatorOptions struct {
	Target      string // a name of package arch
	MemoryBytes int
	Seed        uint64 // of the order in which warps run
	Budget      int64  // loop iterations of one program, whatever a launch asks for
	Sample      int    // programs of a launch that run, as far apart as they can be; 0: all
	Processors  int    // persistent thread blocks that run at a time; 0: no kernel has any
}

// The defaults: what a test needs and a page can bear.
const (
	simulatedMemory = 1 << 30
	simulatedBudget = 1 << 16
)

// NewSimulator is the driver of a GPU that is simulated in this process, instruction by instruction.
func NewSimulator(o SimulatorOptions) Driver {
	o.Target = cmp.Or(o.Target, arch.Default)
	if o.MemoryBytes == 0 {
		o.MemoryBytes = simulatedMemory
	}
	if o.Budget == 0 {
		o.Budget = simulatedBudget
	}
	return &simulator{options: o, memory: sim.NewMemory(int64(o.MemoryBytes)), modules: map[uint64]*sim.Module{}}
}

// InPlace is a simulated GPU that also launches on memory of this process.
type InPlace struct {
	*gpu
	memory *sim.Memory
}

// OpenInPlace is Open of a simulator.
func OpenInPlace(s SimulatorOptions, o Options) *InPlace {
	driver := NewSimulator(s).(*simulator)
	return &InPlace{Open(driver, o).(*gpu), driver.memory}
}

// Wrap implements device.InPlace.
func (d *InPlace) Wrap(data []byte) device.Memory {
	return &memory{owner: d.gpu, lock: device.NewGuard(), at: d.memory.Borrow(data), bytes: len(data)}
}

// Restore undoes what launches have stored in memory that Wrap gave, which is of no use afterwards.
func (d *InPlace) Restore() { d.memory.Restore() }

type simulator struct {
	options SimulatorOptions
	lock    sync.Mutex
	memory  *sim.Memory
	modules map[uint64]*sim.Module
	next    uint64
}

func (s *simulator) Info() Info {
	return Info{
		Name: "PTX simulator", Target: s.options.Target, MemoryBytes: s.options.MemoryBytes,
		Budget: s.options.Budget, Processors: s.options.Processors,
	}
}

func (s *simulator) Alloc(bytes int) (uint64, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	at, err := s.memory.Alloc(int64(max(bytes, 1)))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrMemory, err)
	}
	return at, nil
}

func (s *simulator) Free(address uint64) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.memory.Free(address)
}

func (s *simulator) Write(address uint64, data []byte) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.memory.Write(address, data)
}

func (s *simulator) Read(address uint64, into []byte) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.memory.Read(address, into)
}

func (s *simulator) Load(source Source) (*Module, error) {
	start := time.Now()
	m, err := sim.Load(source.PTX)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrImage, err)
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.next++
	s.modules[s.next] = m
	return &Module{Handle: s.next, ToSASS: time.Since(start)}, nil
}

func (s *simulator) Launch(ctx context.Context, l *Launch) (time.Duration, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, a := range l.Clear {
		if err := s.memory.Write(a.Address, make([]byte, a.Bytes)); err != nil {
			return 0, err
		}
	}
	start, every := time.Now(), 1
	if n := s.options.Sample; n > 0 {
		programs := l.Grid[0] * l.Grid[1] * l.Grid[2]
		every = max(1, (programs+n-1)/n)
	}
	counts, err := s.modules[l.Module.Handle].Launch(ctx, sim.LaunchConfig{
		Grid: l.Grid, Threads: l.Threads, Shared: l.Shared, Params: l.Params, TensorMaps: l.TensorMaps,
		Memory: s.memory, Seed: s.options.Seed, Every: every,
	})
	var broken *sim.Fault
	switch {
	case errors.As(err, &broken):
		return 0, fmt.Errorf("%w: %w", ErrKernel, err)
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrLaunch, err)
	}
	took := time.Since(start)
	l.Counts = counts
	l.Got = make([][]byte, len(l.Read))
	for i, a := range l.Read {
		l.Got[i] = make([]byte, a.Bytes)
		if err := s.memory.Read(a.Address, l.Got[i]); err != nil {
			return 0, err
		}
	}
	return took, nil
}

// Time is refused: a simulation says nothing about time.
func (s *simulator) Time(context.Context, *Launch, device.TimingRequest) (*device.Timings, error) {
	return nil, errors.New("the simulator measures nothing")
}

func (s *simulator) Close() error { return nil }
