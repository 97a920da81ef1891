package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestPackage: the package has what VS Code reads of one, in agreement with the extension's manifest.
func TestPackage(t *testing.T) {
	data, err := pack(".", "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	var m struct {
		manifest
		Main             string   `json:"main"`
		ActivationEvents []string `json:"activationEvents"`
		Contributes      struct {
			Configuration struct {
				Properties map[string]struct{ Type, Description string }
			}
			Commands []struct{ Command string }
		}
	}
	if err := json.Unmarshal(files["extension/package.json"], &m); err != nil {
		t.Fatal(err)
	}
	script := string(files["extension/"+strings.TrimPrefix(m.Main, "./")])
	for _, c := range []struct {
		what string
		ok   bool
	}{
		{"name", regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(m.Name)},
		{"version", m.Version == "1.2.3"},
		{"engine", strings.HasPrefix(m.Engines["vscode"], "^1.")},
		{"activation", len(m.ActivationEvents) == 1},
		{"the library is in the script", strings.Contains(script, "LanguageClient") && strings.Contains(script, `require("vscode")`)},
		{"and nothing else is outside", !regexp.MustCompile(`require\("(vscode-|semver|minimatch)`).MatchString(script)},
		{"license", bytes.Contains(files["extension/LICENSE.txt"], []byte("Apache License"))},
		{"others' licenses", bytes.Count(files["extension/THIRD_PARTY.txt"], []byte("Microsoft Corporation")) >= 3},
	} {
		if !c.ok {
			t.Errorf("%s\n%s", c.what, files["extension/package.json"])
		}
	}
	readme := string(files["extension/README.md"])
	for name, p := range m.Contributes.Configuration.Properties {
		if p.Type == "" || p.Description == "" || !strings.Contains(readme, name) ||
			!strings.Contains(script, `get("`+strings.TrimPrefix(name, "newt.")+`")`) {
			t.Errorf("the setting %s is described or used nowhere", name)
		}
	}
	for _, c := range m.Contributes.Commands {
		if !strings.Contains(script, `"`+c.Command+`"`) {
			t.Errorf("the command %s is registered nowhere", c.Command)
		}
	}
	var v struct {
		Identity struct {
			ID        string `xml:"Id,attr"`
			Version   string `xml:",attr"`
			Publisher string `xml:",attr"`
		} `xml:"Metadata>Identity"`
		License string `xml:"Metadata>License"`
		Assets  []struct {
			Path string `xml:",attr"`
		} `xml:"Assets>Asset"`
	}
	if err := xml.Unmarshal(files["extension.vsixmanifest"], &v); err != nil {
		t.Fatal(err)
	}
	if v.Identity.ID != m.Name || v.Identity.Version != m.Version || v.Identity.Publisher != m.Publisher {
		t.Errorf("%+v is not %+v", v.Identity, m.manifest)
	}
	for _, a := range v.Assets {
		if files[a.Path] == nil {
			t.Errorf("there is no %s", a.Path)
		}
	}
	var types struct {
		Default []struct {
			Extension string `xml:",attr"`
		}
	}
	if err := xml.Unmarshal(files["[Content_Types].xml"], &types); err != nil {
		t.Fatal(err)
	}
	for name := range files {
		known := name == "[Content_Types].xml"
		for _, d := range types.Default {
			known = known || strings.HasSuffix(name, d.Extension)
		}
		if !known {
			t.Errorf("the type of %s is not known", name)
		}
	}
}

const mistaken = `import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, BLOCK: tl.constexpr):
    """𝛼"""; offs = tl.arrange(0, BLOCK)
    tl.store(x_ptr + offs, tl.load(x_ptr + offs) + 1)


add[(1,)](torch.zeros(4, device="cuda"), 4)
`

const helper = "import triton.language as tl\n\nSIZE = tl.constexpr(%d)\n"

const importing = `import helper
import torch
import triton
import triton.language as tl


@triton.jit
def clear(x_ptr):
    tl.store(x_ptr + tl.arange(0, helper.SIZE), 0.0)


clear[(1,)](torch.zeros(8, device="cuda"))
`

// timeout ends a session that hangs.
const timeout = time.Minute

// TestSession: the extension starts newt, and the protocol's own library for clients edits files with it.
func TestSession(t *testing.T) {
	folder := t.TempDir()
	newt := filepath.Join(folder, "newt")
	if out, err := exec.Command("go", "build", "-o", newt, "../../runner").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"one/kernel.py": mistaken, "one/helper.py": fmt.Sprintf(helper, 5),
		"two/kernel.py": importing, "two/helper.py": fmt.Sprintf(helper, 8),
		"one/pyproject.toml": "", "two/pyproject.toml": "",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := pack(".", ""); err != nil { // which installs the library
		t.Fatal(err)
	}
	script, _, err := bundle(".", "testdata/session.mjs", map[string]string{
		"vscode": "./testdata/vscode.mjs", "vscode-languageclient/node": "./testdata/client.mjs"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "-")
	node.Stdin = bytes.NewReader(script)
	node.Dir = folder
	uri := func(name string) string { return "file://" + filepath.ToSlash(filepath.Join(folder, name)) }
	folders, _ := json.Marshal([]map[string]string{{"uri": uri("one"), "name": "one"}, {"uri": uri("two"), "name": "two"}})
	node.Env = append(os.Environ(), "NEWT="+newt, "FOLDERS="+string(folders))
	node.Stderr = os.Stderr
	out, err := node.Output()
	want, wrong := os.ReadFile("testdata/session.txt")
	got := strings.ReplaceAll(string(out), folder, "FOLDER")
	if err != nil || wrong != nil || got != string(want) {
		t.Errorf("%v, %v\n%s", err, wrong, got)
	}
}
