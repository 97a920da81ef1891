package e2e

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/share/link"
)

// theirs is what the author of a link has written, mine what its reader has.
var (
	theirs = strings.TrimSpace(kernel("i = tl.arange(0, B0)\nx = tl.load(x_ptr + i)\ntl.store(z_ptr + i, x + 9)"))
	mine   = "# my own text"
)

// share opens the share dialog and gives the link in it.
func (p *page) share(results bool) string {
	p.Helper()
	p.click(`document.querySelector("#share")`)
	p.wait("the link", `document.querySelector(".link-field input")?.value`)
	plain := eval[string](p, `document.querySelector(".link-field input").value`)
	if !results {
		return plain
	}
	p.click(`document.querySelector(".share-dialog .switch input")`)
	p.wait("a longer link", fmt.Sprintf(`document.querySelector(".link-field input").value.length > %d`, len(plain)))
	return eval[string](p, `document.querySelector(".link-field input").value`)
}

// shorten stores the link of the open dialog and gives the short one.
func (p *page) shorten() string {
	p.Helper()
	p.click(`document.querySelector("#make-short")`)
	p.wait("the short link", `document.querySelector("#short input")?.value`)
	return eval[string](p, `document.querySelector("#short input").value`)
}

// TestShare shares from one profile and opens in another, by both kinds of link, in both languages.
func TestShare(t *testing.T) {
	t.Parallel()
	notice := map[string]string{"en": "Link copied", "zh": "链接已复制"}
	for _, lang := range soak.Variants("en", "zh") {
		t.Run(lang, func(t *testing.T) {
			author := open(t, lang, "#/puzzle/1")
			author.write(theirs)
			author.run()
			author.key("s", chromedp.ModifierCtrl)
			author.wait("word of it", fmt.Sprintf(`document.querySelector(".status")?.innerText.startsWith(%q)`, notice[lang]))
			whole := author.share(true)
			short := author.shorten()
			if !strings.Contains(author.text(".deletion"), eval[string](author, `JSON.parse(localStorage.getItem("newt:links"))[0].key`)) {
				t.Error("the deletion key is not shown")
			}
			for _, address := range []string{whole, short} {
				reader := open(t, lang, "#/puzzle/1")
				reader.write(mine)
				reader.kept()
				reader.do(chromedp.Navigate(address))
				reader.lookAndOpen(t)
			}
		})
	}
}

// lookAndOpen reads the preview of the author's link, opens it, and brings the reader's own text back.
func (p *page) lookAndOpen(t *testing.T) {
	p.Helper()
	p.wait("the preview", fmt.Sprintf(`document.querySelector("#link-source")?.textContent === %q`, theirs))
	if p.text(".claim .claim-says") == "" {
		t.Error("the author's results are not in the preview")
	}
	if got := p.source(); got != mine {
		t.Errorf("before a decision the editor holds %q", got)
	}
	p.click(`document.querySelector("#link-open")`)
	p.wait("the author's text", fmt.Sprintf(`[...`+editor+`.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n") === %q`, theirs))
	if eval[bool](p, `!!document.querySelector("#verdict") || location.hash !== "#/puzzle/1"`) {
		t.Error("opening a link ran it, or left it in the address")
	}
	p.kept()
	p.reload()
	p.click(`document.querySelector("#before button")`)
	p.wait("the reader's own text", fmt.Sprintf(editor+`.textContent === %q`, mine))
	p.wait("no more offers", `!document.querySelector("#before")`)
}

