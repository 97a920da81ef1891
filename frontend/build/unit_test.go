package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// TestTypeScript bundles frontend/test and runs it with Node's own test runner.
func TestTypeScript(t *testing.T) {
	home, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if err := installPackages(home); err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(home, "test", "*.test.ts"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests in %s (%v)", home, err)
	}
	out := t.TempDir()
	built := api.Build(api.BuildOptions{
		AbsWorkingDir: home, EntryPoints: tests, Outdir: out, OutExtension: map[string]string{".js": ".mjs"},
		Bundle: true, Write: true, Platform: api.PlatformNode, Format: api.FormatESModule, Sourcemap: api.SourceMapInline,
		Loader: map[string]api.Loader{".py": api.LoaderText},
	})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	args := []string{"--enable-source-maps", "--test"}
	for _, f := range built.OutputFiles {
		args = append(args, f.Path)
	}
	if output, err := exec.Command("node", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
