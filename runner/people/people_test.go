package people

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var hash = hashPrefix + strings.Repeat("0f", 32)

// A file that is written reads as it was, and bad lines are refused with their number.
func TestParse(t *testing.T) {
	list, err := Parse([]byte("# the lab\nada " + hash + " weight=2.5 jobs=4 bytes=1000 since=2026-11-24\n\nbob " +
		strings.Replace(hash, "0f", "1f", 1) + " # a guest\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Weight != 2.5 || list[0].Jobs != 4 || list[0].Bytes != 1000 || list[1].Weight != 1 {
		t.Errorf("read %+v", list)
	}
	again, err := Parse(Format(list))
	if err != nil || !reflect.DeepEqual(again, list) {
		t.Errorf("written and read: %+v, %v", again, err)
	}
	for _, bad := range []string{
		"ada", "ada sha256:", "ada sha256:00", "ada md5:" + hash[7:], "ada " + hash + "00", "ada " + hash + " weight=0",
		"ada " + hash + " weight=1000", "ada " + hash + " weight=NaN", "ada " + hash + " jobs=-1", "ada " + hash + " age=3",
		"a/da " + hash, "-ada " + hash, strings.Repeat("a", 65) + " " + hash, "ada " + hash + "\nada " + hash, "ada " + hash + "\nbob " + hash,
		"ada oidc\nada oidc", "ada oidc\nada " + hash, "ada oidc weight=0", "ada oidc:ada",
	} {
		if _, err := Parse([]byte("\n" + bad)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What is revoked is noticed, what is broken changes nothing.
func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people")
	token, of := NewToken()
	other, ofOther := NewToken()
	add := func(list []Person) ([]Person, error) {
		return append(list, Person{Name: "ada", Hash: of, Weight: 1}, Person{Name: "bob", Hash: ofOther, Weight: 1}), nil
	}
	if err := Edit(path, add); err != nil {
		t.Fatal(err)
	}
	complaints := make(lines, 10)
	f, err := Open(path, slog.New(slog.NewTextHandler(complaints, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		t.Fatal(err)
	}
	stop, told, over := make(chan struct{}), make(chan []string, 10), make(chan struct{})
	go func() { f.Watch(stop, func(gone []string) { told <- gone }); close(over) }()
	if p, ok := f.Lookup(token); !ok || p.Name != "ada" {
		t.Errorf("the token is %q's", p.Name)
	}
	if err := os.WriteFile(path, []byte("half a li"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line := <-complaints; !strings.Contains(line, "err=") {
		t.Errorf("the log says %s", line)
	}
	if _, ok := f.Lookup(token); !ok {
		t.Error("a broken file locks everybody out")
	}
	if err := os.WriteFile(path, Format([]Person{{Name: "bob", Hash: ofOther, Weight: 3}}), 0o600); err != nil {
		t.Fatal(err)
	}
	if gone := <-told; !slices.Equal(gone, []string{"ada"}) {
		t.Errorf("gone are %v", gone)
	}
	if _, ok := f.Lookup(token); ok {
		t.Error("the revoked token is accepted")
	}
	if p, ok := f.Lookup(other); !ok || p.Weight != 3 {
		t.Errorf("the other one is %+v", p)
	}
	close(stop)
	<-over
}

// lines is a log whose lines a test awaits.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// A file that is empty takes everybody's access when it is so for longer than a file that is being written.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people")
	token, hash := NewToken()
	ada := []Person{{Name: "ada", Hash: hash, Weight: 1}}
	if err := os.WriteFile(path, Format(ada), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		people []Person
		gone   int
		knows  bool
	}{{nil, 0, true}, {ada, 0, true}, {nil, 0, true}, {nil, 1, false}, {ada, 0, true}} {
		if err := os.WriteFile(path, Format(step.people), 0o600); err != nil {
			t.Fatal(err)
		}
		gone, err := f.reload()
		if _, ok := f.Lookup(token); err != nil || len(gone) != step.gone || ok != step.knows {
			t.Errorf("step %d: gone are %v, the token is known: %t, %v", i, gone, ok, err)
		}
	}
}

// An edit that fails leaves the file as it was, and one that was interrupted is noticed.
func TestEdit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people")
	wrong := errors.New("no")
	if err := Edit(path, func([]Person) ([]Person, error) { return nil, wrong }); err != wrong {
		t.Errorf("the error is %v", err)
	}
	if err := Edit(path, func([]Person) ([]Person, error) { return []Person{{Name: "x y"}}, nil }); err == nil {
		t.Error("a wrong name is written")
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) > 0 {
		t.Errorf("files are left: %v", list)
	}
	readable := filepath.Join(t.TempDir(), "people")
	if err := os.WriteFile(readable, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	same := func(list []Person) ([]Person, error) { return list, nil }
	if err := Edit(readable, same); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(readable); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		t.Errorf("a file that a service may read is now %v, %v", info, err)
	}
	if err := os.WriteFile(path+".new", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Edit(path, func(list []Person) ([]Person, error) { return list, nil }); err == nil {
		t.Error("two edits at once")
	}
}