// TestShareFreePage carries the free page's form, and keeps what the reader's own was.
func TestShareFreePage(t *testing.T) {
	soak.Only(t, "TestCustomByLink and TestShareDocument open links, and runner/share/link has the forms")
	t.Parallel()
	author := open(t, "en", "#/free")
	author.click(`document.querySelectorAll(".chip")[1]`)
	author.wait("its form", `document.querySelector(".call select")?.value === "add"`)
	author.js(`const n = document.querySelector('input[aria-label="n: Value"]'); n.value = "77"; n.dispatchEvent(new Event("input", { bubbles: true }))`)
	whole := author.share(false)

	reader := open(t, "en", "#/free")
	reader.showView("result")
	reader.wait("the example's run", `document.querySelector("#verdict")`)
	reader.js(editor + `.focus()`)
	reader.key(kb.End, chromedp.ModifierCtrl)
	reader.insert("# mine")
	reader.kept()
	reader.do(chromedp.Navigate(whole))
	reader.click(`document.querySelector("#link-keep")`)
	reader.wait("the reader's own", editor+`.textContent.includes("def ripple")`)
	reader.do(chromedp.Navigate(whole))
	reader.click(`document.querySelector("#link-open")`)
	reader.wait("the author's form", `document.querySelector('input[aria-label="n: Value"]')?.value === "77"`)
	reader.click(`document.querySelector("#before button")`)
	reader.wait("the reader's own form", `document.querySelector(".call select")?.value === "ripple"`)
}

// TestLinkRunsNothing opens links whose text would run by itself if somebody had typed it.
func TestLinkRunsNothing(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/free")
	p.showView("result")
	p.wait("the example's run", `document.querySelector("#verdict")`)
	p.click(`document.querySelectorAll(".chip")[1]`)
	p.wait("the run of vector add", `document.querySelector("#verdict") && document.querySelector(".timing")?.innerText.includes(": 4 programs")`)
	whole := p.share(false)
	reader := open(t, "en", "#/puzzle/1")
	reader.onLoad(probe("watchWorkers"))
	reader.reload()
	reader.do(chromedp.Navigate(whole))
	// An example that nobody has changed is run as soon as its call is known and the interpreter is ready.
	reader.wait("the link's call", `document.querySelector(".call select")?.value === "add"`)
	reader.wait("the interpreter", `!document.querySelector("#loading")`)
	if eval[bool](reader, `probe.traffic.asked.some((m) => m.text && JSON.parse(m.text).free) || !!document.querySelector("#verdict")`) {
		t.Error("the link's kernel has run")
	}
	reader.run()
}

// TestLinkOpensAtOnce: where nothing of the reader's would be lost, a link opens on its own page without a question, and
// runs nothing. Only a text of one's own for that page is asked about, with that page behind the question.
func TestLinkOpensAtOnce(t *testing.T) {
	t.Parallel()
	address := origin + "/#l=" + payload(t, link.State{Source: theirs, Puzzle: 1})
	shown := fmt.Sprintf(`location.hash === "#/puzzle/1" && !document.querySelector("dialog:modal") && [...`+editor+`.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n") === %q`, theirs)
	for _, start := range []string{"#/free", "#/puzzle/1", "#/puzzle/5"} {
		p := open(t, "en", start)
		p.do(chromedp.Navigate(address))
		p.wait("the link's text", shown)
		p.wait("word of it", `document.querySelector(".status")?.innerText.startsWith("Opened from a link")`)
		if eval[bool](p, `!!document.querySelector("#verdict, #before")`) {
			t.Errorf("%s: it ran, or kept what nobody wrote", start)
		}
		// Once more: what a link brought is nobody's loss.
		p.kept()
		p.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{Source: theirs + " + 1", Puzzle: 1})))
		p.wait("the other text", editor+`.textContent.includes("x + 9) + 1")`)
	}
	p := open(t, "en", "#/puzzle/1")
	p.write(mine)
	p.kept()
	p.js(`location.hash = "#/free"`)
	p.wait("the free page", editor+`.textContent.includes("ripple")`)
	p.do(chromedp.Navigate(address))
	p.wait("the question, over the page it is about", `document.querySelector("#link-keep") && document.querySelector("h1")?.innerText === "Constant Add"`)
	p.click(`document.querySelector("#link-keep")`)
	p.wait("the reader's own text", fmt.Sprintf(`location.hash === "#/puzzle/1" && `+editor+`.textContent === %q`, mine))

	// What is still being written has not been saved when the link comes.
	p.js(editor + `.focus()`)
	p.key(kb.End, chromedp.ModifierCtrl)
	p.js(`localStorage.removeItem("newt:text:puzzle-1"); document.execCommand("insertText", false, "!"); location.hash = "#l=` + payload(t, link.State{Source: theirs, Puzzle: 1}) + `"`)
	p.wait("the question again", `document.querySelector("#link-keep")`)
}

