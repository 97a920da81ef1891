// Package main prints the figures by which the readability of the tree is followed from change to change:
// sizes, comments inside function bodies, names, widths of lines, imports and cycles.
//
//	go run ./infra/figures [-v] [ROOT]
//
// Go files count without tests, testdata and generated files; TypeScript is read for its imports only.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/newtlab/newt/infra/policy"
)

// ManyMethods is the number of methods from which on a one-word method name says too little.
const ManyMethods = 40

// Figures are what is counted of one group of packages.
type Figures struct {
	Files, Lines  int
	BodyLines     int            // lines of function bodies that hold code
	BodyComments  int            // lines of comments inside function bodies
	Functions     int            // functions and methods with a body
	Methods       map[string]int // package.Type → its methods
	OneWord       map[string]int // package.Type → its methods whose names are one word
	Wide          []string       // file:line of lines over policy.MaxColumns outside tables
	WideInTables  int
	Documented    int // exported declarations with a doc comment
	Exported      int
	FunctionNames int // characters of all function names
}

func main() {
	verbose := flag.Bool("v", false, "list every wide line, too")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := report(os.DirFS(root), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// groups are the rows of the report: the whole tree first, then the packages that are followed.
var groups = []string{
	".", "compiler/ptx", "compiler/lower", "compiler/opt", "compiler/syntax", "interp/tile", "interp/tensor",
	"interp/host", "interp/launch", "runner/sched", "runner/endpoint", "runner/client", "puzzles/judge", "wasm",
}

func report(root fs.FS, verbose bool) error {
	packages, err := ReadGo(root)
	if err != nil {
		return err
	}
	const head = "%-18s %6s %7s %9s %9s %6s %6s %7s %6s\n"
	fmt.Printf(head, "", "files", "lines", "comments", "one-word", "name", "docs", "wide", "wide")
	fmt.Printf(head, "", "", "", "/100 body", "names %", "length", "%", "outside", "tables")
	for _, group := range groups {
		sum := Sum(packages, group)
		one := 0
		for _, n := range sum.OneWord {
			one += n
		}
		methods := 0
		for _, n := range sum.Methods {
			methods += n
		}
		fmt.Printf("%-18s %6d %7d %9.1f %9.0f %6.1f %6.0f %7d %6d\n", group, sum.Files, sum.Lines,
			percent(sum.BodyComments, sum.BodyLines), percent(one, methods),
			float64(sum.FunctionNames)/float64(max(1, sum.Functions)), percent(sum.Documented, sum.Exported),
			len(sum.Wide), sum.WideInTables)
	}
	all := Sum(packages, ".")
	types := slices.SortedFunc(maps.Keys(all.Methods), func(a, b string) int { return all.Methods[b] - all.Methods[a] })
	fmt.Printf("\nTypes of over %d methods, and how many of these have a name of one word:\n", ManyMethods)
	for _, name := range types {
		if all.Methods[name] > ManyMethods {
			fmt.Printf("  %-34s %4d %4d\n", name, all.Methods[name], all.OneWord[name])
		}
	}
	chain := LongestChain(packages)
	fmt.Printf("\nLongest chain of imports: %d packages\n  %s\n", len(chain), strings.Join(chain, " > "))
	cycles, err := FrontendCycles(root)
	if err != nil {
		return err
	}
	fmt.Printf("\nFolders of frontend/src that import each other in a cycle: %d\n", len(cycles))
	for _, c := range cycles {
		fmt.Printf("  %s\n", strings.Join(c, " "))
	}
	if verbose {
		fmt.Printf("\nLines over %d columns outside tables:\n  %s\n", policy.MaxColumns, strings.Join(all.Wide, "\n  "))
	}
	return nil
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }

// Package is what was read of one folder of Go files.
type Package struct {
	Figures
	Imports []string // folders of this module
}

// ReadGo reads the Go packages below root by folder.
func ReadGo(root fs.FS) (map[string]*Package, error) {
	packages := map[string]*Package{}
	err := policy.WalkGo(root, func(name string, files *token.FileSet, file *ast.File, text string) {
		p := packages[path.Dir(name)]
		if p == nil {
			p = &Package{Figures: Figures{Methods: map[string]int{}, OneWord: map[string]int{}}}
			packages[path.Dir(name)] = p
		}
		p.add(name, text, files, file)
	})
	return packages, err
}

const modulePath = "github.com/newtlab/newt/"

func (p *Package) add(name, text string, files *token.FileSet, file *ast.File) {
	line := func(pos token.Pos) int { return files.Position(pos).Line }
	lines := strings.Split(text, "\n")
	p.Files++
	p.Lines += len(lines) - 1
	for _, spec := range file.Imports {
		if to, inside := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), modulePath); inside {
			p.Imports = append(p.Imports, to)
		}
	}
	comment := map[int]bool{} // lines that hold nothing but a comment
	for _, group := range file.Comments {
		for _, c := range group.List {
			for l := line(c.Pos()); l <= line(c.End()); l++ {
				comment[l] = strings.HasPrefix(strings.TrimSpace(lines[l-1]), "//")
			}
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			p.documented(decl)
		case *ast.FuncDecl:
			p.function(file.Name.Name, decl)
			if decl.Body == nil {
				continue
			}
			for l := line(decl.Body.Lbrace) + 1; l < line(decl.Body.Rbrace); l++ {
				if comment[l] {
					p.BodyComments++
				} else if strings.TrimSpace(lines[l-1]) != "" {
					p.BodyLines++
				}
			}
			// A comment that ends a line of code counts, too.
			for _, group := range file.Comments {
				if group.Pos() > decl.Body.Lbrace && group.End() < decl.Body.Rbrace && !comment[line(group.Pos())] {
					p.BodyComments++
				}
			}
		}
	}
	outside, inside := policy.WideLines(files, file, text)
	p.WideInTables += len(inside)
	for _, l := range outside {
		p.Wide = append(p.Wide, fmt.Sprintf("%s:%d", name, l))
	}
}

