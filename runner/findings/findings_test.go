package findings

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	_ "github.com/newtlab/newt/interp/host" // its diagnostics
)

// found are diagnostics as commands have them: in a script, with a related place and a fix, and in a cell of a notebook.
func found() []diag.JSON {
	script := source.NewFile("/src/repo/kernels/50%, new.py", "a = 1\nb = äöü + 2\nc = 3\n")
	at := source.Span{Start: 10, End: 16}
	d := diag.Warn("host-exception", at, "NameError", "name 'äöü' is not defined: 100%\nsure, yes")
	d.Because(source.Span{Start: 0, End: 1}, "defined-here", "a").Suggest(true, diag.Text{Key: "defined-here", Args: []any{"b"}},
		diag.Edit{Span: at, New: "1"})
	cell := source.NewFile("notes/a.ipynb:cell 3", "x\n")
	hint := diag.New("host-exception-bare", source.Span{Start: 0, End: 1}, "AssertionError")
	hint.Severity = diag.Hint
	list := append(diag.ToJSON(script, diag.List{d, d}, diag.English), diag.ToJSON(cell, diag.List{hint}, diag.English)...)
	return append(list, diag.JSON{Code: "replay-differs", Severity: "error", Headline: "it differs", File: "a.launch"})
}

// TestSARIF: a log is as SARIF 2.1.0 has it, and holds what was found.
func TestSARIF(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	rules, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		list    []diag.JSON
		failure string
	}{"nothing": {}, "found": {found(), ""}, "failure": {nil, "the reference fails"}} {
		var out bytes.Buffer
		if err := SARIF.Write(&out, c.list, c.failure, "/src/repo"); err != nil {
			t.Fatal(err)
		}
		var written any
		var log sarifLog
		if err := json.Unmarshal(out.Bytes(), &written); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		if err := rules.Validate(written); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
		run := log.Runs[0]
		if len(run.Results) != len(c.list) || run.Invocations[0].ExecutionSuccessful != (c.failure == "") {
			t.Errorf("%s: %d results\n%s", name, len(run.Results), out.String())
		}
		if len(c.list) == 0 {
			continue
		}
		first, inCell := run.Results[0], run.Results[2]
		place := first.Locations[0].PhysicalLocation
		if uri := place.ArtifactLocation.URI; uri != "kernels/50%25,%20new.py" {
			t.Errorf("the file is %s", uri)
		}
		// Columns are those of code points: each umlaut is one, and two bytes.
		if want := (sarifRegion{2, 5, 2, 8}); *place.Region != want {
			t.Errorf("the region is %v", *place.Region)
		}
		if len(run.Tool.Driver.Rules) != 3 || run.Tool.Driver.Rules[first.RuleIndex].ID != first.RuleID {
			t.Errorf("the rules are not those of the results\n%s", out.String())
		}
		if len(first.Fixes) != 1 || len(first.RelatedLocations) != 1 || first.Level != "warning" {
			t.Errorf("the fix or the related place is missing\n%s", out.String())
		}
		if inCell.Locations[0].PhysicalLocation.Region != nil || inCell.Level != "note" ||
			!strings.HasPrefix(inCell.Message.Text, "cell 3, line 1: ") {
			t.Errorf("the line of a cell is taken for one of the file\n%s", out.String())
		}
	}
}

// TestGitHub: a command is one line, whatever is in its texts.
func TestGitHub(t *testing.T) {
	var out bytes.Buffer
	if err := GitHub.Write(&out, found(), "it\nfails", "/src/repo"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	want := []string{
		"::warning file=kernels/50%25%2C new.py,line=2,endLine=2,col=5,endColumn=8,title=newt%3A host-exception::" +
			"`NameError`: name 'äöü' is not defined: 100%25%0Asure, yes",
		"::warning ",
		"::notice file=notes/a.ipynb,title=newt%3A host-exception-bare::cell 3, line 1: `AssertionError`",
		"::error file=a.launch,title=newt%3A replay-differs::it differs",
		"::error title=newt::it%0Afails",
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("%s\nwant %s…", line, want[i])
		}
	}
}

// TestNames: names are relative to the root of the repository where they are in it, wherever newt was started.
func TestNames(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(root, "sub"))
	for _, c := range [][2]string{{root + "/a.py", "a.py"}, {root + "x/a.py", filepath.ToSlash(root) + "x/a.py"},
		{"a.py", "sub/a.py"}, {"./b/../../a.py", "a.py"}, {"../../a.py", "../../a.py"}, {"", ""},
		{"<stdin>", "<stdin>"}} {
		if name := relative(c[0], root); name != c[1] {
			t.Errorf("%s is %s, not %s", c[0], name, c[1])
		}
	}
}
