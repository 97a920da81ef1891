package host

import (
	"fmt"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
)

// What newt says for itself: a script that needs what newt does not have, or goes past a limit of
// newt's, sees an exception that it can catch, but where nothing catches it the words are newt's own
// and never those of Python, torch or Triton.

// lack raises an exception because newt has no such thing, whatever Python, torch or Triton have.
// The nearest of names is suggested.
func lack(class, what string, names []string) {
	throwOwn(class, lacking(source.Span{}, what, names))
}

// lacking says that newt has no such thing, and suggests the nearest of names.
func lacking(at source.Span, what string, names []string) *diag.Diagnostic {
	d := diag.New("not-in-newt", at, what)
	if near, ok := diag.Nearest(lastName(what), names); ok {
		d.Primary.Text = diag.Text{Key: "nearest-in-newt", Args: []any{near}}
	}
	return d
}

// limit raises an exception because a script asks for more than newt allows.
func limit(class, format string, args ...any) {
	throwOwn(class, diag.New("newt-limit", source.Span{}, fmt.Sprintf(format, args...)))
}

func throwOwn(class string, d *diag.Diagnostic) {
	e := newException(exceptions[class], python.Str(d.In(diag.English).Headline))
	e.own = diag.List{d}
	panic(&raised{exception: e})
}

func lastName(path string) string {
	if _, name, ok := cutLast(path); ok {
		return name
	}
	return path
}

// wholeTypes are the types of Python with all their public attributes, but for those that newt lacks: any other name is
// Python's AttributeError.
var wholeTypes = map[string]string{"str": "", "list": "", "tuple": "", "dict": "", "set": "", "int": "", "bool": "",
	"complex": "", "float": "", "range": "", "NoneType": "", "ellipsis": "", "builtin_function_or_method": "",
	"BaseException": "", "slice": "", "generator": "close gi_code gi_frame gi_running send throw",
	"function": "__call__ __closure__ __wrapped__"}
