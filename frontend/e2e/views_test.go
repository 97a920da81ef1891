package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
)

var retake = flag.Bool("retake", false, "write the pictures of frontend/views again, and the page that shows them: -run TestViews")

var pictures = flag.String("pictures", "", "write pictures of what the tests come past into this folder")

// picture writes what the page looks like, where somebody wants to see it.
func (p *page) picture(name string) {
	p.Helper()
	if *pictures != "" {
		p.capture(filepath.Join(*pictures, name+".png"), cdppage.CaptureScreenshotParams{})
	}
}

// capture writes what the page looks like to a file.
func (p *page) capture(file string, how cdppage.CaptureScreenshotParams) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		taken, err := cdp.Call(ctx, t, cdppage.CaptureScreenshot, how)
		if err != nil {
			return err
		}
		return os.WriteFile(file, taken.Data, 0o644)
	}))
}

// view is one of the page whose pictures the docs show.
type view struct {
	name, says string
	hash       string
	reach      func(p *page) // from the page that hash opens
	at         string        // what a narrow window scrolls to; empty: the top
}

// answered opens a view of a text with the memory view.
func answered(text string, then func(p *page)) func(p *page) {
	return func(p *page) {
		p.pictured(text)
		then(p)
	}
}

func solution(number int) string {
	puzzle, _ := puzzles.Get(number)
	return puzzle.Text.Solutions[0].Source
}

// views are those of the docs, in their order.
var views = slices.Concat(learning, working)

// learning are the views of somebody who learns.
var learning = []view{
	{"first", "The first screen: a kernel that draws a ripple, a slider for one of its numbers, and two ways on", "#/free", func(p *page) {
		p.wait("the ripple", `document.querySelector(".ripple canvas")?.width > 200 && document.querySelector(".memory-launch[aria-busy=false][data-outdated=false]")`)
	}, ".intro"},
	{"lesson", "Puzzle 0: an idea at a time, by doing and without code", "#/free", func(p *page) {
		p.js(`location.hash = "#/puzzle/0"`)
		p.wait("the first idea", concept("program"))
		p.js(`document.querySelector(".concept-controls input").focus()`)
		p.key(kb.ArrowRight + kb.ArrowRight)
		p.wait("the task is done", isDone)
	}, ""},
	{"map", "The map: what one knows, and what is next", "#/puzzle/4", func(p *page) {
		p.js(`localStorage.setItem("newt:progress", JSON.stringify({ 0: "solved", 1: "solved", 2: "solved", 3: "solved", 4: "tried", 2001: "silver" }))`)
		p.reload()
		p.js(`location.hash = "#/map"`)
		p.wait("the map", `document.querySelector(".map .map-regions [data-next] a")?.getAttribute("href") === "#/puzzle/4"`)
	}, ""},
	{"order", "The lines of a kernel, to be put in order before one writes any", "#/puzzle/7", func(p *page) {
		p.choose(`{"lang":"en","theme":"light","questions":true}`)
		p.wait("the question", inQuestion("order", ".question-begin"))
		p.click(inQuestion("order", ".question-begin"))
		p.wait("the lines", `document.querySelectorAll(".order-line").length === 8`)
		p.click(`document.querySelector("#order-check")`)
		p.said("order", "Part 1")
	}, ".order-lines"},
	{"formulas", "Why an element is wrong: what it is next to what it should be, and what differs", "#/puzzle/4",
		answered(strings.Replace(solution(4), "j[:, None] * N0", "j[:, None] * N1", 1), func(p *page) {
			p.run()
			p.wait("a wrong element", `document.querySelector("#view-result .elements .link")`)
			p.click(`document.querySelector("#view-result .elements .link")`)
			p.wait("the formulas", `document.querySelector(".memory-why .formulas")`)
		}), ".memory-why"},
	{"window", "A convolution's window, its filter and its result, as the loops move them", "#/puzzle/10",
		answered(solution(10), func(p *page) { p.iterate(36, 3, 2) }), ".memory-tensors"},
	{"attention", "Attention: the keys of an iteration, and the queries that meet them", "#/puzzle/9",
		answered(solution(9), func(p *page) { p.iterate(20, 3) }), ".memory-tensors"},
	{"ladder", "The second course: a kernel that is right already is made fast, level by level", "#/puzzle/2001", func(p *page) {
		puzzle, _ := fast.Get(2001)
		p.write(puzzle.Text.Solutions[1].Source)
		p.run()
		p.wait("the ladder", `document.querySelector("#ladder")?.innerText.includes("Level reached: silver")`)
	}, ""},
}

