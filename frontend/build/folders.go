package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/fast"
)

// puzzleFolders writes each puzzle's folder as a zip file, to start a puzzle of one's own from, and gives
// their names by the puzzles' numbers.
func (s *site) puzzleFolders(root string) (map[int]string, error) {
	names := map[int]string{}
	for folder, list := range map[string][]*puzzles.Puzzle{"puzzles": puzzles.All(), "puzzles/fast": fast.All()} {
		for _, p := range list {
			data, err := zipFolder(os.DirFS(filepath.Join(root, folder)), p.Slug)
			if err == nil {
				names[p.Number], err = s.writeHashed(p.Slug+".zip", data)
			}
			if err != nil {
				return nil, fmt.Errorf("the folder of puzzle %d: %w", p.Number, err)
			}
		}
	}
	return names, nil
}

// zipFolder packs a puzzle's files, without the wrong answer that newt's tests keep there. The bytes depend
// on the files alone.
func zipFolder(from fs.FS, folder string) ([]byte, error) {
	entries, err := fs.ReadDir(from, folder)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		if e.IsDir() || e.Name() == "slip.py" {
			continue
		}
		name := path.Join(folder, e.Name())
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		f, err := w.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
