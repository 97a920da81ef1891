package diag

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/source"
)

// Printer writes diagnostics for a terminal, with the source around them.
type Printer struct {
	Lang  Lang
	Color bool // ANSI colors
}

// Print is the text of all diagnostics of the files, with an empty line between them.
func (p Printer) Print(f source.Files, list List) string {
	parts := make([]string, len(list))
	for i, d := range list {
		parts[i] = p.One(f, d)
	}
	return strings.Join(parts, "\n")
}

// severityWords and the words of the lines below a frame, in English and in Chinese.
var (
	severityWords = [...][2]string{Error: {"error", "错误"}, Warning: {"warning", "警告"}, Hint: {"hint", "提示"}}
	whyWords      = [2]string{"why: ", "原因："}
	tryWords      = [2]string{"try: ", "建议："}
	fixWords      = [2]string{"fix: ", "修改："}
	tritonWords   = [2]string{"Triton says: ", "Triton 的说法："}
)

// One is the text of one diagnostic: headline, place, source frame, why, and what to try.
func (p Printer) One(files source.Files, d *Diagnostic) string {
	r, f := d.In(p.Lang), files.File(d.Primary.Span)
	var b strings.Builder
	p.headline(&b, d, r)
	at := f.Position(d.Primary.Span.Start)
	fmt.Fprintf(&b, "  %s:%d:%d\n", harmless(f.Name), at.Line, at.Column)
	p.frames(&b, files, d, r)
	p.notes(&b, r)
	return b.String()
}

// Words is the text of one diagnostic without its place.
func (p Printer) Words(d *Diagnostic) string {
	r := d.In(p.Lang)
	var b strings.Builder
	p.headline(&b, d, r)
	p.notes(&b, r)
	return b.String()
}

func (p Printer) headline(b *strings.Builder, d *Diagnostic, r Rendered) {
	word := p.paint(severityColors[d.Severity], severityWords[d.Severity][p.Lang]+"["+d.Code+"]")
	fmt.Fprintf(b, "%s: %s\n", word, p.paint(bold, harmless(r.Headline)))
}

func (p Printer) notes(b *strings.Builder, r Rendered) {
	p.note(b, whyWords, r.Why)
	p.note(b, tritonWords, r.Triton)
	p.note(b, tryWords, r.Help)
	for _, fix := range r.Fixes {
		p.note(b, fixWords, fix.Title)
	}
}

func (p Printer) note(b *strings.Builder, words [2]string, text string) {
	if text != "" {
		fmt.Fprintf(b, "  %s%s\n", p.paint(bold, words[p.Lang]), harmless(text))
	}
}

// ANSI colors.
const (
	bold = "1"
	blue = "34"
)

var severityColors = [...]string{Error: "1;31", Warning: "1;33", Hint: "1;36"}

