package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	catalogueRow = regexp.MustCompile(`(?m)^([a-z][a-z0-9.-]+)(?:\t|$)`)
	codeOrKey    = regexp.MustCompile(`"([a-z][a-z0-9.-]+)"`)
)

// TestCatalogues: a package that names a code or a phrase of another's catalogue imports that package, perhaps through
// others: every program has the words for what it reports.
func TestCatalogues(t *testing.T) {
	edges, err := Edges(os.DirFS("../.."), false)
	if err != nil {
		t.Fatal(err)
	}
	imports, owners := map[string][]string{}, map[string]string{}
	for _, e := range edges {
		imports[e.From] = append(imports[e.From], strings.TrimPrefix(e.Import, Module+"/"))
		if filepath.Base(e.File) == "catalog.go" && e.From != "compiler/diag" {
			for _, name := range []string{"catalog.txt", "phrases.txt"} {
				text, _ := os.ReadFile("../../" + e.From + "/" + name) // some have one of them
				for _, m := range catalogueRow.FindAllStringSubmatch(string(text), -1) {
					owners[m[1]] = e.From
				}
			}
		}
	}
	if len(owners) < 300 {
		t.Fatalf("only %d codes and phrases", len(owners))
	}
	for folder := range imports {
		linked := map[string]bool{}
		reach(imports, folder, linked)
		files, err := filepath.Glob("../../" + folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			isTest := strings.HasSuffix(file, "_test.go") || strings.HasSuffix(folder, "test")
			if isTest || strings.HasPrefix(folder, "compiler/diag") {
				continue
			}
			for _, m := range codeOrKey.FindAllStringSubmatch(read(t, file), -1) {
				if owner := owners[m[1]]; owner != "" && !linked[owner] {
					t.Errorf("%s names %q and does not import %s", file, m[1], owner)
				}
			}
		}
	}
}

// reach adds a package and all that it imports.
func reach(imports map[string][]string, from string, into map[string]bool) {
	if !into[from] {
		into[from] = true
		for _, to := range imports[from] {
			reach(imports, to, into)
		}
	}
}
