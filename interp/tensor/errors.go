package tensor

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// Error is a failed operation: the class of the exception that torch raises, and its message.
type Error struct {
	Class   string // "RuntimeError", "IndexError", "TypeError", "ValueError", "NotImplementedError"
	Message string
	Own     Own
}

// Own says that an error is newt's and not torch's.
type Own uint8

// The kinds of an error.
const (
	Torch   Own = iota // torch raises it too
	Lack               // Message names what this package does not have
	Limit              // Message says what it does not allow
	Stopped            // the Context's Stop has said so
	Fault              // a mistake in newt; Message is where, as file and line of its source
)

func (e *Error) Error() string { return e.Class + ": " + e.Message }

func raise(class, format string, args ...any) {
	panic(&Error{class, fmt.Sprintf(format, args...), Torch})
}

func runtimeError(format string, args ...any) { raise("RuntimeError", format, args...) }
func indexError(format string, args ...any)   { raise("IndexError", format, args...) }
func typeError(format string, args ...any)    { raise("TypeError", format, args...) }
func valueError(format string, args ...any)   { raise("ValueError", format, args...) }

// lack refuses what torch may have and this package has not.
func lack(class, format string, args ...any) {
	panic(&Error{class, fmt.Sprintf(format, args...), Lack})
}

// limit refuses what is too much for this package.
func limit(format string, args ...any) {
	panic(&Error{"RuntimeError", fmt.Sprintf(format, args...), Limit})
}

// guard turns what an operation panics with into err. What a callback panics with, such as an exception of the host, is
// its caller's and goes on.
func guard(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error, runtime.Error, string:
		*err = Internal(r)
	default:
		panic(r)
	}
}

// Internal is the Error of a recovered panic: itself, or one that says where in newt's source the panic began. It is
// called by what has recovered, while the frames of the panic are still there.
func Internal(r any) *Error {
	if e, ok := r.(*Error); ok {
		return e
	}
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	place, panicked := "", false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		panicked = panicked || f.Function == "runtime.gopanic"
		// github.com/newtlab/newt/interp/tensor.(*Context).Index
		_, name, own := strings.Cut(f.Function, "/newt/")
		if folder, _, _ := strings.Cut(name, "."); panicked && own {
			place = folder + f.File[strings.LastIndex(f.File, "/"):] + ":" + strconv.Itoa(f.Line)
			break
		}
	}
	return &Error{"SystemError", place, Fault}
}

// word is x where first is set, else y: the words in which two messages differ.
func word(first bool, x, y string) string {
	if first {
		return x
	}
	return y
}
