// Command tsgen writes the TypeScript types of a Go file's structs, as encoding/json writes them.
//
//	go run ../../infra/tsgen -in types.go -from wasm/api/types.go -out ../../frontend/src/gen/api.ts
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"reflect"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	in := flag.String("in", "", "Go file to read, relative to the folder of the go:generate line")
	from := flag.String("from", "", "the same file as the generated one names it")
	out := flag.String("out", "", "TypeScript file to write")
	flag.Parse()
	text, err := generate(*in, *from)
	if err == nil {
		err = os.WriteFile(*out, text, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// generate turns every struct of the Go file into an interface, and every other type into a name for what it is, with
// their comments. from is what the result says it was generated from.
func generate(file, from string) ([]byte, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated from %s. DO NOT EDIT.\n", from)
	types := slices.DeleteFunc(slices.Clone(tree.Decls), func(d ast.Decl) bool {
		of, ok := d.(*ast.GenDecl)
		return !ok || of.Tok != token.TYPE
	})
	writeImports(&out, types)
	for _, decl := range types {
		d := decl.(*ast.GenDecl)
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				if err := writeInterface(&out, t, d.Doc); err != nil {
					return nil, err
				}
			}
		}
	}
	return out.Bytes(), nil
}

// writeImports imports the types of other packages, which are generated next to these under the package's name.
func writeImports(out *bytes.Buffer, types []ast.Decl) {
	for _, decl := range types {
		ast.Inspect(decl, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				fmt.Fprintf(out, "import type { %s } from \"./%s\";\n", s.Sel.Name, s.X)
			}
			return true
		})
	}
}

func writeInterface(out *bytes.Buffer, spec *ast.TypeSpec, doc *ast.CommentGroup) error {
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		kind, err := typeScript(spec.Type)
		fmt.Fprintf(out, "\n/** %s */\nexport type %s = %s;\n", comment(doc), spec.Name, kind)
		return err
	}
	fmt.Fprintf(out, "\n/** %s */\nexport interface %s {\n", comment(doc), spec.Name)
	for _, f := range fields.Fields.List {
		name, options, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		kind, err := typeScript(f.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", spec.Name, name, err)
		}
		optional := ""
		if options == "omitempty" {
			optional = "?"
		}
		fmt.Fprintf(out, "  %s%s: %s;", name, optional, kind)
		if f.Comment != nil {
			fmt.Fprintf(out, " // %s", comment(f.Comment))
		}
		out.WriteByte('\n')
	}
	out.WriteString("}\n")
	return nil
}

func comment(c *ast.CommentGroup) string {
	return strings.Join(strings.Fields(c.Text()), " ")
}

var basic = map[string]string{"string": "string", "bool": "boolean", "int": "number", "int32": "number", "int64": "number", "uint64": "number", "float64": "number"}

func typeScript(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		if t := basic[e.Name]; t != "" {
			return t, nil
		}
		return e.Name, nil
	case *ast.SelectorExpr:
		return e.Sel.Name, nil
	case *ast.StarExpr:
		return typeScript(e.X)
	case *ast.ArrayType:
		t, err := typeScript(e.Elt)
		return t + "[]", err
	case *ast.MapType:
		t, err := typeScript(e.Value)
		return "Record<string, " + t + ">", err
	}
	return "", fmt.Errorf("no TypeScript type for %T", e)
}
