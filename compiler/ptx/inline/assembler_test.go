package inline

import (
	"fmt"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

func TestParseRemembers(t *testing.T) {
	for i := range 3 * mostParsed {
		text := fmt.Sprintf("add.s32 $0, $1, %d;", i)
		a, err := Parse(text, "=r,r", []num.DType{num.Int32}, []num.DType{num.Int32}, 1)
		b, _ := Parse(text, "=r,r", []num.DType{num.Int32}, []num.DType{num.Int32}, 1)
		if err != nil || a != b {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if len(parsed) > mostParsed {
		t.Errorf("%d texts are kept", len(parsed))
	}
}

// TestNoAssembler: a program without an assembler refuses every text, and knows afterwards that it was asked.
func TestNoAssembler(t *testing.T) {
	saved := assembler
	defer Register(saved)
	Register(nil)
	one := []num.DType{num.Int32}
	if _, err := Parse("not.b32 $0, $1; // without assembler", "=r,r", one, one, 1); err == nil {
		t.Error("a text was taken")
	}
	if !Missed() || Missed() {
		t.Error("that it was missed should be said once")
	}
}
