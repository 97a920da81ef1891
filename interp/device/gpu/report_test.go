package gpu

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

const everything = `func @everything(%x: *fp32, %z: *fp32, %n: i8) {
  %r = arange {start=0, end=4} : i32[4]
  %xs = splat %x {shape=[4]} : *fp32[4]
  %xp = addptr %xs, %r : *fp32[4]
  %v = load %xp : fp32[4] @10:20
  %half = cast %v {to=fp16} : fp16[4]
  %yes = lt %r, %r : i1[4]
  assert %yes {message="so"} @30:40
  print %half, %r, %n {text="{} {} {}", style=python} @50:60
  %zs = splat %z {shape=[4]} : *fp32[4]
  %zp = addptr %zs, %r : *fp32[4]
  store %zp, %v @70:80
  return
}
`

func parsed(t *testing.T, text string) (fn *ir.Func, find func(op ops.Op) *ir.Instr) {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return fn, func(op ops.Op) (found *ir.Instr) {
		fn.Body.Walk(func(in *ir.Instr) {
			if in.Op == op {
				found = in
			}
		})
		return found
	}
}

// claim writes the record of a site.
func claim(report []byte, site int, program [3]uint32, offset int64, argument, more uint32) {
	raw := report[siteBytes*site:]
	binary.LittleEndian.PutUint32(raw, 1)
	for i, p := range program {
		binary.LittleEndian.PutUint32(raw[8+4*i:], p)
	}
	binary.LittleEndian.PutUint64(raw[24:], uint64(offset))
	binary.LittleEndian.PutUint32(raw[32:], argument)
	binary.LittleEndian.PutUint32(raw[36:], more)
}

func TestSites(t *testing.T) {
	_, find := parsed(t, everything)
	load, store, assert := find(ops.Load), find(ops.Store), find(ops.Assert)
	m := &ptx.Module{Sites: []ptx.Site{
		{Kind: ptx.Bounds, Span: store.Span, In: store}, {Kind: ptx.Bounds, Span: load.Span, In: load},
		{Kind: ptx.Bounds, Span: load.Span, In: load}, {Kind: ptx.Assert, Span: assert.Span, In: assert},
		{Kind: ptx.Assert, Span: assert.Span, In: assert}, {Kind: ptx.Budget, Span: load.Span, In: load},
	}}
	b := &binding{args: []argument{{name: "x", origin: 2, count: 40}, {name: "z", count: 8}, {}}}
	raw := make([]byte, siteBytes*len(m.Sites)+printHeader)
	if list, found := splitReports(m, raw).sites(b); len(list) != 0 || found != nil {
		t.Errorf("nothing was claimed, and it says %v, %v", list, found)
	}
	claim(raw, 0, [3]uint32{1, 0, 0}, 8, 1, 3)
	claim(raw, 1, [3]uint32{2, 0, 0}, -3, 0, 4)
	claim(raw, 2, [3]uint32{1, 5, 0}, 38, 0, 1)
	list, found := splitReports(m, raw).sites(b)
	want := []tile.Violation{
		{Code: "out-of-bounds-load", Span: load.Span, Arg: 0, Tensor: "x", Program: [3]int{1, 5, 0}, Index: 38, Size: 38, Count: 7},
		{Code: "out-of-bounds-store", Span: store.Span, Arg: 1, Tensor: "z", Program: [3]int{1, 0, 0}, Index: 8, Size: 8, Count: 4},
	}
	if !reflect.DeepEqual(list, want) || found != nil {
		t.Errorf("%+v, %v", list, found)
	}
	claim(raw, 2, [3]uint32{}, 38, 77, 0)
	claim(raw, 3, [3]uint32{4, 0, 0}, 2, 0, 0)
	claim(raw, 4, [3]uint32{3, 9, 9}, 1, 0, 0)
	claim(raw, 5, [3]uint32{3, 9, 10}, 0, 0, 0)
	list, found = splitReports(m, raw).sites(b)
	if len(list) != 3 || list[0].Code != "wild-pointer" || list[0].Tensor != "" {
		t.Errorf("a pointer into no argument gives %+v", list)
	}
	if assertion := tile.AssertFailed(assert.Span, [3]int{3, 9, 9}, "so", 1); !reflect.DeepEqual(found, assertion) {
		t.Errorf("the fault is %+v, want %+v", found, assertion)
	}
}

