package trace

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

func TestPointersRoundTrip(t *testing.T) {
	const end = 1 << (OffsetBits - 1)
	for _, arg := range []int{0, 1, 2, 1023, 32767, 32768, 65535} {
		for _, offset := range []int64{0, 1, -1, 12345, -12345, end - 1, -end} {
			a, o := Split(Pointer(arg, offset))
			if offset == -end && arg == 0 || a == arg && o == offset {
				continue
			}
			t.Errorf("argument %d, offset %d became %d, %d", arg, offset, a, o)
		}
	}
	if a, o := Split(Pointer(3, 5) - 7); a != 3 || o != -2 {
		t.Errorf("a pointer moved below its argument is at %d, %d", a, o)
	}
}

func access(program, lanes int) *Access {
	return &Access{Program: [3]int{program, 0, 0}, Ptr: make([]int64, lanes), Values: num.Vec{I32: make([]int32, lanes)},
		Compare: num.Vec{I32: make([]int32, lanes)}}
}

func TestRecorderKeepsCopiesUpToItsLimit(t *testing.T) {
	r := &Recorder{MaxLanes: 10, Filter: func(p [3]int) bool { return p[0] != 1 }}
	r.Launch([3]int{4, 1, 1}, nil)
	a := access(0, 4)
	r.Access(a)
	a.Ptr[0], a.Values.I32[0], a.Compare.I32[0] = 9, 9, 9
	r.Access(access(1, 4))
	r.Access(access(2, 6))
	r.Access(access(3, 1))
	if len(r.Accesses) != 2 || r.Dropped != 1 {
		t.Fatalf("%d kept, %d dropped", len(r.Accesses), r.Dropped)
	}
	if kept := r.Accesses[0]; kept.Ptr[0] != 0 || kept.Values.I32[0] != 0 || kept.Compare.I32[0] != 0 {
		t.Error("the recorder kept the engine's slices, not copies")
	}
	r.Launch([3]int{1, 1, 1}, nil)
	if len(r.Accesses) != 0 || r.Dropped != 0 {
		t.Error("a new launch begins with what an old one left")
	}
}

func TestTee(t *testing.T) {
	a, b := &Recorder{MaxLanes: 8}, &Recorder{MaxLanes: 8}
	tee := Tee{a, b}
	tee.Launch([3]int{2, 1, 1}, nil)
	tee.Access(access(0, 2))
	if len(a.Accesses) != 1 || len(b.Accesses) != 1 || b.Grid[0] != 2 {
		t.Errorf("%d and %d accesses", len(a.Accesses), len(b.Accesses))
	}
}

// TestRuns: runs end where a pointer does not follow, or a lane does not take part.
func TestRuns(t *testing.T) {
	lanes := func(n int, lane func(int) int64) (ptr []int64) {
		for i := range n {
			ptr = append(ptr, lane(i))
		}
		return ptr
	}
	row := func(i int) int64 { return int64(i/20*100 + i%20) }
	mask := func(n int, out ...int) []int32 {
		m := slices.Repeat([]int32{1}, n)
		for _, i := range out {
			m[i] = 0
		}
		return m
	}
	for _, c := range []struct {
		ptr  []int64
		mask []int32
		want [][2]int
	}{
		{nil, nil, nil},
		{[]int64{7}, nil, [][2]int{{0, 1}}},
		{lanes(3, func(i int) int64 { return 4 }), nil, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{lanes(40, row), nil, [][2]int{{0, 20}, {20, 40}}},
		{lanes(40, row), mask(40), [][2]int{{0, 20}, {20, 40}}},
		{lanes(40, row), mask(40, 0, 11, 12, 39), [][2]int{{1, 11}, {13, 20}, {20, 39}}},
		{lanes(2, row), mask(2, 0, 1), nil},
	} {
		var got [][2]int
		for _, r := range (&Access{Ptr: c.ptr, Mask: c.mask}).Runs() {
			got = append(got, [2]int{r.First, r.End})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v %v: %v, want %v", c.ptr, c.mask, got, c.want)
		}
	}
}

// watcher is told of the operations of one program.
type watcher struct {
	Recorder
	program int
	of      []int // the programs of the operations that it was told of
}

func (w *watcher) Watches(program [3]int) bool { return program[0] == w.program }

func (w *watcher) Operation(o *Operation) { w.of = append(w.of, o.Program[0]) }

// TestTeeOfWatchers: each observer is told of the operations of the programs that it watches, and of no other's.
func TestTeeOfWatchers(t *testing.T) {
	a, b := &watcher{program: 1}, &watcher{program: 2}
	tee := Tee{&Recorder{}, a, b}
	for program := range 4 {
		id := [3]int{program}
		if got, want := tee.Watches(id), program == 1 || program == 2; got != want {
			t.Errorf("program %d is watched: %v", program, got)
		}
		tee.Operation(&Operation{Program: id})
	}
	if !slices.Equal(a.of, []int{1}) || !slices.Equal(b.of, []int{2}) {
		t.Errorf("operations of programs %v and %v", a.of, b.of)
	}
}
