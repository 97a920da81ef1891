package recorded

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/tensor"
)

// manifestName is the member that says what the others are.
const manifestName = "manifest.json"

// Read reads a file whose members have at most so many bytes, unpacked, and checks it. The diagnostic, which has no
// place, says why a file is refused.
func Read(name string, data []byte, most int64) (*File, *diag.Diagnostic) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, refuse("recorded-archive")
	}
	r := &reader{archive: map[string]*zip.File{}, left: most, File: File{Name: name, members: map[string][]byte{}}}
	for _, f := range archive.File {
		r.archive[f.Name] = f
	}
	r.manifest()
	if r.wrong == nil {
		r.many("launches", len(r.Launches), maxLaunches)
		r.many("notes", len(r.Notes), maxNotes)
	}
	for i := range r.Launches {
		if r.wrong != nil {
			break
		}
		r.at = fmt.Sprintf("launches[%d]", i)
		r.launch(&r.Launches[i])
	}
	if r.wrong != nil {
		return nil, r.wrong
	}
	return &r.File, nil
}

func refuse(code string, args ...any) *diag.Diagnostic { return diag.New(code, source.Span{}, args...) }

// reader reads a file. The first thing that is wrong stays.
type reader struct {
	File
	archive map[string]*zip.File
	left    int64  // bytes that may still be unpacked
	at      string // the part of the manifest that is being checked
	wrong   *diag.Diagnostic
}

func (r *reader) fail(code string, args ...any) {
	if r.wrong == nil {
		r.wrong = refuse(code, args...)
	}
}

// must checks a field, by its path below r.at; what is the key of the phrase for what the field has to be.
func (r *reader) must(ok bool, field, what string) {
	if !ok {
		r.fail("recorded-field", r.path(field), diag.Text{Key: what})
	}
}

func (r *reader) path(field string) string {
	if r.at == "" || field == "" {
		return r.at + field
	}
	return r.at + "." + field
}

func (r *reader) many(field string, n, most int) {
	if n > most {
		r.fail("recorded-many", r.path(field), n, most)
	}
}

// member unpacks a member of at most so many bytes, once.
func (r *reader) member(name string, most int64) []byte {
	if data, ok := r.members[name]; ok || r.wrong != nil {
		return data
	}
	f := r.archive[name]
	if f == nil {
		r.fail("recorded-member", name)
		return nil
	}
	most = min(most, r.left)
	// What the archive says of the size spares unpacking; what is unpacked is bounded whatever it says.
	if f.UncompressedSize64 > uint64(most) {
		r.fail("recorded-size", name, f.UncompressedSize64, most)
		return nil
	}
	in, err := f.Open()
	if err != nil {
		r.fail("recorded-member", name)
		return nil
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case int64(len(data)) > most:
		r.fail("recorded-size", name, len(data), most)
	case err != nil: // the checksum, too
		r.fail("recorded-member", name)
	}
	r.left -= int64(len(data))
	r.members[name] = data
	return data
}

// manifest decodes the manifest. Only files of this version are known to have its fields.
func (r *reader) manifest() {
	text := r.member(manifestName, maxManifest)
	if r.wrong != nil {
		return
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	r.decode(text, &head)
	switch {
	case r.wrong != nil:
		return
	case head.Format != Format:
		r.fail("recorded-field", "format", diag.Text{Key: "recorded.format", Args: []any{Format}})
	case head.Version != Version:
		r.fail("recorded-version", head.Version, Version)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r.Manifest); err != nil && r.wrong == nil {
		r.decode(text, &r.Manifest)
		if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			r.fail("recorded-unknown", strings.Trim(field, `"`))
		}
	}
}

// decode decodes JSON, unknown fields or not.
func (r *reader) decode(text []byte, into any) {
	err := json.Unmarshal(text, into)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		r.fail("recorded-field", kind.Field, diag.Text{Key: "recorded.type"})
	} else if err != nil {
		r.fail("recorded-json")
	}
}

// compiled are what names and numbers have to match, and word is any name in a source. They are compiled when they are
// first used: package variables would have package regexp linked wherever this package is imported.
var compiled struct {
	once                       sync.Once
	name, integer, float, word *regexp.Regexp
}

