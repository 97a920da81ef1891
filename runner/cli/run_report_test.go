package cli

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/operation"
)

// reported is the one JSON document at the end of standard error.
func reported(t *testing.T, stderr string) (out operation.RunReport) {
	t.Helper()
	_, text, _ := strings.Cut("\n"+stderr, "\n{\n") // a traceback of the script comes first
	d := json.NewDecoder(strings.NewReader("{" + text))
	if err := d.Decode(&out); err != nil || d.More() {
		t.Fatalf("%v, more %v: %s", err, d.More(), stderr)
	}
	return out
}

// TestOneStyleOfNames: the names in all that the command line writes as JSON are in camel case.
func TestOneStyleOfNames(t *testing.T) {
	camel := regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	seen := map[reflect.Type]bool{}
	var visit func(at reflect.Type)
	visit = func(at reflect.Type) {
		switch at.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			visit(at.Elem())
		case reflect.Struct:
			if seen[at] || at.Implements(reflect.TypeFor[json.Marshaler]()) {
				return
			}
			seen[at] = true
			for i := range at.NumField() {
				field := at.Field(i)
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if !field.IsExported() || name == "-" {
					continue
				}
				if !field.Anonymous && !camel.MatchString(name) {
					t.Errorf("%v.%s is %q in JSON", at, field.Name, name)
				}
				visit(field.Type)
			}
		}
	}
	for _, root := range []any{operation.RunReport{}, jsonVerdict{}, operation.Replayed{}, []diag.JSON{}} {
		visit(reflect.TypeOf(root))
	}
}

// TestErrorOn: findings of the kinds that are named end a run with status 1.
func TestErrorOn(t *testing.T) {
	for _, c := range []struct {
		file, kinds string
		status      int
	}{
		{"testdata/racing_programs.py", "race", exitFail},
		{"testdata/racing_programs.py", "undefined,race", exitFail},
		{"testdata/racing_programs.py", "undefined,oob", exitOK},
		{"testdata/racing_programs.py", "warning", exitFail},
		{"testdata/unwritten_sum.py", "unwritten", exitFail},
		{"testdata/unwritten_sum.py", "race", exitOK},
		{"testdata/vector_add.py", "race,undefined,unwritten,oob,nan,hint,warning", exitOK},
		{"testdata/vector_add.py", "rase", exitUsage},
	} {
		_, stderr, status := newt(t, "run", "--device", "cpu", "--json", "--error-on="+c.kinds, c.file)
		if status != c.status || status == exitUsage && !strings.Contains(stderr, `did you mean "race"?`) {
			t.Errorf("%s --error-on=%s: status %d, want %d\n%s", c.file, c.kinds, status, c.status, stderr)
		}
		if status != exitUsage && reported(t, stderr).Status != status {
			t.Errorf("%s", stderr)
		}
	}
}
