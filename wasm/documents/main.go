//go:build js && wasm

// Command documents is newt in the page's Web Worker once the page shows a document: it serves what the program for
// puzzles serves, and runs documents with all libraries.
package main

import (
	"github.com/newtlab/newt/compiler/explain"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/puzzles/fast"
	"github.com/newtlab/newt/wasm/api"
	"github.com/newtlab/newt/wasm/markdown"
	"github.com/newtlab/newt/wasm/rpc"
)

func main() {
	rpc.Serve(api.HandleDocuments(api.Libraries{
		Codecs: codec.Go{}, Markdown: markdown.Prose, TritonShared: tritonShared, Puzzle: fast.Get,
		Refusal: explain.Refusal,
	}))
}

// tritonShared is what the model of Triton's allocation says of a function.
func tritonShared(fn *ir.Func, target string, o device.Options) (required, limit int) {
	return ptx.TritonShared(fn, ptx.Options{Target: target, NumWarps: o.NumWarps, NumStages: o.NumStages})
}