func TestPrintRecords(t *testing.T) {
	_, find := parsed(t, everything)
	print := find(ops.Print)
	m := &ptx.Module{PrintSites: []ptx.PrintSite{{In: print}}}
	var raw []byte
	for _, word := range []uint32{0, 1, 2, 3} {
		raw = binary.LittleEndian.AppendUint32(raw, word)
	}
	minus := int64(-1)
	for _, bits := range []uint64{0x3c00, 0xc000, 0x7c00, 0, 0, 1, 2, 3, uint64(minus)} {
		raw = binary.LittleEndian.AppendUint64(raw, bits)
	}
	raw = append(raw, make([]byte, 8)...)
	want := device.Print{Program: [3]int{1, 2, 3}, Span: print.Span, Text: "[ 1. -2. inf  0.] [0 1 2 3] [-1]"}
	if got, skipped := (reports{module: m}).parse(append(raw, raw...)); skipped != 0 || !reflect.DeepEqual(got, []device.Print{want, want}) {
		t.Errorf("%+v", got)
	}
	for n := range raw {
		(reports{module: m}).parse(raw[:n])
	}
	binary.LittleEndian.PutUint32(raw, math.MaxUint32)
	if got, _ := (reports{module: m}).parse(raw); got != nil {
		t.Errorf("a print of no site gives %+v", got)
	}
}

func TestBinding(t *testing.T) {
	fn, _ := parsed(t, everything)
	g := Open(NewSimulator(SimulatorOptions{}), Options{}).(*gpu)
	m, err := g.Alloc(160)
	if err != nil {
		t.Fatal(err)
	}
	at := m.(*memory).at
	x := device.Pointer{Memory: m, DType: num.Float32, Offset: 3}
	b, release := g.bind(fn, []device.Arg{x, x, device.Scalar{Scalar: num.FromInt(num.Int32, -5)}})
	defer release()
	slots := map[ptx.ParamKind]uint64{ptx.Base: at + 12, ptx.First: ^uint64(2), ptx.Count: 40, ptx.Address: 12}
	if !reflect.DeepEqual(b.args[0].slots, slots) || b.args[0].name != "x" {
		t.Errorf("a pointer becomes %+v", b.args[0])
	}
	if got := b.args[2].slots[ptx.Value]; got != ^uint64(4) {
		t.Errorf("an i8 of -5 becomes %x", got)
	}
	if f := b.check([3]int{1, 1, 1}); f != nil {
		t.Errorf("it is refused: %v", f)
	}
	fn.Params[0].Divisible = 8
	if f := b.check([3]int{1, 1, 1}); f == nil || f.Diagnostic().Code != "launch-argument-divisible" {
		t.Errorf("an address that is not what the code was compiled for: %v", f)
	}
}

// TestMemoryOfOthers passes memory of another device.
func TestMemoryOfOthers(t *testing.T) {
	fn, _ := parsed(t, everything)
	open := func() *gpu { return Open(NewSimulator(SimulatorOptions{}), Options{}).(*gpu) }
	m, err := open().Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	x := device.Pointer{Memory: m, DType: num.Float32}
	b, release := open().bind(fn, []device.Arg{x, x, device.Scalar{Scalar: num.FromInt(num.Int8, 1)}})
	defer release()
	if f := b.check([3]int{1, 1, 1}); f == nil || f.Diagnostic().Code != "launch-argument-type" {
		t.Errorf("it gives %v", f)
	}
}

func TestMemoryBounds(t *testing.T) {
	g := Open(NewSimulator(SimulatorOptions{MemoryBytes: 1 << 20}), Options{MemoryBytes: 1000})
	m, err := g.Alloc(600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Alloc(401); err == nil || err.(device.Fault).Diagnostic().Code != "out-of-memory" {
		t.Errorf("1001 bytes of 1000: %v", err)
	}
	m.Free()
	m.Free()
	if _, err := g.Alloc(1000); err != nil {
		t.Errorf("what was freed is not given out again: %v", err)
	}
	if err := m.Read(0, make([]byte, 1)); err == nil {
		t.Error("memory that was freed is read")
	}
}
