// Package fast holds the second course: puzzles whose starters are right and slow, graded by what a launch takes on a
// simulated GPU. They are a package of their own, so that the page's first program does without them.
package fast

import (
	"embed"
	"sync"

	"github.com/newtlab/newt/puzzles"
)

//go:embed [0-9]*_*/puzzle.json [0-9]*_*/spec.py
var machine embed.FS

var all = sync.OnceValues(func() ([]*puzzles.Puzzle, []*puzzles.Problem) { return puzzles.LoadParts(machine, words) })

// All returns the puzzles of the course, in its order. They are shared: do not modify them.
func All() []*puzzles.Puzzle {
	list, _ := all()
	return list
}

// Find returns the puzzle of either course with a number, and whether there is one.
func Find(number int) (*puzzles.Puzzle, bool) {
	if p, ok := puzzles.Get(number); ok {
		return p, true
	}
	return Get(number)
}

// Get returns the puzzle of this course with a number, and whether there is one.
func Get(number int) (*puzzles.Puzzle, bool) {
	for _, p := range All() {
		if p.Number == number {
			return p, true
		}
	}
	return nil, false
}
