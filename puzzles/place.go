package puzzles

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// offset is a place in a text, as the only step of a path.
type offset int

// locate is the place of a value in JSON, up to the end of its line; if it is missing, that of what should have it.
func locate(text string, path []any) source.Span {
	from, value := 0, text
	for _, step := range path {
		at, inside, ok := child(value, step)
		if !ok {
			break
		}
		from, value = from+at, inside
	}
	line, _, _ := strings.Cut(value, "\n")
	return source.Span{Start: int32(from), End: int32(from + len(line))}
}

// child finds a part of a JSON value, and where in the value it begins.
func child(value string, step any) (at int, part string, ok bool) {
	if n, isOffset := step.(offset); isOffset {
		n = max(0, min(n, offset(len(value)-1)))
		return int(n), value[n:min(int(n)+1, len(value))], true
	}
	d := json.NewDecoder(strings.NewReader(value))
	open, err := d.Token()
	if _, compound := open.(json.Delim); err != nil || !compound {
		return 0, "", false
	}
	for i := 0; d.More(); i++ {
		var name any = i
		if open == json.Delim('{') {
			if name, err = d.Token(); err != nil {
				return 0, "", false
			}
			if end := int(d.InputOffset()); step == any(key(name.(string))) {
				begin := strings.LastIndexByte(value[:end-1], '"')
				return begin, value[begin:end], true
			}
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return 0, "", false
		}
		if end := int(d.InputOffset()); name == step {
			return end - len(raw), value[end-len(raw) : end], true
		}
	}
	return 0, "", false
}

// malformed says why a text is not JSON of a form, given what decoding it has found.
func malformed(text string, form reflect.Type, found *flaw) *flaw {
	var v any
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(text), &v); errors.As(err, &syntax) {
		place := offset(syntax.Offset - 1)
		if strings.HasPrefix(syntax.Error(), "unexpected end") {
			return &flaw{code: "puzzle-json-end", path: []any{place}}
		}
		_, char, _ := child(text, place)
		return &flaw{code: "puzzle-json", args: []any{char}, path: []any{place}}
	}
	if f := misfit(v, form); f != nil {
		return f
	}
	if found != nil {
		return found
	}
	return wrong("puzzle-json-type", diag.Text{Key: "puzzle.object"})
}

// kinds are what values of JSON are to be, for people.
var kinds = map[reflect.Kind]string{
	reflect.Struct: "puzzle.object", reflect.Map: "puzzle.object", reflect.Slice: "puzzle.list", reflect.String: "puzzle.text",
	reflect.Int: "puzzle.integer", reflect.Int64: "puzzle.integer", reflect.Float64: "puzzle.number", reflect.Bool: "puzzle.bool",
}

// misfit finds what in a JSON value is not of a form: a field that there is not, or a value of another type.
func misfit(v any, form reflect.Type) *flaw {
	if form.Kind() == reflect.Pointer {
		return misfit(v, form.Elem())
	}
	if own, ok := reflect.New(form).Interface().(json.Unmarshaler); ok {
		data, _ := json.Marshal(v)
		if err := own.UnmarshalJSON(data); err == nil {
			return nil
		} else if f, ok := err.(*flaw); ok {
			return f
		}
	}
	number, isNumber := v.(float64)
	_, isText := v.(string)
	_, isBool := v.(bool)
	fits := v == nil
	switch v := v.(type) {
	case map[string]any:
		if form.Kind() == reflect.Struct || form.Kind() == reflect.Map {
			return misfitField(v, form)
		}
	case []any:
		fits = form.Kind() == reflect.Slice
		for i := 0; fits && i < len(v); i++ {
			if f := misfit(v[i], form.Elem()); f != nil {
				return at(f, i).(*flaw)
			}
		}
	}
	switch form.Kind() {
	case reflect.String:
		fits = fits || isText
	case reflect.Int, reflect.Int64:
		fits = fits || isNumber && number == float64(int64(number))
	case reflect.Float64:
		fits = fits || isNumber
	case reflect.Bool:
		fits = fits || isBool
	}
	if fits {
		return nil
	}
	return wrong("puzzle-json-type", diag.Text{Key: kinds[form.Kind()]})
}

// misfitField is misfit of an object.
func misfitField(object map[string]any, form reflect.Type) *flaw {
	fields := map[string]reflect.Type{}
	for i := 0; form.Kind() == reflect.Struct && i < form.NumField(); i++ {
		name, _, _ := strings.Cut(form.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			fields[name] = form.Field(i).Type
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner := fields[name]
		if form.Kind() == reflect.Map {
			inner = form.Elem()
		}
		if inner == nil {
			f := noChoice(name, slices.Sorted(maps.Keys(fields)))
			f.code, f.path = "puzzle-json-field", []any{key(name)}
			return f
		}
		if f := misfit(object[name], inner); f != nil {
			return at(f, name).(*flaw)
		}
	}
	return nil
}

// listed writes names in backquotes.
func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
