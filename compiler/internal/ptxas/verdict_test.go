package ptxas

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const head = ".version 8.0\n.target sm_80\n.address_size 64\n"

// TestVerdicts: a module is assembled once, whatever ptxas says of it, and anew where anything about it is different or
// the cache holds no verdict.
func TestVerdicts(t *testing.T) {
	Need(t)
	options := []string{"-v", "-arch=sm_80"}
	mark := "// " + t.TempDir() + "\n" // so that no other process asks the same
	for _, c := range []struct {
		text string
		code int
		want string
	}{
		{mark + head + ".entry k() { ret; }\n", 0, "'k'"},
		{mark + head + ".entry k() { nonsense; }\n", 255, "nonsense"},
	} {
		name := cached(c.text, options)
		if name == "" {
			t.Skip("there is no folder for caches")
		}
		for _, before := range []string{"", "no verdict"} {
			if err := os.WriteFile(name, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
			v := ask(t, c.text, options...)
			if v.Code != c.code || !strings.Contains(v.Output, c.want) {
				t.Errorf("after %q: %+v", before, v)
			}
			var kept verdict
			if data, err := os.ReadFile(name); err != nil || json.Unmarshal(data, &kept) != nil || kept != v {
				t.Errorf("after %q the cache holds %+v, %v", before, kept, err)
			}
		}
		known := verdict{7, "from the cache"}
		known.write(name)
		if v := ask(t, c.text, options...); v != known {
			t.Errorf("it was assembled again: %+v", v)
		}
		other := []string{"-v", "-arch=sm_86"}
		if v := ask(t, c.text, other...); v == known {
			t.Error("another target has the same verdict")
		}
		os.Remove(name)
		os.Remove(cached(c.text, other))
	}
}
