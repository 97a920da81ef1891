package regex

import "slices"

// Mode says where a match may be.
type Mode uint8

// The modes.
const (
	Search Mode = iota // anywhere from the start on
	Match              // at the start
	Full               // at the start, and up to the end
)

// Limits are asked while a match is looked for.
type Limits struct {
	Step    func() // called for each stepsPerCall steps
	TooDeep func() // called where the places to go back to are too many; it must not return
}

const (
	stepsPerCall = 64
	maxStack     = 1 << 22
)

// Find looks for a match in text[:end], from start on; filled says that it must not be empty there. It gives the places
// of the groups in pairs, -1 for those without a match, and after them the number of the group that was closed last, -1
// if there is none; or nil.
func (p *Program) Find(text []rune, start, end int, mode Mode, filled bool, limits Limits) []int {
	m := &matcher{text: text[:end], groups: slices.Repeat([]int{-1}, 2*len(p.Names)+1), loops: make([]int, p.loops),
		mode: mode, limits: limits}
	for at := start; at <= end; at++ {
		if mode == Search && p.first != nil {
			for ; at < end && !p.first.has(text[at]); at++ {
				m.step()
			}
			if at == end {
				return nil
			}
		}
		m.refused = -1
		if filled && at == start {
			m.refused = at
		}
		if stop, ok := m.run(p.code, at, true); ok {
			m.groups[0], m.groups[1] = at, stop
			return m.groups
		}
		if mode != Search {
			return nil
		}
	}
	return nil
}

// matcher is one search.
type matcher struct {
	text    []rune
	groups  []int
	loops   []int // where the iterations that run began
	stack   []choice
	mode    Mode
	refused int // where the match must not end; -1 for nowhere
	steps   int
	limits  Limits
}

// choice is something to come back to: a place in the code and the text, or an old value to restore.
type choice struct {
	kind   choiceKind
	pc, at int // for old values: which, and the value
	most   int // of a repetition: the last place that it may go to
}

type choiceKind uint8

const (
	place   choiceKind = iota
	shorter            // a greedy repetition, which may give back
	longer             // a lazy repetition, which may take more
	oldGroup
	oldLoop
)

func (m *matcher) step() { m.steps++; m.poll() }

func (m *matcher) poll() {
	for ; m.steps >= stepsPerCall; m.steps -= stepsPerCall {
		m.limits.Step()
	}
}

func (m *matcher) push(c choice) {
	if len(m.stack) >= maxStack {
		m.limits.TooDeep()
	}
	m.stack = append(m.stack, c)
}

// run runs code from a place of the text and says where it ends. Where it fails, everything is as it was.
func (m *matcher) run(code []instruction, at int, outermost bool) (end int, ok bool) {
	base, pc := len(m.stack), 0
	for {
		m.step()
		in := &code[pc]
		pc++
		ok := true
		switch in.op {
		case opMatch:
			if !outermost || at != m.refused && (m.mode != Full || at == len(m.text)) {
				return at, true
			}
			ok = false
		case opSet:
			if ok = at < len(m.text) && in.set.has(m.text[at]); ok {
				at++
			}
		case opRepeat:
			at, ok = m.repeat(in, pc, at)
		case opSplit:
			m.push(choice{pc: in.y, at: at})
			pc = in.x
		case opJump:
			pc = in.x
		case opSave:
			m.push(choice{kind: oldGroup, pc: in.x, at: m.groups[in.x]})
			m.groups[in.x] = at
			if last := len(m.groups) - 1; in.x&1 != 0 { // it is the last that was closed
				m.push(choice{kind: oldGroup, pc: last, at: m.groups[last]})
				m.groups[last] = in.x / 2
			}
		case opEnter:
			m.push(choice{kind: oldLoop, pc: in.x, at: m.loops[in.x]})
			m.loops[in.x] = at
		case opAgain:
			if at != m.loops[in.x] {
				pc = in.y
			}
		case opAssert:
			ok = m.holds(in.node, at, in.flag)
		case opLook:
			ok = m.look(in, at)
		case opAtomic:
			at, ok = m.keep(in.code, at)
		case opBack:
			at, ok = m.back(in, at)
		case opTest:
			if m.groups[2*in.x+1] < 0 {
				pc = in.y
			}
		}
		if ok {
			continue
		}
		if pc, at, ok = m.resume(code, base); !ok {
			return 0, false
		}
	}
}

