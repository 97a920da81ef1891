package cli

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestDataDir(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		os   string // "" is every system
		want string
	}{
		{nil, "", ""},
		{map[string]string{"STATE_DIRECTORY": "/var/lib/newt:/var/lib/more", "HOME": "/home/me"}, "", "/var/lib/newt"},
		{map[string]string{"HOME": "/home/me"}, "linux", "/home/me/.local/share/newt"},
		{map[string]string{"HOME": "/home/me", "XDG_DATA_HOME": "/data/me"}, "linux", "/data/me/newt"},
		{map[string]string{"HOME": "/Users/me"}, "darwin", "/Users/me/Library/Application Support/newt"},
	} {
		if c.os != "" && c.os != runtime.GOOS {
			continue
		}
		if got := filepath.ToSlash(dataDir(func(name string) string { return c.env[name] })); got != c.want {
			t.Errorf("%v: got %q, want %q", c.env, got, c.want)
		}
	}
}
