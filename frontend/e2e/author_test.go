package e2e

import (
	"archive/zip"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/newtlab/newt/infra/soak"
)

// TestMakePuzzle makes a puzzle of the free page's kernel, writes its statement, solves it here and by its link elsewhere,
// and opens its zip again.
func TestMakePuzzle(t *testing.T) {
	soak.Only(t, "TestViewsZoomed makes a draft, TestOwnFolder opens a puzzle of one's own, and TestCustomByLink one of a link")
	t.Parallel()
	for _, lang := range soak.Variants("en", "zh") {
		t.Run(lang, func(t *testing.T) {
			p := open(t, lang, "#/free")
			p.js(axeSource(t))
			p.wait("the examples", `document.querySelectorAll(".examples .chip").length === 3`)
			p.click(`document.querySelectorAll(".examples .chip")[1]`)
			p.wait("the call of the example", `document.querySelector(".call select")?.value === "add"`)
			mine := p.source()
			p.click(`document.querySelector("#make-puzzle")`)
			p.wait("the draft, which is sound", `document.querySelector(".author-sound")?.textContent.includes("add")`)
			p.picture("author-" + lang)
			p.audit("the draft")
			p.author("statement."+lang+".md", "Add *two* vectors.")
			p.author("solution.py", "def add(): pass")
			p.wait("what is wrong", `document.querySelector(".puzzle-problems")?.innerText.includes("solution.py") && document.querySelector("#author-open").disabled`)
			p.reload()
			p.wait("the menu", `document.querySelector(".menu-own")`)
			p.js(`document.querySelector(".menu-own").click()`)
			p.wait("the draft after a reload", `document.querySelectorAll(".author-files button").length === 6`)
			p.author("solution.py", mine)
			p.wait("a sound puzzle", `!document.querySelector("#author-open").disabled`)
			archive := p.download(`document.querySelector("#author-zip")`)
			if files := unpack(t, archive); len(files) != 6 || files["01_add/solution.py"] != mine {
				t.Errorf("the zip holds %v", files)
			}
			p.click(`document.querySelector("#author-open")`)
			p.wait("the puzzle", `location.hash.startsWith("#/own/01_add.") && document.querySelector(".statement-text em")?.textContent === "two" && `+editor+`.textContent.includes("Make out_ptr")`)
			p.write(mine)
			p.run()
			if !p.passed() {
				t.Errorf("the kernel's verdict is %q", p.text("#verdict"))
			}
			elsewhere := openAt(t, origin, lang, "#/puzzle/1")
			elsewhere.do(chromedp.Navigate(p.share(false)))
			elsewhere.click(`document.querySelector("#link-open")`)
			elsewhere.wait("the puzzle", `location.hash.startsWith("#/own/01_add.") && document.querySelector(".statement-text em")?.textContent === "two"`)
			elsewhere.write(mine)
			elsewhere.run()
			if !elsewhere.passed() {
				t.Errorf("elsewhere, the kernel's verdict is %q", elsewhere.text("#verdict"))
			}
			p.js(`document.querySelector(".share-dialog .tool").click(); location.hash = "#/free"`)
			p.wait("the free page's text", `location.hash === "#/free"`)
			p.waitForText()
			if got := p.source(); got != mine {
				t.Errorf("the free page holds %q", got)
			}
			p.wait("the menu", `document.querySelector(".menu-own")`)
			p.js(`document.querySelector(".menu-own").click()`)
			p.wait("the dialog", `document.querySelector(".drop input[accept]")`)
			p.do(chromedp.SetUploadFiles(`.drop input[accept]`, []string{archive}))
			p.click(`document.querySelector("#own-open")`)
			p.wait("the puzzle again", `location.hash.startsWith("#/own/01_add.")`)
		})
	}
}

// download clicks what downloads a file that the page has made, and gives the path of a copy.
func (p *page) download(element string) string {
	p.Helper()
	p.js(`delete window.saved; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); }`)
	p.click(element)
	p.wait("the file", `window.saved`)
	address := eval[string](p, `probe.dataURL(saved)`)
	_, text, _ := strings.Cut(address, ",")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		p.Fatal(err)
	}
	path := filepath.Join(p.TempDir(), "puzzle.zip")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		p.Fatal(err)
	}
	return path
}

// author opens one of the draft's files and gives it another text.
func (p *page) author(file, text string) {
	p.Helper()
	p.click(`[...document.querySelectorAll(".author-files button")].find((b) => b.textContent === "` + file + `")`)
	p.wait("the file", `document.querySelector("#author-text").ariaLabel === "`+file+`"`)
	p.js(fmt.Sprintf(`const at = document.querySelector("#author-text"); at.value = %q; at.dispatchEvent(new Event("input", { bubbles: true }))`, text))
}

// unpack reads a zip file, checksums and all.
func unpack(t *testing.T, path string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string]string{}
	for _, f := range archive.File {
		text, err := fs.ReadFile(archive, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// TestEditTemplate opens a copy of one of newt's own puzzles from its zip and makes it another.
func TestEditTemplate(t *testing.T) {
	soak.Only(t, "TestOwnFolder opens files, and TestViewsZoomed a draft")
	t.Parallel()
	p := open(t, "en", "#/free")
	p.wait("the way to it", `document.querySelector(".menu-own")`)
	p.wait("the menu", `document.querySelector(".menu-own")`)
	p.js(`document.querySelector(".menu-own").click()`)
	p.wait("the dialog", `document.querySelector(".own-templates summary")`)
	p.click(`document.querySelector(".own-templates summary")`)
	p.js(axeSource(t))
	p.picture("templates")
	p.audit("the templates")
	p.click(`document.querySelector(".own-templates li:nth-child(2) button")`)
	p.wait("a copy, which is sound", `document.querySelector(".author-sound") && document.querySelectorAll(".author-files button").length === 9`)
	p.author("statement.en.md", "Another text.")
	p.wait("a sound puzzle", `!document.querySelector("#author-open").disabled`)
	p.click(`document.querySelector("#author-open")`)
	p.wait("the puzzle", `location.hash.startsWith("#/own/02_") && document.querySelector(".statement-text")?.innerText.includes("Another text.")`)
	p.click(`document.querySelector("#edit-own")`)
	p.author("statement.en.md", "A third text.")
	p.wait("a sound puzzle", `!document.querySelector("#author-open").disabled`)
	p.click(`document.querySelector("#author-open")`)
	p.wait("the new version", `document.querySelector(".statement-text")?.innerText.includes("A third text.")`)
	if n := eval[int](p, `JSON.parse(localStorage.getItem("newt:own")).length`); n != 1 {
		t.Errorf("%d puzzles are kept, not one", n)
	}
}
