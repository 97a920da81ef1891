package device

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// Guard is the lock of a piece of memory: launches hold it together (Hold), whoever changes or frees the memory
// otherwise holds it alone.
type Guard struct {
	sync.RWMutex
	serial int64
}

var guards atomic.Int64 // made so far

// NewGuard makes the guard of a new piece of memory.
func NewGuard() *Guard { return &Guard{serial: guards.Add(1)} }

// Hold locks the memory that args point into for a launch, each piece once and all in one order: otherwise launches,
// and those who wait to change the memory, could wait for each other in a ring. guard gives the guard of a piece of
// memory, nil where the launch cannot use it.
func Hold(args []Arg, guard func(Memory) *Guard) (release func()) {
	return hold(guardsOf(args, guard), (*sync.RWMutex).RLock, (*sync.RWMutex).RUnlock)
}

// HoldAlone is Hold for a launch that shares its memory with no other one.
func HoldAlone(args []Arg, guard func(Memory) *Guard) (release func()) {
	return hold(guardsOf(args, guard), (*sync.RWMutex).Lock, (*sync.RWMutex).Unlock)
}

// guardsOf are the guards of the memory that args point into, each once, in the order of their making.
func guardsOf(args []Arg, guard func(Memory) *Guard) []*Guard {
	var list []*Guard
	for _, a := range args {
		if p, ok := a.(Pointer); ok {
			if g := guard(p.Memory); g != nil {
				list = append(list, g)
			}
		}
	}
	slices.SortFunc(list, func(a, b *Guard) int { return cmp.Compare(a.serial, b.serial) })
	return slices.Compact(list)
}

func hold(list []*Guard, lock, unlock func(*sync.RWMutex)) (release func()) {
	for _, g := range list {
		lock(&g.RWMutex)
	}
	return func() {
		for _, g := range list {
			unlock(&g.RWMutex)
		}
	}
}
