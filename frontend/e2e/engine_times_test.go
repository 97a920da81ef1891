package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/puzzles"
)

// TestTutorialTimes measures documents like Triton's tutorials, without their benchmarks: how long it takes from Run to the
// last output, the memory of the program that ran it, and the page's tasks of more than 50 ms.
//
//	go test ./frontend/e2e -run TestTutorialTimes -v -timings 3
func TestTutorialTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	files, err := filepath.Glob("testdata/tutorials/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no tutorials:", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var took []duration
			var megabytes []float64
			var tasks []int
			for range *timings {
				p := open(t, "en", "#/document")
				took = append(took, p.timeDocument(file))
				megabytes = append(megabytes, p.programMemory())
				tasks = append(tasks, eval[[]int](p, `probe.longTasks`)...)
			}
			t.Logf("%v, %.0f MB, tasks of %v ms", took, megabytes, tasks)
		})
	}
}

// TestKernelTimes measures launches by triton.testing.do_bench in a document.
//
//	go test ./frontend/e2e -run TestKernelTimes -v -timings 3
func TestKernelTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	for range *timings {
		p := open(t, "en", "#/document")
		p.timeDocument("testdata/kernels.py")
		t.Log("\n", eval[string](p, cellOutputs+`[0]`))
	}
}

// duration is how long something took, and how much of the processors' time the browser's tabs did meanwhile: that depends
// less on what else runs.
type duration struct{ seconds, processor float64 }

func (d duration) String() string { return fmt.Sprintf("%.2f s (%.2f)", d.seconds, d.processor) }

// timeDocument opens a script that prints "end" at its end, runs it, and tells how long it takes until that is shown.
func (p *page) timeDocument(file string) duration {
	p.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		p.Fatal(err)
	}
	p.openFile(filepath.Base(file), string(text))
	p.choose(`{"lang":"en","sanitize":false}`)
	p.wait("the program", `!document.querySelector("#loading")`)
	p.js(`probe.watchLongTasks()`)
	took := p.time(`document.querySelector("#run-all, .bar .run").click()`, cellOutputs+`.some((o) => /^end$/m.test(o)) || `+endedCells+` > 0`)
	if out := strings.Join(eval[[]string](p, cellOutputs), "\n"); !regexp.MustCompile(`(?m)^\s*end$`).MatchString(out) {
		p.Fatalf("%s ends with %s", file, out)
	}
	return took
}

// time tells how long it takes from what a statement does in the page until a condition holds there.
func (p *page) time(act, condition string) duration {
	p.Helper()
	before := p.processorTime()
	p.js(probe("time", script(act), script(condition)))
	p.wait("the end", `probe.took`)
	return duration{eval[float64](p, `probe.took`) / 1000, p.processorTime() - before}
}

// processorTime is how many seconds of the processors' time the browser's tabs have taken.
func (p *page) processorTime() (sum float64) {
	p.Helper()
	all, err := cdp.Call(p.ctx, chromedp.FromContext(p.ctx).Browser, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		p.Fatal(err)
	}
	for _, process := range all.ProcessInfo {
		if process.Type == "renderer" {
			sum += process.CPUTime
		}
	}
	return sum
}

// TestFindingsTimes measures how long each puzzle's answer waits for what the sanitizers find, after the page has loaded
// and after an edit.
//
//	go test ./frontend/e2e -run TestFindingsTimes -v -timings 3
func TestFindingsTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	for _, puzzle := range puzzles.All() {
		t.Run(fmt.Sprint(puzzle.Number), func(t *testing.T) {
			p := open(t, "en", fmt.Sprintf("#/puzzle/%d", puzzle.Number))
			p.pictured(puzzle.Text.Solutions[0].Source)
			var opened []float64
			var edited []duration
			for range *timings {
				p.reload()
				p.wait("the findings", findingsCount)
				opened = append(opened, eval[float64](p, `performance.now()`)/1000)
				p.js(editor + `.focus()`)
				p.key(kb.End, chromedp.ModifierCtrl)
				edited = append(edited, p.time(`document.execCommand("insertText", false, " ")`,
					`document.querySelector(".memory-launch[data-outdated=false]") && `+findingsCount))
			}
			t.Logf("%.2f s after the page has loaded, %v after an edit", opened, edited)
		})
	}
}

// TestLensTimes measures the lens of a product of 512 × 512 matrices.
//
//	go test ./frontend/e2e -run TestLensTimes -v -timings 3
func TestLensTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	p := open(t, "en", "#/document")
	p.timeDocument("testdata/tutorials/03_matmul.py")
	var took []duration
	for range *timings {
		p.showView("lens")
		p.wait("the lens", lensReady)
		p.showView("memory")
		p.js(editor + `.focus()`)
		p.key(kb.End, chromedp.ModifierCtrl)
		p.timeDocument("testdata/tutorials/03_matmul.py")
		took = append(took, p.time(`document.querySelector("#tab-lens").click()`, lensReady))
	}
	t.Log(took)
}

