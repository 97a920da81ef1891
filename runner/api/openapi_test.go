package api

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// TestGoldenDescription: the description in the repository is that of the table.
func TestGoldenDescription(t *testing.T) {
	want, err := Describe()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile("openapi.json"); err != nil || !bytes.Equal(have, want) {
		t.Errorf("openapi.json is not that of the table: run this test with -update (%v)", err)
	}
}
