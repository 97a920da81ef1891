package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// inQuestion is a part of the question of a kind.
func inQuestion(kind, part string) string {
	return fmt.Sprintf(`document.querySelector(".question[data-question=%s] %s")`, kind, part)
}

// said waits for what a question says of an answer.
func (p *page) said(kind, text string) {
	p.Helper()
	p.wait("the question says: "+text, inQuestion(kind, ".question-said")+fmt.Sprintf(`?.innerText.includes(%q)`, text))
}

// TestCellsQuestion answers the question about cells, by keys or with a finger: another program's cells first, then the right
// ones. The picture, which has shown nothing of the answer, then shows the program, and the question does not come again.
func TestCellsQuestion(t *testing.T) {
	t.Parallel()
	texts := map[string]struct {
		first, other, right string
		reasons             [][2]string // why a program is refused: a wrong one and the right one, with what is said of each
	}{
		"en": {"From z[160] to", "program 5", "program 6 writes z[192] to z[199], 8 cells", [][2]string{
			{"must be known at compile time", "another program: arange needs a constexpr"},
			{"a tile has a value for each", "Right. A condition must be a single value"},
		}},
		"zh": {"从 z[160] 到", "程序 5", "程序 6 写入 z[192] 到 z[199]，共 8 格", [][2]string{
			{"编译时", "另一段程序被拒绝的原因"}, {"整个程序", "对。"},
		}},
	}
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/puzzle/2")
		p.expect("willReadFrequently") // of a canvas that a person does not read
		p.choose(fmt.Sprintf(`{"lang":%q,"questions":true}`, lang))
		width := map[string]int64{"en": 1440, "zh": 390}[lang]
		p.pictured(addBlock())
		p.wait("the question", `document.querySelector(".question[data-question=cells]")`)
		keys := map[int]string{ // from the cell before to this one
			160: strings.Repeat(kb.ArrowDown, 6), 191: strings.Repeat(kb.ArrowRight, 31),
			192: kb.ArrowDown + strings.Repeat(kb.ArrowLeft, 31) + kb.ArrowDown, 199: strings.Repeat(kb.ArrowRight, 7),
		}
		choose := func(cell int) { p.key(keys[cell]); p.key(kb.Enter) }
		begin := func(button string) { p.js(button + ".focus()"); p.key(kb.Enter) }
		if lang == "zh" {
			p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
			p.tap(`document.querySelectorAll(".tabs button")[2]`)
			choose, begin = func(cell int) { p.tapCell("z", cell) }, p.tap
		}
		p.wait("whose cells are whose is not shown", colourAt("x", 40)+" === "+colourAt("x", 195))
		p.picture("question-cells-" + lang)
		begin(inQuestion("cells", ".question-begin"))
		p.wait("the picture that asks", `document.activeElement.closest("[data-tensor=z]")`)
		p.js(axeSource(t))
		p.auditWidth("question-cells-open-"+lang, width)
		choose(160)
		p.said("cells", texts[lang].first)
		p.wait("what tells nothing of the answer", `document.querySelector("[data-tensor=z] .memory-cell").innerText === "z[160]"`)
		choose(191)
		p.said("cells", texts[lang].other)
		p.picture("question-cells-wrong-" + lang)
		choose(192)
		choose(199)
		p.said("cells", texts[lang].right)
		p.wait("the program", `document.querySelector("[data-program='6'][aria-checked=true]") && !document.querySelector(".picked-cells")`)
		p.wait("and whose cells are whose", colourAt("x", 40)+" !== "+colourAt("x", 195))
		p.picture("question-cells-right-" + lang)
		if lang == "en" {
			p.js(`document.querySelector("[data-tensor=z] .memory-picture").focus()`)
			p.key(kb.Escape)
		} else {
			begin(inQuestion("cells", ".question-close"))
		}
		p.wait("no question", `!document.querySelector(".question[data-question=cells]") && document.activeElement.id === "view-memory"`)
		if lang == "zh" {
			p.tap(`document.querySelectorAll(".tabs button")[0]`)
			p.wait("the task, and nothing over it", `!document.querySelector(".pane.result").checkVisibility({ visibilityProperty: true })`)
		}
		p.answerRefused(texts[lang].reasons, begin)
		p.auditWidth("question-refused-"+lang, width)
		p.reload()
		p.wait("the pictures", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=false] [data-tensor=z]")`)
		p.do(chromedp.EmulateViewport(1440, 900))
		p.js(`location.hash = "#/puzzle/4"`)
		p.wait("puzzle 4", editor+`.textContent.includes("add_vec_block_kernel")`)
		p.pictured(solution(4))
		p.answerTile()
		p.js(`location.hash = "#/puzzle/2"`)
		p.wait("no question", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=false] [data-tensor=z]") && location.hash === "#/puzzle/2" && !document.querySelector(".question[data-question=cells]")`)
	}
}

