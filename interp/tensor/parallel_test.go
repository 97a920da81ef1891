package tensor

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/newtlab/newt/compiler/num"
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
