package client_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/endpoint"
)

func parse(t testing.TB, text string) *ir.Func {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// floats is n elements on a device, each its index times step.
func floats(t testing.TB, d device.Device, n int, step float32) device.Pointer {
	t.Helper()
	m, err := d.Alloc(4 * n)
	if err != nil {
		t.Fatal(err)
	}
	v := num.Vec{F32: make([]float32, n)}
	for i := range v.F32 {
		v.F32[i] = float32(i) * step
	}
	raw := make([]byte, 4*n)
	num.Store(num.Float32, raw, v)
	if err := m.Write(0, raw); err != nil {
		t.Fatal(err)
	}
	return device.Pointer{Memory: m, DType: num.Float32}
}

func read(t testing.TB, p device.Pointer) []float32 {
	t.Helper()
	raw := make([]byte, p.Memory.Bytes())
	if err := p.Memory.Read(0, raw); err != nil {
		t.Fatal(err)
	}
	v := num.Vec{F32: make([]float32, len(raw)/4)}
	num.Load(num.Float32, v, raw)
	return v.F32
}

// sum is a launch of addition on n elements of its own.
func sum(t testing.TB, d device.Device, n int) (device.Launch, device.Pointer) {
	z := floats(t, d, n, 0)
	args := []device.Arg{floats(t, d, n, 1), floats(t, d, n, 2), z, device.Scalar{Scalar: num.FromInt(num.Int32, int64(n))}}
	return device.Launch{Grid: [3]int{(n + 31) / 32, 1, 1}, Args: args}, z
}

func benchmark(b *testing.B, elements int) {
	c, _ := open(b, endpoint.Options{})
	d, err := c.Device("")
	if err != nil {
		b.Fatal(err)
	}
	k, err := d.Load(parse(b, devicetest.VectorAdd), device.Options{})
	if err != nil {
		b.Fatal(err)
	}
	l, _ := sum(b, d, elements)
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		if _, err := k.Launch(context.Background(), l); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// A job of three tensors of 1 KB, from the client's launch to its result.
func BenchmarkRoundTrip(b *testing.B) { benchmark(b, 256) }

// 200 clients, each with a connection of its own, that all want something at once: the time of one
// job beside the others'.
func BenchmarkClients(b *testing.B) {
	_, s := open(b, endpoint.Options{})
	const clients = 200
	launches := make([]func() error, clients)
	for i := range launches {
		c, err := client.Connect(context.Background(), "ws"+strings.TrimPrefix(s.URL, "http"), client.Options{Token: token})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		d, err := c.Device("")
		if err != nil {
			b.Fatal(err)
		}
		k, err := d.Load(parse(b, devicetest.VectorAdd), device.Options{})
		if err != nil {
			b.Fatal(err)
		}
		l, _ := sum(b, d, 256)
		launches[i] = func() error { _, err := k.Launch(context.Background(), l); return err }
	}
	for b.Loop() {
		var all sync.WaitGroup
		for _, launch := range launches {
			all.Go(func() {
				if err := launch(); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N)/clients, "ms/job")
}

// A job that sends 32 MiB and gets 16 MiB back.
func BenchmarkTensors(b *testing.B) {
	b.SetBytes(48 << 20)
	benchmark(b, 4<<20)
}

func encode(t testing.TB, text string) []byte {
	t.Helper()
	return ir.Encode(parse(t, text))
}
