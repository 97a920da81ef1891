package lens

//go:generate go run ../../../infra/tsgen -in report.go -from compiler/ptx/lens/report.go -out ../../../frontend/src/gen/lens.ts

// Report is what a kernel's launches did, summed up.
type Report struct {
	Kernel   string `json:"kernel"`
	File     string `json:"file"` // of the kernel's first line
	Target   string `json:"target"`
	Model    string `json:"model"` // where the counts come from
	Launches uint64 `json:"launches"`
	Programs uint64 `json:"programs"` // of all launches
	// Simulated are the programs that ran: all, or a sample of which the counts are.
	Simulated    uint64            `json:"simulated"`
	Longest      uint64            `json:"longest"`      // warp instructions of the program that executed most
	Threads      int               `json:"threads"`      // of a program
	Shared       int               `json:"sharedMemory"` // bytes of a program
	Lines        []Line            `json:"lines"`
	Instructions map[string]uint64 `json:"instructions"` // of warps, by class
	FLOPs        map[string]uint64 `json:"flops"`        // additions and multiplications of floats, by class
	// ReadBytes and WrittenBytes are the sectors of global memory that the launches touch, each once a launch.
	ReadBytes    uint64 `json:"readBytes"`
	WrittenBytes uint64 `json:"writtenBytes"`
	// WaveSectors are the sectors that waves of Wave programs read, in launch order, each counted once a wave: what a
	// cache takes from memory that keeps what a wave reads, and nothing longer. A GPU runs more programs at a time, and
	// not in step, and its cache keeps more: the number compares orders of programs, and foretells no misses.
	Wave        int        `json:"wave"`
	WaveSectors uint64     `json:"waveSectors"`
	Assembled   *Assembled `json:"assembled,omitempty"` // what ptxas made of it, if that was asked
	Occupancy   Occupancy  `json:"occupancy"`
	Roofline    []Roofline `json:"roofline"`
}

// Line is what the instructions of a line did.
type Line struct {
	File         string            `json:"file,omitempty"` // both are zero for instructions that no line asks for
	Line         int               `json:"line,omitempty"` // from 1
	Source       string            `json:"source,omitempty"`
	Instructions map[string]uint64 `json:"instructions"` // of warps, by class
	Memory       []Traffic         `json:"memory,omitempty"`
}

// Traffic is one line's traffic with one memory by one kind of access. A unit is a 32-byte sector of global memory or
// a wavefront of shared memory; Ideal is the least that the same bytes take.
type Traffic struct {
	Memory   Memory `json:"memory"`
	Access   Access `json:"access"`
	Requests uint64 `json:"requests"` // of warps; of tensor copies: boxes
	Units    uint64 `json:"units"`    // of all requests
	Ideal    uint64 `json:"ideal"`
	// Unique is the sectors of global memory that the requests touch, each once a launch: what caches need from memory.
	Unique uint64 `json:"unique,omitempty"`
	// Updates is how often atomics update a word of 32 bits, Words how many different ones: the updates of a word wait
	// for each other.
	Updates uint64 `json:"updates,omitempty"`
	Words   uint64 `json:"words,omitempty"`
}

// Memory is "global" or "shared".
type Memory string

// Access is how a memory is reached: "load", "store", "atomic", "async copy" (cp.async) or "tensor copy" (TMA).
type Access string

// Assembled is what ptxas says of the machine code that it made of a kernel, of one thread.
type Assembled struct {
	Registers   int `json:"registers"`
	SpillStores int `json:"spillStores"` // bytes
	SpillLoads  int `json:"spillLoads"`  // bytes
}

// Occupancy is how many programs run on a multiprocessor at once, as far as is known: ptxas decides on registers.
type Occupancy struct {
	Programs     int   `json:"programs"` // at a time
	Warps        int   `json:"warps"`
	MostWarps    int   `json:"mostWarps"` // that a multiprocessor takes
	Limit        Limit `json:"limit"`
	MaxRegisters int   `json:"maxRegisters"` // of a thread, with which this many programs still fit
}

// Limit is what keeps another program out: "programs", "threads", "shared memory" or "registers".
type Limit string

// Roofline is where a kernel lies under a GPU's roofline, if what it touches is moved once: at best.
type Roofline struct {
	GPU string `json:"gpu"`
	// MemorySeconds is how long the GPU's memory takes at least, ComputeSeconds its arithmetic, of all launches;
	// programs that did not run count as those that did.
	MemorySeconds  float64 `json:"memorySeconds"`
	ComputeSeconds float64 `json:"computeSeconds"`
	Intensity      float64 `json:"intensity"` // FLOPs a byte
	Ridge          float64 `json:"ridge"`     // the intensity at which both take as long
	// PeakSeconds is how long the memory takes if all multiprocessors are busy: what the roofs are drawn by.
	PeakSeconds float64 `json:"peakSeconds"`
	// The largest launch has programs on Busy of its Multiprocessors, in Waves: programs by those that run at a time.
	// What a multiprocessor does alone, it takes as long for as with all of them.
	Busy            int     `json:"busy"`
	Multiprocessors int     `json:"multiprocessors"`
	Waves           float64 `json:"waves"`
}