func compile() {
	compiled.name = regexp.MustCompile(`\A[A-Za-z_][A-Za-z0-9_]{0,199}\z`)
	compiled.integer = regexp.MustCompile(`\A-?[0-9]{1,40}\z`)
	compiled.float = regexp.MustCompile(`\A(-?([0-9]{1,400}(\.[0-9]{1,400})?(e[+-]?[0-9]{1,4})?|inf)|nan)\z`)
	compiled.word = regexp.MustCompile(`[A-Za-z_]\w*`)
}

func isWord(text string) bool {
	compiled.once.Do(compile)
	return compiled.name.MatchString(text)
}

func isInteger(text string) bool {
	compiled.once.Do(compile)
	return compiled.integer.MatchString(text)
}

func isFloat(text string) bool {
	compiled.once.Do(compile)
	return compiled.float.MatchString(text)
}

// words are the names in a line of source.
func words(line string) []string {
	compiled.once.Do(compile)
	return compiled.word.FindAllString(line, -1)
}

// isName reports whether a text is a name that Python's source can have: no keyword.
func isName(text string) bool {
	if !isWord(text) {
		return false
	}
	module, list := syntax.Parse(source.NewFile("", text))
	if list.HasErrors() || len(module.Body) != 1 {
		return false
	}
	statement, ok := module.Body[0].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	_, ok = statement.Value.(*syntax.Name)
	return ok
}

// launch checks a launch and unpacks what it refers to.
func (r *reader) launch(l *Launch) {
	r.must(isName(l.Kernel), "kernel", "recorded.name")
	r.member(l.Source, maxSource)
	for _, n := range l.Grid {
		r.must(n >= 0 && n < 1<<31, "grid", "recorded.grid")
	}
	for _, name := range slices.Sorted(maps.Keys(l.Options)) {
		r.must(isName(name) && option(l.Options[name]) != "", "options."+name, "recorded.option")
	}
	r.many("storages", len(l.Storages), maxArgs)
	r.many("args", len(l.Args), maxArgs)
	r.many("notes", len(l.Notes), maxNotes)
	r.many("addresses", len(l.Addresses), maxAddress)
	for i, s := range l.Storages {
		if s.DType != "" {
			_, ok := tensor.DTypeNamed(s.DType)
			r.must(ok, fmt.Sprintf("storages[%d].dtype", i), "recorded.torch-dtype")
		}
		for _, member := range []string{s.Before, s.After} {
			r.must(len(r.member(member, r.left)) == s.Bytes, fmt.Sprintf("storages[%d].bytes", i), "recorded.bytes")
		}
	}
	for i, a := range l.Addresses {
		field := fmt.Sprintf("addresses[%d]", i)
		n := len(l.Storages)
		r.must(a.Storage >= 0 && a.Storage < n && a.Of >= 0 && a.Of < n, field+".storage", "recorded.storage")
		if r.wrong == nil {
			r.must(a.At >= 0 && a.At < l.Storages[a.Storage].Bytes/8, field+".at", "recorded.within")
			r.must(a.Offset >= 0 && a.Offset < l.Storages[a.Of].Bytes, field+".offset", "recorded.within")
		}
	}
	left, seen := maxArgs, map[string]bool{} // the names of arguments and options
	for name := range l.Options {
		seen[name] = true
	}
	for i := range l.Args {
		a := &l.Args[i]
		field := fmt.Sprintf("args[%d]", i)
		r.must(isName(a.Name) && !seen[a.Name], field+".name", "recorded.name")
		seen[a.Name] = true
		r.value(l, &a.Value, field+".value", 0, &left)
	}
	if left < 0 {
		r.many("args", maxArgs-left, maxArgs)
	}
}

// option is the Python text of an option's value; "" where it is none.
func option(raw json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return ""
	}
	switch v := v.(type) {
	case bool:
		return pythonBool(v)
	case json.Number:
		if isInteger(string(v)) {
			return string(v)
		}
	case string:
		return quote(v)
	}
	return ""
}

