package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// iconNames are the names of the drawn icons.
type iconNames struct{ Icon, Icon192, Icon512, IconMaskable string }

// icons writes the icon as it is and as PNGs for installing the page.
func (s *site) icons(home string) (names iconNames, err error) {
	svg, err := os.ReadFile(filepath.Join(home, "src", "icon.svg"))
	if err != nil {
		return names, err
	}
	if names.Icon, err = s.writeHashed("icon.svg", svg); err != nil {
		return names, err
	}
	for _, i := range []struct {
		name     *string
		file     string
		size     int
		maskable bool
	}{
		{&names.Icon192, "icon-192.png", 192, false},
		{&names.Icon512, "icon-512.png", 512, false},
		{&names.IconMaskable, "icon-maskable.png", 512, true},
	} {
		data, err := renderIcon(svg, i.size, i.maskable)
		if err != nil {
			return names, err
		}
		if *i.name, err = s.writeHashed(i.file, data); err != nil {
			return names, err
		}
	}
	return names, nil
}

// manifest writes what makes the page an app that can be installed.
func (s *site) manifest(home string, icons iconNames) error {
	tmpl, err := template.ParseFiles(filepath.Join(home, "src", "manifest.webmanifest"))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := tmpl.Execute(&out, icons); err != nil {
		return fmt.Errorf("manifest.webmanifest: %w", err)
	}
	return s.write("manifest.webmanifest", out.Bytes())
}

// serviceWorker writes sw.js, which knows every file of this build. It is written last, and its
// own text changes whenever one of them does: that is how browsers notice a new version.
func (s *site) serviceWorker(home string) error {
	list, err := s.precache()
	if err != nil {
		return err
	}
	b, err := bundleServiceWorker(home, s.dev, list)
	if err != nil {
		return err
	}
	return s.write("sw.js", b)
}

// precache is what the service worker keeps, as JSON: every file, and a name for all of them.
func (s *site) precache() (string, error) {
	sum := sha256.New()
	names := []string{"./"}
	for _, f := range s.files {
		fmt.Fprintf(sum, "%s %x\n", f.name, sha256.Sum256(f.data))
		if f.name != "index.html" {
			names = append(names, f.name)
		}
	}
	version := strings.ToUpper(hex.EncodeToString(sum.Sum(nil)[:6]))
	list, err := json.Marshal(map[string]any{"version": version, "files": names})
	return string(list), err
}
