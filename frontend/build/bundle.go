package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// file is one output of a bundle; name is relative to the page's root.
type file struct {
	name string
	data []byte
}

// bundle is what esbuild made of one entry point.
type bundle struct {
	files  []file
	script string   // the entry's own script
	style  string   // its style sheet, if it has one
	eager  []string // scripts to fetch along with it: what it imports, and the editor
}

// editorEntry is imported on its own, so that the page appears before it is there, but always.
const editorEntry = "src/editor/editor.ts"

// bundlePage bundles the page's own script and style; assets is what it finds as "newt:assets".
func bundlePage(home string, dev bool, assets assets) (*bundle, error) {
	return bundleEntry(home, "src/main.tsx", dev, api.FormatESModule, map[string]string{
		"newt:assets": "export default " + assets.json(),
	})
}

// bundlePreload bundles the script that has the program fetched before the page's own script is there.
func bundlePreload(home string, dev bool, assets assets) (*bundle, error) {
	return bundleEntry(home, "src/preload.ts", dev, api.FormatIIFE, map[string]string{
		"newt:assets": "export default " + assets.json(),
	})
}

// bundleWorker bundles the script of the Web Worker with Go's own support code for WASM.
func bundleWorker(home, goroot string, dev bool) (*bundle, error) {
	support, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("support code for WASM in the Go tree: %w", err)
	}
	return bundleEntry(home, "src/engine/worker.ts", dev, api.FormatIIFE, map[string]string{
		"newt:wasm_exec": string(support),
	})
}

// bundleServiceWorker bundles sw.js, whose name carries no hash: browsers ask for it again by name.
func bundleServiceWorker(home string, dev bool, precache string) ([]byte, error) {
	b, err := bundleEntry(home, "src/offline/sw.ts", dev, api.FormatIIFE, map[string]string{
		"newt:precache": "export default " + precache,
	})
	if err != nil {
		return nil, err
	}
	for _, f := range b.files {
		if f.name == b.script {
			return f.data, nil
		}
	}
	return nil, errors.New("esbuild made no service worker")
}

// bundleEntry bundles one entry point; virtual maps import paths to JavaScript sources.
func bundleEntry(home, entry string, dev bool, format api.Format, virtual map[string]string) (*bundle, error) {
	options := api.BuildOptions{
		AbsWorkingDir:     home,
		EntryPoints:       []string{entry},
		Outdir:            filepath.Join(home, "dist"),
		EntryNames:        "assets/[name]-[hash]",
		ChunkNames:        "assets/[name]-[hash]",
		AssetNames:        "assets/[name]-[hash]",
		PublicPath:        "./",
		Bundle:            true,
		Splitting:         format == api.FormatESModule,
		Format:            format,
		Target:            api.ES2022,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		MinifySyntax:      !dev,
		MinifyWhitespace:  !dev,
		MinifyIdentifiers: !dev,
		LegalComments:     api.LegalCommentsNone,
		Metafile:          true,
		LogLevel:          api.LogLevelWarning,
		Plugins:           []api.Plugin{virtualModules(virtual), modernFonts()},
		Loader: map[string]api.Loader{
			".woff2": api.LoaderFile,
			".py":    api.LoaderText,
			".svg":   api.LoaderFile,
		},
	}
	options.PublicPath = "" // relative names: the page works below any path
	if dev {
		options.Sourcemap = api.SourceMapInline
	}
	result := api.Build(options)
	if len(result.Errors) > 0 {
		return nil, errors.New("esbuild refused the source (see above)")
	}
	b, err := newBundle(home, entry, result)
	if err != nil || !options.Splitting || dev {
		return b, err
	}
	meta, err := parseMeta(result.Metafile)
	if err != nil {
		return nil, err
	}
	return b, b.merge(meta)
}

// virtualModules serves sources that exist only during the build.
func virtualModules(sources map[string]string) api.Plugin {
	return api.Plugin{Name: "virtual", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^newt:"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: a.Path, Namespace: "newt"}, nil
		})
		all := api.OnLoadOptions{Filter: ".*", Namespace: "newt"}
		build.OnLoad(all, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			source, ok := sources[a.Path]
			if !ok {
				return api.OnLoadResult{}, fmt.Errorf("no module %s in this bundle", a.Path)
			}
			return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
		})
	}}
}

var oldFontSource = regexp.MustCompile(`,\s*url\([^)]*\.(woff|ttf)['"]?\)\s*format\([^)]*\)`)

// modernFonts drops the woff and ttf alternatives of packaged style sheets: every browser that
// runs newt reads woff2.
func modernFonts() api.Plugin {
	return api.Plugin{Name: "woff2", Setup: func(build api.PluginBuild) {
		sheets := api.OnLoadOptions{Filter: `node_modules/.*\.css$`}
		build.OnLoad(sheets, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			css, err := os.ReadFile(a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			kept := oldFontSource.ReplaceAllString(string(css), "")
			return api.OnLoadResult{Contents: &kept, Loader: api.LoaderCSS, ResolveDir: filepath.Dir(a.Path)}, nil
		})
	}}
}

// newBundle sorts esbuild's outputs; the metafile tells which are the entry's.
func newBundle(home, entry string, result api.BuildResult) (*bundle, error) {
	meta, err := parseMeta(result.Metafile)
	if err != nil {
		return nil, err
	}
	b := &bundle{}
	for _, f := range result.OutputFiles {
		name, err := filepath.Rel(filepath.Join(home, "dist"), f.Path)
		if err != nil {
			return nil, err
		}
		b.files = append(b.files, file{filepath.ToSlash(name), f.Contents})
	}
	main, ok := meta.outputOf(entry)
	if !ok {
		return nil, fmt.Errorf("esbuild made no script of %s", path.Base(entry))
	}
	b.script = strings.TrimPrefix(main, "dist/")
	b.style = strings.TrimPrefix(meta.Outputs[main].CSSBundle, "dist/")
	b.eager = meta.staticImports(main)
	if lazy, ok := meta.outputOf(editorEntry); ok {
		b.eager = append(b.eager, strings.TrimPrefix(lazy, "dist/"))
		b.eager = append(b.eager, meta.staticImports(lazy)...)
		slices.Sort(b.eager)
		b.eager = slices.Compact(b.eager)
	}
	return b, nil
}
