package tile

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/trace"
)

// tiler writes random kernels whose offsets and masks mostly are arithmetic on aranges: of vectors and of tiles with
// rows, under loops and branches, wrapping, ragged, out of bounds, and on arguments that share storage.
type tiler struct {
	*rand.Rand
	text    strings.Builder
	n       int
	rows    int
	columns int
	pool    map[string][]string // values in scope, by type
	depth   int                 // of operands
	nested  int                 // regions
	flat    bool                // elementwise work on vectors, which most kernels do in batches
	budget  int64
}

// tilerElements are the element types of what kernels load and store.
var tilerElements = []string{"fp32", "fp32", "i32", "i64", "fp16", "i8", "i1"}

func (g *tiler) any(list ...string) string { return list[g.IntN(len(list))] }

// emit writes an operation and gives its result.
func (g *tiler) emit(kind, format string, args ...any) string {
	g.n++
	v := fmt.Sprintf("%%v%d", g.n)
	fmt.Fprintf(&g.text, "  %s = %s : %s @%d:%d\n", v, fmt.Sprintf(format, args...), kind, g.n, g.n+1)
	g.pool[kind] = append(g.pool[kind], v)
	return v
}

func (g *tiler) shapes() []string {
	if g.flat {
		return []string{fmt.Sprintf("[%d]", g.columns)}
	}
	return []string{
		fmt.Sprintf("[%d]", g.columns), fmt.Sprintf("[%d]", g.rows), fmt.Sprintf("[%d, %d]", g.rows, g.columns),
		fmt.Sprintf("[%d, 1]", g.rows), fmt.Sprintf("[1, %d]", g.columns),
	}
}

// value is one of an element type and a shape, mostly one that exists.
func (g *tiler) value(element, shape string) string {
	kind := element + shape
	if have := g.pool[kind]; len(have) > 0 && g.IntN(4) > 0 {
		return have[g.IntN(len(have))]
	}
	g.depth++
	defer func() { g.depth-- }()
	if shape == "" {
		return g.scalar(element)
	}
	if g.depth > 6 {
		return g.splat(element, shape)
	}
	if all := g.shapes(); !g.flat && g.IntN(3) == 0 {
		switch shape {
		case all[2]:
			return g.emit(kind, "broadcast %s {shape=%s}", g.value(element, g.any(all[3:]...)), shape)
		case all[3]:
			return g.emit(kind, "expand_dims %s {axis=1}", g.value(element, all[1]))
		case all[4]:
			return g.emit(kind, "expand_dims %s {axis=0}", g.value(element, all[0]))
		}
	}
	return g.make(element, shape)
}

func (g *tiler) splat(element, shape string) string {
	return g.emit(element+shape, "splat %s {shape=%s}", g.value(element, ""), shape)
}

