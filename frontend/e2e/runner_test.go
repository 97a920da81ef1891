package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/share/link"
)

// runnerVariable names a variable with the address of a runner that the tests use instead of one of
// their own, such as ws://gpu:8080; tokenVariable one with its token. It must have been started
// with --origin http://127.0.0.1:PORT, or take pages of any origin.
const (
	runnerVariable = "NEWT_E2E_RUNNER"
	tokenVariable  = "NEWT_E2E_TOKEN"
)

const testToken = "correct-horse-battery"

// testRunner is a runner with the CPU for a device, which connections can be cut off from.
type testRunner struct {
	*httptest.Server
	*endpoint.Runner
	joined chan struct{} // has a value for each connection that was made
	mutex  sync.Mutex
	cut    bool
	open   map[net.Conn]bool
}

// newRunner starts a runner that takes pages of the tests' site.
func newRunner(t *testing.T, token string) *testRunner {
	t.Helper()
	return newRunnerWith(t, token, cpu.New(cpu.Options{}))
}

// newRunnerWith serves one device.
func newRunnerWith(t *testing.T, token string, d device.Device) *testRunner {
	t.Helper()
	return newRunnerOf(t, token, endpoint.Options{Devices: []sched.Device{{ID: "cpu", Device: d}}})
}

// newRunnerOf serves what the options say, to pages of further sites as well.
func newRunnerOf(t *testing.T, token string, o endpoint.Options, sites ...string) *testRunner {
	t.Helper()
	o.Limits, o.Access = patientLimits(), endpoint.Access{Token: token, Origins: append(sites, origin)}
	r := &testRunner{Runner: endpoint.New(o)}
	r.open, r.joined = map[net.Conn]bool{}, make(chan struct{}, 100)
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mutex.Lock()
		cut := r.cut
		r.mutex.Unlock()
		if cut || q.URL.Path != protocol.Path {
			http.Error(w, "gone", http.StatusBadGateway)
			return
		}
		r.Runner.ServeHTTP(w, q)
	}))
	r.Config.ConnState = func(c net.Conn, state http.ConnState) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if state == http.StateHijacked {
			r.open[c] = true
			r.joined <- struct{}{}
		}
	}
	r.Start()
	t.Cleanup(func() {
		r.Shutdown(0)
		r.drop()
		r.Close()
	})
	return r
}

// patientLimits are a runner's, with times that a busy machine keeps.
func patientLimits() protocol.Limits {
	l := protocol.DefaultLimits()
	for _, ms := range []*int{&l.HandshakeTimeoutMS, &l.UploadIdleTimeoutMS, &l.DefaultJobMS, &l.DisconnectGraceMS, &l.WriteMS, &l.PingMS} {
		*ms = int((*patience).Milliseconds())
	}
	return l
}

func (r *testRunner) address() string { return "ws" + strings.TrimPrefix(r.URL, "http") }

// lose cuts the runner off; found lets it be reached again.
func (r *testRunner) lose(lost bool) {
	r.mutex.Lock()
	r.cut = lost
	r.mutex.Unlock()
}

// addRunner adds a runner in the dialog and chooses its first device.
func (p *page) addRunner(address, token string) {
	p.Helper()
	p.openDevices()
	p.js(`document.querySelector("#add-runner [name=address]").focus()`)
	p.insert(address)
	p.js(`document.querySelector("#add-runner [name=token]").focus()`)
	p.insert(token)
	p.key(kb.Enter)
}

func (p *page) openDevices() {
	p.Helper()
	p.click(`document.querySelector("#device")`)
	p.wait("the dialog", `document.querySelector(".device-dialog")?.open && document.querySelector("#add-runner")`)
}

