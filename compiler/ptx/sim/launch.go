package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

// Defaults and limits of launches.
const (
	DefaultInstructions = 1 << 31 // warp instructions
	DefaultResident     = 2       // blocks that take turns
	maxResident         = 64
	maxThreadBytes      = 2 << 30 // registers and local memory of all resident threads
	maxQuantum          = 7       // exponents of two of the instructions in a warp's turn
)

// LaunchConfig says what to run.
type LaunchConfig struct {
	Entry           string            // may be empty where the module has one entry
	Grid            [3]int            // blocks; 0 stands for 1
	Threads         int               // per block
	Shared          int               // bytes of dynamic shared memory
	Params          []uint64          // by parameter
	TensorMaps      map[int]TensorMap // by parameter, those that are tensor maps
	Memory          *Memory
	Seed            uint64 // of the order in which warps run
	MaxInstructions uint64 // warp instructions of the whole launch; 0: DefaultInstructions
	Resident        int    // blocks that take turns, started in order of their number; 0: DefaultResident
	// Every runs a sample of the grid: block 0 and each block so many behind the one before. 0 is 1: all of them.
	Every int
}

// machine is one launch.
type machine struct {
	ctx      context.Context
	cfg      LaunchConfig
	module   *Module
	kernel   *kernel
	memory   *Memory
	params   []uint64 // as they lie in memory
	counts   []tally  // by instruction
	rng      *rand.Rand
	ready    []*warp
	executed uint64
	longest  uint64 // what the block executed that executed most
	blocks   uint64 // started so far
	read     Footprint
	written  Footprint
	sectors  map[int]*Footprint // by line of the text
	updated  map[int]*Footprint
	wave     *wave // of the block that was started last
	// waveSectors are the sectors that blocks of a wave read, summed over the waves that have ended.
	waveSectors uint64
	every       uint64
	grid        uint64 // blocks to run
}

// Launch runs an entry of the module to its end. A broken rule ends it with a *Fault; an exhausted
// budget is one too. Other errors are a configuration that does not suit the entry, and ctx's. The
// report is of what ran, and nil where nothing did.
func (m *Module) Launch(ctx context.Context, cfg LaunchConfig) (*Report, error) {
	k, err := m.check(&cfg)
	if err != nil {
		return nil, err
	}
	r := &machine{ctx: ctx, cfg: cfg, module: m, kernel: k, memory: cfg.Memory, params: k.paramSlots(&cfg),
		counts: make([]tally, len(k.code)), sectors: map[int]*Footprint{}, updated: map[int]*Footprint{},
		rng: rand.New(rand.NewPCG(cfg.Seed, 0x9e3779b97f4a7c15))}
	r.every = uint64(max(cfg.Every, 1))
	r.grid = (uint64(cfg.Grid[0])*uint64(cfg.Grid[1])*uint64(cfg.Grid[2]) + r.every - 1) / r.every
	resident := uint64(cfg.Resident)
	for r.blocks < min(resident, r.grid) {
		b := newBlock(r)
		b.start()
	}
	err = r.run()
	return r.report(), err
}

// check fills in defaults and finds the entry.
func (m *Module) check(cfg *LaunchConfig) (*kernel, error) {
	if cfg.Entry == "" && len(m.Entries) == 1 {
		cfg.Entry = m.Entries[0]
	}
	k := m.kernels[cfg.Entry]
	if k == nil {
		return nil, fmt.Errorf("the module has no entry %q", cfg.Entry)
	}
	if cfg.Memory == nil {
		cfg.Memory = NewMemory(0)
	}
	if cfg.MaxInstructions == 0 {
		cfg.MaxInstructions = DefaultInstructions
	}
	if cfg.Resident == 0 {
		cfg.Resident = DefaultResident
	}
	limits := [3]int{1<<31 - 1, 65535, 65535}
	for i := range cfg.Grid {
		if cfg.Grid[i] == 0 {
			cfg.Grid[i] = 1
		}
		if cfg.Grid[i] < 0 || cfg.Grid[i] > limits[i] {
			return nil, fmt.Errorf("grid dimension %d is %d: 1 to %d", i, cfg.Grid[i], limits[i])
		}
	}
	return k, k.check(cfg)
}

