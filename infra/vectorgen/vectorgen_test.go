package vectorgen

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var write = flag.Bool("write", false, "write the files that the test compares")

// TestFiles: the assembly of the tree is what the descriptions say.
//
//go:generate go test -run ^TestFiles$ -write
func TestFiles(t *testing.T) {
	for name, want := range files() {
		name = filepath.Join("..", "..", name)
		if *write {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, err := os.ReadFile(name); err != nil || string(have) != want {
			t.Errorf("%s differs from what its descriptions say: run make generate (%v)", name, err)
		}
	}
}
