package main

import (
	"bytes"
	"strings"
	"testing"
)

// runTests runs a test program in node.
func runTests(t *testing.T, program []byte, args ...string) (output []byte, err error) {
	t.Helper()
	node, err := inNode(t.TempDir(), program, args...)
	if err != nil {
		t.Fatal(err)
	}
	return node.CombinedOutput()
}

// TestVectors: packages compute the same bits with vectors, and call the functions that have them.
func TestVectors(t *testing.T) {
	for _, pkg := range []struct{ name, test string }{
		{"github.com/newtlab/newt/interp/gemm", "TestAdd"},
		{"github.com/newtlab/newt/compiler/num", "TestVectors|TestRows"},
	} {
		program := link(t, "test", "-c", pkg.name)
		vectors, err := vectorized(bytes.Clone(program))
		if err != nil {
			t.Fatal(err)
		}
		slimmed, err := slim(bytes.Clone(vectors))
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range [][]byte{vectors, slimmed} {
			if output, err := runTests(t, module, "-test.run", pkg.test); err != nil {
				t.Errorf("%v\n%s", err, output)
			}
		}
		for name, text := range vectorTexts {
			if !strings.HasPrefix(name, pkg.name+".") {
				continue
			}
			vectorTexts[name] = []byte{0, opUnreachable, end}
			without, err := vectorized(bytes.Clone(program))
			vectorTexts[name] = text
			if err != nil {
				t.Fatal(err)
			}
			if output, _ := runTests(t, without, "-test.run", pkg.test); !bytes.Contains(output, []byte("unreachable")) {
				t.Errorf("%s is not called:\n%s", name, output)
			}
		}
	}
}

const opUnreachable = 0x00
