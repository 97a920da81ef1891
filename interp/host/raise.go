package host

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tensor"
)

// raised is a Python exception on its way up, or a limit that no except clause catches.
type raised struct {
	exception *Exception
	stop      *diag.Diagnostic // instead of an exception: the run ends
	span      source.Span      // where it was raised
	placed    bool
	at        source.Span // where it is now: in the frame that it has reached, its place or that of a call
	trace     []level     // the frames that it has left, innermost first
}

// level is one frame of a traceback.
type level struct {
	at    source.Span
	title string // of the frame
}

// leave notes that the exception leaves a frame, which was entered from at.
func (r *raised) leave(title string, at source.Span) {
	r.trace, r.at = append(r.trace, level{r.at, title}), at
}

// Exception is an exception's value.
type Exception struct {
	class *Class
	args  Tuple
	attrs *Dict
	own   diag.List // newt's own words, shown if nothing catches it
	near  string    // the name that was probably meant: a suggestion that the traceback adds

	trace    []level    // __traceback__: the frames that it had left when it was last caught, innermost first
	cause    *Exception // __cause__: of raise … from
	context  *Exception // __context__: what was being handled when it was raised
	suppress bool       // __suppress_context__: raise … from hides the context
}

func newException(c *Class, args ...Value) *Exception {
	return &Exception{class: c, args: Tuple(args), attrs: newDict()}
}

// Type is the name of the exception's class.
func (e *Exception) Type() string { return e.class.Name }

// message is str(e), where its class has no __str__.
func (e *Exception) message(p *printer) string {
	switch n := len(e.args); {
	case n == 0:
		return ""
	case e.class.isA("BaseExceptionGroup") && n == 2:
		// BaseExceptionGroup.__str__: the message and how many there are.
		list, _ := sequenceItems(e.args[1])
		return fmt.Sprintf("%s (%d sub-exception%s)", p.str(e.args[0]), len(list), plural(len(list)))
	case e.class.isA("OSError") && n == 2:
		text := "[Errno " + p.str(e.args[0]) + "] " + p.str(e.args[1])
		if file := e.attrs.at("filename"); file != nil {
			text += ": " + p.repr(file, 0)
		}
		return text
	// The repr, so that a missing "" or a key with blanks is seen (KeyError_str in exceptions.c).
	case n == 1 && e.class.isA("KeyError"):
		return p.repr(e.args[0], 0)
	case n == 1:
		return p.str(e.args[0])
	}
	return p.repr(e.args, 0)
}

// exceptionFields are attributes that stand for an exception's arguments, by the builtin class.
var exceptionFields = map[string][]string{"OSError": {"errno", "strerror"},
	"BaseExceptionGroup": {"message", "exceptions"}}

// field is an attribute that stands for one of the arguments.
func (e *Exception) field(name string) (Value, bool) {
	for class, names := range exceptionFields {
		i := slices.Index(names, name)
		if i < 0 || !e.class.isA(class) {
			continue
		}
		switch {
		case i >= len(e.args) || class == "OSError" && len(e.args) < 2:
			return none, true
		case name == "exceptions":
			list, _ := sequenceItems(e.args[i])
			return Tuple(list), true
		}
		return e.args[i], true
	}
	return nil, false
}

// described are the attributes that every exception has.
func (e *Exception) described(name string) (Value, bool) {
	other := func(e *Exception) (Value, bool) {
		if e == nil {
			return none, true
		}
		return e, true
	}
	if v, ok := e.field(name); ok {
		return v, true
	}
	switch name {
	case "args":
		return e.args, true
	case "__cause__":
		return other(e.cause)
	case "__context__":
		return other(e.context)
	case "__suppress_context__":
		return python.Bool(e.suppress), true
	case "__traceback__":
		if e.trace == nil {
			return none, true
		}
		return traceObject{e}, true
	case "__dict__":
		return e.attrs, true
	case "value", "code":
		if e.class.isA("StopIteration") && name == "value" || e.class.isA("SystemExit") && name == "code" {
			if len(e.args) > 0 {
				return e.args[0], true
			}
			return none, true
		}
	}
	return nil, false
}

// attr is an attribute that the program has set, or one that every exception has.
func (e *Exception) attr(_ *machine, name string) (Value, bool) {
	if v, ok := e.attrs.named(name); ok {
		return v, true
	}
	return e.described(name)
}

func (e *Exception) setAttr(_ *machine, name string, v Value) bool {
	e.attrs.put(name, v)
	return true
}

func init() {
	exceptions["BaseException"].defineAll(map[string]method{"add_note(self, object, /)": addNote,
		"with_traceback(self, object, /)": func(_ *machine, a arguments) Value { return self[*Exception](a) }})
	exceptions["BaseException"].record = &slots{
		hash: hashIdentity,
		repr: func(p *printer, v Value, depth int) string {
			e := v.(*Exception)
			return e.class.Name + "(" + p.items(e.args, depth) + ")"
		},
		str: func(p *printer, v Value) string { return v.(*Exception).message(p) },
	}
	exceptions["BaseExceptionGroup"].defineAll(groupMethods)
}

