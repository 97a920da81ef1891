package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// CheckComments lists the comments of Go files below root that no longer tell the truth about names:
// doc comments that do not begin with the name of what they document, and mentions of files that are
// nowhere in the tree.
func CheckComments(root fs.FS) ([]string, error) {
	sources := map[string][]byte{}
	bases := map[string]bool{} // names of all files without their folders
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && SkipsFolder(name, "dist") {
			return fs.SkipDir
		}
		bases[path.Base(name)] = true
		if path.Ext(name) == ".go" {
			sources[name], err = fs.ReadFile(root, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var bad []string
	for name, text := range sources {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		report := func(at token.Pos, format string, args ...any) {
			bad = append(bad, fmt.Sprintf("%s:%d: ", name, files.Position(at).Line)+fmt.Sprintf(format, args...))
		}
		for _, group := range file.Comments {
			for _, mentioned := range fileNames(group.Text()) {
				if !bases[path.Base(mentioned)] {
					report(group.Pos(), "the comment mentions %s, which is nowhere in the tree", mentioned)
				}
			}
		}
		for _, decl := range file.Decls {
			if doc, declared := documented(decl); doc != nil && !beginsWith(doc.Text(), declared) {
				report(doc.Pos(), "the doc comment of %s does not begin with its name", declared)
			}
		}
	}
	slices.Sort(bad)
	return bad, nil
}

// documented is the doc comment of a declaration and the first name declared, where a comment must begin
// with the name: not at groups, at init and main, or at tests, whose comments state what is claimed.
func documented(decl ast.Decl) (*ast.CommentGroup, string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Name.Name != "init" && decl.Name.Name != "main" && !testFunction.MatchString(decl.Name.Name) {
			return decl.Doc, decl.Name.Name
		}
	case *ast.GenDecl:
		if decl.Lparen.IsValid() {
			break
		}
		switch spec := decl.Specs[0].(type) {
		case *ast.TypeSpec:
			return decl.Doc, spec.Name.Name
		case *ast.ValueSpec:
			return decl.Doc, spec.Names[0].Name
		}
	}
	return nil, ""
}

var testFunction = regexp.MustCompile(`^(Test|Benchmark|Fuzz|Example)([^a-z]|$)`)

// beginsWith is whether text opens with name as a word, or with an article before it.
func beginsWith(text, name string) bool {
	for _, article := range []string{"", "A ", "An ", "The "} {
		if rest, ok := strings.CutPrefix(text, article+name); ok && (rest == "" || !identifier.MatchString(rest[:1])) {
			return true
		}
	}
	return text == ""
}

var identifier = regexp.MustCompile(`^\w`)

// mention is a file's name in running text, with the character before it.
var mention = regexp.MustCompile(`(^|[^\w./%<{*-])([a-z][\w-]*(?:/[\w-]+)*\.(?:go|py|ts|tsx|css|sh))\b`)

// foreign are files of other projects that comments may name as a source.
var foreign = []string{"runtime/", "torch/", "triton/"}

// fileNames are the files that a comment mentions, but for those of other projects.
func fileNames(text string) []string {
	var names []string
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(foreign, func(prefix string) bool { return strings.HasPrefix(m[2], prefix) }) {
			names = append(names, m[2])
		}
	}
	return names
}