// withDevice opens a page whose chosen device is the first of a runner of the test's own, or of the
// one that the environment names.
func withDevice(t *testing.T, lang, hash string) *page {
	t.Helper()
	address, token := os.Getenv(runnerVariable), os.Getenv(tokenVariable)
	if address == "" {
		address, token = newRunner(t, testToken).address(), testToken
	}
	p := open(t, lang, hash)
	p.addRunner(address, token)
	p.chooseDevice()
	return p
}

// chooseDevice chooses the first device of the runner that was added, and closes the dialog.
func (p *page) chooseDevice() {
	p.Helper()
	device := `document.querySelector("[data-runner]:not([data-runner=own]) input[name=device]")`
	p.click(device)
	p.wait("its choice", device+`.checked`)
	p.key(kb.Escape)
	p.wait("the button", `!document.querySelector("dialog:modal") && document.querySelector("#run-device")`)
}

// runThere runs on the chosen device by its keys.
func (p *page) runThere() {
	p.Helper()
	p.js(`window.outcomeBefore = document.querySelector("#verdict")`)
	p.key(kb.Enter, chromedp.ModifierCtrl|chromedp.ModifierShift)
	p.wait("the outcome", `document.querySelector("#loss") || document.querySelector(".on-device-outcome") && document.querySelector("#verdict") && document.querySelector("#verdict") !== window.outcomeBefore`)
}

// TestSolveAllOnDevice runs every puzzle's first solution on a runner's device, and looks at the
// verdict and at the comparison with the page's own run.
func TestSolveAllOnDevice(t *testing.T) {
	soak.Only(t, "TestSolveAll solves them in the page, and TestDeviceDiagnostics runs on a device")
	t.Parallel()
	p := withDevice(t, "en", "#/puzzle/1")
	remote := os.Getenv(runnerVariable) != ""
	all := slices.Clone(puzzles.All())
	slices.Reverse(all) // the last ones have products
	for _, puzzle := range someOf(all) {
		p.show(puzzle, "en")
		p.write(puzzle.Text.Solutions[0].Source)
		p.runThere()
		if !p.passed() {
			t.Errorf("puzzle %d: %s", puzzle.Number, p.text(".pane.result"))
			continue
		}
		if different := eval[string](p, `document.querySelector("#compared")?.dataset.different ?? "none"`); different != "0" && !remote {
			t.Errorf("puzzle %d: %s elements differ between the CPU there and here", puzzle.Number, different)
		}
		if got := p.text("#timings figcaption"); !strings.Contains(got, "Median") {
			t.Errorf("puzzle %d: times %q", puzzle.Number, got)
		}
		multiplies := strings.Contains(puzzle.Text.Solutions[0].Source, "tl.dot(")
		if rates := strings.Contains(p.text("#timings table"), "TFLOP/s"); rates != multiplies {
			t.Errorf("puzzle %d: products have a rate: %v, there are some: %v", puzzle.Number, rates, multiplies)
		}
	}
}

// TestDeviceDiagnostics: what a device finds and prints is shown where the page's own findings are.
func TestDeviceDiagnostics(t *testing.T) {
	t.Parallel()
	p := withDevice(t, "en", "#/puzzle/1")
	puzzle, _ := puzzles.Get(1)
	source := strings.Replace(puzzle.Text.Solutions[0].Source, "tl.store(", "tl.device_print(\"seen\", tl.program_id(0))\n    tl.store(1000 + ", 1)
	p.write(source)
	p.run()
	words := p.text(".problems")
	prints := p.text(".prints")
	p.runThere()
	if got := p.text(".problems"); got != words || words == "" {
		t.Errorf("the device's problems are %q, the page's %q", got, words)
	}
	if got := p.text(".prints"); got != prints || prints == "" {
		t.Errorf("the device prints %q, the page %q", got, prints)
	}
	if got := p.source(); got != strings.TrimRight(source, "\n") {
		t.Errorf("the text became %q", got)
	}
}