// value checks a value of a launch; left counts the values that it may still have.
func (r *reader) value(l *Launch, v *Value, field string, depth int, left *int) {
	if *left--; *left < 0 || r.wrong != nil {
		return
	}
	r.must(depth <= maxDepth, field, "recorded.depth")
	r.must(v.kinds() == 1, field, "recorded.value")
	switch {
	case r.wrong != nil:
	case v.Tensor != nil:
		r.tensor(l, v.Tensor, field+".tensor")
	case v.Descriptor != nil:
		r.descriptor(l, v.Descriptor, field+".descriptor")
	case v.Int != nil:
		r.must(isInteger(string(*v.Int)), field+".int", "recorded.int")
	case v.Float != nil:
		r.must(isFloat(*v.Float), field+".float", "recorded.float")
	case v.DType != nil:
		r.must(dtypeOfTriton(*v.DType), field+".dtype", "recorded.dtype")
	case v.Function != nil:
		r.must(isName(*v.Function), field+".function", "recorded.name")
	case v.Constexpr != nil:
		r.value(l, v.Constexpr, field+".constexpr", depth+1, left)
	case v.Named != nil:
		r.must(isName(v.Named.Type), field+".named.type", "recorded.name")
	}
	for i := range v.items() {
		r.value(l, &v.items()[i], fmt.Sprintf("%s[%d]", field, i), depth+1, left)
	}
}

// kinds is how many of the fields are set.
func (v *Value) kinds() (n int) {
	for _, set := range []bool{v.Tensor != nil, v.Descriptor != nil, v.None, v.Bool != nil, v.Int != nil,
		v.Float != nil, v.Str != nil, v.DType != nil, v.Function != nil, v.Constexpr != nil, v.Tuple != nil,
		v.Named != nil} {
		if set {
			n++
		}
	}
	return n
}

// tensor checks that a view lies within its storage.
func (r *reader) tensor(l *Launch, t *Tensor, field string) {
	d, ok := tensor.DTypeNamed(t.DType)
	r.must(ok, field+".dtype", "recorded.torch-dtype")
	r.must(t.As == "" || dtypeOfTriton(t.As), field+".as", "recorded.dtype")
	r.must(t.Storage >= 0 && t.Storage < len(l.Storages), field+".storage", "recorded.storage")
	r.must(len(t.Strides) == len(t.Shape) && len(t.Shape) <= maxDims, field+".strides", "recorded.strides")
	if r.wrong != nil {
		return
	}
	elements := l.Storages[t.Storage].Bytes / d.Info().Bytes
	end, all := t.Offset+1, 1 // one after the last element, and how many there are
	empty := slices.Contains(t.Shape, 0)
	r.must(t.Offset >= 0 && t.Offset <= elements, field+".offset", "recorded.within")
	for i, n := range t.Shape {
		s := t.Strides[i]
		r.must(n >= 0 && n <= maxElements && s >= 0 && s <= maxElements, field+".shape", "recorded.sizes")
		if r.wrong != nil || empty {
			continue
		}
		// The factors of each product are at most 1<<30 and a little, and the sums stay small.
		end = min(end+(n-1)*s, elements+1)
		all = min(all*n, maxElements+1)
	}
	r.must(all <= maxElements, field+".shape", "recorded.sizes")
	r.must(empty || end <= elements, field+".shape", "recorded.within")
}

func (r *reader) descriptor(l *Launch, d *Descriptor, field string) {
	r.tensor(l, &d.Base, field+".base")
	for _, list := range [][]int{d.Shape, d.Strides, d.Block} {
		r.must(len(list) == len(d.Shape) && len(list) <= maxDims, field+".shape", "recorded.sizes")
		for _, n := range list {
			r.must(n >= 0 && n <= maxElements, field+".shape", "recorded.sizes")
		}
	}
	r.must(d.Padding == "zero" || d.Padding == "nan", field+".padding", "recorded.padding")
}

// dtypeOfTriton reports whether triton.language has a dtype of that name.
func dtypeOfTriton(name string) bool {
	for d := range num.NumDTypes {
		if d.Info().Attr == name {
			return true
		}
	}
	return false
}
