package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// MaxColumns is the width that a line of Go outside tables may have; a tab counts as four columns.
const MaxColumns = 120

// CheckWidths returns the lines below root, as file:line, that are wider than MaxColumns and are not in a table. Tests,
// testdata and generated files are left out.
func CheckWidths(root fs.FS) (bad []string, err error) {
	err = WalkGo(root, func(name string, files *token.FileSet, file *ast.File, text string) {
		wide, _ := WideLines(files, file, text)
		for _, line := range wide {
			bad = append(bad, name+":"+strconv.Itoa(line))
		}
	})
	return bad, err
}

// WalkGo calls visit for each Go file below root, parsed with its comments. Tests, testdata and generated files are
// left out.
func WalkGo(root fs.FS, visit func(name string, files *token.FileSet, file *ast.File, text string)) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && SkipsFolder(name, "testdata") {
			return fs.SkipDir
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.ParseComments)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		visit(name, files, file, string(text))
		return nil
	})
}

// WideLines returns the numbers of the lines of a file that are wider than MaxColumns, outside and inside tables.
func WideLines(files *token.FileSet, file *ast.File, text string) (outside, inside []int) {
	tables := tableLines(files, file)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		switch {
		case columns(line) <= MaxColumns:
		case strings.HasPrefix(line, "//go:"): // a directive is one line
		case tables[number]:
			inside = append(inside, number)
		default:
			outside = append(outside, number)
		}
	}
	return outside, inside
}

// tableLines are the lines of values of packages, of functions that only return a literal, which is such a value made
// when it is asked for, and of literals in functions that are a list of rows.
func tableLines(files *token.FileSet, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	add := func(n ast.Node) {
		for l := files.Position(n.Pos()).Line; l <= files.Position(n.End()).Line; l++ {
			lines[l] = true
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok == token.VAR || decl.Tok == token.CONST {
				add(decl)
			}
		case *ast.FuncDecl:
			if returnsLiteral(decl) {
				add(decl.Body)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.CompositeLit); ok && hasRows(files, literal) {
			for _, row := range literal.Elts {
				add(row)
			}
		}
		return true
	})
	return lines
}

// returnsLiteral reports whether a function does nothing but return a literal.
func returnsLiteral(f *ast.FuncDecl) bool {
	if f.Body == nil || len(f.Body.List) != 1 {
		return false
	}
	r, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	_, ok = r.Results[0].(*ast.CompositeLit)
	return ok
}

// hasRows reports whether a literal has rows: its elements are literals of its element type, each on its own line.
func hasRows(files *token.FileSet, literal *ast.CompositeLit) bool {
	last := files.Position(literal.Lbrace).Line
	for _, element := range literal.Elts {
		value := element
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			value = pair.Value
		}
		row, ok := value.(*ast.CompositeLit)
		first := files.Position(element.Pos()).Line
		if !ok || row.Type != nil || first == last || files.Position(element.End()).Line != first {
			return false
		}
		last = first
	}
	return len(literal.Elts) > 1
}

func columns(line string) int {
	const tab = 4
	n := 0
	for _, r := range line {
		n++
		if r == '\t' {
			n += tab - 1
		}
	}
	return n
}
