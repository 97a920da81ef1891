package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/infra/soak"
)

// figureKinds are what the sentences beneath the figures of testdata/figures.py say of them, by language.
var figureKinds = map[string][]string{
	"en": {"2 lines", "2 lines", "1 image", "x of Triton, torch, naive", "1 set of points", "1 band"},
	"zh": {"2 条曲线", "2 条曲线", "1 张图像", "x 为 Triton、torch、naive", "1 组散点", "1 个区域"},
}

// TestFigures: each kind of figure is drawn, says in a sentence what it shows, and has its numbers in a table. A document
// with figures, tables and a traceback is readable in both themes, and nothing of it is wider than its pane.
func TestFigures(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	text, err := os.ReadFile("testdata/figures.py")
	if err != nil {
		t.Fatal(err)
	}
	const cells = 10
	for _, c := range appearances() {
		p := open(t, c.lang, "#/document")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q}`, c.lang, c.theme))
		p.write(string(text))
		p.click(`document.querySelector("#run-all")`)
		p.wait("all cells", fmt.Sprintf(endedCells+" === %d", cells-1))
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 1024, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.wait("the width", fmt.Sprintf(`innerWidth === %d`, width))
			for cell := range cells {
				// A phone shows one pane, and the outline is in another.
				p.js(fmt.Sprintf(`document.querySelectorAll(".outline button")[%d].click()`, cell))
				p.wait("the cursor in the editor", editor+`.contains(document.querySelector("#editor").shadowRoot.activeElement)`)
				if figure := cell - 2; figure >= 0 && figure < len(figureKinds[c.lang]) {
					p.figure(figureKinds[c.lang][figure])
				}
				p.picture(fmt.Sprintf("figures-%s-%d-%d", c.lang, width, cell))
			}
			p.audit(fmt.Sprintf("%s, %d px", c.lang, width))
			if wide := eval[float64](p, inEditor(".cm-scroller")+`.scrollWidth - `+inEditor(".cm-scroller")+`.clientWidth`); wide > 0 {
				t.Errorf("%s, %d px: the document is %g px wider than its pane", c.lang, width, wide)
			}
		}
	}
}

// TestFigureWithEmptyPlot: of a grid of plots some may have no marks.
func TestFigureWithEmptyPlot(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("import matplotlib.pyplot as plt\nfig, axes = plt.subplots(1, 2)\naxes[0].plot([1, 2, float('nan')], [3, 4, 5])\nplt.show()")
	p.click(`document.querySelector("#run-all")`)
	p.wait("both plots", `document.querySelectorAll(".figure svg[role=img]").length === 2`)
}

// TestColorbar: the colors of an image stand beside it, as high as it is, with its values from the least to the greatest.
func TestColorbar(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/document")
	p.write("import matplotlib.pyplot as plt\nplt.imshow([[0, 25], [50, 100]])\nplt.colorbar()\nplt.show()")
	p.click(`document.querySelector("#run-all")`)
	p.wait("the image and its bar", `document.querySelectorAll(".figure .plot image").length === 2`)
	heights := eval[[]float64](p, `[...document.querySelectorAll(".figure .plot image")].map((i) => i.getBoundingClientRect().height)`)
	if heights[0] < 50 || heights[0] != heights[1] {
		t.Errorf("the image and its colorbar are %v px high", heights)
	}
	if said := eval[string](p, `document.querySelector(".figure .plot svg:last-child").textContent`); !strings.Contains(said, "0") || !strings.HasSuffix(said, "100") {
		t.Errorf("beside the colors stands %q", said)
	}
	p.picture("colorbar")
}

// figure waits for the figure above the cursor's cell whose sentence has a text, and looks for its picture and numbers.
func (p *page) figure(says string) {
	p.Helper()
	of := fmt.Sprintf(`[...document.querySelectorAll(".figure")].find((f) => f.querySelector("figcaption").innerText.includes(%q))`, says)
	p.wait("the figure's picture", of+`?.querySelector("svg[role=img]")?.getBoundingClientRect().width > 100`)
	p.wait("its numbers", of+`.querySelector("details td")?.textContent`)
}
