package isa_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/sim"
)

// TestSimulated: the simulator has a meaning for each row of the table, with every choice of its modifiers, but for
// directed roundings of fp64.
func TestSimulated(t *testing.T) {
	const target = "sm_90a"
	directed := regexp.MustCompile(`^\w+\.r[zmp]\.f64 `)
	for version, list := range isa.Statements(target) {
		for _, s := range list {
			_, err := sim.Load(isa.ModuleOf(target, version, []string{s}))
			if refused := err != nil; refused != directed.MatchString(s) {
				t.Errorf("%s\n%v", s, err)
			}
		}
	}
}

// TestNothingParsesOpcodes: what the assembler and the simulator ask of an instruction stands in its row.
func TestNothingParsesOpcodes(t *testing.T) {
	parses := regexp.MustCompile(`strings\.\w+\([^,()]*\b(?i:op|opcode|op\.name)\b`)
	paths, err := filepath.Glob("../[as][si]m/*.go")
	if err != nil || len(paths) < 40 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if parses.MatchString(line) {
				t.Errorf("%s:%d parses an opcode: %s", path, i+1, strings.TrimSpace(line))
			}
		}
	}
}
