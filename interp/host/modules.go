package host

import (
	"path"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// maxTexts is how many modules are read for the check of one document.
const maxTexts = 100

// Modules are the texts of the modules beside a document, which are found as a run finds them and do not run.
type Modules struct {
	m        *machine
	sources  *source.Set
	folder   string
	packages map[*syntax.Module]string // the __package__ of each
	read     map[string]*syntax.Module // by dotted name; nil where there is none
}

// NewModules are those beside a document, whose files are in sources; those that are read join them. Folder is what
// their names begin with in the document's folder, as the user names it.
func NewModules(o Options, sources *source.Set, folder string) *Modules {
	return &Modules{newMachine(o), sources, folder, map[*syntax.Module]string{}, map[string]*syntax.Module{}}
}

// Import is the module that a path names in an import statement, with a dot in front for each level, without the
// branches that do not run. From is the module of the statement; one that was not read is the document. It is nil where
// there is no such module, or newt has it.
func (x *Modules) Import(from *syntax.Module, path string) *syntax.Module {
	name := strings.TrimLeft(path, ".")
	if level := len(path) - len(name); level > 0 {
		pkg, read := x.packages[from]
		if !read {
			pkg = x.m.options.Package
		}
		var ok bool
		if name, ok = relativeModule(pkg, level, name); !ok {
			return nil
		}
	}
	tree, seen := x.read[name]
	if !seen && len(x.read) < maxTexts {
		tree = x.load(name)
		x.read[name] = tree
	}
	return tree
}

func (x *Modules) load(name string) (live *syntax.Module) {
	first, _, _ := strings.Cut(name, ".")
	if _, ours := x.m.modules.libraryNamed(first); ours || first == "" {
		return nil
	}
	x.m.exceptionOf(func() { // of a file that cannot be read
		file, pkg := x.m.modules.fileOf(name)
		text, ok := x.m.files.readText(file)
		if file == "" || !ok {
			return
		}
		if file = x.m.files.local(file); !path.IsAbs(file) {
			file = path.Join(x.folder, file)
		}
		tree, said := syntax.Parse(x.sources.Add(source.NewFile(file, text)))
		if said.HasErrors() {
			return
		}
		o := x.m.options
		o.Package = pkg
		live = EliminateDeadBranches(tree, o)
		x.packages[live] = pkg
	})
	return live
}

// fileOf is the file of a module, "" for none, and the package that its relative imports start from.
func (i *importer) fileOf(name string) (file, pkg string) {
	folders := i.searchPath()
	for _, part := range strings.Split(name, ".") {
		file, folders = i.fileIn(folders, part)
	}
	if path.Base(file) == initFile {
		return file, name
	}
	pkg, _, _ = cutLast(name)
	return file, pkg
}

// fileIn is the file of a module in the first of some folders that has it, and the folders of the package that it is.
func (i *importer) fileIn(folders []string, part string) (file string, inside []string) {
	for _, folder := range folders {
		at := path.Join(folder, part)
		if i.m.files.hasFile(at + "/" + initFile) {
			return at + "/" + initFile, []string{at}
		}
		if i.m.files.hasFile(at + ".py") {
			return at + ".py", nil
		}
		if i.m.files.hasFolder(at) {
			inside = append(inside, at)
		}
	}
	return "", inside
}
