//go:build js && wasm

// Command wasm is newt in the page's Web Worker, for puzzles and single kernels: what a first visit loads.
package main

import (
	"github.com/newtlab/newt/wasm/api"
	"github.com/newtlab/newt/wasm/rpc"
)

func main() { rpc.Serve(api.Handle()) }
