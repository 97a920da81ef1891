package tl_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// TestImports: what names stand for, and which decorators make a kernel, follow from where they are imported.
func TestImports(t *testing.T) {
	m, _ := syntax.Parse(source.NewFile("t.py", `
import triton.language as tl
import os.path, jax
from . import sibling
from ..utils import helper as h
try:
    from triton import jit
except ImportError:
    from fallback import jit
def f():
    from numba import njit, jit as compiled
from my.triton_utils import triton as t
import triton.experimental.gluon as gluon
`))
	imports := tl.ImportsOf(m)
	for name, want := range map[string]string{"tl": "triton.language", "os": "os", "sibling": ".sibling", "h": "..utils.helper",
		"jit": "triton.jit", "compiled": "numba.jit", "t": "triton", "gluon": "triton.experimental.gluon", "triton": ""} {
		if imports[name] != want {
			t.Errorf("%s is %q, want %q", name, imports[name], want)
		}
	}
	for decorator, want := range map[string]bool{"jit": true, "t.jit": true, "t.autotune([], key=[])": true,
		"triton.heuristics({})": true, "jax.jit": false, "compiled": false, "gluon.jit": false, "t.constexpr_function": false,
		"unknown.jit": true} {
		m, _ := syntax.Parse(source.NewFile("t.py", "@"+decorator+"\ndef f(): pass\n"))
		if got := imports.IsKernel(m.Body[0].(*syntax.FunctionDef)); got != want {
			t.Errorf("@%s makes a kernel: %v", decorator, got)
		}
	}
}
