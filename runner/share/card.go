package share

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/newtlab/newt/compiler/diag"
)

// The picture of a short link, in pixels: the size that previews are made for.
const (
	cardWidth  = 1200
	cardHeight = 630
	cardMargin = 56
	codeTop    = 190
	codeLine   = 30
	codeLines  = 13
	codeWidth  = 78 // letters of a line of code
	tabWidth   = 4
)

// ink is a color of the card. Each has shades from the paper to itself in the palette.
type ink uint8

const (
	inkText ink = iota
	inkFaint
	inkAccent
	inkKeyword
	inkLine
)

const shades = 16

var (
	paper = color.RGBA{0xfa, 0xf8, 0xf4, 0xff}
	inks  = [...]color.RGBA{
		inkText: {0x1d, 0x20, 0x23, 0xff}, inkFaint: {0x69, 0x6c, 0x70, 0xff}, inkAccent: {0xb3, 0x44, 0x0f, 0xff},
		inkKeyword: {0x13, 0x65, 0x5f, 0xff}, inkLine: {0xe6, 0xe1, 0xd7, 0xff},
	}
	palette = makePalette()
)

func makePalette() color.Palette {
	var p color.Palette
	mix := func(a, b uint8, n int) uint8 { return uint8((int(a)*(shades-1-n) + int(b)*n) / (shades - 1)) }
	for _, c := range inks {
		for n := range shades {
			p = append(p, color.RGBA{mix(paper.R, c.R, n), mix(paper.G, c.G, n), mix(paper.B, c.B, n), 0xff})
		}
	}
	return p
}

func (s *service) card(w http.ResponseWriter, r *http.Request) error {
	record, err := s.findRecord(r)
	if err != nil {
		return err
	}
	if s.checkNotModified(w, r, record) {
		return nil
	}
	picture, err := s.cards.get(record.ID(), func() ([]byte, error) { return s.drawInTurn(r, record) })
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/png")
	// Chats show the picture inside their own pages.
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	w.Write(picture)
	return nil
}

// drawInTurn draws a record's card when a slot is free.
func (s *service) drawInTurn(r *http.Request, record Record) (picture []byte, err error) {
	state, err := s.decodeLink(r, record.Link)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	err = s.drawSlots.acquire(ctx, func() (err error) {
		picture, err = drawCard(s.title(state, diag.English), state.Source)
		return err
	})
	return picture, err
}

// drawCard draws a title and the first lines of a source, as a PNG.
func drawCard(title, source string) ([]byte, error) {
	mono, err := typeface()
	if err != nil {
		return nil, err
	}
	c := canvas{image.NewPaletted(image.Rect(0, 0, cardWidth, cardHeight), palette), mono}
	big, err := c.pen(44)
	if err != nil {
		return nil, err
	}
	small, err := c.pen(22)
	if err != nil {
		return nil, err
	}
	small.text(cardMargin, 70, inkAccent, "newt")
	big.text(cardMargin, 132, inkText, truncate(title, 40))
	c.fill(image.Rect(cardMargin, 158, cardWidth-cardMargin, 160), inkLine)
	for i, line := range firstLines(source) {
		x := cardMargin
		for _, part := range highlight(line) {
			x = small.text(x, codeTop+24+i*codeLine, part.ink, part.text)
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = encoder.Encode(&out, c.picture)
	return out.Bytes(), err
}

var typeface = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(gomono.TTF) })

type canvas struct {
	picture *image.Paletted
	font    *opentype.Font
}

func (c canvas) fill(area image.Rectangle, i ink) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c.picture.SetColorIndex(x, y, uint8(i)*shades+shades-1)
		}
	}
}

// pen draws text in one size. A font.Face is not safe for concurrent use, so each card has its own.
type pen struct {
	canvas
	face    font.Face
	advance int // pixels from one letter to the next
}

func (c canvas) pen(size float64) (pen, error) {
	face, err := opentype.NewFace(c.font, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return pen{}, err
	}
	advance, _ := face.GlyphAdvance('m')
	return pen{c, face, advance.Round()}, nil
}

