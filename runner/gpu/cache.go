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

// DefaultCacheBytes bounds the folder of machine code.
const DefaultCacheBytes = 256 << 20

// cache keeps machine code in a folder, a file for each program, device architecture and driver.
// A file is a line with the sum of the rest, the driver's log after its length, and the code. All
// of it is a convenience: what cannot be read or written is passed over. A nil cache keeps nothing.
type cache struct {
	folder string
	most   int64 // bytes
}

const cacheMark = "newt cubin 1"

// key names the machine code of a program.
func (c *cache) key(i *wire.Info, ptx string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d.%d\n%d %s\n%s", cacheMark, i.Major, i.Minor, i.Driver, i.DriverText, ptx))
	return hex.EncodeToString(sum[:])
}

func (c *cache) path(key string) string { return filepath.Join(c.folder, key+".cubin") }

func (c *cache) get(key string) (cubin, log string, ok bool) {
	if c == nil {
		return "", "", false
	}
	raw, err := os.ReadFile(c.path(key))
	if err != nil {
		return "", "", false
	}
	head, rest, _ := strings.Cut(string(raw), "\n")
	if head != sealed(rest) {
		os.Remove(c.path(key))
		return "", "", false
	}
	size, rest, _ := strings.Cut(rest, "\n")
	var n int
	if _, err := fmt.Sscanf(size, "%d", &n); err != nil || n < 0 || n > len(rest) {
		return "", "", false
	}
	now := time.Now()
	os.Chtimes(c.path(key), now, now) // what was used last is dropped last
	return rest[n:], rest[:n], true
}

func sealed(rest string) string {
	return fmt.Sprintf("%s %x", cacheMark, sha256.Sum256([]byte(rest)))
}

// put writes a file whole or not at all.
func (c *cache) put(key, cubin, log string) {
	if c == nil || os.MkdirAll(c.folder, 0o700) != nil {
		return
	}
	rest := fmt.Sprintf("%d\n%s%s", len(log), log, cubin)
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return
	}
	_, err = f.WriteString(sealed(rest) + "\n" + rest)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), c.path(key)) != nil {
		os.Remove(f.Name())
		return
	}
	c.trim()
}

// trim drops the files that were used longest ago until the rest is within bounds.
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
		if total <= c.most {
			return
		}
		if os.Remove(filepath.Join(c.folder, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
