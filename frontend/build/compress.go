package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/newtlab/newt/frontend/packed"
)

// compressible lists the endings worth compressing; woff2 is compressed already.
var compressible = map[string]bool{".html": true, ".js": true, ".css": true, ".json": true, ".svg": true, ".wasm": true, ".webmanifest": true}

// compress puts the compressed form of each file that is worth it in the file's place, so that the program that embeds
// them holds the page once. A file that write left in compressed form alone stays so; beside a plain one, a compressed
// form may be what a build that was stopped has written of it. Those of the files named by except stay as they are.
func (s *site) compress(except ...string) error {
	var worth []file
	for _, f := range s.files {
		if compressible[filepath.Ext(f.name)] && !slices.Contains(except, f.name) {
			worth = append(worth, f)
		}
	}
	_, err := parallel(worth, func(f file) (struct{}, error) {
		path := filepath.Join(s.out, filepath.FromSlash(f.name))
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return struct{}{}, nil
		}
		if err := os.WriteFile(path+packed.Ext, packed.Pack(f.data), 0o644); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, os.Remove(path)
	})
	return err
}
