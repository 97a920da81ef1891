//go:build js && wasm

// Command ptx is the compiler to PTX in a Web Worker of the page.
package main

import (
	"github.com/newtlab/newt/wasm/ptx/code"
	"github.com/newtlab/newt/wasm/rpc"
)

func main() { rpc.Serve(code.Handle) }