// answerTile answers the question of puzzle 4 about a tile, which one cell of it stands for: the keys go from tile to tile.
func (p *page) answerTile() {
	p.Helper()
	p.wait("a question about another kind of launch", inQuestion("cells", ".question-begin"))
	p.js(inQuestion("cells", ".question-begin") + `.focus()`)
	p.key(kb.Enter)
	p.wait("the picture that asks", `document.activeElement.closest("[data-tensor=z]")`)
	p.key(kb.ArrowDown + kb.ArrowDown + kb.Enter)
	p.said("cells", "(0, 1)")
	p.key(kb.ArrowRight + kb.ArrowRight + kb.Enter)
	p.said("cells", "z[32, 64]")
	p.wait("the program", `document.querySelector(".memory-chip[aria-checked=true]").innerText === "2,1"`)
	p.picture("question-tile")
}

// answerRefused answers the question why a program is refused, by reasons that are known by a part of their texts: what newt
// says of the program itself is right, what it says of others is not.
func (p *page) answerRefused(reasons [][2]string, press func(button string)) {
	p.Helper()
	press(inQuestion("refused", ".question-begin"))
	for i, reason := range reasons {
		button := fmt.Sprintf(`[...document.querySelectorAll(".question-reasons button")].find((b) => b.innerText.includes(%q))`, reason[0])
		p.wait("the reasons", button)
		press(button)
		p.said("refused", reason[1])
		p.picture(fmt.Sprintf("question-refused-%d", i))
	}
}

// tapCell touches a cell of a tensor whose picture has 32 columns.
func (p *page) tapCell(tensor string, cell int) {
	p.Helper()
	at := eval[[2]float64](p, probe("cellPlace", tensor, cell))
	p.tapAt(at[0], at[1])
}

// TestOrderQuestion puts the lines of a solution in order, by keys and the mouse or with a finger. An order that does not run has newt's own
// words, and the one that passes goes into the editor only when that is asked for.
func TestOrderQuestion(t *testing.T) {
	t.Parallel()
	texts := map[string]struct{ wrong, right string }{
		"en": {"Part 1: expected an indented block after for", "the kernel passes all 5 tests"},
		"zh": {"第 1 部分：for 后面要有一个缩进的代码块", "通过了全部 5 个测试"},
	}
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/puzzle/7")
		p.choose(fmt.Sprintf(`{"lang":%q,"questions":true}`, lang))
		use := func(button string) { p.js(button + ".focus()"); p.key(kb.Enter) }
		width := int64(1440)
		if lang == "zh" {
			width, use = 390, p.tap
			p.do(chromedp.EmulateViewport(width, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		}
		p.wait("the question", `document.querySelector(".question[data-question=order]")`)
		p.picture("question-order-" + lang)
		use(inQuestion("order", ".question-begin"))
		p.wait("the lines", `document.querySelectorAll(".order-line").length === 8`)
		use(`document.querySelector("#order-check")`)
		p.said("order", texts[lang].wrong)
		p.wait("the part of which that is said", `document.querySelector("[data-fault=true] .order-line").innerText.startsWith("for ")`)
		p.js(inQuestion("order", ".order-lines") + ".scrollIntoView()")
		p.js(axeSource(t))
		p.auditWidth("question-order-wrong-"+lang, width)
		if lang == "en" {
			const line = `document.querySelectorAll(".order-line")`
			x, to := p.middle(line + "[3]")
			_, from := p.middle(line + "[0]")
			p.dragTo(x, from, x, to)
			p.wait("the line that was dragged", line+`[3].innerText.startsWith("for ")`)
		}
		for to, line := range []string{"i = ", "total = ", "for ", "j = ", "mask = ", "x = ", "total += ", "tl.store"} {
			group := fmt.Sprintf(`[...document.querySelectorAll(".order-line")].find((l) => l.innerText.trimStart().startsWith(%q))`, line)
			at := fmt.Sprintf(`[...document.querySelectorAll(".order-line")].indexOf(%s)`, group)
			for from := eval[int](p, at); from > to; from-- {
				if lang == "zh" {
					p.tap(group + `.parentElement.querySelector(".order-up")`)
				} else {
					p.js(group + ".focus()")
					p.key(kb.ArrowUp)
				}
				p.wait("the line that has moved, with the focus", fmt.Sprintf(`%s === %d && %s.parentElement.contains(document.activeElement)`, at, from-1, group))
			}
		}
		use(`document.querySelector("#order-check")`)
		p.said("order", texts[lang].right)
		p.wait("the focus", `document.activeElement.matches(".question")`)
		p.auditWidth("question-order-right-"+lang, width)
		if got := eval[string](p, editor+".textContent"); strings.Contains(got, "total") {
			t.Errorf("the editor holds the solution before it is asked for: %s", got)
		}
		use(inQuestion("order", ".question-put"))
		p.wait("the lines in the editor", editor+`.textContent.includes("total += tl.sum(x, axis=1)")`)
	}
}
