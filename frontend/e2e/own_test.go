package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/share/link"
)

// TestCustomByLink opens a puzzle that a link carries whole, solves it and finds it again.
func TestCustomByLink(t *testing.T) {
	t.Parallel()
	for _, lang := range soak.Variants("en", "zh") {
		t.Run(lang, func(t *testing.T) {
			custom := ownPuzzle("90_add_again", "Add <b>again</b>")
			p := open(t, lang, "#/puzzle/1")
			p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: theirs, Custom: custom})))
			p.wait("its name", `document.querySelector(".link-what")?.textContent.includes("Add <b>again</b>")`)
			p.click(`document.querySelector("#link-open")`)
			p.wait("the puzzle", `document.querySelector("h1")?.textContent === "Add <b>again</b>" && location.hash.startsWith("#/own/90_add_again.")`)
			p.wait("its formulas", `document.querySelectorAll(".statement-text .katex").length >= 2`)
			p.wait("its picture, as an image", `document.querySelector(".picture-image img")?.naturalWidth > 0`)
			if eval[bool](p, `!!window.hacked || !!document.querySelector(".statement-text :is(script, a[href], b, [data-a], svg, img:not(.picture-image img))")`) {
				t.Error("the statement's markup was taken for HTML: " + eval[string](p, `document.querySelector(".statement-text").innerHTML`))
			}
			first, _ := puzzles.Get(1)
			p.write(first.Text.Solutions[0].Source)
			p.run()
			if !p.passed() {
				t.Errorf("the solution's verdict is %q", p.text("#verdict"))
			}
			p.reload()
			p.wait("the puzzle again", `document.querySelector("h1")?.textContent === "Add <b>again</b>"`)
			p.click(`document.querySelector(".menu summary")`)
			p.wait("its mark, and the site's own puzzles", `document.querySelectorAll('.menu-list a[href^="#/own/"]').length === 3 && document.querySelector('.menu-list a[href^="#/own/"] .mark-solved') && document.querySelector(".menu-list").innerText.includes("Offered here")`)
		})
	}
}

// TestUnsoundCustom opens a puzzle whose solution does not pass: it says so and changes nothing.
func TestUnsoundCustom(t *testing.T) {
	t.Parallel()
	custom := ownPuzzle("90_add_again", "Unsound")
	for i, f := range custom.Files {
		if f.Name == "solution.py" {
			custom.Files[i].Text = strings.ReplaceAll(f.Text, "10", "11")
		}
	}
	p := open(t, "en", "#/puzzle/1")
	p.write(mine)
	p.kept()
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: theirs, Custom: custom})))
	p.click(`document.querySelector("#link-open")`)
	p.wait("what is wrong", `document.querySelector(".puzzle-problems")?.innerText.includes("solution.py")`)
	p.click(`document.querySelector(".link-dialog .cta")`)
	p.wait("the page as it was", `location.hash === "#/puzzle/1"`)
	if got := p.source(); got != mine {
		t.Errorf("the editor holds %q", got)
	}
}

// TestOwnFolder loads a puzzle from files, opens it and shares it.
func TestOwnFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for _, f := range ownPuzzle("92_mine", "Mine").Files {
		path := filepath.Join(dir, f.Name)
		if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	p := open(t, "en", "#/free")
	p.click(`document.querySelector(".menu summary")`)
	p.click(`document.querySelector(".menu-own")`)
	p.wait("the dialog", `document.querySelector(".own-dialog")?.open`)
	p.do(chromedp.SetUploadFiles(`.drop input[accept]`, []string{filepath.Join(dir, "spec.py")}))
	p.wait("what is missing", `document.querySelector(".puzzle-problems")?.innerText.trim()`)
	// A file chooser that is closed without a file says so by an event that bubbles, as that of Escape does.
	p.js(`document.querySelector(".drop input[accept]").dispatchEvent(new Event("cancel", { bubbles: true }))`)
	p.frames()
	if !eval[bool](p, `document.querySelector(".own-dialog").open && !!document.querySelector(".puzzle-problems")`) {
		t.Error("a file chooser that is closed takes the dialog along")
	}
	p.do(chromedp.SetUploadFiles(`.drop input[accept]`, paths))
	p.click(`document.querySelector("#own-open")`)
	p.wait("the puzzle", `document.querySelector("h1")?.textContent === "Mine" && `+editor+`.textContent.includes("def add_kernel")`)
	if whole := p.share(false); len(whole) < 2000 {
		t.Errorf("a link of %d letters holds no puzzle", len(whole))
	}
}

