package link

import (
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// FS is the puzzle as a file system with one folder, Folder, so that the loader of puzzles reads it like any other.
func (p *Custom) FS() fs.FS {
	root := &node{name: ".", dir: true}
	folder := &node{name: p.Folder, dir: true}
	for _, f := range p.Files {
		folder.below = append(folder.below, &node{name: f.Name, text: f.Text})
	}
	root.below = []*node{folder}
	return root
}

// node is a file or a folder, and what the standard library wants to know about either.
type node struct {
	name  string
	text  string
	dir   bool
	below []*node // in the order of their names
}

// Open implements fs.FS.
func (n *node) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	at := n
	for part := range strings.SplitSeq(name, "/") {
		if part == "." {
			continue
		}
		i := slices.IndexFunc(at.below, func(b *node) bool { return b.name == part })
		if i < 0 {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		at = at.below[i]
	}
	return &opened{node: at, Reader: strings.NewReader(at.text)}, nil
}

func (n *node) Name() string               { return n.name }
func (n *node) IsDir() bool                { return n.dir }
func (n *node) Type() fs.FileMode          { return n.Mode().Type() }
func (n *node) Info() (fs.FileInfo, error) { return n, nil }
func (n *node) Size() int64                { return int64(len(n.text)) }
func (n *node) ModTime() time.Time         { return time.Time{} }
func (n *node) Sys() any                   { return nil }

func (n *node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// opened is a node that is being read.
type opened struct {
	*node
	*strings.Reader
	listed int
}

func (o *opened) Size() int64                { return o.node.Size() }
func (o *opened) Stat() (fs.FileInfo, error) { return o.node, nil }
func (o *opened) Close() error               { return nil }

// Read implements fs.File; a folder has nothing to read.
func (o *opened) Read(p []byte) (int, error) {
	if o.dir {
		return 0, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrInvalid}
	}
	return o.Reader.Read(p)
}

// ReadDir implements fs.ReadDirFile.
func (o *opened) ReadDir(n int) ([]fs.DirEntry, error) {
	left := o.below[o.listed:]
	if n > 0 && len(left) == 0 {
		return nil, io.EOF
	}
	if n > 0 {
		left = left[:min(n, len(left))]
	}
	o.listed += len(left)
	entries := make([]fs.DirEntry, len(left))
	for i, below := range left {
		entries[i] = below
	}
	return entries, nil
}
