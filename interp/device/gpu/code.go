package gpu

import (
	"sync"
	"unsafe"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// Code keeps what was compiled to PTX, for functions that are loaded again and have the same wire form. Several devices
// may share it. A nil Code keeps nothing.
type Code struct {
	lock          sync.Mutex
	recent, older map[codeKey]*compiled
	bytes         int // that what is in recent takes at most
}

// compiled is a module that may be of another function than a kernel's, one of the same wire form.
type compiled struct {
	module *ptx.Module
	// loads says, by parameter, which of prover.checks the load of a tensor map is: that of ptx.TensorMap is an
	// instruction of the function that was compiled.
	loads []int
}

// codeKey is all that compilerOptions and the function make a difference by.
type codeKey struct {
	fn         string // its wire form
	options    device.Options
	target     string
	shared     int
	printBytes int
	proof      proof
}

// codeBytes is when what is recent becomes older, and what was older is dropped.
const codeBytes = 16 << 20

// decodedBytes bounds what a function takes for each byte of its wire form. The sites of a module refer to
// instructions, and so keep the function that it was compiled of.
const decodedBytes = 100

// layoutBytes is about what a layout takes: itself and as much again for its lists.
const layoutBytes = 2 * int(unsafe.Sizeof(ptx.Layout{}))

// size is what an entry takes at most.
func (c *compiled) size(key codeKey) int {
	m := c.module
	code := len(m.Text) + cap(m.Lines)*int(unsafe.Sizeof(source.Span{})) + layoutBytes*len(m.Layouts)
	return (1+decodedBytes)*len(key.fn) + len(key.proof) + code
}

// NewCode makes an empty Code.
func NewCode() *Code { return &Code{recent: map[codeKey]*compiled{}} }

// get is what was put under a key, nil if that was dropped.
func (c *Code) get(key codeKey) *compiled {
	c.lock.Lock()
	defer c.lock.Unlock()
	if m := c.recent[key]; m != nil {
		return m
	}
	m := c.older[key]
	if m != nil {
		c.add(key, m)
	}
	return m
}

func (c *Code) put(key codeKey, m *compiled) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.add(key, m)
}

// add is put with the lock held.
func (c *Code) add(key codeKey, m *compiled) {
	size := m.size(key)
	if c.bytes += size; c.bytes > codeBytes {
		c.recent, c.older, c.bytes = map[codeKey]*compiled{}, c.recent, size
	}
	c.recent[key] = m
}

// compilePTX compiles the kernel to PTX for launches of which p is proved, unless that was done before.
func (k *kernel) compilePTX(p proof) (*compiled, error) {
	code := k.gpu.options.Code
	if code == nil {
		return k.compileAnew(p)
	}
	key := codeKey{
		string(ir.Encode(k.fn)), k.options, k.gpu.info.Target, k.gpu.info.Shared, k.gpu.options.PrintBytes, p,
	}
	if m := code.get(key); m != nil {
		return m, nil
	}
	m, err := k.compileAnew(p)
	if err == nil {
		code.put(key, m)
	}
	return m, err
}

func (k *kernel) compileAnew(p proof) (*compiled, error) {
	m, err := ptx.Compile(k.fn, k.compilerOptions(p))
	if err != nil {
		return nil, err
	}
	c := &compiled{m, make([]int, len(m.Params))}
	for i, param := range m.Params {
		if param.Tensor != nil {
			c.loads[i] = k.prover.indexOf[param.Tensor.Load]
		}
	}
	return c, nil
}
