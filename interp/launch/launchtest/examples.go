// Package launchtest tests devices by launches of whole kernels.
package launchtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// exampleTolerance is how far a float that an example stores or prints may be from the interpreter's, relative to the
// larger of its magnitude and 1: the error of the GPU's approximate functions, such as sin.approx.
const exampleTolerance = 1e-5

// ofTheDevice are the names whose results are about the device and the time.
var ofTheDevice = []string{"tl.extra.cuda.smid", "tl.extra.cuda.globaltimer"}

// Examples runs the example of each name of the language on the interpreter and on a device, and compares what they
// store and print.
func Examples(t *testing.T, on device.Device) {
	for _, row := range tl.Rows() {
		want, got := Example(t, &row, launch.Interpreter), Example(t, &row, on)
		if slices.Contains(ofTheDevice, row.Path()) {
			continue
		}
		g, w := strings.Join(got.Prints, "\n"), strings.Join(want.Prints, "\n")
		if !slices.EqualFunc(words(g), words(w), alike) {
			t.Errorf("%s: the example prints\n%s\nand on the interpreter\n%s", row.Path(), g, w)
		}
		for i := range want.Stored {
			compare(t, row.Path(), &got.Stored[i], &want.Stored[i])
		}
	}
}

// Ran is what the example of a name leaves behind.
type Ran struct {
	Said   diag.List       // by the compiler
	Prints []string        // at compile time and by the launch
	Stored []launch.Tensor // x_ptr, i_ptr and out_ptr
}

// ExampleArgs are the arguments of tl.ExampleParams.
func ExampleArgs() []launch.Arg {
	var x, i []byte
	for n := range uint32(16) {
		x = binary.LittleEndian.AppendUint32(x, math.Float32bits(float32(n)))
		i = binary.LittleEndian.AppendUint32(i, n)
	}
	return []launch.Arg{{Tensor: &launch.Tensor{DType: num.Float32, Data: x}},
		{Tensor: &launch.Tensor{DType: num.Int32, Data: i}},
		{Tensor: &launch.Tensor{DType: num.Float32, Data: make([]byte, 64)}}, {Value: int64(10)}}
}

// Example runs the example of a name on a device, without an error.
func Example(t *testing.T, row *tl.Row, on device.Device) (r Ran) {
	t.Helper()
	args := ExampleArgs()
	for _, a := range args[:3] {
		r.Stored = append(r.Stored, *a.Tensor)
	}
	k, list := launch.Compile(source.NewFile("example.py", row.ExampleKernel()), "example", args, false)
	r.Said = list
	if k == nil {
		t.Errorf("%s: %s", row.Path(), list[0].In(diag.English).Headline)
		return r
	}
	report, fault := k.Run(context.Background(), launch.Target{Device: on}, args, device.Launch{Grid: [3]int{1, 1, 1}})
	if fault != nil {
		t.Errorf("%s: %s", row.Path(), fault.In(diag.English).Headline)
		return r
	}
	if len(report.Diagnostics) > 0 {
		t.Errorf("%s: %v", row.Path(), report.Diagnostics)
	}
	for _, p := range k.Prints {
		r.Prints = append(r.Prints, p.Text)
	}
	for _, p := range report.Prints {
		r.Prints = append(r.Prints, p.Text)
	}
	return r
}

// compare compares a tensor of the example of a name on a device with that on the interpreter.
func compare(t *testing.T, name string, got, want *launch.Tensor) {
	t.Helper()
	if want.DType == num.Int32 && !bytes.Equal(got.Data, want.Data) {
		t.Errorf("%s: the example stores %v, and on the interpreter %v", name, got.Data, want.Data)
	}
	for i := 0; want.DType == num.Float32 && i < len(want.Data); i += 4 {
		g, w := float32At(got.Data, i), float32At(want.Data, i)
		if !near(g, w) {
			t.Errorf("%s: the example stores %v at %d, and on the interpreter %v", name, g, i/4, w)
		}
	}
}

// words are the numbers, and what is between them, of a print.
func words(text string) []string {
	return strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(text))
}

func alike(got, want string) bool {
	g, wrong := strconv.ParseFloat(got, 64)
	w, none := strconv.ParseFloat(want, 64)
	return got == want || wrong == nil && none == nil && near(g, w)
}

func near(got, want float64) bool {
	return got == want || got != got && want != want || math.Abs(got-want) <= exampleTolerance*max(1, math.Abs(want))
}

func float32At(data []byte, i int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:])))
}
