package ir

import "github.com/newtlab/newt/compiler/ops"

// Addresses reports whether the kernel makes pointers of integers, and so needs to be told which memory addresses stand
// for.
func (fn *Func) Addresses() (found bool) {
	fn.Body.Walk(func(in *Instr) { found = found || in.Op == ops.IntToPtr })
	return found
}
