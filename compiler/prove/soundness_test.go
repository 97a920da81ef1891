package prove_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// Random kernels address two tensors by rows and columns of a tile, in ways that are right, nearly right or arbitrary.
// What is proved of one is compared with what its programs do, at this launch, at other grids and at other sizes.

type maker struct{ *rand.Rand }

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

// number is an integer, of row and column of the tile among others.
func (m maker) number(depth int) string {
	if depth == 0 || m.IntN(3) == 0 {
		return m.pick("p", "q", "N", "M", "S", "i", "j", "t", "row", "col", "row", "col", "g", "1", "4", "8", "3", "100", "(zero + 65536)")
	}
	x, y := m.number(depth-1), m.number(depth-1)
	switch m.IntN(10) {
	case 8:
		return fmt.Sprintf("((%s) + zero)%s", x, m.pick(".to(tl.int8)", ".to(tl.int64)", ".to(tl.int16).to(tl.int32)",
			".to(tl.uint8).to(tl.int32)"))
	case 9:
		return fmt.Sprintf("((%s + zero) %s)", x, m.pick("<< 3", ">> 1", "& 7", "<< 30", ">> 3"))
	case 0:
		return fmt.Sprintf("((%s) // %s)", x, m.pick("4", "8", "N", "M"))
	case 1:
		return fmt.Sprintf("((%s) %% %s)", x, m.pick("4", "8", "N", "M"))
	case 2:
		return fmt.Sprintf("tl.minimum(%s, %s)", x, y)
	case 3:
		return fmt.Sprintf("(%s - %s)", x, y)
	case 4, 5:
		return fmt.Sprintf("(%s * %s)", x, m.pick("N", "M", "S", "4", "8"))
	}
	return fmt.Sprintf("(%s + %s)", x, y)
}

func (m maker) offset() string {
	if m.IntN(4) == 0 {
		return m.number(2)
	}
	row := m.pick("row", "row", "row", "row % N", "p", "t * 8 + i", "row // 2", "tl.minimum(row, N - 1)", "c + i")
	col := m.pick("col", "col", "col", "col % M", "j", "t * 4 + j", "col + 1", "q * 4 + j // 2", "t")
	return fmt.Sprintf("(%s) * %s + %s", row, m.pick("M", "M", "M", "S", "4", "N"), col)
}

func (m maker) mask() string {
	terms := []string{}
	for range m.IntN(4) {
		terms = append(terms, m.pick("(row < N)", "(col < M)", "(row < N)", "(col < M)", "(row <= N)", "(t < N)", "(p == 0)",
			"(q == 0)", "("+m.number(1)+" < "+m.number(1)+")", "(row >= 0)", "(t * 8 + i < N)", "(t * 4 + j < M)"))
	}
	return strings.Join(append(terms, "(zero == 0)"), " & ")
}

func (m maker) access() string {
	name := m.pick("x", "z")
	at := "zero + " + m.offset()
	switch m.IntN(6) {
	case 0, 1, 2:
		return fmt.Sprintf("tl.store(%s + (%s), a, mask=%s)", name, at, m.mask())
	case 3:
		return fmt.Sprintf("tl.atomic_add(%s + (%s), a, mask=%s)", name, at, m.mask())
	}
	return fmt.Sprintf("a += tl.load(%s + (%s), mask=%s, other=0)", name, at, m.mask())
}

// kernel is a kernel's text.
func (m maker) kernel() string {
	lines := []string{
		"@triton.jit", "def k(x, z, N, M, S):",
		"    p = tl.program_id(0)", "    q = tl.program_id(" + m.pick("1", "1", "0") + ")", "    g = tl.num_programs(0)",
		"    i = tl.arange(0, 8)[:, None]", "    j = tl.arange(0, 4)[None, :]",
		"    row = p * " + m.pick("8", "8", "8", "4") + " + i", "    col = q * 4 + j",
		"    a = tl.zeros([8, 4], tl.int32)", "    zero = tl.zeros([8, 4], tl.int32)", "    c = p * " + m.pick("8", "1"), "    t = 0",
	}
	indent := "    "
	for range 1 + m.IntN(3) {
		switch m.IntN(5) {
		case 0:
			lines = append(lines, indent+"for t in range("+m.pick("0", "p", "q")+", "+
				m.pick("N", "M", "tl.cdiv(N, 8)", "tl.cdiv(M, 4)", "3")+", "+m.pick("1", "1", "g", "2")+"):")
			indent += "    "
			lines = append(lines, indent+m.access(), indent+"c += "+m.pick("8", "M", "g * 8", "t"))
		case 1:
			lines = append(lines, indent+"if "+m.pick("p == 0", "p < N", "p * 8 < N", "q != 0")+":", indent+"    "+m.access())
		default:
			lines = append(lines, indent+m.access())
		}
	}
	return "import triton\nimport triton.language as tl\n\n\n" + strings.Join(lines, "\n") + "\n"
}