// text draws text at a baseline and returns the x of the next glyph. A character that the font lacks becomes a block of
// its width.
func (p pen) text(x, y int, i ink, text string) int {
	for _, r := range text {
		width := p.advance
		switch {
		case r == ' ':
		case p.has(r):
			p.glyph(x, y, i, r)
		default:
			width = p.advance * columnsOf(r)
			p.fill(image.Rect(x+2, y-p.advance, x+width-2, y), i)
		}
		x += width
	}
	return x
}

func (p pen) has(r rune) bool {
	_, ok := p.face.GlyphAdvance(r)
	index, err := p.font.GlyphIndex(nil, r)
	return ok && err == nil && index != 0
}

func (p pen) glyph(x, y int, i ink, r rune) {
	area, drawn, from, _, ok := p.face.Glyph(fixed.P(x, y), r)
	mask, alpha := drawn.(*image.Alpha) // opentype's masks are
	if !ok || !alpha {
		return
	}
	area = area.Intersect(p.picture.Rect)
	for py := area.Min.Y; py < area.Max.Y; py++ {
		for px := area.Min.X; px < area.Max.X; px++ {
			// The palette has shades of each ink, from the paper on: the glyph's coverage picks one.
			cover := mask.AlphaAt(px-area.Min.X+from.X, py-area.Min.Y+from.Y).A
			if shade := cover / (256 / shades); shade > 0 {
				p.picture.SetColorIndex(px, py, uint8(i)*shades+shade)
			}
		}
	}
}

// columnsOf returns the columns of a rune in a terminal: two for Chinese, Japanese and Korean ones.
func columnsOf(r rune) int {
	ideographs := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	fullwidth := r >= 0xff00 && r <= 0xff60
	punctuation := r >= 0x3000 && r <= 0x303f
	if ideographs || fullwidth || punctuation {
		return 2
	}
	return 1
}

// firstLines returns the lines of a source that fit on the card, from the first kernel on if there is one.
func firstLines(source string) []string {
	if at := strings.Index(source, "@triton.jit"); at > 0 {
		source = source[at:]
	}
	var lines []string
	for line := range strings.SplitSeq(source, "\n") {
		if len(lines) == codeLines {
			break
		}
		lines = append(lines, truncate(printable(line), codeWidth))
	}
	return lines
}

// printable expands tabs and removes control characters.
func printable(line string) string {
	// Cut first: a line may be as long as a whole link. No character takes more than 8 bytes a column.
	line = strings.ReplaceAll(line[:min(len(line), 8*codeWidth)], "\t", strings.Repeat(" ", tabWidth))
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, line)
}

// truncate shortens text to a number of columns, with an ellipsis.
func truncate(text string, columns int) string {
	used := 0
	for i, r := range text {
		if used += columnsOf(r); used > columns {
			return text[:i] + "…"
		}
	}
	return text
}

// span is a part of a line in one color.
type span struct {
	text string
	ink  ink
}

var keywords = map[string]bool{
	"def": true, "for": true, "in": true, "if": true, "else": true, "elif": true, "while": true, "return": true,
	"import": true, "from": true, "as": true, "and": true, "or": true, "not": true, "range": true, "with": true,
}

// highlight splits a line into comment, decorator, keywords and the rest.
func highlight(line string) []span {
	code, comment := line, ""
	if at := strings.IndexByte(line, '#'); at >= 0 {
		code, comment = line[:at], line[at:]
	}
	if strings.HasPrefix(strings.TrimSpace(code), "@") {
		return []span{{code, inkAccent}, {comment, inkFaint}}
	}
	var parts []span
	for code != "" {
		n := 0
		for n < len(code) && isWord(code[n]) == isWord(code[0]) {
			n++
		}
		i := inkText
		if keywords[code[:n]] {
			i = inkKeyword
		}
		parts, code = append(parts, span{code[:n], i}), code[n:]
	}
	return append(parts, span{comment, inkFaint})
}
