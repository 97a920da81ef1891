package inspect_test

import (
	"context"
	"slices"
	"testing"

	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
)

var markOf = map[trace.Kind]inspect.Mark{trace.Load: inspect.Loads, trace.Store: inspect.Stores, trace.Atomic: inspect.UpdatesAtomically}

// TestCourses: the courses of the solutions' programs are those that their steps, counted again, give.
func TestCourses(t *testing.T) {
	for _, p := range puzzles.All() {
		c, l := caseOf(t, p, solution(t, p), 0)
		checkCourses(t, p.Slug, l, c.Launch.Grid)
	}
	grid := [3]int{4, 1, 1}
	for name, body := range map[string]string{
		"out of bounds": "    i = tl.arange(0, 32) + 32 * tl.program_id(0)\n    v = tl.load(x + i)\n    tl.atomic_add(z + i, v)\n",
		"a fault":       "    pid = tl.program_id(0)\n    tl.device_assert(pid < 2)\n    tl.store(z + pid, pid)\n",
		"a long loop":   "    s = n\n    for i in range(700 * tl.program_id(0)):\n        s += tl.load(x + i % 64)\n    tl.store(z, s)\n",
	} {
		_, l := kernel(t, body, grid, launch.Shape{Sizes: []int{64}}, launch.Shape{Sizes: []int{64}})
		checkCourses(t, name, l, grid)
	}
}

func checkCourses(t *testing.T, name string, l *inspect.Launch, grid [3]int) {
	t.Helper()
	from, count := int64(1), 3
	got, err := l.Courses(context.Background(), from, count)
	if err != nil {
		t.Fatal(name, err)
	}
	want := min(int64(count), int64(grid[0]*grid[1]*grid[2])-from)
	if fault := run(t, l, [3]int{}, 0).Diagnostics; len(fault) == 0 && int64(len(got)) != max(0, want) {
		t.Fatalf("%s: %d programs, not %d", name, len(got), want)
	}
	for i := range got {
		again := inspect.Course{Program: trace.ProgramAt(grid, from+int64(i)), Problem: -1, Stride: got[i].Stride}
		for at, total := 0, 1; at < total; {
			r := run(t, l, again.Program, at)
			total = r.Total
			for j := range r.Steps {
				countAgain(&again, &r.Steps[j], at)
				at++
			}
			if len(r.Steps) == 0 {
				break
			}
		}
		if got[i].Program != again.Program || got[i].Steps != again.Steps || got[i].Problem != again.Problem ||
			got[i].Accesses != again.Accesses || !slices.Equal(got[i].Marks, again.Marks) {
			t.Errorf("%s: %+v, not %+v", name, got[i], again)
		}
		if len(got[i].Marks) > 512 || got[i].Stride > 1 && len(got[i].Marks) < 256 {
			t.Errorf("%s: %d marks of %d steps", name, len(got[i].Marks), got[i].Steps)
		}
	}
}

// countAgain adds a step to a course.
func countAgain(c *inspect.Course, s *inspect.Step, at int) {
	c.Steps++
	if at%c.Stride == 0 {
		c.Marks = append(c.Marks, 0)
	}
	mark := &c.Marks[len(c.Marks)-1]
	if s.Access != nil {
		c.Accesses[s.Access.Kind]++
		*mark |= markOf[s.Access.Kind]
	}
	if s.Problem != nil {
		*mark |= inspect.IsWrong
		if c.Problem < 0 {
			c.Problem = at
		}
	}
}
