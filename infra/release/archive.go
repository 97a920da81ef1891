package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	data []byte
	mode fs.FileMode
}

// packers are the forms of archives that are not a tarball, by operating system.
var packers = map[string]func(top string, at time.Time, files []entry) (name string, data []byte, err error){"windows": zipped}

// tarball packs files into the folder top of a .tar.gz; nothing in it tells who packed it or when.
func tarball(top string, at time.Time, files []entry) (string, []byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return "", nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{
			Name: top + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.data)),
			ModTime: at, Format: tar.FormatPAX,
		}
		if err := w.WriteHeader(header); err != nil {
			return "", nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return "", nil, err
		}
	}
	if err := w.Close(); err != nil {
		return "", nil, err
	}
	if err := compressed.Close(); err != nil {
		return "", nil, err
	}
	return top + ".tar.gz", out.Bytes(), nil
}

// zipped packs files into the folder top of a .zip.
func zipped(top string, at time.Time, files []entry) (string, []byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, f := range files {
		header := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		file, err := w.CreateHeader(header)
		if err != nil {
			return "", nil, err
		}
		if _, err := file.Write(f.data); err != nil {
			return "", nil, err
		}
	}
	err := w.Close()
	return top + ".zip", out.Bytes(), err
}

// sumsFile is the list that `sha256sum --check` reads.
const sumsFile = "SHA256SUMS"

// writeSums lists the checksums of the release in out.
func writeSums(out string) error {
	files, err := filepath.Glob(filepath.Join(out, "newt_*"))
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), filepath.Base(name))
	}
	return os.WriteFile(filepath.Join(out, sumsFile), list.Bytes(), 0o644)
}