func (k *kernel) check(cfg *LaunchConfig) error {
	warps := (cfg.Threads + warpSize - 1) / warpSize
	switch {
	case cfg.Threads < 1 || cfg.Threads > isa.MaxThreads:
		return fmt.Errorf("%d threads a block: 1 to %d", cfg.Threads, isa.MaxThreads)
	case k.threads > 0 && cfg.Threads != k.threads:
		return fmt.Errorf("%d threads a block where .reqntid says %d", cfg.Threads, k.threads)
	case k.maxThreads > 0 && cfg.Threads > k.maxThreads:
		return fmt.Errorf("%d threads a block where .maxntid says %d", cfg.Threads, k.maxThreads)
	case cfg.Shared < 0 || cfg.Shared > maxShared-k.shared:
		return fmt.Errorf("%d bytes of dynamic shared memory beside %d static: %d at most",
			cfg.Shared, k.shared, maxShared)
	case len(cfg.Params) != len(k.params):
		return fmt.Errorf("%d parameters where the entry has %d", len(cfg.Params), len(k.params))
	case cfg.Resident < 1 || cfg.Resident > maxResident:
		return fmt.Errorf("%d resident blocks: 1 to %d", cfg.Resident, maxResident)
	case cfg.Resident*warps*(8*k.slots+2*k.local) > maxThreadBytes/warpSize:
		return fmt.Errorf("%d registers and %d bytes of local memory are too many to simulate for %d threads",
			k.slots, k.local, cfg.Threads)
	}
	return nil
}

// paramSlots is the memory of a launch's parameters, 8 bytes each but for tensor maps.
func (k *kernel) paramSlots(cfg *LaunchConfig) []uint64 {
	slots := make([]uint64, k.paramWords)
	for i, at := range k.params {
		if m, ok := cfg.TensorMaps[i]; ok {
			copy(slots[at:], m.Words())
		} else {
			slots[at] = cfg.Params[i]
		}
	}
	return slots
}

// run lets random warps run for random times until all blocks are done.
func (m *machine) run() error {
	for turn := 0; len(m.ready) > 0; turn++ {
		if turn%64 == 0 {
			// WebAssembly has one thread and no preemption: a deadline passes only where the goroutine yields.
			runtime.Gosched()
			if err := m.ctx.Err(); err != nil {
				return err
			}
		}
		i := m.rng.IntN(len(m.ready))
		w := m.ready[i]
		n, f := w.run(1 << m.rng.IntN(maxQuantum))
		m.executed += uint64(n)
		w.block.executed += uint64(n)
		m.longest = max(m.longest, w.block.executed)
		w.block.cache.age()
		if f != nil {
			return f
		}
		if m.executed > m.cfg.MaxInstructions {
			return &Fault{Kind: Budget, Entry: m.kernel.name, Block: w.block.id,
				Message: fmt.Sprintf("more than %d warp instructions", m.cfg.MaxInstructions)}
		}
		if w.done() || w.blocked() {
			m.drop(w)
			if f := w.block.settle(); f != nil {
				return f
			}
		}
	}
	return nil
}

// drop takes w off the list of warps that can run, wherever a released barrier has left it.
func (m *machine) drop(w *warp) {
	if w.at >= 0 {
		last := m.ready[len(m.ready)-1]
		m.ready[w.at], last.at = last, w.at
		m.ready = m.ready[:len(m.ready)-1]
		w.at = -1
	}
}

func (m *machine) wake(w *warp) {
	if w.at < 0 {
		w.at = len(m.ready)
		m.ready = append(m.ready, w)
	}
}
