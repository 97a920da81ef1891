package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/newtlab/newt/compiler/ptx/lens"
)

// TestGoldenLens compares the tables of the scripts of testdata/lens with what is recorded next to them.
func TestGoldenLens(t *testing.T) {
	files, _ := filepath.Glob("testdata/lens/*.py")
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			stdout, got, status := newt(t, "run", "--lens", filepath.ToSlash(name))
			if status != exitOK || stdout != "" {
				t.Fatalf("status %d\n%s%s", status, stdout, got)
			}
			golden(t, strings.TrimSuffix(name, ".py")+".out", got)
		})
	}
}

// lensOf are the reports of a script, and what it prints.
func lensOf(t *testing.T, script string) (reports []lens.Report, stdout string) {
	t.Helper()
	stdout, stderr, _ := newt(t, "run", "--lens", "--json", "testdata/"+script)
	for _, r := range reported(t, stderr).Lens {
		reports = append(reports, *r)
	}
	return reports, stdout
}

// sum adds up a kernel's traffic of one kind.
func sum(r *lens.Report, m lens.Memory, a lens.Access) (total lens.Traffic) {
	for _, l := range r.Lines {
		for _, t := range l.Memory {
			if t.Memory == m && t.Access == a {
				total.Requests += t.Requests
				total.Units += t.Units
				total.Ideal += t.Ideal
			}
		}
	}
	return total
}

// TestGoldenTotals compares the traffic of the kernels that nsight.py compares with a GPU's with what is recorded.
func TestGoldenTotals(t *testing.T) {
	reports, stdout := lensOf(t, "nsight/kernels.py")
	labels := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(labels) != len(reports) {
		t.Fatalf("%d kernels of %d\n%s", len(reports), len(labels), stdout)
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "memory\taccess\trequests\tunits\tideal\t")
	for i, label := range labels {
		w.Flush()
		fmt.Fprintln(&b, label)
		for _, m := range []lens.Memory{lens.Global, lens.Shared} {
			for _, a := range []lens.Access{"load", "store", "atomic", "async copy", "tensor copy"} {
				if s := sum(&reports[i], m, a); s.Requests > 0 {
					fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t\n", m, a, s.Requests, s.Units, s.Ideal)
				}
			}
		}
	}
	w.Flush()
	golden(t, "testdata/nsight/kernels.out", b.String())
}

// golden compares a text with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("gives\n%s\nrecorded is\n%s", got, want)
	}
}

// TestLensStrides: 1000 elements of fp32 fill 125 sectors; with a stride each is in a sector of its own at worst.
func TestLensStrides(t *testing.T) {
	reports, _ := lensOf(t, "lens/strided_copy.py")
	if len(reports) != 4 {
		t.Fatalf("%d kernels", len(reports))
	}
	for i, want := range []uint64{125, 250, 1000, 1000} {
		load, store := sum(&reports[i], lens.Global, "load"), sum(&reports[i], lens.Global, "store")
		if load.Units != want || load.Ideal != 125 || store.Units != 125 || store.Ideal != 125 {
			t.Errorf("stride %d: loads %+v, stores %+v", i, load, store)
		}
	}
}

// TestLensTranspose: through shared memory both sides are coalesced and no bank is asked twice; without it each
// element goes to a sector of its own.
func TestLensTranspose(t *testing.T) {
	reports, _ := lensOf(t, "lens/transpose.py")
	const elements, sectors = 128 * 128, 128 * 128 / 8
	for i, stores := range []uint64{sectors, elements} {
		store := sum(&reports[i], lens.Global, "store")
		if store.Units != stores {
			t.Errorf("%s: %+v", reports[i].Kernel, store)
		}
	}
	for _, a := range []lens.Access{"load", "store"} {
		if s := sum(&reports[0], lens.Shared, a); s.Requests == 0 || s.Units != s.Ideal {
			t.Errorf("shared memory, %s: %+v", a, s)
		}
	}
}

