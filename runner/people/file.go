package people

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// File is a file of people in use. Its methods are safe for concurrent use.
type File struct {
	path string
	log  *slog.Logger

	// people are those of the file, by credential; replaced as a whole, so that nobody waits for a slow disk.
	people atomic.Pointer[map[string]Person]

	// Open and then Watch alone use these.
	read     fs.FileInfo // when it was last read
	wasEmpty bool        // at the last look, but not at the one before
}

// Open reads a file.
func Open(path string, log *slog.Logger) (*File, error) {
	f := &File{path: path, log: log}
	f.people.Store(&map[string]Person{})
	if _, err := f.reload(); err != nil {
		return nil, err
	}
	return f, nil
}

// Lookup is the person with a token.
func (f *File) Lookup(token string) (Person, bool) {
	return f.find(Person{Hash: sha256.Sum256([]byte(token))})
}

// find is the person who has the credential of another one.
func (f *File) find(like Person) (Person, bool) {
	p, ok := (*f.people.Load())[like.credential()]
	return p, ok
}

// checkInterval is how often Watch looks whether the file has changed.
const checkInterval = 500 * time.Millisecond

// Watch reads the file again when it has changed, until stop is closed, and calls changed with the names of those who
// are no longer in it or have another token. A file that is missing or wrong changes nothing: it may be half written.
func (f *File) Watch(stop <-chan struct{}, changed func(gone []string)) {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	complaint := ""
	for {
		select {
		case <-tick.C:
		case <-stop:
			return
		}
		gone, err := f.reload()
		if err != nil {
			if complaint != err.Error() {
				complaint = err.Error()
				f.log.Error("the file of people cannot be read; the last one stays in force", "err", complaint)
			}
			continue
		}
		if complaint = ""; len(gone) > 0 {
			changed(gone)
		}
	}
}

// reload reads the file if it has changed, and returns the names of those who are gone.
func (f *File) reload() (gone []string, err error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, err
	}
	last, before := f.read, *f.people.Load()
	if last != nil && os.SameFile(last, info) && last.ModTime().Equal(info.ModTime()) && last.Size() == info.Size() {
		return nil, nil
	}
	if f.wasEmpty = info.Size() == 0 && !f.wasEmpty; f.wasEmpty && len(before) > 0 {
		return nil, nil // a file that is written in place is empty for a moment
	}
	list, err := Read(f.path)
	if err != nil {
		return nil, err
	}
	now := map[string]Person{}
	for _, p := range list {
		now[p.credential()] = p
	}
	for credential, p := range before {
		if _, ok := now[credential]; !ok {
			gone = append(gone, p.Name)
		}
	}
	slices.Sort(gone)
	for credential, p := range now {
		if old, ok := before[credential]; last != nil && (!ok || old != p) {
			f.log.Info("person", "person", p.Name, "change", map[bool]string{false: "added", true: "changed"}[ok])
		}
	}
	for _, name := range gone {
		f.log.Info("person", "person", name, "change", "revoked")
	}
	f.read = info
	f.people.Store(&now)
	return gone, nil
}

// Edit changes a file: change gets its people and returns those that it is to have. The file is replaced as a whole; of
// two edits at the same time one fails.
func Edit(path string, change func([]Person) ([]Person, error)) error {
	lock, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s.new exists: another newt token changes the file, or was interrupted; "+
				"if none runs, remove it", path)
		}
		return err
	}
	defer os.Remove(lock.Name())
	defer lock.Close()
	list, err := Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if list, err = change(list); err != nil {
		return err
	}
	for _, p := range list {
		if err := p.Check(); err != nil {
			return err
		}
	}
	if _, err := lock.Write(Format(list)); err != nil {
		return err
	}
	if old, err := os.Stat(path); err == nil { // a service may be allowed to read it
		if err := lock.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := lock.Sync(); err != nil {
		return err
	}
	return os.Rename(lock.Name(), path)
}

// Read reads the people of a file.
func Read(path string) ([]Person, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}
