// Command release makes the archives that people download: for each platform one static program
// with the page inside, its README, license and service file, beside them a list of what the
// program is made of (SBOM), and the checksums of all. The same commit and Go toolchain give the
// same bytes.
//
//	go run ./infra/release [-o .build/release] [-targets linux/amd64,linux/arm64]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/frontend/packed"
	"github.com/newtlab/newt/runner/version"
)

// target is a platform by Go's names.
type target struct{ os, arch string }

// targets are the platforms of a release.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

func main() {
	out := flag.String("o", filepath.Join(".build", "release"),
		"folder for the release; earlier ones in it are replaced")
	only := flag.String("targets", "", "platforms, as linux/amd64,darwin/arm64 (default: all)")
	flag.Parse()
	chosen, err := choose(*only)
	if err == nil {
		err = run(*out, chosen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// choose reads a list of platforms; an empty one is all.
func choose(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var chosen []target
	for name := range strings.SplitSeq(list, ",") {
		system, arch, _ := strings.Cut(name, "/")
		t := target{system, arch}
		if !slices.Contains(targets, t) {
			return nil, fmt.Errorf("%q is none of the release's platforms %v", name, targets)
		}
		chosen = append(chosen, t)
	}
	return chosen, nil
}

// run makes the release of the chosen targets in the folder out.
func run(out string, chosen []target) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if !packed.Exists(os.DirFS(filepath.Join(root, "frontend", "dist")), "index.html") {
		return errors.New("the page has not been built: run `make release`, or `go run ./frontend/build` first")
	}
	if err := clean(out); err != nil {
		return err
	}
	for _, t := range chosen {
		if err := release(root, out, t); err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
	}
	return writeSums(out)
}

// release makes the archive and the SBOM of one target.
func release(root, out string, t target) error {
	p, err := build(root, t)
	if err != nil {
		return err
	}
	parts, err := components(root, p.info)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("newt_%s_%s_%s", p.version.Version, t.os, t.arch)
	files, err := contents(root, t, p.data, parts)
	if err != nil {
		return err
	}
	pack := packers[t.os]
	if pack == nil {
		pack = tarball
	}
	archive, data, err := pack(name, p.version.Time, files)
	if err != nil {
		return err
	}
	bom, err := bill(p, t, parts)
	if err != nil {
		return err
	}
	for file, data := range map[string][]byte{archive: data, name + ".cdx.json": bom} {
		if err := os.WriteFile(filepath.Join(out, file), data, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%s  %d bytes%s\n", archive, len(data), remark(p.version))
	return nil
}

// remark warns of a release that no commit holds.
func remark(v version.Info) string {
	if v.Modified {
		return "  (the working tree differs from the commit)"
	}
	return ""
}

// contents are the files of an archive.
func contents(root string, t target, program []byte, parts []component) ([]entry, error) {
	licenses, err := licenseTexts(parts)
	if err != nil {
		return nil, err
	}
	binary := "newt"
	if t.os == "windows" {
		binary += ".exe"
	}
	files := []entry{{binary, program, 0o755}, {"THIRD_PARTY_LICENSES.txt", licenses, 0o644}}
	others := []string{"README.md", "LICENSE"}
	if t.os == "linux" {
		others = append(others, "infra/systemd/newt.service")
	}
	for _, name := range others {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		files = append(files, entry{filepath.Base(name), data, 0o644})
	}
	return files, nil
}

// clean makes the folder, and takes an earlier release out of it.
func clean(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, pattern := range []string{"newt_*.tar.gz", "newt_*.zip", "newt_*.cdx.json", sumsFile} {
		old, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil {
			return err
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// moduleRoot is the folder of newt's go.mod.
func moduleRoot() (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	name := strings.TrimSpace(string(mod))
	if filepath.Base(name) != "go.mod" {
		return "", errors.New("run this inside newt's source tree")
	}
	return filepath.Dir(name), nil
}

// commitTime is the time that every file of a release bears.
func commitTime(v version.Info) (time.Time, error) {
	if v.Time.IsZero() {
		return time.Time{}, errors.New("the commit's time is not known: release from a git repository")
	}
	return v.Time.UTC(), nil
}
