package ir

import "github.com/newtlab/newt/compiler/ops"

// Addresses reports whether the kernel makes pointers of integers, and so needs to be told which memory addresses stand
// for.
func (fn *Func) Addresses() bool { return fn.has(ops.IntToPtr) }

// TakesAddresses reports whether the kernel makes integers of pointers, and so needs to be told the addresses of its
// arguments.
func (fn *Func) TakesAddresses() bool { return fn.has(ops.PtrToInt) }

func (fn *Func) has(op ops.Op) (found bool) {
	fn.Body.Walk(func(in *Instr) { found = found || in.Op == op })
	return found
}
