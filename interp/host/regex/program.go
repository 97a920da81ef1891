package regex

import "errors"

// node is a part of a pattern.
type node struct {
	kind     kind
	set      *set    // of one character
	parts    []*node // of a sequence or an alternation; a repetition, a group or an assertion has one
	least    int     // of a repetition
	most     int
	lazy     bool
	atomic   bool // a possessive repetition
	group    int  // of a group (0: it captures nothing), a back reference or a condition
	negative bool // of a look around
	fold     bool // of a back reference: case does not matter
}

type kind uint8

const (
	sequence kind = iota
	alternation
	character
	repetition
	group
	look
	atomicGroup
	reference
	condition // parts: yes, no
	lineStart
	lineEnd
	textStart
	textEnd
	finalEnd // $: the end, or before a final newline
	boundary
	noBoundary
)

// Program is a compiled pattern.
type Program struct {
	Flags int
	Names []string // of the groups by number, "" for those without; the first stands for the whole match
	code  []instruction
	loops int
	first *set // what a match begins with; nil where that is not known
}

// instruction is a step of a program; x and y are places in the code, numbers of groups or of loops, or counts.
type instruction struct {
	op   operation
	set  *set
	x, y int
	flag bool // lazy, negative, or: case does not matter
	node kind // of an assertion
	code []instruction
}

type operation uint8

const (
	opMatch  operation = iota
	opSet              // one character
	opRepeat           // x to y characters of a set
	opSplit            // goes on at x, and at y if that fails
	opJump             // goes on at x
	opSave             // notes the place as an end of a group, x
	opEnter            // notes where an iteration of loop x begins
	opAgain            // leaves loop x after an iteration that has taken nothing, else goes on at y
	opAssert           // node
	opLook             // code, x characters before
	opAtomic           // code
	opBack             // what group x has matched
	opTest             // goes on at y unless group x has matched
)

// maxCode bounds a program: counted repetitions are written out.
const maxCode = 1 << 16

// ErrTooLong says that a pattern's repetitions, written out, are too long.
var ErrTooLong = errors.New("a regular expression's repetitions are too long when they are written out")

// Compile parses a pattern and makes its program. It fails with an *Error, or ErrTooLong.
func Compile(text []rune, flags int, bytes bool) (program *Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		case tooLong:
			err = ErrTooLong
		default:
			panic(r)
		}
	}()
	p := &parser{text: text, flags: flags, bytes: bytes, names: []string{""}, widths: []width{{}}}
	if bytes {
		p.flags |= ASCII
	}
	n := p.alternatives()
	if p.more() {
		p.fail(p.at, "unbalanced parenthesis")
	}
	for i := 0; i < len(p.tests); i += 2 {
		if p.tests[i] >= len(p.names) {
			p.fail(p.tests[i+1], "invalid group reference %d", p.tests[i])
		}
	}
	for _, n := range p.behind {
		w := p.width(n.parts[0])
		if w.least != w.most {
			return nil, &Error{"look-behind requires fixed-width pattern", -1}
		}
		n.least = w.least
	}
	c := &compiler{}
	c.add(n)
	c.emit(instruction{op: opMatch})
	final := p.flags
	if bytes {
		final &^= ASCII
	} else if final&ASCII == 0 {
		final |= Unicode
	}
	return &Program{final, p.names, c.code, c.loops, firstSet(c.code)}, nil
}

type tooLong struct{}

// firstSet is what a program has to begin with, if that is one character of a set.
func firstSet(code []instruction) *set {
	for _, in := range code {
		switch {
		case in.op == opSave:
			continue
		case in.op == opSet, in.op == opRepeat && in.x > 0:
			return in.set
		}
		break
	}
	return nil
}

// compiler writes a program.
type compiler struct {
	code  []instruction
	loops int
}

func (c *compiler) emit(in instruction) int {
	if len(c.code) >= maxCode {
		panic(tooLong{})
	}
	c.code = append(c.code, in)
	return len(c.code) - 1
}

