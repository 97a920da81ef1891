package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// javaScript is what JavaScript has and neither Python, HTML nor JSON: operators, declarations, lines that end in a
// semicolon.
var javaScript = regexp.MustCompile(`=>|===|&&|\|\||\b(const|let|function) \w|\bnew [A-Z]|;[ \t]*\n`)

// CheckScripts returns the strings in the Go files below root, as file:line, that have JavaScript on more than a line.
func CheckScripts(root fs.FS) (bad []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n, ok := n.(*ast.BasicLit); ok && n.Kind == token.STRING {
				value, err := strconv.Unquote(n.Value)
				if err == nil && strings.Contains(strings.TrimSpace(value), "\n") && javaScript.MatchString(value) {
					bad = append(bad, name+":"+strconv.Itoa(files.Position(n.Pos()).Line))
				}
			}
			return true
		})
		return nil
	})
	return bad, err
}
