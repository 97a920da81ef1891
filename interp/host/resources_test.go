package host

import (
	"io/fs"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/source"
)

// TestGarbage: what a script has made and dropped does not count, nor stay. The texts and the lists are more in all than
// the limit.
func TestGarbage(t *testing.T) {
	for _, c := range []struct{ name, text, output string }{
		{"texts", "s = ''\nfor i in range(2000): s += 'abcdefgh' * 5\nprint(len(s))", "80000\n"},
		{"lists", "for i in range(100): x = [0] * 2**18\nprint(len(x))", "262144\n"},
		{"a limit leaves room", "try: [0] * 2**27\nexcept MemoryError as e: print(str(e)[:10])\nprint(len(str(list(range(9)))))", "over a lim\n27\n"},
		{"a limit ends a sweep", sweepToALimit, "zeros:\n     N  A ()  B ()\n0  8.0   8.0   8.0\n"},
		{"sets", "s = set()\nfor i in range(3000): s.update([i]); s |= {i}\nprint(len(s))", "3000\n"},
		{"indexing", "u = 'é' * 20000\nn = 0\nfor i in range(len(u)): n += u[i] == 'é' and len(u) > 0\nprint(n, u[-2:], u[::9999])", "20000 éé ééé\n"},
		{"device memory", `import torch
x = torch.zeros(1 << 18, device='cuda')
for i in range(5): y = x + i
torch.cuda.empty_cache(); torch.cuda.reset_peak_memory_stats()
print(torch.cuda.memory_allocated() / 2**20, torch.cuda.max_memory_allocated() / 2**20)
for i in range(5): y = x + i
print(torch.cuda.max_memory_allocated() / 2**20)
del y
print(torch.cuda.memory_allocated() / 2**20)`, "2.0 2.0\n3.0\n1.0\n"},
		{"graphs", `import torch
w = torch.zeros(1 << 18, requires_grad=True)
losses = []
for i in range(8):
    h = (w * 2.0).exp().sin() + w
    loss = (torch.cat([h * h, w])[:1 << 18] + w).mean()
    loss.backward()
    losses.append(loss)
del h
print(torch.cuda.memory_allocated() < 4 << 20, len(losses))`, "True 8\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, diags := run(c.text, withLibraries(Options{MaxItems: 1 << 24})); got != c.output || diags.HasErrors() {
				t.Errorf("prints %q, want %q: %s", got, c.output, words(diags))
			}
		})
	}
}

// sized are files that are too large to be read.
type sized map[string]int64

func (s sized) ReadFile(name string) ([]byte, error) {
	if s[name] > 0 {
		return nil, fs.ErrInvalid
	}
	return nil, fs.ErrNotExist
}

func (s sized) FileSize(name string) (int64, error) {
	if s[name] > 0 {
		return s[name], nil
	}
	return 0, fs.ErrNotExist
}

// TestFileSizes: what there is in a folder is learned without reading it.
func TestFileSizes(t *testing.T) {
	const text = `import os.path as p, pathlib
print(p.exists("a"), p.isfile("a"), p.isdir("a"), p.getsize("a"), p.exists("b"), pathlib.Path("a").is_file())
with open("a", "w") as f: f.write("xy")
print(p.getsize("a"))
import a`
	got, diags := run(text, withLibraries(Options{Files: sized{"a": 1 << 40}}))
	if want := "True True False 1099511627776 False True\n2\n"; got != want || len(diags) != 1 {
		t.Errorf("prints %q, want %q: %s", got, want, words(diags))
	}
}

// TestDroppedGenerators end while the run goes on.
func TestDroppedGenerators(t *testing.T) {
	s := New(withLibraries(Options{}))
	most := 0
	s.m.main.vars.put("look", &Builtin{Name: "look", call: func(m *machine, a arguments) Value {
		most = max(most, len(m.generators.open))
		return none
	}})
	out := s.Run(source.NewFile("a.py", "def g(): yield 1\nfor i in range(20000):\n    next(g())\n    if i % 1000 == 0: look()\n"))
	if out.Diagnostics.HasErrors() || most > 10000 {
		t.Errorf("%d generators are open: %s", most, words(out.Diagnostics))
	}
}

// TestStopInside: an operation on a tensor and a sleep end when the run is stopped.
func TestStopInside(t *testing.T) {
	for _, text := range []string{"import torch\nfor i in range(3): torch.zeros(1).expand(2**25).sum()",
		"import torch\nx = torch.zeros(2**20)\nfor i in range(2): x = x + 1", "import time\ntime.sleep(1e8)"} {
		asked := 0
		_, diags := run(text, withLibraries(Options{Stop: func() bool { asked++; return asked > 20 }}))
		if d := failure(diags); d == nil || d.Code != "host-stopped" || asked > 30 {
			t.Errorf("%s\nends after %d questions: %s", text, asked, words(diags))
		}
	}
}

// TestSleep: sleep takes its time by the clock that is not set, and costs steps. In a browser the one that is counts
// milliseconds.
func TestSleep(t *testing.T) {
	begin := time.Now()
	got, _ := run("import time\na = time.perf_counter(); time.sleep(0.02); print(time.perf_counter() - a >= 0.02)\ntry: time.sleep(-1)\nexcept ValueError as e: print(e)", withLibraries(Options{}))
	if got != "True\nsleep length must be non-negative\n" || time.Since(begin) < 20*time.Millisecond {
		t.Errorf("prints %q", got)
	}
	if _, diags := run("import time\ntime.sleep(1e8)", withLibraries(Options{MaxSteps: 30000})); failure(diags) == nil || failure(diags).Code != "host-steps" {
		t.Errorf("an endless sleep ends with %s", words(diags))
	}
}