// inner is a program of its own, which shares the loops.
func (c *compiler) inner(n *node) []instruction {
	sub := &compiler{loops: c.loops}
	sub.add(n)
	sub.emit(instruction{op: opMatch})
	c.loops = sub.loops
	return sub.code
}

func (c *compiler) add(n *node) {
	switch n.kind {
	case sequence:
		for _, x := range n.parts {
			c.add(x)
		}
	case character:
		c.emit(instruction{op: opSet, set: n.set})
	case alternation:
		var ends []int
		for i, x := range n.parts {
			if i == len(n.parts)-1 {
				c.add(x)
				break
			}
			split := c.emit(instruction{op: opSplit})
			c.code[split].x = len(c.code)
			c.add(x)
			ends = append(ends, c.emit(instruction{op: opJump}))
			c.code[split].y = len(c.code)
		}
		for _, i := range ends {
			c.code[i].x = len(c.code)
		}
	case group:
		if n.group > 0 {
			c.emit(instruction{op: opSave, x: 2 * n.group})
		}
		c.add(n.parts[0])
		if n.group > 0 {
			c.emit(instruction{op: opSave, x: 2*n.group + 1})
		}
	case repetition:
		c.repeat(n)
	case look:
		c.emit(instruction{op: opLook, x: n.least, flag: n.negative, code: c.inner(n.parts[0])})
	case atomicGroup:
		c.emit(instruction{op: opAtomic, code: c.inner(n.parts[0])})
	case reference:
		c.emit(instruction{op: opBack, x: n.group, flag: n.fold})
	case condition:
		test := c.emit(instruction{op: opTest, x: n.group})
		c.add(n.parts[0])
		jump := c.emit(instruction{op: opJump})
		c.code[test].y = len(c.code)
		c.add(n.parts[1])
		c.code[jump].x = len(c.code)
	default:
		c.emit(instruction{op: opAssert, node: n.kind, flag: n.fold})
	}
}

func (c *compiler) repeat(n *node) {
	body := n.parts[0]
	if one := single(body); one != nil {
		c.emit(instruction{op: opRepeat, set: one, x: n.least, y: n.most, flag: n.lazy})
		return
	}
	for range n.least {
		c.add(body)
	}
	split := func() int { return c.emit(instruction{op: opSplit, flag: n.lazy}) }
	aim := func(split, inside, outside int) {
		c.code[split].x, c.code[split].y = inside, outside
		if n.lazy {
			c.code[split].x, c.code[split].y = outside, inside
		}
	}
	if n.most == infinite {
		loop := c.loops
		c.loops++
		top := split()
		c.emit(instruction{op: opEnter, x: loop})
		c.add(body)
		c.emit(instruction{op: opAgain, x: loop, y: top})
		aim(top, top+1, len(c.code))
		return
	}
	var splits []int
	for range n.most - n.least {
		splits = append(splits, split())
		c.add(body)
	}
	for _, s := range splits {
		aim(s, s+1, len(c.code))
	}
}

// single is the set of a node that takes one character of it and captures nothing.
func single(n *node) *set {
	switch {
	case n.kind == character:
		return n.set
	case (n.kind == group && n.group == 0 || n.kind == sequence) && len(n.parts) == 1:
		return single(n.parts[0])
	}
	return nil
}

type width struct{ least, most int }

// width is how many characters a node takes.
func (p *parser) width(n *node) (w width) {
	switch n.kind {
	case character:
		return width{1, 1}
	case sequence, group, atomicGroup:
		for _, x := range n.parts {
			v := p.width(x)
			w = width{w.least + v.least, min(w.most+v.most, infinite)}
		}
	case alternation, condition:
		w.least = infinite
		for _, x := range n.parts {
			v := p.width(x)
			w = width{min(w.least, v.least), max(w.most, v.most)}
		}
	case repetition:
		v := p.width(n.parts[0])
		w = width{min(v.least*n.least, infinite), infinite}
		if v.most == 0 || n.most < infinite/max(v.most, 1) {
			w.most = v.most * n.most
		}
	case reference:
		return p.widths[n.group]
	}
	return w
}
