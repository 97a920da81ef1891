package cli

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/people"
)

// The token that add prints is accepted until revoke.
func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "people")
	token, stderr, status := newt(t, "token", "add", "ada", "--people", file, "--weight", "2", "--jobs", "4")
	if status != exitOK {
		t.Fatal(stderr)
	}
	f, err := people.Open(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := f.Lookup(strings.TrimSpace(token)); !ok || p.Name != "ada" || p.Weight != 2 || p.Jobs != 4 {
		t.Errorf("the token is that of %+v", p)
	}
	if _, stderr, status := newt(t, "token", "add", "ada", "--people", file); status == exitOK || !strings.Contains(stderr, "revoke it first") {
		t.Errorf("a second token: status %d, %s", status, stderr)
	}
	if _, stderr, status := newt(t, "token", "add", "a da", "--people", file); status == exitOK || !strings.Contains(stderr, "is not a name") {
		t.Errorf("a name with a space: status %d, %s", status, stderr)
	}
	list, _, _ := newt(t, "token", "list", "--people", file)
	if !strings.Contains(list, "ada") || strings.Contains(list, strings.TrimSpace(token)) {
		t.Errorf("the list is %s", list)
	}
	if _, stderr, status := newt(t, "token", "revoke", "ada", "--people", file); status != exitOK {
		t.Error(stderr)
	}
	if _, stderr, status := newt(t, "token", "revoke", "ada", "--people", file); status == exitOK || !strings.Contains(stderr, "is not in") {
		t.Errorf("revoked twice: status %d, %s", status, stderr)
	}
	if stdout, stderr, status := newt(t, "token", "add", "eve@lab.example", "--oidc", "--people", file); status != exitOK || stdout != "" {
		t.Errorf("a person without a token: status %d, %q, %s", status, stdout, stderr)
	}
	if stdout, _, _ := newt(t, "token", "list", "--people", file); !strings.Contains(stdout, "eve@lab.example") {
		t.Errorf("the list is %q", stdout)
	}
}
