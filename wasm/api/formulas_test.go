package api

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/formula"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/puzzles"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// looksAt is a test of a puzzle, ready to be asked about.
func looksAt(t *testing.T, p *puzzles.Puzzle, source string, number int) (*inspected, *inspect.Launch) {
	t.Helper()
	c := &call{server: newDocumentServer(testBudget, Libraries{}), send: func(Reply, ...[]byte) {}}
	out := emptyInspection()
	of, l := c.lookedAt(&InspectRequest{Puzzle: &PuzzleRequest{Puzzle: p.Number, Source: source}, Case: number}, out, c.observed)
	if l == nil {
		t.Fatal(p.Slug, out.Message, out.Diagnostics)
	}
	return of, l
}

// TestFormulasOfAnswers: right answers, however they are written, compute what the specification does, by one formula.
func TestFormulasOfAnswers(t *testing.T) {
	for _, p := range puzzles.All() {
		t.Run(p.Slug, func(t *testing.T) {
			t.Parallel()
			for name, source := range answers(t, p) {
				of, l := looksAt(t, p, source, 0)
				last := len(of.shapes) - 1
				for _, element := range []int{0, of.shapes[last].Len() * 2 / 3} {
					w, err := l.Why(t.Context(), last, element)
					if err != nil {
						t.Fatal(err)
					}
					set := formula.NewSet(of.formulaTensors())
					yours, expected := w.Formula(set), of.judged.Formula(t.Context(), set, element)
					if yours == nil || yours != expected {
						t.Errorf("%s, element %d: %v and %v", name, element, yours, expected)
						continue
					}
					if v := yours.Value(); math.Abs(v-w.Number) > 1e-6+1e-5*math.Abs(v) {
						t.Errorf("%s, element %d: %v, not %v", name, element, v, w.Number)
					}
					if f := of.formulas(t.Context(), w, element); f != nil {
						t.Errorf("%s, element %d: %+v", name, element, f)
					}
				}
			}
		})
	}
}

