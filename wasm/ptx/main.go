//go:build js && wasm

// Command ptx is the compiler to PTX in a Web Worker of the page.
package main

import (
	"runtime/debug"

	"github.com/newtlab/newt/wasm/ptx/code"
	"github.com/newtlab/newt/wasm/rpc"
)

// heapGrowth is what the heap may grow by between collections, in percent: the first one comes at 16 MiB
// instead of 4. Collections stop the only thread there is, and the first takes 30 ms in Chromium.
const heapGrowth = 400

func main() {
	debug.SetGCPercent(heapGrowth)
	rpc.Serve(code.Handle)
}
