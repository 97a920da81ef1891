package cli

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sites are the folders of installed packages that a document may import, as --site names them: a folder that holds
// packages, or a Python environment.
type sites []string

func (s *sites) define(set *flag.FlagSet) {
	const usage = "import from the packages in `DIR` what newt does not have itself: a folder such as " +
		"site-packages, or a Python environment, whose standard library is read as well; may be given several times"
	set.Func("site", usage, func(dir string) error {
		found, err := packagesOf(dir)
		*s = append(*s, found...)
		return err
	})
}

// packagesOf are the folders in which the Python of an environment looks for modules, or the folder itself.
func packagesOf(dir string) ([]string, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", dir)
	}
	var found []string // those that are missing are left out when they are opened
	for _, library := range librariesOf(dir) {
		within, _ := filepath.Rel(dir, library)
		standard := filepath.Join(cmp.Or(baseInstallation(dir), dir), within)
		found = append(found, standard, filepath.Join(library, "site-packages"))
	}
	if found == nil {
		found = []string{dir}
	}
	return found, nil
}

// librariesOf are the folders lib/python3.N of an environment, on Windows its folder Lib.
func librariesOf(dir string) (found []string) {
	for _, pattern := range []string{"lib/python3.*", "Lib"} {
		matches, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		found = append(found, matches...)
	}
	return found
}

// baseInstallation is the one whose standard library a virtual environment uses, "" where dir is none: the home in
// pyvenv.cfg is the folder of its executable (PEP 405), which is bin, and on Windows the installation's own.
func baseInstallation(dir string) string {
	config, _ := os.ReadFile(filepath.Join(dir, "pyvenv.cfg"))
	for line := range strings.Lines(string(config)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "home" {
			home := strings.TrimSpace(value)
			if filepath.Base(home) == "bin" {
				return filepath.Dir(home)
			}
			return home
		}
	}
	return ""
}