// TestWrongToken: the runner's own words, a way to give the right one, and nothing in links.
func TestWrongToken(t *testing.T) {
	t.Parallel()
	for _, c := range soak.Variants([2]string{"zh", "不接受这个令牌"}, [2]string{"en", "does not accept this token"}) {
		lang, words := c[0], c[1]
		r := newRunner(t, testToken)
		p := open(t, lang, "#/puzzle/1")
		p.addRunner(r.address(), "not-the-right-token")
		p.wait("the refusal", fmt.Sprintf(`document.querySelector(".runner .fault")?.innerText.includes(%q)`, words))
		p.js(`document.querySelector(".runner [name=token]").focus()`)
		p.insert(testToken)
		p.key(kb.Enter)
		p.chooseDevice()
		p.runThere()
		if eval[bool](p, `!!document.querySelector("#loss")`) {
			t.Errorf("with the right token: %s", p.text("#loss"))
		}
		p.reload()
		p.runThere()
		if eval[bool](p, `!!document.querySelector("#loss")`) {
			t.Errorf("after a reload: %s", p.text("#loss"))
		}
		if eval[bool](p, fmt.Sprintf(`location.href.includes(%q)`, testToken)) {
			t.Error("the token is in the address")
		}
	}
}

// TestNoRunner: addresses that cannot be, and one where nobody answers.
func TestNoRunner(t *testing.T) {
	t.Parallel()
	p := open(t, "en", "#/puzzle/1")
	p.expect("WebSocket connection")
	p.openDevices()
	for _, address := range []string{"", "ftp://lab", "ws://user:secret@lab", "ws://lab:99999999"} {
		p.js(`const f = document.querySelector("#add-runner [name=address]"); f.value = ""; f.focus()`)
		if address != "" {
			p.insert(address)
		}
		p.js(`document.querySelector("#add-runner").requestSubmit()`)
		p.wait("the problem of "+address, `document.querySelector("#add-runner .fault")`)
	}
	p.key(kb.Escape)
	p.wait("no dialog", `!document.querySelector("dialog:modal")`)
	p.addRunner("ws://127.0.0.1:9", "")
	p.wait("the problem", `document.querySelector(".runner .fault")?.innerText.includes("does not answer")`)
}

// held is a device whose launches begin when the test lets them go. It cannot suspend a launch, as a GPU cannot.
type held struct {
	device.Device
	begun chan struct{} // has a value for each launch that has come here
	letGo chan struct{} // launches begin once it is closed
}

func newHeld() held {
	return held{cpu.New(cpu.Options{}), make(chan struct{}, 100), make(chan struct{})}
}

func (d held) Capabilities() device.Capabilities {
	c := d.Device.Capabilities()
	c.Suspends, c.Times = false, false
	return c
}

func (d held) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	kernel, err := d.Device.Load(fn, o)
	return heldKernel{kernel, d}, err
}

type heldKernel struct {
	device.Kernel
	held
}

func (k heldKernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	k.begun <- struct{}{}
	select {
	case <-k.letGo:
	case <-ctx.Done():
	}
	return k.Kernel.Launch(ctx, l)
}

// withHeld opens a page with puzzle 1's solution, whose chosen device holds launches.
func withHeld(t *testing.T) (p *page, r *testRunner, d held) {
	t.Helper()
	d = newHeld()
	r = newRunnerWith(t, testToken, d)
	return solving(t, r), r, d
}

// solving opens a page with puzzle 1's solution and chooses a runner's device.
func solving(t *testing.T, r *testRunner) *page {
	t.Helper()
	p := open(t, "en", "#/puzzle/1")
	p.addRunner(r.address(), testToken)
	p.chooseDevice()
	puzzle, _ := puzzles.Get(1)
	p.write(puzzle.Text.Solutions[0].Source)
	return p
}

// arrives waits for something that the page causes at a runner.
func arrives(t *testing.T, what string, signal <-chan struct{}) {
	t.Helper()
	select {
	case <-signal:
	case <-time.After(*patience):
		t.Fatalf("waited in vain for %s", what)
	}
}

