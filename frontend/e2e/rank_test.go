package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/device/gpu"
)

// matmulDocument tunes a product of matrices. One config has more threads than a program can have, and one needs more
// shared memory than there is.
const matmulDocument = `import torch
import triton
import triton.language as tl

@triton.autotune([triton.Config({"M": m, "N": n, "K": k}, num_warps=w, num_stages=s) for m, n, k, w, s in
    [(32, 32, 32, 64, 3), (16, 16, 16, 1, 2), (64, 64, 32, 4, 3), (256, 256, 256, 8, 3), (128, 128, 64, 8, 3)]], ["n"])
@triton.jit
def matmul(a, b, c, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for at in range(0, n, K):
        x = tl.load(a + i[:, None] * n + (at + k)[None, :])
        y = tl.load(b + (at + k)[:, None] * n + j[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + i[:, None] * n + j[None, :], total.to(tl.float16))

n = 256
a = torch.ones(n, n, device="cuda", dtype=torch.float16)
b, c = torch.ones_like(a), torch.empty_like(a)
matmul[lambda meta: (n // meta["M"], n // meta["N"])](a, b, c, n)
print(c[0, 0].item(), matmul.best_config.kwargs)`

// hasCompiler is true once the page has fetched the program that compiles to PTX.
const hasCompiler = `performance.getEntriesByType("resource").some((e) => /\/ptx-[^/]*\.wasm/.test(e.name))`

// rankedRows are the cells of the table of ranked configs, row by row.
const rankedRows = `[...document.querySelectorAll(".ranking tbody tr")].map((r) => [...r.children].map((c) => c.innerText.trim()))`

// ranking opens a document and has its configs ranked, by keys.
func ranking(t *testing.T, lang, text string) *page {
	t.Helper()
	p := open(t, lang, "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write(text)
	p.wait("the choice", `document.querySelector("#rank")?.checked === false`)
	p.js(`document.querySelector("#rank").focus()`)
	p.key(" ")
	p.wait("its effect", `document.querySelector("#rank").checked`)
	return p
}

// TestRank: a document's configs are ranked in the page, which fetches the compiler to PTX for that alone: each has the time
// that is expected and what bounds it, what needs too much comes last, and the first is used.
func TestRank(t *testing.T) {
	t.Parallel()
	p := ranking(t, "en", matmulDocument)
	if eval[bool](p, hasCompiler) {
		t.Error("the compiler to PTX is here before anything is ranked")
	}
	p.click(`document.querySelector("#run-all")`)
	p.wait("the cell", endedCells+" === 1")
	p.wait("the table", `document.querySelector(".ranking tbody tr")`)
	rows := eval[[][]string](p, rankedRows)
	if len(rows) != 5 {
		t.Fatalf("%q", rows)
	}
	bounds := []string{"memory", "L2 cache", "instructions", "latency"}
	for i, r := range rows {
		tooMuch := strings.HasPrefix(r[0], "M: 32,") || strings.HasPrefix(r[0], "M: 256")
		if (r[1] == "needs too much") != tooMuch || tooMuch != (i >= 3) || !tooMuch && (!strings.HasSuffix(r[1], " µs") || !slices.Contains(bounds, r[2])) ||
			(r[3] == "used") != (i == 0) {
			t.Errorf("row %d: %q", i, r)
		}
	}
	block, _, _ := strings.Cut(strings.TrimPrefix(rows[0][0], "M: "), ",")
	p.output(0, fmt.Sprintf("256.0 {'M': %s", block))
	text := eval[string](p, `document.querySelector(".ranking").innerText`)
	for _, want := range []string{"matmul · key (256, 'torch.float16'", "5 configs", "Nothing was timed: the first config is used. Used: M: " + block} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if !eval[bool](p, hasCompiler+` && !document.querySelector(".sweep:not(.ranking)")`) {
		t.Error("no compiler to PTX, or configs are timed")
	}
}

// TestRankOnDevice: on a device with a GPU the first three are timed, and their times and how well the model has ordered them
// stand by.
func TestRankOnDevice(t *testing.T) {
	soak.Only(t, "TestRank ranks in the page")
	t.Parallel()
	r := newRunnerWith(t, testToken, gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}))
	p := ranking(t, "zh", strings.Replace(sweepDocument, "(16, 32)", "(16, 4, 8, 32)", 1))
	p.addRunner(r.address(), testToken)
	p.chooseDevice()
	p.js(editor + `.focus()`)
	p.startThere()
	p.wait("both cells", endedCells+" === 2")
	p.wait("the table", `document.querySelector(".ranking")?.innerText.includes("测了前 3 个")`)
	rows := eval[[][]string](p, rankedRows)
	used := 0
	for i, r := range rows {
		if (r[3] == "–") != (i == 3) {
			t.Errorf("row %d: %q", i, r)
		}
		if r[4] == "使用" {
			used++
		}
	}
	if len(rows) != 4 || used != 1 {
		t.Errorf("%q", rows)
	}
	if text := eval[string](p, `document.querySelector(".ranking").innerText`); !strings.Contains(text, "Spearman") {
		t.Error(text)
	}
	p.output(1, "sum 64")
	p.wait("the sweep of the three", `document.querySelectorAll(".sweep:not(.ranking) tbody tr").length === 3`)
}

