// Package devicetest is the test suite that every device passes: its own test calls Run.
package devicetest

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// Run checks a device that open makes. Each part of the suite is a subtest.
func Run(t *testing.T, open func() device.Device) {
	for _, part := range []struct {
		name string
		test func(*testing.T, *fixture)
	}{
		{"memory", testMemory},
		{"kernels", testKernels},
		{"dtypes", testDTypes},
		{"dot", testDot},
		{"tiles", testTiles},
		{"bounds", testBounds},
		{"atomics", testAtomics},
		{"locks", testLocks},
		{"addresses", testAddresses},
		{"budget", testBudget},
		{"assert", testAssert},
		{"prints", testPrints},
		{"races", testRaces},
		{"poison", testPoison},
		{"refusals", testRefusals},
		{"timing", testTiming},
		{"hammer", testHammer},
		{"order", testOrder},
	} {
		t.Run(part.name, func(t *testing.T) {
			dev := open()
			defer func() {
				if err := dev.Close(); err != nil {
					t.Error(err)
				}
			}()
			part.test(t, &fixture{t, dev})
		})
	}
}

// fixture makes tests read like what they check.
type fixture struct {
	t   *testing.T
	dev device.Device
}

// load makes the kernel of a text form.
func (f *fixture) load(text string) device.Kernel {
	f.t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		f.t.Fatal(err)
	}
	k, err := f.dev.Load(fn, device.Options{})
	if err != nil {
		f.t.Fatal(err)
	}
	return k
}

// tensor copies values of dtype d to the device.
func (f *fixture) tensor(d num.DType, values ...float64) device.Pointer {
	f.t.Helper()
	raw := encode(d, values)
	m, err := f.dev.Alloc(len(raw))
	if err != nil {
		f.t.Fatal(err)
	}
	if err := m.Write(0, raw); err != nil {
		f.t.Fatal(err)
	}
	return device.Pointer{Memory: m, DType: d}
}

func encode(d num.DType, values []float64) []byte {
	v := num.MakeVec(d.Info().Class, len(values))
	num.Cast(num.Float64, d, num.RTNE)(v, num.Vec{F64: values})
	raw := make([]byte, len(values)*d.Info().Bytes)
	num.Store(d, raw, v)
	return raw
}

// zeros is a tensor of n zeros.
func (f *fixture) zeros(d num.DType, n int) device.Pointer { return f.tensor(d, make([]float64, n)...) }

// values reads a tensor back.
func (f *fixture) values(p device.Pointer) []float64 {
	f.t.Helper()
	raw := make([]byte, p.Memory.Bytes())
	if err := p.Memory.Read(0, raw); err != nil {
		f.t.Fatal(err)
	}
	n := len(raw) / p.DType.Info().Bytes
	v := num.MakeVec(p.DType.Info().Class, n)
	num.Load(p.DType, v, raw)
	out := make([]float64, n)
	num.Cast(p.DType, num.Float64, num.RTNE)(num.Vec{F64: out}, v)
	return out
}

// launch runs a kernel that must not fail.
func (f *fixture) launch(k device.Kernel, programs int, args ...device.Arg) *device.Report {
	f.t.Helper()
	report, err := k.Launch(context.Background(), device.Launch{Grid: [3]int{programs, 1, 1}, Args: args})
	if err != nil {
		f.t.Fatal(err)
	}
	return report
}

// fails runs a kernel that must stop with a fault of that code.
func (f *fixture) fails(code string, k device.Kernel, l device.Launch) *device.Report {
	f.t.Helper()
	report, err := k.Launch(context.Background(), l)
	fault, ok := err.(device.Fault)
	if !ok {
		f.t.Fatalf("the launch gave %v, want a fault %s", err, code)
	}
	if got := fault.Diagnostic().Code; got != code {
		f.t.Fatalf("fault %s (%v), want %s", got, err, code)
	}
	return report
}

// expect compares a tensor with values, up to a relative and absolute difference of tolerance.
func (f *fixture) expect(p device.Pointer, tolerance float64, want ...float64) {
	f.t.Helper()
	got := f.values(p)
	if len(got) != len(want) {
		f.t.Fatalf("%d elements, want %d", len(got), len(want))
	}
	for i, w := range want {
		same := got[i] == w || got[i] != got[i] && w != w
		if !same && !(math.Abs(got[i]-w) <= tolerance*(1+math.Abs(w))) {
			f.t.Fatalf("element %d is %v, want %v; all: %v", i, got[i], w, got)
		}
	}
}

func integer(v int64) device.Scalar { return device.Scalar{Scalar: num.FromInt(num.Int32, v)} }

// ramp is 0, step, 2·step, …
func ramp(n int, step float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i) * step
	}
	return out
}

// replaced puts values in the place of the capital names of a kernel's text.
func replaced(text string, pairs ...any) string {
	words := make([]string, len(pairs))
	for i, p := range pairs {
		words[i] = fmt.Sprint(p)
	}
	return strings.NewReplacer(words...).Replace(text)
}