// iterate goes to iterations of the loops around the last step, by their sliders from the outermost, and then some steps on.
func (p *page) iterate(steps int, iterations ...int) {
	p.Helper()
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(strings.Repeat(kb.ArrowLeft, 12))
	for loop, to := range iterations {
		slider := fmt.Sprintf(`document.querySelectorAll(".timeline-loops input")[%d]`, loop)
		p.wait("the slider", slider)
		p.js(fmt.Sprintf(`%s.value = "%d"; %[1]s.dispatchEvent(new Event("input", { bubbles: true }))`, slider, to))
		p.wait("the iteration", fmt.Sprintf(`%s.value === "%d" && document.querySelector(".memory-launch[aria-busy=false]")`, slider, to))
	}
	p.js(`document.querySelector(".timeline-strip").focus()`)
	p.key(strings.Repeat(kb.ArrowRight, steps))
	p.wait("the tiles", `document.querySelector("[data-placing] .memory-frame:not([data-ahead=true])")`)
}

// working are the other views.
var working = []view{
	{"memory", "What one program reads, writes and masks off, and the value of each line", "#/puzzle/4",
		answered(solution(4), func(p *page) {
			p.click(`document.querySelector("[data-program='11']")`)
			p.wait("what it masks off", captionOf("z")+`?.includes("masked off")`)
		}), ""},
	{"values", "A block of values: colors, a histogram, NaN and infinity counted", "#/puzzle/2",
		answered(withValues(), func(p *page) {
			p.click(`document.querySelector("[data-program='1']")`)
			p.openChip("odd")
		}), ".memory-block"},
	{"steps", "Every operation of a program, back and forth, with a slider for each loop", "#/puzzle/2",
		answered(withLoop(), func(p *page) {
			p.js(`document.querySelector(".timeline-strip").focus()`)
			for range 5 {
				p.key(kb.ArrowLeft)
			}
			p.wait("the loops", `document.querySelectorAll(".timeline-loops input").length === 2`)
		}), ".timeline"},
	{"question", "A question before the first run, which is answered in the picture", "#/puzzle/2", func(p *page) {
		p.choose(`{"lang":"en","theme":"light","questions":true}`)
		p.pictured(addBlock())
		p.wait("the question", inQuestion("cells", ".question-begin"))
		p.click(inQuestion("cells", ".question-begin"))
		p.wait("the picture that asks", `document.activeElement.closest("[data-tensor=z]")`)
		p.key(strings.Repeat(kb.ArrowDown, 6) + kb.Enter + strings.Repeat(kb.ArrowRight, 31) + kb.Enter)
		p.said("cells", "program 5")
	}, "[data-tensor=z]"},
	{"breakpoints", "Breakpoints with conditions, through all programs", "#/puzzle/2",
		answered(withLoop(), func(p *page) {
			p.click(`document.querySelector("#breakpoints")`)
			p.wait("the breakpoints", `document.querySelector(".breakpoints .fine")`)
			p.click(lineNumber(14))
			p.wait("its condition", `document.querySelector("#breakpoint-14")`)
			p.js(`document.querySelector("#breakpoint-14").focus()`)
			p.key("pid == 3 and k * j > 5")
			p.key(kb.Enter)
			p.wait("the stop", `document.querySelector(".breakpoints [role=status]").innerText.startsWith("Stopped in program 3")`)
		}), ".breakpoints"},
	{"programs", "The programs of a launch, a lane each; the first problem is in the last one", "#/puzzle/2",
		answered(addOutside(), func(p *page) {
			p.click(`document.querySelector("#lanes")`)
			p.wait("the lanes", `document.querySelectorAll(".lane canvas[width]").length === 7`)
		}), ".courses"},
	{"product", "A tl.dot along K, with its accumulator", "#/puzzle/2",
		answered(withProduct(), func(p *page) {
			p.openChip("d")
			p.js(`document.querySelector("#sweep").focus()`)
			p.key(kb.Home)
			for range 5 {
				p.key(kb.ArrowRight)
			}
			p.wait("some lanes", `Number(document.querySelector("#sweep").value) >= 5`)
		}), ".sweep"},
	{"result", "A wrong answer: got, expected and the difference, element by element", "#/puzzle/2",
		answered(addWrong(), func(p *page) {
			p.run()
			p.wait("the mistake", `document.querySelector("#view-result").innerText.includes("Line 12")`)
		}), ""},
	{"why", "Why an element is wrong: the store, and the operations that its value comes from", "#/puzzle/2",
		answered(addWrong(), func(p *page) {
			p.js(`document.querySelector("[data-tensor=z] .memory-picture").focus()`)
			p.key(kb.ArrowRight)
			p.key(kb.Enter)
			p.wait("the answer", whyButtons+`.length > 2`)
		}), ".memory-why"},
	{"findings", "What the sanitizers find, and what is proved of each access", "#/puzzle/2",
		func(p *page) {
			p.choose(`{"lang":"en","theme":"light","sanitize":true}`)
			p.pictured(storesUndefined())
			p.wait("the findings", findingRows+`.length === 2 && `+findingsCount)
			p.click(findingRows + `[1]`)
			p.wait("its cells", foundCells+`.length === 1`)
		}, ".findings"},
	{"ptx", "The PTX, linked with the source line by line", "#/puzzle/2",
		answered(addBlock(), func(p *page) {
			p.showCode("ptx")
			p.click(`document.querySelector(".code-lines [data-line]")`)
		}), ""},
	{"stages", "What a pass has changed in the IR of a kernel", "#/puzzle/8",
		answered(solution(8), func(p *page) {
			p.showCode("ptx")
			p.chooseOption("code-stage", "dce")
			p.click(`document.querySelector("#compare-stages")`)
			p.wait("the difference", difference)
		}), ""},
	{"sass", "The machine code of a kernel, where a runner has the tools for it", "#/puzzle/2",
		answered(addBlock(), func(p *page) { p.disassembled(runnerWithTools(p.T)) }), ""},
	{"layouts", "Which thread holds which element of a tile", "#/puzzle/11",
		answered(solution(11), func(p *page) {
			p.showCode("layouts")
			p.wait("lanes and warps", `document.querySelector(".tile-grid")`)
		}), ""},
	{"lens", "What a launch asks of a GPU: counts of a model, by line", "#/puzzle/8",
		answered(solution(8), func(p *page) {
			p.showView("lens")
			p.wait("the roofline", lensReady+` && document.querySelector(".lens-roofline svg")`)
		}), ""},
	{"device", "A run on another device: the same bytes, the code, and times", "#/puzzle/1",
		answered(solution(1), func(p *page) {
			p.openDevices()
			p.wait("the server's device", `document.querySelector("[data-runner=own][data-state=ready] input")`)
			p.click(`document.querySelector("[data-runner=own] input")`)
			p.key(kb.Escape)
			p.wait("no dialog", `!document.querySelector("dialog:modal")`)
			p.runThere()
			p.wait("times", `document.querySelector("#timings")`)
		}), "#timings"},
	{"reference", "The language's reference", "#/puzzle/1", func(p *page) {
		p.showView("reference")
		p.wait("its text", `document.querySelector("#view-reference")?.innerText.includes("tl.load")`)
	}, ""},
	{"document", "A document whose cells ran, with the launches of the last one", "#/document", func(p *page) {
		p.wait("the outline", `document.querySelectorAll(".outline li").length === 4`)
		p.click(`document.querySelector("#run-all")`)
		p.wait("the cells", endedCells+" === 3")
		p.showView("result")
		p.click(`document.querySelector(".launch button")`)
		p.wait("its tensors", `document.querySelector(".launch .grid canvas")?.width > 50`)
	}, ""},
	{"ranking", "The configs of triton.autotune, in the order in which a model expects them, before any is timed", "#/document",
		func(p *page) {
			p.wait("the document page", `document.querySelector("#open-file")`)
			p.write(matmulDocument)
			p.wait("the choice", `document.querySelector("#rank")?.checked === false`)
			p.click(`document.querySelector("#rank")`)
			p.click(`document.querySelector("#run-all")`)
			p.wait("the table", `document.querySelector(".ranking tbody tr")`)
			p.wait("the cell", endedCells+" === 1")
			p.showView("result")
		}, ".ranking"},
	{"free", "The free page: a kernel of one's own, called with arguments of one's choice", "#/free", func(p *page) {
		p.wait("the examples", `document.querySelectorAll(".examples .chip").length === 3`)
		p.click(`document.querySelectorAll(".examples .chip")[1]`)
		p.wait("what it does", `document.querySelector(".memory-launch[aria-busy=false][data-outdated=false]")`)
	}, ""},
	{"author", "A puzzle made from a kernel", "#/free", func(p *page) {
		p.wait("the examples", `document.querySelectorAll(".examples .chip").length === 3`)
		p.click(`document.querySelectorAll(".examples .chip")[1]`)
		p.wait("the call of the example", `document.querySelector(".call select")?.value === "add"`)
		p.click(`document.querySelector("#make-puzzle")`)
		p.wait("the draft, which is sound", `document.querySelector(".author-sound")`)
	}, ""},
	{"palette", "Every action of the page, found by its name", "#/puzzle/2", answered(solution(2), func(p *page) {
		p.openPalette()
		p.wait("the actions", `document.querySelectorAll(".palette li").length > 2`)
	}), ""},
	{"tour", "A stop of the tour", "#/free", func(p *page) {
		p.openPalette()
		p.search("tour", "tour")
		p.enter()
		for _, stop := range tourStops[:3] {
			p.wait("the stop "+stop, tourAt(stop)+" && "+tourClear)
			if stop != "programs" {
				p.click(`document.querySelector(".tour-next")`)
			}
		}
	}, ""},
}

