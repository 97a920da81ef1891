package main

import (
	"bytes"
	"os"
	"testing"
)

func TestUpToDate(t *testing.T) {
	want, err := generate("../types.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../" + output)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("frontend/src/gen/api.ts is out of date: run make generate")
	}
}
