package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// component is something of others that is inside newt.
type component struct {
	name, version string
	purl          string // https://github.com/package-url/purl-spec
	license       string // an SPDX expression; "" where its package does not say
	algorithm     string // of hash; "" where there is none
	hash          string // in hexadecimal
	dir           string // where it lies on this machine
}

// components are what the program and the page in it are made of: Go itself, the modules that the
// linker took, and the page's packages.
func components(root string, info *debug.BuildInfo) ([]component, error) {
	modules, err := goComponents(root, info)
	if err != nil {
		return nil, err
	}
	packages, err := npmComponents(filepath.Join(root, "frontend"))
	if err != nil {
		return nil, err
	}
	return append(modules, packages...), nil
}

func goComponents(root string, info *debug.BuildInfo) ([]component, error) {
	goroot, err := output(root, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	release := strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{
		name: "std", version: release, purl: "pkg:golang/std@" + release,
		license: "BSD-3-Clause", dir: strings.TrimSpace(goroot),
	}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		dir, err := output(root, "go", "list", "-m", "-f", "{{.Dir}}", m.Path)
		if err != nil {
			return nil, err
		}
		c := component{name: m.Path, version: m.Version, dir: strings.TrimSpace(dir)}
		c.purl = "pkg:golang/" + m.Path + "@" + url.QueryEscape(m.Version)
		if sum, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
			c.algorithm = "SHA-256"
			if c.hash, err = toHex(sum); err != nil {
				return nil, fmt.Errorf("%s: %w", m.Path, err)
			}
		}
		parts = append(parts, c)
	}
	return parts, nil
}

// npmComponents are the packages of a lock file that are not for development alone.
func npmComponents(home string) ([]component, error) {
	text, err := os.ReadFile(filepath.Join(home, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License, Integrity string
			Dev                         bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	var parts []component
	for _, where := range slices.Sorted(maps.Keys(lock.Packages)) {
		p := lock.Packages[where]
		if where == "" || p.Dev {
			continue
		}
		_, name, _ := strings.Cut("/"+where, "/node_modules/")
		if i := strings.LastIndex(name, "/node_modules/"); i >= 0 {
			name = name[i+len("/node_modules/"):]
		}
		c := component{
			name: name, version: p.Version, license: p.License,
			dir: filepath.Join(home, filepath.FromSlash(where)),
		}
		c.purl = "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		if sum, ok := strings.CutPrefix(p.Integrity, "sha512-"); ok {
			c.algorithm = "SHA-512"
			if c.hash, err = toHex(sum); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		parts = append(parts, c)
	}
	return parts, nil
}

func toHex(sum string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(sum)
	return hex.EncodeToString(raw), err
}

// output runs a program in a folder and returns what it prints.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = dir, os.Stderr
	text, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return string(text), nil
}

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// licenseTexts are the licenses of the components, whose terms ask that they come along.
func licenseTexts(parts []component) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("newt contains the following works of others, each under its own license.\n")
	for _, c := range parts {
		files, err := os.ReadDir(c.dir)
		if err != nil {
			return nil, fmt.Errorf("the license of %s: %w", c.name, err)
		}
		found := false
		for _, f := range files {
			if f.IsDir() || !licenseFile.MatchString(f.Name()) || path.Ext(f.Name()) == ".go" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(c.dir, f.Name()))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&out, "\n%s\n%s %s: %s\n\n%s\n",
				strings.Repeat("=", 80), c.name, c.version, f.Name(), bytes.TrimSpace(text))
			found = true
		}
		if !found {
			return nil, fmt.Errorf("%s %s has no license in %s", c.name, c.version, c.dir)
		}
	}
	return out.Bytes(), nil
}
