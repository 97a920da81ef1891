package puzzles

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
)

// maxFile bounds every file of a puzzle, in bytes.
const maxFile = 64 << 10

// maxPuzzles bounds the folders that Load looks at.
const maxPuzzles = 1000

// textReader reads what people read of the puzzle in a folder, whose kernel has a name.
type textReader func(folder, kernel string) (*Text, error)

// load reads the machine's part of each puzzle from core and, unless text is nil, the rest by it.
func load(core fs.FS, text textReader) ([]*Puzzle, []*Problem) {
	folders, err := fs.Glob(core, "[0-9]*_*")
	if err != nil || len(folders) == 0 || len(folders) > maxPuzzles {
		return nil, []*Problem{{File: ".", Err: wrong("puzzle-none", maxPuzzles)}}
	}
	var list []*Puzzle
	var problems []*Problem
	seen := map[int]string{}
	for _, folder := range folders {
		p, err := loadOne(core, folder, text)
		if err == nil && seen[p.Number] != "" {
			err = &Problem{File: folder, Err: wrong("puzzle-number-taken", p.Number, seen[p.Number])}
		}
		if problem, ok := err.(*Problem); ok {
			problems = append(problems, problem)
			continue
		}
		seen[p.Number] = folder
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *Puzzle) int { return position(a.Number) - position(b.Number) })
	return list, problems
}

func loadOne(core fs.FS, folder string, text textReader) (*Puzzle, error) {
	p := &Puzzle{Slug: folder}
	name := path.Join(folder, "puzzle.json")
	err := readJSON(core, name, p, p.validate)
	if err != nil {
		return nil, err
	}
	if p.SpecSource, err = readPython(core, path.Join(folder, "spec.py"), p.Spec); err != nil || text == nil {
		return p, err
	}
	p.Text, err = text(folder, p.Kernel)
	return p, err
}

// textFile is the form of text.json.
type textFile struct {
	Hints     []Phrase `json:"hints"`
	Learned   Phrase   `json:"learned"`
	Refused   []string `json:"refused"`
	Solutions []struct {
		File  string `json:"file"`
		Title Phrase `json:"title"`
		Why   Phrase `json:"why"`
	} `json:"solutions"`
}

// plainText stands for a text.json that is not there.
const plainText = `{"solutions": [{"file": "solution.py", "title": {"en": "One solution", "zh": "参考解法"}}]}`

// readTextFile reads text.json, which a puzzle may do without.
func readTextFile(words fs.FS, name string, refusal Refusal) (f textFile, err error) {
	if _, err := fs.Stat(words, name); errors.Is(err, fs.ErrNotExist) {
		return f, json.Unmarshal([]byte(plainText), &f)
	}
	err = readJSON(words, name, &f, func() error { return f.validate(refusal) })
	if err == nil && len(f.Solutions) == 0 {
		err = json.Unmarshal([]byte(plainText), &f)
	}
	return f, err
}

// textOf reads texts from words.
func textOf(words fs.FS, refusal Refusal) textReader {
	return func(folder, kernel string) (*Text, error) {
		f, err := readTextFile(words, path.Join(folder, "text.json"), refusal)
		if err != nil {
			return nil, err
		}
		return loadText(words, folder, kernel, f)
	}
}

func loadText(words fs.FS, folder, kernel string, f textFile) (_ *Text, err error) {
	t := &Text{Hints: f.Hints, Learned: f.Learned, Refused: f.Refused}
	for _, s := range f.Solutions {
		var source string
		if source, err = readPython(words, path.Join(folder, s.File), kernel); err != nil {
			return nil, err
		}
		t.Solutions = append(t.Solutions, Solution{s.File, s.Title, s.Why, source})
	}
	if t.Starter, err = readPython(words, path.Join(folder, "starter.py"), kernel); err != nil {
		return nil, err
	}
	if t.Statement.En, err = readStatement(words, folder, "en"); err != nil {
		return nil, err
	}
	if t.Statement.Zh, err = readStatement(words, folder, "zh"); err != nil {
		return nil, err
	}
	t.Picture, err = readPicture(words, path.Join(folder, "picture.svg"))
	return t, err
}

