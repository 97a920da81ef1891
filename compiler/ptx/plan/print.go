package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// Text describes the plan as the author of a kernel would: loops and dots, section by section, then the placed function
// with the other decisions next to its instructions. Lines are those of file. Sections without anything to say are left
// out.
func (p *Plan) Text(file *source.File) string {
	w := &printer{p: p, file: file}
	w.lines, w.names, w.layouts, w.mems = ir.Listing(p.Func)
	w.line("plan of %s for %s: %d warps, %d stages", p.Func.Name, p.Target.Arch.Name, p.Target.Warps, p.Target.Stages)
	for _, s := range []struct {
		title string
		print func(*printer)
	}{
		{"order of programs", (*printer).order}, {"dots", (*printer).dots},
		{"software pipelining", (*printer).pipelines},
		{"shared memory", (*printer).shared}, {"registers", (*printer).registers},
		{"placed on threads", (*printer).placed},
		{"layouts", (*printer).listLayouts},
	} {
		w.title = s.title
		s.print(w)
	}
	return w.sb.String()
}

// printer prints a plan.
type printer struct {
	p       *Plan
	file    *source.File
	lines   []ir.Line // of the placed function
	names   []string
	layouts []*layout.Layout // by number
	mems    []*layout.Mem    // by number
	sb      strings.Builder
	title   string // of the section, until its first line is printed
}

// line prints a line of the section.
func (w *printer) line(format string, args ...any) {
	if w.title != "" {
		w.sb.WriteString("\n" + w.title + "\n")
		w.title = ""
	}
	fmt.Fprintf(&w.sb, format+"\n", args...)
}

// name is a value's name in the text form of the IR.
func (w *printer) name(v *ir.Value) string { return w.names[v.ID] }

// list is the names of values.
func (w *printer) list(values []*ir.Value) string {
	var names []string
	for _, v := range values {
		names = append(names, w.name(v))
	}
	return strings.Join(names, ", ")
}

// at is where in the source an instruction is, for the beginning of a line.
func (w *printer) at(in *ir.Instr) string {
	if in == nil || in.Span == (source.Span{}) {
		return "       "
	}
	return fmt.Sprintf("line %2d", w.number(in))
}

// access is an access to memory, with its place.
func (w *printer) access(in *ir.Instr) string {
	return fmt.Sprintf("%s (line %d)", in.Op, w.number(in))
}

// number is the line of an instruction, from 1.
func (w *printer) number(in *ir.Instr) int { return w.file.Position(in.Span.Start).Line }

// each calls f for every instruction of the function.
func (w *printer) each(f func(in *ir.Instr)) { w.p.Func.Body.Walk(f) }

func (w *printer) order() {
	if w.p.Reversed {
		w.line("  the last along axis 0 first: its loop makes the most iterations")
	}
	if x := w.p.Persistent; x != nil {
		w.line("  persistent thread blocks: each runs one program after the other, and issues the first copies of %s "+
			"for the next behind its last MMA", w.at(x.Loop))
	}
}

func (w *printer) dots() {
	listed := map[*ir.Instr]bool{} // once, what is done for several iterations
	w.each(func(in *ir.Instr) {
		d := w.p.Dots[in]
		if d == nil || listed[w.p.Source(in)] {
			return
		}
		listed[w.p.Source(in)] = true
		x, y, r := in.Operands[0], in.Operands[1], in.Results[0]
		w.line("  %s  %s = %s · %s: %s · %s -> %s", w.at(in), w.name(r), w.name(x), w.name(y), x.Type, y.Type, r.Type)
		w.line("           %s", w.method(in, d))
		for s := range Side(2) {
			w.line("           %c: %s", 'A'+s, w.operand(in, s))
		}
		if d.ZeroInit {
			w.line("           overwrites its accumulator in the loop's first iteration, where it is 0")
		}
		if d.InFlight {
			w.line("           in flight while the next iteration begins, and waited for there")
		}
	})
}

