package host

import (
	"io"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// textStream is what a text file holds: one that was opened, io.StringIO, sys.stdout or sys.stderr.
type textStream struct {
	name  string
	to    io.Writer    // sys.stdout and sys.stderr; nil for texts in memory
	text  string       // what was read or written
	at    int          // the offset in bytes of the next read or write
	reads bool         // opened for reading
	saves func(string) // keeps the text of a file that was opened for writing; nil for others
	ended bool         // closed
}

func (s *textStream) check() {
	if s.ended {
		raise("ValueError", "I/O operation on closed file.")
	}
}

// readTo reads up to an offset.
func (s *textStream) readTo(m *machine, end int) python.Str {
	s.check()
	if !s.reads {
		raiseOf("OSError", "not readable")
	}
	text := s.text[min(s.at, len(s.text)):end]
	m.budget.chargeItems(len(text))
	s.at = end
	return python.Str(text)
}

func (s *textStream) line(m *machine) python.Str {
	from := min(s.at, len(s.text))
	end := len(s.text)
	if n := strings.IndexByte(s.text[from:], '\n'); n >= 0 {
		end = from + n + 1
	}
	return s.readTo(m, end)
}

func (s *textStream) write(m *machine, text string) {
	s.check()
	switch {
	case s.to != nil:
		m.writeText(s.to, text)
		return
	case s.saves == nil && s.name != "":
		raiseOf("OSError", "not writable")
	}
	m.budget.chargeItems(len(text))
	if s.at == len(s.text) { // the usual case keeps Go's cheap growth of strings short
		s.text += text
	} else {
		end := min(s.at+len(text), len(s.text))
		s.text = s.text[:min(s.at, len(s.text))] + text + s.text[end:]
	}
	s.at += len(text)
	m.budget.chargeItems(len(s.text) / 64) // for the copy
	if s.saves != nil {
		s.saves(s.text)
	}
}

// builtinInput is input(prompt) where standard input is at its end.
func builtinInput(m *machine, a arguments) Value {
	m.writeText(m.options.Stdout, m.strOf(given(a.bound("input", "prompt=")[0], python.Str(""))))
	raiseOf("EOFError", "EOF when reading a line")
	return nil
}

// raiseOf raises a builtin exception without a format.
func raiseOf(class, message string) { throw(class, message) }

func streamMethods() map[string]method {
	return map[string]method{
		"read": func(m *machine, a arguments) Value {
			s, v := native[*textStream](a), a.tail().bound("read", "size=")[0]
			end := len(s.text)
			if n := given(v, nil); n != nil && asIndex(n) >= 0 {
				end = min(s.at, len(s.text)) + byteOffset(s.text[min(s.at, len(s.text)):], int(asIndex(n)))
			}
			return s.readTo(m, end)
		},
		"readline": func(m *machine, a arguments) Value { return native[*textStream](a).line(m) },
		"readlines": func(m *machine, a arguments) Value {
			return &List{Items: m.collectItems(textLines(m, native[*textStream](a)))}
		},
		"write": func(m *machine, a arguments) Value {
			v := a.tail().bound("write", "s")[0]
			text, ok := v.(python.Str)
			if !ok {
				raise("TypeError", "write() argument must be str, not %s", v.Type())
			}
			native[*textStream](a).write(m, string(text))
			return intValue(m.lengthOf(text))
		},
		"writelines": func(m *machine, a arguments) Value {
			for _, v := range slices.Clone(m.itemsOf(a.tail().bound("writelines", "lines")[0])) {
				native[*textStream](a).write(m, m.strOf(v))
			}
			return none
		},
		"getvalue": func(m *machine, a arguments) Value {
			s := native[*textStream](a)
			m.budget.chargeItems(len(s.text))
			return python.Str(s.text)
		},
		"seek": func(m *machine, a arguments) Value {
			s, v := native[*textStream](a), a.tail().bound("seek", "offset, whence=")
			s.check()
			if given(v[1], nil) != nil && asIndex(v[1]) == 2 {
				s.at = len(s.text)
			} else {
				s.at = max(min(int(asIndex(v[0])), len(s.text)), 0)
			}
			return intValue(s.at)
		},
		"tell": func(m *machine, a arguments) Value { return intValue(native[*textStream](a).at) },
		"truncate": func(m *machine, a arguments) Value {
			s := native[*textStream](a)
			size := asIndex(given(a.tail().bound("truncate", "size=")[0], intValue(s.at)))
			s.text = s.text[:min(int(size), len(s.text))]
			return intValue(len(s.text))
		},
		"flush":    func(*machine, arguments) Value { return none },
		"isatty":   func(*machine, arguments) Value { return python.Bool(false) },
		"readable": func(m *machine, a arguments) Value { return python.Bool(native[*textStream](a).reads) },
		"writable": func(m *machine, a arguments) Value {
			s := native[*textStream](a)
			return python.Bool(s.to != nil || s.saves != nil || s.name == "")
		},
		"close": func(m *machine, a arguments) Value { native[*textStream](a).ended = true; return none },
		"__enter__": func(m *machine, a arguments) Value {
			native[*textStream](a).check()
			return a.positional[0]
		},
		"__exit__": func(m *machine, a arguments) Value { native[*textStream](a).ended = true; return none },
		"__iter__": func(m *machine, a arguments) Value {
			return &Iterator{"TextIOWrapper", textLines(m, native[*textStream](a))}
		},
		"__next__": func(m *machine, a arguments) Value {
			v, ok := textLines(m, native[*textStream](a))()
			if !ok {
				raise("StopIteration", "")
			}
			return v
		},
		"__repr__": func(m *machine, a arguments) Value {
			name := python.Repr(python.Str(native[*textStream](a).name))
			return python.Str("<_io.TextIOWrapper name=" + name + " encoding='utf-8'>")
		},
	}
}

func textLines(m *machine, s *textStream) pull {
	return func() (Value, bool) {
		line := s.line(m)
		return line, line != ""
	}
}

// streamClass makes a class of text files.
func streamClass(name string) *Class {
	c := nativeClass("_io", name, streamMethods())
	c.define("closed", getter(func(m *machine, a arguments) Value { return python.Bool(native[*textStream](a).ended) }))
	c.define("name", getter(func(m *machine, a arguments) Value { return python.Str(native[*textStream](a).name) }))
	return c
}

var (
	fileClass   *Class
	memoryClass *Class // io.StringIO
)

func init() {
	fileClass, memoryClass = streamClass("TextIOWrapper"), streamClass("StringIO")
	memoryClass.define("__init__", &Builtin{"__init__", func(m *machine, a arguments) Value {
		text := m.strOf(given(a.tail().bound("StringIO", "initial_value=, newline=")[0], python.Str("")))
		a.positional[0].(*Instance).native = &textStream{text: text, reads: true}
		return none
	}})
}

// ioLibrary is io.
func ioLibrary(*machine) map[string]Value {
	return map[string]Value{"StringIO": memoryClass, "TextIOWrapper": fileClass, "open": builtins["open"],
		"BytesIO": bytesIOClass, "BufferedIOBase": binaryFileClass,
		"SEEK_SET": intValue(0), "SEEK_CUR": intValue(1), "SEEK_END": intValue(2)}
}

// printTo writes what print() printed: to a file, or to sys.stdout, which the script may have replaced.
func printTo(m *machine, file Value, text string) {
	if file == nil {
		if sys := m.modules.loaded["sys"]; sys != nil {
			file = sys.members["stdout"]
		}
	}
	o, ok := file.(*Instance)
	if !ok && file != nil {
		m.callWith(m.attrOf(file, "write"), python.Str(text))
		return
	}
	if !ok {
		m.writeText(m.options.Stdout, text)
		return
	}
	if s, ok := o.native.(*textStream); ok {
		s.write(m, text)
		return
	}
	m.callWith(m.attrOf(o, "write"), python.Str(text))
}

// raiseErrno raises an OSError as the system words it.
func raiseErrno(class string, number int, words, name string) {
	args := []Value{intValue(number), python.Str(words), python.Str(name)}
	panic(&raised{exception: newOSError(exceptions[class], args)})
}

// pathText is a path: a str, or an object with __fspath__.
func pathText(m *machine, v Value) string {
	if o, ok := v.(*Instance); ok {
		if text, ok := m.callSpecial(o, "__fspath__"); ok {
			v = text
		}
	}
	s, ok := v.(python.Str)
	if !ok {
		raise("TypeError", "expected str, bytes or os.PathLike object, not %s", v.Type())
	}
	return string(s)
}

// builtinOpen is open(). What is written stays in memory: the files of the document do not change.
func builtinOpen(m *machine, a arguments) Value {
	v := a.bound("open", "file, mode=, buffering=, encoding=, errors=, newline=, closefd=, opener=")
	name, mode := pathText(m, v[0]), "r"
	if given(v[1], nil) != nil {
		mode = m.strOf(v[1])
	}
	binary := strings.Contains(mode, "b")
	kind := strings.Map(func(r rune) rune {
		if strings.ContainsRune("tb+", r) {
			return -1
		}
		return r
	}, mode)
	if len(kind) != 1 || !strings.Contains("rwax", kind) {
		raise("ValueError", "invalid mode: %s", python.Repr(python.Str(mode)))
	}
	text, found := m.files.readText(name)
	if folder, ok := m.files.fileNames(name); !found && ok && len(folder) > 0 {
		raiseErrno("IsADirectoryError", 21, "Is a directory", name)
	}
	if binary {
		return openBinary(m, name, kind, strings.Contains(mode, "+"), text, found)
	}
	s := &textStream{name: name, reads: kind == "r" || strings.Contains(mode, "+")}
	if kind != "r" || strings.Contains(mode, "+") {
		s.saves = func(text string) { m.files.writeText(name, text) }
	}
	switch {
	case kind == "r" && !found:
		raiseErrno("FileNotFoundError", 2, "No such file or directory", name)
	case kind == "r":
		s.text = text
	case kind == "x" && found:
		raiseErrno("FileExistsError", 17, "File exists", name)
	case kind == "a":
		s.text, s.at = text, len(text)
		s.saves(s.text)
	default:
		m.budget.chargeItems(1)
		s.saves("")
	}
	return m.newNative(fileClass, s)
}

// openBinary is open() with a "b" in the mode.
func openBinary(m *machine, name, kind string, both bool, data string, found bool) Value {
	s := &byteStream{name: name, reads: kind == "r" || both}
	if kind != "r" || both {
		s.saves = func(text string) { m.files.writeText(name, text) }
	}
	switch {
	case kind == "r" && !found:
		raiseErrno("FileNotFoundError", 2, "No such file or directory", name)
	case kind == "x" && found:
		raiseErrno("FileExistsError", 17, "File exists", name)
	case kind == "r" || kind == "a":
		s.data = []byte(data)
	}
	if kind == "a" {
		s.at = len(s.data)
	}
	if kind != "r" {
		m.budget.chargeItems(1)
		s.saves(string(s.data))
	}
	return m.newNative(binaryFileClass, s)
}

// byteOffset is where a number of characters of a text end.
func byteOffset(s string, runes int) int {
	for i := range s {
		if runes <= 0 {
			return i
		}
		runes--
	}
	return len(s)
}
