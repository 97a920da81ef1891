//go:build !cuda

// Command cuda is newt's GPU worker. Without the build tag cuda it has no CUDA in it.
package main

import (
	"os"

	"github.com/newtlab/newt/runner/gpu/wire"
)

func main() {
	const reason = "this worker was built without CUDA; build it with make cuda"
	m := wire.Message{Kind: wire.Failed, Numbers: []uint64{0, 1}, Blobs: [][]byte{[]byte(reason)}}
	if m.Send(os.Stdout) != nil {
		os.Exit(1)
	}
}
