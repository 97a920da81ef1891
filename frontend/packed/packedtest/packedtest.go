// Package packedtest makes what package packed reads.
package packedtest

import (
	"bytes"

	"github.com/andybalholm/brotli"
)

// Pack compresses a file.
func Pack(text string) []byte {
	var out bytes.Buffer
	// A bytes.Buffer takes every write.
	w := brotli.NewWriter(&out)
	w.Write([]byte(text))
	w.Close()
	return out.Bytes()
}
