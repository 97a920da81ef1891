package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/puzzles"
)

// paste pastes a text into the editor as its paste event has it: browsers give a test no clipboard.
func (p *page) paste(text string) {
	p.Helper()
	p.js(probe("paste", text))
}

// TestPasteDocument: the text of a notebook, its JSON and Markdown become cells where they are pasted over all of a
// document, with the outputs that they hold; the document before can be brought back.
func TestPasteDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, cell, output string }{
		{"a notebook's text", "In [3]: a = 20\n\nIn [4]: a + 1\nOut[4]: 21\n", "a + 1", "21"},
		{"a notebook's JSON", `{"cells": [{"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [{"output_type": "stream", "name": "stdout", "text": ["hello\n"]}], "source": ["print('hello')"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}`, "print('hello')", "hello"},
		{"Markdown", "# A title\n\nSome prose.\n\n```python\nb = 1\n```\n", "b = 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, "en", "#/document")
			p.write("mine = True")
			p.key("a", chromedp.ModifierCtrl)
			p.paste(c.text)
			p.wait("the cell", fmt.Sprintf(`[...document.querySelectorAll(".outline-code")].some((e) => e.innerText.includes(%q))`, c.cell))
			p.key("z") // nothing of the document is selected, which a key would replace
			p.wait("the key beside the cell", fmt.Sprintf(editor+`.textContent.includes("z") && `+editor+`.textContent.includes(%q)`, c.cell))
			if c.output != "" {
				p.wait("its output", fmt.Sprintf(`%s.some((o) => o.includes(%q))`, cellOutputs, c.output))
			}
			p.click(`document.querySelector("#before button")`)
			p.wait("the text before", editor+`.textContent === "mine = True"`)
		})
	}
}

// TestPasteAtOnce: a notebook's text becomes cells where it is pasted while the part of the editor that shows cells loads.
func TestPasteAtOnce(t *testing.T) {
	t.Parallel()
	origin, load := heldBack(t, "/assets/outputs-")
	p := openAt(t, origin, "en", "#/document")
	p.write("mine = True")
	p.key("a", chromedp.ModifierCtrl)
	p.paste("In [3]: a = 20\n\nIn [4]: a + 1\nOut[4]: 21\n")
	p.wait("the cell", `[...document.querySelectorAll(".outline-code")].some((e) => e.innerText.includes("a + 1"))`)
	load()
	p.wait("its output", fmt.Sprintf(`%s.some((o) => o.includes("21"))`, cellOutputs))
}

// TestPastePuzzle: a puzzle takes the kernel of a whole cell of the notebook, says what it leaves out, and gives the text
// before back.
func TestPastePuzzle(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	puzzle, _ := puzzles.Get(1)
	before := p.source()
	_, kernel, _ := strings.Cut(puzzle.Text.Solutions[0].Source, "@triton.jit")
	p.paste("import torch\n\ndef add_spec(x):\n    return x + 10.\n\n@triton.jit" + kernel + "\n\ntest(add_kernel, add_spec, nelem={\"N0\": 32}, viz=True)\n")
	p.wait("what is left out", `document.querySelector(".bar .notice")?.innerText.includes("left out: import torch, add_spec, test(…)")`)
	p.run()
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
	p.click(`document.querySelector(".bar .status .link")`)
	p.wait("the text before", fmt.Sprintf(`[...`+editor+`.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n") === %q`, before))
}
