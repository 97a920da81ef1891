package host

import (
	"path"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// A module is one of newt's libraries (*Library), or a text beside the document (*namespace), which runs once, when
// it is first imported. A library comes first, but for the standIns, which a file in sys.path hides.

// initFile makes a package of the folder that it is in.
const initFile = "__init__.py"

// importer finds and loads the modules of one session; it is sys.modules with the rules of what may be in it.
type importer struct {
	m         *machine
	imported  *Dict               // sys.modules: the modules that were imported, by dotted name
	running   map[string]bool     // the texts among them whose top level has not ended
	loaded    map[string]*Library // the libraries among them, which sys.modules need not have any more
	completed map[*Library]bool   // those whose Python part has run
}

func newImporter(m *machine) importer {
	return importer{m: m, imported: namesOf(map[string]Value{m.main.name: m.main}), running: map[string]bool{},
		loaded: map[string]*Library{}, completed: map[*Library]bool{}}
}

// importModule is import a.b or import a.b as c.
func (f *frame) importModule(a syntax.Alias) {
	m := f.m
	m.at = a.Loc
	module := m.modules.mustModule(a.Name)
	if a.As != "" {
		f.bindName(a.As, module)
		return
	}
	// import a.b binds a, and a.b is then an attribute of it.
	first, _, _ := strings.Cut(a.Name, ".")
	f.bindName(first, m.modules.mustModule(first))
}

// importFrom is from module import names.
func (f *frame) importFrom(s *syntax.ImportFrom) {
	m := f.m
	m.at = s.Span()
	module := m.modules.mustModule(f.absoluteModule(s))
	for _, a := range s.Names {
		m.at = a.Loc
		if a.Name == "*" {
			for _, name := range publicNames(m, module) {
				f.bindName(name, m.attrOf(module, name))
			}
			continue
		}
		name := a.As
		if name == "" {
			name = a.Name
		}
		f.bindName(name, m.modules.memberOf(module, a.Name))
	}
}

// absoluteModule is the name of the module that a statement imports from, seen from the package that it stands in.
func (f *frame) absoluteModule(s *syntax.ImportFrom) string {
	if s.Level == 0 {
		return s.Module
	}
	pkg, _ := f.unit.space.vars.at("__package__").(python.Str)
	if pkg == "" {
		raise("ImportError", "attempted relative import with no known parent package")
	}
	name, ok := relativeModule(string(pkg), s.Level, s.Module)
	if !ok {
		raise("ImportError", "attempted relative import beyond top-level package")
	}
	return name
}

// relativeModule is the module that so many dots and a name mean in a package; not ok beyond the outermost one.
func relativeModule(pkg string, level int, name string) (absolute string, ok bool) {
	parts := strings.Split(pkg, ".")
	if pkg == "" || level > len(parts) {
		return "", false
	}
	parts = parts[:len(parts)-level+1]
	if name != "" {
		parts = append(parts, name)
	}
	return strings.Join(parts, "."), true
}

// memberOf is what from module import name finds: an attribute, or a module below it.
func (i *importer) memberOf(module Value, name string) Value {
	if v, ok := i.m.attrOr(module, name); ok {
		return v
	}
	switch o := module.(type) {
	case *Library:
		lack("ImportError", o.name+"."+name, sortedNames(o.members))
	case *namespace:
		if v, ok := i.findModule(o.name + "." + name); ok {
			return v
		}
		file, _ := o.vars.at("__file__").(python.Str)
		if i.running[o.name] {
			raise("ImportError", "cannot import name '%s' from partially initialized module '%s' (most likely due "+
				"to a circular import) (%s)", name, o.name, file)
		}
		near, _ := diag.Nearest(name, o.names())
		raiseNear("ImportError", near, "cannot import name '%s' from '%s' (%s)", name, o.name, file)
	}
	raise("ImportError", "cannot import name '%s' from '%s' (unknown location)", name, module.Type())
	return nil
}

// publicNames are what from module import * binds: __all__, or the names without a leading underscore.
func publicNames(m *machine, module Value) (names []string) {
	var all []string
	switch o := module.(type) {
	case *Library:
		m.modules.completeLibrary(o)
		all = sortedNames(o.members)
	case *namespace:
		if list, ok := o.vars.named("__all__"); ok {
			for _, v := range m.itemsOf(list) {
				names = append(names, m.strOf(v))
			}
			return names
		}
		all = o.names()
	}
	for _, name := range all {
		if !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	return names
}

// mustModule imports a module, or raises ModuleNotFoundError as CPython does: about the outermost part that is missing.
func (i *importer) mustModule(name string) Value {
	if v, ok := i.findModule(name); ok {
		return v
	}
	folders, parent := i.searchPath(), ""
	for end, r := range name + "." {
		if r != '.' {
			continue
		}
		v, ok := i.findModule(name[:end])
		if !ok {
			i.raiseMissing(name[:end], parent, folders)
		}
		parent = name[:end]
		folders = i.foldersOf(v)
	}
	return nil
}

// raiseMissing raises ModuleNotFoundError for a module that is in none of some folders: sys.path, or those of its
// parent.
func (i *importer) raiseMissing(name, parent string, folders []string) {
	text := "No module named '" + name + "'"
	var d *diag.Diagnostic
	libraries := sortedNames(i.m.options.Libraries.makers)
	_, ours := i.libraryNamed(parent)
	switch {
	case i.imported.at(name) == none:
		text = "import of " + name + " halted; None in sys.modules"
	case ours:
		d = lacking(source.Span{}, name, libraries)
	case i.compiledIn(folders, lastName(name)):
		d = diag.New("module-compiled", source.Span{}, name)
	case parent == "":
		d = diag.New("module-not-found", source.Span{}, name, strings.Join(folders, ", "))
		if near, ok := diag.Nearest(name, libraries); ok {
			d.Primary.Text = diag.Text{Key: "nearest-in-newt", Args: []any{near}}
		}
	case folders == nil:
		text += "; '" + parent + "' is not a package"
	default:
		d = diag.New("submodule-not-found", source.Span{}, name, parent, strings.Join(folders, ", "))
	}
	e := newException(exceptions["ModuleNotFoundError"], python.Str(text))
	if d != nil {
		e.own = diag.List{d}
	}
	e.attrs.put("name", python.Str(name))
	e.attrs.put("path", none)
	panic(&raised{exception: e})
}

// compiledIn reports whether one of some folders has a module as machine code: name.so, or name.cpython-312-….so.
func (i *importer) compiledIn(folders []string, name string) bool {
	for _, folder := range folders {
		names, _ := i.m.files.fileNames(folder)
		for _, file := range names {
			if strings.HasPrefix(file, name+".") && slices.Contains([]string{".so", ".pyd"}, path.Ext(file)) {
				return true
			}
		}
	}
	return false
}

// findModule imports a module by its dotted name, its packages first.
func (i *importer) findModule(name string) (Value, bool) {
	if v, ok := i.imported.named(name); ok {
		return v, v != none // None in sys.modules hides a module
	}
	// A library cannot be hidden by a file of the same name, unless it is a stand-in: its Go code may depend on it.
	if l, ok := i.libraryNamed(name); ok {
		return l, true
	}
	parent, child, inPackage := cutLast(name)
	folders := i.searchPath()
	var around Value
	if inPackage {
		around, _ = i.findModule(parent)
		folders = i.foldersOf(around)
	}
	v, ok := i.loadFrom(folders, name, lastName(name))
	if !ok {
		v, ok = i.findOnMetaPath(name, around)
	}
	// A submodule becomes an attribute of its package, also if the script does not import the package itself.
	if ok && inPackage {
		i.m.setAttr(around, child, v)
	}
	return v, ok
}

// findOnMetaPath has the finders of sys.meta_path, which are a script's own, find and load a module: inside a package,
// if there is one. They come after files, as those that are appended to Python's list do.
func (i *importer) findOnMetaPath(name string, around Value) (Value, bool) {
	sys, ok := i.loaded["sys"]
	if !ok {
		return nil, false
	}
	if finders, ok := sys.members["meta_path"].(*List); !ok || len(finders.Items) == 0 {
		return nil, false
	}
	folders := Value(none)
	if around != nil {
		if folders, ok = i.m.attrOr(around, "__path__"); !ok {
			return nil, false
		}
	}
	load := i.m.attrOf(i.mustModule("importlib.util"), "_load_from_meta_path")
	v := i.m.callWith(load, python.Str(name), folders)
	return v, v != none
}

// searchPath lists the folders in which modules are looked for: sys.path, which a script may change.
func (i *importer) searchPath() (folders []string) {
	l, ok := i.libraryNamed("sys")
	if !ok {
		return []string{i.m.options.Folder}
	}
	list, _ := l.members["path"].(*List)
	return i.texts(list)
}

// foldersOf lists the folders of a package, its __path__; a module has none. Of Python's own packages newt may have a
// part: the others of their modules are found where Python finds the package.
func (i *importer) foldersOf(module Value) (folders []string) {
	switch o := module.(type) {
	case *namespace:
		list, _ := o.vars.at("__path__").(*List)
		return i.texts(list)
	case *Library:
		first, _, _ := strings.Cut(o.name, ".")
		if wholePackages[first] {
			return nil
		}
		for _, folder := range i.searchPath() {
			at := path.Join(folder, strings.ReplaceAll(o.name, ".", "/"))
			if i.m.files.hasFile(at + "/" + initFile) {
				folders = append(folders, at)
			}
		}
	}
	return folders
}

func (i *importer) texts(list *List) (texts []string) {
	if list == nil {
		return nil
	}
	for _, v := range list.Items {
		if text, ok := v.(python.Str); ok { // a Path is ignored, as in Python
			texts = append(texts, string(text))
		}
	}
	return texts
}

// hasFile reports whether a folder of sys.path has the file of a module or the package.
func (i *importer) hasFile(name string) bool {
	return slices.ContainsFunc(i.searchPath(), func(folder string) bool {
		at := path.Join(folder, name)
		return i.m.files.hasFile(at+".py") || i.m.files.hasFile(at+"/"+initFile)
	})
}

// exists reports whether there is a file or a folder of a module, which is not loaded.
func (i *importer) exists(name string) bool {
	folders, found := i.searchPath(), false
	for _, part := range strings.Split(name, ".") {
		var inside []string
		found = false
		for _, folder := range folders {
			at := path.Join(folder, part)
			if i.m.files.hasFile(at + ".py") {
				found = true
			} else if i.m.files.hasFolder(at) || i.m.files.hasFile(at+"/"+initFile) {
				found, inside = true, append(inside, at)
			}
		}
		folders = inside
	}
	return found
}

// loadFrom loads a module from the first of some folders that has its file or package. Folders of its name without
// __init__.py are together a package, where there is nothing else.
func (i *importer) loadFrom(folders []string, name, base string) (Value, bool) {
	var without []Value
	for _, folder := range folders {
		at := path.Join(folder, base)
		for _, file := range []string{at + "/" + initFile, at + ".py"} {
			if v, ok := i.loadModule(name, file); ok {
				return v, true
			}
		}
		if i.m.files.hasFolder(at) {
			without = append(without, python.Str(at))
		}
	}
	if without == nil {
		return nil, false
	}
	n := newNamespace(name, "")
	n.vars.put("__package__", python.Str(name))
	n.vars.put("__path__", &List{Items: without})
	i.imported.put(name, n)
	return n, true
}

// loadModule runs the text of a file as a module, a package's __init__.py as the package. A module may put something
// else in its place in sys.modules.
func (i *importer) loadModule(name, file string) (Value, bool) {
	text, ok := i.m.files.readText(file)
	if !ok {
		return nil, false
	}
	n := newNamespace(name, i.m.files.absolute(file))
	pkg, _, _ := cutLast(name)
	if path.Base(file) == initFile {
		pkg = name
		n.vars.put("__path__", &List{Items: []Value{python.Str(path.Dir(file))}})
	}
	n.vars.put("__package__", python.Str(pkg))
	// A module that imports itself on the way finds what there is of it so far; one that fails is forgotten.
	i.imported.put(name, n)
	i.running[name] = true
	done := false
	defer func() {
		delete(i.running, name)
		if !done {
			i.imported.remove(python.Str(name))
		}
	}()
	i.execute(n, file, text)
	done = true
	v, ok := i.imported.named(name)
	return v, ok
}

// execute runs the text of a file among the globals of a module.
func (i *importer) execute(n *namespace, file, text string) {
	// The file joins the sources, so that tracebacks can show its lines.
	tree, said := syntax.Parse(i.m.sources.Add(source.NewFile(i.m.files.local(file), text)))
	if said.HasErrors() {
		throwSyntax(said[0])
	}
	i.m.runUnit(newUnit(tree, n), tree.Body)
}
