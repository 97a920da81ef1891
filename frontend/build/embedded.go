package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// embedded is the text of a file that a program embeds, with the numbers of the functions that mention the variable
// which holds it. Nothing else reads the text before one of them has run.
type embedded struct {
	text    []byte
	readers []int
}

// embeddingPackage is what `go list` says of a package.
type embeddingPackage struct {
	ImportPath, Dir     string
	GoFiles, EmbedFiles []string
	Standard            bool
}

// embeddedFiles are the files that newt's packages embed into a program of the page. A variable that other packages can
// read, or that another variable is made of, has no readers that can be named; its files are left out. The names are
// those of the program's functions.
func embeddedFiles(root, program string, names []string) ([]embedded, error) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,EmbedFiles,Standard", program)
	list.Dir, list.Env, list.Stderr = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm"), os.Stderr
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the packages of %s: %w", program, err)
	}
	var files []embedded
	for packages := json.NewDecoder(bytes.NewReader(output)); ; {
		var p embeddingPackage
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return files, nil
		} else if err != nil {
			return nil, err
		}
		if p.Standard || len(p.EmbedFiles) == 0 || slices.Contains(inlined, p.ImportPath) {
			continue
		}
		more, err := p.files(names)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
}

// files are what the private variables of a package hold.
func (p *embeddingPackage) files(names []string) ([]embedded, error) {
	patterns, users := map[string][]string{}, map[string][]string{}
	for _, name := range p.GoFiles {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range tree.Decls {
			if variable, globs := embedDirective(d); variable != "" {
				patterns[variable] = globs
				continue
			}
			for _, identifier := range identifiers(d) {
				if f := p.functionName(d); !slices.Contains(users[identifier], f) {
					users[identifier] = append(users[identifier], f)
				}
			}
		}
	}
	var files []embedded
	for variable, globs := range patterns {
		if ast.IsExported(variable) || slices.Contains(users[variable], "") {
			continue
		}
		readers := numbersOf(names, users[variable])
		if len(readers) == 0 {
			continue
		}
		for _, name := range p.EmbedFiles {
			if !slices.ContainsFunc(globs, func(glob string) bool { ok, _ := path.Match(glob, name); return ok }) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			files = append(files, embedded{text, readers})
		}
	}
	return files, nil
}

// embedDirective reads the declaration of a variable that embeds files: its name and the patterns of their names.
func embedDirective(d ast.Decl) (variable string, patterns []string) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR || g.Doc == nil || len(g.Specs) != 1 {
		return "", nil
	}
	for _, c := range g.Doc.List {
		if rest, found := strings.CutPrefix(c.Text, "//go:embed "); found {
			variable, patterns = g.Specs[0].(*ast.ValueSpec).Names[0].Name, append(patterns, strings.Fields(rest)...)
		}
	}
	return variable, patterns
}

func identifiers(d ast.Decl) []string {
	var names []string
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// functionName is the name that the linker gives a function; it is empty for other declarations.
func (p *embeddingPackage) functionName(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	switch {
	case !ok || f.Name.Name == "init":
		return ""
	case f.Recv == nil:
		return p.ImportPath + "." + f.Name.Name
	}
	switch receiver := f.Recv.List[0].Type.(type) {
	case *ast.Ident:
		return p.ImportPath + "." + receiver.Name + "." + f.Name.Name
	case *ast.StarExpr:
		if of, ok := receiver.X.(*ast.Ident); ok {
			return p.ImportPath + ".(*" + of.Name + ")." + f.Name.Name
		}
	}
	return "" // of a generic type
}

// numbersOf are the numbers of functions, and of the literals and wrappers in them, which the linker names after them.
func numbersOf(names, functions []string) (numbers []int) {
	for i, name := range names {
		for _, f := range functions {
			rest, found := strings.CutPrefix(name, f)
			if found && (rest == "" || strings.ContainsAny(rest[:1], ".[-")) {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}

// moveTexts takes out of a program's data the texts that late functions alone read. They are segments of the second
// module: instantiating it puts them where they were. A text that is in memory more than once stays.
func (p *linked) moveTexts(files []embedded, late []int) ([]segment, error) {
	memory, err := readMemory(p.section(dataSection))
	if err != nil {
		return nil, err
	}
	var moved []segment
	for _, f := range files {
		at := bytes.Index(memory.bytes, f.text)
		if len(f.text) < minGap || at < 0 || bytes.Contains(memory.bytes[at+1:], f.text) ||
			slices.ContainsFunc(f.readers, func(i int) bool { return late[i] < 0 }) {
			continue
		}
		moved = append(moved, segment{memory.address + uint64(at), bytes.Clone(f.text)})
		clear(memory.bytes[at : at+len(f.text)])
	}
	p.set(dataSection, appendActive([]byte{1}, memory))
	return moved, nil
}
