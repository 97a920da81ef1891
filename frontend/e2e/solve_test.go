package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/cli"
)

var notebookFile = flag.String("notebook", "", "a notebook of the twelve puzzles to solve besides the tests' own")

// notebookCell is what a test sees of a cell of an .ipynb file.
type notebookCell struct {
	Kind     string          `json:"cell_type"`
	Metadata json.RawMessage `json:"metadata"`
	Lines    []string        `json:"source"`
	file     json.RawMessage // the cell as its file has it
}

// source is the cell's text without blank lines at its end, which it loses when it is edited: in the text of a document
// they stand between cells.
func (c notebookCell) source() string { return strings.TrimRight(strings.Join(c.Lines, ""), "\n") }

// notebookCells takes the cells out of an .ipynb file.
func notebookCells(t *testing.T, file string) []notebookCell {
	t.Helper()
	var notebook struct{ Cells []json.RawMessage }
	if err := json.Unmarshal([]byte(file), &notebook); err != nil {
		t.Fatal(err)
	}
	cells := make([]notebookCell, len(notebook.Cells))
	for i, text := range notebook.Cells {
		if err := json.Unmarshal(text, &cells[i]); err != nil {
			t.Fatal(err)
		}
		cells[i].file = text
	}
	return cells
}

// kernelOf cuts the imports off a puzzle's starter or solution.
func kernelOf(source string) string { return source[strings.Index(source, "@triton.jit"):] }

// dict writes the values of some names as a Python dict.
func dict(names []string, values map[string]int) string {
	items := make([]string, len(names))
	for i, name := range names {
		items[i] = fmt.Sprintf("%q: %d", name, values[name])
	}
	return "{" + strings.Join(items, ", ") + "}"
}

var (
	annotation   = regexp.MustCompile(`Tensor, "[^"]*"`)
	setsUp       = regexp.MustCompile(`(?m)^import |^def test\(`)
	blocksOfTest = regexp.MustCompile(`\bB=\{[^}]*\}`)
)

// specOf is a puzzle's specification with the sizes of its classic launch for the shapes, as a notebook has it.
func specOf(t *testing.T, p *puzzles.Puzzle) string {
	t.Helper()
	tensors := append(slices.Clone(p.Inputs), p.Output)
	spec := annotation.ReplaceAllStringFunc(p.SpecSource, func(string) string {
		var sizes []string
		for _, side := range tensors[0].Shape {
			n, err := puzzles.Eval(side, p.Classic.Sizes)
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, fmt.Sprint(n))
		}
		tensors = tensors[1:]
		return fmt.Sprintf("Tensor, %q", strings.Join(sizes, " "))
	})
	_, spec, _ = strings.Cut(spec, "from torch import Tensor\n")
	return strings.TrimSpace(spec)
}

