package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestUpToDate(t *testing.T) {
	for from, to := range map[string]string{
		"wasm/api/types.go": "api.ts", "runner/protocol/messages.go": "protocol.ts", "interp/figure/figure.go": "figure.ts",
	} {
		want, err := generate(filepath.Join("../..", from), from)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../frontend/src/gen", to))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("frontend/src/gen/%s is out of date: run make generate", to)
		}
	}
}
