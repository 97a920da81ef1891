package placed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/tile"
)

// pipeline is a random text that adds vectors up which go through a ring of buffers in shared memory: by threads, by
// asynchronous copies, or by tensor copies.
type pipeline struct {
	text   string
	fill   *strings.Replacer // what stands for the seed's numbers in it
	faults []fault
	dtype  num.DType
	size   int // of a vector
	steps  int
}

// fault leaves lines of a pipeline's text out, or changes them, so that it lacks an order that it needs.
type fault struct {
	name string
	make func(text string) string
}

// without leaves out the lines with a mark.
func without(mark string) func(string) string {
	return func(text string) string {
		lines := strings.Split(text, "\n")
		marked := func(line string) bool { return strings.HasSuffix(line, "// "+mark) }
		return strings.Join(slices.DeleteFunc(lines, marked), "\n")
	}
}

func replace(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

// pipelineText is a pipeline without its copies.
const pipelineText = `
func @sum(%x_ptr: *ELEM, %z_ptr: *ELEM, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %stages = const {value=i32(RING)} : i32
  %ahead = const {value=i32(AHEAD)} : i32
  %first = const {value=i32(FILL)} : i32
  %length = const {value=i32(SIZE)} : i32
  %i0 = arange {start=0, end=SIZE} : i32[SIZE] #0
  %i1 = arange {start=0, end=SIZE} : i32[SIZE] #1
  %ring = local_alloc {dtype=ELEM, shape=[SIZE], buffers=STAGES} : memdesc[STAGES] TILE $0
  %bars = local_alloc {dtype=i64, buffers=STAGES} : memdesc[STAGES] i64
  mbarrier_init %bars
  barrier // ready
  for %zero, %ahead, %one do (%k: i32) {
    %at.p = mul %k, %length : i32
    %0 = addptr %x_ptr, %at.p : *ELEM
    %1 = splat %0 {shape=[SIZE]} : *TILE #0
    %x.p = addptr %1, %i0 : *TILE #0
    %to.p = memdesc_index %ring, %k : memdesc TILE $0
PROLOGUE
    yield
  }
  %start = const {value=ELEM(0), shape=[SIZE]} : TILE #1
  %sum, %2, %3, %4 = for %zero, %n, %one, %start, %zero, %first, %zero : TILE #1, i32, i32, i32
  do (%i: i32, %acc: TILE #1, %read: i32, %fill: i32, %phase: i32) {
    %next = add %i, %ahead : i32
    %at = mul %next, %length : i32
    %5 = addptr %x_ptr, %at : *ELEM
    %6 = splat %5 {shape=[SIZE]} : *TILE #0
    %x = addptr %6, %i0 : *TILE #0
    %7 = lt %next, %n : i1
    %some = splat %7 {shape=[SIZE]} : i1[SIZE] #0
    %to = memdesc_index %ring, %fill : memdesc TILE $0
    %other = xor %phase, %one : i32
BEFORE
    %from = memdesc_index %ring, %read : memdesc TILE $0
    %v = local_load %from : TILE #1
BEHIND
    %acc.next = add %acc, %v : TILE #1
    %8 = add %read, %one : i32
    %9 = eq %8, %stages : i1
    %read.next = select %9, %zero, %8 : i32
    %phase.next = select %9, %other, %phase : i32
    %10 = add %fill, %one : i32
    %11 = eq %10, %stages : i1
    %fill.next = select %11, %zero, %10 : i32
    yield %acc.next, %read.next, %fill.next, %phase.next
  }
  %12 = splat %z_ptr {shape=[SIZE]} : *TILE #1
  %z = addptr %12, %i1 : *TILE #1
  store %z, %sum
  return
}`

// ways are how vectors get to shared memory: what comes before the loop, what an iteration does before it reads a
// buffer, and what behind that.
var ways = []struct {
	prologue, before, behind string
	faults                   []fault
}{
	{
		before: `
    %a = load %x : TILE #0
    local_store %a, %to
    barrier // first`,
		behind: `
    barrier // second`,
		faults: []fault{{"no barrier", without("first")}, {"no second barrier", without("second")}},
	},
	{
		prologue: `
    async_copy %x.p, %to.p
    async_commit`,
		before: `
    async_wait {pending=PENDING} // wait
    barrier // barrier`,
		behind: `
    async_copy %x, %to, %some
    async_commit // commit`,
		faults: []fault{
			{"no barrier", without("barrier")}, {"no wait", without("wait")}, {"no commit", without("commit")},
			{"late wait", replace("pending=PENDING", "pending=AHEAD")},
			{"barrier before wait", func(text string) string {
				return replace("barrier // barrier", "barrier\n async_wait {pending=PENDING}")(without("wait")(text))
			}},
			{"a buffer less", replace("RING", "AHEAD", "FILL", "0")},
		},
	},
	{
		prologue: `
    %bar.p = memdesc_index %bars, %k : memdesc i64
    mbarrier_expect %bar.p {bytes=BYTES}
    tma_load %x.p, %to.p, %bar.p`,
		before: `
    %bar.read = memdesc_index %bars, %read : memdesc i64
    mbarrier_wait %bar.read, %phase // wait`,
		behind: `
    barrier // barrier
    %bar.fill = memdesc_index %bars, %fill : memdesc i64
    mbarrier_expect %bar.fill {bytes=BYTES} // expect
    tma_load %x, %to, %bar.fill, %some`,
		faults: []fault{
			{"no barrier", without("barrier")}, {"no wait", without("wait")}, {"not ready", without("ready")},
			{"nothing expected", without("expect")}, {"fewer bytes", replace("{bytes=BYTES} // expect", "{bytes=4}")},
			{"another phase", replace("%bar.read, %phase", "%bar.read, %other")},
		},
	},
}

// newPipeline makes a random pipeline, of two to eight warps, each of which reads what others have written.
func newPipeline(r *rand.Rand) *pipeline {
	warps, stages, way := 1+r.IntN(3), 2+r.IntN(4), r.IntN(len(ways)) // warps by their logarithm
	bits := 5 + warps + r.IntN(4)
	p := &pipeline{size: 1 << bits, steps: 2*stages + r.IntN(4), faults: ways[way].faults}
	p.dtype = []num.DType{num.Int32, num.Float32, num.Int64}[r.IntN(3)]
	mem := layout.RowMajor([]int{p.size}, []int{0}, 8*p.dtype.Info().Bytes)
	for i := range mem.Off {
		mem.Off[i] ^= uint32(r.IntN(1 << i)) // offsets' bits below its own
	}
	p.text = fmt.Sprintf("#0 = %s\n#1 = %s\n$0 = %s", shuffled(r, bits, bits-warps, warps), shuffled(r, bits, 0, warps),
		mem) + replace("PROLOGUE", ways[way].prologue, "BEFORE", ways[way].before, "BEHIND", ways[way].behind)(pipelineText)
	ring, ahead := stages, stages-1
	if way == 0 {
		ring, ahead = 1, 0
	}
	elem := p.dtype.Info().Short
	p.fill = strings.NewReplacer("TILE", fmt.Sprintf("%s[%d]", elem, p.size), "ELEM", elem, "SIZE", fmt.Sprint(p.size),
		"RING", fmt.Sprint(ring), "STAGES", fmt.Sprint(stages), "AHEAD", fmt.Sprint(ahead), "FILL", fmt.Sprint(ahead),
		"PENDING", fmt.Sprint(stages-2), "BYTES", fmt.Sprint(p.size*p.dtype.Info().Bytes))
	return p
}

// shuffled is a layout of a vector whose warps are numbered by bits of the element's number from first on.
func shuffled(r *rand.Rand, bits, first, warps int) layout.Layout {
	l := layout.Layout{Shape: []int{1 << bits}}
	for _, i := range r.Perm(bits) {
		switch {
		case i >= first && i < first+warps:
			l.Warp = append(l.Warp, 1<<i)
		case len(l.Lane) < layout.LaneBits:
			l.Lane = append(l.Lane, 1<<i)
		default:
			l.Reg = append(l.Reg, 1<<i)
		}
	}
	return l
}

// run runs a text of the pipeline: the hazards, and whether the sums are right.
func (p *pipeline) run(t *testing.T, text string, seed uint64) (hazards string, right bool) {
	fn, file := parsed(t, p.fill.Replace(text))
	x := values(p.dtype, p.size*p.steps, func(i int) int64 { return int64(i % 1013) })
	z := values(p.dtype, p.size, func(int) int64 { return -1 })
	report, fault := Run(t.Context(), fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: []tile.Arg{x, z,
		tile.Scalar{Scalar: num.FromInt(num.Int32, int64(p.steps))}}}, seed)
	if fault != nil {
		t.Fatal(fault)
	}
	want := values(p.dtype, p.size, func(i int) (sum int64) {
		for s := range p.steps {
			sum += int64((s*p.size + i) % 1013)
		}
		return sum
	})
	return said(report, file), slices.Equal(z.Data, want.Data)
}

// TestHazards: random pipelines have no hazards, and are right; each fault of theirs is reported in any order of the
// warps, whether or not it shows in the sums.
func TestHazards(t *testing.T) {
	shown := 0
	for seed := range soak.Times(60) {
		r := rand.New(rand.NewPCG(seed, 12))
		p := newPipeline(r)
		if said, right := p.run(t, p.text, seed); said != "" || !right {
			t.Fatalf("seed %d: %t, %s\n%s", seed, right, said, p.fill.Replace(p.text))
		}
		for _, f := range p.faults {
			said, right := p.run(t, f.make(p.text), seed)
			if said == "" {
				t.Fatalf("seed %d: %s is not reported\n%s", seed, f.name, p.fill.Replace(f.make(p.text)))
			}
			if !right {
				shown++
			}
		}
	}
	if shown == 0 {
		t.Error("no fault has shown")
	}
	t.Logf("%d faults have shown in sums", shown)
}
