package propose

import (
	"slices"
	"strconv"
	"strings"
)

// index is a number that differs between programs, lanes or iterations.
type index struct {
	key              string // the same for the same index, wherever it is written
	axes             []int  // the grid axes that it depends on
	block            string // of an arange: its length; of an arange that something steps along: the step
	lanes            bool   // an arange that nothing steps along
	loop             *loop  // the loop that it counts
	countsIterations bool   // it counts the loop's iterations from 0, whatever the loop's step is
	of               string // of a loaded value: the pointer
	// by and along are what a stepped index was joined of: pid and arange(0, B) of pid * B + arange(0, B).
	by, along *index
	opaque    bool // made of programs' numbers by // or %
}

// loop is a for loop over a range.
type loop struct {
	stop   string // "" if it is no product of parameters and numbers
	step   string
	blocks cdiv // where stop is cdiv(K, B)
}

// cdiv is the number of blocks that cover a size.
type cdiv struct{ size, block string }

// extent is how far the loop takes an index that moves by block each time; "" if that is not known.
func (l *loop) extent(block string) string {
	switch {
	case l.step == block || block == "":
		return l.stop
	case l.blocks.size != "" && l.blocks.block == block:
		return l.blocks.size
	case l.stop != "":
		return l.stop + " * " + block
	}
	return ""
}

// term is factor * scale[0] * scale[1] * … * index; without an index it is the same in all programs.
type term struct {
	factor int
	scale  []string // sorted names of parameters, or other expressions that never change
	index  *index
}

// linear is a linear expression.
type linear []term

func constant(n int) linear { return linear{{factor: n}} }

func symbol(name string) linear { return linear{{factor: 1, scale: []string{name}}} }

func ofIndex(i *index) linear { return linear{{factor: 1, index: i}} }

// Limits on a linear expression; what is longer counts as not linear. Without them x = x + x, line after
// line, would take exponential time.
const (
	maxTerms = 16
	maxScale = 8
	maxText  = 200 // of the text of a value that does not change
)

func (s linear) plus(t linear) (linear, bool) {
	if len(s)+len(t) > maxTerms {
		return nil, false
	}
	return append(slices.Clone(s), t...).merged(), true
}

func (s linear) negated() linear {
	out := slices.Clone(s)
	for i := range out {
		out[i].factor = -out[i].factor
	}
	return out
}

// times multiplies by what is the same in all programs; the product of two indices is no linear expression.
func (s linear) times(t linear) (linear, bool) {
	if s.uniform() {
		s, t = t, s
	}
	if !t.uniform() || len(s)*len(t) > maxTerms {
		return nil, false
	}
	var out linear
	for _, a := range s {
		for _, b := range t {
			scale := append(slices.Clone(a.scale), b.scale...)
			if len(scale) > maxScale {
				return nil, false
			}
			slices.Sort(scale)
			out = append(out, term{a.factor * b.factor, scale, a.index})
		}
	}
	return out.merged(), true
}

func (s linear) uniform() bool {
	return !slices.ContainsFunc(s, func(t term) bool { return t.index != nil })
}

// axes are the grid axes that a sum depends on; ok is false if it depends on lanes or iterations too.
func (s linear) axes() (axes []int, ok bool) {
	for _, t := range s {
		if t.index == nil {
			continue
		}
		if len(t.index.axes) == 0 || t.index.block != "" {
			return nil, false
		}
		axes = append(axes, t.index.axes...)
	}
	slices.Sort(axes)
	return slices.Compact(axes), true
}

// merged joins each arange with what steps it along: pid * B + arange(0, B), or k + arange(0, B) in a loop
// with the step B.
func (s linear) merged() linear {
	for i, lanes := range s {
		if lanes.index == nil || !lanes.index.lanes {
			continue
		}
		for j, by := range s {
			if by.index == nil || by.index.lanes || by.index.block != "" || !stepsBy(by, lanes) {
				continue
			}
			block := lanes.index.block
			joined := &index{key: by.index.key + "*" + block + "+" + lanes.index.key, axes: by.index.axes,
				block: block, loop: by.index.loop, by: by.index, along: lanes.index}
			// The parts are removed and the joined index takes the place of the arange.
			out := slices.Clone(s)
			out[i].index = joined
			return slices.Delete(out, j, j+1)
		}
	}
	return s
}

// stepsBy reports whether by advances lanes by their own length.
func stepsBy(by, lanes term) bool {
	block := lanes.index.block
	// A loop that steps by the block counts elements itself: k + arange(0, B) for k in range(0, K, B).
	if l := by.index.loop; l != nil && !by.index.countsIterations && l.step == block && by.factor == lanes.factor &&
		slices.Equal(by.scale, lanes.scale) {
		return true
	}
	if n, err := strconv.Atoi(block); err == nil {
		return by.factor == lanes.factor*n && slices.Equal(by.scale, lanes.scale)
	}
	scale := append(slices.Clone(lanes.scale), block)
	slices.Sort(scale)
	return by.factor == lanes.factor && slices.Equal(by.scale, scale)
}

// split takes an index that steps along an arange apart: pid * B and arange(0, B).
func (t term) split() linear {
	scale, factor := slices.Clone(t.scale), t.factor
	if n, err := strconv.Atoi(t.index.block); err == nil {
		factor *= n
	} else {
		scale = append(scale, t.index.block)
		slices.Sort(scale)
	}
	return linear{{factor, scale, t.index.by}, {t.factor, t.scale, t.index.along}}
}

// text writes a single uniform term: "M", "2 * H * W"; "" for anything else.
func (s linear) text() string {
	if len(s) != 1 || s[0].index != nil || s[0].factor < 1 {
		return ""
	}
	return productText(s[0].factor, s[0].scale)
}

func productText(factor int, scale []string) string {
	if len(scale) == 0 {
		return strconv.Itoa(factor)
	}
	text := strings.Join(scale, " * ")
	if factor != 1 {
		text = strconv.Itoa(factor) + " * " + text
	}
	return text
}

// withoutFactors is scale less the factors of part; ok is false if part has others.
func withoutFactors(scale, part []string) (rest []string, ok bool) {
	rest = slices.Clone(scale)
	for _, name := range part {
		i := slices.Index(rest, name)
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// collapsed makes one index of a program's number that is put together from others, as in
// pid_m = first_pid_m + pid % group_size_m.
func (s linear) collapsed(name string) linear {
	axes, ok := s.axes()
	remainder := slices.ContainsFunc(s,
		func(t term) bool { return t.index != nil && t.index.opaque && t.factor == 1 && len(t.scale) == 0 })
	if !ok || !remainder || len(s) < 2 {
		return s
	}
	return ofIndex(&index{key: name, axes: axes, opaque: true})
}