// TestRankStop: a ranking says how far it is, and a person can stop it by keys; the variables are still there, and the
// next ranking works.
func TestRankStop(t *testing.T) {
	soak.Only(t, "TestRank ranks, and TestCancel stops")
	t.Parallel()
	many := strings.Replace(sweepDocument, `for b in (16, 32)]`, `for b in (16, 32) for _ in range(2000)]`, 1)
	p := ranking(t, "en", many)
	p.click(`document.querySelector("#run-all")`)
	p.wait("progress", `/^[1-9]\d* of 4000 configs/.test(document.querySelector("#ranking")?.innerText.trim() ?? "")`)
	p.js(`document.querySelector("#rank-stop").focus()`)
	p.key(kb.Enter)
	p.wait("the end", endedCells+` === 1 && !document.querySelector("#rank-stop")`)
	if eval[bool](p, `!!document.querySelector(".ranking") || !document.querySelector("#forget")`) {
		t.Error("a ranking that was stopped is shown, or the variables are gone")
	}
	p.write(sweepDocument)
	p.click(`document.querySelector("#run-all")`)
	p.wait("both cells", endedCells+" === 2")
	p.wait("the table", rankedRows+`.length === 2`)
}

// TestRankMore: of many configs the first eight are shown, and the others where a person asks for them by keys.
func TestRankMore(t *testing.T) {
	soak.Only(t, "TestRank has the table")
	t.Parallel()
	p := ranking(t, "en", strings.Replace(sweepDocument, `(16, 32)`, `(16,) * 12`, 1))
	p.click(`document.querySelector("#run-all")`)
	p.wait("the first configs", rankedRows+`.length === 8`)
	p.js(`document.querySelector(".ranking button").focus()`)
	for _, want := range []struct {
		says string
		rows int
	}{{"The first 8 configs", 12}, {"All 12 configs", 8}} {
		p.key(kb.Enter)
		p.wait(want.says, fmt.Sprintf(`%s.length === %d && document.activeElement.innerText === %q`, rankedRows, want.rows, want.says))
	}
}

// TestRankAccessibility: axe-core on ranked configs, in both languages and themes, on a phone, too; nothing is wider than it.
func TestRankAccessibility(t *testing.T) {
	soak.Only(t, "TestViewsZoomed has axe-core see each view in both themes and languages")
	t.Parallel()
	axe := axeSource(t)
	for _, lang := range soak.Variants("en", "zh") {
		p := open(t, lang, "#/document")
		p.choose(fmt.Sprintf(`{"lang":%q,"theme":%q,"rank":true}`, lang, map[string]string{"en": "light", "zh": "dark"}[lang]))
		p.wait("the document page", `document.querySelector("#open-file")`)
		p.write(matmulDocument)
		p.click(`document.querySelector("#run-all")`)
		p.wait("the cell", endedCells+" === 1")
		p.wait("the table", rankedRows+`.length === 5`)
		eval[bool](p, axe+"; true")
		for _, width := range soak.Variants[int64](1440, 390) {
			p.do(chromedp.EmulateViewport(width, 860))
			p.wait("the width", fmt.Sprintf(`innerWidth === %d`, width))
			p.js(`document.querySelector(".ranking").scrollIntoView()`)
			p.audit(fmt.Sprintf("%s, %d px", lang, width))
			if wide := eval[float64](p, `document.documentElement.scrollWidth`); wide > float64(width) {
				t.Errorf("%s: the page is %g px wide", lang, wide)
			}
			p.picture(fmt.Sprintf("rank-%s-%d", lang, width))
		}
	}
}
