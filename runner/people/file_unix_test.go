//go:build unix

package people

import (
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestLookupWhileReading: tokens are looked up while the file is read, which may take long on a network's disk. A named
// pipe is such a file.
func TestLookupWhileReading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people")
	token, hash := NewToken()
	text := Format([]Person{{Name: "ann", Hash: hash, Weight: 1}})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.reload(); err != nil { // of size 0, it is read at the second look
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() { _, err := f.reload(); read <- err }()
	pipe, err := os.OpenFile(path, os.O_WRONLY, 0) // waits until the other end is open
	if err != nil {
		t.Fatal(err)
	}
	found := make(chan bool, 1)
	go func() { _, ok := f.Lookup(token); found <- ok }()
	select {
	case ok := <-found:
		if !ok {
			t.Error("the token is not known while the file is read")
		}
	case <-time.After(10 * time.Second):
		t.Error("the lookup waits for the file")
	}
	pipe.Write(text)
	pipe.Close()
	if err := <-read; err != nil {
		t.Error(err)
	}
}
