package script

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/host/codec"
)

// TestPytest compares the reports on testdata/pytest with those of pytest 9.1 -q, whose own texts are in .out, without
// the fixtures that pytest lists, the line "self = …" and the time.
func TestPytest(t *testing.T) {
	const folder = "testdata/pytest/"
	for name, want := range map[string]int{"test_report": 1, "test_monkeypatch": 0} {
		text, err := os.ReadFile(folder + name + ".py")
		if err != nil {
			t.Fatal(err)
		}
		out, err := os.ReadFile(folder + name + ".out")
		if err != nil {
			t.Fatal(err)
		}
		status, got := runTests(name+".py", string(text), t)
		if status != want {
			t.Errorf("%s: the status is %d", name, status)
		}
		got = regexp.MustCompile(` in [0-9.]+s\n$`).ReplaceAllString(got, " in 0.00s\n")
		if got != string(out) {
			t.Errorf("%s: %s", name, difference(got, string(out)))
		}
	}
}

// runTests runs a script as the command line does, and gives what it prints.
func runTests(name, text string, t *testing.T) (status int, printed string) {
	t.Helper()
	var stdout strings.Builder
	doc, _ := document.Parse(name, text)
	r := New(doc.Script(), Options{Script: true, Tests: host.HasTests(name, text),
		Host: host.Options{Codecs: codec.Go{}, Argv: []string{name}},
		Emit: func(e Event) {
			if e.Kind == Printed {
				stdout.WriteString(e.Output.Text)
			}
		}})
	return r.All(t.Context()), stdout.String()
}

// TestWhoRunsTests runs tests of files by that name alone, and leaves those to a script that it calls itself.
func TestWhoRunsTests(t *testing.T) {
	const test = "def test_a():\n    print('ran')\n"
	for _, c := range []struct {
		name, text string
		status     int
		reports    bool
	}{
		{"test_x.py", test, 0, true},
		{"x_test.py", test, 0, true},
		{"folder/test_x.py", "class TestA:\n    def test_b(self):\n        assert 0\n", 1, true},
		{"kernel.py", test, 0, false},
		{"test_x.py", test + "test_a()\n", 0, false},
		{"test_x.py", test + "if __name__ == '__main__':\n    test_a()\n", 0, false},
		{"test_x.py", "def helper():\n    pass\n", 0, false},
		{"test_x.py", test + "1 / 0\n", 1, false},
	} {
		status, printed := runTests(c.name, c.text, t)
		if reports := strings.Contains(printed, "[100%]"); status != c.status || reports != c.reports {
			t.Errorf("%s %q: status %d, printed %q", c.name, c.text, status, printed)
		}
	}
}
