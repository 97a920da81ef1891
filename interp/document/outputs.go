package document

import (
	"slices"
	"strings"
)

// Output is one output of a cell, in the words of Jupyter's format.
type Output struct {
	Kind      string   // stream, display_data, execute_result, error
	Name      string   // stdout or stderr, of a stream
	Text      string   // of a stream
	Data      []MIME   // of what is displayed, each form by its type
	Count     int      // the execution count of a result
	Exception string   // the class of an error
	Message   string   // of an error
	Traceback []string // of an error

	metadata string // JSON; "" is {}
	json     string // as read from a notebook
}

// MIME is one form of something displayed. Text is base64 for pictures of pixels, and JSON where the type says so.
type MIME struct{ Type, Text string }

// Stream is text that a cell printed to stdout or stderr.
func Stream(name, text string) Output { return Output{Kind: "stream", Name: name, Text: text} }

// Shown is something displayed: kind is display_data, or execute_result for a cell's value.
func Shown(kind string, data ...MIME) Output { return Output{Kind: kind, Data: data} }

// Failed is an exception that ended a cell.
func Failed(class, message string, traceback ...string) Output {
	return Output{Kind: "error", Exception: class, Message: message, Traceback: traceback}
}

// Form is a form of what an output displays.
func (o *Output) Form(mime string) (string, bool) {
	for _, m := range o.Data {
		if m.Type == mime {
			return m.Text, true
		}
	}
	return "", false
}

// same reports whether two outputs say the same, however they are written.
func (o Output) same(p Output) bool {
	return o.Kind == p.Kind && o.Name == p.Name && o.Text == p.Text && o.Count == p.Count &&
		o.Exception == p.Exception && o.Message == p.Message &&
		slices.Equal(o.Data, p.Data) && slices.Equal(o.Traceback, p.Traceback)
}

func sameOutputs(a, b []Output) bool { return slices.EqualFunc(a, b, Output.same) }

// text is an output as plain text, with a line break at its end.
func (o Output) text() string {
	text := o.Text
	switch o.Kind {
	case "error":
		text = strings.Join(o.Traceback, "\n")
	case "display_data", "execute_result":
		text, _ = o.Form("text/plain")
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func outputText(list []Output) string {
	var b strings.Builder
	for _, o := range list {
		b.WriteString(o.text())
	}
	return b.String()
}

// readOutput reads an output from a notebook's JSON.
func readOutput(text string, at extent) Output {
	o := Output{json: at.of(text)}
	for _, m := range members(text, at) {
		switch m.key {
		case "output_type":
			o.Kind, _ = stringAt(text, m.value)
		case "name":
			o.Name, _ = stringAt(text, m.value)
		case "text":
			o.Text, _ = stringAt(text, m.value)
		case "ename":
			o.Exception, _ = stringAt(text, m.value)
		case "evalue":
			o.Message, _ = stringAt(text, m.value)
		case "execution_count":
			o.Count = intAt(text, m.value)
		case "metadata":
			o.metadata = m.value.of(text)
		case "traceback":
			for _, e := range elements(text, m.value) {
				line, _ := stringAt(text, e)
				o.Traceback = append(o.Traceback, line)
			}
		case "data":
			for _, form := range members(text, m.value) {
				o.Data = append(o.Data, readForm(text, form))
			}
		}
	}
	return o
}

func readForm(text string, m member) MIME {
	if !isJSON(m.key) {
		if s, ok := stringAt(text, m.value); ok {
			return MIME{m.key, s}
		}
	}
	return MIME{m.key, m.value.of(text)}
}

// isJSON reports whether forms of a type are JSON rather than text, as nbformat decides it.
func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

// value is an output as a notebook has it: that of its file, if it says the same.
func (o Output) value() any {
	if o.json != "" && readOutput(o.json, whole(o.json)).same(o) {
		return verbatim(o.json)
	}
	metadata := verbatim("{}")
	if o.metadata != "" {
		metadata = verbatim(o.metadata)
	}
	switch o.Kind {
	case "stream":
		return object{{"name", o.Name}, {"output_type", o.Kind}, {"text", lines(o.Text)}}
	case "error":
		traceback := array{}
		for _, l := range o.Traceback {
			traceback = append(traceback, l)
		}
		return object{{"ename", o.Exception}, {"evalue", o.Message}, {"output_type", o.Kind}, {"traceback", traceback}}
	case "execute_result":
		return object{{"data", o.data()}, {"execution_count", number(o.Count)}, {"metadata", metadata},
			{"output_type", o.Kind}}
	}
	return object{{"data", o.data()}, {"metadata", metadata}, {"output_type", "display_data"}}
}

// number is an execution count: null where there is none.
func number(count int) any {
	if count == 0 {
		return nil
	}
	return count
}

// data are the forms in the order of their types. Text is written line by line, base64 as one string.
func (o Output) data() object {
	list := object{}
	byType := func(a, b MIME) int { return strings.Compare(a.Type, b.Type) }
	for _, m := range slices.SortedFunc(slices.Values(o.Data), byType) {
		switch {
		case isJSON(m.Type):
			list = append(list, field{m.Type, verbatim(m.Text)})
		case strings.HasPrefix(m.Type, "text/") || m.Type == "image/svg+xml" || m.Type == "application/javascript":
			list = append(list, field{m.Type, lines(m.Text)})
		default:
			list = append(list, field{m.Type, m.Text})
		}
	}
	return list
}
