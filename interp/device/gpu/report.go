package gpu

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

// A launch reports in one piece of memory: a record for each site, then the head of the prints,
// which are cleared before and read after it, then the prints themselves.
const (
	siteBytes    = 64
	printHeader  = 16
	printRecord  = 16 // bytes of a record before its values
	valueBytes   = 8
	noArgument   = -1
	programAlign = 16
)

// reportBytes is how much of a launch's memory is cleared, and how much there is.
func reportBytes(m *ptx.Module, prints int) (cleared, all int) {
	cleared = siteBytes*len(m.Sites) + printHeader
	return cleared, cleared + prints
}

// reports are the reports of a launch, as the kernel left them in memory.
type reports struct {
	module *ptx.Module
	report []byte
	head   []byte // of the prints
}

func splitReports(m *ptx.Module, raw []byte) reports {
	end := siteBytes * len(m.Sites)
	return reports{m, raw[:end], raw[end:]}
}

// record is the report of the first thread that found something at a site.
type record struct {
	program  [3]int
	offset   int64
	argument int
	more     int64 // violations after the first
}

// record reads a site's record, as compiler/ptx lays it out: at byte 0 a word that the first thread sets to claim it,
// from 8 on the program's index along x, y and z, at 24 the offset in 64 bits, at 32 the argument, at 36 how many more
// violations there were.
func (a reports) record(site int) (r record, claimed bool) {
	raw := a.report[siteBytes*site:][:siteBytes]
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(raw[at:]) }
	r = record{
		program:  [3]int{int(word(8)), int(word(12)), int(word(16))},
		offset:   int64(binary.LittleEndian.Uint64(raw[24:])),
		argument: int(int32(word(32))), more: int64(word(36)),
	}
	return r, word(0) != 0
}

// violationCodes is the code of a violation by the operation that has it.
var violationCodes = map[ops.Op]string{
	ops.Load: "out-of-bounds-load", ops.Store: "out-of-bounds-store", ops.AtomicRMW: "out-of-bounds-atomic",
	ops.AtomicCAS: "out-of-bounds-atomic", ops.AtomicLoad: "out-of-bounds-load",
	ops.AtomicStore: "out-of-bounds-store", ops.Gather: "out-of-bounds-gather",
}

// stopFaults makes the fault of a site that ends its program.
var stopFaults = map[ptx.SiteKind]func(s *ptx.Site, r record) *tile.Fault{
	ptx.Assert: func(s *ptx.Site, r record) *tile.Fault {
		return tile.AssertFailed(s.Span, r.program, s.In.Str("message"), r.offset)
	},
	ptx.Assume: func(s *ptx.Site, r record) *tile.Fault { return tile.AssumptionWrong(s.Span, r.program) },
	ptx.Budget: func(s *ptx.Site, r record) *tile.Fault { return tile.LoopBudget(s.Span, r.program) },
}

// sites decodes what the launch found: accesses out of bounds, merged as the interpreter merges them,
// and the fault of the first program that has one.
func (a reports) sites(b *binding) (list []tile.Violation, found *tile.Fault) {
	type place struct {
		code string
		span source.Span
		arg  int
	}
	at := map[place]int{}
	for i := range a.module.Sites {
		s := &a.module.Sites[i]
		r, claimed := a.record(i)
		if !claimed {
			continue
		}
		if stop := stopFaults[s.Kind]; stop != nil {
			if found == nil || runsBefore(r.program, found.Program) {
				found = stop(s, r)
			}
			continue
		}
		v := b.violation(s, r)
		p := place{v.Code, v.Span, v.Arg}
		j, known := at[p]
		if !known {
			at[p] = len(list)
			list = append(list, v)
			continue
		}
		// Several sites may come of one access, which the compiler has split.
		count := list[j].Count + v.Count
		if runsBefore(v.Program, list[j].Program) {
			list[j] = v
		}
		list[j].Count = count
	}
	tile.SortViolations(list)
	return list, found
}

