package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// TestCheckImports: check reads the helpers of the modules beside a file, through packages that hand them on, relative
// imports and circles, takes the branches that run, and says what is wrong in the file where it is.
func TestCheckImports(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n"
	tree(t, map[string]string{
		"pyproject.toml":  "",
		"lib/__init__.py": "from .ops import load_tile, halves\n",
		"lib/ops.py": head + "from . import sizes\nfrom ..lib.circle import around\n" +
			"if sizes.NEW:\n" +
			"    @triton.jit\n    def load_tile(where, at, limit):\n        return tl.load(where + at, mask=at < limit)\n" +
			"else:\n    def load_tile():\n        raise RuntimeError\n" +
			"@triton.jit\ndef halves(x):\n    return tl.lode(x), x\n",
		"lib/sizes.py": head + "NEW = True\nWIDTH = tl.constexpr(8)\nlate = None\n\n\n" +
			"def set_up():\n    global late\n    late = min\n",
		"lib/circle.py": "from .ops import load_tile\naround = load_tile\n",
		"lib/kernels.py": head + "from .ops import load_tile, halves\nfrom .sizes import WIDTH, late\nfrom lib import sizes\nimport lib.sizes as again\n\n\n" +
			"@triton.jit\ndef good(things, out, n):\n" +
			"    i = tl.arange(0, WIDTH) + tl.arange(0, sizes.WIDTH) + tl.arange(0, again.WIDTH)\n" +
			"    tl.store(out + i, load_tile(things, i, n), mask=late(i, n))\n    sizes.late(i)\n\n\n" +
			"@triton.jit\ndef bad(things, out, n):\n" +
			"    a, b, c = halves(things)\n" +
			"    tl.store(out, load_tile(things, n, limits=n))\n" +
			"    tl.store(out + tl.arange(0, 16), load_tile(things, tl.arange(0, WIDTH), n))\n",
	})
	stdout, _, status := newt(t, "check", "lib/kernels.py", "--json")
	var list []struct {
		Code, Severity, File string
		Place                struct{ Line int }
	}
	if err := json.Unmarshal([]byte(stdout), &list); err != nil {
		t.Fatal(err, stdout)
	}
	var got []string
	for _, d := range list {
		if d.Severity != "hint" {
			got = append(got, fmt.Sprintf("%s %s:%d %s", d.Severity, d.File, d.Place.Line, d.Code))
		}
	}
	want := []string{
		"error lib/kernels.py:19 missing-argument", "error lib/kernels.py:19 unknown-keyword",
		"error lib/kernels.py:20 mask-shape", "error lib/ops.py:14 unknown-name",
	}
	if !slices.Equal(got, want) || status != exitFail {
		t.Errorf("status %d:\n%q, want\n%q", status, got, want)
	}
}
