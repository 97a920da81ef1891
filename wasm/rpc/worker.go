//go:build js && wasm

package rpc

import (
	"runtime/debug"
	"syscall/js"
)

// heapGrowth is what the heap may grow by between collections, in percent: the first one comes at 16 MiB instead of 4.
// Collections stop the only thread there is, and the first takes 30 ms in Chromium.
const heapGrowth = 400

// collectedBytes is from what size on the heap does not grow as long as there is garbage: half of what WebAssembly can
// have. Tensors of a gigabyte would else leave room for four gigabytes of garbage.
const collectedBytes = 2 << 30

// Serve registers handle with the Web Worker's script, frontend/src/engine/worker.ts, and never returns.
func Serve(handle Handler) {
	debug.SetGCPercent(heapGrowth)
	debug.SetMemoryLimit(collectedBytes)
	receive := func(_ js.Value, args []js.Value) any {
		request := Message{Call: args[0].Int(), Text: []byte(args[1].String()), Buffers: fromJS(args[2])}
		send := args[3]
		handle(request, func(reply Message) { send.Invoke(string(reply.Text), toJS(reply.Buffers)) })
		return nil
	}
	js.Global().Set("newtHandle", js.FuncOf(receive))
	js.Global().Call("newtReady")
	select {}
}

// fromJS copies an array of ArrayBuffers.
func fromJS(buffers js.Value) [][]byte {
	list := make([][]byte, buffers.Length())
	for i := range list {
		bytes := js.Global().Get("Uint8Array").New(buffers.Index(i))
		list[i] = make([]byte, bytes.Length())
		js.CopyBytesToGo(list[i], bytes)
	}
	return list
}

// toJS makes an array of ArrayBuffers, which the worker's script transfers.
func toJS(list [][]byte) js.Value {
	buffers := js.Global().Get("Array").New()
	for _, data := range list {
		bytes := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(bytes, data)
		buffers.Call("push", bytes.Get("buffer"))
	}
	return buffers
}