// TestGoldenFormulas compares with testdata what is said of wrong answers that people give: each replaces a text of the
// solution. The element is the middle one of those that are wrong in the first test that fails.
func TestGoldenFormulas(t *testing.T) {
	var out strings.Builder
	for _, c := range []struct {
		puzzle         int
		name, old, new string
	}{
		{1, "another number", "x + 10.0", "x + 11.0"},
		{1, "missing + 10", "x + 10.0", "x"},
		{2, "missing program", "pid * B0 + ", ""},
		{2, "a neighbour's block", "x_ptr + i,", "x_ptr + i - B0,"},
		{3, "transposed", "j[:, None] * N0 + i[None, :]", "j[:, None] + i[None, :] * N0"},
		{3, "y in place of x", "x[None, :] + y[:, None]", "x[None, :] + x[:, None]"},
		{4, "wrong stride", "j[:, None] * N0", "j[:, None] * N1"},
		{4, "one program too far", "y_ptr + j, mask=j < N1", "y_ptr + j + 1, mask=j + 1 < N1"},
		{5, "missing maximum", "tl.where(product > 0, product, 0.0)", "product"},
		{5, "transposed product", "x[None, :] * y[:, None]", "x[:, None] * y[None, :]"},
		{6, "missing condition", "tl.where(x * y > 0, y * dz, 0.0)", "y * dz"},
		{6, "x for y", "y * dz, 0.0", "x * dz, 0.0"},
		{7, "wrong stride", "i[:, None] * T", "i[:, None] * N0"},
		{7, "a neighbour's row", " & (j[None, :] < T)", ""},
		{7, "one block alone", "total += ", "total = "},
		{7, "overlapping blocks", "tl.range(0, T, B1)", "tl.range(0, T, B1 // 2)"},
		{8, "missing maximum", "tl.exp2((x - m[:, None]) * log2_e) / s", "tl.exp2(x * log2_e) / s"},
		{8, "masked lanes load 0", "x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=float(\"-inf\"))\n        s +=", "x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=0.0)\n        s +="},
		{8, "another row", "x_ptr + i[:, None] * T", "x_ptr + (i[:, None] + 1) * T"},
		{9, "not divided", "acc / s", "acc"},
		{9, "k for v", "v_ptr + j", "k_ptr + j"},
		{9, "not rescaled", "s = s * rescale + ", "s = s + "},
		{10, "transposed filter", "a[:, None] * KW + b[None, :]", "a[:, None] + b[None, :] * KH"},
		{10, "a window of the row above", "row = h + a", "row = h - 1 + a"},
		{10, "wrong stride", "row * W", "row * H"},
		{11, "wrong row", "row * MID + x_mid", "(row + 1) * MID + x_mid"},
		{11, "wrong stride", "y_mid * N1", "y_mid * MID"},
		{11, "one block alone", "acc += ", "acc = "},
		{12, "missing offset", "(weight - offset)", "weight"},
		{12, "three bits", "(n % FPINT * 4)) & 15", "(n % FPINT * 4)) & 7"},
		{12, "another row's scale", "scale_ptr + row", "scale_ptr + (row ^ 1)"},
		{601, "without other", ", other=0.0", ""},
		{601, "one too far", "x_ptr + i,", "x_ptr + i + 1,"},
		{701, "masked lanes load 0", "float(\"-inf\")", "0.0"},
		{701, "wrong stride", "i * T", "i * B1"},
		{701, "a sum", "tl.max(x", "tl.sum(x"},
		{702, "missing maximum", "x - tl.max(x, axis=0)", "x"},
		{702, "not divided", "e / tl.sum(e, axis=0)", "e"},
		{702, "a sum of x", "tl.sum(e, axis=0)", "tl.sum(x, axis=0)"},
		{801, "not rescaled", "s * tl.exp(m - m_new) + ", "s + "},
		{801, "another row", "x_ptr + i * T", "x_ptr + (i + 1) * T"},
		{1001, "transposed", "l[:, None] * N1 + k[None, :]", "l[:, None] + k[None, :] * MID"},
		{1001, "wrong row", "x_ptr + j[:, None]", "x_ptr + (j[:, None] ^ 1)"},
		{1101, "another shift", "i % 8 * 4", "i % 8"},
		{1101, "a remainder", ") & 15", ") % 16"},
		{1101, "a neighbour's word", "i // 8", "i // 8 + 1"},
	} {
		p, _ := puzzles.Get(c.puzzle)
		solution := answers(t, p)["solution.py"]
		if !strings.Contains(solution, c.old) {
			t.Errorf("%s: no %q", p.Slug, c.old)
			continue
		}
		fmt.Fprintf(&out, "# %d: %s\n%s\n", c.puzzle, c.name, formulasOf(t, p, strings.Replace(solution, c.old, c.new, 1)))
	}
	path := filepath.Join("testdata", "formulas.txt")
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("%s: got\n%s", path, got)
	}
}

// formulasOf is what is said of the first test that fails.
func formulasOf(t *testing.T, p *puzzles.Puzzle, source string) string {
	t.Helper()
	for number := range 1 + len(p.Strict) {
		of, l := looksAt(t, p, source, number)
		r, err := l.Run(t.Context(), [3]int{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		wrong := of.wrong(r)
		if len(wrong) == 0 {
			continue
		}
		w, err := l.Why(t.Context(), len(of.shapes)-1, wrong[len(wrong)/2])
		if err != nil {
			t.Fatal(err)
		}
		f := of.formulas(t.Context(), w, wrong[len(wrong)/2])
		if f == nil {
			return "test " + fmt.Sprint(number+1) + ", " + w.Element + ": nothing\n"
		}
		text := fmt.Sprintf("test %d, %s: %s\nyours    %s\nexpected %s\n", number+1, w.Element, f.Says, markedText(f.Yours), markedText(f.Expected))
		for _, m := range f.Marks {
			text += fmt.Sprintf("%s: yours %s, expected %s\n", of.judged.Arrays[m.Tensor].Name, listText(m.Yours), listText(m.Expected))
		}
		return text
	}
	t.Errorf("%s: nothing is wrong", p.Slug)
	return ""
}

func listText(list []int) string {
	if len(list) <= 4 {
		return fmt.Sprint(list)
	}
	return fmt.Sprintf("%v … (%d)", list[:4], len(list))
}

func markedText(list []FormulaText) string {
	var b strings.Builder
	for _, t := range list {
		text := t.Text + map[string]string{"outside": " (outside)", "undefined": "undefined", "more": "…"}[t.Kind]
		if t.Differs {
			text = "«" + text + "»"
		}
		b.WriteString(text)
	}
	return b.String()
}
