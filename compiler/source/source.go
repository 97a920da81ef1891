// Package source holds program text and the places in it that everything else points at.
package source

import (
	"sort"
	"unicode/utf8"
)

// Span is a half-open range of byte offsets in one File.
type Span struct{ Start, End int32 }

// Join returns the smallest span that holds both.
func (s Span) Join(t Span) Span {
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// File is one source text with its line table.
type File struct {
	Name, Text string
	lines      []int32 // byte offset of each line's first byte
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

// Position is a place as people count it: line and column from 1, columns in code points.
type Position struct{ Line, Column int }

// Position converts a byte offset; an offset outside the text is clamped to it.
func (f *File) Position(offset int32) Position {
	offset = f.clamp(offset)
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
	return Span{start, end}
}

// Slice is the text of a span.
func (f *File) Slice(s Span) string { return f.Text[f.clamp(s.Start):f.clamp(s.End)] }

// UTF16 converts a byte offset to the index JavaScript uses for the same place.
func (f *File) UTF16(offset int32) int {
	n := 0
	for _, r := range f.Text[:f.clamp(offset)] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

func (f *File) clamp(offset int32) int32 { return max(0, min(offset, int32(len(f.Text)))) }
