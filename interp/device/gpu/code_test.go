package gpu

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ptx"
)

// TestCodeIsBounded puts more than Code keeps: what was used lately stays.
func TestCodeIsBounded(t *testing.T) {
	c := NewCode()
	const each, all = 1 << 20, 4 * codeBytes >> 20
	m := &compiled{module: &ptx.Module{Text: strings.Repeat(" ", each)}}
	key := func(i int) codeKey { return codeKey{printBytes: i} }
	for i := range all {
		c.put(key(i), m)
		if c.get(key(0)) == nil {
			t.Fatalf("what was used last is dropped after %d more", i)
		}
	}
	if c.get(key(all-1)) == nil || c.get(key(1)) != nil {
		t.Error("what came last is dropped, or what came first kept")
	}
	if n := len(c.recent) + len(c.older); n*each > 2*codeBytes {
		t.Errorf("%d bytes are kept", n*each)
	}
}
