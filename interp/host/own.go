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

// pythonMethods are the public attributes that Python's own types have, by the name of the type:
// what newt lacks of them is newt's lack, any other name is Python's AttributeError.
var pythonMethods = map[string]string{
	"str": `capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal
		isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition
		removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title
		translate upper zfill`,
	"list":  `append clear copy count extend index insert pop remove reverse sort`,
	"tuple": `count index`,
	"dict":  `clear copy fromkeys get items keys pop popitem setdefault update values`,
	"set": `add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop
		remove symmetric_difference symmetric_difference_update union update`,
	"int":      `as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes`,
	"bool":     `as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes`,
	"complex":  `conjugate imag real`,
	"float":    `as_integer_ratio conjugate fromhex hex imag is_integer real`,
	"range":    `count index start step stop`,
	"NoneType": ``, "ellipsis": ``, "generator": `close gi_code gi_frame gi_running send throw`,
	"builtin_function_or_method": ``,
	"BaseException":              `__cause__ __context__ __suppress_context__ __traceback__ add_note with_traceback`,
	"slice":                      `indices start step stop`,
	"function":                   `__annotations__ __call__ __closure__ __code__ __defaults__ __dict__ __globals__ __kwdefaults__ __module__ __wrapped__`,
}
