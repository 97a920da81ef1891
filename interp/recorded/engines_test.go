package recorded

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/script"
)

// TestEnginesAgree makes every recorded launch with other inputs, on the interpreter and on the simulator of PTX: floats
// are random, integers, which may be indices, change places, and lengths are less where the launch says them, so that
// blocks have tails.
func TestEnginesAgree(t *testing.T) {
	for _, name := range []string{"conformance", "h200", "recorded"} {
		data, err := os.ReadFile("testdata/" + name + ".launch")
		if err != nil {
			t.Fatal(err)
		}
		f, wrong := Read(name+".launch", data, MaxBytes)
		if wrong != nil {
			t.Fatal(wrong.In(diag.English).Headline)
		}
		for i := range f.Launches {
			f.varied(i, rand.New(rand.NewPCG(uint64(i), 1))).agrees(t, i)
		}
	}
}

// agrees makes the file's launch, the i-th of its recording, on both engines.
func (f *File) agrees(t *testing.T, i int) {
	l := &f.Launches[0]
	out, want := f.Launch(t.Context(), 0, script.Options{Launcher: &script.Launcher{Device: cpu.New(cpu.Options{})}})
	for s, content := range want {
		l.Storages[s].After = fmt.Sprint("after/", s)
		f.members[l.Storages[s].After] = content
	}
	if want != nil {
		d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{Seed: uint64(i)}), gpu.Options{})
		defer d.Close()
		out = f.Replay(t.Context(), 0, script.Options{Launcher: &script.Launcher{Device: d}})
	}
	if out.Outcome != Identical && out.Outcome != Close {
		t.Errorf("%s, launch %d, %s: %s, %v at %s %v", f.Name, i, l.Kernel, out.Outcome, out.Worst, out.At, out.Diagnostics)
	}
}

// varied is a file of the i-th launch with other inputs.
func (f *File) varied(i int, r *rand.Rand) *File {
	g := &File{Name: f.Name, Manifest: f.Manifest, members: maps.Clone(f.members)}
	l := f.Launches[i]
	l.Storages, l.Args = slices.Clone(l.Storages), slices.Clone(l.Args)
	for s := range l.Storages {
		before := fmt.Sprint("before/", s)
		g.members[before] = other(l.dtype(s), f.members[l.Storages[s].Before], r)
		l.Storages[s].Before = before
	}
	for a := range l.Args {
		if n := l.Args[a].Value.Int; n != nil && l.isLength(f.source(&l), l.Args[a].Name, *n) {
			v, _ := strconv.Atoi(n.String())
			less := json.Number(strconv.Itoa(r.IntN(v + 1)))
			l.Args[a].Value.Int = &less
		}
	}
	g.Launches = []Launch{l}
	return g
}

// isLength reports whether an integer argument is how long a tensor is, and nothing else, as far as one can tell.
func (l *Launch) isLength(source, name string, n json.Number) bool {
	v, err := strconv.Atoi(n.String())
	constant := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s*:[^,)]*constexpr`).MatchString(source)
	return err == nil && v > 1 && !constant && !strings.Contains(name, "stride") && slices.ContainsFunc(l.tensors(), func(t operand) bool {
		return slices.Contains(t.Shape, v)
	})
}

// other is a storage with other elements.
func other(d num.DType, content []byte, r *rand.Rand) []byte {
	size := d.Info().Bytes
	out := slices.Clone(content)
	if !d.Info().Float {
		r.Shuffle(len(out)/size, func(i, j int) {
			for b := range size {
				out[i*size+b], out[j*size+b] = out[j*size+b], out[i*size+b]
			}
		})
		return out
	}
	for k := range len(out) / size {
		num.StoreAt(d, out, k, num.FromFloat(d, r.NormFloat64()).Vec(), 0)
	}
	return out
}
