package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestUpToDate holds each generated file to the source that its first line names.
func TestUpToDate(t *testing.T) {
	files, err := filepath.Glob("../../frontend/src/gen/*.ts")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	first := regexp.MustCompile(`^// Code generated from (\S+)\. DO NOT EDIT\.\n`)
	for _, file := range files {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := first.FindSubmatch(got)
		if m == nil {
			t.Errorf("%s names no source", file)
			continue
		}
		from := string(m[1])
		if want, err := generate(filepath.Join("../..", from), from); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run make generate (%v)", file, err)
		}
	}
}
