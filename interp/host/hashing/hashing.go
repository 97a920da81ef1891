// Package hashing has the hash functions of Python's hashlib, for host.Options. It is apart from package host, so that
// a program whose sessions import neither hashlib nor random is smaller: what the crypto packages do at start is linked
// wherever they are imported.
package hashing

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
)

// Functions are the hash functions by their names in hashlib.
var Functions = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New,
	"sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}
