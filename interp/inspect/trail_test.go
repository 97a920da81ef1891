package inspect_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
)

// far are kernels whose states are of every kind: loops in loops, in branches, in functions of the user; blocks that a
// product or a reduction takes from before a loop; memory that programs share. Line 12 is the first.
var far = map[string]string{
	"loops in loops": `    i = n
    while i > 0:
        for j in range(i, 7, 2):
            if j % 2 == 1:
                for k in range(2):
                    i += helper(k) - 1
            i -= j % 3
        i -= 1
    tl.store(z + tl.program_id(0), i)
`,
	"inputs": `    i = tl.arange(0, 16)
    a = (i[:, None] + i[None, :]).to(tl.float32)
    acc = tl.zeros((16, 16), tl.float32)
    for k in range(n + tl.program_id(0)):
        acc += tl.dot(a * k, a)
        s = tl.sum(i, 0)
    tl.store(z + i, tl.sum(acc, axis=0).to(tl.int32))
`,
	"memory": `    pid = tl.program_id(0)
    for i in range(5):
        old = tl.atomic_add(z + i % 3, pid + 1)
        v = tl.load(x + pid * 16 + tl.arange(0, 16))
        tl.store(x + (pid + 1) % 4 * 16 + tl.arange(0, 16), v + old)
`,
	"a range whose parts are carried": `    s = n
    for i in range(n - 3, n * 3, n):
        s += i
        n = s
    tl.store(z, s + n)
`,
	"out of bounds": `    pid = tl.program_id(0)
    for i in range(3):
        tl.store(z + pid * 30 + tl.arange(0, 16), i)
`,
	"a fault": `    pid = tl.program_id(0)
    for i in range(8):
        for j in range(2):
            tl.device_assert(i + 2 * pid < 6)
    tl.store(z + pid, pid)
`,
	"a loop that never ends": `    s = n
    for i in range(3):
        while s > 0:
            s += 1 - s % 2 * 2
`,
}

// TestCheckpoints: what is shown from a checkpoint on is what a launch that has none shows, wherever the checkpoints
// are, and in whatever order they came to be.
func TestCheckpoints(t *testing.T) {
	grid := [3]int{2, 2, 1}
	for name, body := range far {
		t.Run(name, func(t *testing.T) {
			checkCheckpoints(t, grid, func() (*source.File, *inspect.Launch) {
				return inspected(t, body, device.Launch{Grid: grid, Budget: 30_000}, vector, vector)
			})
		})
	}
	for _, n := range []int{5, 7, 9, 12} {
		p, _ := puzzles.Get(n)
		t.Run(p.Slug, func(t *testing.T) {
			file := solution(t, p)
			c, _ := caseOf(t, p, file, 0)
			checkCheckpoints(t, c.Launch.Grid, func() (*source.File, *inspect.Launch) {
				_, l := caseOf(t, p, file, 0)
				return file, l
			})
		})
	}
}

// looks are places of the programs of a grid, in no order.
func looks(grid [3]int, totals []int) (list []inspect.Found) {
	for number, total := range totals {
		for i := range 9 {
			step := (i*7 + number*3) % 9 * max(1, total) / 8
			list = append(list, inspect.Found{Program: trace.ProgramAt(grid, int64(number)), Step: step})
		}
	}
	slices.SortStableFunc(list, func(a, b inspect.Found) int { return a.Step*31%17 - b.Step*31%17 })
	return list
}

