package host

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// fileStream is what a file holds: one that was opened, io.StringIO, io.BytesIO, sys.stdout or sys.stderr.
type fileStream struct {
	name  string
	isStr bool      // its data are the UTF-8 of a text
	to    io.Writer // sys.stdout and sys.stderr; nil for data in memory
	data  []byte
	at    int // the offset of the next read or write
	reads bool
	saves func(string) // keeps the data of a file that was opened for writing; nil for others
	ended bool         // closed
}

func (s *fileStream) check() {
	if s.ended {
		raise("ValueError", "I/O operation on closed file.")
	}
}

func (s *fileStream) writable() bool { return s.to != nil || s.saves != nil || s.name == "" }

// value is some of the data as Python has it.
func (s *fileStream) value(m *machine, data []byte) Value {
	m.budget.chargeItems(len(data))
	if s.isStr {
		return python.Str(data)
	}
	return Bytes(data)
}

// rest is what comes after the place.
func (s *fileStream) rest() []byte { return s.data[min(s.at, len(s.data)):] }

// size is how many bytes n characters, or bytes, of the rest have; of all where n is negative.
func (s *fileStream) size(n int64) (size int) {
	rest := s.rest()
	switch {
	case n < 0:
		return len(rest)
	case !s.isStr:
		return int(min(n, int64(len(rest))))
	}
	for ; n > 0 && size < len(rest); n-- {
		_, width := utf8.DecodeRune(rest[size:])
		size += width
	}
	return size
}

// read reads some bytes of the rest.
func (s *fileStream) read(m *machine, size int) Value {
	s.check()
	if !s.reads {
		throw("OSError", "not readable")
	}
	v := s.value(m, s.rest()[:size])
	s.at = min(s.at, len(s.data)) + size
	return v
}

func (s *fileStream) line(m *machine) Value {
	if n := bytes.IndexByte(s.rest(), '\n'); n >= 0 {
		return s.read(m, n+1)
	}
	return s.read(m, len(s.rest()))
}

func (s *fileStream) lines(m *machine) pull {
	return func() (Value, bool) {
		more := len(s.rest()) > 0
		return s.line(m), more
	}
}

func (s *fileStream) write(m *machine, data string) {
	s.check()
	switch {
	case s.to != nil:
		m.writeText(s.to, data)
		return
	case !s.writable():
		throw("OSError", "not writable")
	}
	m.budget.chargeItems(len(data))
	if gap := s.at - len(s.data); gap > 0 { // zeros, as CPython fills it
		m.budget.chargeItems(gap)
		s.data = append(s.data, make([]byte, gap)...)
	}
	end := s.at + len(data)
	if s.isStr { // as many characters go, which may have other sizes
		end = s.at + s.size(int64(utf8.RuneCountInString(data)))
	}
	if end >= len(s.data) {
		s.data = append(s.data[:s.at], data...)
	} else {
		s.data = slices.Replace(s.data, s.at, end, []byte(data)...)
	}
	s.at += len(data)
	s.save(m)
}

func (s *fileStream) save(m *machine) {
	if s.saves != nil {
		m.budget.chargeItems(len(s.data) / 64) // for the copy
		s.saves(string(s.data))
	}
}

// written is what a script gives to write.
func (s *fileStream) written(v Value) string {
	if !s.isStr {
		return mustBytes(v)
	}
	text, ok := plain(v).(python.Str)
	switch {
	case !ok && s.name == "":
		raise("TypeError", "string argument expected, got '%s'", v.Type())
	case !ok:
		raise("TypeError", "write() argument must be str, not %s", v.Type())
	}
	return string(text)
}

// builtinInput is input(prompt) where standard input is at its end.
func builtinInput(m *machine, a arguments) Value {
	m.writeText(m.options.Stdout, m.strOf(a.positional[0]))
	throw("EOFError", "EOF when reading a line")
	return nil
}

func closeStream(_ *machine, a arguments) Value { native[*fileStream](a).ended = true; return none }

func constantly(v Value) method { return func(*machine, arguments) Value { return v } }

