package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// TestInternalErrors: a mistake in newt is an exception of the line that met it, and the session goes on.
func TestInternalErrors(t *testing.T) {
	var out bytes.Buffer
	s := New(withLibraries(Options{Stdout: &out}))
	s.m.main.vars.put("broken", &Builtin{Name: "broken", call: func(m *machine, a arguments) Value {
		return a.positional[len(a.positional)]
	}})
	caught := s.Run(source.NewFile("a.py", `try:
    broken(1, 2)
except SystemError as e:
    print(e)
def g():
    try:
        yield broken()
    finally:
        print("finally")
try:
    list(g())
except Exception as e:
    print(type(e).__name__)
class C:
    def __enter__(self): return self
    def __exit__(self, *e): print(e[0].__name__); return True
with C():
    [broken() for _ in range(3)]
`))
	const want = "internal error in newt, at interp/host/internal_test.go:17 of its source\nfinally\nSystemError\nSystemError\n"
	if caught.Diagnostics.HasErrors() || out.String() != want {
		t.Errorf("prints\n%s%s\nwant\n%s", out.String(), words(caught.Diagnostics), want)
	}
	file := source.NewFile("b.py", "x = 1\ndef f():\n    x = 2\n    broken()\nf()\n")
	failed := s.Run(file)
	d := failure(failed.Diagnostics)
	if d == nil || d.Code != "host-internal" || s.Sources().File(d.Primary.Span).Position(d.Primary.Span.Start).Line != 4 {
		t.Errorf("ends with %v", failed.Diagnostics)
	}
	if !strings.HasSuffix(failed.Traceback, "SystemError: "+d.In(diag.English).Headline+"\n") {
		t.Errorf("traceback:\n%s", failed.Traceback)
	}
	out.Reset()
	if after := s.Run(source.NewFile("c.py", "print(x)")); after.Diagnostics.HasErrors() || out.String() != "1\n" {
		t.Errorf("the next cell prints %q: %s", out.String(), words(after.Diagnostics))
	}
}

// TestSessionsAreApart: what a session changes, no other sees.
func TestSessionsAreApart(t *testing.T) {
	const change = `import json, collections, triton, torch, enum, io
for c in (str, int, object, ValueError, triton.Config, io.BytesIO, torch.Tensor, collections.deque, json.JSONEncoder, enum.Enum):
    for name in ("join", "__init__", "extra"):
        for f in (lambda: delattr(c, name), lambda: setattr(c, name, 1)):
            try: f()
            except (AttributeError, TypeError): pass
for module in (json, collections, torch):
    module.extra = 1
    module.__dict__.clear() if hasattr(module, "__dict__") else None
`
	const look = `import json, collections, triton, torch, io
print(",".join("ab"), int("3"), json.dumps([1]), collections.deque([1]), triton.Config({"A": 1}).kwargs, io.BytesIO(b"a").read())
print([c.__name__ for c in (str, int, object, ValueError, triton.Config, io.BytesIO, collections.deque, json.JSONEncoder) if hasattr(c, "extra")])
print(hasattr(torch, "extra"), hasattr(json, "extra"))
`
	before, _ := run(look, withLibraries(Options{}))
	run(change, withLibraries(Options{}))
	if after, diags := run(look, withLibraries(Options{})); after != before || diags.HasErrors() {
		t.Errorf("before\n%s\nafter\n%s%s", before, after, words(diags))
	}
}
