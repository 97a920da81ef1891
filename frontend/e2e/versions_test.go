package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const withBlockPointers = `import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, B: tl.constexpr):
    x = tl.make_block_ptr(x_ptr, (n,), (1,), (tl.program_id(0) * B,), (B,), (0,))
    y = tl.make_block_ptr(y_ptr, (n,), (1,), (tl.program_id(0) * B,), (B,), (0,))
    tl.store(y, tl.load(x, boundary_check=(0,)), boundary_check=(0,))
`

// TestVersions opens the versions of Triton from the palette, has the text be for another one, and rewrites its block
// pointers, after which every version accepts it.
func TestVersions(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.write(withBlockPointers)
	p.openPalette()
	p.search("each version of Triton", "versions")
	p.key(kb.Enter)
	verdicts := `[...document.querySelectorAll(".versions tbody tr")].map((row) => row.className.replace("version-", "") + (row.ariaCurrent ? "*" : "")).join(" ")`
	p.wait("the verdicts", verdicts+` === "accepts warns warns* refuses"`)
	p.js(axeSource(t))
	p.auditWidth("versions", 1440)
	p.click(`document.querySelector(".versions tbody tr:last-child .link")`)
	p.wait("the text to be for 3.9", verdicts+` === "accepts warns warns refuses*"`)
	p.click(`document.querySelector(".versions ~ p .link")`)
	p.wait("versions that accept the text", verdicts+` === "accepts accepts accepts accepts*"`)
	p.key(kb.Escape)
	p.wait("the editor", `!document.querySelector(".versions-dialog").open`)
	if text := p.source(); !strings.Contains(text, "# triton: 3.9\n") || strings.Contains(text, "make_block_ptr") {
		t.Errorf("the text is\n%s", text)
	}
}
