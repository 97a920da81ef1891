package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folderWith makes a folder of files and goes there.
func folderWith(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "import helper\n",
    "print('one')\n",
    "helper.y"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "1 / 0"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "helper.y + 1"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 4
}
`

func TestRunDocuments(t *testing.T) {
	folderWith(t, map[string]string{
		"a.ipynb":   notebook,
		"helper.py": "y = 41\n",
		"argv.py":   "import sys\nprint(sys.argv[1:])\nsys.argv\n",
		"cells.py":  "# %%\nx = 1\nx\n# %%\n1 / 0\n# %%\nx + 1\n",
		"exit.py":   "import sys\nsys.exit('so long')\n",
		"three.py":  "import sys\nsys.exit(3)\n",
		"a.md":      "# Title\n\n```python\n2 + 2\n```\n",
		"pasted":    "In [1]: x = 5\n\nIn [2]: x\nOut[2]: 5\n",
		"nan.ipynb": "{\"cells\": [}",
		"slip.py":   "x = = 1\n",
	})
	for _, c := range []struct {
		name           string
		args           []string
		stdout, stderr string
		status         int
	}{
		{"a notebook", []string{"a.ipynb"}, "one\n41\n42\n",
			"Traceback (most recent call last):\n  File \"a.ipynb:cell 2\", line 1, in <module>\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n", exitFail},
		{"a script", []string{"cells.py"}, "", "  File \"cells.py\", line 5, in <module>", exitFail},
		{"its cells", []string{"cells.py", "--cells"}, "1\n2\n", "  File \"cells.py\", line 5, in <module>", exitFail},
		{"Markdown", []string{"a.md"}, "4\n", "", exitOK},
		{"a pasted session", []string{"pasted"}, "5\n", "", exitOK},
		{"arguments", []string{"argv.py", "--races", "-n", "3", "--strict"}, "['-n', '3', '--strict']\n", "", exitOK},
		{"arguments after --", []string{"argv.py", "--", "--races", "x"}, "['--races', 'x']\n", "", exitOK},
		{"a message for the end", []string{"exit.py"}, "", "so long\n", exitFail},
		{"a status", []string{"three.py"}, "", "", 3},
		{"a broken notebook", []string{"nan.ipynb"}, "", "nan.ipynb:1:12\n", exitFail},
		{"a slip", []string{"slip.py"}, "", "error[expected-expression]", exitFail},
		{"no such place to save", []string{"argv.py", "--inplace"}, "", "outputs can be saved in .ipynb and .md files", exitUsage},
		{"an unknown flag before the file", []string{"--cell", "argv.py"}, "", "flag provided but not defined", exitUsage},
		{"no file", []string{"--cells"}, "", "wrong number of arguments", exitUsage},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, status := newt(t, append([]string{"run", "--device", "cpu"}, c.args...)...)
			if status != c.status || stdout != c.stdout || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
		})
	}
}

// TestSave: a saved notebook has the outputs of the run; a second run changes nothing.
func TestSave(t *testing.T) {
	folderWith(t, map[string]string{"a.ipynb": notebook, "helper.py": "y = 41\n"})
	newt(t, "run", "--device", "cpu", "a.ipynb", "--save", "b.ipynb")
	saved, _ := os.ReadFile("b.ipynb")
	for _, part := range []string{"\"text/plain\": [\n       \"41\"\n      ]", "\"ename\": \"ZeroDivisionError\"", "\"execution_count\": 3", "\"one\\n\"\n"} {
		if !strings.Contains(string(saved), part) {
			t.Errorf("the notebook has no %q:\n%s", part, saved)
		}
	}
	if unchanged, _ := os.ReadFile("a.ipynb"); string(unchanged) != notebook {
		t.Error("the notebook has changed")
	}
	newt(t, "run", "--device", "cpu", "b.ipynb", "--inplace")
	if again, _ := os.ReadFile("b.ipynb"); string(again) != strings.ReplaceAll(string(saved), "a.ipynb", "b.ipynb") {
		t.Errorf("a second run gives\n%s", again)
	}
	newt(t, "run", "--device", "cpu", "b.ipynb", "--save", "c.md")
	if md, _ := os.ReadFile("c.md"); !strings.Contains(string(md), "```python\nhelper.y + 1\n```\n\n```output\n42\n```\n") {
		t.Errorf("as Markdown:\n%s", md)
	}
}

// TestFilesOfItsOwn: a document reads nothing outside of its folder.
func TestFilesOfItsOwn(t *testing.T) {
	folderWith(t, map[string]string{"secret.py": "x = 1\n"})
	for _, name := range []string{"inner", filepath.Join("inner", "below")} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	secret, _ := filepath.Abs("secret.py")
	for name, text := range map[string]string{"inner/a.py": "import linked\n", "inner/b.py": "import below.c\nprint(below.c.y)\n", "inner/below/c.py": "y = 2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join("inner", "linked.py")); err != nil {
		t.Skip(err)
	}
	if _, stderr, status := newt(t, "run", "--device", "cpu", "inner/a.py"); status != exitFail || !strings.Contains(stderr, "OSError: cannot read 'linked.py'") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if stdout, stderr, status := newt(t, "run", "--device", "cpu", "inner/b.py"); status != exitOK || stdout != "2\n" {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

func TestCheckDocuments(t *testing.T) {
	folderWith(t, map[string]string{
		"helper.py": "y = 41\n",
		"a.ipynb":   strings.Replace(strings.Replace(notebook, "import helper\\n", "import helper, torc\\n", 1), "1 / 0", "torc.ones(helper.y, missing)", 1),
		"a.md":      "# Title\n\n```python\nimport torch\nfrom triton import jitt\n```\n\ntext\n\n```py\ntorch.arnge(4)\ntry:\n    import polars\nexcept ImportError:\n    pass\n```\n",
		"good.py":   "import torch, helper\nif hasattr(torch, 'dance'):\n    torch.dance()\ntorch.ones(2).sum()\n",
		"writes.py": "# %%\n%%writefile ./made.py\nN = 4\n# %%\nfrom made import N\nimport made\nprint(N, made.N)\n",
	})
	for name, want := range map[string][]string{
		"a.ipynb":   {"newt has no `torc`\n  a.ipynb:cell 1:1:16\n", "`missing` is not defined\n  a.ipynb:cell 2:1:21\n"},
		"a.md":      {"newt has no `triton.jitt`\n  a.md:5:20\n", "the closest name that newt has is `jit`", "newt has no `torch.arnge`\n  a.md:11:1\n"},
		"good.py":   nil,
		"writes.py": nil,
	} {
		stdout, stderr, status := newt(t, "check", name)
		if status != min(len(want), exitFail) || strings.Count(stdout, "error[") > 2 || len(want) == 0 && stdout != "" {
			t.Errorf("%s: status %d\n%s%s", name, status, stdout, stderr)
		}
		for _, part := range want {
			if !strings.Contains(stdout, part) {
				t.Errorf("%s: no %q in\n%s", name, part, stdout)
			}
		}
	}
}

// TestRunPrograms: %run and !python run a file beside the document, with its words, in the notebook's process.
func TestRunPrograms(t *testing.T) {
	folderWith(t, map[string]string{
		"made.py":  "import sys\nimport other\nother.n += 1\nprint(sys.argv, __name__, other.n)\nvalue = 42\n",
		"other.py": "n = 0\n",
		"bad.py":   "import sys\nprint('before')\nsys.exit(3) if len(sys.argv) > 1 else 1 / 0\n",
		"a.md": "```python\nimport other\nother.n = 7\n!python made.py one \"two three\"\n!A=1 python3 -m made\nother.n\n```\n\n" +
			"```python\n%run made.py x\nvalue, other.n, type(get_ipython()).__name__\n```\n\n" +
			"```python\n!python bad.py\n!python bad.py quietly\nprint('goes on')\n```\n",
	})
	stdout, stderr, status := newt(t, "run", "--device", "cpu", "a.md")
	const want = "['made.py', 'one', 'two three'] __main__ 1\n['FOLDER/made.py'] __main__ 1\n7\n['made.py', 'x'] __main__ 8\n" +
		"(42, 8, 'ZMQInteractiveShell')\nbefore\nbefore\ngoes on\n"
	folder, _ := os.Getwd()
	const trace = "Traceback (most recent call last):\n  File \"bad.py\", line 3, in <module>\n"
	if got := strings.ReplaceAll(stdout, folder, "FOLDER"); got != want || !strings.HasPrefix(stderr, trace) || status != exitOK {
		t.Errorf("status %d\n%s%s", status, got, stderr)
	}
}
