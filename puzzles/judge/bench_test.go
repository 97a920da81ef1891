package judge

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
)

// each runs a benchmark for every puzzle's first solution.
func each(b *testing.B, f func(b *testing.B, p *puzzles.Puzzle, file *source.File)) {
	for _, p := range puzzles.All() {
		b.Run(fmt.Sprintf("%02d", p.Number), func(b *testing.B) {
			text, err := os.ReadFile(filepath.Join("..", p.Slug, "solution.py"))
			if err != nil {
				b.Fatal(err)
			}
			file := source.NewFile("solution.py", string(text))
			b.ReportAllocs()
			f(b, p, file)
		})
	}
}

// loop repeats f and reports its shortest run too: what it costs where nothing else runs.
func loop(b *testing.B, f func()) {
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Microseconds()), "best-µs")
}

// BenchmarkCompile is a solution's way from source to optimized IR and a plan for it.
func BenchmarkCompile(b *testing.B) {
	each(b, func(b *testing.B, p *puzzles.Puzzle, file *source.File) {
		j := New(p)
		loop(b, func() {
			if list := j.Diagnose(file, false); len(list) > 0 {
				b.Fatal(list[0].Code)
			}
		})
	})
}

// classic is the classic check alone.
func classic(b *testing.B, j *Judge, file *source.File) {
	r := j.begin(file, Options{})
	if r.compileFirst(b.Context()) == nil {
		b.Fatal("a solution must compile")
	}
	if r.classic(context.Background()); !r.verdict.Classic.Pass() {
		b.Fatal("a solution must pass")
	}
}

// BenchmarkClassic is the classic check of a solution: compiled, run and compared.
func BenchmarkClassic(b *testing.B) {
	each(b, func(b *testing.B, p *puzzles.Puzzle, file *source.File) {
		j := New(p)
		classic(b, j, file)
		loop(b, func() { classic(b, j, file) })
	})
}

// BenchmarkClassicCold is the same by a judge that has yet to draw the inputs and to compute what
// is expected.
func BenchmarkClassicCold(b *testing.B) {
	each(b, func(b *testing.B, p *puzzles.Puzzle, file *source.File) {
		loop(b, func() { classic(b, New(p), file) })
	})
}

// BenchmarkCheck is both checks, as the page runs them.
func BenchmarkCheck(b *testing.B) {
	each(b, func(b *testing.B, p *puzzles.Puzzle, file *source.File) {
		j := New(p)
		loop(b, func() {
			if !j.Check(context.Background(), file, Options{}).Pass() {
				b.Fatal("a solution must pass")
			}
		})
	})
}

// BenchmarkOtherSizes is the search that follows a solution's verdict.
func BenchmarkOtherSizes(b *testing.B) {
	each(b, func(b *testing.B, p *puzzles.Puzzle, file *source.File) {
		j := New(p)
		loop(b, func() {
			if found := TryOtherSizes(b.Context(), j, file, Options{}); found.Failure != nil || len(found.Right) == 0 {
				b.Fatal("a solution must be right at other sizes")
			}
		})
	})
}