func (g *tiler) make(element, shape string) string {
	kind := element + shape
	two := func(op, of string) string {
		return g.emit(kind, "%s %s, %s", op, g.value(of, shape), g.value(of, shape))
	}
	switch {
	case strings.HasPrefix(element, "*"):
		if g.IntN(4) == 0 {
			return g.splat(element, shape)
		}
		return g.emit(kind, "addptr %s, %s", g.value(element, shape), g.value(g.any("i32", "i32", "i64", "u32"), shape))
	case element == "i1":
		switch g.IntN(6) {
		case 0:
			return g.splat(element, shape)
		case 1:
			return two(g.any("and", "and", "or", "xor"), element)
		}
		return two(g.any("lt", "le", "gt", "ge", "eq", "ne"), g.any("i32", "i32", "i64", "u32", "fp32"))
	case element == "i32" && strings.Count(shape, ",") == 0 && g.IntN(2) == 0:
		start := g.any("0", "0", "5", "2147480000")
		var from, size int
		fmt.Sscan(start, &from)
		fmt.Sscanf(shape, "[%d]", &size)
		return g.emit(kind, "arange {start=%d, end=%d}", min(from, 1<<31-1-size), min(from, 1<<31-1-size)+size)
	case element == "i32" || element == "i64" || element == "u32":
		switch n := g.IntN(6); {
		case n == 0:
			return g.splat(element, shape)
		case n == 1 || n == 2 && element == "u32":
			return g.emit(kind, "cast %s {to=%s}", g.value(g.any("i32", "i64", "u32", "i8", "i1"), shape), element)
		case n == 2 && (!g.flat || g.IntN(8) == 0):
			return g.load(element, shape)
		}
		return two(g.any("add", "add", "add", "sub", "mul", "mul", "div", "rem", "min", "xor"), element)
	}
	switch n := g.IntN(9); {
	case n == 0:
		return g.splat(element, shape)
	case n == 1:
		return g.emit(kind, "select %s, %s, %s", g.value("i1", shape), g.value(element, shape), g.value(element, shape))
	case n < 4 && element != "i8":
		op, attributes := g.any("add", "mul", "sub", "div", "max", "min"), ""
		if op[0] == 'm' && op != "mul" && g.IntN(2) == 0 {
			attributes = " {propagate_nan=true}"
		}
		return g.emit(kind, "%s %s, %s%s", op, g.value(element, shape), g.value(element, shape), attributes)
	case n == 4 && element != "i8":
		if g.IntN(2) == 0 {
			return g.emit(kind, "cast %s {to=%s}", g.value(g.any("fp32", "fp16", "i32", "i1"), shape), element)
		}
		return g.emit(kind, "%s %s", g.any("neg", "abs", "exp", "exp2", "sqrt"), g.value(element, shape))
	case n == 5 && !g.flat:
		if v := g.whole(element, shape); v != "" {
			return v
		}
	}
	return g.load(element, shape)
}

// whole is a value that is made of a whole tile: a reduction, a scan, a product or a transposition; "" where there is
// none of the shape.
func (g *tiler) whole(element, shape string) string {
	all := g.shapes()
	combine := func(op, of string, axis int) string {
		v := g.value(element, of)
		g.n++
		name, inner := fmt.Sprintf("%%v%d", g.n), g.any("add", "max", "min")
		fmt.Fprintf(&g.text, "  %s = %s %s {axis=%d} : %s combine (%%x%d: %s, %%y%[6]d: %[7]s) {\n"+
			"    %%z%[6]d = %[8]s %%x%[6]d, %%y%[6]d : %[7]s\n    yield %%z%[6]d\n  }\n",
			name, op, v, axis, element+shape, g.n, element, inner)
		g.pool[element+shape] = append(g.pool[element+shape], name)
		return name
	}
	square := g.rows == g.columns && shape == all[2]
	switch n := g.IntN(4); {
	case n == 0:
		return combine("scan", shape, g.IntN(1+strings.Count(shape, ",")))
	case shape == all[0] && n < 3:
		return combine("reduce", all[2], 0)
	case shape == all[1]:
		return combine("reduce", all[2], 1)
	case square && n == 1:
		return g.emit(element+shape, "trans %s {perm=[1, 0]}", g.value(element, shape))
	case square && element == "fp32":
		of := g.any("fp32", "fp16")
		return g.emit(element+shape, "dot %s, %s, %s {input_precision=ieee}", g.value(of, shape), g.value(of, shape),
			g.value(element, shape))
	}
	return ""
}

func (g *tiler) load(element, shape string) string {
	kind, p := element+shape, g.pointers(0, element, shape)
	switch g.IntN(4) {
	case 0:
		return g.emit(kind, "load %s", p)
	case 1:
		return g.emit(kind, "load %s, %s, %s", p, g.value("i1", shape), g.value(element, shape))
	}
	return g.emit(kind, "load %s, %s", p, g.value("i1", shape))
}

