package formula

import "slices"

// Comparison is two formulas side by side.
type Comparison struct {
	Yours, Expected []Token
	// Marked are the elements that one side alone is computed from, and those at different places of the two formulas.
	YoursMarked, ExpectedMarked []Element
	Says                        Says
}

// Says is what a comparison has found.
type Says uint8

// The findings.
const (
	Differ       Says = iota // what differs is marked
	Same                     // the formulas are one
	SameElements             // the formulas are too long, and computed from the same elements
	ReadOthers               // the formulas are too long; their elements are compared
	OneSide                  // Yours is empty
)

// maxListed is how many slices of one side are listed where its formula is too long.
const maxListed = 8

// Compare writes two formulas of a set side by side, and marks what differs. yours may be nil: it is not known.
func (s *Set) Compare(yours, expected *Node) *Comparison {
	c := &Comparison{}
	var wholes [2]bool
	c.Expected, wholes[1] = s.tokens(expected)
	if yours == nil {
		if c.Says = OneSide; c.Expected == nil {
			c.Expected = s.reads(expected)
		}
		c.ExpectedMarked = elements(leaves(expected))
		return c
	}
	c.Yours, wholes[0] = s.tokens(yours)
	mark(c.Yours, c.Expected)
	differs := func() bool {
		return slices.ContainsFunc(slices.Concat(c.Yours, c.Expected), func(t Token) bool { return t.Differs })
	}
	all := wholes[0] && wholes[1]
	long := c.Yours == nil || c.Expected == nil || !all && !differs()
	if long {
		c.Yours, c.Expected = s.reads(yours), s.reads(expected)
		mark(c.Yours, c.Expected)
	}
	of := func(tokens []Token, n *Node) []Element {
		if all {
			return marked(tokens)
		}
		return elements(leaves(n)) // of what is not written as well
	}
	mine, theirs := of(c.Yours, yours), of(c.Expected, expected)
	c.YoursMarked, c.ExpectedMarked = without(mine, theirs), without(theirs, mine)
	if all && len(c.YoursMarked)+len(c.ExpectedMarked) == 0 {
		c.YoursMarked, c.ExpectedMarked = mine, theirs // at other places
	}
	switch {
	case yours == expected:
		c.Says = Same
	case long && !slices.Equal(leaves(yours), leaves(expected)):
		c.Says = ReadOthers
	case long || !differs():
		c.Says = SameElements
	}
	return c
}

// reads lists what a formula is computed from, as slices.
func (s *Set) reads(n *Node) (out []Token) {
	w := &writer{set: s, pieces: map[*Node]*piece{}}
	var list []*piece
	for _, leaf := range leaves(n) {
		list = append(list, w.pieceOf(leaf))
	}
	for i, p := range runs(list) {
		if i == maxListed {
			return append(out, Token{Kind: More})
		}
		if i > 0 {
			w.add(Punctuation, ", ")
		}
		w.leaf(p)
		out = w.out
	}
	return out
}

// mark marks the tokens that are no part of the longest sequence that both sides have.
func mark(a, b []Token) {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	equal := func(i, j int) bool { return a[i].Text == b[j].Text && a[i].Kind == b[j].Kind }
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); equal(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && equal(i, j):
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			a[i].Differs = a[i].Kind != Punctuation
			i++
		default:
			b[j].Differs = b[j].Kind != Punctuation
			j++
		}
	}
}

// marked are the elements of tokens that differ, each once.
func marked(tokens []Token) (out []Element) {
	for _, t := range tokens {
		if t.Differs {
			out = append(out, without(t.Elements, out)...)
		}
	}
	return out
}

func elements(leaves []*Node) (out []Element) {
	for _, n := range leaves {
		if n.op == element {
			out = append(out, n.element)
		}
	}
	return out
}

func without(list, others []Element) []Element {
	known := map[Element]bool{}
	for _, e := range others {
		known[e] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(e Element) bool { return known[e] })
}
