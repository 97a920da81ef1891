// Package operation is what newt does for programs and agents: one table, of which package mcp makes tools and package
// api makes the paths of an HTTP interface.
//
//	input (JSON) ─► files in a folder of its own ─► newt COMMAND --json, in a process of its own ─► Result (JSON)
//
// An operation is a command of newt's: it takes the texts of files and the command's flags as fields, and its result
// holds the document that the command prints, so that everybody reads the same one. A command runs in a process with
// bounds of its time, its memory and what it prints (processes.go).
package operation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// Version is the version of the form of a Result. It grows where a field changes its meaning or is dropped.
const Version = 1

// Operation is one row of the table.
type Operation struct {
	Name        string
	Description string
	Input       *jsonschema.Schema
	Output      *jsonschema.Schema // of a Result with the operation's document
	// Public says that everybody may call it who may open the page; others are for those who may use the devices.
	Public bool
	// Quick says that it runs no program of the caller's, so it ends soon, and its process may serve the next call.
	Quick bool

	// Linked says that it stores a link, and runs no command.
	Linked bool

	command []string
	lines   bool // the document is a list, printed as one value a line
	beside  bool // the document is printed beside the output of a program
	decode  func(json.RawMessage) (input, error)
}

// input is that of an operation: its files are written into the command's folder, and document names one of them, or is
// empty. Its other fields are flags of the command.
type input interface {
	given() (files map[string]string, document string, err error)
}

// Result is what an operation did.
type Result struct {
	Version int `json:"version"`
	// Status is the command's exit status: 0 for yes, 1 for errors or findings, 2 where it could not be done.
	Status    int               `json:"status"`
	Output    string            `json:"output,omitempty"`    // what was printed to standard output
	Errors    string            `json:"errors,omitempty"`    // and to standard error
	Document  json.RawMessage   `json:"document,omitempty"`  // what newt COMMAND --json prints
	Files     map[string]string `json:"files,omitempty"`     // those that the command has changed
	Truncated bool              `json:"truncated,omitempty"` // more was printed
	// Stopped says of a command that was ended before it was done why: "time", "memory" or "output".
	Stopped string `json:"stopped,omitempty"`
}

// Error is why an operation was not carried out.
type Error struct {
	Kind Kind
	Why  *diag.Diagnostic // a row of the catalogue, for people
}

func (e *Error) Error() string { return Text(e.Why, diag.English) }

// Kind says what an Error is about.
type Kind uint8

// The kinds of errors.
const (
	Invalid  Kind = iota // the input
	TooLarge             // the input, in bytes or files
	Busy                 // others, so that it may be tried again
	Internal             // newt
)

func newError(kind Kind, code string, args ...any) *Error {
	return &Error{kind, diag.New(code, source.Span{}, args...)}
}

func invalid(code string, args ...any) *Error { return newError(Invalid, code, args...) }

// Text is what a diagnostic without a place says: what is wrong, why, and what to do.
func Text(d *diag.Diagnostic, lang diag.Lang) string {
	r := d.In(lang)
	if lang == diag.Chinese {
		return r.Headline + "。" + r.Why + r.Help
	}
	return strings.ToUpper(r.Headline[:1]) + r.Headline[1:] + ". " + r.Why + " " + r.Help
}

// Find is the operation of a name, nil for none.
func Find(name string) *Operation {
	if i := slices.IndexFunc(Table, func(o *Operation) bool { return o.Name == name }); i >= 0 {
		return Table[i]
	}
	return nil
}

// Call carries out an operation on an input in JSON, in the turn that ctx has. The error is an *Error, or that of ctx.
func (o *Operation) Call(ctx context.Context, p *Processes, text json.RawMessage) (*Result, error) {
	if err := o.checkFields(text); err != nil {
		return nil, err
	}
	in, err := o.decode(text)
	if err != nil {
		return nil, o.mistake(err)
	}
	end, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if share, ok := in.(shareInput); ok {
		return share.store(ctx)
	}
	files, document, err := in.given()
	if err != nil {
		return nil, err
	}
	return p.run(ctx, o, folder{files, document}, slices.Concat(o.command, flags(in)))
}

// checkFields reports fields that the input does not have, and those that it lacks. Values of a wrong type are found by
// decoding them.
func (o *Operation) checkFields(text json.RawMessage) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return o.mistake(err)
	}
	known := slices.Sorted(maps.Keys(o.Input.Properties))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p := o.Input.Properties[name]
		if p == nil {
			return invalid("operation-field-unknown", Shown(name), o.Name, strings.Join(known, ", "))
		}
		if p.Enum != nil && !slices.ContainsFunc(p.Enum, func(v any) bool {
			one, _ := json.Marshal(v)
			return bytes.Equal(one, bytes.TrimSpace(given[name]))
		}) {
			return invalid("operation-field-value", name, strings.Trim(fmt.Sprint(p.Enum), "[]"))
		}
	}
	for _, name := range o.Input.Required {
		if given[name] == nil {
			return invalid("operation-field-missing", o.Name, name)
		}
	}
	return nil
}

// mistake says in plain words why a text is no input of an operation.
func (o *Operation) mistake(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return invalid("operation-field-type", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return invalid("operation-not-object", kind.Value)
	case errors.As(err, &syntax):
		return invalid("operation-not-json", syntax.Offset)
	}
	return invalid("operation-not-json", 0)
}

// Shown is a name that a caller has chosen, at a length for a message.
func Shown(name string) string {
	const most = 40
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return name
}
