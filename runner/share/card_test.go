package share

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

const kernel = `import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)  # 每个程序处理一块
	mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    for i in range(4):
        x += 1
    tl.store(z_ptr + offsets, x, mask=mask)
`

// TestCard draws what strangers may send; the picture is a PNG of the promised size every time.
func TestCard(t *testing.T) {
	for name, c := range map[string]struct{ title, source string }{
		"kernel":   {"Puzzle 2: Constant add block", kernel},
		"empty":    {"", ""},
		"wide":     {strings.Repeat("W", 500), strings.Repeat("x", 1<<20)},
		"lines":    {"lines", strings.Repeat("\n", 1<<20)},
		"controls": {"a\x00b\u202ec", "\x1b[31m\r\u2066\ufeff\U000e0001"},
		"invalid":  {"\xff", "\xff\xfe"},
	} {
		data, err := drawCard(c.title, c.source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil || picture.Bounds().Dx() != cardWidth || picture.Bounds().Dy() != cardHeight {
			t.Errorf("%s: %v, %v", name, picture.Bounds(), err)
		}
		if len(data) > 200<<10 {
			t.Errorf("%s: %d bytes", name, len(data))
		}
	}
}

func BenchmarkCard(b *testing.B) {
	for b.Loop() {
		drawCard("Puzzle 2: Constant add block", kernel)
	}
}
