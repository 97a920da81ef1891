package tensor

import (
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/newtlab/newt/compiler/num"
)

// DefaultMaxElements is the largest tensor of a Context that does not say otherwise.
const DefaultMaxElements = 1 << 26

// Options are the limits of a Context; zero values mean the defaults.
type Options struct {
	MaxElements int         // elements of one tensor; default DefaultMaxElements
	MaxBytes    int64       // bytes that the tensors of the context in use may take together; default 2^31
	Operations  *Operations // what Lookup finds; default CoreOperations
}

// Context holds what torch keeps in globals: the random generators, the gradient mode, the device of results and
// limits. Its methods keep that state: they make storages, write to them and record the graph. The operations
// themselves are functions that take a Context first. It is for one goroutine.
type Context struct {
	Generator     *Generator
	CUDAGenerator *Philox
	PrintOptions  PrintOptions
	DefaultDevice Device // of tensors that are made from nothing
	GradEnabled   bool
	Operations    *Operations
	Autocast      map[string]num.DType // by type of device, where torch.autocast is on
	// Multiply computes out = x·y for a batch of matrices on the device that they lie on: the tensors have three
	// dimensions, out is contiguous, a stride may be 0. Not ok, or nil, leaves the product to this process.
	Multiply func(out, x, y *Tensor) (ok bool)
	// Stop is asked now and then while an operation computes; true ends it. It is asked by one goroutine at a time.
	Stop  func() bool
	Trace *Trace // of what operations write; nil keeps none
	// Called hears of each operation that has run, by its name, with the tensors that it was given and those that it
	// gave; "__getitem__" and "__setitem__" are indexing, ".grad" asks for a gradient. nil hears nothing.
	Called    func(op string, inputs, results []*Tensor)
	stop      sync.Mutex
	measured  bool  // a script looks at the memory in use
	cuda      bool  // where the operation that runs places its results
	peak      int64 // the most bytes in use so far
	addresses int64 // handed out to storages so far
	told      []told
	computed  int // writes of operations in this process to storages of the GPU
	options   Options
	live      atomic.Int64 // bytes of storages that have not been collected
}

// New makes a context with gradients enabled and the generator seeded with torch's default seed.
func New(o Options) *Context {
	if o.MaxElements <= 0 {
		o.MaxElements = DefaultMaxElements
	}
	if o.Operations == nil {
		o.Operations = CoreOperations()
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 1 << 31
	}
	return &Context{
		Generator:     NewGenerator(DefaultSeed),
		CUDAGenerator: NewPhilox(DefaultSeed),
		PrintOptions:  DefaultPrintOptions,
		DefaultDevice: CPU,
		GradEnabled:   true,
		Operations:    o.Operations,
		options:       o,
	}
}

// alloc makes a zeroed contiguous tensor, within the limits.
func (c *Context) alloc(d num.DType, shape ...int) *Tensor {
	if len(shape) > 64 {
		runtimeError("tensors with more than 64 dimensions are not supported, got %d", len(shape))
	}
	n := 1
	for _, s := range shape {
		if s < 0 {
			runtimeError("Trying to create tensor with negative dimension %d: %s", s, shapeText(shape))
		}
		if s > 0 && n > c.options.MaxElements/s { // divided, since the product may overflow
			limit("a tensor of shape %s has more than %d elements, the most that are allowed here", shapeText(shape),
				c.options.MaxElements)
		}
		n *= s
	}
	storage := newStorage(n * d.Info().Bytes)
	storage.cuda, storage.of, storage.address = c.cuda, c, firstAddress+c.addresses
	c.addresses += (int64(storage.Len()) + addressUnit) &^ (addressUnit - 1)
	c.charge(storage)
	return &Tensor{layout: contiguous(slices.Clone(shape)), storage: storage, dtype: d}
}

// firstAddress is what data_ptr says of the first storage; the others follow in units of torch's allocator.
const (
	firstAddress = 0x7f0000000000
	addressUnit  = 512
)

// poll ends the operation that runs if it is to stop. A nil context is none that could.
func (c *Context) poll() {
	if c == nil || c.Stop == nil || !c.stop.TryLock() {
		return
	}
	defer c.stop.Unlock()
	if c.Stop() {
		panic(&Error{"", "", Stopped})
	}
}

