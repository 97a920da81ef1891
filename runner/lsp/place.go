package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/newtlab/newt/compiler/source"
)

// pathOf is the path of the file that a URI names, or the URI itself where it names no file: of a text that was never
// saved, say.
func pathOf(u protocol.DocumentURI) string {
	parsed, err := uri.Parse(string(u)) // Filename panics where this fails, and for other schemes
	if err != nil || !strings.HasPrefix(string(parsed), uri.FileScheme+":") {
		return string(u)
	}
	return parsed.Filename()
}

// offsetOf is the byte offset of a place, whose column counts UTF-16 units. A place behind the end of its line or of
// the text is that end.
func offsetOf(file *source.File, p protocol.Position) int {
	if int64(p.Line) >= int64(file.LineCount()) {
		return len(file.Text)
	}
	line := file.LineSpan(int(p.Line) + 1)
	line.Start, line.End = line.Start-file.Base(), line.End-file.Base()
	units := uint32(0)
	for i, r := range file.Text[line.Start:line.End] {
		if units >= p.Character {
			return int(line.Start) + i
		}
		units += unitsOf(r)
	}
	return int(line.End)
}

// unitsOf is how many units of UTF-16 a character takes: two beyond the basic plane.
func unitsOf(r rune) uint32 {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// placeOf is the place of an offset of the file's.
func placeOf(file *source.File, offset int32) protocol.Position {
	p := file.Position(offset)
	line := file.LineSpan(p.Line)
	return protocol.Position{Line: uint32(p.Line - 1), Character: uint32(file.UTF16(offset) - file.UTF16(line.Start))}
}

func rangeOf(file *source.File, s source.Span) protocol.Range {
	return protocol.Range{Start: placeOf(file, s.Start), End: placeOf(file, s.End)}
}

// inFile reports whether a span lies in a file, and not in one that it imports.
func inFile(file *source.File, s source.Span) bool {
	whole := file.Span()
	return whole.Start <= s.Start && s.End <= whole.End
}