func TestLensIsInChinese(t *testing.T) {
	_, stderr, status := newt(t, "run", "--lens", "--lang", "zh", "testdata/lens/transpose.py")
	if status != exitOK || !strings.Contains(stderr, "扇区") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

func TestLensNeedsNoDevice(t *testing.T) {
	_, stderr, status := newt(t, "run", "--lens", "--device", "cpu", "testdata/lens/transpose.py")
	if status != exitUsage || !strings.Contains(stderr, "leave out --device") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// TestLensAssembles: the program that --ptxas names is asked for registers and spills.
func TestLensAssembles(t *testing.T) {
	ptxas := filepath.Join(t.TempDir(), "ptxas")
	const says = `#!/bin/sh
echo "    0 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads"
echo "ptxas info    : Used 168 registers, used 1 barriers"
while [ "$1" != -o ]; do shift; done
: > "$2"
`
	if err := os.WriteFile(ptxas, []byte(says), 0o700); err != nil {
		t.Fatal(err)
	}
	_, stderr, status := newt(t, "run", "--lens", "--ptxas", ptxas, "testdata/lens/matmul.py")
	for _, part := range []string{
		"168 registers; it spills 16 bytes by stores and 24 by loads", "(12 of 64 warps)", "limited by registers",
	} {
		if status != exitOK || !strings.Contains(stderr, part) {
			t.Errorf("status %d, no %q\n%s", status, part, stderr)
		}
	}
	_, stderr, status = newt(t, "run", "--lens", "--ptxas", ptxas+"-missing", "testdata/lens/matmul.py")
	if status != exitUsage || !strings.Contains(stderr, "cannot assemble matmul") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// TestLensOfKernel: --kernel reports one kernel, and its lines, those that cost most first.
func TestLensOfKernel(t *testing.T) {
	const file = "testdata/lens/contended.py"
	_, stderr, status := newt(t, "run", "--lens", "--kernel", "count", "--json", file)
	reports, _ := lensOf(t, "lens/contended.py")
	one := reported(t, stderr).Lens
	if status != exitOK || len(reports) != 3 || len(one) != 1 || one[0].Kernel != "count" {
		t.Fatalf("status %d: %d reports, %d of them of count", status, len(reports), len(one))
	}
	if _, _, status := newt(t, "run", "--kernel", "count", file); status != exitUsage {
		t.Errorf("without --lens: status %d", status)
	}
}

// TestLensUnique: a stride of 2 asks for as many sectors as one of 32, four times each; atomics onto few words say so;
// narrow loads of shared memory leave most of a wavefront unused.
func TestLensUnique(t *testing.T) {
	reports, _ := lensOf(t, "lens/contended.py")
	find := func(r lens.Report, m lens.Memory, a lens.Access) (found lens.Traffic) {
		for _, l := range r.Lines {
			for _, x := range l.Memory {
				if x.Memory == m && x.Access == a {
					found = x
				}
			}
		}
		return found
	}
	if x := find(reports[0], lens.Global, "load"); x.Units != 1024 || x.Unique != 256 || x.Ideal != 128 {
		t.Errorf("a stride of 2: %+v", x)
	}
	if x := find(reports[1], lens.Global, "atomic"); x.Updates != 1024 || x.Words != 32 || x.Unique != 4 {
		t.Errorf("1024 atomics onto 32 words: %+v", x)
	}
	if x := find(reports[2], lens.Shared, "load"); x.Units != 4*x.Ideal || x.Ideal == 0 {
		t.Errorf("a transpose of bytes: %+v", x)
	}
	if f := reports[0].Roofline; len(f) != 0 {
		t.Errorf("a copy has a roofline: %+v", f)
	}
}

// TestGPU: --gpu names the GPU that is simulated, and whose roofline is shown.
func TestGPU(t *testing.T) {
	_, stderr, _ := newt(t, "run", "--lens", "--gpu", "rtx 5090", "--json", "testdata/vector_add.py")
	r := reported(t, stderr).Lens
	if len(r) == 0 || r[0].Target != "sm_120" || len(r[0].Roofline) != 1 || r[0].Roofline[0].GPU != "RTX 5090" || r[0].Occupancy.MostWarps != 48 {
		t.Error(stderr)
	}
	_, stderr, status := newt(t, "tune", "--gpu", "V100", "testdata/autotuned.py")
	if status != exitUsage || !strings.Contains(stderr, "newt has figures of H100 SXM, H200 SXM, A100 SXM,") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}
