package endpoint

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a token, only this machine's own clients are served, and only on this machine's names.
func TestOwn(t *testing.T) {
	for _, c := range []struct {
		name, from, host, origin, header string
		ok                               bool
	}{
		{"program", "127.0.0.1:5000", "127.0.0.1:8080", "", "", true},
		{"program, IPv6", "[::1]:5000", "[::1]:8080", "", "", true},
		{"program, no port", "127.0.0.1:5000", "localhost", "", "", true},
		{"the page", "127.0.0.1:5000", "localhost:8080", "http://localhost:8080", "", true},
		{"another host", "192.0.2.7:5000", "127.0.0.1:8080", "", "", false},
		{"another page", "127.0.0.1:5000", "127.0.0.1:8080", "https://enemy.example", "", false},
		{"another port's page", "127.0.0.1:5000", "127.0.0.1:8080", "http://127.0.0.1:9090", "", false},
		{"a name that was made to point here", "127.0.0.1:5000", "enemy.example:8080", "http://enemy.example:8080", "", false},
		{"a file's page", "127.0.0.1:5000", "127.0.0.1:8080", "null", "", false},
		{"a proxy", "127.0.0.1:5000", "127.0.0.1:8080", "", "X-Forwarded-For", false},
		{"another proxy", "127.0.0.1:5000", "127.0.0.1:8080", "", "Forwarded", false},
		{"a proxy that names the host alone", "127.0.0.1:5000", "127.0.0.1:8080", "", "X-Forwarded-Host", false},
		{"a proxy that names the scheme alone", "127.0.0.1:5000", "127.0.0.1:8080", "", "X-Forwarded-Proto", false},
		{"a content delivery network", "127.0.0.1:5000", "127.0.0.1:8080", "", "CF-Connecting-IP", false},
		{"another network", "127.0.0.1:5000", "127.0.0.1:8080", "", "True-Client-IP", false},
		{"any other header", "127.0.0.1:5000", "127.0.0.1:8080", "", "X-Anything", true},
		{"nowhere", "", "127.0.0.1:8080", "", "", false},
	} {
		r := httptest.NewRequest("GET", "/api/runner", nil)
		r.RemoteAddr, r.Host = c.from, c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.header != "" {
			r.Header.Set(c.header, "for=192.0.2.7")
		}
		if problem := (Access{}).checkRequest(r); (problem == nil) != c.ok {
			t.Errorf("%s: %v", c.name, problem)
		}
	}
}

func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	for text, want := range map[string]string{
		"0123456789abcdef\n": "0123456789abcdef", "  0123456789abcdef": "0123456789abcdef",
		"": "", "short\n": "", "aaaaaaaaaaaaaaaa": "", "12341234123412341234": "", "0123456789abcdef 0123456789abcdef": "", "0123456789abcdef\n0123456789abcdef": "",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadToken(file); got != want || (err == nil) != (want != "") {
			t.Errorf("%q holds %q, %v", text, got, err)
		}
	}
	a := Access{Token: "0123456789abcdef"}
	for token, want := range map[string]bool{"0123456789abcdef": true, "": false, "0123456789abcdeF": false, "0123456789abcdef0": false} {
		if a.acceptsToken(token) != want {
			t.Errorf("%q is admitted: %v", token, !want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"newt page": "newt page", "a\nlevel=ERROR": "a\ufffdlevel=ERROR", "\x1b[31m": "\ufffd[31m", "\u202eevil": "\ufffdevil",
		strings.Repeat("长", 40): strings.Repeat("长", 13) + "\ufffd",
	} {
		if got := printable(name); got != want {
			t.Errorf("%q is logged as %q, want %q", name, got, want)
		}
	}
}
