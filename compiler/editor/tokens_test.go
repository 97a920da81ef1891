package editor

import (
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// TestTokens marks each token of a file by a letter: k is a kernel, c a constexpr, p a pointer, and f, d and n are a
// function, a dtype and a number of triton.language. A declaration has a capital.
func TestTokens(t *testing.T) {
	const want = `import triton
import triton.language as tl
from triton.language import load as read, float16

@triton.<f jit>
def <K add>(<P x_ptr>, n, <C BLOCK>: tl.<f constexpr>):
    i = tl.<f program_id>(0) * <c BLOCK> + tl.<f arange>(0, <c BLOCK>)
    x = <f read>(<p x_ptr> + i, mask=i < n).to(<d float16>)
    <p x_ptr> += n  # "BLOCK"
    tl.<f store>(<p x_ptr> + i, tl.math.<f exp>(x), mask=i < tl.<n TRITON_MAX_TENSOR_NUMEL>)

def main(x, BLOCK, add_=None):
    <k add>[(1,)](x, x.numel(), BLOCK, n=tl.nothing)

def other():
    def add(): pass
    add()
`
	text := regexp.MustCompile(`<\w ([^>]*)>`).ReplaceAllString(want, "$1")
	out, at := "", int32(0)
	for _, token := range Tokens(source.NewFile("add.py", text)) {
		letter := "kcpfdn"[token.Kind : token.Kind+1]
		if token.Declaration {
			letter = strings.ToUpper(letter)
		}
		out += text[at:token.Span.Start] + "<" + letter + " " + text[token.Span.Start:token.Span.End] + ">"
		at = token.Span.End
	}
	if out += text[at:]; out != want {
		t.Error(out)
	}
	broken := source.NewFile("add.py", "import triton.language as tl\ntl.load(1\nx = 1 +\n")
	if list := Tokens(broken); len(list) != 1 || list[0].Kind != FunctionToken {
		t.Errorf("of a text with mistakes: %v", list)
	}
}
