package puzzles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/num"
)

// maxFile bounds every file of a puzzle, in bytes.
const maxFile = 64 << 10

// maxPuzzles bounds the folders that Load looks at.
const maxPuzzles = 1000

// Problem is what keeps a puzzle from being loaded.
type Problem struct {
	File string // path inside the file system
	Err  error
}

func (p *Problem) Error() string { return p.File + ": " + p.Err.Error() }

func (p *Problem) Unwrap() error { return p.Err }

// textReader reads what people read of the puzzle in a folder, whose kernel has a name.
type textReader func(folder, kernel string) (*Text, error)

// load reads the machine's part of each puzzle from core and, unless text is nil, the rest by it.
func load(core fs.FS, text textReader) ([]*Puzzle, []error) {
	folders, err := fs.Glob(core, "[0-9]*_*")
	if err == nil && len(folders) == 0 {
		err = errors.New("no puzzle folder such as 01_name")
	}
	if err == nil && len(folders) > maxPuzzles {
		err = fmt.Errorf("more than %d puzzle folders", maxPuzzles)
	}
	if err != nil {
		return nil, []error{&Problem{".", err}}
	}
	var list []*Puzzle
	var problems []error
	seen := map[int]string{}
	for _, folder := range folders {
		p, err := loadOne(core, folder, text)
		if err == nil && seen[p.Number] != "" {
			err = &Problem{folder, fmt.Errorf("number %d belongs to %s already", p.Number, seen[p.Number])}
		}
		if err != nil {
			problems = append(problems, err)
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
	if err := readJSON(core, name, p); err != nil {
		return nil, err
	}
	if err := p.validate(); err != nil {
		return nil, &Problem{name, err}
	}
	var err error
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
	Solutions []struct {
		File  string `json:"file"`
		Title Phrase `json:"title"`
		Why   Phrase `json:"why"`
	} `json:"solutions"`
}

// plainText stands for a text.json that is not there.
const plainText = `{"solutions": [{"file": "solution.py", "title": {"en": "One solution", "zh": "参考解法"}}]}`

// readTextFile reads text.json, which a puzzle may do without.
func readTextFile(words fs.FS, name string) (f textFile, err error) {
	if _, err := fs.Stat(words, name); errors.Is(err, fs.ErrNotExist) {
		return f, json.Unmarshal([]byte(plainText), &f)
	}
	if err := readJSON(words, name, &f); err != nil {
		return f, err
	}
	if err := f.validate(); err != nil {
		return f, &Problem{name, err}
	}
	return f, nil
}

// textOf reads texts from words.
func textOf(words fs.FS) textReader {
	return func(folder, kernel string) (*Text, error) { return loadText(words, folder, kernel) }
}

func loadText(words fs.FS, folder, kernel string) (*Text, error) {
	f, err := readTextFile(words, path.Join(folder, "text.json"))
	if err != nil {
		return nil, err
	}
	t := &Text{Hints: f.Hints, Learned: f.Learned}
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
	if t.Statement.En, err = readText(words, path.Join(folder, "statement.en.md")); err != nil {
		return nil, err
	}
	if t.Statement.Zh, err = readText(words, path.Join(folder, "statement.zh.md")); err != nil {
		return nil, err
	}
	t.Picture, err = readPicture(words, path.Join(folder, "picture.svg"))
	return t, err
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
		return "", &Problem{name, err}
	}
	return picture, nil
}

// readText reads a file of UTF-8 text that is not blank.
func readText(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &Problem{name, errors.New("the file is missing")}
	}
	if err != nil {
		return "", &Problem{name, err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
	case len(data) > maxFile:
		err = fmt.Errorf("more than %d bytes", maxFile)
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		err = errors.New("not UTF-8 text")
	case len(bytes.TrimSpace(data)) == 0:
		err = errors.New("the file is empty")
	}
	if err != nil {
		return "", &Problem{name, err}
	}
	return string(data), nil
}

// readPython reads a source that defines a function.
func readPython(fsys fs.FS, name, function string) (string, error) {
	source, err := readText(fsys, name)
	if err == nil && !strings.Contains(source, "def "+function+"(") {
		err = &Problem{name, fmt.Errorf("does not define %s", function)}
	}
	return source, err
}

func readJSON(fsys fs.FS, name string, into any) error {
	source, err := readText(fsys, name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(source))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return &Problem{name, err}
	}
	if _, err := d.Token(); err != io.EOF {
		return &Problem{name, errors.New("more than one JSON value")}
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
		return fmt.Errorf("dtype %s is not a string", data)
	}
	for _, t := range dtypes {
		if t.Info().Attr == name {
			d.DType = t
			return nil
		}
	}
	return fmt.Errorf("dtype %q is not one that puzzles may use", name)
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
		return fmt.Errorf("a constant is null, a bool, a number or a string, not %s", data)
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
