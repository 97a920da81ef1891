package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

// encoding makes one kind of precompressed sibling.
type encoding struct {
	ext       string
	newWriter func(io.Writer) (io.WriteCloser, error)
}

// encodings are the precompressed siblings that a server may send instead of a file.
var encodings = []encoding{
	{".br", func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), nil
	}},
	{".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) }},
}

// compressible lists the endings worth compressing; woff2 is compressed already.
var compressible = map[string]bool{".html": true, ".js": true, ".css": true, ".json": true, ".svg": true, ".wasm": true, ".webmanifest": true}

// compress writes the siblings that are not there yet. Names hold a hash of the content, and
// write removes the siblings of what changed, so an existing sibling is right.
func (s *site) compress() error {
	type sibling struct {
		path string
		data []byte
		encoding
	}
	var missing []sibling
	for _, f := range s.files {
		if !compressible[filepath.Ext(f.name)] {
			continue
		}
		for _, e := range encodings {
			path := filepath.Join(s.out, filepath.FromSlash(f.name)) + e.ext
			if _, err := os.Stat(path); err != nil {
				missing = append(missing, sibling{path, f.data, e})
			}
		}
	}
	_, err := parallel(missing, func(m sibling) (struct{}, error) {
		packed, err := encode(m.data, m.newWriter)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, os.WriteFile(m.path, packed, 0o644)
	})
	return err
}

func encode(data []byte, newWriter func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var packed bytes.Buffer
	w, err := newWriter(&packed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
