package link

import (
	"io/fs"
	"os"
	"path"
	"reflect"
	"testing"
	"testing/fstest"
)

// TestFS sends one of newt's own puzzles through a link and finds every file again.
func TestFS(t *testing.T) {
	const folder = "09_simple_flash_attention"
	disk := os.DirFS("../../../puzzles")
	names, err := fs.Glob(disk, folder+"/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	p := &Custom{Folder: folder}
	for i := range names {
		name := names[len(names)-1-i] // any order will do
		text, err := fs.ReadFile(disk, name)
		if err != nil {
			t.Fatal(err)
		}
		p.Files = append(p.Files, File{path.Base(name), string(text)})
	}
	first := p.Files[0]
	text, err := Encode(State{Custom: p})
	if err != nil {
		t.Fatal(err)
	}
	if p.Files[0] != first {
		t.Error("Encode reordered its argument")
	}
	t.Logf("the puzzle is a link of %d letters", len(text))
	s, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(s.Custom.FS(), names...); err != nil {
		t.Error(err)
	}
	for _, name := range names {
		got, err := fs.ReadFile(s.Custom.FS(), name)
		want, _ := fs.ReadFile(disk, name)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
		}
	}
}
