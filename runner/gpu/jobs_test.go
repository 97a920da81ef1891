package gpu

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// pageDevice makes launches as the page does: each is a job with all of its tensors, the first is timed, and nothing
// stays on the runner.
type pageDevice struct {
	client *client.Client
	times  bool
	took   []time.Duration // of each launch
}

type pageMemory struct{ data []byte }

func (m *pageMemory) Bytes() int                       { return len(m.data) }
func (m *pageMemory) Write(at int, data []byte) error  { copy(m.data[at:], data); return nil }
func (m *pageMemory) Read(at int, into []byte) error   { copy(into, m.data[at:]); return nil }
func (m *pageMemory) Free()                            {}
func (*pageDevice) Close() error                       { return nil }
func (*pageDevice) Capabilities() device.Capabilities  { return device.Capabilities{} }
func (*pageDevice) Wrap(data []byte) device.Memory     { return &pageMemory{data} }
func (*pageDevice) Alloc(n int) (device.Memory, error) { return &pageMemory{make([]byte, n)}, nil }

func (d *pageDevice) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	return pageKernel{d, codec.Load(fn, o)}, nil
}

type pageKernel struct {
	device *pageDevice
	code   *codec.Function
}

func (k pageKernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	j := k.code.Job(l, func(m device.Memory) (protocol.Tensor, []byte, bool) {
		data := m.(*pageMemory).data
		return codec.Whole(data), data, true
	})
	if k.device.times && len(k.device.took) == 0 {
		j.Submit.Timing = &protocol.TimingRequest{WarmupMS: 5, MeasureMS: 20}
	}
	began := time.Now()
	out, err := k.device.client.Run(ctx, client.Job{Submit: j.Submit, IR: j.IR, Tensors: j.Tensors})
	k.device.took = append(k.device.took, time.Since(began))
	for i, data := range out.Results {
		copy(j.Tensors[i], data)
	}
	return out.Report(), err
}

// serveDevice serves a device, and gives the runner's address.
func serveDevice(b *testing.B, d device.Device) string {
	b.Helper()
	r := endpoint.New(endpoint.Options{
		Devices: []sched.Device{{ID: "cuda:0", Device: d}}, Limits: protocol.DefaultLimits(),
	})
	s := httptest.NewServer(r)
	b.Cleanup(func() {
		r.Shutdown(0)
		s.Close()
	})
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

func connect(b *testing.B, address string) *client.Client {
	b.Helper()
	c, err := client.Connect(b.Context(), address, client.Options{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

// idleChoices are devices whose processes serve one job each, and such that keep them for their clients.
var idleChoices = []struct {
	name string
	idle func() *Idle
}{
	{"one_job", func() *Idle { return nil }},
	{"kept", func() *Idle { return NewIdle(DefaultIdleLimits) }},
}

// reportTimes reports when half, and all but one of a hundred, were done.
func reportTimes(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
}

// BenchmarkJobs measures additions of 4,096 elements, each client sending one when the last is answered.
func BenchmarkJobs(b *testing.B) {
	for _, choice := range idleChoices {
		for _, clients := range []int{1, 4} {
			b.Run(fmt.Sprintf("%s/clients=%d", choice.name, clients), func(b *testing.B) {
				o := testOptions(b)
				o.Idle = choice.idle()
				benchmarkJobs(b, serveDevice(b, opened(b, o)), clients)
			})
		}
	}
}

func benchmarkJobs(b *testing.B, address string, clients int) {
	const n = 4096
	fn, err := ir.Parse(strings.Replace(vectorAdd, "@add", "@sum", 1)) // a name that means nothing to the stand-in
	if err != nil {
		b.Fatal(err)
	}
	one := make([]byte, 4*n)
	num.Store(num.Float32, one, num.Vec{F32: slices.Repeat([]float32{1}, n)})
	job := func(d *pageDevice) error {
		k, err := d.Load(fn, device.Options{})
		if err != nil {
			return err
		}
		var args []device.Arg
		z := make([]byte, 4*n)
		for _, data := range [][]byte{one, one, z} {
			args = append(args, device.Pointer{Memory: d.Wrap(data), DType: num.Float32})
		}
		args = append(args, device.Scalar{Scalar: num.FromInt(num.Int32, n)})
		if _, err := k.Launch(b.Context(), device.Launch{Grid: [3]int{n / 1024, 1, 1}, Args: args}); err != nil {
			return err
		}
		sum := num.Vec{F32: make([]float32, n)}
		if num.Load(num.Float32, sum, z); onGPU() && slices.ContainsFunc(sum.F32, func(v float32) bool { return v != 2 }) {
			return fmt.Errorf("a sum is wrong")
		}
		return nil
	}
	devices := make([]*pageDevice, clients)
	for i := range devices {
		devices[i] = &pageDevice{client: connect(b, address)}
		if err := job(devices[i]); err != nil {
			b.Fatal(err)
		}
		devices[i].took = nil
	}
	var all sync.WaitGroup
	b.ResetTimer()
	for i, d := range devices {
		all.Go(func() {
			for range b.N/clients + min(1, max(0, b.N%clients-i)) {
				if err := job(d); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	var took []time.Duration
	for _, d := range devices {
		took = append(took, d.took...)
	}
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "jobs/s")
	reportTimes(b, took)
}

// BenchmarkPuzzle measures the check of a right answer to puzzle 3, without what a page does beside it: by a client
// that has run nothing yet, after an edit, and again. The cache of machine code is empty before the first two.
func BenchmarkPuzzle(b *testing.B) {
	for _, choice := range idleChoices {
		b.Run(choice.name, func(b *testing.B) {
			o := testOptions(b)
			o.Idle = choice.idle()
			address := serveDevice(b, opened(b, o))
			for _, c := range []struct {
				name        string
				fresh, edit bool // a client, and an answer, that the runner has not seen
			}{{"first", true, true}, {"edited", false, true}, {"again", false, false}} {
				b.Run(c.name, func(b *testing.B) { benchmarkPuzzle(b, address, c.fresh, c.edit) })
			}
		})
	}
}

// edits counts the answers to a puzzle that were made.
var edits int

// answer is an answer to puzzle 3 that differs from all others.
func answer() *source.File {
	edits++
	p, _ := puzzles.Get(3)
	sum := fmt.Sprintf("(x[None, :] * %d.0 + y[:, None] * %[1]d.0) / %[1]d.0", edits+2)
	return source.NewFile("answer.py", strings.Replace(p.Text.Solutions[0].Source, "x[None, :] + y[:, None]", sum, 1))
}

func benchmarkPuzzle(b *testing.B, address string, fresh, edit bool) {
	p, _ := puzzles.Get(3)
	j := judge.New(p)
	check := func(c *client.Client, file *source.File) (launches time.Duration) {
		d := &pageDevice{client: c, times: true}
		v := j.Check(b.Context(), file, judge.Options{Device: d})
		if onGPU() && !v.Pass() {
			b.Fatalf("the answer is refused: %+v", v.Message())
		}
		for _, t := range d.took {
			launches += t
		}
		return launches
	}
	c, file := connect(b, address), answer()
	check(c, file)
	var took, launches []time.Duration
	for range b.N {
		if edit {
			file = answer()
		}
		if fresh {
			c = connect(b, address)
			time.Sleep(2 * time.Second) // until spare processes are ready
		}
		began := time.Now()
		launches = append(launches, check(c, file))
		took = append(took, time.Since(began))
	}
	reportTimes(b, took)
	slices.Sort(launches)
	b.ReportMetric(float64(launches[len(launches)/2].Microseconds())/1000, "launches-p50-ms")
}
