// Package codec has Go's hash functions and picture formats for sessions. They are apart from package host, since what
// such packages do at start is linked wherever they are imported: a program whose sessions need neither is smaller.
package codec

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"image"
	"image/jpeg"
	"image/png"
	"io"
)

// Go implements host.Codecs by Go's standard library. Importing the package registers the decoders of PNG and JPEG with
// package image.
type Go struct{}

var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New,
	"sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// Hash is a new hash by its name in Python's hashlib.
func (Go) Hash(name string) (hash.Hash, bool) {
	f, ok := hashes[name]
	if !ok {
		return nil, false
	}
	return f(), true
}

// EncodePNG writes a picture as PNG.
func (Go) EncodePNG(w io.Writer, p image.Image) error { return png.Encode(w, p) }

// EncodeJPEG writes a picture as JPEG of a quality from 1 to 100.
func (Go) EncodeJPEG(w io.Writer, p image.Image, quality int) error {
	return jpeg.Encode(w, p, &jpeg.Options{Quality: quality})
}
