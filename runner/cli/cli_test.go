package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/puzzles"
)

// newt runs a command line with no environment and returns what it printed and its status.
func newt(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	e := &Env{Stdout: &out, Stderr: &err, Getenv: func(string) string { return "" }}
	status = Main(e, args)
	return out.String(), err.String(), status
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "kernel.py")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

const addOne = `import triton
import triton.language as tl


@triton.jit
def add_one(x_ptr, n, B: tl.constexpr):
    offs = tl.program_id(0) * B + tl.arange(0, B)
    mask = offs < n
    tl.store(x_ptr + offs, tl.load(x_ptr + offs, mask=mask) + 1.0, mask=mask)
`

func TestCommandLines(t *testing.T) {
	good, bad := write(t, addOne), write(t, strings.Replace(addOne, "tl.arange", "tl.arrange", 1))
	solution, _ := os.ReadFile("../../puzzles/01_constant_add/solution.py")
	solved := write(t, string(solution))
	narrow := write(t, strings.Replace(string(solution), "x + 10.0", "x + 10.0, mask=i < 256", 1))
	computed := write(t, strings.Replace(addOne, "@triton.jit", "STEP = tl.constexpr(float(max(range(8))))\n\n@triton.jit", 1)+"    tl.store(x_ptr, STEP)\n")
	missing := write(t, strings.Replace(addOne, "@triton.jit", "STEP = nothing()\n\n@triton.jit", 1)+"    tl.store(x_ptr, STEP)\n")
	loop := write(t, strings.Replace(addOne, "    mask =", "    for i in range(n):\n        break\n    mask =", 1))
	ahead := write(t, strings.Replace(addOne, "    mask =", "    tl.inline_asm_elementwise('bar.sync 0;', '=r,r', [offs], tl.int32, False, 1)\n    tl.async_task([0])\n    mask =", 1))
	launched := write(t, strings.Replace(addOne, "    mask =", "    tl.async_task([0])\n    mask =", 1)+"\nadd_one[(1,)](None, 0, 8)\n")
	for _, c := range []struct {
		args   []string
		status int
		stdout string // a part of it
		stderr string
	}{
		{[]string{"--help"}, exitOK, "usage: newt COMMAND", ""},
		{[]string{"help", "puzzle"}, exitOK, "check N FILE", ""},
		{[]string{"puzzle", "--help"}, exitOK, "-json", ""},
		{[]string{"puzle"}, exitUsage, "", `did you mean "puzzle"?`},
		{[]string{"puzzle", "list"}, exitOK, " 9  ", ""},
		{[]string{"puzzle", "list", "--lang", "zh"}, exitOK, " 1  加上一个常数", ""},
		{[]string{"puzzle", "show", "1"}, exitOK, "def add_kernel", ""},
		{[]string{"puzzle", "show", "13"}, exitUsage, "", "newt puzzle list"},
		{[]string{"puzzle", "show"}, exitUsage, "", "usage: newt puzzle"},
		{[]string{"puzzle", "check", "1", "/nonexistent.py"}, exitUsage, "", "no such file"},
		{[]string{"puzzle", "check", "1", bad}, exitFail, "does not compile", ""},
		{[]string{"puzzle", "check", "1", solved}, exitOK, "Also right at 6 other sizes (B0 from 2 to 512).", ""},
		{[]string{"puzzle", "check", "1", narrow}, exitOK, "fails at N0 = 512, B0 = 512: no program writes `z[256:512]`, 256 of 512 elements", ""},
		{[]string{"puzzle", "check", "1", narrow, "--lang", "zh"}, exitOK, "能通过测试，但在 N0 = 512, B0 = 512 时不对", ""},
		{[]string{"puzzle", "check", "1", narrow, "--json"}, exitOK, "\"message\": \"It passes its tests, but fails at N0 = 512, B0 = 512: no program writes `z[256:512]`, 256 of 512 elements.\"", ""},
		{[]string{"check", good}, exitOK, "", ""},
		{[]string{"check", bad}, exitFail, "write `arange`", ""},
		{[]string{"check", "--lang", "zh", bad}, exitFail, "错误", ""},
		{[]string{"check", loop}, exitOK, "unsupported AST node type: Break", ""},
		{[]string{"check", loop, "--strict"}, exitFail, "unsupported AST node type: Break", ""},
		{[]string{"check", ahead}, exitOK, "warning[asm-barrier]", ""},
		{[]string{"check", launched}, exitFail, "error[not-in-newt]", ""},
		{[]string{"check", write(t, "print(__package__, __name__)\n")}, exitOK, "", ""},
		{[]string{"check", "--nonsense", good}, exitUsage, "", "nonsense"},
		{[]string{"compile", good, "--signature", "*fp32:16, i32, 32"}, exitOK, "func @add_one(", ""},
		{[]string{"compile", good, "--signature", "*fp32:16, i32, 32", "--emit", "passes"}, exitOK, "// lower: ", ""},
		{[]string{"compile", good, "--signature", "*fp32:16, i32, 33"}, exitFail, "", "power of 2"},
		{[]string{"compile", computed, "--signature", "*fp32:16, i32, 32"}, exitOK, "fp32(7)", ""},
		{[]string{"compile", missing, "--signature", "*fp32:16, i32, 32"}, exitFail, "", "name 'nothing' is not defined"},
		{[]string{"compile", good, "--signature", "*fp33"}, exitUsage, "", "*fp33"},
		{[]string{"compile", good, "--signature", "*fp32:16, i32, 32", "--emit", "ptx", "--device", "cpu"}, exitUsage, "", "cpu interprets kernels"},
		{[]string{"compile", good, "--signature", "*fp32:16, i32, 32", "--emit", "ptx", "--device", "tpu"}, exitUsage, "", "unknown device"},
		{[]string{"compile", good, "--emit", "llvm"}, exitUsage, "", "--emit must be ir, wire, passes, plan, placed, layouts, ptx or sass"},
		{[]string{"compile", good, "--signature", "*fp32:16, i32, 32", "--emit", "sass", "--ptxas", "/nowhere"}, exitUsage, "", "--ptxas: "},
		{[]string{"compile", good, "--kernel", "add_two", "--signature", "*fp32"}, exitFail, "", "add_two"},
		{[]string{"explain"}, exitOK, "plain-constexpr ", ""},
		{[]string{"explain", "--lang", "zh"}, exitOK, "需要 constexpr", ""},
		{[]string{"explain", "plain-constexpr"}, exitOK, "    size: tl.constexpr = BLOCK * 2", ""},
		{[]string{"explain", "plain-constexpr", "--lang", "zh"}, exitOK, "改正之后：", ""},
		{[]string{"explain", "plain-constexp"}, exitUsage, "", `did you mean "plain-constexpr"?`},
		{[]string{"version"}, exitOK, "newt ", ""},
		{[]string{"--version"}, exitOK, "newt ", ""},
		{[]string{"compile", good}, exitUsage, "", "--signature needs a type or a constant for each parameter of add_one: x_ptr, n, B"},
		{[]string{"version", "--json"}, exitOK, `"platform": "` + runtime.GOOS, ""},
		{[]string{"doctor", "--running", "--addr", "127.0.0.1:1"}, exitFail, "No newt answers", ""},
		{[]string{"doctor", "--running", "--addr", "127.0.0.1:1", "--lang", "zh"}, exitFail, "没有 newt", ""},
		{[]string{"doctor", "--addr", "nowhere"}, exitFail, "HOST:PORT", ""},
		{[]string{"doctor", "--addr", "nowhere", "--json"}, exitFail, `"healthy": false`, ""},
		{[]string{"doctor", "me"}, exitUsage, "", "usage: newt doctor"},
		{[]string{"serve", "--log", "xml"}, exitUsage, "", "newt serve: "},
		{[]string{"serve", "--addr", "nowhere"}, exitUsage, "", "newt serve: "},
		{[]string{"worker"}, exitUsage, "", "--nats is missing"},
		{[]string{"worker", "--nats", "nats://127.0.0.1:1", "--nats-credentials", "absent", "--device", "cpu"}, exitUsage, "", "absent"},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--nats", "nats://127.0.0.1:1"}, exitUsage, "", "cannot connect to NATS"},
		{[]string{"serve", "--addr", "127.0.0.1:0", "--nats", "embedded", "--data", "", "--nats-cert", "absent"}, exitUsage, "", "--data"},
		{[]string{"serve", "--trusted-proxies", "10.0.0.0/8,lab"}, exitUsage, "", `"lab" is neither a network`},
		{[]string{"worker", "--nats", "nats://127.0.0.1:1", "--device", "cpu", "--label", "lab"}, exitUsage, "", "lab=3"},
		{[]string{"credentials", "lab-1"}, exitUsage, "", "--nats-credentials is missing"},
		{[]string{"credentials", "lab.1", "--nats-credentials", "absent"}, exitUsage, "", "letters, digits"},
		{[]string{"token", "grant", "ada"}, exitUsage, "", "add NAME, list or revoke NAME"},
		{[]string{"token", "add", "ada"}, exitUsage, "", "--people is missing"},
		{[]string{"token", "list", "--people", "/nonexistent"}, exitUsage, "", "/nonexistent"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			stdout, stderr, status := newt(t, c.args...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, want %d\nstdout: %s\nstderr: %s", status, c.status, stdout, stderr)
			}
		})
	}
}