// streamMethods are those of files of all kinds.
var streamMethods = map[string]method{
	"read(self, /, size=...)": func(m *machine, a arguments) Value {
		s, v := native[*fileStream](a), a.positional[1:]
		return s.read(m, s.size(asIndex(given(v[0], intValue(-1)))))
	},
	"readline(self, /)": func(m *machine, a arguments) Value { return native[*fileStream](a).line(m) },
	"readlines(self, /)": func(m *machine, a arguments) Value {
		return &List{Items: m.collectItems(native[*fileStream](a).lines(m))}
	},
	"write(self, /, s)": func(m *machine, a arguments) Value {
		s, v := native[*fileStream](a), a.positional[1]
		s.write(m, s.written(v))
		return intValue(m.lengthOf(v))
	},
	"writelines(self, /, lines)": func(m *machine, a arguments) Value {
		s := native[*fileStream](a)
		for _, v := range slices.Clone(m.itemsOf(a.positional[1])) {
			s.write(m, s.written(v))
		}
		return none
	},
	"getvalue(self, /)": func(m *machine, a arguments) Value { s := native[*fileStream](a); return s.value(m, s.data) },
	"seek(self, /, offset, whence=...)": func(m *machine, a arguments) Value {
		s, v := native[*fileStream](a), a.positional[1:]
		s.check()
		base := map[int64]int{0: 0, 1: s.at, 2: len(s.data)}[asIndex(given(v[1], intValue(0)))]
		s.at = max(base+int(min(asIndex(v[0]), 1<<30)), 0)
		return intValue(s.at)
	},
	"tell(self, /)": func(m *machine, a arguments) Value { return intValue(native[*fileStream](a).at) },
	"truncate(self, /, size=...)": func(m *machine, a arguments) Value {
		s := native[*fileStream](a)
		size := asIndex(given(a.positional[1], intValue(s.at)))
		if size < 0 {
			raise("ValueError", "Negative size value %d", size)
		}
		s.data = s.data[:min(int(size), len(s.data))]
		s.save(m)
		return intValue(int(size))
	},
	"flush": ignore, "isatty": constantly(python.Bool(false)), "seekable": constantly(python.Bool(true)),
	"readable(self, /)": func(m *machine, a arguments) Value { return python.Bool(native[*fileStream](a).reads) },
	"writable(self, /)": func(m *machine, a arguments) Value { return python.Bool(native[*fileStream](a).writable()) },
	"close":             closeStream,
	"__enter__":         func(m *machine, a arguments) Value { native[*fileStream](a).check(); return a.positional[0] },
	"__exit__":          closeStream,
	"__iter__": func(m *machine, a arguments) Value {
		return &Iterator{a.positional[0].Type(), native[*fileStream](a).lines(m)}
	},
	"__next__(self, /)": func(m *machine, a arguments) Value {
		v, ok := native[*fileStream](a).lines(m)()
		if !ok {
			raise("StopIteration", "")
		}
		return v
	},
	"__repr__": func(m *machine, a arguments) Value {
		s, class := native[*fileStream](a), a.positional[0].Type()
		switch {
		case s.name == "":
			return python.Str("<_io." + class + " object>")
		case s.isStr:
			return python.Str("<_io." + class + " name=" + python.Repr(python.Str(s.name)) + " encoding='utf-8'>")
		}
		return python.Str("<_io." + class + " name=" + python.Repr(python.Str(s.name)) + ">")
	},
	"@property closed(self)": func(m *machine, a arguments) Value { return python.Bool(native[*fileStream](a).ended) },
	"@property name(self)":   func(m *machine, a arguments) Value { return python.Str(native[*fileStream](a).name) },
}

// streamClass makes a class of files.
func streamClass(name string) *Class {
	return nativeClass("_io", name, streamMethods)
}

// memoryStreamClass makes io.StringIO or io.BytesIO.
func memoryStreamClass(name, parameters string, empty Value) *Class {
	c := streamClass(name)
	c.defineAll(map[string]method{"__init__(self, /, " + parameters + ")": func(m *machine, a arguments) Value {
		s := &fileStream{isStr: empty == python.Str(""), reads: true}
		s.data = []byte(s.written(given(a.positional[1], empty)))
		m.budget.chargeItems(len(s.data))
		a.positional[0].(*Instance).native = s
		return none
	}})
	return c
}

var (
	fileClass       = streamClass("TextIOWrapper")
	binaryFileClass = streamClass("BufferedRandom")
	memoryClass     = memoryStreamClass("StringIO", "initial_value=None, newline='\\n'", python.Str(""))
	bytesIOClass    = memoryStreamClass("BytesIO", "initial_bytes=None", Bytes(""))
)

func init() {
	bytesIOClass.define("getbuffer", &Builtin{Name: "getbuffer", call: func(m *machine, a arguments) Value {
		return memoryView{Bytes(native[*fileStream](a).data)}
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
	if s, ok := o.native.(*fileStream); ok {
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
	name, mode := pathText(m, a.positional[0]), m.strOf(a.positional[1])
	both, isStr := strings.Contains(mode, "+"), !strings.Contains(mode, "b")
	kind := strings.NewReplacer("t", "", "b", "", "+", "").Replace(mode)
	if len(kind) != 1 || !strings.Contains("rwax", kind) {
		raise("ValueError", "invalid mode: %s", python.Repr(python.Str(mode)))
	}
	found := m.files.hasFile(name)
	if !found && m.files.hasFolder(name) {
		raiseErrno("IsADirectoryError", 21, "Is a directory", name)
	}
	s := &fileStream{name: name, isStr: isStr, reads: kind == "r" || both}
	if kind != "r" || both {
		s.saves = func(text string) { m.files.writeText(name, text) }
	}
	switch {
	case kind == "r" && !found:
		raiseErrno("FileNotFoundError", 2, "No such file or directory", name)
	case kind == "x" && found:
		raiseErrno("FileExistsError", 17, "File exists", name)
	case kind == "r" || kind == "a":
		text, _ := m.files.readText(name)
		s.data = []byte(text)
	}
	if kind == "a" {
		s.at = len(s.data)
	}
	if kind != "r" {
		m.budget.chargeItems(1)
		s.saves(string(s.data))
	}
	if isStr {
		return m.newNative(fileClass, s)
	}
	return m.newNative(binaryFileClass, s)
}
