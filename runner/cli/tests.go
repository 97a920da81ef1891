package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/newtlab/newt/interp/document"
)

var testCommand = &command{
	name:  "test",
	args:  "[--device auto|cpu|cuda:N|ws://HOST:PORT] [--site DIR] [-k EXPR] [-m EXPR] [-x] [PATH... [OPTIONS]]",
	short: "run the tests of files and folders, as pytest does",
	help: "Collects and runs tests as pytest does, and reports them as pytest -q: of a folder the files test_*.py and\n" +
		"*_test.py in it and below, of FILE.py::NAME the tests of that name. Functions test…, classes Test… and those of\n" +
		"unittest, parametrize, skip, xfail and other marks, fixtures of every scope, and conftest.py with its options\n" +
		"(--NAME=VALUE) and hooks are known, and so are testpaths, pythonpath, addopts and the patterns of names in pytest.ini,\n" +
		"pyproject.toml, tox.ini or setup.cfg. Modules are found as newt run finds them, and from the folder of each file.\n" +
		"The exit status is pytest's: 0, 1 after failures, 2 if a file cannot be imported, 5 if there are no tests.",
	run: testPaths,
}

// testText is the document that newt test runs. An empty path stands for none: without a path, pytest.main would run
// the tests of this document.
const testText = "import pytest\nimport sys\n\nsys.exit(pytest.main(sys.argv[1:]))\n"

func testPaths(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	f := runFlags{lang: lang}
	set.StringVar(&f.device, "device", "auto", "device for the launches: auto, cpu, cuda:N or ws://HOST:PORT")
	f.packages.define(set)
	tritonFlag(set, &f.triton)
	var options []string
	pass := func(name string) func(string) error {
		return func(value string) error {
			options = append(options, name, value)
			return nil
		}
	}
	set.Func("k", "run the tests whose names have what `EXPR` asks for: names with and, or, not and ()", pass("-k"))
	set.Func("m", "run the tests whose marks fit `EXPR`", pass("-m"))
	set.BoolFunc("x", "end after the first failure", func(string) error {
		options = append(options, "-x")
		return nil
	})
	words, status, done := c.parseScript(e, set, args, 0)
	if done {
		return status
	}
	for _, word := range words {
		path, _, _ := strings.Cut(word, "::")
		if isFile(path) {
			path = filepath.Dir(path)
		}
		f.tested = append(f.tested, path)
	}
	if len(words) == 0 {
		words, f.tested = []string{""}, []string{"."}
	}
	doc, _ := document.Parse("newt test", testText)
	status, err := f.run(ctx, e, doc, append(append([]string{"-"}, words...), options...))
	if err != nil {
		return c.fail(e, err)
	}
	return status
}