func (p *Package) documented(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.IsExported() {
			p.Exported++
			if decl.Doc != nil || spec.Doc != nil {
				p.Documented++
			}
		}
	}
}

func (p *Package) function(pkg string, decl *ast.FuncDecl) {
	name := decl.Name.Name
	p.Functions++
	p.FunctionNames += len(name)
	if decl.Name.IsExported() {
		p.Exported++
		if decl.Doc != nil {
			p.Documented++
		}
	}
	if decl.Recv == nil {
		return
	}
	t := decl.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	if ident, ok := t.(*ast.Ident); ok {
		key := pkg + "." + ident.Name
		p.Methods[key]++
		if oneWord(name) {
			p.OneWord[key]++
		}
	}
}

func oneWord(name string) bool {
	return !strings.ContainsFunc(name[1:], unicode.IsUpper)
}

// Sum adds up the packages at and below folder.
func Sum(packages map[string]*Package, folder string) Figures {
	sum := Figures{Methods: map[string]int{}, OneWord: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		if folder != "." && name != folder && !strings.HasPrefix(name, folder+"/") {
			continue
		}
		f := packages[name].Figures
		sum.Files += f.Files
		sum.Lines += f.Lines
		sum.BodyLines += f.BodyLines
		sum.BodyComments += f.BodyComments
		sum.Functions += f.Functions
		sum.FunctionNames += f.FunctionNames
		sum.WideInTables += f.WideInTables
		sum.Documented += f.Documented
		sum.Exported += f.Exported
		sum.Wide = append(sum.Wide, f.Wide...)
		for key, n := range f.Methods {
			sum.Methods[key] += n
			sum.OneWord[key] += f.OneWord[key]
		}
	}
	return sum
}

// LongestChain is the longest path of imports between packages of this module, the importer first.
func LongestChain(packages map[string]*Package) []string {
	best := map[string][]string{}
	var from func(name string) []string
	from = func(name string) []string {
		if chain, done := best[name]; done {
			return chain
		}
		var longest []string
		if p := packages[name]; p != nil {
			for _, to := range p.Imports {
				if chain := from(to); len(chain) > len(longest) {
					longest = chain
				}
			}
		}
		best[name] = append([]string{name}, longest...)
		return best[name]
	}
	var longest []string
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		if chain := from(name); len(chain) > len(longest) {
			longest = chain
		}
	}
	return longest
}

// FrontendCycles are the sets of folders in frontend/src that import each other, directly or through others.
func FrontendCycles(root fs.FS) ([][]string, error) {
	src, err := fs.Sub(root, "frontend/src")
	if err != nil {
		return nil, err
	}
	imports, err := policy.ScriptEdges(src)
	edges := map[string]map[string]bool{}
	for _, e := range imports {
		if edges[e.From] == nil {
			edges[e.From] = map[string]bool{}
		}
		edges[e.From][strings.TrimPrefix(e.Import, policy.Module+"/")] = true
	}
	return components(edges), err
}

// components are the strongly connected components of more than one node.
func components(edges map[string]map[string]bool) [][]string {
	reach := map[string]map[string]bool{}
	for from := range edges {
		seen := map[string]bool{}
		for work := slices.Collect(maps.Keys(edges[from])); len(work) > 0; {
			to := work[0]
			work = work[1:]
			if !seen[to] {
				seen[to] = true
				work = slices.AppendSeq(work, maps.Keys(edges[to]))
			}
		}
		reach[from] = seen
	}
	var cycles [][]string
	placed := map[string]bool{}
	for _, from := range slices.Sorted(maps.Keys(reach)) {
		cycle := []string{from}
		for _, to := range slices.Sorted(maps.Keys(reach[from])) {
			if to != from && reach[to][from] {
				cycle = append(cycle, to)
			}
		}
		if len(cycle) > 1 && !placed[from] {
			for _, name := range cycle {
				placed[name] = true
			}
			cycles = append(cycles, cycle)
		}
	}
	return cycles
}
