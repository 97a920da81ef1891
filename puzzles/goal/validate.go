package goal

import "slices"

// Flaw is what is wrong with a goal that somebody wrote.
type Flaw uint8

// The flaws.
const (
	Sound     Flaw = iota
	NoCount        // Count is none of Counts
	NoLimits       // it does not have exactly one list of Levels limits
	Unordered      // a limit is negative, or easier to meet than the one before
)

// Validate says what is wrong with a goal that somebody wrote.
func (g Goal) Validate() Flaw {
	if !slices.Contains(Counts, g.Count) {
		return NoCount
	}
	if len(g.Most)+len(g.Least) != Levels || len(g.limits()) != Levels {
		return NoLimits
	}
	for i, limit := range g.limits() {
		if limit < 0 || i > 0 && !g.meets(limit, g.limits()[i-1]) {
			return Unordered
		}
	}
	return Sound
}
