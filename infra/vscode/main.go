// Command vscode packs the extension of VS Code that starts `newt lsp`, as editors install it: a .vsix, which is a zip
// with a manifest of its own (Open Packaging Conventions) and the extension's folder.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	home := flag.String("home", "infra/vscode", "the extension's folder")
	out := flag.String("o", ".build/newt.vsix", "file to write")
	version := flag.String("version", "", "the extension's version (default: that of package.json)")
	flag.Parse()
	data, err := pack(*home, *version)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(*out), 0o755)
	}
	if err == nil {
		err = os.WriteFile(*out, data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vscode:", err)
		os.Exit(1)
	}
}

// manifest is the part of package.json that is read here.
type manifest struct {
	Name         string            `json:"name"`
	DisplayName  string            `json:"displayName"`
	Description  string            `json:"description"`
	Version      string            `json:"version"`
	Publisher    string            `json:"publisher"`
	Engines      map[string]string `json:"engines"`
	Categories   []string          `json:"categories"`
	Keywords     []string          `json:"keywords"`
	Dependencies map[string]string `json:"dependencies"`
}

// pack makes the .vsix of the extension in a folder.
func pack(home, version string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(home, "package.json"))
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if version != "" {
		old, _ := json.Marshal(m.Version)
		text = bytes.Replace(text, append([]byte(`"version": `), old...), fmt.Appendf(nil, `"version": %q`, version), 1)
		m.Version = version
	}
	if err := install(home, &m); err != nil {
		return nil, err
	}
	script, notices, err := bundle(home, filepath.Join(home, "extension.js"), nil)
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(home, "README.md"))
	license, err2 := os.ReadFile(filepath.Join(home, "../../LICENSE"))
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	var packed, description bytes.Buffer
	if err := vsixManifest.Execute(&description, m); err != nil {
		return nil, err
	}
	z := zip.NewWriter(&packed)
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"extension.vsixmanifest", description.Bytes()}, {"[Content_Types].xml", []byte(contentTypes)},
		{"extension/package.json", text}, {"extension/extension.js", script}, {"extension/README.md", readme},
		{"extension/LICENSE.txt", license}, {"extension/THIRD_PARTY.txt", notices},
	} {
		w, err := z.Create(f.name)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return packed.Bytes(), err
}

// install installs the dependencies from the lock file, unless they are there.
func install(home string, m *manifest) error {
	for name, version := range m.Dependencies {
		var there manifest
		text, _ := os.ReadFile(filepath.Join(home, "node_modules", name, "package.json"))
		if json.Unmarshal(text, &there); there.Version == version {
			continue
		}
		npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
		npm.Dir = home
		if out, err := npm.CombinedOutput(); err != nil {
			return fmt.Errorf("npm ci: %w\n%s", err, out)
		}
		return nil
	}
	return nil
}

// bundle makes one script of an entry and what it imports, and the licenses of the packages in it. alias names files in
// place of modules; without it, VS Code provides its own.
func bundle(home, entry string, alias map[string]string) (script, notices []byte, err error) {
	options := api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Platform: api.PlatformNode, Format: api.FormatCommonJS,
		Target: api.ES2022, Alias: alias, Metafile: true, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone,
		LogLevel: api.LogLevelWarning,
	}
	if options.AbsWorkingDir, err = filepath.Abs(home); err != nil {
		return nil, nil, err
	}
	if options.EntryPoints[0], err = filepath.Abs(entry); err != nil {
		return nil, nil, err
	}
	if alias == nil {
		options.External = []string{"vscode"}
	}
	result := api.Build(options)
	if len(result.Errors) > 0 {
		return nil, nil, errors.New("esbuild refused the extension (see above)")
	}
	notices, err = licenses(home, result.Metafile)
	return result.OutputFiles[0].Contents, notices, err
}

// licenses are the texts that come with the packages in a bundle.
func licenses(home, metafile string) ([]byte, error) {
	var meta struct {
		Inputs map[string]json.RawMessage `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	for name := range meta.Inputs {
		if at := strings.LastIndex(name, "node_modules/"); at >= 0 {
			rest := name[at+len("node_modules/"):]
			packages[name[:at]+"node_modules/"+rest[:strings.IndexByte(rest, '/')]] = true
		}
	}
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		files, _ := filepath.Glob(filepath.Join(home, name, "[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*"))
		if len(files) == 0 {
			return nil, fmt.Errorf("%s has no license", name)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s\n\n%s\n\n", filepath.Base(name), bytes.TrimSpace(text))
	}
	return out.Bytes(), nil
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".txt" ContentType="text/plain"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`

var vsixManifest = template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join}).Parse(
	`<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="{{html .Name}}" Version="{{html .Version}}" Publisher="{{html .Publisher}}"/>
<DisplayName>{{html .DisplayName}}</DisplayName>
<Description xml:space="preserve">{{html .Description}}</Description>
<Tags>{{html (join .Keywords ",")}}</Tags>
<Categories>{{html (join .Categories ",")}}</Categories>
<License>extension/LICENSE.txt</License>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value="{{html .Engines.vscode}}"/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
`))
