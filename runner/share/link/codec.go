package link

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// codec walks a state in the order of the encoding, and either writes it or reads it, so that one
// description of the format serves both ways. Integers are varints, texts carry their length.
// After an error it does nothing more.
type codec struct {
	version byte
	reading bool
	data    []byte // what has been written, or what is left to read
	err     error
}

func marshal(s State) ([]byte, error) {
	// Files have one encoding, whatever order they came in: a link's id is a hash of it.
	if s.Custom != nil {
		sorted := *s.Custom
		byName := func(a, b File) int { return strings.Compare(a.Name, b.Name) }
		sorted.Files = slices.SortedStableFunc(slices.Values(sorted.Files), byName)
		s.Custom = &sorted
	}
	if s.Document != nil {
		sorted := *s.Document
		byName := func(a, b NamedData) int { return strings.Compare(a.Name, b.Name) }
		sorted.Files = slices.SortedStableFunc(slices.Values(sorted.Files), byName)
		s.Document = &sorted
	}
	c := &codec{version: s.version()}
	c.state(&s)
	if c.err == nil && len(c.data) > MaxDecoded {
		c.err = tooLarge()
	}
	return c.data, c.err
}

func unmarshal(version byte, body []byte) (State, error) {
	c := &codec{version: version, reading: true, data: body}
	var s State
	c.state(&s)
	c.check("", len(c.data) == 0)
	if c.err != nil {
		return State{}, c.err
	}
	// Varints may be padded and flags written oddly; a state has one body all the same.
	if again, err := marshal(s); err != nil || !bytes.Equal(again, body) {
		return State{}, corrupt()
	}
	return s, nil
}

// check stops the walk where ok is false: what is read is corrupt, what is written does not fit.
func (c *codec) check(field string, ok bool) {
	switch {
	case c.err != nil || ok:
	case c.reading:
		c.err = corrupt()
	default:
		c.err = unfit(field)
	}
}

func (c *codec) unsigned(v *uint64) {
	if c.err != nil {
		return
	}
	if !c.reading {
		c.data = binary.AppendUvarint(c.data, *v)
		return
	}
	var n int
	*v, n = binary.Uvarint(c.data)
	if c.check("", n > 0); n > 0 {
		c.data = c.data[n:]
	}
}

func (c *codec) integer(v *int64) {
	// Zigzag: the sign becomes bit 0, so that small negative numbers are short, too.
	folded := uint64(*v<<1) ^ uint64(*v>>63)
	c.unsigned(&folded)
	*v = int64(folded>>1) ^ -int64(folded&1)
}

// count is an integer between 0 and max.
func (c *codec) count(field string, v *int, max int) {
	c.check(field, *v >= 0)
	n := uint64(*v)
	c.unsigned(&n)
	c.check(field, n <= uint64(max))
	if c.err == nil {
		*v = int(n)
	}
}

func (c *codec) flag(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	c.count("", &n, 1)
	*v = n == 1
}

// text is UTF-8 of at most max bytes.
func (c *codec) text(field string, v *string, max int) {
	if !c.reading {
		c.check(field, utf8.ValidString(*v))
	}
	c.bytes(field, v, max)
	if c.reading {
		c.check(field, utf8.ValidString(*v))
	}
}

// bytes are at most max.
func (c *codec) bytes(field string, v *string, max int) {
	if !c.reading && len(*v) > max && c.err == nil {
		c.err = tooLarge()
	}
	n := len(*v)
	c.count(field, &n, max)
	if c.err == nil && c.reading {
		if c.check(field, n <= len(c.data)); c.err != nil {
			return
		}
		*v, c.data = string(c.data[:n]), c.data[n:]
	}
	if c.err == nil && !c.reading {
		c.data = append(c.data, *v...)
	}
}

// list is at most max items; a list without items is nil.
func list[T any](c *codec, field string, items *[]T, max int, each func(*codec, *T)) {
	if !c.reading && len(*items) > max && c.err == nil {
		c.err = tooLarge()
	}
	n := len(*items)
	c.count(field, &n, max)
	if c.reading {
		*items = nil
	}
	for i := 0; i < n && c.err == nil; i++ {
		if c.reading {
			var zero T
			*items = append(*items, zero)
		}
		each(c, &(*items)[i])
	}
}

// optional is a part that may be absent.
func optional[T any](c *codec, part **T, each func(*codec, *T)) {
	present := *part != nil
	c.flag(&present)
	if !present || c.err != nil {
		return
	}
	if c.reading {
		*part = new(T)
	}
	each(c, *part)
}

// required is a part that its version cannot do without.
func required[T any](c *codec, part **T, each func(*codec, *T)) {
	if c.reading {
		*part = new(T)
	}
	each(c, *part)
}