func (p Printer) paint(color, text string) string {
	if !p.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// mark is a stretch of one line that a label points at, from byte before to byte until.
type mark struct {
	line          int
	before, until int32
	style         markStyle
	text          string
}

type markStyle struct{ char, color string }

// frames writes the lines that the labels stand on, those of the primary label's file first; a label
// in another file has that file's name and place above it.
func (p Printer) frames(b *strings.Builder, files source.Files, d *Diagnostic, r Rendered) {
	order := []*source.File{files.File(d.Primary.Span)}
	marks := map[*source.File][]mark{
		order[0]: marksOf(order[0], d.Primary.Span, markStyle{"^", severityColors[d.Severity]}, r.Label),
	}
	first := map[*source.File]source.Position{}
	for _, l := range r.Related {
		f := files.File(l.Span)
		if marks[f] == nil {
			order, first[f] = append(order, f), f.Position(l.Span.Start)
		}
		marks[f] = append(marks[f], marksOf(f, l.Span, markStyle{"-", blue}, l.Text)...)
	}
	for i, f := range order {
		if i > 0 {
			fmt.Fprintf(b, "  %s:%d:%d\n", harmless(f.Name), first[f].Line, first[f].Column)
		}
		if f.Text != "" {
			p.frame(b, f, marks[f])
		}
	}
}

// frame writes the lines of one file that marks stand on, each with its marks below.
func (p Printer) frame(b *strings.Builder, f *source.File, marks []mark) {
	sort.SliceStable(marks, func(i, j int) bool { return marks[i].line < marks[j].line })
	gutter := len(strconv.Itoa(marks[len(marks)-1].line)) + 2
	shown := 0
	for _, m := range marks {
		if m.line > shown+1 && shown > 0 {
			b.WriteString(p.paint(blue, strings.Repeat(" ", gutter)+" …") + "\n")
		}
		window := windowOf(f, m)
		if m.line != shown {
			b.WriteString(p.paint(blue, fmt.Sprintf("%*d | ", gutter, m.line)) + window.text + "\n")
			shown = m.line
		}
		b.WriteString(p.paint(blue, fmt.Sprintf("%*s | ", gutter, "")) + strings.Repeat(" ", window.from))
		under := strings.Repeat(m.style.char, max(1, window.to-window.from))
		b.WriteString(p.paint(m.style.color, strings.TrimRight(under+" "+harmless(m.text), " ")) + "\n")
	}
}

// marksOf turns a label into marks on the first and the last line that its span covers.
func marksOf(f *source.File, s source.Span, style markStyle, text string) []mark {
	first, last := f.Position(s.Start).Line, f.Position(max(s.Start, s.End)).Line
	if last > first && s.End == f.LineSpan(last).Start { // the span ends with a line break
		last--
	}
	if first == last {
		return []mark{markOn(f, first, s, style, text)}
	}
	bottom := f.Slice(f.LineSpan(last))
	indent := int32(len(bottom) - len(strings.TrimLeft(bottom, " \t")))
	end := source.Span{Start: min(f.LineSpan(last).Start+indent, s.End), End: s.End}
	return []mark{markOn(f, first, s, style, "…"), markOn(f, last, end, style, text)}
}

// markOn marks the part of a span that lies on one line.
func markOn(f *source.File, number int, s source.Span, style markStyle, text string) mark {
	line := f.LineSpan(number)
	before := max(line.Start, min(s.Start, line.End))
	return mark{number, before, max(before, min(s.End, line.End)), style, text}
}

// window is the part of a line that is shown, with the columns of the mark in it.
type window struct {
	text     string
	from, to int
}

// maxColumns is how much of a long line is shown.
const maxColumns = 160

// windowOf cuts a long line down to the surroundings of its mark.
func windowOf(f *source.File, m mark) window {
	line := f.LineSpan(m.line)
	row := f.Slice(line)
	from, until := m.before-line.Start, m.until-line.Start // in row
	cut := int32(0)
	prefix := ""
	if from > maxColumns/2 && len(row) > maxColumns {
		cut = runeStart(row, from-maxColumns/4)
		prefix = "…"
	}
	end := int32(len(row))
	suffix := ""
	if end-cut > maxColumns {
		end = runeStart(row, cut+maxColumns)
		suffix = "…"
	}
	before := visible(row[cut:max(cut, min(from, end))])
	marked := visible(row[cut:max(cut, min(until, end))])
	text := visible(row[cut:end])
	return window{prefix + text + suffix, Width(prefix + before), Width(prefix + marked)}
}

// runeStart is the start of the character at offset; in text that is not UTF-8 it stays close.
func runeStart(text string, offset int32) int32 {
	start := offset
	for start > max(0, offset-utf8.UTFMax) && !utf8.RuneStart(text[start]) {
		start--
	}
	return start
}

// visible puts spaces in place of tabs, to the next multiple of four columns, and signs in place
// of what a terminal would obey.
func visible(text string) string {
	var b strings.Builder
	column := 0
	for _, r := range text {
		switch {
		case r == '\t':
			n := 4 - column%4
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case moves(r):
			r = utf8.RuneError
		}
		b.WriteRune(r)
		column += cells(r)
	}
	return b.String()
}

// moves reports whether a terminal would do something with r, or let it turn text around.
func moves(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// harmless puts signs in place of what a terminal would obey; messages quote sources.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if moves(r) && r != '\n' {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Width is the number of terminal cells that a text takes: two for a Chinese character.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += cells(r)
	}
	return n
}

// wide are the blocks of characters that take two cells (Unicode's East Asian Width W and F).
var wide = [...][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf}, {0xa960, 0xa97f},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
	{0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
}

func cells(r rune) int {
	if r < 0x300 {
		return 1
	}
	if r <= 0x36f || r == 0x200d || r >= 0xfe00 && r <= 0xfe0f { // combining marks, joiners, variation selectors
		return 0
	}
	i := sort.Search(len(wide), func(i int) bool { return wide[i][1] >= r })
	if i < len(wide) && r >= wide[i][0] {
		return 2
	}
	return 1
}