// scene is a launch: sizes by name, the grid, the tensors' elements.
type scene struct {
	sizes    map[string]int64
	grid     [3]int
	elements map[string]int64
}

func (m maker) scene() scene {
	s := scene{sizes: map[string]int64{}, elements: map[string]int64{}}
	for _, name := range []string{"N", "M", "S"} {
		s.sizes[name] = 1 + int64(m.IntN(24))
	}
	switch m.IntN(6) {
	case 0, 1, 2:
		s.sizes["S"] = s.sizes["M"]
	case 3: // so that integers wrap
		s.sizes["S"] = []int64{100, 65536, 1 << 29, 1 << 30, 1<<31 - 1}[m.IntN(5)]
	}
	s.grid = [3]int{1 + m.IntN(4), 1 + m.IntN(4), 1}
	for _, name := range []string{"x", "z"} {
		s.elements[name] = []int64{
			s.sizes["N"], s.sizes["N"] * s.sizes["M"], s.sizes["N"] * s.sizes["M"], s.sizes["N"] * s.sizes["S"],
			32 * int64(s.grid[0]), 8 * int64(s.grid[0]) * s.sizes["M"],
		}[m.IntN(6)]
		s.elements[name] = min(s.elements[name], maxElements)
	}
	return s
}

// number evaluates a product of a condition, "N * M // 8" or "2**31", or a sum of them.
func (s scene) number(text string) int64 {
	out, sign := int64(0), int64(1)
	for _, term := range strings.Fields(strings.NewReplacer(" * ", "*", " // ", "/").Replace(text)) {
		switch term {
		case "+", "-":
			sign = map[string]int64{"+": 1, "-": -1}[term]
			continue
		case "2**31", "2**62":
			n, _ := strconv.Atoi(term[3:])
			return 1 << n
		}
		product, divisor, divided := strings.Cut(term, "/")
		x := big.NewInt(sign)
		for _, name := range strings.Split(product, "*") {
			n, err := strconv.ParseInt(name, 10, 64)
			if axis, ok := strings.CutPrefix(name, "grid["); ok {
				n = int64(s.grid[axis[0]-'0'])
			} else if err != nil {
				n = s.sizes[name]
			}
			x.Mul(x, big.NewInt(n))
		}
		if !x.IsInt64() || x.Int64() > 1<<60 {
			return 1 << 62
		}
		n := x.Int64()
		if divided {
			d, _ := strconv.ParseInt(divisor, 10, 64)
			n /= d
		}
		out += n
	}
	return out
}

// maxElements bounds the tensors that scenes have.
const maxElements = 1 << 16

// fits makes a scene fit hypotheses where it can, by the number of elements, and reports whether it does.
func (s scene) fits(hypothesis []string) bool {
	for _, h := range hypothesis {
		if name, extent, ok := strings.Cut(h, ".numel() >= "); ok {
			if s.elements[name] = max(0, s.number(extent)); s.elements[name] > maxElements {
				return false
			}
			continue
		}
		x, y, ok := strings.Cut(h, " >= ")
		if !ok {
			y, x, ok = strings.Cut(h, " <= ")
		}
		if !ok || s.number(x) < s.number(y) {
			return false
		}
	}
	return true
}

// footprint is what the programs of a launch reach.
type footprint struct {
	reach  map[*ir.Instr][]int64                       // offsets
	shared map[[2]int64]map[[3]int]map[trace.Kind]bool // by parameter and offset, then by program: what it does there
}

func (f *footprint) Launch([3]int, []trace.Buffer) {}

func (f *footprint) Access(a *trace.Access) {
	for i, p := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, at := trace.Split(p)
		f.reach[a.Instr] = append(f.reach[a.Instr], at)
		key := [2]int64{int64(arg), at}
		if f.shared[key] == nil {
			f.shared[key] = map[[3]int]map[trace.Kind]bool{}
		}
		if f.shared[key][a.Program] == nil {
			f.shared[key][a.Program] = map[trace.Kind]bool{}
		}
		f.shared[key][a.Program][a.Kind] = true
	}
}

// racy reports whether two programs race at a parameter: one stores, or one updates what the other loads.
func (f *footprint) racy(param int) bool {
	for key, programs := range f.shared {
		for a, x := range programs {
			for b, y := range programs {
				if int(key[0]) == param && a != b && (x[trace.Store] || x[trace.Atomic] && y[trace.Load]) {
					return true
				}
			}
		}
	}
	return false
}

