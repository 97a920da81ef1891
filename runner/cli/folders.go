package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/host/codec"
	"github.com/newtlab/newt/interp/tensor"
)

// maxData is how much of a file beside a document is read.
const maxData = 256 << 20

// folders are what a document may read: the files below its own folder, the project around it, the folder that newt was
// started in, those of PYTHONPATH, and those of installed packages that were named. Links that lead out of one of them
// are refused.
type folders struct {
	document    string            // the document's folder, absolute, with slashes
	inPackage   string            // the dotted package that the document is a module of, if it runs as one
	path        []string          // where modules are looked for besides, as sys.path names them
	environment map[string]string // of the variables that scripts see, those that are set
	roots       []openFolder
	unsaved     map[string]string // texts in place of files, by absolute names
}

type openFolder struct {
	name string // absolute, with slashes
	root *os.Root
}

// projectFiles mark the folder of a project, and sourceFolder is where many have their packages.
var projectFiles = []string{".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"}

const sourceFolder = "src"

// visible are the variables of the environment that scripts see. Others may hold secrets.
var visible = []string{pythonPath, "TRITON_INTERPRET", "TRITON_PRINT_AUTOTUNING"}

const pythonPath = "PYTHONPATH"

// foldersOf opens the folders of a document; that of standard input is the current one. Folders of PYTHONPATH that do
// not exist are left out, as in Python.
func foldersOf(e *Env, name string, packages sites) (*folders, error) {
	own, err := filepath.Abs(filepath.Dir(name)) // of "-" it is the current one
	if err != nil {
		return nil, err
	}
	f := &folders{document: slashed(own), environment: map[string]string{}}
	for _, name := range visible {
		if value := e.Getenv(name); value != "" {
			f.environment[name] = value
		}
	}
	for _, dir := range filepath.SplitList(f.environment[pythonPath]) {
		f.search(dir)
	}
	f.search(".")
	if err := f.openProject(own); err != nil {
		return nil, err
	}
	for _, dir := range packages {
		f.search(dir)
	}
	return f, nil
}

// asModule makes the document a module of the packages around it, as python -m and pytest do, so that it can import
// relative to them.
func (f *folders) asModule() {
	var holder string
	if f.inPackage, holder = packageOf(filepath.FromSlash(f.document)); f.inPackage != "" {
		f.search(holder)
	}
}

// options are those of a session of the document.
func (f *folders) options() host.Options {
	return host.Options{Files: f, Folder: f.document, Path: f.path, Package: f.inPackage, Environ: f.environment,
		Codecs: codec.Go{}, Tensors: tensor.New(tensorLimits())}
}

// search adds a folder to the path for modules, if there is one.
func (f *folders) search(dir string) {
	dir, err := filepath.Abs(dir)
	if err != nil || f.open(dir) != nil {
		return
	}
	if name := slashed(dir); name != f.document && !slices.Contains(f.path, name) {
		f.path = append(f.path, name)
	}
}

func (f *folders) open(dir string) error {
	name := slashed(dir)
	if slices.ContainsFunc(f.roots, func(r openFolder) bool { return r.name == name }) {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		f.roots = append(f.roots, openFolder{name, root})
	}
	return err
}

// openProject opens a folder and the project around it, and lets modules be found in the project.
func (f *folders) openProject(dir string) error {
	own, err := filepath.Abs(dir)
	if err == nil {
		err = f.open(own)
	}
	if project := projectOf(own); err == nil && project != "" {
		f.search(project)
		f.search(filepath.Join(project, sourceFolder))
	}
	return err
}

// Close closes all of them.
func (f *folders) Close() {
	for _, r := range f.roots {
		r.root.Close()
	}
}

// slashed is an absolute path as newt's scripts see it; a volume's name stands behind the first slash.
func slashed(dir string) string { return "/" + strings.TrimPrefix(filepath.ToSlash(dir), "/") }

// projectOf is the highest folder around dir, below the home folder, that has one of the projectFiles; a repository
// ends the search. It is "" where there is none.
func projectOf(dir string) (project string) {
	home, _ := os.UserHomeDir()
	for ; dir != home && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		for _, name := range projectFiles {
			if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
				continue
			}
			if project = dir; name == projectFiles[0] {
				return dir
			}
		}
	}
	return project
}

// packageOf is the dotted name of the package that a folder is, "" for none, and the folder that holds the outermost
// of the packages around it.
func packageOf(dir string) (name, holder string) {
	var names []string
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if !isFile(filepath.Join(dir, "__init__.py")) {
			break
		}
		names = append(names, filepath.Base(dir))
	}
	slices.Reverse(names)
	return strings.Join(names, "."), dir
}

// ReadFile implements host.Files.
func (f *folders) ReadFile(name string) ([]byte, error) {
	size, err := f.FileSize(name)
	if err != nil {
		return nil, err
	}
	if size > maxData {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	if text, ok := f.unsaved[f.absolute(name)]; ok {
		return []byte(text), nil
	}
	root, at, _ := f.find(name)
	file, err := root.Open(at)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxData))
}

// FileSize implements host.Sizer.
func (f *folders) FileSize(name string) (int64, error) {
	if text, ok := f.unsaved[f.absolute(name)]; ok {
		return int64(len(text)), nil
	}
	root, at, err := f.find(name)
	if err != nil {
		return 0, err
	}
	info, err := root.Stat(at)
	if errors.Is(err, syscall.ENOTDIR) || err == nil && info.IsDir() { // ENOTDIR: what should hold it is a file
		err = fs.ErrNotExist
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ReadDir implements host.Lister.
func (f *folders) ReadDir(name string) ([]fs.DirEntry, error) {
	root, at, err := f.find(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(root.FS(), filepath.ToSlash(at))
}

// absolute is a name from the document's folder as an absolute one.
func (f *folders) absolute(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(f.document, name)
}

// find is the folder that holds a file, the innermost that is open, and the file's name in it.
func (f *folders) find(name string) (root *os.Root, at string, err error) {
	name = f.absolute(name)
	best := -1
	for _, r := range f.roots {
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(r.name, "/")); ok && len(r.name) > best &&
			(rest == "" || rest[0] == '/') {
			root, best = r.root, len(r.name)
			at = filepath.FromSlash(path.Clean("./" + rest))
		}
	}
	if root == nil {
		return nil, "", fs.ErrNotExist
	}
	return root, at, nil
}

// moduleFile is the file of a module, or of a package's __main__.
func moduleFile(e *Env, name string) (string, error) {
	at := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	for _, dir := range append([]string{"."}, filepath.SplitList(e.Getenv(pythonPath))...) {
		for _, file := range []string{at + ".py", filepath.Join(at, "__main__.py")} {
			if file = filepath.Join(dir, file); isFile(file) {
				return file, nil
			}
		}
	}
	return "", fmt.Errorf("no module named %s in this folder or in %s", name, pythonPath)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// replace has texts stand in place of files, by the names that the machine has for these.
func (f *folders) replace(texts map[string]string) {
	f.unsaved = make(map[string]string, len(texts))
	for name, text := range texts {
		if filepath.IsAbs(name) {
			f.unsaved[slashed(name)] = text
		}
	}
}
