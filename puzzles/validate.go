package puzzles

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles/goal"
)

// Limits of what puzzle.json and text.json may hold.
const (
	maxTensors = 16
	maxNames   = 16 // sizes and blocks, each
	maxRank    = 5
	maxCases   = 32
	maxHints   = 8
	maxPhrase  = 2000 // bytes
	maxFactor  = 1e6  // |Scale|, |Shift|
)

// validate checks everything in puzzle.json, the shapes and grids of all its cases included.
func (p *Puzzle) validate() error {
	prefix, _, _ := strings.Cut(p.Slug, "_")
	if strings.TrimLeft(prefix, "0") != fmt.Sprint(p.Number) {
		return at(wrong("puzzle-number", p.Number, p.Slug), "number")
	}
	if err := p.Title.validate(); err != nil {
		return at(err, "title")
	}
	if err := p.validateNames(); err != nil {
		return err
	}
	t := p.Tolerance
	for name, t := range map[string]*Tolerance{"classic": &t.Classic, "strict": &t.Strict, "tf32": t.TF32} {
		if err := t.validate(); err != nil {
			return at(err, "tolerance", name)
		}
	}
	if err := p.validateFree(); err != nil {
		return err
	}
	for i, g := range p.Goals {
		if err := validateGoal(g); err != nil {
			return at(err, "goals", i)
		}
	}
	if err := count(len(p.Strict), 1, maxCases); err != nil {
		return at(err, "strict")
	}
	if err := p.validateCase(p.Classic, "classic"); err != nil {
		return err
	}
	if err := p.validateTiming(); err != nil {
		return at(err, "timing")
	}
	for i, c := range p.Strict {
		if err := p.validateCase(c, "strict", i); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tolerance) validate() error {
	if t == nil {
		return nil
	}
	for name, v := range map[string]float64{"rtol": t.RTol, "atol": t.ATol} {
		if !(v > 0 && v < 1) {
			return at(wrong("puzzle-tolerance", name, v), name)
		}
	}
	return nil
}

func validateGoal(g goal.Goal) error {
	switch g.Validate() {
	case goal.NoCount:
		return at(noChoice(g.Count, goal.Counts), "count")
	case goal.NoLimits:
		return wrong("puzzle-goal-limits", g.Count, goal.Levels)
	case goal.Unordered:
		return wrong("puzzle-goal-order", g.Count)
	}
	return nil
}

// count checks how many entries a list has.
func count(n, least, most int) error {
	if n < least || n > most {
		return wrong("puzzle-count", n, least, most)
	}
	return nil
}

// validateCase checks a case, which is at a place of puzzle.json.
func (p *Puzzle) validateCase(c Case, place ...any) error {
	if err := c.Name.validate(); err != nil {
		return at(at(err, "name"), place...)
	}
	if c.Seed < 0 {
		err := wrong("puzzle-range", "seed", 0, int64(math.MaxInt64), c.Seed)
		return at(err, append(place, "seed")...)
	}
	for name, v := range map[string]float64{"scale": c.Scale, "shift": c.Shift} {
		if max(v, -v) > maxFactor {
			return at(wrong("puzzle-range", name, -maxFactor, maxFactor, v), append(place, name)...)
		}
	}
	if _, err := p.Instance(c); err != nil {
		return at(err, place...)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Free)) {
		r, v := p.Free[name], c.Value(name)
		if r.Max > 0 && v > r.Max || v%max(1, r.Step) != 0 || r.Equals != "" && v != c.Value(r.Equals) {
			group := map[bool]string{true: "sizes", false: "blocks"}[slices.Contains(p.Sizes, name)]
			return at(wrong("puzzle-free", name, v), append(place, group, name)...)
		}
	}
	return nil
}

// validateFree checks the sizes and blocks that may vary.
func (p *Puzzle) validateFree() error {
	names := slices.Concat(p.Sizes, p.Blocks)
	for _, name := range slices.Sorted(maps.Keys(p.Free)) {
		r := p.Free[name]
		if !slices.Contains(names, name) {
			return at(noChoice(name, names), "free", key(name))
		}
		if r.Equals != "" && !slices.Contains(names, r.Equals) {
			return at(noChoice(r.Equals, names), "free", name, "equals")
		}
		if min(r.Max, r.Step) < 0 || max(r.Max, r.Step) > MaxSize || p.Free[r.Equals].Equals != "" {
			return at(wrong("puzzle-free-range", name), "free", name)
		}
	}
	return nil
}

// validateTiming checks that the statement and the limits of a launch allow the sizes that answers are timed with.
func (p *Puzzle) validateTiming() error {
	names := slices.Concat(p.Sizes, p.Blocks)
	for _, name := range slices.Sorted(maps.Keys(p.Timing)) {
		if !slices.Contains(names, name) {
			return at(noChoice(name, names), key(name))
		}
	}
	err := p.validateCase(p.Classic.At(p.Timing))
	if f, ok := err.(*flaw); ok && len(f.path) > 0 {
		f.path = f.path[1:] // timing has sizes and blocks in one
	}
	return err
}

