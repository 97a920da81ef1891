package diag_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/diag/example"
	_ "github.com/newtlab/newt/compiler/refactor" // this, those below and what they import register what they say
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	_ "github.com/newtlab/newt/interp/judge"
	_ "github.com/newtlab/newt/interp/launch/proof"
	_ "github.com/newtlab/newt/interp/placed"
	_ "github.com/newtlab/newt/runner/share"
	_ "github.com/newtlab/newt/wasm/api"
)

func fields(m diag.Message) []string { return []string{m.Headline, m.Label, m.Why, m.Help} }

var placeholder = regexp.MustCompile(`\{\d\}`)

var (
	quotedOrArgument = regexp.MustCompile("`[^`]*`|\\{\\d\\}")
	words            = regexp.MustCompile(`[a-z]{2}`)
	han              = regexp.MustCompile(`\p{Han}`)
)

func placeholders(texts ...string) string {
	found := map[string]bool{}
	for _, t := range texts {
		for _, p := range placeholder.FindAllString(t, -1) {
			found[p] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

// TestBothLanguages checks that English and Chinese say the same kind of thing about the same arguments.
func TestBothLanguages(t *testing.T) {
	for _, code := range diag.Codes() {
		e, _ := diag.Lookup(code)
		en, zh := fields(e.En), fields(e.Zh)
		if p, q := placeholders(en...), placeholders(zh...); p != q {
			t.Errorf("%s: English uses %s, Chinese %s", code, p, q)
		}
		if e.En.Headline == "" || e.En.Why == "" || e.En.Help == "" {
			t.Errorf("%s: headline, why or help is missing", code)
		}
		for i := range en {
			if (en[i] == "") != (zh[i] == "") {
				t.Errorf("%s: %q in English, %q in Chinese", code, en[i], zh[i])
			}
			if words.MatchString(quotedOrArgument.ReplaceAllString(en[i], "")) && !han.MatchString(zh[i]) {
				t.Errorf("%s: %q is not Chinese", code, zh[i])
			}
		}
	}
	for _, p := range diag.Phrases() {
		if p.En == "" || p.Zh == "" || placeholders(p.En) != placeholders(p.Zh) {
			t.Errorf("phrase %s: %q in English, %q in Chinese", p.Key, p.En, p.Zh)
		}
	}
}

// TestLabelsAddSomething: a label is shown under its headline, so it does not repeat a part of it.
func TestLabelsAddSomething(t *testing.T) {
	bare := regexp.MustCompile("[`{}0-9]")
	for _, code := range diag.Codes() {
		e, _ := diag.Lookup(code)
		for _, m := range []diag.Message{e.En, e.Zh} {
			if label := bare.ReplaceAllString(m.Label, ""); label != "" && strings.Contains(bare.ReplaceAllString(m.Headline, ""), label) {
				t.Errorf("%s: the label %q repeats the headline %q", code, m.Label, m.Headline)
			}
		}
	}
}

// names may begin a headline though they are capitals.
var names = regexp.MustCompile(`^(Python|Triton|PyTorch|CUDA|GPU|IR|NaN)\b`)

// sentence is the form of a why or a help in each language: a capital, or a name that has none,
// at the beginning, and a full stop at the end.
var sentence = map[diag.Lang]*regexp.Regexp{
	diag.English: regexp.MustCompile("^([A-Z0-9`{*:&]|newt |tl\\.|torch ).*\\.$"),
	diag.Chinese: regexp.MustCompile(`。$`),
}

func TestStyle(t *testing.T) {
	for _, code := range diag.Codes() {
		e, _ := diag.Lookup(code)
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(code) {
			t.Errorf("%s: a code is a slug", code)
		}
		for lang, m := range map[diag.Lang]diag.Message{diag.English: e.En, diag.Chinese: e.Zh} {
			for _, text := range []string{m.Headline, m.Label} {
				if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "。") {
					t.Errorf("%s: %q ends with a full stop", code, text)
				}
			}
			for _, text := range []string{m.Why, m.Help} {
				if !sentence[lang].MatchString(text) {
					t.Errorf("%s: %q is not a sentence with a capital and a full stop", code, text)
				}
			}
		}
		if first := e.En.Headline[0]; first >= 'A' && first <= 'Z' && !names.MatchString(e.En.Headline) {
			t.Errorf("%s: %q begins with a capital", code, e.En.Headline)
		}
		if strings.Contains(strings.ToLower(e.En.Headline), "illegal") {
			t.Errorf("%s: nothing is illegal", code)
		}
	}
}

// TestOneRowForEachCode: a second row for a code would silently hide the first.
func TestOneRowForEachCode(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range diag.RowNames() {
		if seen[name] {
			t.Errorf("%s has two rows", name)
		}
		seen[name] = true
	}
}

// check lists the codes that parsing and resolving a source gives.
func check(text string) []string {
	m, list := syntax.Parse(source.NewFile("t.py", text))
	if !list.HasErrors() {
		_, more := resolve.Resolve(m, example.Names...)
		list = append(list, more...)
	}
	var codes []string
	for _, d := range list {
		codes = append(codes, d.Code)
	}
	return codes
}

// TestExamples runs the examples of the phases that need nothing but the source.
func TestExamples(t *testing.T) {
	for _, e := range diag.SourceEntries {
		code, e := e.Code, example.Of(e.Code)
		if e.Good == "" {
			t.Errorf("%s has no example", code)
		}
		if codes := check(e.Bad); e.Bad != "" && !slices.Contains(codes, code) {
			t.Errorf("%s: %q gives %v", code, e.Bad, codes)
		} else if len(codes) > 1 {
			t.Errorf("%s: one cause gives %v", code, codes)
		}
		if codes := check(e.Good); len(codes) > 0 {
			t.Errorf("%s: %q gives %v", code, e.Good, codes)
		}
	}
}

// TestCatalogueIsComplete reads the sources of newt for codes and phrases.
func TestCatalogueIsComplete(t *testing.T) {
	used := literals(t, "../../compiler", "../../interp", "../../puzzles", "../../wasm", "../../runner")
	for code, where := range used.codes {
		if _, ok := diag.Lookup(code); !ok {
			t.Errorf("%s: no row for %q", where, code)
		}
	}
	for key, where := range used.keys {
		if _, ok := diag.FindPhrase(key); !ok {
			t.Errorf("%s: no phrase %q", where, key)
		}
	}
	for _, code := range diag.Codes() {
		if !used.all[code] {
			t.Errorf("nothing reports %q", code)
		}
	}
	for _, p := range diag.Phrases() {
		if !used.all[p.Key] {
			t.Errorf("nothing uses the phrase %q", p.Key)
		}
	}
}

// found are the string literals of some sources: codes and keys of phrases, each with a place
// where it is used, and all of them.
type found struct {
	codes, keys map[string]string
	all         map[string]bool
}

func literals(t *testing.T, roots ...string) found {
	t.Helper()
	f := found{map[string]string{}, map[string]string{}, map[string]bool{}}
	for _, root := range roots {
		filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.HasPrefix(entry.Name(), "catalog") {
				return nil
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				return nil
			}
			ast.Inspect(file, func(n ast.Node) bool {
				f.add(set, n)
				return true
			})
			return nil
		})
	}
	return f
}

func (f found) add(set *token.FileSet, n ast.Node) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if text, ok := literal(n); ok {
			f.all[text] = true
		}
	case *ast.CallExpr:
		callee, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		where := set.Position(n.Pos()).String()
		pkg, _ := callee.X.(*ast.Ident)
		if (callee.Sel.Name == "New" || callee.Sel.Name == "Warn") && pkg != nil && pkg.Name == "diag" && len(n.Args) > 0 {
			f.note(f.codes, n.Args[0], where)
		}
		if callee.Sel.Name == "Because" && len(n.Args) > 1 {
			f.note(f.keys, n.Args[1], where)
		}
	case *ast.CompositeLit:
		if sel, ok := n.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "Text" && len(n.Elts) > 0 {
			first := n.Elts[0]
			if pair, ok := first.(*ast.KeyValueExpr); ok {
				first = pair.Value
			}
			f.note(f.keys, first, set.Position(n.Pos()).String())
		}
	}
}

func (f found) note(into map[string]string, x ast.Expr, where string) {
	if text, ok := literal(x); ok {
		into[text] = where
	}
}

func literal(x ast.Expr) (string, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