// method says how a dot is done.
func (w *printer) method(in *ir.Instr, d *Dot) string {
	acc := d.Acc.String()
	shape := in.Results[0].Type.Shape
	rank := len(shape)
	m, n := d.Warps[rank-2], d.Warps[rank-1]
	var s string
	switch d.Unit {
	case WGMMA:
		groups := []int{m, n}
		groups[d.Left] /= WarpgroupWarps
		s = fmt.Sprintf("wgmma m%dn%dk%d, %s operands, %s sums; warpgroups %d along M, %d along N", WgmmaM,
			min(shape[1-d.Left]/d.Warps[1-d.Left], WgmmaMaxN), d.WgmmaK(), d.Elem[0], acc, groups[0], groups[1])
		if d.Left == 1 {
			s += "; computed transposed, B is the left operand"
		}
	case MMA:
		s = fmt.Sprintf("mma.sync m%dn%dk%d, %s operands, %s sums; warps %d along M, %d along N", MmaM, MmaN, d.MmaK(),
			d.Elem[0], acc, m, n)
		if a := w.p.Target.Arch; a.Tcgen05 {
			s += fmt.Sprintf("; %s has tcgen05 in place of wgmma, and newt does not emit it", a.Name)
		} else if a.TMA && !a.Wgmma {
			s += fmt.Sprintf("; %s has no wgmma", a.Name)
		}
	default:
		s = fmt.Sprintf("multiply-adds of each thread in %s; warps %d along M, %d along N", acc, m, n)
		if d.Chunks != nil {
			s += fmt.Sprintf("; a loop of %d at a time along K", FMAChunk)
		}
	}
	if rank == 3 {
		s += fmt.Sprintf(", %d along the batch", d.Warps[0])
	}
	if d.Splits > 1 {
		s += fmt.Sprintf("; operands split in %d, %d products", d.Splits, len(d.Terms))
	}
	return s
}

// operand says where a dot reads an operand.
func (w *printer) operand(in *ir.Instr, s Side) string {
	d, v := w.p.Dots[in], in.Operands[s]
	switch {
	case v.Type.IsMemDesc():
		return fmt.Sprintf("%s in shared memory, %s", w.name(v), major(*v.Mem, s))
	case d.loadsFragments(s):
		return fmt.Sprintf("%s in registers, fragments of %d steps of K at a time, since wgmma takes %d-bit operands "+
			"from shared memory K-major alone", w.name(v), d.Groups[0].Pending+1, d.Elem[s].Info().Bits)
	}
	return w.name(v) + " in registers"
}

// major says which dimension of an operand in shared memory is contiguous.
func major(m layout.Mem, s Side) string {
	rank := len(m.Shape)
	first := 0 // the lowest bit of the element's number that is of dimension k
	for _, n := range m.Shape[s.KAxis(rank)+1:] {
		for ; n > 1; n /= 2 {
			first++
		}
	}
	if first < len(m.Off) && m.Off[first] == 1 {
		return "K-major"
	}
	return [2]string{"M-major", "N-major"}[s]
}

func (w *printer) pipelines() {
	w.each(func(in *ir.Instr) {
		r := w.p.Pipelines[in]
		if r == nil {
			return
		}
		w.line("  %s  %d stages in %d buffers of %d bytes, filled %d iterations ahead", w.at(in), r.Stages,
			r.Buffers, r.StageBytes, r.Stages-1)
		for _, l := range r.Loads {
			v := l.In.Results[0]
			w.line("  %s  %s: %s, %s", w.at(l.In), w.name(l.Buffers), v.Type, l.method())
		}
		var carried []*ir.Value
		for _, c := range r.Carried {
			carried = append(carried, in.Regions[0].Args[1+c])
		}
		ahead := fmt.Sprintf("%d operations of addresses and masks are computed again for the iteration ahead",
			len(r.AddressSlice))
		if len(carried) > 0 {
			ahead += ", and carried with " + w.list(carried)
		}
		w.line("           %s", ahead)
		for _, x := range r.AddressSlice {
			if x.Op == ops.Load {
				w.line("  %s  %s is loaded ahead, too: addresses of copies depend on it", w.at(x), w.name(x.Results[0]))
			}
		}
		if d := r.Delay; d != nil {
			w.line("  %s  %s is issued one iteration late, behind %s, with %s in registers: the first iteration is "+
				"peeled", w.at(d.Dot), w.list(d.Dot.Results), w.list(d.After.Results), w.name(d.Dot.Operands[0]))
		}
		hazards := "WAR, all have read the buffer that is filled next"
		some, all := r.Tensors()
		if !all {
			hazards = "RAW, the copies of all threads are there; " + hazards
		}
		if some {
			w.line("           one mbarrier a stage buffer, on which threads wait for its tensor copies")
		}
		between := "one barrier an iteration"
		if r.Turns {
			between = "warpgroups take turns to issue their MMAs (ping-pong), by a named barrier for each"
		}
		if r.CopiesLast {
			hazards += ", and a second one behind the dot, before copies fill the buffer that the last dot has read"
		}
		w.line("           %s: %s", between, hazards)
	})
}