// resume goes back to the last choice above base.
func (m *matcher) resume(code []instruction, base int) (pc, at int, ok bool) {
	for len(m.stack) > base {
		top := &m.stack[len(m.stack)-1]
		c := *top
		switch c.kind {
		case oldGroup:
			m.groups[c.pc] = c.at
		case oldLoop:
			m.loops[c.pc] = c.at
		case shorter:
			c.at--
			if next := &code[c.pc]; next.op == opSet { // of the places to give back to, those where it goes on
				for from := c.at; c.at > c.most && !next.set.has(m.text[c.at]); c.at-- {
					if from-c.at&1023 == 1023 {
						m.steps += 64
					}
				}
			}
			if c.at > c.most {
				top.at = c.at
			} else {
				m.stack = m.stack[:len(m.stack)-1]
			}
			return c.pc, c.at, true
		case longer:
			if c.at < c.most && code[c.pc-1].set.has(m.text[c.at]) {
				top.at++
				return c.pc, c.at + 1, true
			}
		default:
			m.stack = m.stack[:len(m.stack)-1]
			return c.pc, c.at, true
		}
		m.stack = m.stack[:len(m.stack)-1]
	}
	return 0, 0, false
}

// repeat takes as many characters of a set as it may, or as few.
func (m *matcher) repeat(in *instruction, pc, at int) (int, bool) {
	least := at + in.x
	most := len(m.text)
	if in.y < most-at {
		most = at + in.y
	}
	if least > most {
		return at, false
	}
	limit := most
	if in.flag {
		limit = least
	}
	from := at
	for at < limit && in.set.has(m.text[at]) {
		at++
	}
	m.steps += (at - from) / 16 // of which each is little work
	m.poll()
	switch {
	case at < least:
		return at, false
	case in.flag:
		m.push(choice{kind: longer, pc: pc, at: at, most: most})
	case at > least:
		m.push(choice{kind: shorter, pc: pc, at: at, most: least})
	}
	return at, true
}

// holds reports whether an assertion holds at a place.
func (m *matcher) holds(k kind, at int, ascii bool) bool {
	n := len(m.text)
	switch k {
	case textStart:
		return at == 0
	case textEnd:
		return at == n
	case lineStart:
		return at == 0 || m.text[at-1] == '\n'
	case lineEnd:
		return at == n || m.text[at] == '\n'
	case finalEnd:
		return at == n || at == n-1 && m.text[at] == '\n'
	}
	before := at > 0 && inClass('w', m.text[at-1], ascii)
	after := at < n && inClass('w', m.text[at], ascii)
	// \B does not hold in an empty text.
	return (before != after) == (k == boundary) && (n > 0 || k == boundary)
}

// keep runs code of its own; its choices are dropped when it succeeds, and the old values that it has replaced stay.
func (m *matcher) keep(code []instruction, at int) (int, bool) {
	base := len(m.stack)
	end, ok := m.run(code, at, false)
	if ok {
		m.stack = append(m.stack[:base], slices.DeleteFunc(m.stack[base:], func(c choice) bool {
			return c.kind != oldGroup && c.kind != oldLoop
		})...)
	}
	return end, ok
}

func (m *matcher) look(in *instruction, at int) bool {
	if at -= in.x; at < 0 {
		return in.flag
	}
	base := len(m.stack)
	_, ok := m.keep(in.code, at)
	if ok && in.flag { // what it has matched does not count
		for len(m.stack) > base {
			m.resume(nil, base)
		}
	}
	return ok != in.flag
}

// back takes what a group has matched.
func (m *matcher) back(in *instruction, at int) (int, bool) {
	from, to := m.groups[2*in.x], m.groups[2*in.x+1]
	if from < 0 || to < from || at+to-from > len(m.text) {
		return at, false
	}
	for i := from; i < to; i++ {
		if x, y := m.text[i], m.text[at+i-from]; x != y && !(in.flag && sameFolded(x, y)) {
			return at, false
		}
	}
	return at + to - from, true
}
