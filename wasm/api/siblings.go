package api

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// givenFiles are the files that a person has given with a document, by path: modules and data next to it.
type givenFiles map[string][]byte

// set replaces the files; data holds one after the other.
func (g givenFiles) set(list []GivenFile, data []byte) {
	clear(g)
	for _, f := range list {
		n := max(0, min(f.Bytes, len(data)))
		g[path.Clean(f.Name)], data = data[:n:n], data[n:]
	}
}

// ReadFile implements host.Files.
func (g givenFiles) ReadFile(name string) ([]byte, error) {
	if data, ok := g[path.Clean(name)]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

// ReadDir implements host.Lister.
func (g givenFiles) ReadDir(name string) (list []fs.DirEntry, err error) {
	under := path.Clean(name) + "/"
	if under == "./" {
		under = ""
	}
	found := map[string]bool{} // by name, whether it is a folder
	for file := range g {
		if rest, ok := strings.CutPrefix(file, under); ok {
			first, _, folder := strings.Cut(rest, "/")
			found[first] = folder
		}
	}
	if len(found) == 0 {
		return nil, fs.ErrNotExist
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, dirEntry{name, found[name]})
	}
	return list, nil
}

// dirEntry is an fs.DirEntry of a given file or folder.
type dirEntry struct {
	name   string
	folder bool
}

func (d dirEntry) Name() string { return d.name }
func (d dirEntry) IsDir() bool  { return d.folder }
func (d dirEntry) Type() fs.FileMode {
	if d.folder {
		return fs.ModeDir
	}
	return 0
}
func (d dirEntry) Info() (fs.FileInfo, error) { return nil, fs.ErrNotExist }
