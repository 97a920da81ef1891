package judge

import (
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/host"
)

// Bounds are what one call of a submission moves and computes, and the shortest time that a GPU can take for it. They
// are no part of the verdict.
type Bounds struct {
	Sizes map[string]any `json:"sizes"` // of the call
	GPU   string         `json:"gpu"`   // whose figures the times are from: its data sheet's
	// LeastBytes are the inputs, each read once, and the outputs, each written once, and LeastSeconds how long its
	// memory takes for them.
	LeastBytes   uint64  `json:"leastBytes"`
	LeastSeconds float64 `json:"leastSeconds"`
	// Bytes are those of all sectors that the launches ask for, 32 a sector, Touched those of the sectors that they
	// touch, each once a launch, and FLOPs their additions and multiplications of floats.
	Bytes   uint64 `json:"bytes"`
	Touched uint64 `json:"touched"`
	FLOPs   uint64 `json:"flops"`
	// Seconds is the sum of the kernels'.
	Seconds float64        `json:"seconds"`
	Kernels []KernelBounds `json:"kernels"`
}

// KernelBounds are the Bounds of a kernel's launches. Seconds is how long memory or arithmetic takes at least,
// whichever is more, by the roofline of the GPU, and Bound says which: "memory" or "compute".
type KernelBounds struct {
	Kernel   string  `json:"kernel"`
	Launches uint64  `json:"launches"`
	Bytes    uint64  `json:"bytes"`
	Touched  uint64  `json:"touched"`
	FLOPs    uint64  `json:"flops"`
	Seconds  float64 `json:"seconds"`
	Bound    string  `json:"bound"`
}

// Add adds those of a kernel.
func (b *Bounds) Add(k KernelBounds) {
	b.Bytes, b.Touched, b.FLOPs, b.Seconds = b.Bytes+k.Bytes, b.Touched+k.Touched, b.FLOPs+k.FLOPs, b.Seconds+k.Seconds
	b.Kernels = append(b.Kernels, k)
}

// Text says it in a sentence or two.
func (b *Bounds) Text(lang diag.Lang) string {
	times := fmt.Sprintf("%.2f", float64(b.Bytes)/float64(max(b.LeastBytes, 1)))
	return diag.Text{Key: "judge-report.bounds", Args: []any{sizesArg(b.Sizes), b.Bytes, times, b.LeastBytes, b.FLOPs,
		b.GPU, microseconds(b.Seconds), microseconds(b.LeastSeconds)}}.In(lang)
}

func microseconds(seconds float64) string { return fmt.Sprintf("%.3g", 1e6*seconds) }

// maxSimulated is the most work of a call that is simulated, which takes some hundred times as long.
const maxSimulated = 1 << 24

// representative is the call that Bounds are of: the one with the most work that has passed and is simulated.
type representative struct {
	got, args host.Value
	sizes     map[string]any
	work      int64
	least     uint64 // bytes
}

// keep notes a call that has passed.
func (t *trial) keep() {
	work := t.judging.submission.spent()
	if t.o.Simulated == nil || t.Kind != Values || t.Outcome != Passed || work > maxSimulated ||
		work <= t.representative.work {
		return
	}
	r := representative{got: t.got, args: t.args, sizes: t.Sizes, work: work}
	for _, x := range append(tensorsOf(t.args), tensorsOf(t.theirs.result)...) {
		r.least += uint64(x.Numel() * x.DType().Info().Bytes)
	}
	t.representative = r
}

// simulate makes the representative call on the simulated GPU.
func (j *judging) simulate() {
	r, s := &j.representative, j.submission
	if r.args == nil {
		return
	}
	args, err := newCopier(s.Tensors()).values(r.args)
	if err != nil {
		return
	}
	defer s.launcher.moveTo(j.o.Simulated)()
	s.Tensors().Called = nil
	s.begin(maxCallWork)
	if _, d := s.callWith(r.got, args); d == nil {
		j.report.Bounds = &Bounds{Sizes: r.sizes, LeastBytes: r.least, Kernels: []KernelBounds{}}
	}
}
