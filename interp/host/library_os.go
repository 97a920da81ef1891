package host

import (
	"maps"
	"path"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// osLibrary is os, over the files beside the document and those that the script wrote.
func osLibrary(m *machine) map[string]Value {
	members := functions(osFunctions())
	maps.Copy(members, map[string]Value{"environ": environment(m), "sep": python.Str("/"), "linesep": python.Str("\n"),
		"name": python.Str("posix"), "pathsep": python.Str(":"), "curdir": python.Str("."), "pardir": python.Str(".."),
		"devnull": python.Str("/dev/null")})
	for _, name := range []string{"system", "popen", "fork", "kill", "chdir"} {
		members[name] = refused("os." + name)
	}
	return members
}

// environment is os.environ: what every script may expect of a Linux machine, and what newt was called with.
func environment(m *machine) *Dict {
	all := map[string]Value{"PATH": python.Str("/usr/local/bin:/usr/bin:/bin"), "HOME": python.Str(DefaultFolder),
		"LANG": python.Str("C.UTF-8"), "PWD": python.Str(m.options.Folder)}
	for name, value := range m.options.Environ {
		all[name] = python.Str(value)
	}
	return namesOf(all)
}

func osFunctions() map[string]method {
	return map[string]method{
		"getenv(key, default=None)": func(m *machine, a arguments) Value {
			if l, ok := m.modules.libraryNamed("os"); ok {
				if d, ok := l.members["environ"].(*Dict); ok {
					if x, ok := d.get(a.positional[0]); ok {
						return x
					}
				}
			}
			return a.positional[1]
		},
		"getcwd":       func(m *machine, _ arguments) Value { return python.Str(m.options.Folder) },
		"getpid":       func(*machine, arguments) Value { return intValue(1) },
		"cpu_count":    func(*machine, arguments) Value { return intValue(1) },
		"fspath(path)": func(m *machine, a arguments) Value { return python.Str(pathText(m, a.positional[0])) },
		"makedirs":     ignore, "mkdir": ignore, // folders of files in memory need no making
		"remove(path)": removeFile, "unlink(path)": removeFile,
		"listdir(path='.')": func(m *machine, a arguments) Value {
			folder := pathText(m, a.positional[0])
			names, ok := m.files.fileNames(folder)
			if !ok {
				raiseErrno("FileNotFoundError", 2, "No such file or directory", folder)
			}
			list := &List{}
			for _, name := range names {
				list.Items = append(list.Items, python.Str(name))
			}
			m.budget.chargeItems(len(list.Items))
			return list
		},
	}
}

func removeFile(m *machine, a arguments) Value {
	name := pathText(m, a.positional[0])
	if m.files.removeWritten(name) {
		return none
	}
	if m.files.hasFile(name) {
		raiseErrno("PermissionError", 13, "Permission denied", name)
	}
	raiseErrno("FileNotFoundError", 2, "No such file or directory", name)
	return nil
}

// pathFunction wraps a function of one path.
func pathFunction(f func(m *machine, p string) Value) method {
	return func(m *machine, a arguments) Value { return f(m, pathText(m, a.positional[0])) }
}

func strPath(f func(p string) string) func(m *machine, p string) Value {
	return func(_ *machine, p string) Value { return python.Str(f(p)) }
}

// splitPath is os.path.split: the folder without its last slashes, and the name.
func splitPath(p string) (head, tail string) {
	i := strings.LastIndexByte(p, '/') + 1
	head, tail = p[:i], p[i:]
	if trimmed := strings.TrimRight(head, "/"); trimmed != "" {
		head = trimmed
	}
	return head, tail
}

// splitExtension is os.path.splitext: a leading dot is no extension.
func splitExtension(p string) (root, extension string) {
	_, name := splitPath(p)
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || strings.Trim(name[:i], ".") == "" {
		return p, ""
	}
	return p[:len(p)-len(name)+i], name[i:]
}

func absolutePath(m *machine, p string) Value { return python.Str(m.files.absolute(p)) }

func pathFunctions() map[string]method {
	return map[string]method{
		"join(a, *p)": func(m *machine, a arguments) Value {
			out := pathText(m, a.positional[0])
			for _, v := range a.positional[1].(Tuple) {
				switch p := pathText(m, v); {
				case strings.HasPrefix(p, "/"):
					out = p
				case out == "" || strings.HasSuffix(out, "/"):
					out += p
				default:
					out += "/" + p
				}
			}
			return python.Str(out)
		},
		"basename(path)": pathFunction(strPath(func(p string) string { _, name := splitPath(p); return name })),
		"dirname(path)":  pathFunction(strPath(func(p string) string { head, _ := splitPath(p); return head })),
		"split(path)": pathFunction(func(_ *machine, p string) Value {
			head, tail := splitPath(p)
			return Tuple{python.Str(head), python.Str(tail)}
		}),
		"splitext(path)": pathFunction(func(_ *machine, p string) Value {
			root, extension := splitExtension(p)
			return Tuple{python.Str(root), python.Str(extension)}
		}),
		"abspath(path)":    pathFunction(absolutePath),
		"realpath(path)":   pathFunction(absolutePath),
		"normpath(path)":   pathFunction(strPath(path.Clean)),
		"expanduser(path)": pathFunction(strPath(func(p string) string { return p })),
		"isabs(path)":      pathFunction(func(_ *machine, p string) Value { return python.Bool(path.IsAbs(p)) }),
		"exists(path)": pathFunction(func(m *machine, p string) Value {
			return python.Bool(m.files.hasFile(p) || m.files.isFolder(p))
		}),
		"isfile(path)": pathFunction(func(m *machine, p string) Value {
			return python.Bool(m.files.hasFile(p))
		}),
		"isdir(path)": pathFunction(func(m *machine, p string) Value {
			return python.Bool(!m.files.hasFile(p) && m.files.isFolder(p))
		}),
		"getsize(path)": pathFunction(func(m *machine, p string) Value {
			size, ok := m.files.size(p)
			if !ok {
				raiseErrno("FileNotFoundError", 2, "No such file or directory", p)
			}
			return intValue(size)
		}),
	}
}
