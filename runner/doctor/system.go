package doctor

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// System is what the checks see of a machine and may try on it. Nothing that they try leaves a
// trace behind.
type System interface {
	Files // from "/"

	OS() string // as runtime.GOOS
	// Exec runs a program for a few seconds at most and returns what it printed; exec.ErrNotFound
	// where there is no such program.
	Exec(ctx context.Context, name string, args ...string) (output string, err error)
	// Listen opens a TCP address and closes it: ErrTaken, ErrNoAddress, fs.ErrPermission.
	Listen(addr string) error
	// Get fetches the text at a URL of this machine.
	Get(ctx context.Context, url string) (body string, err error)
	// Use opens a device for reading and writing and closes it.
	Use(device string) error
	// Group names the group that a file belongs to; "" where it cannot be told.
	Group(file string) string
	// Write makes a file in a directory and removes it.
	Write(dir string) error
	// Space is the number of bytes that this user may still write below a directory.
	Space(dir string) (uint64, error)
	// OpenFiles is how many files and connections this process may hold open.
	OpenFiles() (uint64, error)
	Now() time.Time
	// Synced reports whether the kernel's clock is kept right by a time service.
	Synced() (bool, error)
}

// Files are a machine's files. Looking at one never opens it: that would wake a device.
type Files interface {
	fs.StatFS
	fs.ReadFileFS
	fs.ReadDirFS
}

// What Listen says is wrong.
var (
	ErrTaken     = errors.New("the address is in use")
	ErrNoAddress = errors.New("the address is not this machine's")
)

// errUnseen is what a System says of something that it cannot see on this kind of machine.
var errUnseen = errors.New("this cannot be determined here")
