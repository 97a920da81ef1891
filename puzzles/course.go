package puzzles

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// courseFile is what makes a folder of puzzles a course.
const courseFile = "course.json"

// Limits of what course.json may hold.
const (
	maxRegions = 16
	maxIdeas   = 32
	maxWords   = 8
)

// Course is a folder of puzzles in an order of its own: what course.json says.
type Course struct {
	ID      string           `json:"id"`
	Title   Phrase           `json:"title"`
	Regions []Region         `json:"regions"` // the parts of its map, in order
	After   map[string][]int `json:"after"`   // the puzzles that are solved before one, by its number
	Ideas   []Idea           `json:"ideas"`
}

// Region is a part of a course's map.
type Region struct {
	Title   Phrase `json:"title"`
	Puzzles []int  `json:"puzzles"` // numbers, in order
}

// Idea is what somebody knows who has solved a puzzle: one of newt's, or one with a card of its own.
type Idea struct {
	ID     string   `json:"id"`
	Puzzle int      `json:"puzzle"`
	Title  Phrase   `json:"title"` // of its card; empty for one of newt's
	Text   Phrase   `json:"text"`
	Words  []string `json:"words"` // which open the card where a statement has them
}

// LoadCourse is Load of a folder that may be a course; the course is nil where it is none, or has a problem.
func LoadCourse(fsys fs.FS, refusal Refusal) (*Course, []*Puzzle, []*Problem) {
	list, problems := Load(fsys, refusal)
	if _, err := fs.Stat(fsys, courseFile); errors.Is(err, fs.ErrNotExist) {
		return nil, list, problems
	}
	c := &Course{}
	if problem, ok := c.read(fsys).(*Problem); ok {
		return nil, list, append(problems, problem)
	}
	return c, list, problems
}

// read reads course.json and checks it against the names of the folders, of puzzles with problems too.
func (c *Course) read(fsys fs.FS) error {
	folders, _ := fs.Glob(fsys, "[0-9]*_*")
	var numbers []int
	for _, folder := range folders {
		prefix, _, _ := strings.Cut(folder, "_")
		if n, err := strconv.Atoi(prefix); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return readJSON(fsys, courseFile, c, func() error { return c.validate(numbers) })
}

// isCourseName accepts what may name a course or an idea. Addresses have it.
func isCourseName(s string) bool {
	return s != "" && len(s) <= 16 && s[0] >= 'a' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// newtsCourses are the names of the courses that newt has.
var newtsCourses = []string{"newt", "fast"}

func (c *Course) validate(numbers []int) error {
	if c.ID == "" {
		return at(wrong("puzzle-missing", "id"), "id")
	}
	if !isCourseName(c.ID) || slices.Contains(newtsCourses, c.ID) {
		return at(wrong("course-name", c.ID, listed(newtsCourses)), "id")
	}
	if err := c.Title.validate(); err != nil {
		return at(err, "title")
	}
	if err := count(len(c.Regions), 1, maxRegions); err != nil {
		return at(err, "regions")
	}
	var order []int
	for i, r := range c.Regions {
		if err := r.Title.validate(); err != nil {
			return at(err, "regions", i, "title")
		}
		for k, n := range r.Puzzles {
			if slices.Contains(order, n) {
				return at(wrong("course-twice", n), "regions", i, "puzzles", k)
			}
			if err := among(numbers, n); err != nil {
				return at(err, "regions", i, "puzzles", k)
			}
			order = append(order, n)
		}
	}
	for _, n := range numbers {
		if !slices.Contains(order, n) {
			return at(wrong("course-left-out", n), "regions")
		}
	}
	if err := c.validateAfter(order); err != nil {
		return at(err, "after")
	}
	return at(c.validateIdeas(numbers), "ideas")
}

// among checks that a number is that of a puzzle.
func among(numbers []int, n int) error {
	if slices.Contains(numbers, n) {
		return nil
	}
	return noPuzzle(numbers, strconv.Itoa(n))
}

func noPuzzle(numbers []int, name string) error {
	var all []string
	for _, n := range numbers {
		all = append(all, strconv.Itoa(n))
	}
	return wrong("course-number", name, strings.Join(all, ", "))
}

// validateAfter checks that what a puzzle comes after is earlier in the order of the course.
func (c *Course) validateAfter(order []int) error {
	for _, name := range slices.Sorted(maps.Keys(c.After)) {
		n, err := strconv.Atoi(name)
		if err != nil || !slices.Contains(order, n) {
			return at(noPuzzle(slices.Sorted(slices.Values(order)), name), key(name))
		}
		for k, before := range c.After[name] {
			if err := among(order, before); err != nil {
				return at(err, name, k)
			}
			if slices.Index(order, before) >= slices.Index(order, n) {
				return at(wrong("course-after", before, n), name, k)
			}
		}
	}
	return nil
}

func (c *Course) validateIdeas(numbers []int) error {
	if err := count(len(c.Ideas), 0, maxIdeas); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, idea := range c.Ideas {
		if seen[idea.ID] {
			return at(wrong("course-idea-twice", idea.ID), i, "id")
		}
		seen[idea.ID] = true
		if err := among(numbers, idea.Puzzle); err != nil {
			return at(err, i, "puzzle")
		}
		if err := idea.validateCard(); err != nil {
			return at(err, i)
		}
	}
	return nil
}

// validateCard checks that there is a card, newt's or the idea's own.
func (idea Idea) validateCard() error {
	if idea.Title == (Phrase{}) && idea.Text == (Phrase{}) && len(idea.Words) == 0 {
		if ideas := newtsIdeas(); !slices.Contains(ideas, idea.ID) {
			err := noChoice(idea.ID, ideas)
			err.code = "course-idea"
			return at(err, "id")
		}
		return nil
	}
	if !isCourseName(idea.ID) {
		return at(wrong("course-name", idea.ID, listed(newtsCourses)), "id")
	}
	if err := idea.Title.validate(); err != nil {
		return at(err, "title")
	}
	if err := idea.Text.validate(); err != nil {
		return at(err, "text")
	}
	if err := count(len(idea.Words), 0, maxWords); err != nil {
		return at(err, "words")
	}
	for k, word := range idea.Words {
		if strings.TrimSpace(word) == "" {
			return at(wrong("puzzle-phrase", maxPhrase), "words", k)
		}
	}
	return nil
}

// ownCourse is the course.json of newt's own puzzles, which leaves out the id.
//
//go:embed course.json
var ownCourse []byte

// newtsIdeas are the names of the ideas that newt has cards for.
func newtsIdeas() (names []string) {
	var c Course
	if err := json.Unmarshal(ownCourse, &c); err != nil {
		panic(err) // it is embedded
	}
	for _, idea := range c.Ideas {
		names = append(names, idea.ID)
	}
	return names
}