func checkCheckpoints(t *testing.T, grid [3]int, made func() (*source.File, *inspect.Launch)) {
	t.Helper()
	var totals []int
	for number := range min(4, grid[0]*grid[1]*grid[2]) {
		_, l := made()
		totals = append(totals, run(t, l, trace.ProgramAt(grid, int64(number)), 0).Total)
	}
	for _, spacing := range []int64{1, 700} {
		file, l := made()
		l.SetSpacing(spacing)
		for i, at := range looks(grid, totals) {
			_, fresh := made()
			want, got := run(t, fresh, at.Program, at.Step), run(t, l, at.Program, at.Step)
			if !reflect.DeepEqual(want, got) {
				t.Errorf("spacing %d, from %v: got%s\nwant%s", spacing, at, resultText(file, got), resultText(file, want))
				for j := range want.Steps {
					if j < len(got.Steps) && !reflect.DeepEqual(want.Steps[j], got.Steps[j]) {
						t.Fatalf("step %d: %s, not %s", j, stepText(file, &got.Steps[j], diag.English), stepText(file, &want.Steps[j], diag.English))
					}
				}
				w, g := *want, *got
				w.Steps, g.Steps, w.Tensors, g.Tensors = nil, nil, nil, nil
				t.Fatalf("%+v\n%+v", g, w)
			}
			line := 12
			if len(want.Steps) > 0 {
				line = file.Position(want.Steps[0].Span.Start).Line
			}
			for _, condition := range []string{"", "i % 2 == 1 and pid >= 1", "s > 3"} {
				seek := inspect.Seek{Program: at.Program, Step: at.Step, Back: i%2 == 0, Within: i%3 == 0,
					Stops: []inspect.Stop{{Line: line + i%3, Condition: condition}, {Line: 12, Condition: condition}}}
				checkSeek(t, fresh, l, seek)
				seek.Stops = []inspect.Stop{{Line: line, Condition: condition, Iterations: []int{i % 5, i % 2}[:1+i%2]}}
				checkSeek(t, fresh, l, seek)
			}
		}
		if n, said, bytes := l.Checkpoints(); n == 0 || n > 256 || said < bytes {
			t.Errorf("%d checkpoints of %d bytes, said to be %d", n, bytes, said)
		}
	}
}

// checkSeek looks for a stop from a checkpoint on, and from the beginning.
func checkSeek(t *testing.T, fresh, l *inspect.Launch, of inspect.Seek) {
	t.Helper()
	fresh.SetSpacing(1 << 62)
	want, whyWant, err := fresh.Seek(context.Background(), of)
	got, whyGot, err2 := l.Seek(context.Background(), of)
	if got != want || !reflect.DeepEqual(whyGot, whyWant) || err != nil || err2 != nil {
		t.Fatalf("%+v: %+v, not %+v; %v, %v", of, got, want, err, err2)
	}
}

// resultText is what a window shows, in short.
func resultText(file *source.File, r *inspect.Result) string {
	text := fmt.Sprintf(" %d steps from %d of %d, problem %v\n", len(r.Steps), r.From, r.Total, r.Problem)
	for i := range r.Steps[:min(len(r.Steps), 5)] {
		s := &r.Steps[i]
		text += stepText(file, s, diag.English)
		for _, l := range s.Loops {
			text += fmt.Sprint(" of ", l.Last)
		}
		text += fmt.Sprintln(s.Inputs)
	}
	return text
}

// TestManyCheckpoints: however many there could be, there are at most 256, and their memory is bounded.
func TestManyCheckpoints(t *testing.T) {
	body := "    for i in range(3000):\n        tl.store(z + i % 64, i)\n"
	_, l := kernel(t, body, [3]int{2, 1, 1}, vector, vector)
	l.SetSpacing(1)
	r := run(t, l, [3]int{1}, 0)
	if n, said, bytes := l.Checkpoints(); n < 100 || n > 256 || said != bytes || bytes > 4<<20 {
		t.Errorf("%d checkpoints of %d bytes, said to be %d", n, bytes, said)
	}
	for _, from := range []int{r.Total - 1, 1} {
		if r := run(t, l, [3]int{1}, from); len(r.Steps) == 0 || r.Steps[0].Loops[0].Last != 2999 {
			t.Errorf("%d steps from %d", len(r.Steps), from)
		}
	}
}