// pointers are into any argument, or where the kernel is flat mostly into one of the two.
func (g *tiler) pointers(argument int, element, shape string) string {
	if !g.flat || g.IntN(16) == 0 {
		return g.value("*"+element, shape)
	}
	base := g.emit("*"+element+shape, "splat %%%s_%d {shape=%s}", element, argument, shape)
	at := g.emit("i32"+shape, "add %s, %s", g.emit("i32"+shape, "splat %%v3 {shape=%s}", shape),
		g.emit("i32"+shape, "arange {start=0, end=%d}", g.columns))
	if g.IntN(4) == 0 {
		at = g.value("i32", shape)
	}
	p := g.emit("*"+element+shape, "addptr %s, %s", base, at)
	delete(g.pool, "*"+element+shape) // those of stores are not for loads
	return p
}

// scalar is a number, mostly a small one.
func (g *tiler) scalar(element string) string {
	switch {
	case strings.HasPrefix(element, "*"):
		return g.emit(element, "addptr %s, %s", g.any(g.pool[element]...), g.value("i32", ""))
	case element == "i32" && g.IntN(3) == 0:
		return g.emit(element, "%s %s, %s", g.any("add", "mul"), g.value(element, ""), g.value(element, ""))
	}
	x := g.any("0", "1", "1", "2", "3", "7", fmt.Sprint(g.columns), fmt.Sprint(g.rows))
	large := map[string]string{"i32": "2147483647", "i64": "1099511627776", "u32": "4294967294"}
	if large[element] != "" && g.IntN(8) == 0 {
		x = large[element]
	}
	switch element {
	case "i1":
		x = g.any("true", "false")
	case "i8":
		x = g.any("0", "1", "-3")
	}
	return g.emit(element, "const {value=%s(%s)}", element, x)
}

func tilerDType(element string) num.DType {
	for d := range num.NumDTypes {
		if d.Info().Short == element {
			return d
		}
	}
	panic(element)
}

// store writes to memory, which loads before it may have read.
func (g *tiler) store() {
	element := g.any(tilerElements...)
	shape := g.any(g.shapes()...)
	p, v := g.pointers(1, element, shape), g.value(element, shape)
	if g.IntN(3) == 0 {
		fmt.Fprintf(&g.text, "  store %s, %s @%d:%d\n", p, v, g.n, g.n)
		return
	}
	fmt.Fprintf(&g.text, "  store %s, %s, %s @%d:%d\n", p, v, g.value("i1", shape), g.n, g.n)
}

// inside writes steps of a region and leaves no value of it in scope; end writes its terminator.
func (g *tiler) inside(steps int, end func()) {
	outside := map[string][]string{}
	for kind, list := range g.pool {
		outside[kind] = list[:len(list):len(list)]
	}
	for range steps {
		g.step()
	}
	end()
	g.pool = outside
}

