package lower_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/diag/example"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
	"github.com/newtlab/newt/compiler/types"
)

// exampleArgs are what the catalogue's examples are called with.
var exampleArgs = []lower.Arg{
	{Type: types.PointerTo(num.Float32)}, {Type: types.PointerTo(num.Int32)},
	{Type: types.Scalar(num.Int32), Value: 100}, {Constexpr: true, Value: 16},
}

// ownCodes are the codes that this package's sources name, and those of the type rules.
func ownCodes(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					if _, ok := diag.Lookup(text); ok {
						found[text] = true
					}
				}
			}
			return true
		})
	}
	for _, code := range types.Codes() {
		found[code] = true
	}
	var list []string
	for code := range found {
		list = append(list, code)
	}
	slices.Sort(list)
	return list
}

// withoutExample are the codes that no example shows, and why.
var withoutExample = map[string]string{
	"argument-annotation":     "is about a launch",
	"bad-target":              "is a target that Python itself refuses",
	"constexpr-argument":      "is about a launch",
	"constexpr-result":        "is about a program that runs",
	"launch-missing-argument": "is about a launch",
	"launch-too-many":         "is about a launch",
	"launch-unknown-argument": "is about a launch",
	"call-too-deep":           "is a limit: a program beyond it is too long for a page",
	"too-nested":              "is a limit: a program beyond it is too long for a page",
	"text-too-long":           "is a limit: a program beyond it is too long for a page",
	"too-many-parts":          "is a limit: a program beyond it is too long for a page",
	"too-much-code":           "is a limit: a program beyond it is too long for a page",
	"function-returned":       "comes with nested-function, which has a page",
	"loop-undefined":          "is not known to be reported of a program that is not refused before",
	"internal-error":          "is no program's fault",
}

// TestExamples lowers the catalogue's examples: the bad one gives its code and no other error, the
// good one nothing at all. What newt runs is refused by Strict.
func TestExamples(t *testing.T) {
	for _, code := range ownCodes(t) {
		if _, ok := diag.Lookup(code); !ok {
			t.Errorf("%s is not in the catalogue", code)
			continue
		}
		e := example.Of(code)
		if reason := withoutExample[code]; (e.Bad == "") != (reason != "") {
			t.Errorf("%s: its example is %q, and withoutExample says %q", code, e.Bad, reason)
		}
		if !strings.Contains(e.Bad, "@triton.jit") {
			continue // an example of another phase
		}
		_, list := lowerText(t, e.Bad, lower.Options{Args: exampleArgs})
		if len(list) == 0 {
			t.Errorf("%s: the bad example says nothing", code)
		}
		for _, d := range list {
			if d.Code != code {
				t.Errorf("%s: the bad example also says %s: %s", code, d.Code, d.In(diag.English).Headline)
			}
			if d.Severity == diag.Warning && d.IsRefused() {
				if _, strict := lowerText(t, e.Bad,
					lower.Options{Args: exampleArgs, Strict: true}); !strict.HasErrors() {
					t.Errorf("%s: Strict lets it pass", code)
				}
				if d.In(diag.English).Triton == "" {
					t.Errorf("%s: a warning quotes Triton", code)
				}
			}
		}
		if _, list := lowerText(t, e.Good, lower.Options{Args: exampleArgs}); len(list) > 0 {
			t.Errorf("%s: the good example says %s", code, codes(list))
		}
	}
}

// TestArguments checks that every placeholder of a message is filled.
func TestArguments(t *testing.T) {
	for _, code := range ownCodes(t) {
		e := example.Of(code)
		if !strings.Contains(e.Bad, "@triton.jit") {
			continue
		}
		_, list := lowerText(t, e.Bad, lower.Options{Args: exampleArgs})
		for _, d := range list {
			for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
				r := d.In(lang)
				for _, text := range []string{r.Headline, r.Label, r.Why, r.Help, r.Triton} {
					for i := range 9 {
						if hole := fmt.Sprintf("{%d}", i); strings.Contains(text, hole) {
							t.Errorf("%s: %q has no argument for %s", code, text, hole)
						}
					}
				}
			}
		}
	}
}
