package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/infra/soak"
)

// fullStorage makes the browser take nothing more.
const fullStorage = `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }`

const notSaved = `document.querySelector(".bar .status.bad")?.innerText.startsWith("Not saved")`

// TestDuplicatedTab: a tab and its duplicate keep a text each, over reloads and the way back, and offer each other the newer one.
func TestDuplicatedTab(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write("# first")
	p.kept()
	other := p.duplicate()
	if got := other.source(); got != "# first" {
		t.Errorf("the duplicate opens with %q", got)
	}
	other.write("# second")
	other.kept()
	p.wait("the offer", `document.querySelector(".offer")`)
	p.reload()
	p.wait("the offer after a reload", `document.querySelector(".offer")`)
	p.js(`location.hash = "#/puzzle/2"`)
	p.wait("no offer about another puzzle", `!document.querySelector(".offer")`)
	p.do(chromedp.Navigate("about:blank"))
	p.wait("a blank page", `location.href === "about:blank"`)
	p.js(`setTimeout(() => history.back())`) // which is another page
	p.waitForText()
	p.js(`location.hash = "#/puzzle/1"`)
	p.wait("the offer again", `document.querySelector(".offer")`)
	if got := p.source(); got != "# first" {
		t.Errorf("the tab comes back to %q", got)
	}
	other.reload()
	if got := other.source(); got != "# second" {
		t.Errorf("after a reload the duplicate holds %q", got)
	}
	p.write("# third")
	p.kept()
	if kept := eval[int](p, `JSON.parse(localStorage.getItem("newt:text:puzzle-1")).length`); kept != 2 {
		t.Errorf("two tabs keep %d texts", kept)
	}
	other.wait("the offer", `document.querySelector(".offer")`)
}

// TestFullStorage: what the browser does not take stays while the page is open, and the page says so.
func TestFullStorage(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.write("# old")
	p.kept()
	p.js(fullStorage)
	p.js(editor + `.focus()`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert("# newest")
	p.wait("the warning", editor+`.textContent === "# newest" && `+notSaved)
	p.js(`location.hash = "#/puzzle/2"`)
	p.wait("another puzzle, about which there is none", editor+`.textContent.includes("def add_mask2_kernel") && !`+notSaved)
	p.js(`location.hash = "#/puzzle/1"`)
	p.wait("the newest text with its warning", editor+`.textContent === "# newest" && `+notSaved)
}

// TestFullStorageOfDraft: a draft and a puzzle that the browser does not take are not lost without a word.
func TestFullStorageOfDraft(t *testing.T) {
	soak.Only(t, "TestFullStorage has the browser refuse a text")
	t.Parallel()
	p := open(t, "en", "#/free")
	p.unfoldCall()
	p.click(`document.querySelector("#make-puzzle")`)
	p.wait("the draft", `document.querySelectorAll(".author-files button").length === 6`)
	p.js(fullStorage)
	p.author("statement.en.md", "Not kept.")
	p.wait("the warning", `document.querySelector(".own-dialog .fault")?.innerText.startsWith("Not saved")`)
	p.click(`document.querySelector("#author-open")`)
	p.wait("the puzzle with its warning", `location.hash.startsWith("#/own/") && document.querySelector(".statement-text")?.innerText.includes("Not kept.") && `+notSaved)
}

// TestSharedByTabs: two tabs keep the puzzles that either opens, and write one draft.
func TestSharedByTabs(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	other := p.sibling("#/free")
	for n, tab := range []*page{p, other} {
		dir := t.TempDir()
		var paths []string
		for _, f := range ownPuzzle(fmt.Sprintf("9%d_own", n), fmt.Sprint("Number ", n)).Files {
			path := filepath.Join(dir, f.Name)
			if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		tab.js(`document.querySelector(".menu-own").click()`)
		tab.wait("the dialog", `document.querySelector(".drop input[accept]")`)
		tab.do(chromedp.SetUploadFiles(`.drop input[accept]`, paths))
		tab.click(`document.querySelector("#own-open")`)
		tab.wait("the puzzle", fmt.Sprintf(`document.querySelector("h1")?.textContent === "Number %d"`, n))
	}
	for _, tab := range []*page{p, other} {
		tab.js(`document.querySelector(".menu-own").click()`)
		tab.wait("both puzzles", `document.querySelectorAll(".own-kept li").length === 2`)
	}
	p.click(`document.querySelector(".own-actions button")`)
	p.wait("a draft", `document.querySelectorAll(".author-files button").length > 0`)
	// Tabs are processes, which see a moment later what another has stored.
	write := func(tab, reader *page, file, text string) {
		tab.author(file, text)
		reader.wait("the other tab's draft", fmt.Sprintf(`localStorage.getItem("newt:draft").includes(%q)`, text))
	}
	other.wait("the draft", `document.querySelector("#author-text")`)
	write(p, other, "statement.en.md", "Of the first tab.")
	write(other, p, "statement.zh.md", "第二个标签页写的。")
	write(p, other, "statement.zh.md", "第一个标签页改的。")
	write(other, p, "statement.en.md", "Of the second tab.")
	p.wait("both tabs' last texts", `JSON.parse(localStorage.getItem("newt:draft")).custom.files.filter((f) => ["Of the second tab.", "第一个标签页改的。"].includes(f.text)).length === 2`)
	other.click(`document.querySelector("#author-discard")`)
	p.wait("no draft", `document.querySelector(".own-dialog .drop")`)
}
