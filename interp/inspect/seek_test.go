package inspect_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/trace"
	"github.com/newtlab/newt/puzzles"
)

// body is a kernel with two loops, whose lines are 12 to 18.
const body = `    pid = tl.program_id(0)
    v = tl.load(x + tl.arange(0, 4) + pid)
    s = n
    for i in range(n):
        for j in range(2):
            s += i * j
    tl.store(z + pid, s + helper(pid))
`

// TestSeek: where a line has run, in which program, at which iteration; forwards and back.
func TestSeek(t *testing.T) {
	file, l := kernel(t, body, [3]int{4, 1, 1}, vector, vector)
	for _, c := range []struct {
		name    string
		program int
		step    int // from; -1 is the first
		back    bool
		within  bool
		stops   []inspect.Stop
		want    string // of the step that is found
	}{
		{"the next line", 0, -1, false, false, []inspect.Stop{{Line: 13}}, "0: 13 tl.load  v int32[4]: 0 1 2 3"},
		{"each iteration", 0, 8, false, false, []inspect.Stop{{Line: 17}}, "0: 17 [0 1] +=  s int32: 3"},
		{"the iteration before", 0, 8, true, false, []inspect.Stop{{Line: 17}}, ""},
		{"an iteration", 0, -1, false, true, []inspect.Stop{{Line: 17, Iterations: []int{2, 0}}}, "0: 17 [2 0] +=  s int32: 4"},
		{"an outer iteration", 0, -1, false, true, []inspect.Stop{{Line: 17, Iterations: []int{2}}}, "0: 17 [2 0] +=  s int32: 4"},
		{"an iteration that there is not", 0, -1, false, true, []inspect.Stop{{Line: 17, Iterations: []int{3}}}, ""},
		{"a program", 0, -1, false, false, []inspect.Stop{{Line: 13, Condition: "pid == 3"}}, "3: 13 tl.load  v int32[4]: 3 4 5 6"},
		{"a program's number", 0, -1, false, false, []inspect.Stop{{Line: 13, Condition: "tl.program_id(0) == 2"}}, "2: 13 tl.load  v int32[4]: 2 3 4 5"},
		{"any lane", 0, -1, false, false, []inspect.Stop{{Line: 13, Condition: "v == 5"}}, "2: 13 tl.load  v int32[4]: 2 3 4 5"},
		{"all lanes", 0, -1, false, false, []inspect.Stop{{Line: 13, Condition: "min(v) > 2 and not max(abs(v)) < 6"}}, "3: 13 tl.load  v int32[4]: 3 4 5 6"},
		{"an argument", 1, -1, false, false, []inspect.Stop{{Line: 17, Condition: "s == n + 2 * (n - 2)"}}, ""},
		{"a value in a loop", 1, -1, false, false, []inspect.Stop{{Line: 17, Condition: "0 < s - n <= 1 and i == 1"}}, "1: 17 [1 1] +=  s int32: 4"},
		{"the last before", 3, 2, true, false, []inspect.Stop{{Line: 17}}, "2: 17 [2 1] +=  s int32: 6"},
		{"the last before, with a condition", 3, 2, true, false, []inspect.Stop{{Line: 17, Condition: "pid == 1 and s < 6"}}, "1: 17 [2 0] +=  s int32: 4"},
		{"within the program", 3, 2, true, true, []inspect.Stop{{Line: 17}}, ""},
		{"the first of several", 0, -1, false, false, []inspect.Stop{{Line: 17, Condition: "j == 5"}, {Line: 18}}, "0: 18 z + pid   pointer<int32>: z[0]"},
		{"another function, with names of its own", 0, -1, false, false, []inspect.Stop{{Line: 7}}, "0: 7 v * 2   int32: 0"},
		{"a line without operations", 0, -1, false, false, []inspect.Stop{{Line: 1}}, ""},
		{"not finite", 0, -1, false, false, []inspect.Stop{{Line: 13, Condition: "isnan(v) or isinf(v)"}}, ""},
	} {
		of := inspect.Seek{Program: [3]int{c.program}, Step: c.step, Back: c.back, Within: c.within, Stops: c.stops}
		found, why, err := l.Seek(context.Background(), of)
		if err != nil || why != nil {
			t.Errorf("%s: %v, %v", c.name, why, err)
			continue
		}
		got := ""
		if found.Stop >= 0 {
			step := run(t, l, found.Program, found.Step).Steps[0]
			text, _, _ := strings.Cut(stepText(file, &step, diag.English), "\n")
			got = fmt.Sprintf("%d: %s", found.Program[0], text)
		}
		if got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestSeekEverywhere: going from stop to stop, forwards and back, comes past each visit of a line once.
func TestSeekEverywhere(t *testing.T) {
	for _, n := range []int{5, 8, 12} {
		p, _ := puzzles.Get(n)
		file := solution(t, p)
		c, l := caseOf(t, p, file, 0)
		line := 0
		want := []string{}
		grid := c.Launch.Grid
		programs := int64(grid[0] * grid[1] * grid[2])
		for number := range programs {
			program := trace.ProgramAt(grid, number)
			steps := run(t, l, program, 0).Steps
			for i, s := range steps {
				at := func(s *inspect.Step) string { return fmt.Sprint(file.Position(s.Span.Start).Line, s.Iterations) }
				if line == 0 && s.Access != nil {
					line = file.Position(s.Span.Start).Line
				}
				if file.Position(s.Span.Start).Line == line && (i == len(steps)-1 || at(&steps[i+1]) != at(&s)) {
					want = append(want, fmt.Sprint(program, i))
				}
			}
		}
		stops := []inspect.Stop{{Line: line}}
		walk := func(from inspect.Found, back bool) (got []string) {
			for {
				next, why, err := l.Seek(context.Background(), inspect.Seek{Program: from.Program, Step: from.Step, Back: back, Stops: stops})
				if why != nil || err != nil {
					t.Fatal(why, err)
				}
				if next.Stop < 0 {
					return got
				}
				got, from = append(got, fmt.Sprint(next.Program, next.Step)), next
			}
		}
		if got := walk(inspect.Found{Step: -1}, false); strings.Join(got, ",") != strings.Join(want, ",") {
			t.Errorf("%s: forwards %v, not %v", p.Slug, got, want)
		}
		got := walk(inspect.Found{Program: trace.ProgramAt(grid, programs-1), Step: 1 << 30}, true)
		slices.Reverse(got)
		if strings.Join(got, ",") != strings.Join(want, ",") {
			t.Errorf("%s: back %v, not %v", p.Slug, got, want)
		}
	}
}

// TestConditions: what is wrong with a condition is said, in both languages.
func TestConditions(t *testing.T) {
	_, l := kernel(t, body, [3]int{4, 1, 1}, vector, vector)
	for condition, want := range map[string][2]string{
		"pid ==":         {"`pid ==` is not an expression of Python", "`pid ==` 不是 Python 表达式"},
		"pid = 3":        {"`pid = 3` is not an expression of Python", "`pid = 3` 不是 Python 表达式"},
		"w > 1":          {"`w` is neither a variable", "`w` 既不是函数算出的变量"},
		"x == 0":         {"`x` is neither a variable", "`x` 既不是函数算出的变量"}, // a tensor
		"v[2] == 3":      {"`v[2]` cannot be used in a condition", "条件中不能使用 `v[2]`"},
		"open('f')":      {"`open('f')` cannot be used in a condition", "条件中不能使用 `open('f')`"},
		"max(exec('1'))": {"`exec('1')` cannot be used in a condition", "条件中不能使用 `exec('1')`"},
		"'pid'":          {"`'pid'` cannot be used in a condition", "条件中不能使用 `'pid'`"},
	} {
		_, why, err := l.Seek(context.Background(), inspect.Seek{Stops: []inspect.Stop{{Line: 13, Condition: condition}}})
		if why == nil || err != nil {
			t.Errorf("%s: %v, %v", condition, why, err)
			continue
		}
		if en, zh := why.In(diag.English), why.In(diag.Chinese); !strings.HasPrefix(en, want[0]) || !strings.HasPrefix(zh, want[1]) {
			t.Errorf("%s: %q, %q", condition, en, zh)
		}
	}
}
