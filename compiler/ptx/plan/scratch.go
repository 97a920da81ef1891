package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// Scratch memory: the shared memory through which threads of several warps exchange values while an operation is done.
// It is a local_alloc before the operation, so that it gets its place and its barriers as all shared memory does.

const (
	// GatherBytes is the most shared memory that a gather takes; a larger source goes through it in parts.
	GatherBytes = 64 << 10
	// HistogramBins is the most bins that are counted at once, in shared memory.
	HistogramBins = ScratchLimit / 4
)

// PlaceScratch gives each operation the scratch memory that it takes. Scalars by which threads may disagree about
// control flow (axis.Control) become those of thread 0.
func (p *Plan) PlaceScratch() {
	p.PlanConversions()
	p.scratchIn(p.Func.Body, axis.Control(p.Func))
}

func (p *Plan) scratchIn(b *ir.Block, control map[*ir.Instr]bool) {
	w := rewriter{p: p}
	for _, in := range b.Instrs {
		for _, r := range in.Regions {
			p.scratchIn(r, control)
		}
		w.at = in.Span
		if bytes := p.scratchBytes(in); bytes > 0 {
			together := slices.Concat(p.conversionsOf(in)...)
			in.Scratch = w.scratch(bytes, together != nil && !slices.ContainsFunc(together, (*Conversion).CrossesWarps))
		}
		var broadcasts []*ir.Instr
		if control[in] {
			for i := range in.Results {
				broadcasts = append(broadcasts, w.broadcast(in, i))
			}
		}
		w.list = append(append(w.list, in), broadcasts...)
	}
	b.Instrs = w.list
}

// scratch appends the local_alloc of scratch memory, and gives what that gives.
func (w *rewriter) scratch(bytes int, perWarp bool) *ir.Value {
	v := w.emit(ops.LocalAlloc, nil, nil, ir.Attr{Name: "bytes", Value: int64(bytes)},
		ir.Attr{Name: "per_warp", Value: perWarp}).Results[0]
	v.Name = "scratch"
	return v
}

// broadcast is the instruction that gives all threads thread 0's result i of in, which becomes its result.
func (w *rewriter) broadcast(in *ir.Instr, i int) *ir.Instr {
	v := in.Results[i]
	own := &ir.Value{Type: v.Type, Def: in, Index: i, ID: v.ID, Layout: v.Layout}
	u := &ir.Instr{Op: ops.Uniform, Operands: []*ir.Value{own}, Results: []*ir.Value{v}, Span: in.Span,
		Scratch: w.scratch(v.Type.DType.Info().Bytes, false)}
	in.Results[i], v.Def, v.Index = own, u, 0
	return u
}

// scratchBytes is the size of the scratch memory that an operation takes.
func (p *Plan) scratchBytes(in *ir.Instr) (most int) {
	switch in.Op {
	case ops.Gather:
		t := in.Operands[0].Type
		return min(GatherBytes, t.Numel()*max(1, t.DType.Info().Bits/8))
	case ops.Histogram:
		return 4 * min(int(in.Int("num_bins")), HistogramBins)
	case ops.Print:
		return 4 // where the record is
	default:
		for _, step := range p.conversionsOf(in) {
			most = max(most, bytesOf(step))
		}
	}
	return most
}

// conversionsOf is the conversions that an operation makes, those of each step together.
func (p *Plan) conversionsOf(in *ir.Instr) (steps [][]*Conversion) {
	switch in.Op {
	case ops.ConvertLayout:
		steps = append(steps, []*Conversion{p.Conversions[in]})
	case ops.Reduce:
		for _, s := range p.Reductions[in].Steps {
			if s.Exchange != nil {
				steps = append(steps, s.Exchange)
			}
		}
	case ops.Scan:
		for _, run := range p.Scans[in] {
			if run.Exchange != nil {
				steps = append(steps, run.Exchange)
			}
		}
	case ops.AtomicRMW, ops.AtomicCAS, ops.AtomicLoad:
		if c := p.Accesses[in].Broadcast; c != nil {
			steps = append(steps, []*Conversion{c})
		}
	}
	return steps
}

// AlignScratch is the first byte from one on at which scratch may begin.
func AlignScratch(at int) int { return roundUp(at, scratchAlign) }

// bytesOf is what conversions take together.
func bytesOf(together []*Conversion) (bytes int) {
	for _, c := range together {
		bytes = AlignScratch(bytes) + c.Bytes
	}
	return bytes
}
