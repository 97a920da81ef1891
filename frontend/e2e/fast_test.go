package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
)

// TestLadder: the starter of a puzzle of the second course is right and reaches no level, an edit reaches the next one,
// and the solution the highest, which alone says what was learned and leads to Lens and on.
func TestLadder(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/2001")
	puzzle, _ := fast.Get(2001)
	p.wait("the puzzle", fmt.Sprintf(`document.title === %q && document.querySelector("h1")?.innerText === %q`,
		"F1 "+puzzle.Title.En+" · newt", puzzle.Title.En))
	const ladder = `document.querySelector("#ladder")`
	run := func(source, level, count string) {
		t.Helper()
		p.write(source)
		p.run()
		if !p.passed() {
			t.Fatal(p.text(".pane.result"))
		}
		p.wait(level, fmt.Sprintf(`%s?.innerText.includes(%q)`, ladder, level))
		p.wait("the count", fmt.Sprintf(`%s.querySelector("tbody td").innerText === %q`, ladder, count))
	}
	const learned = `document.querySelector("#view-result .learned")`
	run(puzzle.Text.Starter, "No level is reached yet", "8,192")
	p.wait("the next level", ladder+`.innerText.includes("Bronze takes at most 4,096 sectors of global memory; here it is 8,192.")`)
	p.wait("no solution yet", `!document.querySelector(".beside") && !`+learned+` && !document.querySelector(".pane.result .cta")`)
	run(puzzle.Text.Solutions[1].Source, "Level reached: silver", "2,048")
	p.wait("the way on", fmt.Sprintf(`document.querySelector('.pane.result .cta[href="#/puzzle/2002"]') && !%s`, learned))
	p.wait("the level, which later visits have", `JSON.parse(localStorage.getItem("newt:progress"))[2001] === "silver"`)
	run(puzzle.Text.Solutions[0].Source, "Level reached: gold", "1,024")
	p.wait("what was learned", learned)
	p.click(`document.querySelector(".menu summary")`)
	p.wait("the twelve", `document.querySelector(".menu-note").textContent === "0 of 12 solved" && document.querySelectorAll(".strip a").length === 12`)
	p.click(`document.querySelector("#menu-fast")`)
	p.wait("the mark", fmt.Sprintf(`document.querySelector('.map a[href="#/puzzle/2001"] .mark-solved') && document.querySelectorAll(".map a[href^='#/puzzle/20']").length === %d`, len(fast.All())))
	p.key(kb.Escape)
	timedBeside(t, p, puzzle)
	p.click(ladder + `.querySelector("button.link")`)
	p.wait("the lens of the launch", lensReady+` && `+lensLines+`.some((row) => row.includes("tl.load") && row.includes("|512, ideal"))`)
}

// stopwatch is a device that says of itself that it is a GPU, and whose clock shows what the test wants.
type stopwatch struct {
	device.Device
	shows   func(measurement int64) time.Duration
	count   atomic.Int64 // of measurements
	poisons atomic.Bool  // a launch was poisoned
}

func (d *stopwatch) Capabilities() device.Capabilities {
	c := d.Device.Capabilities()
	c.Name, c.Arch, c.Times = "Stopwatch", "sm_90a", true
	return c
}

func (d *stopwatch) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	kernel, err := d.Device.Load(fn, o)
	return stopwatchKernel{kernel, d}, err
}

type stopwatchKernel struct {
	device.Kernel
	on *stopwatch
}

func (k stopwatchKernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	if l.Poison {
		k.on.poisons.Store(true)
	}
	return k.Kernel.Launch(ctx, l)
}

func (k stopwatchKernel) Time(context.Context, device.Launch, device.TimingRequest) (*device.Timings, error) {
	one := k.on.shows(k.on.count.Add(1))
	return &device.Timings{Samples: []time.Duration{one, one, one}, Clock: "events"}, nil
}

// timedBeside times the solution on the page on a device of a runner, beside the reference, and then one that is right in
// all tests and wrong at the sizes that are timed.
func timedBeside(t *testing.T, p *page, puzzle *puzzles.Puzzle) {
	t.Helper()
	on := &stopwatch{Device: cpu.New(cpu.Options{}), shows: func(n int64) time.Duration {
		return [...]time.Duration{900, 900, 100, 180}[(n-1)%4] * time.Microsecond
	}}
	p.addRunner(newRunnerWith(t, testToken, on).address(), testToken)
	p.chooseDevice()
	const timing, button = `document.querySelector("#timing")`, `document.querySelector("#time-it")`
	p.click(button)
	p.wait("the place", timing+`.innerText.includes("It takes 1.8 × as long as the reference.")`)
	if got := p.text("#timing"); !strings.Contains(got, "N0 = 1,048,576") || !strings.Contains(got, "180.0 µs") {
		t.Errorf("%s", got)
	}
	p.js(timing + `.scrollIntoView({ block: "center" })`)
	p.js(axeSource(t))
	p.audit("ladder-timed")
	p.picture("ladder-timed")
	p.write(strings.Replace(puzzle.Text.Solutions[0].Source, "< N0", "< tl.minimum(N0, 5000)", 1))
	p.run()
	p.wait("another answer", button+`?.innerText === "Time it on Stopwatch" && !`+timing+`.innerText.includes("1.8")`)
	p.click(button)
	p.wait("no place", timing+`.innerText.includes("leave different values")`)
	if n := on.count.Load(); n != 8 || on.poisons.Load() {
		t.Errorf("%d measurements, poisoned: %v", n, on.poisons.Load())
	}
	p.write(puzzle.Text.Solutions[0].Source)
	p.run()
}