// TestOwnTemplate downloads one of newt's own puzzles and loads it as one's own.
func TestOwnTemplate(t *testing.T) {
	soak.Only(t, "TestOwnFolder loads a puzzle from files")
	t.Parallel()
	p := open(t, "en", "#/free")
	p.click(`document.querySelector(".menu summary")`)
	p.wait("the site's own puzzle", `document.querySelector('.menu-list a[href^="#/own/91_offered."]')`)
	p.click(`document.querySelector(".menu-own")`)
	p.click(`document.querySelector(".own-templates summary")`)
	link := `document.querySelector(".own-templates li:nth-child(2) a")`
	p.wait("the links", link+`?.download !== undefined && `+link+`.checkVisibility()`)
	text := eval[string](p, `fetch(`+link+`.href).then((r) => r.arrayBuffer()).then((b) => btoa(String.fromCharCode(...new Uint8Array(b))))`)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, archive); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "02_constant_add_block", "*"))
	if err != nil || len(paths) < 7 {
		t.Fatalf("the archive holds %v (%v)", paths, err)
	}
	p.do(chromedp.SetUploadFiles(`.drop input[accept]`, paths))
	p.click(`document.querySelector("#own-open")`)
	p.wait("the puzzle", `location.hash.startsWith("#/own/02_") && `+editor+`.textContent.includes("def add_mask2_kernel")`)
}

// TestCourse opens the map of a course that the site serves beside newt's own: it says what is next and what one knows, each
// puzzle leads to the one that follows, and the ideas of the course have cards that its statements open.
func TestCourse(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	for _, look := range appearances() {
		p := open(t, look.lang, "#/free")
		p.choose(`{"lang":"` + look.lang + `","theme":"` + look.theme + `"}`)
		p.js(`location.hash = "#/map/week1"`)
		const station = `document.querySelector('.map a[href="#/own/91_offered.week1"]')`
		p.wait("the map", `document.querySelector(".map-courses [aria-current]")?.getAttribute("href") === "#/map/week1" && document.querySelectorAll(".map-regions section").length === 2`)
		p.wait("what is next", station+`.getAttribute("aria-current") === "step" && document.querySelector(".map .overline").textContent.includes("2")`)
		p.wait("what the other waits for", `document.querySelector(".map [href='#/own/92_further.week1'] .fine").textContent.endsWith(" 91")`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 390) {
			p.do(chromedp.EmulateViewport(width, 900))
			p.auditWidth("course-"+look.lang+"-"+look.theme, width)
		}
		p.do(chromedp.EmulateViewport(1440, 900))
		p.js(station + `.click()`)
		p.wait("the puzzle", `document.querySelector("h1")?.textContent === "Offered here" && `+editor+`.textContent.includes("def add_kernel")`)
		p.click(`document.querySelector(".statement-text .term[data-term=given]")`)
		p.wait("the card of its idea", `document.querySelector(".basics[open] code")?.textContent === "x_ptr"`)
		p.key(kb.Escape)
		first, _ := puzzles.Get(1)
		p.write(first.Text.Solutions[0].Source)
		p.run()
		p.click(`document.querySelector('#verdict .cta[href="#/own/92_further.week1"]')`)
		p.wait("the next one", `document.querySelector("h1")?.textContent === "Further on" && document.querySelector(".neighbours a[href='#/own/91_offered.week1']")`)
		p.reload()
		p.wait("it after a reload", `document.querySelector("h1")?.textContent === "Further on"`)
		p.click(`document.querySelector(".menu summary")`)
		p.click(`document.querySelector("#menu-course")`)
		p.wait("what is solved, next and known", station+`?.querySelector(".mark-solved") && document.querySelector(".map [data-next] [href='#/own/92_further.week1']") && document.querySelectorAll(".map-ideas [data-known=true]").length === 1`)
		if link := eval[string](p, `document.querySelector(".map .link-field input").value`); !strings.HasSuffix(link, "/#/map/week1/91s") {
			t.Errorf("the link is %q", link)
		}
	}
}