// runsBefore reports whether program a comes before b in the order of the interpreter, z fastest.
func runsBefore(a, b [3]int) bool { return slices.Compare(a[:], b[:]) < 0 }

func (b *binding) violation(s *ptx.Site, r record) tile.Violation {
	// A GPU does not record lanes: Violation.Lanes stays empty.
	v := tile.Violation{
		Code: violationCodes[s.In.Op], Span: s.Span, Arg: r.argument, Program: r.program, Index: r.offset,
		Count: 1 + r.more,
	}
	switch {
	case s.In.Op == ops.Gather:
		v.Arg, v.Size = noArgument, int64(s.In.Operands[0].Type.Shape[s.In.Int("axis")])
	case r.argument < 0 || r.argument >= len(b.args):
		v.Code, v.Arg = "wild-pointer", noArgument
	default:
		a := b.args[r.argument]
		v.Tensor, v.Size = a.name, a.count-a.origin
	}
	return v
}

// prints reads and formats what the launch printed, in program order and as much as the
// interpreter keeps.
func (a reports) prints(s *session) ([]device.Print, int, error) {
	g := s.kernel.gpu
	used := int(binary.LittleEndian.Uint32(a.head))
	dropped := int(binary.LittleEndian.Uint32(a.head[4:]))
	raw := make([]byte, min(used, g.options.PrintBytes))
	if err := g.driver.Read(g.scratch.at+uint64(len(a.report)+printHeader), raw); err != nil {
		return nil, 0, faultOf(err)
	}
	list, skipped := a.parse(raw)
	dropped += skipped
	slices.SortStableFunc(list, func(x, y device.Print) int { return slices.Compare(x.Program[:], y.Program[:]) })
	bytes := 0
	for i, p := range list {
		if i == tile.MaxPrints || bytes >= tile.MaxPrintText {
			return list[:i], dropped + len(list) - i, nil
		}
		bytes += len(p.Text)
	}
	return list, dropped, nil
}

// parse reads records until the first that cannot be one, and counts those whose text is too long.
func (a reports) parse(raw []byte) (list []device.Print, skipped int) {
	for len(raw) >= printRecord {
		word := func(i int) int { return int(binary.LittleEndian.Uint32(raw[4*i:])) }
		site, program := word(0), [3]int{word(1), word(2), word(3)}
		if site >= len(a.module.PrintSites) {
			break // the record was not written to its end
		}
		in := a.module.PrintSites[site].In
		values, size := operands(in, raw[printRecord:])
		if values == nil && len(in.Operands) > 0 {
			break
		}
		if text, ok := tile.PrintText(in, program, values); ok {
			list = append(list, device.Print{Program: program, Span: in.Span, Text: text})
		} else {
			skipped++
		}
		raw = raw[min(len(raw), (printRecord+size+programAlign-1)/programAlign*programAlign):]
	}
	return list, skipped
}

// operands reads the values of a print's operands, nil where raw is too short for them.
func operands(in *ir.Instr, raw []byte) (values []num.Vec, size int) {
	for _, o := range in.Operands {
		n := o.Type.Numel()
		if len(raw)-size < n*valueBytes {
			return nil, 0
		}
		values = append(values, vector(o, raw[size:], n))
		size += n * valueBytes
	}
	return values, size
}

// vector reads n values that were each extended to 8 bytes; pointers are integers.
func vector(o *ir.Value, raw []byte, n int) num.Vec {
	v := num.MakeVec(o.Type.Class(), n)
	for i := range n {
		bits := binary.LittleEndian.Uint64(raw[i*valueBytes:])
		switch {
		case v.I32 != nil:
			v.I32[i] = int32(bits)
		case v.I64 != nil:
			v.I64[i] = int64(bits)
		case v.F64 != nil:
			v.F64[i] = math.Float64frombits(bits)
		default:
			one := num.Scalar{DType: o.Type.DType, Bits: bits}.Vec()
			v.F32[i] = one.F32[0]
		}
	}
	return v
}
