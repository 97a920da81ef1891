package tensor

import (
	"weak"

	"github.com/newtlab/newt/compiler/num"
)

// told is a storage whose address has been told, and the dtype of the tensor that was asked.
type told struct {
	storage weak.Pointer[Storage]
	dtype   num.DType
}

// Tell notes that a script, or a kernel of it, knows the address of t's storage.
func (c *Context) Tell(t *Tensor) {
	if !t.storage.told {
		t.storage.told = true
		c.told = append(c.told, told{weak.Make(t.storage), t.dtype})
	}
}

// Reachable is memory that a kernel may reach by an address that it reads: the address has been told, and some tensor
// still has the memory.
type Reachable struct {
	Storage *Storage
	DType   num.DType // of the tensor whose address was told first
	Address int64     // of the first byte, a multiple of 512
}

// Reachable lists the memory whose address has been told.
func (c *Context) Reachable() []Reachable {
	var list []Reachable
	kept := c.told[:0]
	for _, x := range c.told {
		if s := x.storage.Value(); s != nil {
			kept = append(kept, x)
			list = append(list, Reachable{s, x.dtype, s.address})
		}
	}
	clear(c.told[len(kept):])
	c.told = kept
	return list
}
