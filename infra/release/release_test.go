package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/newtlab/newt/infra/soak"
)

// TestRelease makes the release for this machine's own platform, where it is one, twice, and takes
// the archive apart as someone who downloads it would.
func TestRelease(t *testing.T) {
	here := target{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(targets, here) || here.os == "windows" {
		here = targets[0]
	}
	first := t.TempDir()
	old := filepath.Join(first, "newt_v0_linux_amd64.tar.gz")
	if err := os.WriteFile(old, []byte("an earlier release"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(first, []target{here}); err != nil {
		t.Fatal(err)
	}
	files := readAll(t, first)
	if soak.On() { // TestZipped has two archives of the same files
		second := t.TempDir()
		if err := run(second, []target{here}); err != nil {
			t.Fatal(err)
		}
		for name, data := range readAll(t, second) {
			if !bytes.Equal(files[name], data) {
				t.Errorf("%s differs between two builds of one tree", name)
			}
		}
	}
	sums := checkSums(t, files)
	if len(sums) != 2 || len(files) != 3 {
		t.Fatalf("release of one target: %v", sums)
	}
	slices.Sort(sums)
	top := strings.TrimSuffix(sums[1], ".tar.gz")
	if sums[0] != top+".cdx.json" || !strings.HasSuffix(top, "_"+here.os+"_"+here.arch) {
		t.Fatalf("release of %v: %v", here, sums)
	}
	program := checkTarball(t, top, files[sums[1]])
	checkBill(t, top, files[sums[0]], program)
	if here != (target{runtime.GOOS, runtime.GOARCH}) {
		return
	}
	name := filepath.Join(t.TempDir(), "newt")
	if err := os.WriteFile(name, program, 0o755); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(name, "version").Output()
	if version := strings.Split(top, "_")[1]; err != nil || !strings.HasPrefix(string(said), "newt "+version+" (commit ") {
		t.Errorf("newt version: %s, %v; the archive is of %s", said, err, version)
	}
}

func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if files[f.Name()], err = os.ReadFile(filepath.Join(dir, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// checkSums does what `sha256sum --check` does, and returns the names of the list.
func checkSums(t *testing.T, files map[string][]byte) []string {
	t.Helper()
	var names []string
	for line := range strings.Lines(string(files[sumsFile])) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256(files[name])); got != sum {
			t.Errorf("%s: checksum %s, listed as %s", name, got, sum)
		}
		names = append(names, name)
	}
	return names
}

// checkTarball looks at every file of the archive and returns the program.
func checkTarball(t *testing.T, top string, data []byte) []byte {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name, ok := strings.CutPrefix(h.Name, top+"/")
		if !ok || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.ModTime.IsZero() || (h.Mode&0o111 != 0) != (name == "newt") {
			t.Errorf("entry %+v", h)
		}
		if found[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	for name, part := range map[string]string{
		"newt": "<!doctype html>", "README.md": "# newt", "LICENSE": "Apache License",
		"THIRD_PARTY_LICENSES.txt": "katex", "newt.service": "ExecStart=",
	} {
		if name == "newt.service" && !strings.Contains(top, "_linux_") {
			continue
		}
		if !bytes.Contains(found[name], []byte(part)) {
			t.Errorf("%s does not hold %q", name, part)
		}
	}
	if root, err := moduleRoot(); err != nil || bytes.Contains(found["newt"], []byte(root+"/runner")) {
		t.Errorf("the program holds this machine's paths (%v)", err)
	}
	return found["newt"]
}

func checkBill(t *testing.T, top string, data, program []byte) {
	t.Helper()
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(data), cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	newt := bom.Metadata.Component
	sum := sha256.Sum256(program)
	if !strings.Contains(top, "_"+newt.Version+"_") || (*newt.Hashes)[0].Value != hex.EncodeToString(sum[:]) {
		t.Errorf("the SBOM of %s is of %s %v", top, newt.Version, newt.Hashes)
	}
	var names []string
	for _, c := range *bom.Components {
		names = append(names, c.Name)
		if c.Version == "" || c.PackageURL == "" || c.Name != "std" && c.Hashes == nil {
			t.Errorf("component %+v", c)
		}
	}
	for name, want := range map[string]bool{
		"std": true, "golang.org/x/sys": true, "katex": true, "@codemirror/view": true,
		"typescript": false, "axe-core": false, "github.com/chromedp/chromedp": false,
	} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s in the SBOM: %v", name, !want)
		}
	}
	if len(*(*bom.Dependencies)[0].Dependencies) != len(names) {
		t.Error("the SBOM's program does not depend on its components")
	}
}

func TestChoose(t *testing.T) {
	for list, want := range map[string]int{"": len(targets), "linux/arm64,windows/amd64": 2, "linux": -1, "plan9/amd64": -1, "linux/amd64,": -1} {
		got, err := choose(list)
		if (err != nil) != (want < 0) || err == nil && len(got) != want {
			t.Errorf("choose(%q) = %v, %v", list, got, err)
		}
	}
}

func TestZipped(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)
	files := []entry{{"newt.exe", []byte("program"), 0o755}, {"README.md", []byte("text"), 0o644}}
	name, data, err := zipped("newt_v1", at, files)
	if err != nil || name != "newt_v1.zip" {
		t.Fatal(name, err)
	}
	if _, again, _ := zipped("newt_v1", at, files); !bytes.Equal(data, again) {
		t.Error("two archives of the same files differ")
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.File {
		text, err := fs.ReadFile(r, f.Name)
		if err != nil || f.Name != "newt_v1/"+files[i].name || !bytes.Equal(text, files[i].data) || !f.Modified.Equal(at) || f.Mode() != files[i].mode {
			t.Errorf("%s %v %v %q %v", f.Name, f.Mode(), f.Modified, text, err)
		}
	}
}

func TestNPMComponents(t *testing.T) {
	home := t.TempDir()
	lock, err := json.Marshal(map[string]any{"packages": map[string]any{
		"":                                    map[string]any{"version": "0"},
		"node_modules/@a/b":                   map[string]any{"version": "1.0.0", "license": "MIT", "integrity": "sha512-AQI="},
		"node_modules/@a/b/node_modules/@c/d": map[string]any{"version": "2.0.0", "license": "ISC"},
		"node_modules/tool":                   map[string]any{"version": "3.0.0", "dev": true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "package-lock.json"), lock, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := npmComponents(home)
	want := []component{
		{"@a/b", "1.0.0", "pkg:npm/%40a/b@1.0.0", "MIT", "SHA-512", "0102", filepath.Join(home, "node_modules/@a/b")},
		{"@c/d", "2.0.0", "pkg:npm/%40c/d@2.0.0", "ISC", "", "", filepath.Join(home, "node_modules/@a/b/node_modules/@c/d")},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A part without a license stops the release: its terms cannot be kept.
func TestLicenseTexts(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"LICENSE-MIT": "do as you like", "licenses.go": "package x", "README": "read"} {
		if err := os.WriteFile(filepath.Join(with, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := licenseTexts([]component{{name: "a", version: "v1", dir: with}})
	if err != nil || !strings.Contains(string(text), "a v1: LICENSE-MIT\n\ndo as you like") || strings.Contains(string(text), "package x") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := licenseTexts([]component{{name: "b", version: "v1", dir: without}}); err == nil {
		t.Error("a component without a license passes")
	}
}
