package findings

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	_ "github.com/newtlab/newt/interp/host" // its diagnostics
	"github.com/newtlab/newt/runner/share/link"
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
		if err := SARIF.Write(&out, c.list, c.failure, Repository{Root: "/src/repo"}); err != nil {
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
		if want := (sarifRegion{2, 5, 2, 8}); place.Region != want {
			t.Errorf("the region is %v", place.Region)
		}
		if len(run.Tool.Driver.Rules) != 3 || run.Tool.Driver.Rules[first.RuleIndex].ID != first.RuleID {
			t.Errorf("the rules are not those of the results\n%s", out.String())
		}
		if len(first.Fixes) != 1 || len(first.RelatedLocations) != 1 || first.Level != "warning" {
			t.Errorf("the fix or the related place is missing\n%s", out.String())
		}
		if inCell.Locations[0].PhysicalLocation.Region != (sarifRegion{1, 1, 1, 1}) || inCell.Level != "note" ||
			!strings.HasPrefix(inCell.Message.Text, "cell 3, line 1: ") {
			t.Errorf("the line of a cell is taken for one of the file\n%s", out.String())
		}
	}
}

// TestGitHub: a command is one line, whatever is in its texts.
func TestGitHub(t *testing.T) {
	var out bytes.Buffer
	if err := GitHub.Write(&out, found(), "it\nfails", Repository{Root: "/src/repo"}); err != nil {
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

// TestLinks: a finding links to the page with the file as the repository has it, in the log and in the summary, whose
// tables no text can leave.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	kernel := "# äöü\n" + strings.Repeat("x = 1\n", 1000)
	for name, text := range map[string]string{"kernels/a_b.py": kernel, "notes.ipynb": "{}",
		"large.py": strings.Repeat("#", maxLinked+1)} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("kernels/a_b.py", filepath.Join(root, "link.py")); err != nil {
		t.Fatal(err)
	}
	var list []diag.JSON
	for _, name := range []string{"kernels/a_b.py", "kernels/a_b.py", "notes.ipynb:cell 3", "large.py", "link.py",
		"../other.py", "<stdin>"} {
		list = append(list, diag.JSON{Code: "a-code", Severity: "warning", Headline: "`a|b_`\n[x](javascript:1) <script>`",
			File: name, Place: diag.JSONPlace{Line: 3, Column: 1, EndLine: 3, EndColumn: 2}})
	}
	summary := filepath.Join(root, "summary.md")
	if err := os.WriteFile(summary, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	of := Repository{Root: root, Page: "https://newt.example/play?lang=en", Summary: summary}
	t.Chdir(root)
	if err := SARIF.Write(&out, list, "it *fails*", of); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	formats := []string{"python", "python", "notebook", "", "", "", ""}
	for i, r := range log.Runs[0].Results {
		payload, linked := strings.CutPrefix(r.HostedViewerURI, "https://newt.example/play?lang=en#l=")
		if linked != (formats[i] != "") || strings.Contains(r.Message.Text, "[Open in newt](https://") != linked {
			t.Errorf("%s: %s", list[i].File, r.HostedViewerURI)
		}
		if !linked {
			continue
		}
		state, err := link.Decode(payload)
		if err != nil || state.Document.Format != formats[i] || i == 0 && state.Source != kernel {
			t.Errorf("%s: %v, %+v", list[i].File, err, state.Document)
		}
	}
	text, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	const row = "| warning | <code>a\\|b\\_</code> \\[x\\](javascript:1) &lt;script&gt;\\` (a-code) |"
	got := regexp.MustCompile(`#l=[\w-]+`).ReplaceAllString(string(text), "#l=…")
	want := `before
### newt: 7 findings

it \*fails\*

kernels/a\_b.py, [open in newt](https://newt.example/play?lang=en#l=…)

| line | | finding |
|---|---|---|
| 3 ` + row + `
| 3 ` + row + `

notes.ipynb, [open in newt](https://newt.example/play?lang=en#l=…)

| line | | finding |
|---|---|---|
| cell 3, 3 ` + row + `

large.py
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestSummaryIsBounded: of more findings than GitHub shows, the number of the others is told.
func TestSummaryIsBounded(t *testing.T) {
	list := make([]diag.JSON, 20000)
	for i := range list {
		list[i] = diag.JSON{Code: "a-code", Severity: "error", Headline: strings.Repeat("x", 100), File: "a.py"}
	}
	text := (&linker{}).summary(list, "")
	if len(text) > 1<<20 || !regexp.MustCompile(`\n\d+ more findings are left out\.\n`).MatchString(text) {
		t.Errorf("%d bytes, which end in %s", len(text), text[len(text)-100:])
	}
}
