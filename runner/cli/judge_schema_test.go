package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/newtlab/newt/interp/judge"
)

// TestGoldenReportSchema: the schema in the repository is that of the Go type, and reports fit it.
func TestGoldenReportSchema(t *testing.T) {
	const file = "../../interp/judge/report.schema.json"
	schema, err := jsonschema.For[judge.Report](nil)
	if err != nil {
		t.Fatal(err)
	}
	schema.Schema, schema.Title = "https://json-schema.org/draft/2020-12/schema", "The report of newt judge --json"
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != string(text) {
		t.Errorf("%s is not that of judge.Report: run this test with -update (%v)", file, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := judgeData(t)
	for _, name := range []string{"right/add.py", "right/rowsum.py", "wrong/race.py", "wrong/raises.py", "unjudged/ends_process.py"} {
		reference := "add.py"
		if filepath.Base(name)[0] == 'r' && name != "wrong/raises.py" {
			reference = "rowsum.py"
		}
		out, _, _ := newt(t, "judge", filepath.Join(data, name), "--against", filepath.Join(data, "references", reference),
			"--seed", "7", "--json")
		var report any
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(report); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
