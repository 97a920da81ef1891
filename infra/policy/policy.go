// Package policy holds the project's rules about itself as text, and the test that keeps them.
package policy

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is the path that this module's imports begin with.
const Module = "github.com/newtlab/newt"

// Edge is one import: the importing package's folder, the import path, and the file that has it.
type Edge struct{ From, Import, File string }

// SkipsFolder reports whether what reads the tree leaves a folder out: hidden ones, packages of npm, and others.
func SkipsFolder(folder string, others ...string) bool {
	base := path.Base(folder)
	return folder != "." && strings.HasPrefix(base, ".") || base == "node_modules" || slices.Contains(others, base)
}

// Edges reads the imports of every Go file below root, whatever its build constraints.
// Test files count only where tests is set.
func Edges(root fs.FS, tests bool) ([]Edge, error) {
	var edges []Edge
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && SkipsFolder(name, "testdata") {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") != tests {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			edges = append(edges, Edge{path.Dir(name), strings.Trim(spec.Path.Value, `"`), name})
		}
		return nil
	})
	return edges, err
}

// scriptImport is an import of another file in TypeScript: of names, for its effect alone, or when it is first wanted.
var scriptImport = regexp.MustCompile(`(?:\bfrom|\bimport\(|^import)\s*["'](\.[^"']+)["']`)

// ScriptEdges reads the imports between the folders of TypeScript in root, as if each were a package of this module.
// A file in root itself belongs to the folder main.
func ScriptEdges(root fs.FS) ([]Edge, error) {
	folder := func(name string) string {
		if first, _, below := strings.Cut(name, "/"); below {
			return first
		}
		return "main"
	}
	var edges []Edge
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".ts" && path.Ext(name) != ".tsx" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			for _, m := range scriptImport.FindAllStringSubmatch(line, -1) {
				if from, to := folder(name), folder(path.Join(path.Dir(name), m[1])); from != to {
					edges = append(edges, Edge{from, Module + "/" + to, name})
				}
			}
		}
		return nil
	})
	return edges, err
}

// Allowed is, for each package folder, the folders that it may import.
type Allowed map[string]map[string]bool

// ParseImports reads rules in the form of imports.txt.
func ParseImports(text string) (Allowed, error) {
	allowed := Allowed{}
	for rule := range strings.SplitSeq(stripComments(text), ";") {
		levels := strings.Split(rule, "<")
		if len(levels) < 2 {
			if strings.TrimSpace(rule) != "" {
				return nil, fmt.Errorf("rule without <: %q", strings.TrimSpace(rule))
			}
			continue
		}
		for i, level := range levels[1:] {
			for _, user := range names(level) {
				allowed.add(user, names(levels[i]))
			}
		}
	}
	return allowed, nil
}

func (a Allowed) add(user string, used []string) {
	if a[user] == nil {
		a[user] = map[string]bool{}
	}
	for _, u := range used {
		if u != "NONE" {
			a[user][u] = true
			maps.Copy(a[user], a[u])
		}
	}
}

// CheckImports lists the edges inside the module that the rules do not allow.
func (a Allowed) CheckImports(edges []Edge) []string {
	var bad []string
	for _, e := range edges {
		to, inside := strings.CutPrefix(e.Import, Module+"/")
		if e.Import == Module || !inside {
			continue
		}
		if a[e.From] == nil {
			bad = append(bad, fmt.Sprintf("%s: package %s is not named in the rules", e.File, e.From))
		} else if !a[e.From][to] {
			bad = append(bad, fmt.Sprintf("%s: %s may not import %s", e.File, e.From, to))
		}
	}
	slices.Sort(bad)
	return slices.Compact(bad)
}

// Modules is, for each folder, the outside import paths added and the standard ones taken away.
type Modules map[string][]string

// ParseModules reads rules in the form of modules.txt.
func ParseModules(text string) (Modules, error) {
	modules := Modules{}
	for line := range strings.SplitSeq(stripComments(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		folder, rest, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line without a colon: %q", line)
		}
		modules[folder] = strings.Fields(rest)
	}
	return modules, nil
}

// CheckModules lists the imports from outside the module that the rules do not allow.
func (m Modules) CheckModules(edges []Edge) []string {
	var bad []string
	for _, e := range edges {
		if e.Import == Module || strings.HasPrefix(e.Import, Module+"/") {
			continue
		}
		if !m.allows(e.From, e.Import) {
			bad = append(bad, fmt.Sprintf("%s: %s may not import %s", e.File, e.From, e.Import))
		}
	}
	return bad
}

func (m Modules) allows(folder, imported string) bool {
	standard := !strings.Contains(strings.SplitN(imported, "/", 2)[0], ".")
	for f := folder; f != "."; f = path.Dir(f) {
		for _, rule := range m[f] {
			if taken, minus := strings.CutPrefix(rule, "-"); minus && imported == taken {
				return false
			} else if !minus && (imported == rule || strings.HasPrefix(imported, rule+"/")) {
				return true
			}
		}
	}
	return standard
}

func stripComments(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "#")
	}
	return strings.Join(lines, "\n")
}

func names(list string) []string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		out = append(out, strings.TrimSpace(name))
	}
	return out
}
