package tensor

import "fmt"

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
	Torch Own = iota // torch raises it too
	Lack             // Message names what this package does not have
	Limit            // Message says what it does not allow
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

// word is x where first is set, else y: the words in which two messages differ.
func word(first bool, x, y string) string {
	if first {
		return x
	}
	return y
}
