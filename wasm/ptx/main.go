//go:build js && wasm

// Command ptx is the compiler to PTX in a Web Worker of the page: it hands requests to wasm/ptx/code
// and replies back.
package main

import (
	"syscall/js"

	"github.com/newtlab/newt/wasm/ptx/code"
)

func main() {
	handle := func(_ js.Value, args []js.Value) any {
		send := args[1]
		code.Handle([]byte(args[0].String()), func(reply []byte) { send.Invoke(string(reply)) })
		return nil
	}
	js.Global().Set("newtHandle", js.FuncOf(handle))
	js.Global().Call("newtReady")
	select {}
}
