// Package packed reads files of a built page that the build has left in compressed form alone.
package packed

import (
	"bytes"
	"io"
	"io/fs"

	"github.com/andybalholm/brotli"
)

// Ext is the ending of a file compressed by brotli.
const Ext = ".br"

// Pack compresses a file as small as it gets, which takes long.
func Pack(data []byte) []byte {
	var out bytes.Buffer
	// A bytes.Buffer takes every write.
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// Open opens a file as it was before compression.
func Open(files fs.FS, name string) (io.ReadCloser, error) {
	if file, err := files.Open(name); err == nil {
		return file, nil
	}
	file, err := files.Open(name + Ext)
	if err != nil {
		return nil, err
	}
	return unpacked{brotli.NewReader(file), file}, nil
}

// unpacked reads a compressed file.
type unpacked struct {
	io.Reader
	io.Closer
}

// ReadFile reads a file as it was before compression.
func ReadFile(files fs.FS, name string) ([]byte, error) {
	file, err := Open(files, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// Exists reports whether there is a file, compressed or not.
func Exists(files fs.FS, name string) bool {
	for _, name := range []string{name, name + Ext} {
		if info, err := fs.Stat(files, name); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}
