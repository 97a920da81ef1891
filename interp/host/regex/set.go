package regex

import "unicode"

// set is a set of characters.
type set struct {
	ranges   []rune // pairs, both ends included
	classes  string // of \d, \D, \s, \S, \w and \W
	negative bool
	flags    int       // IgnoreCase and ASCII
	ascii    [2]uint64 // whether each of the first 128 characters belongs to it
}

// prepare fills what makes a set fast.
func (s *set) prepare() *set {
	for c := range rune(128) {
		if s.looks(c) {
			s.ascii[c/64] |= 1 << (c % 64)
		}
	}
	return s
}

// add takes over the characters of another set, if one set can hold both.
func (s *set) add(other *set) bool {
	if other.negative || len(s.ranges)+len(s.classes) > 0 && s.flags != other.flags {
		return false
	}
	s.ranges, s.classes, s.flags = append(s.ranges, other.ranges...), s.classes+other.classes, other.flags
	return true
}

func (s *set) has(c rune) bool {
	if c < 128 {
		return s.ascii[c/64]>>(c%64)&1 != 0
	}
	return s.looks(c)
}

// looks is has without the table.
func (s *set) looks(c rune) bool {
	found := s.plain(c)
	if !found && s.flags&IgnoreCase != 0 {
		for _, other := range caseForms(c, s.flags&ASCII != 0) {
			found = found || s.plain(other)
		}
	}
	return found != s.negative
}

func (s *set) plain(c rune) bool {
	for i := 0; i < len(s.ranges); i += 2 {
		if c >= s.ranges[i] && c <= s.ranges[i+1] {
			return true
		}
	}
	for _, class := range s.classes {
		if inClass(class|0x20, c, s.flags&ASCII != 0) == (class >= 'a') {
			return true
		}
	}
	return false
}

func inClass(class, c rune, ascii bool) bool {
	if ascii && c >= 128 {
		return false
	}
	switch class {
	case 'd':
		return unicode.Is(unicode.Nd, c)
	case 's':
		return unicode.IsSpace(c) || c >= 0x1c && c <= 0x1f && !ascii
	}
	return c == '_' || unicode.IsLetter(c) || unicode.IsNumber(c)
}

// caseForms are the other characters that are equal where case does not matter.
func caseForms(c rune, ascii bool) (forms []rune) {
	if ascii {
		if c < 128 && unicode.IsLetter(c) {
			forms = append(forms, c^0x20)
		}
		return forms
	}
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		forms = append(forms, f)
	}
	return forms
}

// sameFolded reports whether two characters are equal where case does not matter.
func sameFolded(x, y rune) bool {
	if x == y {
		return true
	}
	for _, f := range caseForms(x, false) {
		if f == y {
			return true
		}
	}
	return false
}