// method says how a load of a pipelined loop is made.
func (l *AsyncLoad) method() string {
	bytes := l.In.Results[0].Type.DType.Info().Bytes
	t := l.Tensor
	if t == nil {
		text := fmt.Sprintf("cp.async of %d bytes", l.Vec*bytes)
		if l.ToRegisters {
			text += ", then loaded to registers"
		}
		return text
	}
	shape := l.In.Results[0].Type.Shape
	text := fmt.Sprintf("tensor copies of %d × %d elements by one thread", shape[1-t.Fast], t.Span/bytes)
	if len(t.Limits) > 0 {
		text += ", whose mask is the tensor map's bounds"
	}
	return text
}

// reduction says how a reduction goes, steps of one kind together.
func (w *printer) reduction(r *Reduction) (ways []string) {
	for i := 0; i < len(r.Steps); {
		s, n := r.Steps[i], 1
		for ; i < len(r.Steps) && r.Steps[i].Kind == s.Kind; i++ {
			n *= 2
		}
		ways = append(ways, s.Kind.way(n, s.Exchange))
	}
	return ways
}

// way says how n elements, or the tiles of an exchange, are combined.
func (k ReduceKind) way(n int, exchange []*Conversion) string {
	switch k {
	case InRegisters:
		return fmt.Sprintf("%d elements in each thread", n)
	case InLanes:
		return fmt.Sprintf("%d lanes by shuffles", n)
	case AllLanes:
		return "all lanes by redux.sync"
	}
	return fmt.Sprintf("warps through shared memory, %d bytes", bytesOf(exchange))
}

func (w *printer) shared() {
	if n := w.p.SharedBytes; n > 0 {
		w.line("           %6d bytes: the most at a time", n)
	}
	seen := map[*Buffer]bool{}
	w.each(func(in *ir.Instr) {
		if b := w.p.Buffers[in]; b != nil && !seen[b] {
			seen[b] = true
			w.line("  %s  %6d bytes at %d: %s", w.at(in), b.Bytes, b.Offset, w.contents(in))
		}
	})
}

// contents says what the buffer of a local_alloc holds.
func (w *printer) contents(in *ir.Instr) string {
	switch x := w.p.Async[in]; {
	case x.Load != nil:
		return "stage buffers"
	case x.Pipeline != nil:
		return "mbarriers"
	case in.Operand(0) == nil:
		return w.list(in.Results)
	}
	return w.list(in.Operands)
}

func (w *printer) registers() {
	most := w.p.Pressure()
	w.line("  %s  about %d of %d for tiles that are live together, addresses aside", w.at(most.At), most.Registers,
		threadRegisters)
	for _, v := range most.Live[:min(4, len(most.Live))] {
		if !v.Type.IsScalar() {
			w.line("           %3d  %s: %s", w.p.RegistersOf(v), w.name(v), v.Type)
		}
	}
	if n := w.p.MinPrograms(); n > 0 {
		w.line("           ptxas allocates them so that an SM has room for %d programs", n)
	}
}

// placed prints the placed function, with what is decided about an instruction next to it.
func (w *printer) placed() {
	for _, l := range w.lines {
		text := l.Text
		if notes := w.notes(l.In); notes != nil {
			text += " // " + strings.Join(notes, "; ")
		}
		w.line("  %s  %s", w.at(l.In), text)
	}
}