// A check that a signal ends tells no part of what it has found as its answer.
func TestCheckStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	e := &Env{Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	if status := check(ctx, e, checkCommand, []string{write(t, addOne)}); status != exitFail || out.Len() > 0 || !strings.Contains(errs.String(), "stopped") {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
}

// TestCompileWithModule compiles a kernel that uses a module of its own folder.
func TestCompileWithModule(t *testing.T) {
	dir := t.TempDir()
	kernel := "import helpers\n" + strings.Replace(addOne, "+ 1.0", "+ helpers.STEP", 1)
	for name, text := range map[string]string{"kernel.py": kernel, "helpers.py": "STEP = 7.0\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr, status := newt(t, "compile", filepath.Join(dir, "kernel.py"), "--signature", "*fp32:16, i32, 32", "--strict")
	if status != exitOK || !strings.Contains(stdout, "fp32(7)") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// A device says what to compile for.
func TestCompileForDevice(t *testing.T) {
	openers["simulator"] = func(_ context.Context, _ *Env, arch string, _ use) (device.Device, error) {
		return gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{Target: arch}), gpu.Options{}), nil
	}
	defer delete(openers, "simulator")
	stdout, stderr, status := newt(t, "compile", "../../puzzles/01_constant_add/solution.py", "--signature", "*fp32:16, *fp32:16, 32, 32",
		"--emit", "ptx", "--device", "simulator:sm_86")
	if status != exitOK || !strings.Contains(stdout, ".target sm_86\n") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// The acceptance of the command line: every solution passes, every starter fails.
func TestPuzzleCheckJSON(t *testing.T) {
	for _, p := range puzzles.All() {
		for _, c := range []struct {
			file   string
			pass   bool
			status int
		}{{"solution.py", true, exitOK}, {"starter.py", false, exitFail}} {
			t.Run(p.Slug+"/"+c.file, func(t *testing.T) {
				stdout, stderr, status := newt(t, "puzzle", "check", fmt.Sprint(p.Number), "../../puzzles/"+p.Slug+"/"+c.file, "--json")
				var got struct {
					Puzzle  int
					Pass    bool
					Message string
					Classic struct{ Pass bool }
					Strict  struct{ Pass bool }
				}
				if err := json.Unmarshal([]byte(stdout), &got); err != nil {
					t.Fatalf("%v\n%s%s", err, stdout, stderr)
				}
				if got.Puzzle != p.Number || got.Pass != c.pass || got.Classic.Pass != c.pass || got.Strict.Pass != c.pass || status != c.status || got.Message == "" {
					t.Errorf("status %d, %+v", status, got)
				}
			})
		}
	}
}

// TestEmitWire: the binary form holds the IR that --emit ir prints.
func TestEmitWire(t *testing.T) {
	args := []string{"compile", "../../puzzles/02_constant_add_block/solution.py", "--signature", "*fp32, *fp32, i32, 32", "--emit"}
	text, _, _ := newt(t, append(args, "ir")...)
	wire, stderr, status := newt(t, append(args, "wire")...)
	fn, err := ir.Decode([]byte(wire))
	if status != exitOK || stderr != "" || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, stderr)
	}
	if fn.String() != text {
		t.Errorf("decoded:\n%s\nprinted:\n%s", fn, text)
	}
}

// TestEmitSASS: machine code is printed after the lines of the source that it comes from.
func TestEmitSASS(t *testing.T) {
	args := []string{"compile", "../../puzzles/02_constant_add_block/solution.py", "--signature", "*fp32:16, *fp32:16, i32, 32",
		"--emit", "sass"}
	for _, tool := range []string{"ptxas", "nvdisasm"} {
		path := "../../.build/cuda/bin/" + tool
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		args = append(args, "--"+tool, path)
	}
	stdout, stderr, status := newt(t, args...)
	if status != exitOK || !strings.Contains(stdout, "LDG.") || !strings.Contains(stdout, ": x = tl.load(x_ptr + i, mask=mask)\n    /*") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// oneWorker has the interpreter run programs one after another, for a test of kernels that race: Go's race detector would
// take their race for one of newt.
func oneWorker(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}
