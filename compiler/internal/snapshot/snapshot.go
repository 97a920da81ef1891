// Package snapshot compares what a test makes with a file of testdata that holds what it made when somebody last
// looked: a golden. A change of the compiler shows as a diff of such files, to be read and committed with it.
//
// `make golden` writes the goldens of the whole repository anew; `go test PACKAGE -run TestGolden -update` those of
// one package.
package snapshot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Compare fails the test where the file at path, relative to the package's folder, does not hold got. With -update it
// writes the file in place of that.
func Compare(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := write(path, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v\n`make golden` writes it", err)
		return
	}
	if got != string(want) {
		t.Errorf("%s differs (- the file, + now):\n%s"+
			"If that is meant, `make golden` writes the file; read its diff.", path, Diff(string(want), got))
	}
}

// Only fails the test where a file matches the pattern that is not one of paths: a golden that no test makes any
// more. With -update it removes the file.
func Only(t testing.TB, pattern string, paths []string) {
	t.Helper()
	used := map[string]bool{}
	for _, p := range paths {
		used[filepath.Clean(p)] = true
	}
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		switch {
		case used[path]:
		case !*update:
			t.Errorf("no test makes %s any more; `make golden` removes it", path)
		default:
			if err := os.Remove(path); err != nil {
				t.Error(err)
			}
		}
	}
}

func write(path, text string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

const (
	maxLines = 60   // of a diff
	maxEdits = 1000 // searched for; beyond, all from the first difference to the last counts as changed
)

// Diff is the first of the Changes from a to b.
func Diff(a, b string) string {
	lines := strings.SplitAfterN(Changes(a, b), "\n", maxLines+1)
	if len(lines) > maxLines && lines[maxLines] != "" {
		lines[maxLines] = "…\n"
	}
	return strings.Join(lines, "")
}

// Changes lists the lines that only a has, with "-" before them, and that only b has, with "+", under the number of the
// line in a where each run of changes begins.
func Changes(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	start := 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		start++
	}
	x, y = x[start:], y[start:]
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	var sb strings.Builder
	last := -2
	for _, e := range edits(x, y) {
		if e.at != last && e.at != last+1 {
			fmt.Fprintf(&sb, "@ line %d\n", start+e.at+1)
		}
		last = e.at
		sb.WriteString(e.sign + strings.TrimSuffix(e.line, "\n") + "\n")
	}
	return sb.String()
}

// edit is a line taken away ("-") or put in ("+") at line number at of the old text.
type edit struct {
	at   int
	sign string
	line string
}

// edits turns x into y by the fewest lines, found by Myers' greedy algorithm (An O(ND) Difference Algorithm and Its
// Variations, 1986): furthest[k] is how far along x the furthest path of d edits on diagonal k = i - j gets.
func edits(x, y []string) []edit {
	n, m := len(x), len(y)
	limit := min(n+m, maxEdits)
	furthest := make([]int, 2*limit+2)
	at := func(k int) int { return (k + len(furthest)) % len(furthest) }
	var trace [][]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), furthest...))
		for k := -d; k <= d; k += 2 {
			i := furthest[at(k-1)] + 1
			if k == -d || k != d && furthest[at(k-1)] < furthest[at(k+1)] {
				i = furthest[at(k+1)]
			}
			for i < n && i-k < m && i-k >= 0 && x[i] == y[i-k] {
				i++
			}
			furthest[at(k)] = i
			if i >= n && i-k >= m {
				return path(x, y, trace, at)
			}
		}
	}
	return replaced(x, y)
}

// path walks back over the furthest points of 0, 1, … edits.
func path(x, y []string, trace [][]int, at func(int) int) []edit {
	i, j := len(x), len(y)
	var back []edit
	for d := len(trace) - 1; d > 0; d-- {
		v, k := trace[d], i-j
		down := k == -d || k != d && v[at(k-1)] < v[at(k+1)]
		if down {
			i = v[at(k+1)]
			j = i - (k + 1)
			back = append(back, edit{i, "+", y[j]})
		} else {
			i = v[at(k-1)]
			j = i - (k - 1)
			back = append(back, edit{i, "-", x[i]})
		}
	}
	for l, r := 0, len(back)-1; l < r; l, r = l+1, r-1 {
		back[l], back[r] = back[r], back[l]
	}
	return back
}

// replaced takes all of x away and puts all of y in.
func replaced(x, y []string) (out []edit) {
	for i, line := range x {
		out = append(out, edit{i, "-", line})
	}
	for _, line := range y {
		out = append(out, edit{len(x), "+", line})
	}
	return out
}
