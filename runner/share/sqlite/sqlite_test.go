package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/sharetest"
)

func open(t testing.TB, path string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func put(t *testing.T, s *Store, id, value string, until time.Time) {
	t.Helper()
	if created, err := s.Put(t.Context(), id, []byte(value), until); !created || err != nil {
		t.Fatalf("Put(%q): %v, %v", id, created, err)
	}
}

func TestStore(t *testing.T) {
	sharetest.Store(t, open(t, filepath.Join(t.TempDir(), "s.db"), Options{}))
}

func TestHome(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "s.db"), Options{})
	server := httptest.NewServer(share.New(sharetest.Options(store)))
	defer server.Close()
	sharetest.Run(t, sharetest.Home{URL: server.URL, Burst: sharetest.DefaultBurst, Put: func(t *testing.T, id string, value []byte) {
		put(t, store, id, string(value), time.Now().Add(time.Hour))
	}})
}

// TestFile: values outlive the process, in a file that others cannot read, whatever its path.
func TestFile(t *testing.T) {
	for _, name := range []string{"shares.db", "with space/a?b#c%20d/分享.db"} {
		path := filepath.Join(t.TempDir(), "new", name)
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		put(t, s, "a", "one", time.Time{})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if value, err := open(t, path, Options{}).Get(t.Context(), "a"); string(value) != "one" {
			t.Errorf("%s: after opening again: %q, %v", name, value, err)
		}
		info, err := os.Stat(path)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, open(t, "data/s.db", Options{}), "a", "one", time.Time{})
	if _, err := os.Stat("data/s.db"); err != nil {
		t.Error(err)
	}
}

// TestTwoProcesses: two Stores of one file see each other's values and totals.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	one, two := open(t, path, Options{MaxRows: 2}), open(t, path, Options{MaxRows: 2})
	put(t, one, "a", "1", time.Time{})
	put(t, two, "b", "2", time.Time{})
	if created, err := two.Put(t.Context(), "a", nil, time.Time{}); created || err != nil {
		t.Errorf("a second value under one id: %v, %v", created, err)
	}
	if _, err := one.Put(t.Context(), "c", []byte("3"), time.Time{}); !errors.Is(err, share.ErrFull) {
		t.Errorf("a third row of two: %v", err)
	}
}

func TestBounds(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"), Options{MaxRows: 3, MaxBytes: 100})
	put(t, s, "a", "one", time.Time{})
	if _, err := s.Put(t.Context(), "b", make([]byte, 98), time.Time{}); !errors.Is(err, share.ErrFull) {
		t.Errorf("101 bytes of 100: %v", err)
	}
	put(t, s, "b", string(make([]byte, 97)), time.Time{})
	if created, err := s.Put(t.Context(), "a", []byte("one"), time.Time{}); created || err != nil {
		t.Errorf("what a full store has already: %v, %v", created, err)
	}
	if err := s.Delete(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	put(t, s, "c", "1", time.Time{})
	put(t, s, "d", "2", time.Time{})
	if _, err := s.Put(t.Context(), "e", nil, time.Time{}); !errors.Is(err, share.ErrFull) {
		t.Errorf("a fourth row of three: %v", err)
	}
}

// TestSweep: what has passed its time makes room, once a minute or when room is needed.
func TestSweep(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := open(t, filepath.Join(t.TempDir(), "s.db"), Options{MaxRows: 3, Now: func() time.Time { return now }})
	put(t, s, "a", "1", now.Add(10*time.Second))
	put(t, s, "b", "2", now.Add(time.Hour))
	put(t, s, "c", "3", time.Time{})
	if _, err := s.Put(t.Context(), "d", nil, time.Time{}); !errors.Is(err, share.ErrFull) {
		t.Errorf("a fourth row of three: %v", err)
	}
	now = now.Add(20 * time.Second)
	put(t, s, "d", "4", time.Time{})
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, share.ErrNotFound) {
		t.Errorf("a row past its time, when room was needed: %v", err)
	}
	now = now.Add(2 * time.Hour)
	put(t, s, "e", "5", time.Time{})
	for id, gone := range map[string]bool{"b": true, "c": false, "d": false, "e": false} {
		if _, err := s.Get(t.Context(), id); errors.Is(err, share.ErrNotFound) != gone {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	if err := os.WriteFile(path, bytes.Repeat([]byte("no database\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("another kind of file: %v", err)
	}
	if _, err := Open(t.Context(), t.TempDir(), Options{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a folder: %v", err)
	}
	inFile := filepath.Join(path, "s.db")
	if _, err := Open(t.Context(), inFile, Options{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("below a file: %v", err)
	}
}

// TestDamagedPages: a file that goes bad in the middle is an error of this kind, not a wrong value.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		put(t, s, fmt.Sprint(i), string(make([]byte, 5000)), time.Time{})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < len(data); i++ {
		data[i] = 0xff
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("opened: %v", err)
	}
}

// TestReadOnly and TestDiskFull bring SQLite itself to say so: one connection, with its own limits.
func TestReadOnly(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"), Options{})
	put(t, s, "a", "one", time.Time{})
	limit(t, s, "PRAGMA query_only = 1")
	if _, err := s.Put(t.Context(), "b", nil, time.Time{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Put: %v", err)
	}
	if err := s.Delete(t.Context(), "a"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Delete: %v", err)
	}
	if value, err := s.Get(t.Context(), "a"); string(value) != "one" {
		t.Errorf("Get: %q, %v", value, err)
	}
}

func TestDiskFull(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"), Options{})
	limit(t, s, "PRAGMA max_page_count = 20")
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		_, err = s.Put(t.Context(), fmt.Sprint(i), make([]byte, 4000), time.Time{})
	}
	if !errors.Is(err, share.ErrFull) {
		t.Errorf("the disk is full: %v", err)
	}
	if _, err := s.Get(t.Context(), "0"); err != nil {
		t.Errorf("and reading: %v", err)
	}
}

func limit(t *testing.T, s *Store, pragma string) {
	t.Helper()
	s.db.SetMaxOpenConns(1)
	if _, err := s.db.ExecContext(t.Context(), pragma); err != nil {
		t.Fatal(err)
	}
}

// TestLocked: another process that holds the file for long is a busy store.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	one, two := open(t, path, Options{}), open(t, path, Options{})
	lock, err := one.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Put(t.Context(), "a", nil, time.Time{}); !errors.Is(err, share.ErrBusy) {
		t.Errorf("Put: %v", err)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	put(t, two, "a", "one", time.Time{})
}
