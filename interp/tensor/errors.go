package tensor

import "fmt"

// Error is a failed operation: the class of the exception that torch raises, and its message.
type Error struct {
	Class   string // "RuntimeError", "IndexError", "TypeError", "ValueError", "NotImplementedError"
	Message string
}

func (e *Error) Error() string { return e.Class + ": " + e.Message }

func raise(class, format string, args ...any) {
	panic(&Error{class, fmt.Sprintf(format, args...)})
}

func runtimeError(format string, args ...any) { raise("RuntimeError", format, args...) }
func indexError(format string, args ...any)   { raise("IndexError", format, args...) }
func typeError(format string, args ...any)    { raise("TypeError", format, args...) }
func valueError(format string, args ...any)   { raise("ValueError", format, args...) }

// guard turns a raised Error into err; any other panic goes on.
func guard(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	default:
		panic(e)
	}
}
