//go:build js && wasm

// Command ptx is the compiler to PTX in a Web Worker of the page: it hands requests to wasm/ptx/code
// and replies back.
package main

import (
	"runtime/debug"
	"syscall/js"

	"github.com/newtlab/newt/wasm/ptx/code"
)

// heapGrowth is what the heap may grow by between collections, in percent: the first one comes at 16 MiB
// instead of 4. Collections stop the only thread there is, and the first takes 30 ms in Chromium.
const heapGrowth = 400

func main() {
	debug.SetGCPercent(heapGrowth)
	handle := func(_ js.Value, args []js.Value) any {
		send := args[1]
		code.Handle([]byte(args[0].String()), func(reply []byte) { send.Invoke(string(reply)) })
		return nil
	}
	js.Global().Set("newtHandle", js.FuncOf(handle))
	js.Global().Call("newtReady")
	select {}
}