// startThere asks for a run on the chosen device by its keys.
func (p *page) startThere() {
	p.Helper()
	p.key(kb.Enter, chromedp.ModifierCtrl|chromedp.ModifierShift)
}

// triesLong has a page that is connecting again give up at the next try, a minute later by its clock.
func (p *page) triesLong() {
	p.Helper()
	p.js(`const now = performance.now.bind(performance); performance.now = () => now() + 60_000`)
}

// TestRunnerGone: the runner goes while a job runs. The page tries for a while, and gives up in words;
// the text is untouched, and the page's own run works.
func TestRunnerGone(t *testing.T) {
	t.Parallel()
	p, r, d := withHeld(t)
	p.expect("WebSocket connection")
	text := p.source()
	p.startThere()
	arrives(t, "a job that runs", d.begun)
	r.lose(true)
	r.drop()
	p.wait("reconnecting", `document.querySelector("[data-stage=lost]")`)
	p.triesLong()
	p.wait("the loss", `document.querySelector("#loss")?.innerText.includes("could not be made again")`)
	if got := p.source(); got != text {
		t.Errorf("the text became %q", got)
	}
	if n := eval[int](p, `document.querySelectorAll(".pane.result .problem").length`); n > 0 {
		t.Errorf("beside the loss %d problems say the same", n)
	}
	p.run()
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
}

// TestDocumentLosesRunner: of a document's launch, too, the loss is said once beside the code: why, and what to do.
func TestDocumentLosesRunner(t *testing.T) {
	soak.Only(t, "TestDeviceScriptMissing and the tests of frontend/test have the loss of a runner")
	t.Parallel()
	p, r, d := withHeld(t)
	p.expect("WebSocket connection")
	p.js(`location.hash = "#/document"`)
	p.wait("the document", `document.querySelector("#run-all")`)
	p.write("import torch, triton, triton.language as tl\n\n@triton.jit\ndef one(x):\n    tl.store(x, 1.0)\n\n" +
		"one[(1,)](torch.zeros(1, device=\"cuda\"))")
	p.startThere()
	arrives(t, "a job that runs", d.begun)
	r.lose(true)
	r.drop()
	p.wait("reconnecting", `document.querySelector("[data-stage=lost]")`)
	p.triesLong()
	p.wait("the loss", `document.querySelector("#loss")?.innerText.includes("could not be made again")`)
	if n := eval[int](p, `document.querySelectorAll(".pane.result .problem").length`); n > 0 {
		t.Errorf("beside the loss %d problems say the same", n)
	}
}

// TestResume: a connection that is lost while a job runs is made again, and its result comes.
func TestResume(t *testing.T) {
	t.Parallel()
	p, r, d := withHeld(t)
	arrives(t, "the page", r.joined)
	p.startThere()
	arrives(t, "a job that runs", d.begun)
	r.drop()
	arrives(t, "the page again", r.joined)
	close(d.letGo)
	p.wait("its result", `document.querySelector(".on-device-outcome") && document.querySelector("#verdict")`)
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
	if launches := len(d.begun); launches == 0 {
		t.Error("no launch followed the first")
	}
}

// TestCancel: Stop ends a job on the device, and the next one runs.
func TestCancel(t *testing.T) {
	t.Parallel()
	p, _, d := withHeld(t)
	p.startThere()
	arrives(t, "a job that runs", d.begun)
	p.click(`document.querySelector(".run.stop")`)
	p.wait("it stopped", `document.querySelector(".fault")?.innerText.includes("Stopped")`)
	close(d.letGo)
	p.runThere()
	if !p.passed() {
		t.Error(p.text(".pane.result"))
	}
}

