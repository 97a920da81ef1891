package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/judge"
)

// task is what a task.yml of GPU MODE says of a problem.
type task struct {
	Files []struct{ Name, Source string } // of the folder that a submission runs in: where they lie in the problem's
	// Tests and Benchmarks are arguments of generate_input; results are checked for both.
	Tests, Benchmarks []map[string]any
}

// readNeighbors reads what lies next to the reference, as far as scripts there can read it: the tests of a task.yml,
// and the modules that both files import.
func readNeighbors(e *Env, o *judge.Options) error {
	folder, err := foldersOf(e, o.Reference.Name, nil)
	if err != nil {
		return err
	}
	defer folder.Close()
	var t task
	if text, err := folder.ReadFile("task.yml"); err == nil {
		if err := yaml.Unmarshal(text, &t); err != nil {
			return fmt.Errorf("cannot read task.yml: %w", err)
		}
	}
	o.Tests, o.Modules = append(t.Tests, t.Benchmarks...), map[string]string{}
	paths := map[string]string{}
	for _, f := range t.Files {
		if path.Ext(f.Source) == ".py" {
			paths[f.Name] = f.Source
		}
	}
	judged := []string{filepath.Base(o.Reference.Name), filepath.Base(o.Submission.Name)}
	files := []*source.File{o.Reference, o.Submission}
	for len(files) > 0 {
		of := files[0]
		files = files[1:]
		for _, module := range importedModules(of) {
			name := module + ".py"
			if _, read := o.Modules[name]; read || slices.Contains(judged, name) {
				continue
			}
			for _, at := range []string{paths[name], name} {
				if text, err := folder.ReadFile(at); err == nil { // others are of libraries
					o.Modules[name] = string(text)
					files = append(files, source.NewFile(name, string(text)))
					break
				}
			}
		}
	}
	return nil
}

// importedModules are the modules that a file imports by a single name.
func importedModules(f *source.File) (names []string) {
	module, _ := syntax.Parse(f)
	syntax.Walk(module, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Import:
			for _, a := range n.Names {
				names = append(names, a.Name)
			}
		case *syntax.ImportFrom:
			names = append(names, n.Module)
		}
		return true
	})
	kept := names[:0]
	for _, name := range names {
		if name != "" && !strings.ContainsAny(name, `./\`) {
			kept = append(kept, name)
		}
	}
	return kept
}