// step writes an operation with an effect, a loop that carries offsets, pointers, a mask and numbers, or a branch.
func (g *tiler) step() {
	shape := g.any(g.shapes()...)
	elements := []string{"i32", "*" + g.any(tilerElements...), "i1", "fp32"}
	yield := func() {
		var list []string
		for _, e := range elements {
			list = append(list, g.value(e, shape))
		}
		fmt.Fprintf(&g.text, "  yield %s\n", strings.Join(list, ", "))
	}
	var kinds, results []string
	for _, e := range elements {
		g.n++
		kinds, results = append(kinds, e+shape), append(results, fmt.Sprintf("%%v%d", g.n))
	}
	switch head := strings.Join(results, ", ") + " = "; {
	case g.flat || g.nested > 1 || g.IntN(3) > 0:
		g.store()
		return
	case g.IntN(3) == 0:
		cond := g.value("i1", "")
		fmt.Fprintf(&g.text, "  %sif %s : %s then {\n", head, cond, strings.Join(kinds, ", "))
		g.nested++
		g.inside(g.IntN(3), yield)
		g.text.WriteString("  } else {\n")
		g.inside(g.IntN(3), yield)
	default:
		var inits, args []string
		for i, e := range elements {
			inits = append(inits, g.value(e, shape))
			args = append(args, fmt.Sprintf("%%a%d_%d: %s", g.n, i, kinds[i]))
		}
		lo, hi, by := g.emit("i32", "const {value=i32(0)}"), g.emit("i32", "const {value=i32(%d)}", g.IntN(4)),
			g.emit("i32", "const {value=i32(1)}")
		at := g.n
		fmt.Fprintf(&g.text, "  %sfor %s, %s, %s, %s : %s do (%%i%d: i32, %s) {\n", head, lo, hi, by,
			strings.Join(inits, ", "), strings.Join(kinds, ", "), at, strings.Join(args, ", "))
		g.nested++
		outside := g.pool
		g.pool = map[string][]string{}
		for kind, list := range outside {
			g.pool[kind] = list[:len(list):len(list)]
		}
		for i, a := range args {
			g.pool[kinds[i]] = append(g.pool[kinds[i]], a[:strings.Index(a, ":")])
		}
		g.pool["i32"] = append(g.pool["i32"], fmt.Sprintf("%%i%d", at))
		g.inside(1+g.IntN(3), yield)
		g.pool = outside
	}
	g.nested--
	g.text.WriteString("  }\n")
	for i, kind := range kinds {
		g.pool[kind] = append(g.pool[kind], results[i])
	}
}

// kernel is a random kernel with two pointers to each kind of element.
func (g *tiler) kernel() string {
	var params []string
	for _, e := range []string{"fp32", "i32", "i64", "fp16", "i8", "i1"} {
		for k := range 2 {
			v := fmt.Sprintf("%%%s_%d", e, k)
			params = append(params, v+": *"+e)
			g.pool["*"+e] = append(g.pool["*"+e], v)
		}
	}
	for _, v := range []string{"%n", "%s"} {
		params = append(params, v+": i32")
		g.pool["i32"] = append(g.pool["i32"], v)
	}
	g.emit("i32", "program_id {axis=0}")
	g.emit("i32", "mul %%v1, %s", g.emit("i32", "const {value=i32(%d)}", g.columns))
	steps := 3 + g.IntN(8)
	if g.flat {
		steps = 1 + g.IntN(3)
	}
	for range steps {
		g.step()
	}
	return fmt.Sprintf("func @k(%s) {\n%s  return\n}\n", strings.Join(params, ", "), g.text.String())
}

// arguments are those of a kernel, some of which share their storage.
func (g *tiler) arguments() (args []Arg) {
	for _, e := range []string{"fp32", "i32", "i64", "fp16", "i8", "i1"} {
		d := tilerDType(e)
		size := d.Info().Bytes
		n := 1 + g.IntN(3*max(1, g.rows)*g.columns)
		if g.flat {
			n = flatPrograms*g.columns - g.IntN(3)*g.IntN(flatPrograms*g.columns)/2
		}
		data := make([]byte, size*n)
		for i := range data {
			if data[i] = byte(g.IntN(256)); size > 2 && i%size > 0 {
				data[i] = byte(g.IntN(2)) * data[i] // small integers, too
			}
		}
		args = append(args, Buffer{DType: d, Data: data})
		other := Buffer{DType: d, Data: data}
		if g.IntN(2) == 0 {
			other.Data = append([]byte(nil), data...)
		}
		if other.Offset = g.IntN(len(data)/size + 1); g.flat { // programs close to each other meet there
			other.Offset = min(other.Offset, g.IntN(2*g.columns))
		}
		args = append(args, other)
	}
	return append(args, int32Arg(int64(g.IntN(3*g.columns))), int32Arg(int64([]int{1, g.columns, 3, 2 * g.columns}[g.IntN(4)])))
}

// formOutcome is all that a launch of a kernel with forms, or without, leaves.
type formOutcome struct {
	report   *Report
	fault    *Fault
	memory   [][]byte
	accesses []trace.Access
	batched  bool
}