// run launches fn and records what it reaches.
func (s scene) run(t *testing.T, k *tile.Kernel, fn *ir.Func) *footprint {
	f := &footprint{map[*ir.Instr][]int64{}, map[[2]int64]map[[3]int]map[trace.Kind]bool{}}
	var args []tile.Arg
	for _, p := range fn.Params {
		if p.Value.Type.Pointer {
			args = append(args, tile.Buffer{DType: num.Int32, Data: make([]byte, 4*s.elements[p.Name])})
		} else {
			args = append(args, tile.Scalar{Scalar: num.FromInt(num.Int32, s.sizes[p.Name])})
		}
	}
	k.Run(context.Background(), tile.Launch{Grid: s.grid, Args: args, Observer: f, Budget: 1 << 20})
	return f
}

func (s scene) launch(fn *ir.Func) prove.Launch {
	l := prove.Launch{Args: bounds.Args{Grid: s.grid}}
	for i, p := range fn.Params {
		l.Memory = append(l.Memory, i)
		a := bounds.Arg{Count: s.elements[p.Name]}
		if !p.Value.Type.Pointer {
			a = bounds.Arg{Value: num.FromInt(num.Int32, s.sizes[p.Name])}
		}
		l.Args.Args = append(l.Args.Args, a)
	}
	return l
}

// check compares what is proved for at least a level with a launch. The hypotheses are those of the level.
func check(t *testing.T, fn *ir.Func, k *tile.Kernel, r *prove.Report, level prove.Level, s scene) {
	wraps := level > prove.ThisLaunch && (!s.fits(r.NoWrap) || r.Assumed && s.sizes["S"] > 24)
	for _, a := range r.Accesses {
		own := scene{s.sizes, s.grid, maps.Clone(s.elements)}
		if a.InBounds < level || a.InBounds == prove.AnySize && !own.fits(a.Hypothesis) || wraps {
			continue
		}
		for _, at := range own.run(t, k, fn).reach[a.Instr] {
			if at < 0 || at >= own.elements[fn.Params[a.Param].Name] {
				t.Fatalf("%v: %+v reaches %d of %s: %v", level, own, at, fn.Params[a.Param].Name, a.Hypothesis)
			}
		}
	}
	for _, x := range r.Tensors {
		if x.RaceFree < level || x.RaceFree == prove.AnySize && !s.fits(x.Hypothesis) || wraps {
			continue
		}
		if s.run(t, k, fn).racy(x.Param) {
			t.Fatalf("%v: %+v has a race at %s: %v", level, s, fn.Params[x.Param].Name, x.Hypothesis)
		}
	}
}

// TestSound: nothing that is proved is violated.
func TestSound(t *testing.T) {
	inBounds, raceFree := map[prove.Level]int{}, map[prove.Level]int{}
	for seed := range seeds.Upto(30) {
		soundAt(t, seed, inBounds, raceFree)
	}
	t.Log("in bounds", inBounds, "race-free", raceFree)
	if !testing.Short() && (inBounds[prove.AnySize] == 0 || raceFree[prove.AnySize] == 0) { // of three kernels, none may be
		t.Error("nothing was proved for any size")
	}
}

// FuzzSound is TestSound for kernels and launches of other seeds.
func FuzzSound(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(1000 + seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { soundAt(t, seed, map[prove.Level]int{}, map[prove.Level]int{}) })
}

func soundAt(t *testing.T, seed uint64, inBounds, raceFree map[prove.Level]int) {
	m := maker{rand.New(rand.NewPCG(seed, 5))}
	text := m.kernel()
	fn := compile(t, fmt.Sprint("seed ", seed, "\n", text), text, "k", "*i32:16, *i32:16, i32, i32, i32")
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatal(err)
	}
	s := m.scene()
	r := prove.Prove(fn, s.launch(fn))
	for _, a := range r.Accesses {
		inBounds[a.InBounds]++
	}
	for _, x := range r.Tensors {
		if x.Written {
			raceFree[x.RaceFree]++
		}
	}
	defer func() {
		if t.Failed() {
			t.Logf("seed %d:\n%s", seed, text)
		}
	}()
	check(t, fn, k, r, prove.ThisLaunch, s)
	// Any grid has any number of programs along the axes that the kernel looks at.
	var looked [3]bool
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.ProgramID || in.Op == ops.NumPrograms {
			looked[in.Int("axis")] = true
		}
	})
	for i := range 8 {
		other := m.scene()
		for axis, n := range s.grid {
			if !looked[axis] {
				other.grid[axis] = n
			}
		}
		if i < 3 {
			other.sizes, other.elements = s.sizes, s.elements
			check(t, fn, k, r, prove.AnyGrid, other)
			continue
		}
		check(t, fn, k, r, prove.AnySize, other)
	}
}
