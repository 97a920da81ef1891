package puzzles

import (
	"errors"
	"reflect"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// Problem is what keeps a puzzle from being loaded.
type Problem struct {
	File string // path inside the file system
	Err  error

	text string       // of the file, where it could be read
	form reflect.Type // of what a JSON file is decoded to
}

func (p *Problem) Error() string { return p.File + ": " + p.Err.Error() }

func (p *Problem) Unwrap() error { return p.Err }

// Diagnostic says what is wrong, and where in the file.
func (p *Problem) Diagnostic() (*source.File, *diag.Diagnostic) {
	file := source.NewFile(p.File, p.text)
	var f *flaw
	if !errors.As(p.Err, &f) || p.form != nil && len(f.path) == 0 {
		f = malformed(p.text, p.form, f)
	}
	d := diag.New(f.code, locate(p.text, f.path), f.args...)
	if f.near != "" {
		d.Primary.Text = diag.Text{Key: "did-you-mean", Args: []any{f.near}}
	}
	return file, d
}

// flaw is a value that is wrong: a code of the catalogue with its arguments, and the way to the value in a JSON file.
type flaw struct {
	code string
	args []any
	near string // what was meant, perhaps
	path []any  // names of fields and numbers of items; a key at the end is the name itself
}

// key is the name of a field, as a place.
type key string

func wrong(code string, args ...any) *flaw { return &flaw{code: code, args: args} }

// noChoice is the flaw of a value that is none of those there are.
func noChoice(value string, choices []string) *flaw {
	near, _ := diag.Nearest(value, choices)
	f := wrong("puzzle-choice", value, listed(choices))
	f.near = near
	return f
}

func (f *flaw) Error() string { return f.In(diag.English) }

// In is the headline.
func (f *flaw) In(lang diag.Lang) string {
	return diag.New(f.code, source.Span{}, f.args...).In(lang).Headline
}

// at says where a flaw is, in what is around the value that has it.
func at(err error, path ...any) error {
	if f, ok := err.(*flaw); ok {
		f.path = append(path, f.path...)
	}
	return err
}