// flatPrograms is how many programs a flat kernel has.
const flatPrograms = 600

func (g *tiler) run(t *testing.T, text string, args []Arg, noForms, observed bool) (o formOutcome) {
	t.Helper()
	fn := mustParse(t, text)
	p := newPlanner(t.Context(), fn, nothing)
	p.noForms = noForms
	k, err := p.kernel()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.batched = k.batch() != nil && !noForms
	// Arguments that share storage share their copy, too.
	copies := map[*byte][]byte{}
	l := Launch{Grid: [3]int{3, 1, 1}, Workers: 1, Poison: true}
	if g.flat {
		l.Grid[0], l.Poison, l.Budget = flatPrograms, false, g.budget
	}
	for _, a := range args {
		if b, ok := a.(Buffer); ok {
			if copies[&b.Data[0]] == nil {
				copies[&b.Data[0]] = append([]byte(nil), b.Data...)
				o.memory = append(o.memory, copies[&b.Data[0]])
			}
			b.Data = copies[&b.Data[0]]
			a = b
		}
		l.Args = append(l.Args, a)
	}
	r := &trace.Recorder{MaxLanes: 1 << 22}
	if observed {
		l.Observer = r
	}
	o.report, o.fault = k.Run(context.Background(), l)
	for i := range r.Accesses {
		a := &r.Accesses[i]
		a.Instr = nil            // of another parse of the text
		if a.Values.F32 != nil { // NaN equals itself as bits
			a.Values = num.Vec{I64: widened(words32(a.Values))}
		}
	}
	o.accesses = r.Accesses
	return o
}

func widened(words []uint32) (out []int64) {
	for _, w := range words {
		out = append(out, int64(w))
	}
	return out
}

// TestForms compares plans that keep tiles in closed form with plans that have elements alone: the memory that they
// leave, what they report, the work that they count and the accesses that an observer sees.
func TestForms(t *testing.T) {
	for seed := range soak.Times(400) {
		g := &tiler{Rand: rand.New(rand.NewPCG(seed, 7)), pool: map[string][]string{}, rows: 8, columns: 32}
		if seed%16 == 0 {
			g.rows, g.columns = 64, 64
		}
		text, args := g.kernel(), g.arguments()
		for _, observed := range []bool{false, true} {
			want, got := g.run(t, text, args, true, observed), g.run(t, text, args, false, observed)
			if got.batched = false; !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, observed %v:\n%+v\n%+v\nwithout forms, of\n%s", seed, observed, got.report, want.report, text)
			}
		}
	}
}

// TestBatches is TestForms for kernels of which batches of programs run, and checks that many do.
func TestBatches(t *testing.T) {
	times, batched := soak.Times(200), 0
	for seed := range times {
		g := &tiler{Rand: rand.New(rand.NewPCG(seed, 9)), pool: map[string][]string{}, columns: 16 << (seed % 4), flat: true}
		text, args := g.kernel(), g.arguments()
		if seed%4 == 0 {
			g.budget = 100_000 + g.Int64N(1_000_000)
		}
		want, got := g.run(t, text, args, true, false), g.run(t, text, args, false, false)
		if got.batched {
			batched++
		}
		if got.batched = false; !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d:\n%+v %v\n%+v %v\nwithout batches, of\n%s", seed, got.report, got.fault,
				want.report, want.fault, text)
		}
	}
	if batched < int(times)/4 {
		t.Errorf("only %d of %d kernels have batches", batched, times)
	}
}

var record = flag.Bool("record", false, "write the digests that TestKernels compares")

// digests has a digest for each hundred random kernels: of the memory that they leave, how many accesses they have out of
// bounds, and how they fail. Plans without forms or batches wrote them, and Go's loops, without vectors:
//
//	go test -tags purego ./interp/tile -run TestKernels -record
const digests = "testdata/kernels.txt"