// viewWidths are those that pictures are of, with the heights.
var viewWidths = [][2]int64{{1440, 900}, {1024, 768}, {390, 844}}

const viewsFolder = "../views"

func pictureOf(v view, width int64) string { return fmt.Sprintf("%s-%d.webp", v.name, width) }

// viewsPage is the page of the docs that shows the views.
func viewsPage() string {
	var b strings.Builder
	b.WriteString("# What the page looks like\n\nEach view at 1440, 1024 and 390 pixels, as `go test ./frontend/e2e -run TestViews -args -retake` takes them.\n")
	for _, v := range views {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n", strings.ToUpper(v.name[:1])+v.name[1:], v.says)
		for _, size := range viewWidths {
			fmt.Fprintf(&b, "![%s, %d pixels wide](%s)\n", v.says, size[0], pictureOf(v, size[0]))
		}
	}
	return b.String()
}

// TestViews: the docs show every view at three widths, and nothing else.
func TestViews(t *testing.T) {
	t.Parallel()
	if *retake {
		for _, v := range views {
			t.Run(v.name, func(t *testing.T) { v.retake(t) })
		}
		if err := os.WriteFile(filepath.Join(viewsFolder, "README.md"), []byte(viewsPage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"README.md"}
	for _, v := range views {
		for _, size := range viewWidths {
			want = append(want, pictureOf(v, size[0]))
		}
	}
	slices.Sort(want)
	entries, err := os.ReadDir(viewsFolder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s has %q, want %q", viewsFolder, got, want)
	}
	if page, err := os.ReadFile(filepath.Join(viewsFolder, "README.md")); err != nil || string(page) != viewsPage() {
		t.Errorf("README.md is stale: retake the pictures (%v)", err)
	}
}

// retake takes a view's pictures.
func (v view) retake(t *testing.T) {
	p := open(t, "en", v.hash)
	p.choose(`{"lang":"en","theme":"light","split":[0.26,0.36]}`)
	v.reach(p)
	p.js(`document.activeElement.blur()`)
	quality := int64(60)
	for _, size := range viewWidths {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		p.wait("the width", fmt.Sprintf(`innerWidth === %d`, size[0]))
		if size[0] == 390 && eval[bool](p, `!document.querySelector("dialog[open]")`) {
			// the part of the page that has what the view scrolls to, or else the result
			pane := 2
			if v.at != "" {
				const paneOf = `["statement", "editing", "result"].findIndex((pane) => document.querySelector(%q).closest(".pane." + pane))`
				pane = eval[int](p, fmt.Sprintf(paneOf, v.at))
			}
			p.js(fmt.Sprintf(`document.querySelectorAll(".tabs button")[%d].click()`, pane))
		}
		if v.at != "" {
			p.js(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "nearest" })`, v.at))
		}
		p.wait("stillness", `document.fonts.status === "loaded" && document.getAnimations().every((a) => a.playState === "finished") && !document.querySelector(".findings[aria-busy=true]")`)
		p.capture(filepath.Join(viewsFolder, pictureOf(v, size[0])), cdppage.CaptureScreenshotParams{Format: cdppage.CaptureScreenshotFormatWebp, Quality: &quality})
	}
}
