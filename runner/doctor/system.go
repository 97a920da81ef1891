package doctor

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// System is the machine as the checks see it. What its methods create, they remove again.
type System interface {
	Files // from "/"

	OS() string // as runtime.GOOS
	// Exec runs a program for a few seconds at most and returns its output; the error is exec.ErrNotFound if there is
	// no such program.
	Exec(ctx context.Context, name string, args ...string) (output string, err error)
	// Listen opens a TCP address and closes it; its errors are ErrTaken, ErrNoAddress and fs.ErrPermission.
	Listen(addr string) error
	// Get fetches the text at a URL of this machine.
	Get(ctx context.Context, url string) (body string, err error)
	// Use opens a device for reading and writing and closes it.
	Use(device string) error
	// Group returns the group of a file, "" if it is unknown.
	Group(file string) string
	// Write creates a file in a directory and removes it.
	Write(dir string) error
	// Space returns the free bytes for this user in a directory.
	Space(dir string) (uint64, error)
	// OpenFiles returns the limit of open files of this process, connections included.
	OpenFiles() (uint64, error)
	Now() time.Time
	// Synced reports whether a time service keeps the kernel's clock synchronized.
	Synced() (bool, error)
}

// Files are the files of a machine. Stat does not open a file: that would initialize a device.
type Files interface {
	fs.StatFS
	fs.ReadFileFS
	fs.ReadDirFS
}

// The errors of Listen.
var (
	ErrTaken     = errors.New("the address is in use")
	ErrNoAddress = errors.New("the address is not this machine's")
)

// errUnknown is the error of methods that a kind of machine does not support.
var errUnknown = errors.New("this cannot be determined here")
