package host

import (
	"bytes"

	"github.com/newtlab/newt/compiler/python"
)

// byteStream is what a binary file holds: one that was opened, or io.BytesIO.
type byteStream struct {
	name  string
	data  []byte
	at    int
	reads bool
	saves func(string) // keeps the bytes of a file that was opened for writing; nil for others
	ended bool
}

func (s *byteStream) check() {
	if s.ended {
		raise("ValueError", "I/O operation on closed file.")
	}
}

// take reads n bytes, all that are left where n is negative.
func (s *byteStream) take(m *machine, n int64) Bytes {
	s.check()
	if !s.reads {
		throw("OSError", "not readable")
	}
	from := min(s.at, len(s.data))
	end := len(s.data)
	if n >= 0 {
		end = int(min(int64(from)+n, int64(end)))
	}
	m.budget.chargeItems(end - from)
	s.at = end
	return Bytes(s.data[from:end])
}

func (s *byteStream) line(m *machine) Bytes {
	from := min(s.at, len(s.data))
	if n := bytes.IndexByte(s.data[from:], '\n'); n >= 0 {
		return s.take(m, int64(n+1))
	}
	return s.take(m, -1)
}

func (s *byteStream) write(m *machine, data string) {
	s.check()
	if s.saves == nil && s.name != "" {
		throw("OSError", "not writable")
	}
	m.budget.chargeItems(len(data))
	for len(s.data) < s.at {
		s.data = append(s.data, 0)
	}
	s.data = append(s.data[:s.at], append([]byte(data), s.data[min(s.at+len(data), len(s.data)):]...)...)
	s.at += len(data)
	if s.saves != nil {
		m.budget.chargeItems(len(s.data) / 64) // for the copy
		s.saves(string(s.data))
	}
}

func byteLines(m *machine, s *byteStream) pull {
	return func() (Value, bool) {
		line := s.line(m)
		return line, line != ""
	}
}

var byteStreamMethods = map[string]method{
	"read": func(m *machine, a arguments) Value {
		return native[*byteStream](a).take(m, asIndex(given(a.tail().bound("read", "size=")[0], intValue(-1))))
	},
	"readline": func(m *machine, a arguments) Value { return native[*byteStream](a).line(m) },
	"readlines": func(m *machine, a arguments) Value {
		return &List{m.collectItems(byteLines(m, native[*byteStream](a)))}
	},
	"write": func(m *machine, a arguments) Value {
		v := a.tail().bound("write", "b")[0]
		data := mustBytes(v)
		native[*byteStream](a).write(m, data)
		return intValue(len(data))
	},
	"getvalue": func(m *machine, a arguments) Value {
		s := native[*byteStream](a)
		m.budget.chargeItems(len(s.data))
		return Bytes(s.data)
	},
	"getbuffer": func(m *machine, a arguments) Value { return memoryView{Bytes(native[*byteStream](a).data)} },
	"seek": func(m *machine, a arguments) Value {
		s, v := native[*byteStream](a), a.tail().bound("seek", "offset, whence=")
		s.check()
		base := map[int64]int{0: 0, 1: s.at, 2: len(s.data)}[asIndex(given(v[1], intValue(0)))]
		s.at = max(base+int(min(asIndex(v[0]), 1<<30)), 0)
		return intValue(s.at)
	},
	"tell": func(m *machine, a arguments) Value { return intValue(native[*byteStream](a).at) },
	"truncate": func(m *machine, a arguments) Value {
		s := native[*byteStream](a)
		s.data = s.data[:min(int(asIndex(given(a.tail().bound("truncate", "size=")[0], intValue(s.at)))), len(s.data))]
		return intValue(len(s.data))
	},
	"flush":    ignore,
	"readable": func(m *machine, a arguments) Value { return python.Bool(native[*byteStream](a).reads) },
	"writable": func(m *machine, a arguments) Value {
		s := native[*byteStream](a)
		return python.Bool(s.saves != nil || s.name == "")
	},
	"seekable":  func(m *machine, a arguments) Value { return python.Bool(true) },
	"close":     func(m *machine, a arguments) Value { native[*byteStream](a).ended = true; return none },
	"__enter__": func(m *machine, a arguments) Value { native[*byteStream](a).check(); return a.positional[0] },
	"__exit__":  func(m *machine, a arguments) Value { native[*byteStream](a).ended = true; return none },
	"__iter__": func(m *machine, a arguments) Value {
		return &Iterator{"BufferedReader", byteLines(m, native[*byteStream](a))}
	},
	"__repr__": func(m *machine, a arguments) Value {
		s := native[*byteStream](a)
		if s.name == "" {
			return python.Str("<_io.BytesIO object>")
		}
		return python.Str("<_io.BufferedReader name=" + python.Repr(python.Str(s.name)) + ">")
	},
}

// byteStreamClass makes a class of binary files.
func byteStreamClass(name string) *Class {
	c := nativeClass("_io", name, byteStreamMethods)
	c.define("closed", getter(func(m *machine, a arguments) Value { return python.Bool(native[*byteStream](a).ended) }))
	c.define("name", getter(func(m *machine, a arguments) Value { return python.Str(native[*byteStream](a).name) }))
	return c
}

var binaryFileClass, bytesIOClass *Class

func init() {
	binaryFileClass, bytesIOClass = byteStreamClass("BufferedRandom"), byteStreamClass("BytesIO")
	bytesIOClass.define("__init__", &Builtin{"__init__", func(m *machine, a arguments) Value {
		data := mustBytes(given(a.tail().bound("BytesIO", "initial_bytes=")[0], Bytes("")))
		a.positional[0].(*Instance).native = &byteStream{data: []byte(data), reads: true}
		return none
	}})
}