// framed is a link's text of any version and body.
func framed(version byte, body []byte, checksum uint32) string {
	var out bytes.Buffer
	out.WriteByte(version)
	binary.Write(&out, binary.BigEndian, checksum)
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	w.Write(body)
	w.Close()
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

// TestBadLinks opens what is no good link: each says why in the page's language, and leaves the
// visitor's text alone.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	site, at := ownSite(t)
	good := payload(t, link.State{Source: theirs, Puzzle: 1})
	expired := post(t, at, payload(t, link.State{Source: "# expires"}), "?days=1")
	stored := post(t, at, payload(t, link.State{Source: "# stored"}), "")
	cases := []struct {
		name, hash string
		code       string
		args       []any
	}{
		{"corrupt", "#l=" + good[:20] + "AAAA" + good[24:], "link-corrupt", nil},
		{"no link at all", "#l=<script>alert(1)</script>", "link-corrupt", nil},
		{"empty", "#l=", "link-truncated", nil},
		{"truncated", "#l=" + good[:len(good)/2], "link-truncated", nil},
		{"oversized", "#l=" + strings.Repeat("A", link.MaxEncoded+4), "link-too-large", []any{link.MaxDecoded >> 10, link.MaxEncoded >> 10}},
		{"bomb", "#l=" + framed(1, make([]byte, 100<<20), 0), "link-too-large", []any{link.MaxDecoded >> 10, link.MaxEncoded >> 10}},
		{"newer", "#l=" + framed(link.Version+1, []byte("x"), crc32.ChecksumIEEE([]byte("x"))), "link-newer", []any{link.Version + 1, link.Version}},
		{"unknown id", "#s=" + strings.Repeat("A", len(stored)), "share-not-found", nil},
		{"no id", "#s=../../etc/passwd", "share-not-found", nil},
		{"expired", "#s=" + expired, "share-expired", nil},
		{"store down", "#s=" + stored, "share-unavailable", nil},
	}
	site.later.Store(int64(72 * time.Hour))
	for i, lang := range soak.Variants("en", "zh") {
		t.Run(lang, func(t *testing.T) {
			p := openAt(t, at, lang, "#/puzzle/1")
			p.expect("Failed to load resource")
			p.write(mine)
			p.kept()
			for _, c := range cases {
				site.down.Store(c.name == "store down")
				p.js(fmt.Sprintf(`location.hash = %q`, c.hash))
				want := diag.New(c.code, source.Span{}, c.args...).In([]diag.Lang{diag.English, diag.Chinese}[i]).Headline
				p.wait(c.name+": "+want, fmt.Sprintf(`document.querySelector("#bad-link")?.textContent.toLowerCase().includes(%q)`, strings.ToLower(want)))
				p.click(`document.querySelector(".link-dialog .cta")`)
				p.wait("the page as it was", `!document.querySelector("dialog:modal") && location.hash === "#/puzzle/1"`)
				if got := p.source(); got != mine {
					t.Errorf("%s: the editor holds %q", c.name, got)
				}
			}
			site.down.Store(false)
			if got := p.kept(); got != mine {
				t.Errorf("the browser keeps %q", got)
			}
		})
	}
}

