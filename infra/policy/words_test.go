package policy

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

func words(t *testing.T) []Word {
	t.Helper()
	words, err := ParseWords(read(t, "words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// TestWords holds what users read to words.txt.
func TestWords(t *testing.T) {
	bad, err := CheckWords(os.DirFS("../.."), words(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bad {
		t.Error(b)
	}
}

// TestInsteadIsAllowed: what a rule recommends passes every rule.
func TestInsteadIsAllowed(t *testing.T) {
	all := words(t)
	for _, w := range all {
		for _, b := range (passage{0, w.Instead}).check(w.Pattern.String(), all) {
			t.Error(b)
		}
	}
}

func TestCheckWords(t *testing.T) {
	bad, err := CheckWords(fstest.MapFS{
		"docs/a.md":                    {Data: []byte("# Title\nShapes `go together`,\nand C stands for a matrix.\n\n```\nbeside\n```\nThe file stands beside\nthe tag.\n")},
		"compiler/tl/rows.go":          {Data: []byte("package diag\n\n// The shapes go together beside it.\nvar x = T{\n\t\"these do not go together\", `beside`,\n}\n")},
		"compiler/diag/catalog/x.txt":  {Data: []byte("no-code\n  headline  it is `beside` here, and beside there\n")},
		"compiler/diag/other.go":       {Data: []byte("package diag\n\nvar x = \"beside\"\n")},
		"frontend/src/i18n/en.ts":      {Data: []byte("// beside\nconst beside = {\n  beside: (n: number) => `${n} beside`,\n  \"beside\": 1,\n};\n")},
		"puzzles/01_x/statement.zh.md": {Data: []byte("这次启动\n这次 kernel 启动\n")},
		"runner/cli/x_test.go":         {Data: []byte("package cli\n\nvar x = \"beside\"\n")},
	}, words(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"compiler/diag/catalog/x.txt:2: not \"beside\": say next to; in addition to; with",
		"compiler/tl/rows.go:5: not \"beside\": say next to; in addition to; with",
		"compiler/tl/rows.go:5: not \"go together\": say cannot be broadcast together; cannot be combined",
		"docs/a.md:8: not \"beside\": say next to; in addition to; with",
		"docs/a.md:8: not \"stands beside\": say is",
		"frontend/src/i18n/en.ts:3: not \"beside\": say next to; in addition to; with",
		"frontend/src/i18n/en.ts:4: not \"beside\": say next to; in addition to; with",
		"puzzles/01_x/statement.zh.md:1: not \"这次启动\": say 这次 kernel 启动、一次 kernel 启动",
	}
	if !slices.Equal(bad, want) {
		t.Errorf("got %q", bad)
	}
	if _, err := ParseWords("a rule"); err == nil {
		t.Error("a rule without => is read")
	}
}