// addNote is e.add_note(text): a line below the exception's in the traceback.
func addNote(m *machine, a arguments) Value {
	e := self[*Exception](a)
	notes, ok := e.attrs.at("__notes__").(*List)
	if !ok {
		notes = &List{}
		e.attrs.put("__notes__", notes)
	}
	m.budget.chargeItems(1)
	notes.Items = append(notes.Items, a.positional[1])
	return none
}

// errnoClasses are the classes that OSError(number, …) makes, by the number that the system gives.
var errnoClasses = map[int64]string{1: "PermissionError", 2: "FileNotFoundError", 4: "InterruptedError",
	11: "BlockingIOError", 13: "PermissionError", 17: "FileExistsError", 20: "NotADirectoryError", 21: "IsADirectoryError",
	32: "BrokenPipeError", 104: "ConnectionResetError", 110: "TimeoutError", 111: "ConnectionRefusedError"}

// newOSError is OSError(errno, text, file).
func newOSError(c *Class, args []Value) *Exception {
	if len(args) < 2 {
		return newException(c, args...)
	}
	// OSError(2, …) makes a FileNotFoundError (PEP 3151); a subclass stays what it is.
	if n, ok := python.AsInt(args[0]); ok && c == exceptions["OSError"] {
		if number, _ := n.Int64(); errnoClasses[number] != "" {
			c = exceptions[errnoClasses[number]]
		}
	}
	e := newException(c, args[:2]...)
	if len(args) > 2 {
		e.attrs.put("filename", args[2])
	}
	return e
}

// raise throws a Python exception of a builtin class.
func raise(class, format string, args ...any) {
	throw(class, fmt.Sprintf(format, args...))
}

// rangeError is how package python words C's ERANGE, whose number and text are two arguments.
const rangeError = "(34, 'Numerical result out of range')"

func throw(class, message string) {
	c, ok := exceptions[class]
	if !ok {
		c = exceptions["Exception"]
	}
	e := newException(c)
	switch message {
	case "":
	// float.__pow__ and math raise errno's number with its text.
	case rangeError:
		e.args = Tuple{intValue(34), python.Str("Numerical result out of range")}
	default:
		e.args = Tuple{python.Str(message)}
	}
	panic(&raised{exception: e})
}

// raiseNear is raise with a name that was probably meant, "" if there is none.
func raiseNear(class, near, format string, args ...any) {
	e := newException(exceptions[class], python.Str(fmt.Sprintf(format, args...)))
	e.near = near
	panic(&raised{exception: e})
}

// raiseName is raiseNear about a name, which the format has once.
func raiseName(class, name, near, format string) {
	e := newException(exceptions[class], python.Str(fmt.Sprintf(format, name)))
	e.near = near
	e.attrs.put("name", python.Str(name))
	panic(&raised{exception: e})
}

// must throws what package python reports.
func must[T any](v T, err *python.Error) T {
	if err != nil {
		throw(err.Class, err.Message)
	}
	return v
}

// check throws what package tensor reports.
func check(err error) {
	e, ok := err.(*tensor.Error)
	switch {
	case !ok:
	case e.Own == tensor.Stopped:
		panic(&raised{stop: diag.New("host-stopped", source.Span{})})
	case e.Own == tensor.Fault:
		throwOwn(e.Class, diag.New("host-internal", source.Span{}, e.Message))
	case e.Own == tensor.Lack:
		lack(e.Class, e.Message, nil)
	case e.Own == tensor.Limit:
		limit(e.Class, "%s", e.Message)
	default:
		throw(e.Class, e.Message)
	}
}

// halt ends the run with a diagnostic.
func halt(d *diag.Diagnostic) {
	panic(&raised{stop: d, placed: true, span: d.Primary.Span, at: d.Primary.Span})
}

// caughtFrom is the exception that a recovered panic carries, with its place noted. A mistake in newt is one as well,
// so that a document goes on.
func (m *machine) caughtFrom(r any) *raised {
	if fault, ok := r.(*tensor.Error); ok { // looking at a tensor may fail where its device has the bytes
		r = raisedBy(func() { check(fault) })
	}
	e, ok := r.(*raised)
	if _, ended := r.(generatorStop); ended {
		panic(r)
	}
	if !ok {
		e = raisedBy(func() { check(tensor.Internal(r)) }).(*raised)
	}
	if !e.placed { // raised by Go code, for the operation that m.at points at
		e.span, e.at, e.placed = m.at, m.at, true
		if e.stop != nil {
			e.stop.Primary.Span = m.at
		}
	}
	return e
}

