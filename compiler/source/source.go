// Package source holds program text and the places in it that everything else points at.
package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Span is a half-open range of byte offsets in one File, counted from where the File begins in its Set.
type Span struct{ Start, End int32 }

// Join returns the smallest span that holds both.
func (s Span) Join(t Span) Span {
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// File is one source text with its line table. Its offsets begin at 0, or in a Set where those of the
// File before it end, as in go/token.
type File struct {
	Name, Text string
	base       int32   // the offset of the first byte
	lines      []int32 // place in the text of each line's first byte
}

// NewFile indexes the lines of text; "\n", "\r\n" and "\r" each end a line.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []int32{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			f.lines = append(f.lines, int32(i+1))
		}
	}
	return f
}

// Base is the offset of the file's first byte.
func (f *File) Base() int32 { return f.base }

// Span is the span of the whole text.
func (f *File) Span() Span { return Span{f.base, f.base + int32(len(f.Text))} }

// Position is a place as people count it: line and column from 1, columns in code points.
type Position struct{ Line, Column int }

// Position converts a byte offset; an offset outside the text is clamped to it.
func (f *File) Position(offset int32) Position {
	offset = f.place(offset)
	i := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }) - 1
	return Position{i + 1, utf8.RuneCountInString(f.Text[f.lines[i]:offset]) + 1}
}

// LineCount is the number of lines, at least 1.
func (f *File) LineCount() int { return len(f.lines) }

// LineSpan is the span of line n, counted from 1, without its end-of-line bytes.
func (f *File) LineSpan(n int) Span {
	end := int32(len(f.Text))
	if n < len(f.lines) {
		end = f.lines[n]
	}
	start := f.lines[n-1]
	for end > start && (f.Text[end-1] == '\n' || f.Text[end-1] == '\r') {
		end--
	}
	return Span{f.base + start, f.base + end}
}

// Slice is the text of a span.
func (f *File) Slice(s Span) string { return f.Text[f.place(s.Start):f.place(s.End)] }

// UTF16 converts a byte offset to the index JavaScript uses for the same place.
func (f *File) UTF16(offset int32) int {
	n := 0
	for _, r := range f.Text[:f.place(offset)] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// place is where in the text an offset is, clamped to it.
func (f *File) place(offset int32) int32 { return max(0, min(offset-f.base, int32(len(f.Text)))) }

// Files finds the file that a span names a place in: of a Set, or a File alone, where it is that File.
type Files interface{ File(Span) *File }

// File implements Files.
func (f *File) File(Span) *File { return f }

// Set is the files of one program: the cells of a document and the modules beside it. No two of its
// files share an offset, so that a span names a place in exactly one of them. The zero value is empty.
type Set struct {
	files []*File // by base
}

// Add gives a file a place in the set: the file itself if its offsets are still free, which they are in
// an empty set, or else a copy of it whose offsets follow those of the other files. A file of the set is
// given back as it is.
func (s *Set) Add(f *File) *File {
	next := int32(0)
	if n := len(s.files); n > 0 {
		if s.File(f.Span()) == f {
			return f
		}
		// One offset lies between two files: the end of one is not the beginning of the next.
		next = s.files[n-1].Span().End + 1
	}
	if f.base < next {
		f = &File{f.Name, f.Text, next, f.lines}
	}
	s.files = append(s.files, f)
	return f
}

// File implements Files; it is nil in an empty set.
func (s *Set) File(span Span) *File {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].base > span.Start })
	if len(s.files) == 0 {
		return nil
	}
	return s.files[max(i-1, 0)]
}

// List is the items of a list as it is written, cut at the commas that are outside of brackets; none of a blank text.
func List(text string) (items []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case strings.ContainsRune("([{<", c):
			depth++
		case strings.ContainsRune(")]}>", c):
			depth--
		case c == ',' && depth == 0:
			items = append(items, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(items, strings.TrimSpace(text[start:]))
}
