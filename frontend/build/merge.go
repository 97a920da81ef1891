package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// merge puts the scripts that an entry's script imports statically into that script, and has all others import from it
// what they imported from them. esbuild makes a script of each set of modules that the same scripts share, so that no
// page loads a module in vain; but these are loaded with every page, and were forty requests.
func (b *bundle) merge(meta *metafile) error {
	m := merger{script: b.script, texts: map[string]string{}, exports: map[string]string{}}
	for _, f := range b.files {
		m.texts[f.name] = string(f.data)
	}
	for _, name := range meta.staticImports("dist/" + b.script) {
		m.merged = append(m.merged, name)
		m.exports[name] = ""
	}
	if len(m.merged) == 0 {
		return nil
	}
	entry := "import " + relative(b.script) + "\n"
	count := 0
	for _, name := range m.merged {
		var given, taken []string
		for _, export := range meta.Outputs["dist/"+name].Exports {
			given = append(given, fmt.Sprintf("%s as e%d", export, count))
			taken = append(taken, fmt.Sprintf("e%d as %s", count, export))
			count++
		}
		entry += "export {" + strings.Join(given, ",") + "} from " + relative(name) + "\n"
		m.exports[name] = "export {" + strings.Join(taken, ",") + "} from " + relative(b.script)
	}
	var files []file
	for _, f := range b.files {
		var err error
		switch {
		case slices.Contains(m.merged, f.name):
			continue
		case f.name == b.script:
			f.data, err = m.link(entry, m.whole)
		case path.Ext(f.name) == ".js":
			f.data, err = m.link(string(f.data), m.elsewhere)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		files = append(files, f)
	}
	b.files = files
	b.eager = slices.DeleteFunc(b.eager, func(name string) bool { return slices.Contains(m.merged, name) })
	b.rename()
	return nil
}

// rename gives the scripts names with hashes of what they have become, and has them import each other by these. The
// script of the entry and the others import each other, so that no hash of one alone covers what it imports: each is of
// all scripts and of the script's own name.
func (b *bundle) rename() {
	all := sha256.New()
	for _, f := range b.files {
		if path.Ext(f.name) == ".js" {
			all.Write(f.data)
		}
	}
	sum, names, pairs := all.Sum(nil), map[string]string{}, []string{}
	for _, f := range b.files {
		if path.Ext(f.name) != ".js" {
			continue
		}
		stem, _, _ := strings.Cut(strings.TrimSuffix(path.Base(f.name), ".js"), "-")
		name := path.Join(path.Dir(f.name), hashedName(stem+".js", append([]byte(f.name), sum...)))
		names[f.name] = name
		pairs = append(pairs, path.Base(f.name), path.Base(name))
	}
	imports := strings.NewReplacer(pairs...)
	for i, f := range b.files {
		if name, found := names[f.name]; found {
			b.files[i] = file{name, []byte(imports.Replace(string(f.data)))}
		}
	}
	b.script = names[b.script]
	for i, name := range b.eager {
		b.eager[i] = cmp.Or(names[name], name)
	}
}

// merger links scripts of a bundle anew.
type merger struct {
	script  string            // that takes in the others
	merged  []string          // the others
	texts   map[string]string // of all scripts, by name
	exports map[string]string // a merged script by its name, as it is to others: what the first one exports of it
}

// relative is how a script imports another: all are in one folder.
func relative(name string) string { return fmt.Sprintf("%q", "./"+path.Base(name)) }

// whole finds a script of those that become one; the others stay where they are.
func (m *merger) whole(name string) (string, bool) {
	text, found := m.texts[name]
	return text, found && (name == m.script || slices.Contains(m.merged, name))
}

// elsewhere finds a merged script for those that are none.
func (m *merger) elsewhere(name string) (string, bool) {
	text, found := m.exports[name]
	return text, found
}

// link bundles a script with those that find has the text of; it imports the others as before.
func (m *merger) link(text string, find func(name string) (string, bool)) ([]byte, error) {
	folder := path.Dir(m.script)
	plugin := api.Plugin{Name: "merge", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^\./`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			name := path.Join(folder, a.Path)
			if _, found := find(name); found && a.Kind == api.ResolveJSImportStatement {
				return api.OnResolveResult{Path: name, Namespace: "merged"}, nil
			}
			return api.OnResolveResult{Path: a.Path, External: true}, nil
		})
		all := api.OnLoadOptions{Filter: ".*", Namespace: "merged"}
		build.OnLoad(all, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text, _ := find(a.Path)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: text, Loader: api.LoaderJS}, Plugins: []api.Plugin{plugin}, Bundle: true,
		Format: api.FormatESModule, Target: api.ES2022, LegalComments: api.LegalCommentsNone,
		MinifySyntax: true, MinifyWhitespace: true, MinifyIdentifiers: true, LogLevel: api.LogLevelWarning,
		// A merged script that waits for one that imports from it would wait forever.
		Supported: map[string]bool{"top-level-await": false},
	})
	if len(result.Errors) > 0 || len(result.OutputFiles) != 1 {
		return nil, errors.New("esbuild refused what it has made (see above)")
	}
	return result.OutputFiles[0].Contents, nil
}