// readStatement reads the statement in a language: its own, or the one for both.
func readStatement(words fs.FS, folder, lang string) (string, error) {
	own, both := path.Join(folder, "statement."+lang+".md"), path.Join(folder, "statement.md")
	if _, err := fs.Stat(words, own); errors.Is(err, fs.ErrNotExist) {
		if _, err := fs.Stat(words, both); err == nil {
			return readText(words, both)
		}
	}
	return readText(words, own)
}

// readPicture reads picture.svg, which a puzzle may do without.
func readPicture(words fs.FS, name string) (string, error) {
	if _, err := fs.Stat(words, name); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	picture, err := readText(words, name)
	if err != nil {
		return "", err
	}
	if err := checkPicture(picture); err != nil {
		return "", &Problem{File: name, Err: err, text: picture}
	}
	return picture, nil
}

// readText reads a file of UTF-8 text that is not blank.
func readText(fsys fs.FS, name string) (string, error) {
	refused := func(code string, args ...any) (string, error) {
		return "", &Problem{File: name, Err: wrong(code, args...)}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return refused("puzzle-file-missing", path.Base(name))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return refused("puzzle-file-missing", path.Base(name))
	case len(data) > maxFile:
		return refused("puzzle-file-large", maxFile)
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return refused("puzzle-file-encoding")
	case len(bytes.TrimSpace(data)) == 0:
		return refused("puzzle-file-empty")
	}
	return string(data), nil
}

// readPython reads a source that defines a function.
func readPython(fsys fs.FS, name, function string) (string, error) {
	source, err := readText(fsys, name)
	if err == nil && !strings.Contains(source, "def "+function+"(") {
		err = &Problem{File: name, Err: wrong("puzzle-function", function), text: source}
	}
	return source, err
}

// readJSON reads a file of JSON and has it validated.
func readJSON(fsys fs.FS, name string, into any, validate func() error) error {
	text, err := readText(fsys, name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(into)
	if err == nil {
		if rest := strings.TrimSpace(text[d.InputOffset():]); rest != "" {
			first, _ := utf8.DecodeRuneInString(rest)
			err = wrong("puzzle-json", string(first))
		}
	}
	if err == nil {
		err = validate()
	}
	if err != nil {
		return &Problem{File: name, Err: err, text: text, form: reflect.TypeOf(into)}
	}
	return nil
}

// dtypes are the element types that a puzzle's tensors may have.
var dtypes = []num.DType{num.Float16, num.BFloat16, num.Float32, num.Float64, num.Int8, num.Int16, num.Int32, num.Int64, num.Uint8}

// CanHold reports whether a puzzle's tensors may have elements of a type.
func CanHold(d num.DType) bool { return slices.Contains(dtypes, d) }

// UnmarshalJSON accepts torch's name of a type that puzzles may use.
func (d *DType) UnmarshalJSON(data []byte) error {
	name, err := strconv.Unquote(string(data))
	if err != nil {
		return wrong("puzzle-json-type", diag.Text{Key: "puzzle.text"})
	}
	for _, t := range dtypes {
		if t.Info().Attr == name {
			d.DType = t
			return nil
		}
	}
	return noChoice(name, dtypeNames())
}

// dtypeNames are torch's names of dtypes.
func dtypeNames() (names []string) {
	for _, t := range dtypes {
		names = append(names, t.Info().Attr)
	}
	return names
}

// MarshalJSON writes torch's name of the type.
func (d DType) MarshalJSON() ([]byte, error) { return json.Marshal(d.Info().Attr) }

// UnmarshalJSON accepts null, a bool, a number or a string.
func (c *Constant) UnmarshalJSON(data []byte) error {
	number := json.Number("")
	switch text := string(data); {
	case text == "null":
		c.Value = nil
		return nil
	case text == "true" || text == "false":
		c.Value = text == "true"
		return nil
	case text[0] == '"':
		var s string
		err := json.Unmarshal(data, &s)
		c.Value = s
		return err
	case json.Unmarshal(data, &number) != nil:
		return wrong("puzzle-json-type", diag.Text{Key: "puzzle.constant"})
	case strings.ContainsAny(text, ".eE"):
		f, err := number.Float64()
		c.Value = f
		return err
	}
	n, err := number.Int64()
	c.Value = n
	return err
}

// MarshalJSON writes a float with a point or an exponent.
func (c Constant) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(c.Value)
	if _, isFloat := c.Value.(float64); isFloat && err == nil && !bytes.ContainsAny(data, ".eE") {
		data = append(data, ".0"...)
	}
	return data, err
}