// raisedBy is what f panics with.
func raisedBy(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

// exceptionOf runs f and gives the exception that left it.
func (m *machine) exceptionOf(f func()) (e *raised) {
	done, before := false, m.checkpoint()
	defer func() {
		if !done {
			e = m.unwind(recover(), before)
		}
	}()
	f()
	done = true
	return nil
}

// raiseAt throws an exception for a statement.
func raiseAt(e *Exception, span source.Span) {
	panic(&raised{exception: e, span: span, placed: true, at: span, trace: slices.Clone(e.trace)})
}

// exceptionParents is Python's tree of exceptions: each class with its parent.
var exceptionParents = [][2]string{
	{"BaseException", ""}, {"Exception", "BaseException"}, {"SystemExit", "BaseException"},
	{"KeyboardInterrupt", "BaseException"}, {"GeneratorExit", "BaseException"},
	{"ArithmeticError", "Exception"}, {"ZeroDivisionError", "ArithmeticError"}, {"OverflowError", "ArithmeticError"},
	{"FloatingPointError", "ArithmeticError"},
	{"AssertionError", "Exception"}, {"AttributeError", "Exception"}, {"EOFError", "Exception"},
	{"ImportError", "Exception"}, {"ModuleNotFoundError", "ImportError"},
	{"LookupError", "Exception"}, {"IndexError", "LookupError"}, {"KeyError", "LookupError"},
	{"BufferError", "Exception"}, {"ReferenceError", "Exception"}, {"StopAsyncIteration", "Exception"},
	{"MemoryError", "Exception"}, {"NameError", "Exception"}, {"UnboundLocalError", "NameError"},
	{"OSError", "Exception"}, {"FileNotFoundError", "OSError"},
	{"FileExistsError", "OSError"}, {"PermissionError", "OSError"}, {"IsADirectoryError", "OSError"},
	{"NotADirectoryError", "OSError"}, {"InterruptedError", "OSError"}, {"BlockingIOError", "OSError"},
	{"ChildProcessError", "OSError"}, {"ProcessLookupError", "OSError"}, {"ConnectionError", "OSError"},
	{"BrokenPipeError", "ConnectionError"}, {"ConnectionAbortedError", "ConnectionError"},
	{"ConnectionRefusedError", "ConnectionError"}, {"ConnectionResetError", "ConnectionError"},
	{"RuntimeError", "Exception"},
	{"NotImplementedError", "RuntimeError"}, {"RecursionError", "RuntimeError"},
	{"StopIteration", "Exception"}, {"SyntaxError", "Exception"}, {"IndentationError", "SyntaxError"},
	{"TabError", "IndentationError"}, {"SystemError", "Exception"},
	{"TypeError", "Exception"}, {"ValueError", "Exception"}, {"UnicodeError", "ValueError"},
	{"UnicodeEncodeError", "UnicodeError"}, {"UnicodeDecodeError", "UnicodeError"},
	{"UnicodeTranslateError", "UnicodeError"}, {"BaseExceptionGroup", "BaseException"},
	{"ExceptionGroup", "BaseExceptionGroup"}, {"Warning", "Exception"}, {"PendingDeprecationWarning", "Warning"}, {"SyntaxWarning", "Warning"},
	{"ImportWarning", "Warning"}, {"UnicodeWarning", "Warning"}, {"BytesWarning", "Warning"},
	{"ResourceWarning", "Warning"}, {"EncodingWarning", "Warning"},
	{"UserWarning", "Warning"}, {"RuntimeWarning", "Warning"},
	{"DeprecationWarning", "Warning"}, {"FutureWarning", "Warning"}, {"TimeoutError", "OSError"},
}

// tritonExceptions are those of package triton, each with its parent.
var tritonExceptions = [][2]string{
	{"TritonError", "Exception"}, {"CompilationError", "TritonError"}, {"OutOfResources", "TritonError"},
	{"CompileTimeAssertionFailure", "CompilationError"}, {"UnsupportedLanguageConstruct", "CompilationError"},
	{"AutotunerError", "TritonError"}, {"PTXASError", "TritonError"}, {"InterpreterError", "TritonError"},
}

// torchExceptions are torch's own.
var torchExceptions = [][2]string{{"AcceleratorError", "RuntimeError"}, {"OutOfMemoryError", "RuntimeError"},
	{"LinAlgError", "RuntimeError"}}

// exceptions are the classes by name; only those of exceptionParents are Python's.
var exceptions = func() map[string]*Class {
	m := map[string]*Class{}
	for _, row := range slices.Concat(exceptionParents, torchExceptions, tritonExceptions) {
		c := &Class{Name: row[0], attrs: newDict(), exception: true}
		if p := m[row[1]]; p != nil {
			c.bases = []*Class{p}
		}
		m[row[0]] = c
	}
	m["ExceptionGroup"].bases = append(m["ExceptionGroup"].bases, m["Exception"])
	return m
}()