// programMemory is the largest of the WASM memories of the tab's workers, in MB, once the last launch is shown. It never shrinks.
func (p *page) programMemory() float64 {
	p.Helper()
	p.wait("the last launch", `document.querySelector(".memory-launch[aria-busy=false]")`) // a worker that computes does not answer
	most := 0.0
	for _, worker := range p.workers() {
		bytes, err := chromedp.Run(worker, func(ctx context.Context, t *chromedp.Target) (float64, error) {
			prototype, err := cdp.Call(ctx, t, cdpruntime.Evaluate, cdpruntime.EvaluateParams{Expression: "WebAssembly.Memory.prototype"})
			if err != nil {
				return 0, err
			}
			memories, err := cdp.Call(ctx, t, cdpruntime.QueryObjects, cdpruntime.QueryObjectsParams{PrototypeObjectID: prototype.Result.ObjectID})
			if err != nil {
				return 0, err
			}
			sum, err := cdp.Call(ctx, t, cdpruntime.CallFunctionOn, cdpruntime.CallFunctionOnParams{
				FunctionDeclaration: "function () { return this.reduce((sum, m) => sum + m.buffer.byteLength, 0) }",
				ObjectID:            memories.Objects.ObjectID, ReturnByValue: new(true),
			})
			if err != nil {
				return 0, err
			}
			var n float64
			_, err = fmt.Sscan(string(sum.Result.Value), &n)
			return n, err
		})
		if err != nil {
			p.Fatal(err)
		}
		most = max(most, bytes/1e6)
	}
	return most
}

// workers are contexts of the tab's workers.
func (p *page) workers() (list []context.Context) {
	p.Helper()
	c := chromedp.FromContext(p.ctx)
	all, err := cdp.Call(p.ctx, c.Browser, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		p.Fatal(err)
	}
	for _, info := range all.TargetInfos {
		if info.Type == "worker" && info.BrowserContextID == c.BrowserContextID {
			ctx, done := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel())
			p.Cleanup(done)
			list = append(list, ctx)
		}
	}
	return list
}

// endless are what comes before, and what then spends a long time in one operation.
var endless = map[string][2]string{
	"loop":     {"", "while True: pass"},
	"matmul":   {"a = torch.randn(3000, 3000)", "while True: a @ a"},
	"bmm fp16": {"a = torch.randn(64, 512, 512).half()", "while True: torch.bmm(a, a)"},
	"sort":     {"a = torch.randn(8_000_000)", "while True: a.sort()"},
	"randn":    {"", "while True: torch.randn(16_000_000)"},
	"exp":      {"a = torch.randn(16_000_000)", "while True: torch.exp(a)"},
	"cumsum":   {"a = torch.randn(16_000_000)", "while True: a.cumsum(0)"},
	"softmax":  {"a = torch.randn(4000, 4000)", "while True: torch.softmax(a, dim=0)"},
	"conv2d":   {"a, w = torch.randn(4, 32, 64, 64), torch.randn(64, 32, 3, 3)", "while True: torch.nn.functional.conv2d(a, w)"},
	"unique":   {"a = torch.randint(0, 1000000, (8_000_000,))", "while True: a.unique()"},
	"index":    {"a, i = torch.randn(16_000_000), torch.randint(0, 16_000_000, (16_000_000,))", "while True: a[i]"},
	"copy":     {"a = torch.randn(4000, 4000)", "while True: a.T.contiguous()"},
	"tolist":   {"a = torch.randn(4_000_000)", "while True: a.tolist()"},
	"re":       {"import re", "re.match('(a+)+$', 'a' * 40 + 'b')"},
	"re.sub":   {"import re; text = 'abc ' * 500_000", "while True: re.sub('b', 'xx', text)"},
	"json":     {"import json; x = list(range(300_000))", "while True: json.loads(json.dumps(x))"},
	"power":    {"", "while True: 3 ** 40_000"},
	"str int":  {"x = 3 ** 9000", "while True: str(x)"},
	"sum":      {"", "sum(range(10 ** 10))"},
	"sorted":   {"import random; x = [random.random() for _ in range(500_000)]", "while True: sorted(x)"},
	"join":     {"", "while True: ','.join(['abc'] * 900_000)"},
	"launch": {"x = torch.zeros(1 << 24, device=\"cuda\")\n@triton.jit\ndef f(p, B: tl.constexpr):\n    i = tl.program_id(0) * B + tl.arange(0, B)\n" +
		"    v = tl.load(p + i)\n    for _ in range(100000): v = tl.sin(v)\n    tl.store(p + i, v)", "f[(1 << 14,)](x, B=1024)"},
}

// TestStopTimes measures how long Stop takes in the middle of an operation.
//
//	go test ./frontend/e2e -run TestStopTimes -v -timings 3
func TestStopTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	p := open(t, "en", "#/document")
	for _, name := range slices.Sorted(maps.Keys(endless)) {
		var times []float64
		for i := range *timings {
			begins := fmt.Sprintf("%s begins, %d", name, i)
			p.write(fmt.Sprintf("import torch, triton\nimport triton.language as tl\n%s\nprint(%q)\n%s", endless[name][0], begins, endless[name][1]))
			p.key(kb.Enter, chromedp.ModifierCtrl)
			p.output(0, begins)
			time.Sleep(time.Second) // an operation is to be stopped in its middle
			if eval[bool](p, `!document.querySelector(".bar .run.stop")`) {
				t.Errorf("%s: ends with %s", name, eval[[]string](p, cellOutputs))
				break
			}
			times = append(times, eval[float64](p, `probe.stopTime()`))
		}
		t.Logf("%-10s %.0f ms", name, times)
	}
}

// TestNotebookTimes measures how long a notebook of 1.6 MB takes to open, and the tasks of the page in which nothing else
// happens.
//
//	go test ./frontend/e2e -run TestNotebookTimes -v -timings 3
func TestNotebookTimes(t *testing.T) {
	if *timings == 0 {
		t.Skip("not asked for")
	}
	for range *timings {
		p := open(t, "en", "#/document")
		p.wait("the place for files", `document.querySelector("#open-file input")`)
		p.wait("the program", `!document.querySelector("#loading")`)
		p.js(`probe.watchLongTasks()`)
		took := p.time(`probe.openNotebook(160, 110)`, `document.querySelectorAll(".outline li").length === 160`)
		p.wait("the text cells", textCells+`.length > 0`)
		t.Log(took, eval[[]int](p, `probe.longTasks`))
	}
}