// validateNames checks the functions, tensors, sizes and blocks.
func (p *Puzzle) validateNames() error {
	for _, list := range []struct {
		field   string
		n, most int
	}{
		{"inputs", len(p.Inputs), maxTensors - 1}, {"sizes", len(p.Sizes), maxNames},
		{"blocks", len(p.Blocks), maxNames}, {"constants", len(p.Constants), maxNames}, {"grid", len(p.Grid), 3},
	} {
		if err := count(list.n, 0, list.most); err != nil {
			return at(err, list.field)
		}
	}
	seen := map[string]bool{}
	name := func(name string, place ...any) error {
		switch {
		case name == "":
			return at(wrong("puzzle-missing", place[len(place)-1]), place...)
		case !isName(name):
			return at(wrong("puzzle-name", name), place...)
		case seen[name]:
			return at(wrong("puzzle-name-twice", name), place...)
		}
		seen[name] = true
		return nil
	}
	err := cmp.Or(name(p.Kernel, "kernel"), name(p.Spec, "spec"))
	for i, t := range p.Inputs {
		err = cmp.Or(err, at(t.validate(), "inputs", i), name(t.Name, "inputs", i, "name"))
	}
	err = cmp.Or(err, at(p.Output.validate(), "output"), name(p.Output.Name, "output", "name"))
	for i, size := range p.Sizes {
		err = cmp.Or(err, name(size, "sizes", i))
	}
	for i, block := range p.Blocks {
		err = cmp.Or(err, name(block, "blocks", i))
	}
	for _, constant := range slices.Sorted(maps.Keys(p.Constants)) {
		err = cmp.Or(err, name(constant, "constants", key(constant)))
	}
	var inputs []string
	for _, t := range p.Inputs {
		inputs = append(inputs, t.Name)
	}
	for i, name := range p.Scratch {
		if !slices.Contains(inputs, name) {
			err = cmp.Or(err, at(noChoice(name, inputs), "scratch", i))
		}
	}
	for i, block := range p.Optional {
		if !slices.Contains(p.Blocks, block) {
			err = cmp.Or(err, at(noChoice(block, p.Blocks), "optional", i))
		}
	}
	return err
}

func (t Tensor) validate() error {
	if err := count(len(t.Shape), 1, maxRank); err != nil {
		return at(err, "shape")
	}
	if t.DType.Info().Attr == "int1" {
		return wrong("puzzle-missing", "dtype")
	}
	if t.Fill != "" && Fills[t.Fill] == "" {
		return at(noChoice(t.Fill, slices.Sorted(maps.Keys(Fills))), "fill")
	}
	return nil
}

func (f *textFile) validate(refusal Refusal) error {
	if err := count(len(f.Hints), 0, maxHints); err != nil {
		return at(err, "hints")
	}
	if err := count(len(f.Solutions), 0, maxHints); err != nil {
		return at(err, "solutions")
	}
	if err := f.validateQuestion(refusal); err != nil {
		return at(err, "refused")
	}
	for i, h := range f.Hints {
		if err := h.validate(); err != nil {
			return at(err, "hints", i)
		}
	}
	for i, s := range f.Solutions {
		if ok, err := path.Match("solution*.py", s.File); err != nil || !ok {
			return at(wrong("puzzle-solution-name", s.File), "solutions", i, "file")
		}
		if err := s.Title.validate(); err != nil {
			return at(err, "solutions", i, "title")
		}
		if err := s.Why.validateOptional(); err != nil {
			return at(err, "solutions", i, "why")
		}
	}
	return at(f.Learned.validateOptional(), "learned")
}

// Refusal gives the reason for which newt refuses the example of a diagnostic's code: "" if the code has none, or newt
// runs it.
type Refusal func(code string) string

// questioned is how many programs a question about what newt refuses has.
const questioned = 3

// validateQuestion checks that each code is one of the catalogue and, unless refusal is nil, that the reasons to choose
// from are there and differ.
func (f *textFile) validateQuestion(refusal Refusal) error {
	if n := len(f.Refused); n != 0 && n != questioned {
		return wrong("puzzle-question", n)
	}
	reasons := map[string]string{}
	for i, code := range f.Refused {
		if _, known := diag.Lookup(code); !known {
			f := wrong("puzzle-question-code", code)
			f.near, _ = diag.Nearest(code, diag.Codes())
			return at(f, i)
		}
		if refusal == nil {
			continue
		}
		switch reason := refusal(code); {
		case reason == "":
			return at(wrong("puzzle-question-example", code), i)
		case reasons[reason] != "":
			return at(wrong("puzzle-question-reason", code, reasons[reason]), i)
		default:
			reasons[reason] = code
		}
	}
	return nil
}

// validate checks that a phrase is there in both languages and is plain text.
func (p Phrase) validate() error {
	for _, text := range []struct{ lang, text string }{{"en", p.En}, {"zh", p.Zh}} {
		control := strings.ContainsFunc(text.text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' })
		if strings.TrimSpace(text.text) == "" || len(text.text) > maxPhrase || control {
			return at(wrong("puzzle-phrase", maxPhrase), text.lang)
		}
	}
	return nil
}

// validateOptional is validate of a phrase that may be left out.
func (p Phrase) validateOptional() error {
	if p == (Phrase{}) {
		return nil
	}
	return p.validate()
}

// UnmarshalJSON takes one text for both languages, too.
func (p *Phrase) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		err := json.Unmarshal(data, &p.En)
		p.Zh = p.En
		return err
	}
	type plain Phrase
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(p))
}

// isName accepts an ASCII Python identifier of at most 64 characters.
func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
