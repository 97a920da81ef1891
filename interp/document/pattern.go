package document

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used, so that a program which opens no document
// neither waits for it nor links the engine of package regexp.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

func (p *pattern) re() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}