// TestKernels: all engines leave what the plainest has left: with forms, in batches, on vectors of each processor, and
// with those of the page (frontend/build -exec).
func TestKernels(t *testing.T) {
	const kernels, each = 20_000, 100
	var out bytes.Buffer
	file, err := os.ReadFile(digests)
	if *record {
		if num.HasVectors() {
			t.Fatal("this processor's vectors are what the digests are for: record with -tags purego")
		}
	} else if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(file))
	for i := range kernels / each {
		if !*record && soak.Skips(i, 50) {
			continue
		}
		hash := fnv.New64a()
		for seed := range uint64(each) {
			g := newTiler(uint64(i*each)+seed, 11)
			text, args := g.kernel(), g.arguments()
			o := g.run(t, text, args, *record, false)
			fmt.Fprint(hash, len(o.report.Violations), o.fault != nil && o.fault.Code != "")
			for _, memory := range o.canonical(args) {
				hash.Write(memory)
			}
		}
		if *record {
			fmt.Fprintf(&out, "%016x\n", hash.Sum64())
		} else if got := fmt.Sprintf("%016x", hash.Sum64()); i >= len(lines) || lines[i] != got {
			t.Errorf("kernels from %d to %d leave something else: TestForms and TestBatches may say which", i*each, (i+1)*each)
		}
	}
	if *record {
		if err := os.WriteFile(digests, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// canonical is what memory is left, every NaN like any other: processors differ in the bits of one that they make.
func (o *formOutcome) canonical(args []Arg) [][]byte {
	at, seen := 0, map[*byte]bool{}
	for _, a := range args {
		b, ok := a.(Buffer)
		if !ok || seen[&b.Data[0]] {
			continue
		}
		seen[&b.Data[0]] = true
		if memory := o.memory[at]; b.DType.Info().Float {
			v := num.MakeVec(num.ClassF32, len(memory)/b.DType.Info().Bytes)
			num.Load(b.DType, v, memory)
			for i := range v.F32 {
				num.SetBits(b.DType, v, i, num.ScalarAt(b.DType, v, i).Bits)
			}
			num.Store(b.DType, memory, v)
		}
		at++
	}
	return o.memory
}

// newTiler is a generator of kernels, of which every other one is flat.
func newTiler(seed, stream uint64) *tiler {
	g := &tiler{Rand: rand.New(rand.NewPCG(seed, stream)), pool: map[string][]string{}, rows: 8, columns: 32}
	switch {
	case seed%2 == 0:
		g.flat, g.rows, g.columns = true, 0, 16<<(seed/2%4)
	case seed%16 == 1:
		g.rows, g.columns = 64, 64
	}
	return g
}

// TestBatchWorker: batches run all programs but the last ones, whose masks are no box, and none where an output is an
// input, too.
func TestBatchWorker(t *testing.T) {
	const block, n = 32, 1000 * 32
	k := plan(t, strings.ReplaceAll(vectorAdd, "BLOCK", fmt.Sprint(block)))
	x, z := zeros(num.Float32, n), zeros(num.Float32, n)
	for _, c := range []struct {
		out  Buffer
		want bool
	}{{z, true}, {x, false}, {Buffer{DType: num.Float32, Data: x.Data[4*n-4:]}, false}} {
		l := Launch{Grid: [3]int{n / block, 1, 1}, Args: []Arg{x, x, c.out, int32Arg(n - 5)}, Workers: 1}
		r := k.newRun(t.Context(), &l)
		m, _ := k.prepare(r, &l)
		r.chunk = maxChunk
		r.addBatches(&l, []*machine{m})
		w := m.batches
		if (w != nil) != c.want {
			t.Errorf("batches: %v, want %v", w != nil, c.want)
		}
		if m.left = 1 << 30; w != nil && (w.run(m, 0, r.total) != maxChunk || w.run(m, r.total-maxChunk, r.total) != 0) {
			t.Error("the first programs run in no batch, or the last ones do")
		}
	}
}
