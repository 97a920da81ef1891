package policy

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Word is one rule of words.txt: what a text must not contain, and what it says in its place.
type Word struct {
	Pattern *regexp.Regexp
	Instead string
}

// ParseWords reads rules in the form of words.txt.
func ParseWords(text string) ([]Word, error) {
	var words []Word
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, instead, ok := strings.Cut(line, " => ")
		if !ok {
			return nil, fmt.Errorf("rule without =>: %q", line)
		}
		compiled, err := regexp.Compile("(?im)" + strings.TrimSpace(pattern))
		if err != nil {
			return nil, err
		}
		words = append(words, Word{compiled, strings.TrimSpace(instead)})
	}
	return words, nil
}

// passage is a piece of a file that people read, and the line that it begins on.
type passage struct {
	line int
	text string
}

// userFacing are the files with texts for users, and how the texts are found in each. The first row that
// matches a file's path counts.
var userFacing = []struct {
	path     *regexp.Regexp
	passages func(text []byte) ([]passage, error)
}{
	{regexp.MustCompile(`_test\.go$|/testdata/|(^|/)(node_modules|dist|gen)/`), nil},
	{regexp.MustCompile(`^compiler/diag/catalog/\w+\.txt$|/(catalog|phrases|rows)\.txt$`), prose},
	{regexp.MustCompile(`^compiler/tl/\w+\.go$`), goLiterals},
	{regexp.MustCompile(`^runner/(cli|client|doctor|endpoint|server)/\w+\.go$`), goLiterals},
	{regexp.MustCompile(`^frontend/src/i18n/[\w-]+\.ts$`), scriptLiterals},
	{regexp.MustCompile(`^puzzles/\w+/(puzzle|text)\.json$`), prose},
	{regexp.MustCompile(`\.md$`), prose},
}

// CheckWords lists the words of the texts for users below root that rules replace.
func CheckWords(root fs.FS, words []Word) ([]string, error) {
	var bad []string
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && strings.HasPrefix(path.Base(name), ".") || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		passages := reader(name)
		if passages == nil {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		list, err := passages(text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range list {
			bad = append(bad, p.check(name, words)...)
		}
		return nil
	})
	slices.Sort(bad)
	return bad, err
}

// reader is how the texts for users are found in a file, or nil if it has none.
func reader(name string) func([]byte) ([]passage, error) {
	for _, kind := range userFacing {
		if kind.path.MatchString(name) {
			return kind.passages
		}
	}
	return nil
}

// check lists the words of p that rules replace, with the file and the line of each.
func (p passage) check(file string, words []Word) []string {
	var bad []string
	// Code is not prose; its lines stay, so that line numbers do.
	text := code.ReplaceAllStringFunc(p.text, func(quoted string) string {
		return "`" + strings.Repeat("\n", strings.Count(quoted, "\n")) + "`"
	})
	for _, w := range words {
		for _, at := range w.Pattern.FindAllStringIndex(text, -1) {
			line := p.line + strings.Count(text[:at[0]], "\n")
			bad = append(bad, fmt.Sprintf("%s:%d: not %q: say %s", file, line, text[at[0]:at[1]], w.Instead))
		}
	}
	return bad
}

// code is source text inside prose, which no rule is about: fenced blocks, indented blocks, text in
// backquotes, and the targets of links.
var code = regexp.MustCompile("(?ms)^ *```.*?^ *```|^    [^\n]*|`[^`\n]*`|\\]\\([^)\n]*\\)")

// prose takes all of a file.
func prose(text []byte) ([]passage, error) { return []passage{{1, string(text)}}, nil }

// goLiterals takes the string literals of a Go file but for its imports and the tags of its fields.
func goLiterals(text []byte) ([]passage, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []passage
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				value, err := strconv.Unquote(n.Value)
				if err == nil {
					found = append(found, passage{files.Position(n.Pos()).Line, strings.ReplaceAll(value, "\n", " ")})
				}
			}
		}
		return true
	})
	return found, nil
}

// scriptLiteral is a string or a template of TypeScript on one line.
var scriptLiteral = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\\n]|\\\\.)*`")

// scriptLiterals takes the string literals and templates of a TypeScript file but for its imports.
func scriptLiterals(text []byte) ([]passage, error) {
	var found []passage
	for i, line := range bytes.Split(text, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("import ")) {
			continue
		}
		for _, literal := range scriptLiteral.FindAll(line, -1) {
			found = append(found, passage{i + 1, string(literal[1 : len(literal)-1])})
		}
	}
	return found, nil
}
