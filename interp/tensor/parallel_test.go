package tensor

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// TestProcessors: an operation gives the same bytes on one processor and on several, for contiguous tensors and others.
func TestProcessors(t *testing.T) {
	operations := map[string]func(c *Context) *Tensor{
		"random": func(c *Context) *Tensor { return c.draw(300, 700) },
		"uniform": func(c *Context) *Tensor {
			t := c.alloc(num.Float16, 300, 700)
			c.CUDAGenerator.fillUniform(t, -2, 5)
			return t
		},
		"add":     func(c *Context) *Tensor { return add(c, c.draw(300, 700), transpose(c, c.draw(700, 300), 0, 1)) },
		"stretch": func(c *Context) *Tensor { return mul(c, c.draw(300, 700), c.draw(700)) },
		"product": func(c *Context) *Tensor {
			return batchedProduct(c, c.draw(2, 151, 307), transpose(c, c.draw(63, 307), 0, 1))
		},
		"sum":     func(c *Context) *Tensor { return reduceSum(c, c.draw(300, 700), []int{1}, false) },
		"columns": func(c *Context) *Tensor { return reduceSum(c, c.draw(300, 700), []int{0}, false) },
		"softmax": func(c *Context) *Tensor { return softmax(c, c.draw(300, 700), 0) },
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, operation := range operations {
		runtime.GOMAXPROCS(1)
		want := operation(New(Options{})).Bytes()
		runtime.GOMAXPROCS(4)
		if got := operation(New(Options{})).Bytes(); !bytes.Equal(got, want) {
			t.Errorf("%s depends on the number of processors", name)
		}
	}
}

// draw is a tensor of random numbers on cuda, whose generator counts threads.
func (c *Context) draw(shape ...int) *Tensor {
	t := c.alloc(num.Float32, shape...)
	c.CUDAGenerator.fillNormal(t, 0, 1)
	return t
}

// remote is the memory of a device, of bytes that are all the same.
type remote struct {
	device.Device
	size  int
	value byte
	reads atomic.Int32
}

func (r *remote) Alloc(n int) (device.Memory, error) { r.size = n; return r, nil }
func (r *remote) Bytes() int                         { return r.size }
func (r *remote) Write(int, []byte) error            { return nil }
func (r *remote) Free()                              {}
func (r *remote) Read(at int, into []byte) error {
	r.reads.Add(1)
	time.Sleep(time.Millisecond) // so that other readers, which there must not be, come too
	for i := range into {
		into[i] = r.value
	}
	return nil
}

// TestProcessorsFetch: what a device has is fetched before several goroutines work on it.
func TestProcessorsFetch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	c := New(Options{})
	x, y := c.alloc(num.Int8, 1<<20), c.alloc(num.Int8, 1<<20)
	devices := []*remote{{value: 1}, {value: 2}}
	for i, s := range []*Storage{x.storage, y.storage} {
		if _, err := s.On(devices[i]); err != nil {
			t.Fatal(err)
		}
		s.Changed()
	}
	for i, v := range add(c, x, y).Ints() {
		if v != 3 {
			t.Fatalf("element %d is %d, not 3", i, v)
		}
	}
	if a, b := devices[0].reads.Load(), devices[1].reads.Load(); a != 1 || b != 1 {
		t.Errorf("fetched %d and %d times", a, b)
	}
}

// TestParallelPanic: what a part of the work panics with reaches the caller.
func TestParallelPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	defer func() {
		if e, ok := recover().(*Error); !ok || e.Class != "RuntimeError" {
			t.Error("the panic was lost")
		}
	}()
	inParallel(1<<20, 1, 1, func(from, to int) {
		if from <= 1<<19 && 1<<19 < to {
			runtimeError("in the middle")
		}
	})
}
