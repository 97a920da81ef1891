package proof_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/launch/proof"
	"github.com/newtlab/newt/interp/script"
)

var update = flag.Bool("update", false, "rewrite testdata/kernels.golden")

// levels are those of a proof, from the weakest on, as the golden says them.
var levels = []string{"no", "launch", "grid", "size"}

// sanitized are the kernels of a script, each by its first launch: what the sanitizers find in it, and what is proved.
type sanitized struct {
	*testing.T
	file    string
	reports []*proof.Report
}

// sanitize is a launch.Sanitizer. Whatever it finds in a correct kernel is wrong.
func (s *sanitized) sanitize(k *launch.Kernel, ctx context.Context, args []launch.Arg, l device.Launch) diag.List {
	for _, d := range k.Sanitize(ctx, args, l) {
		line := k.Source().File(d.Primary.Span).Position(d.Primary.Span.Start).Line
		s.Errorf("%s:%d: %s: %s", s.file, line, k.Kernel, d.In(diag.English).Headline)
	}
	if !slices.ContainsFunc(s.reports, func(r *proof.Report) bool { return r.Kernel == k.Kernel }) {
		s.reports = append(s.reports, proof.Of(k, args, l.Grid, nil))
	}
	return nil
}

// weakest is the least level of a list; the strongest of an empty one.
func weakest(list []string) string {
	least := len(levels) - 1
	for _, level := range list {
		least = min(least, slices.Index(levels, level))
	}
	return levels[least]
}

// tally counts kernels by the weakest level of what is proved of them.
type tally map[string]int

func (t tally) String() string {
	var words []string
	for _, level := range slices.Backward(levels) {
		words = append(words, fmt.Sprintf("%s %d", level, t[level]))
	}
	return strings.Join(words, ", ")
}

// summary is what is proved of a kernel on one line: the tensors by the weakest level of their accesses, then those
// that are written by the level of race freedom, then the conditions.
func summary(r *proof.Report) (line, inBounds, raceFree string) {
	var words, conditions, bounds, races []string
	byTensor := map[string][]string{}
	for _, a := range r.Accesses {
		name := cmp.Or(a.Tensor, "?")
		if byTensor[name] == nil {
			words = append(words, name)
		}
		byTensor[name] = append(byTensor[name], a.InBounds)
		bounds, conditions = append(bounds, a.InBounds), append(conditions, a.Hypothesis...)
	}
	for i, name := range words {
		words[i] = name + ":" + weakest(byTensor[name])
	}
	words = append(words, "|")
	for _, x := range r.Tensors {
		words = append(words, x.Name+":"+x.RaceFree)
		races, conditions = append(races, x.RaceFree), append(conditions, x.Hypothesis...)
	}
	slices.Sort(conditions)
	if conditions = slices.Compact(conditions); len(conditions) > 0 {
		words = append(words, "if", strings.Join(conditions, ", "))
	}
	return strings.Join(words, " "), weakest(bounds), weakest(races)
}

// TestKernels runs correct kernels in the style of public libraries, each of which its script compares with torch: no
// sanitizer finds anything, and what is proved is as recorded. -update records it.
func TestKernels(t *testing.T) {
	files, _ := filepath.Glob("testdata/kernels/*.py")
	var golden strings.Builder
	kernels, inBounds, raceFree := 0, tally{}, tally{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := &sanitized{T: t, file: filepath.Base(file)}
		d := cpu.New(cpu.Options{})
		_, list := host.Load(source.NewFile(s.file, string(text)), host.Options{
			Libraries: host.AllLibraries(),
			Launcher:  &script.Launcher{Context: t.Context(), Device: d, Sanitizer: s.sanitize},
		})
		d.Close()
		for _, d := range list {
			t.Errorf("%s: %s", s.file, d.In(diag.English).Headline)
		}
		fmt.Fprintf(&golden, "%s\n", s.file)
		for _, r := range s.reports {
			line, bounds, races := summary(r)
			fmt.Fprintf(&golden, "    %s: %s\n", r.Kernel, line)
			kernels++
			inBounds[bounds]++
			raceFree[races]++
		}
	}
	fmt.Fprintf(&golden, "%d kernels by what is proved of all their accesses: in bounds for %v; race-free for %v\n",
		kernels, inBounds, raceFree)
	if kernels < 100 {
		t.Errorf("only %d kernels", kernels)
	}
	const name = "testdata/kernels.golden"
	if *update {
		if err := os.WriteFile(name, []byte(golden.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := golden.String(); got != string(want) {
		t.Errorf("what is proved has changed; see -update:\n%s", difference(string(want), got))
	}
}

// difference lists the lines that only one of two texts has.
func difference(want, got string) string {
	var out strings.Builder
	for _, side := range []struct{ sign, text, other string }{{"-", want, got}, {"+", got, want}} {
		lines := strings.Split(side.other, "\n")
		for line := range strings.SplitSeq(side.text, "\n") {
			if !slices.Contains(lines, line) {
				fmt.Fprintln(&out, side.sign, line)
			}
		}
	}
	return out.String()
}
