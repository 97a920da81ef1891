package host

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// fileSystem is the files that a script sees: those next to the document, which never change, and over them those that
// the script wrote itself, which stay in memory.
type fileSystem struct {
	options *Options
	budget  *budget
	written map[string]string // by the name that local gives
}

// absolute is the absolute path of a file: a relative one starts in the document's folder.
func (f *fileSystem) absolute(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(f.options.Folder, name)
}

// local is the one name of a file: relative in the document's folder and below, otherwise absolute.
func (f *fileSystem) local(name string) string {
	name = f.absolute(name)
	if name == f.options.Folder {
		return "."
	}
	return strings.TrimPrefix(name, strings.TrimSuffix(f.options.Folder, "/")+"/")
}

// size is the number of bytes of a file, if there is one.
func (f *fileSystem) size(name string) (int, bool) {
	sizer, ok := f.options.Files.(Sizer)
	if _, written := f.written[f.local(name)]; written || !ok {
		data, ok := f.readBytes(name)
		return len(data), ok
	}
	n, err := sizer.FileSize(f.local(name))
	return int(n), err == nil
}

// hasFile reports whether there is a file.
func (f *fileSystem) hasFile(name string) bool { _, ok := f.size(name); return ok }

// readText finds the text of a file.
func (f *fileSystem) readText(name string) (string, bool) {
	if text, ok := f.written[f.local(name)]; ok {
		return text, true
	}
	data, ok := f.readBytes(name)
	f.budget.chargeItems(len(data))
	return string(data), ok
}

// readBytes finds the bytes of a file, which are no items of the run's: whoever keeps them charges them.
func (f *fileSystem) readBytes(name string) ([]byte, bool) {
	name = f.local(name)
	if text, ok := f.written[name]; ok {
		return []byte(text), true
	}
	if f.options.Files == nil {
		return nil, false
	}
	data, err := f.options.Files.ReadFile(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			raise("OSError", "cannot read %s", python.Repr(python.Str(name)))
		}
		return nil, false
	}
	return data, true
}

// writeText puts a text in place of a file. Whoever made the text has charged its bytes.
func (f *fileSystem) writeText(name, text string) { f.written[f.local(name)] = text }

// removeWritten removes a file that the script wrote, and reports whether there was one.
func (f *fileSystem) removeWritten(name string) bool {
	name = f.local(name)
	_, ok := f.written[name]
	delete(f.written, name)
	return ok
}

// fileNames lists what is in a folder, sorted. Folders exist by the files below them; the document's own always does.
func (f *fileSystem) fileNames(folder string) ([]string, bool) {
	folder = f.local(folder)
	found := map[string]bool{}
	if list, ok := f.options.Files.(Lister); ok {
		if entries, err := list.ReadDir(folder); err == nil {
			for _, e := range entries {
				found[e.Name()] = true
			}
		}
	}
	for name := range f.written {
		rest := name
		if folder != "." {
			if !strings.HasPrefix(name, folder+"/") {
				continue
			}
			rest = name[len(folder)+1:]
		}
		first, _, _ := strings.Cut(rest, "/")
		found[first] = true
	}
	return slices.Sorted(maps.Keys(found)), folder == "." || len(found) > 0
}

// isFolder reports whether a folder exists.
func (f *fileSystem) isFolder(name string) bool { _, ok := f.fileNames(name); return ok }

// hasFolder reports whether there are files in a folder, where they can be listed.
func (f *fileSystem) hasFolder(folder string) bool {
	names, _ := f.fileNames(folder)
	return len(names) > 0
}
