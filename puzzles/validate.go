package puzzles

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
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
		return fmt.Errorf("number %d does not agree with the folder's name", p.Number)
	}
	if err := p.Title.validate("title"); err != nil {
		return err
	}
	if err := p.validateNames(); err != nil {
		return err
	}
	tolerances := []Tolerance{p.Tolerance.Classic, p.Tolerance.Strict}
	if p.Tolerance.TF32 != nil {
		tolerances = append(tolerances, *p.Tolerance.TF32)
	}
	for _, t := range tolerances {
		if !(t.RTol > 0 && t.RTol < 1 && t.ATol > 0 && t.ATol < 1) {
			return errors.New("a tolerance's rtol and atol lie between 0 and 1")
		}
	}
	if err := p.validateFree(); err != nil {
		return err
	}
	for _, g := range p.Goals {
		if err := g.Validate(); err != nil {
			return err
		}
	}
	if len(p.Strict) == 0 || len(p.Strict) > maxCases {
		return fmt.Errorf("strict holds 1 to %d cases", maxCases)
	}
	for _, c := range append([]Case{p.Classic}, p.Strict...) {
		if err := p.validateCase(c); err != nil {
			return fmt.Errorf("case %q: %w", c.Name.En, err)
		}
	}
	return nil
}

func (p *Puzzle) validateCase(c Case) error {
	if err := c.Name.validate("name"); err != nil {
		return err
	}
	if c.Seed < 0 || max(c.Scale, -c.Scale, c.Shift, -c.Shift) > maxFactor {
		return fmt.Errorf("the seed is not negative, scale and shift are at most %g", maxFactor)
	}
	if _, err := p.Instance(c); err != nil {
		return err
	}
	for name, r := range p.Free {
		v := c.Value(name)
		if r.Max > 0 && v > r.Max || v%max(1, r.Step) != 0 || r.Equals != "" && v != c.Value(r.Equals) {
			return fmt.Errorf("%s = %d is not what \"free\" allows", name, v)
		}
	}
	return nil
}

// validateFree checks the sizes and blocks that may vary.
func (p *Puzzle) validateFree() error {
	names := slices.Concat(p.Sizes, p.Blocks)
	for name, r := range p.Free {
		if !slices.Contains(names, name) || r.Equals != "" && !slices.Contains(names, r.Equals) {
			return fmt.Errorf("\"free\" names %s and %q; the sizes and blocks are %v", name, r.Equals, names)
		}
		if min(r.Max, r.Step) < 0 || max(r.Max, r.Step) > MaxSize || p.Free[r.Equals].Equals != "" {
			return fmt.Errorf("\"free\" of %s is not a range", name)
		}
	}
	return nil
}

// validateNames checks the functions, tensors, sizes and blocks.
func (p *Puzzle) validateNames() error {
	switch {
	case len(p.Inputs) >= maxTensors:
		return fmt.Errorf("a puzzle has at most %d inputs", maxTensors-1)
	case len(p.Sizes) > maxNames || len(p.Blocks) > maxNames || len(p.Constants) > maxNames:
		return fmt.Errorf("a puzzle has at most %d sizes, blocks and constants, each", maxNames)
	case len(p.Grid) > 3:
		return errors.New("a grid has at most three axes")
	}
	names := slices.Concat([]string{p.Kernel, p.Spec}, p.Sizes, p.Blocks, slices.Sorted(maps.Keys(p.Constants)))
	for _, t := range append(slices.Clone(p.Inputs), p.Output) {
		names = append(names, t.Name)
		if len(t.Shape) == 0 || len(t.Shape) > maxRank {
			return fmt.Errorf("%s has 1 to %d dimensions", t.Name, maxRank)
		}
		if t.DType.Info().Attr == "int1" {
			return fmt.Errorf("%s has no dtype", t.Name)
		}
		if t.Fill != "" && Fills[t.Fill] == "" {
			fills := strings.Join(slices.Sorted(maps.Keys(Fills)), ", ")
			return fmt.Errorf("%s begins as %q, which is none of %s", t.Name, t.Fill, fills)
		}
	}
	for i, name := range names {
		if !isName(name) {
			return fmt.Errorf("%q is not a name", name)
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the name %s is used twice", name)
		}
	}
	for _, name := range p.Optional {
		if !slices.Contains(p.Blocks, name) {
			return fmt.Errorf("the optional %s is not among the blocks", name)
		}
	}
	return nil
}

func (f *textFile) validate() error {
	switch {
	case len(f.Hints) == 0 || len(f.Hints) > maxHints:
		return fmt.Errorf("there are 1 to %d hints", maxHints)
	case len(f.Solutions) == 0 || len(f.Solutions) > maxHints:
		return fmt.Errorf("there are 1 to %d solutions", maxHints)
	}
	for _, h := range f.Hints {
		if err := h.validate("a hint"); err != nil {
			return err
		}
	}
	for _, s := range f.Solutions {
		if ok, err := path.Match("solution*.py", s.File); err != nil || !ok {
			return fmt.Errorf("the solution's file %q is not called solution*.py", s.File)
		}
		if err := s.Title.validate("a solution's title"); err != nil {
			return err
		}
		if s.Why == (Phrase{}) {
			continue
		}
		if err := s.Why.validate("why of a solution"); err != nil {
			return err
		}
	}
	return f.Learned.validate("learned")
}

// validate checks that a phrase is there in both languages and is plain text.
func (p Phrase) validate(what string) error {
	for _, s := range []string{p.En, p.Zh} {
		if strings.TrimSpace(s) == "" {
			return fmt.Errorf("%s is missing in English or in Chinese", what)
		}
		if len(s) > maxPhrase {
			return fmt.Errorf("%s is longer than %d bytes", what, maxPhrase)
		}
		if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
			return fmt.Errorf("%s holds a control character", what)
		}
	}
	return nil
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
