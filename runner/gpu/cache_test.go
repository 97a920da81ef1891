package gpu

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/gpu/wire"
)

func TestCacheKeys(t *testing.T) {
	c := &cache{}
	info := wire.Info{Major: 9, Driver: 13000, DriverText: "580.1"}
	seen := map[string]string{}
	for name, key := range map[string]string{
		"plain":   c.key(&info, "ptx", false),
		"lines":   c.key(&info, "ptx", true),
		"program": c.key(&info, "ptx2", false),
		"driver":  c.key(&wire.Info{Major: 9, Driver: 13000, DriverText: "580.2"}, "ptx", false),
		"CUDA":    c.key(&wire.Info{Major: 9, Driver: 12040, DriverText: "580.1"}, "ptx", false),
		"device":  c.key(&wire.Info{Major: 8, Driver: 13000, DriverText: "580.1"}, "ptx", false),
	} {
		if other, taken := seen[key]; taken {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[key] = name
	}
}

func TestCacheDamage(t *testing.T) {
	c := &cache{folder: filepath.Join(t.TempDir(), "cubin"), maxBytes: 1 << 20}
	c.put("a", "machine\x00code\n", "a log\nof two lines")
	cubin, log, ok := c.get("a")
	if !ok || cubin != "machine\x00code\n" || log != "a log\nof two lines" {
		t.Fatalf("%q, %q, %v came back", cubin, log, ok)
	}
	good, err := os.ReadFile(c.path("a"))
	if err != nil {
		t.Fatal(err)
	}
	for at := range good {
		bad := []byte(string(good))
		bad[at] ^= 1
		for name, content := range map[string][]byte{"changed": bad, "cut": good[:at]} {
			if err := os.WriteFile(c.path("a"), content, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, ok := c.get("a"); ok {
				t.Fatalf("a file %s at %d is taken", name, at)
			}
		}
	}
	if _, err := os.Stat(c.path("a")); !os.IsNotExist(err) {
		t.Error("a damaged file stays")
	}
}

func TestCacheBounds(t *testing.T) {
	c := &cache{folder: t.TempDir(), maxBytes: 5000}
	code := strings.Repeat("x", 1000)
	for i := range 4 {
		key := fmt.Sprint(i)
		c.put(key, code, "")
		at := time.Now().Add(time.Duration(i-10) * time.Minute)
		if err := os.Chtimes(c.path(key), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, ok := c.get("0"); !ok { // now the one that was used last
		t.Fatal("what was put is gone")
	}
	c.put("new", code, "")
	for key, want := range map[string]bool{"0": true, "1": false, "2": true, "3": true, "new": true} {
		if _, _, ok := c.get(key); ok != want {
			t.Errorf("%s is kept: %v", key, ok)
		}
	}
}

func TestNoCache(t *testing.T) {
	c := newCache(Options{Cache: "-"})
	c.put("a", "code", "")
	if _, _, ok := c.get("a"); ok || c != nil {
		t.Error("something is kept")
	}
	blocked := &cache{folder: "/dev/null/cubin", maxBytes: 1}
	blocked.put("a", "code", "")
	if _, _, ok := blocked.get("a"); ok {
		t.Error("a folder that cannot be keeps something")
	}
}
