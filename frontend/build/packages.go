package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// installPackages runs `npm ci` where node_modules does not match the lock file. A copy of the
// lock inside node_modules remembers what was installed.
func installPackages(home string) error {
	lock, err := os.ReadFile(filepath.Join(home, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(home, "node_modules", ".newt-lock.json")
	if installed, err := os.ReadFile(stamp); err == nil && bytes.Equal(installed, lock) {
		return nil
	}
	npm := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	npm.Dir, npm.Stdout, npm.Stderr = home, os.Stderr, os.Stderr
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm ci in %s: %w (newt's page needs Node and npm to fetch its packages)", home, err)
	}
	return os.WriteFile(stamp, lock, 0o644)
}
