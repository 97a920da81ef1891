// Package triton is what newt knows of Triton's releases as such: their names, how long something is there, and what
// changed from one to the next for those who write kernels.
package triton

import (
	"fmt"
	"strings"
)

// Version is a release of Triton. The zero value stands for Default.
type Version uint8

// The releases that newt tells apart, by their minor numbers: 3.6.0 and so on.
const (
	V36 Version = 6 + iota
	V37
	V38
	V39

	Oldest = V36
	Latest = V39
	// Default is the latest release that newt covers in full: of 3.9 not all could be verified.
	Default = V38
)

var names = [...]string{V36: "3.6", V37: "3.7", V38: "3.8", V39: "3.9"}

// All lists the releases, oldest first.
func All() []Version { return []Version{V36, V37, V38, V39} }

// Names are what Parse reads.
func Names() string { return strings.Join(names[Oldest:], "|") + "|latest" }

// Parse reads a version as people write it: 3.8, or latest. A patch (3.8.1) is of its release.
func Parse(text string) (Version, error) {
	if text == "latest" {
		return Latest, nil
	}
	for v := Oldest; v <= Latest; v++ {
		if rest, ok := strings.CutPrefix(text, names[v]); ok && (rest == "" || rest[0] == '.') {
			return v, nil
		}
	}
	return 0, unknown(text)
}

func unknown(text string) error {
	return fmt.Errorf("%q is no version of Triton that newt knows: %s", text, Names())
}

// Set is Parse for a flag.
func (v *Version) Set(text string) (err error) {
	*v, err = Parse(text)
	return err
}

// Or is v, or another where v is not given.
func (v Version) Or(other Version) Version {
	if v == 0 {
		return other
	}
	return v
}

// String is the name of the release: 3.8.
func (v Version) String() string { return names[v.Or(Default)] }

// Full is what triton.__version__ says.
func (v Version) Full() string { return v.String() + ".0" }

// AtLeast reports whether v is w or newer.
func (v Version) AtLeast(w Version) bool { return v.Or(Default) >= w }

// Has reports whether the release has what a change is about.
func (v Version) Has(c Change) bool { return changes[c].In(v) }

// Since is the first release that has what a change is about.
func (c Change) Since() Version { return changes[c].Since }

// Lifetime is how long something is there. The zero value is always.
type Lifetime struct {
	Since      Version // the first that has it; 0: all before Until
	Deprecated Version // the first that warns of it; 0: none
	Until      Version // the first that no longer has it; 0: none
}

// In reports whether a release has it.
func (l Lifetime) In(v Version) bool {
	return v.AtLeast(l.Since) && (l.Until == 0 || !v.AtLeast(l.Until))
}

// Warns reports whether a release has it, and warns of it.
func (l Lifetime) Warns(v Version) bool {
	return l.Deprecated != 0 && v.AtLeast(l.Deprecated) && l.In(v)
}

// marker begins the line of a document that says which release it is for.
const marker = "triton:"

// Requested is the version that a document's own text asks for: the first line that is a comment of the form
// "# triton: 3.8". It is 0 where there is none. Where the comment names no version, line is that line, counted from 1.
func Requested(text string) (v Version, line int) {
	for line := 1; text != ""; line++ {
		s, rest, _ := strings.Cut(text, "\n")
		text = rest
		if !strings.HasPrefix(s, "#") {
			continue
		}
		if name, found := strings.CutPrefix(strings.TrimSpace(strings.TrimLeft(s, "#")), marker); found {
			if v, err := Parse(strings.TrimSpace(name)); err == nil {
				return v, 0
			}
			return 0, line
		}
	}
	return 0, 0
}