// notes are what is decided about an instruction, which may be nil: what needs a barrier, how it is done, and why
// its results are where they are. What is computed wherever it is required has no reason of its own.
func (w *printer) notes(in *ir.Instr) (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if in == nil {
		return nil
	}
	if h := w.p.Hazards[in]; h != nil {
		note("%s of %s and %s", h.Kind, w.access(h.First), w.access(h.Second))
	}
	if x := w.p.Accesses[in]; x != nil && !w.p.copied(in) && in.Op != ops.TMALoad && !in.Operands[0].Type.IsScalar() {
		note("%d bytes at once", x.Vector*in.Operands[0].Type.DType.Info().Bytes)
		if x.Check == ByRange {
			note("checked by the range of the thread's addresses")
		}
		if free := x.Layout.Free(); free.Lane|free.Warp != 0 {
			note("the same element in several threads")
		}
		if x.Update.Way == InLoop {
			note("by compare-and-swap, again until nobody has come between")
		}
	}
	if r := w.p.Reductions[in]; r != nil {
		notes = append(notes, strings.Join(w.reduction(r), ", "))
	}
	for _, run := range w.p.Scans[in] {
		note("%s", scanKinds[run.In].way(1<<len(run.Bits), run.Exchange))
	}
	if s := w.p.MaskSkips[in]; s != nil && in == s.Select {
		note("a warp branches around it where %s is true for all its elements, by the least and the greatest of those",
			w.name(s.Compare.Results[0]))
	}
	if w.p.Guards[in] {
		note("around a loop that overwrites accumulators; else is behind the kernel's code")
	}
	if w.p.Counted[in] {
		note("counts its iterations down")
	}
	if w.p.Fenced[in] {
		note("behind a fence")
	}
	if in.Op == ops.Uniform {
		note("control flow depends on it")
	}
	for _, v := range in.Results {
		if w.p.Words[v] {
			note("in words, since warpgroup MMAs alone take it")
		}
		if r := w.reason(v); r != "" && !slices.Contains(notes, r) {
			note("%s", r)
		}
	}
	return notes
}

// scanKinds are the kinds of steps that the runs of a scan are like.
var scanKinds = [...]ReduceKind{layout.InReg: InRegisters, layout.InLane: InLanes, layout.InWarp: AcrossWarps}

// reason says why v has its layout.
func (w *printer) reason(v *ir.Value) string {
	t := &w.p.Tiles[v.ID]
	if c := w.p.Conversions[v.Def]; c != nil {
		return c.way()
	}
	if v.Type.IsScalar() || v.Type.IsMemDesc() || t.Rematerialized || t.Reason.Kind == None {
		return ""
	}
	switch r := t.Reason; {
	case r.Kind == Accumulator:
		return "anchor: the sums of the dot"
	case r.Kind == Coalesced && r.In == w.p.source[v.Def]:
		return "anchor: coalesced"
	case r.Kind == Coalesced:
		return "anchor: coalesced " + w.access(r.In)
	case r.Kind == Implied:
		return fmt.Sprintf("implied by %s", r.In.Op)
	case r.From != nil:
		return "as " + w.name(r.From)
	case r.Kind == Propagated:
		return "as a tile that is computed elsewhere"
	}
	return "by shape, no anchor reaches it"
}

// ways are the words for the ways of conversions.
var ways = map[layout.Kind]string{layout.Rename: "by other names for registers",
	layout.Shuffle: "by shuffles within warps", layout.Shared: "through shared memory"}

// way says how a tile is converted.
func (c *Conversion) way() string {
	way := ways[c.Kind]
	if c.Kind != layout.Shared {
		return way
	}
	if way += fmt.Sprintf(", %d bytes", c.Bytes); c.Parts > 1 {
		way += fmt.Sprintf(" for each of %d parts", c.Parts)
	}
	if c.WithinWarps {
		way += ", within warps"
	}
	if x := c.Matrices; x != nil {
		way += fmt.Sprintf(", stored by %d stmatrix.x%d", len(x.At), x.Count)
	}
	return way
}

func (w *printer) listLayouts() {
	for i, l := range w.layouts {
		w.line("  #%d: %d a thread, %s", i, l.Regs(), l)
	}
	for i, m := range w.mems {
		w.line("  $%d: %d bytes, %s", i, m.Bytes(), m)
	}
}
