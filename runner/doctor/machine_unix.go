//go:build unix

package doctor

import (
	"os"
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"
)

// The operating system's errors for ErrTaken and ErrNoAddress.
var (
	taken     = []error{unix.EADDRINUSE}
	noAddress = []error{unix.EADDRNOTAVAIL}
)

func (machine) Group(file string) string {
	var s unix.Stat_t
	if unix.Stat(file, &s) != nil {
		return ""
	}
	id := strconv.Itoa(int(s.Gid))
	if g, err := user.LookupGroupId(id); err == nil {
		return g.Name
	}
	return id
}

func (machine) Space(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}

func (machine) OpenFiles() (uint64, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return uint64(limit.Cur), err
}
