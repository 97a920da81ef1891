//go:build js && wasm

// Command wasm is newt in the page's Web Worker: it hands requests to wasm/api and replies back.
package main

import (
	"syscall/js"

	"github.com/newtlab/newt/wasm/api"
)

func main() {
	var queue api.Queue
	handle := func(_ js.Value, args []js.Value) any {
		send := args[1]
		queue.Handle([]byte(args[0].String()), func(reply []byte) { send.Invoke(string(reply)) })
		return nil
	}
	js.Global().Set("newtHandle", js.FuncOf(handle))
	js.Global().Call("newtReady")
	select {}
}