// post stores a payload as the page of a site would, and gives its id.
func post(t *testing.T, origin, payload, query string) string {
	t.Helper()
	reply, err := http.Post(origin+"/api/share"+query, "application/x-newt-link", strings.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	at := reply.Header.Get("Location")
	if at == "" {
		t.Fatalf("no short link was made: %s", reply.Status)
	}
	return strings.TrimPrefix(at, "/s/")
}

// TestHostileLink opens a well-formed link full of markup and impossible fields.
func TestHostileLink(t *testing.T) {
	t.Parallel()
	attack := `<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>`
	state := link.State{
		Source: attack, Puzzle: 0, Lang: "xx", View: "__proto__", Strict: true,
		Free: &link.Free{Kernel: "__proto__", Grid: attack, Seed: -1, Args: []link.FreeArg{{Name: "__proto__", Kind: attack, DType: attack, Shape: attack}}},
		Results: &link.Results{
			Pass: true, Message: attack, Made: 1 << 62, Prints: []string{attack},
			Tensors: []link.Tensor{{Name: attack, DType: "<b>", Shape: attack, Text: attack}},
		},
	}
	p := open(t, "en", "#/free")
	p.write(mine)
	p.kept()
	p.do(chromedp.Navigate(origin + "/#l=" + payload(t, state)))
	p.wait("the text as text", fmt.Sprintf(`document.querySelector("#link-source")?.textContent === %q`, attack))
	p.click(`document.querySelector("#link-open")`)
	p.wait("the text in the editor", fmt.Sprintf(editor+`.textContent === %q`, attack))
	if eval[bool](p, `!!window.hacked || !!document.querySelector("#app img")`) {
		t.Error("the link's markup was taken for HTML")
	}
	p.write(mine)
	p.kept()
	p.js(`location.hash = "#l=` + payload(t, link.State{Source: theirs, Puzzle: 999}) + `"`)
	p.wait("word of the missing puzzle", `document.querySelector(".link-what")?.innerText.startsWith("Puzzle 999")`)
	p.click(`document.querySelector("#link-open")`)
	p.wait("the free page", `location.hash === "#/free" && `+editor+`.textContent.includes("add_kernel")`)
}

// TestDeletion deletes a short link from the list of one's own.
func TestDeletion(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2")
	p.expect("Failed to load resource")
	p.write("# to be deleted")
	p.share(false)
	short := p.shorten()
	p.js(`document.querySelector(".mine").open = true`)
	p.click(`document.querySelector(".mine li button")`)
	p.wait("an empty list", `!document.querySelector(".mine")`)
	p.key("\u001b")
	p.js(`location.hash = "#s=` + short[strings.LastIndex(short, "/")+1:] + `"`)
	p.wait("that it is gone", `document.querySelector("#bad-link")?.innerText.startsWith("This short link does not exist")`)
}

// TestNoService shares on a site that serves files alone.
func TestNoService(t *testing.T) {
	t.Parallel()
	p := openAt(t, staticSite(t), "en", "#/puzzle/1")
	p.expect("Failed to load resource")
	p.share(false)
	p.click(`document.querySelector("#make-short")`)
	p.wait("that there is none", `document.querySelector(".share-dialog .fault")?.innerText.startsWith("This site has no short links")`)
}

// TestClipboardRefused leaves the link selected where the browser does not let the page copy.
func TestClipboardRefused(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.js(`navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))`)
	p.key("s", chromedp.ModifierCtrl)
	p.wait("word of it", `document.querySelector(".link-note")?.innerText.includes("copy it yourself")`)
	p.wait("the link, selected", `(({ value, selectionEnd }) => value.includes("#l=") && selectionEnd === value.length)(document.querySelector(".link-field input"))`)
}

// TestShareDocument: a link to a document says which launch, program and step it points at, runs nothing, and shows them once
// the reader has run the document; one whose launch the document does not make says so.
func TestShareDocument(t *testing.T) {
	t.Parallel()
	text := `import torch, triton, triton.language as tl
@triton.jit
def fill(p, v, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(p + i, v)
x = torch.zeros(12, device="cuda")
# %%
fill[(3,)](x, 7.0, 4)
# %%
fill[(6,)](x, 8.0, 2)
# %%
fill[(2,)](x, 9.0, 4)
`
	runAll := func(p *page, launches int) {
		t.Helper()
		p.click(`[...document.querySelectorAll("button")].find((b) => b.textContent === "Run all")`)
		p.wait("the launches", fmt.Sprintf(`document.querySelectorAll("#memory-launch option").length === %d && !document.querySelector("#memory-launch").disabled`, launches))
	}
	look := `[document.querySelector("#memory-launch")?.value, ` + chosenProgram + `, document.querySelector(".timeline-now")?.innerText.split(" ·")[0]].join()`
	author := open(t, "en", "#/document")
	author.write(text)
	author.showView("memory")
	runAll(author, 3)
	author.js(`const s = document.querySelector("#memory-launch"); s.value = "2"; s.dispatchEvent(new Event("change", { bubbles: true }))`)
	author.wait("the second launch", `document.querySelector("[data-program='5']")`)
	author.click(`document.querySelector("[data-program='4']")`)
	author.wait("its program", chosenProgram+` === "4"`)
	author.js(`document.querySelector(".timeline-strip").focus()`)
	author.key(kb.Home)
	author.wait("its first step", stepNow+`.includes("Step 1 of")`)
	want := eval[string](author, look)
	address := author.share(false)

	reader := open(t, "en", "#/free")
	reader.do(chromedp.Navigate(address))
	reader.wait("what it points at", `document.querySelector("#pointed")?.innerText === "The link points at launch 2 of the document, program (4, 0, 0), step 1. A link runs nothing: run all cells to see it."`)
	if eval[bool](reader, `!!document.querySelector(".memory-launch")`) {
		t.Error("the link ran the document")
	}
	runAll(reader, 3)
	reader.wait("what the author saw", fmt.Sprintf(`!document.querySelector("#pointed") && %s === %q`, look, want))

	fewer := strings.Replace(text, "# %%\nfill[(6,)](x, 8.0, 2)\n# %%\nfill[(2,)](x, 9.0, 4)\n", "", 1)
	reader.write(fewer)
	reader.do(chromedp.Navigate(origin + "/#l=" + payload(t, link.State{
		Source: fewer + "# once\n", View: "document/lens", Look: &link.Look{Test: 2, Step: link.LastStep},
	})))
	reader.click(`document.querySelector("#link-open")`)
	reader.wait("what it points at, in its view", `document.querySelector("#view-lens") && document.querySelector("#pointed")?.innerText.includes("A link runs nothing")`)
	reader.click(`[...document.querySelectorAll("button")].find((b) => b.textContent === "Run all")`)
	reader.wait("that there is no such launch", `document.querySelector("#pointed")?.innerText.includes("The cells that have run made 1 launch, and not that one.")`)
	reader.picture("pointed")
}

// TestLinkDocumentFiles: a link to a document has its name and the files next to it, as they are.
func TestLinkDocumentFiles(t *testing.T) {
	t.Parallel()
	author := open(t, "en", "#/document")
	author.openFile("main.py", "from helper import double\nprint(double(len(open('data.bin', 'rb').read())))\n")
	dir := t.TempDir()
	for name, data := range map[string]string{"helper.py": "def double(x): return 2 * x\n", "data.bin": "\x00\xff\x80"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	author.do(chromedp.SetUploadFiles(`#add-files input`, []string{filepath.Join(dir, "helper.py"), filepath.Join(dir, "data.bin")}))
	author.wait("the files", `document.querySelectorAll(".siblings li").length === 2`)
	address := author.share(false)
	author.picture("share-document")
	if said := author.text(".share-dialog p"); !strings.Contains(said, "the 2 files next to it") {
		t.Errorf("the dialog says %q", said)
	}

	reader := open(t, "en", "#/free")
	reader.do(chromedp.Navigate(address))
	reader.wait("the document with its files", `document.querySelector(".file-name")?.innerText === "main.py" && document.querySelectorAll(".siblings li").length === 2`)
	if text := reader.text("#result"); strings.Contains(text, "Tracing") {
		t.Errorf("nothing has run, and the view says %q", text)
	}
	reader.picture("linked-document")
	reader.click(`document.querySelector("#run-all")`)
	reader.output(0, "6")
}