// polled lists a slice, and polls now and then: loops over the elements of a tensor go through it, or through
// chunksOf.
func polled[T any](c *Context, list []T) iter.Seq2[int, T] {
	return func(yield func(i int, v T) bool) {
		for i, v := range list {
			if i%chunk == 0 {
				c.poll()
			}
			if !yield(i, v) {
				return
			}
		}
	}
}

// chunksOf calls f with the bounds of each chunk of from … to, and polls before each.
func (c *Context) chunksOf(from, to int, f func(from, to int)) {
	for ; from < to; from += chunk {
		c.poll()
		f(from, min(from+chunk, to))
	}
}

// Live is the number of bytes of the storages in use, small ones aside. What nothing refers to is collected first.
func (c *Context) Live() int64 {
	c.measured = true
	return c.collected(0)
}

// Peak is the most that Live has been. Until a script has asked for one of the two, dead tensors count as well.
func (c *Context) Peak() int64 {
	c.measured = true
	return c.peak
}

// Held is the number of bytes of the storages that have not been collected, small ones aside.
func (c *Context) Held() int64 { return c.live.Load() }

// ResetPeak begins Peak anew.
func (c *Context) ResetPeak() { c.peak = c.Live() }

// collected is the number of live bytes after the collector has run, a few times if there are more than wanted.
func (c *Context) collected(wanted int64) int64 {
	before := c.live.Load()
	for try := 0; try < 3 && c.live.Load() > wanted; try++ {
		runtime.GC()
		for range 8 { // the cleanups run in a goroutine of their own
			runtime.Gosched()
		}
		if after := c.live.Load(); after == before && try > 0 {
			break
		} else {
			before = after
		}
	}
	return c.live.Load()
}

// Computed counts how often operations have written to tensors of the GPU in this process: what launches write is not
// counted.
func (c *Context) Computed() int { return c.computed }

// smallStorage is the size below which storages are not counted.
const smallStorage = 1 << 12

// charge counts a storage against the context's limit until it is collected.
func (c *Context) charge(s *Storage) {
	size := int64(s.Len())
	if size < smallStorage {
		return
	}
	live := c.live.Add(size)
	// Storages of dead tensors count until the collector has found them, so it is asked before anything is refused, and
	// before a script is told of a new peak.
	if live > c.options.MaxBytes {
		live = c.collected(c.options.MaxBytes)
	} else if c.measured && live > c.peak {
		live = c.collected(c.peak)
	}
	c.peak = max(c.peak, live)
	runtime.AddCleanup(s, func(size int64) { c.live.Add(-size) }, size)
	if live > c.options.MaxBytes {
		limit("not enough memory: the tensors in use take more than %d MiB, the most that are allowed here",
			max(c.options.MaxBytes>>20, 1))
	}
}

// FromBytes makes a tensor that owns data: row-major, little-endian, exactly as long as the shape asks.
func (c *Context) FromBytes(d num.DType, shape []int, data []byte) (t *Tensor, err error) {
	defer guard(&err)
	t = c.alloc(d, shape...)
	if len(data) != t.storage.Len() {
		runtimeError("shape %s is invalid for input of size %d", shapeText(shape), len(data)/d.Info().Bytes)
	}
	copy(t.storage.write(), data)
	return t, nil
}

// FromFloats makes a tensor of d from values in row-major order.
func (c *Context) FromFloats(d num.DType, shape []int, values []float64) (t *Tensor, err error) {
	defer guard(&err)
	t = c.alloc(d, shape...)
	if len(values) != t.numel() {
		runtimeError("shape %s is invalid for input of size %d", shapeText(shape), len(values))
	}
	t.setFloats(values)
	return t, nil
}

// Floats lists the elements in row-major order, converted to float64 (bool as 0 and 1).
func (t *Tensor) Floats() []float64 {
	return readAll(t, (*reader).floats)
}

// Ints lists the elements in row-major order, converted to int64 (floats truncate).
func (t *Tensor) Ints() []int64 {
	return readAll(t, (*reader).ints)
}

func readAll[T any](t *Tensor, read func(*reader, []T)) []T {
	out, data := make([]T, t.numel()), t.storage.read()
	chunksInParallel(len(out), func(from, to int) {
		r := t.elements(data)
		r.seek(from)
		t.storage.of.chunksOf(from, to, func(from, to int) { read(r, out[from:to]) })
	})
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
