package script_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
)

// memberFiles are what the scripts of TestMembers import.
var memberFiles = fstest.MapFS{
	"helpers.py": {Data: []byte(`import enum
import torch
import triton
import triton.language as tl

EPS = 0.5
BLOCK = 8
TABLE = torch.zeros(4)


class Mode(enum.IntEnum):
    MUL = 2


@triton.jit
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


def plain(x):
    return x
`)},
	"pkg/__init__.py": {Data: []byte("")},
	"pkg/ops.py":      {Data: []byte("import helpers\nsigmoid = helpers.sigmoid\nSCALE = 4\n")},
}

// memberScript is a script whose kernel stores a value.
const memberScript = `import enum
import torch
import triton
import triton.language as tl
import helpers
import pkg.ops


class Mode:
    MUL = 3


class Kind(enum.Enum):
    ADD = 5


@triton.jit
def k(out, mode: tl.constexpr):
    i = tl.arange(0, 8)
    zeros = tl.zeros((8,), tl.float32)
    tl.store(out + i, VALUE)


out = torch.zeros(8)
k[(1,)](out, 2)
print(out[7].item())
`

// TestMembers: kernels read modules of the program, its classes and its enums, of which Triton takes only the modules.
func TestMembers(t *testing.T) {
	for _, c := range []struct{ value, more, printed, code, strict string }{
		{"helpers.sigmoid(zeros)", "", "0.5", "", ""},
		{"pkg.ops.sigmoid(zeros) * pkg.ops.SCALE", "", "2.0", "", ""},
		{"tl.arange(0, helpers.BLOCK) + helpers.EPS", "", "7.5", "", ""},
		{"zeros + helpers.EPS", "helpers.EPS = 1.5\nk[(1,)](out, 2)\nprint(out[7].item())\n", "0.5 1.5", "", ""},
		{"1.0 if mode == helpers.Mode.MUL else 2.0", "", "1.0", "", ""},
		{"zeros + Mode.MUL", "", "3.0", "", "plain-global"},
		{"zeros + Mode.MUL", "Mode.MUL = 4\nk[(1,)](out, 2)\nprint(out[7].item())\n", "3.0 4.0", "", "plain-global"},
		{"zeros + Kind.ADD.value", "", "5.0", "", "plain-global"},
		{"helpers.plain(zeros)", "", "0.0", "", "helper-not-jit"},
		{"helpers.sigmod(zeros)", "", "", "python-error", ""},
		{"Mode.DIV", "", "", "python-error", ""},
		{"helpers.TABLE", "", "", "module-in-kernel", ""},
		{"Kind.ADD.names", "", "", "python-error", ""},
	} {
		text := strings.Replace(memberScript, "VALUE", c.value, 1) + c.more
		printed, code := runMembers(text, false)
		if printed != c.printed || code != c.code {
			t.Errorf("%s: prints %q and fails with %q, want %q and %q", c.value, printed, code, c.printed, c.code)
		}
		if _, code := runMembers(text, true); c.code == "" && code != c.strict {
			t.Errorf("%s, strict: fails with %q, want %q", c.value, code, c.strict)
		}
	}
}

// runMembers runs a script and gives what it printed, with spaces between the lines, and the code of its first error.
func runMembers(text string, strict bool) (printed, code string) {
	var out bytes.Buffer
	_, list := host.Load(source.NewFile("script.py", text), host.Options{Libraries: host.AllLibraries(), Stdout: &out,
		Files: memberFiles, Launcher: &script.Launcher{Context: context.Background(), Device: cpu.New(cpu.Options{}),
			Anywhere: true, Strict: strict}})
	for _, d := range list {
		if d.Severity == diag.Error {
			code = d.Code
			break
		}
	}
	return strings.Join(strings.Fields(out.String()), " "), code
}