// TestQueue: a job that waits for another page's says how many are before it.
func TestQueue(t *testing.T) {
	t.Parallel()
	first, r, d := withHeld(t)
	second := solving(t, r)
	first.startThere()
	arrives(t, "a job that runs", d.begun)
	second.startThere()
	second.wait("its place in the queue", `document.querySelector("[data-stage=queued]")`)
	first.click(`document.querySelector(".run.stop")`)
	close(d.letGo)
	second.wait("its outcome", `document.querySelector(".on-device-outcome")`)
}

// drop breaks all connections, as a network does.
func (r *testRunner) drop() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for c := range r.open {
		c.Close()
		delete(r.open, c)
	}
}

// TestLargeTensors runs on three matrices of 2048 by 2048 (48 MiB) on a device, in the soak of 4096 by 4096. The kernel multiplies only 16 columns
// by 16 rows: all of a product's 1.4e11 operations take the tests' device, a CPU, minutes.
func TestLargeTensors(t *testing.T) {
	soak.Only(t, "runner/endpoint and runner/client move large tensors")
	t.Parallel()
	const source = `import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, N: tl.constexpr, K: tl.constexpr, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    cols = tl.program_id(1) * B + tl.arange(0, B)
    k = tl.arange(0, K)
    a = tl.load(a_ptr + rows[:, None] * N + k[None, :])
    b = tl.load(b_ptr + k[:, None] * N + cols[None, :])
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], tl.dot(a, b))
`
	side := 2048
	if soak.On() {
		side = 4096
	}
	matrix := func(name, fill string) link.FreeArg {
		return link.FreeArg{Name: name, Kind: "tensor", DType: "float32", Shape: fmt.Sprintf("%d, %[1]d", side), Fill: fill}
	}
	number := func(name, value string) link.FreeArg {
		return link.FreeArg{Name: name, Kind: "constexpr", Value: value}
	}
	call := &link.Free{
		Kernel: "matmul", Grid: fmt.Sprintf("(%d, %[1]d)", side/128),
		Args: []link.FreeArg{matrix("a_ptr", "rand"), matrix("b_ptr", "ones"), matrix("c_ptr", "zeros"), number("N", strconv.Itoa(side)), number("K", "16"), number("B", "128")},
	}
	p := withDevice(t, "en", "#/free")
	p.js(`location.hash = "#l=` + payload(t, link.State{Source: source, Free: call}) + `"`)
	p.wait("the form", `location.hash === "#/free" && `+editor+`.textContent.includes("def matmul")`)
	p.js(`window.outcomeBefore = document.querySelector("#verdict")`)
	p.key(kb.Enter, chromedp.ModifierCtrl|chromedp.ModifierShift)
	p.wait("the outcome", `document.querySelector("#loss") || document.querySelector(".on-device-outcome") && document.querySelector("#verdict") && document.querySelector("#verdict") !== window.outcomeBefore`)
	if got := p.text(".pane.result"); !p.passed() {
		t.Fatal(got)
	}
	if different := eval[string](p, `document.querySelector("#compared")?.dataset.different ?? "none"`); different != "0" && os.Getenv(runnerVariable) == "" {
		t.Errorf("%s elements differ between the CPU there and here", different)
	}
	t.Logf("%s; %.1f s after the page was opened", p.text("#compared"), eval[float64](p, "performance.now()")/1000)
}

// TestDeviceScriptMissing: what talks to runners cannot be fetched. The run ends and says so, of a puzzle and of a document.
func TestDeviceScriptMissing(t *testing.T) {
	t.Parallel()
	site, _ := missing(t, "/assets/run-")
	p := openAt(t, site, "en", "#/puzzle/1")
	p.expect("Failed to load resource")
	r := newRunnerOf(t, testToken, endpoint.Options{Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}}, site)
	p.addRunner(r.address(), testToken)
	p.chooseDevice()
	const lost = `document.querySelector("#loss")?.innerText.includes("could not be loaded")`
	p.startThere()
	p.wait("word of the loss", lost)
	p.run()
	p.visit("#/document")
	p.write("print('here')")
	p.startThere()
	p.wait("word of the loss", lost)
}
