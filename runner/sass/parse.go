package sass

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/source"
)

// Line is a line of SASS, an instruction or a label.
type Line struct {
	Text string
	PTX  int // the line of PTX that an instruction comes from, counted from 1; 0 where that is not known
}

// Span is the place in the source of an instruction, of which places has that of each line of PTX; none for a label.
func (l Line) Span(places []source.Span) source.Span {
	if l.PTX < 1 || l.PTX > len(places) {
		return source.Span{}
	}
	return places[l.PTX-1]
}

var (
	// What nvdisasm prints before the instructions of a line of PTX.
	placePattern       = regexp.MustCompile(`^\s*//## File "[^"]*", line (\d+)`)
	instructionPattern = regexp.MustCompile(`^\s*(/\*[0-9a-f]+\*/)\s+(\S.*?)\s*$`)
	labelPattern       = regexp.MustCompile(`^([.\w$]+):\s*$`)
)

// parse reads what nvdisasm prints: its instructions and labels, and not what else is in the file.
func parse(text string) (list []Line) {
	ptx := 0
	for line := range strings.Lines(text) {
		if m := placePattern.FindStringSubmatch(line); m != nil {
			var err error
			if ptx, err = strconv.Atoi(m[1]); err != nil { // too many digits
				ptx = 0
			}
		} else if m := instructionPattern.FindStringSubmatch(line); m != nil {
			list = append(list, Line{"    " + m[1] + "  " + m[2], ptx})
		} else if m := labelPattern.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[1], ".text.") {
			list = append(list, Line{Text: m[1] + ":"})
		}
	}
	return list
}