// puzzlesNotebook is a notebook of some puzzles in the form of the published one: its own test with the launch
// traced, then for each puzzle what it asks and a cell with its specification, a kernel to finish and its test.
func puzzlesNotebook(t *testing.T, list []*puzzles.Puzzle) string {
	t.Helper()
	setup, err := os.ReadFile("testdata/puzzles_setup.py")
	if err != nil {
		t.Fatal(err)
	}
	var cells []map[string]any
	text := func(source string) {
		cells = append(cells, map[string]any{
			"cell_type": "markdown", "metadata": map[string]any{}, "source": strings.SplitAfter(source, "\n"),
		})
	}
	code := func(source string, outputs ...any) {
		cells = append(cells, map[string]any{
			"cell_type": "code", "execution_count": nil, "metadata": map[string]any{"id": fmt.Sprint("c", len(cells))},
			"outputs": append([]any{}, outputs...), "source": strings.SplitAfter(source, "\n"),
		})
	}
	text("# Puzzles\n")
	code("%%capture\n!pip install jaxtyping triton-viz")
	code("import inspect\n\nimport torch\nimport triton\nimport triton.language as tl\nimport triton_viz\n" +
		"from jaxtyping import Float32, Int32\nfrom torch import Tensor")
	code(string(setup))
	earlier := map[string]any{"name": "stdout", "output_type": "stream", "text": []string{"an earlier run\n"}}
	code("print(\"not run again\")", earlier)
	for _, p := range list {
		says, _, _ := strings.Cut(p.Text.Statement.En, "\n## ") // what is to be computed
		text(fmt.Sprintf("## Puzzle %d: %s\n\n%s", p.Number, p.Title.En, says))
		code(fmt.Sprintf("%s\n\n%s\ntest(%s, %s, nelem=%s,\n     B=%s)", specOf(t, p), kernelOf(p.Text.Starter),
			p.Kernel, p.Spec, dict(p.Sizes, p.Classic.Sizes), dict(p.Blocks, p.Classic.Blocks)))
	}
	var file bytes.Buffer
	to := json.NewEncoder(&file)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	notebook := map[string]any{"cells": cells, "metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 0}
	if err := to.Encode(notebook); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// solved is the source of a puzzle's cell with the solution for its kernel, launched with blocks that suit it, and the
// number of lines before the kernel.
func solved(p *puzzles.Puzzle, source string) (text string, before int) {
	start, end := strings.Index(source, "@triton.jit"), strings.LastIndex(source, "\ntest(")
	call := blocksOfTest.ReplaceAllLiteralString(source[end:], "B="+dict(p.Blocks, p.Classic.Blocks))
	return source[:start] + kernelOf(p.Text.Solutions[0].Source) + call, strings.Count(source[:start], "\n")
}

// lineEnd moves the cursor to the end of its line, which may be wrapped: the first End goes to where it wraps.
func (p *page) lineEnd(modifiers ...chromedp.Modifier) {
	p.Helper()
	p.key(kb.End, modifiers...)
	p.key(kb.End, modifiers...)
}

// nextLines moves the cursor to the start of the line that is n lines further down.
func (p *page) nextLines(n int, modifiers ...chromedp.Modifier) {
	p.Helper()
	for range n {
		p.lineEnd(modifiers...)
		p.key(kb.ArrowRight, modifiers...)
	}
}

// runCell runs the cursor's cell, by its place in the outline, as the page's nth run, and waits for a text beneath it.
func (p *page) runCell(cell, nth int, output string) {
	p.Helper()
	p.key(kb.Enter, chromedp.ModifierCtrl)
	entry := fmt.Sprintf(`document.querySelectorAll(".outline li")[%d]`, cell)
	p.wait("the cell's end", fmt.Sprintf(entry+`.innerText.includes("[%d]")`, nth))
	p.wait("its output", fmt.Sprintf(`%s.join().includes(%q)`, cellOutputs, output))
}

// TestSolveNotebook: a notebook of puzzles with a test of its own is solved in the page cell by cell: each
// is wrong before and right after its kernel is written. The cells that were not run are saved byte by byte as they
// were, the file opens again with its results, and newt run ends well on it.
func TestSolveNotebook(t *testing.T) {
	soak.Only(t, "TestPuzzlesNotebook opens one in the page, and package puzzles solves each")
	t.Parallel()
	// The notebooks' own test knows tensors alone: a warm-up's spec may take numbers.
	list := slices.DeleteFunc(slices.Clone(puzzles.All()), func(p *puzzles.Puzzle) bool { return p.Number > 12 })
	list = someOf(list)
	t.Run("own", func(t *testing.T) { solveNotebook(t, "own.ipynb", puzzlesNotebook(t, list), len(list)) })
	if *notebookFile != "" {
		text, err := os.ReadFile(*notebookFile)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(*notebookFile)
		t.Run(name, func(t *testing.T) { solveNotebook(t, name, string(text), 12) })
	}
}

// solveNotebook solves the puzzles of one file.
func solveNotebook(t *testing.T, name, file string, puzzlesInIt int) {
	p := open(t, "en", "#/document")
	// On a busy machine, text that is not as tall as estimated may take CodeMirror more rounds than it does in a frame; it
	// goes on in the next one.
	p.expect("Measure loop restarted more than 5 times")
	p.expect("Viewport failed to stabilize")
	p.openFile(name, file)
	cells := notebookCells(t, file)
	p.wait("the outline", fmt.Sprintf(`document.querySelectorAll(".outline li").length === %d`, len(cells)))
	if saved := p.savedNotebook(); saved != file {
		t.Fatal("a notebook in which nothing changed is not saved as it was")
	}

	want := map[int]string{} // the source of each cell that runs
	answered := map[int]bool{}
	runs := 0
	for i, c := range cells {
		source := c.source()
		at := slices.IndexFunc(puzzles.All(), func(p *puzzles.Puzzle) bool {
			return strings.Contains(source, "def "+p.Kernel+"(")
		})
		switch {
		case c.Kind != "code" || at < 0 && !setsUp.MatchString(source):
			continue
		case at < 0:
			p.goToCell(i)
			runs++
			p.runCell(i, runs, "")
			want[i] = source
			continue
		}
		puzzle := puzzles.All()[at]
		text, before := solved(puzzle, source)
		lines := strings.Count(source, "\n")
		p.goToCell(i)
		p.nextLines(lines) // outputs are drawn where they are in view
		p.runCell(i, runs+1, "Results match: False")
		p.goToCell(i)
		p.nextLines(before)
		p.nextLines(lines-before, chromedp.ModifierShift)
		p.lineEnd(chromedp.ModifierShift)
		p.insert(strings.Join(strings.Split(text, "\n")[before:], "\n"))
		p.runCell(i, runs+2, "Results match: True")
		runs += 2
		want[i], answered[i] = text, true
		t.Logf("puzzle %d (%s) has run", puzzle.Number, puzzle.Kernel)
	}
	if len(answered) != puzzlesInIt {
		t.Fatalf("%d puzzles solved", len(answered))
	}

	saved := p.savedNotebook()
	for i, c := range notebookCells(t, saved) {
		source, ran := want[i]
		switch {
		case !ran && !bytes.Equal(c.file, cells[i].file):
			t.Errorf("cell %d did not run and is saved as\n%s\nnot as\n%s", i+1, c.file, cells[i].file)
		case ran && (c.source() != source || !bytes.Equal(c.Metadata, cells[i].Metadata)):
			t.Errorf("cell %d is saved as\n%s\nwith the metadata %s, not as\n%s", i+1, c.source(), c.Metadata, source)
		case answered[i] && !bytes.Contains(c.file, []byte(`"Results match: True\n"`)):
			t.Errorf("the result of cell %d is not in\n%s", i+1, c.file)
		}
	}
	p.reload()
	p.openFile("solved.ipynb", saved)
	last := slices.Max(slices.Collect(maps.Keys(answered)))
	p.goToCell(last)
	p.nextLines(strings.Count(want[last], "\n"))
	p.wait("its result", cellOutputs+`.join().includes("Results match: True")`)
	if again := p.savedNotebook(); again != saved {
		t.Error("opened again, the solved notebook is not saved as it was")
	}
	runNotebook(t, saved, puzzlesInIt)
}

// runNotebook runs a solved notebook with newt run, which must find that every puzzle's results match.
func runNotebook(t *testing.T, file string, all int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "solved.ipynb")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	status := cli.Main(&cli.Env{Stdout: &out, Stderr: &complaints, Getenv: func(string) string { return "" }},
		[]string{"run", "--device", "cpu", path})
	matches := strings.Count(out.String(), "Results match: True")
	if status != 0 || matches != all {
		t.Errorf("newt run ended with %d, and %d of %d puzzles match:\n%s%s", status, matches, all, &out, &complaints)
	}
}
