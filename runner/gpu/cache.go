package gpu

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/runner/gpu/wire"
)

// DefaultCacheBytes bounds the folder of compiled code.
const DefaultCacheBytes = 256 << 20

// cache keeps cubins in a folder, one file for each PTX program, device architecture and driver version. A file is a
// line with the checksum of the rest, the length of the driver's log, the log, and the cubin. Errors are ignored: a
// file that cannot be read or written is a miss. A nil cache is always empty.
type cache struct {
	folder   string
	maxBytes int64 // bytes
}

const cacheVersion = "newt cubin 1"

// key returns the file name of a program's cubin: a hash of everything that the driver's compiler depends on.
func (c *cache) key(i *wire.Info, ptx string, lines bool) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d.%d\n%d %s\n%v\n%s",
		cacheVersion, i.Major, i.Minor, i.Driver, i.DriverText, lines, ptx))
	return hex.EncodeToString(sum[:])
}

func (c *cache) path(key string) string { return filepath.Join(c.folder, key+".cubin") }

// get returns a cubin and the log of its compilation. A file whose checksum is wrong is removed.
func (c *cache) get(key string) (cubin, log string, ok bool) {
	if c == nil {
		return "", "", false
	}
	raw, err := os.ReadFile(c.path(key))
	if err != nil {
		return "", "", false
	}
	head, rest, _ := strings.Cut(string(raw), "\n")
	if head != checksumLine(rest) {
		os.Remove(c.path(key))
		return "", "", false
	}
	size, rest, _ := strings.Cut(rest, "\n")
	var n int
	if _, err := fmt.Sscanf(size, "%d", &n); err != nil || n < 0 || n > len(rest) {
		return "", "", false
	}
	now := time.Now()
	// The modification time is that of the last use: trim evicts the least recently used.
	os.Chtimes(c.path(key), now, now)
	return rest[n:], rest[:n], true
}

// checksumLine is the first line of a file: the version of the format and the SHA-256 of the rest.
func checksumLine(rest string) string {
	return fmt.Sprintf("%s %x", cacheVersion, sha256.Sum256([]byte(rest)))
}

// put writes a file atomically, so that another process never reads half of it.
func (c *cache) put(key, cubin, log string) {
	if c == nil || os.MkdirAll(c.folder, 0o700) != nil {
		return
	}
	rest := fmt.Sprintf("%d\n%s%s", len(log), log, cubin)
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return
	}
	_, err = f.WriteString(checksumLine(rest) + "\n" + rest)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), c.path(key)) != nil {
		os.Remove(f.Name())
		return
	}
	c.trim()
}

// trim removes the least recently used files until the rest fits into maxBytes.
func (c *cache) trim() {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, f := range files {
		if total <= c.maxBytes {
			return
		}
		if os.Remove(filepath.Join(c.folder, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
