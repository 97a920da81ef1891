package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/tile"
)

// TestOwnElements: accesses through one pointer in one layout are ordered by a barrier unless each thread keeps to
// elements of its own: where elements of the tile have one address, and where another iteration reaches those of this
// one.
func TestOwnElements(t *testing.T) {
	for _, c := range []struct {
		kernelCase
		barriers, inLaunch int // without and with what is known of the launch
	}{
		{kernelCase{"in place", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    for k in range(0, n):
        tl.store(p, tl.load(p) * 2 + 1)
`, 1, []any{"i32×256", 5}}, 0, 0},
		{kernelCase{"in place, block by block", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(0, n):
        p = x + k * B + i
        tl.store(p, tl.load(p) * 2 + 1)
`, 1, []any{"i32×1280", 5}}, 1, 0},
		{kernelCase{"in place, block by block, so often", "*i32:16, 256", `
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(0, 5):
        p = x + k * B + i
        tl.store(p, tl.load(p) * 2 + 1)
`, 1, []any{"i32×1280"}}, 0, 0},
		{kernelCase{"iterations that go around all integers", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(0, n):
        o = i + k * 1073741825
        m = (o >= 0) & (o < 300)
        tl.store(x + o, tl.load(x + o, mask=m, other=0) * 2 + 1, mask=m)
`, 1, []any{"i32×300", 5}}, 1, 1},
		{kernelCase{"offsets of 8 bits", "*i32:16, *i32:16, 1024", `
def kernel(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + 128 + i.to(tl.int8).to(tl.int32)
    tl.store(p, i, mask=i < 256)
    tl.store(z + i, tl.load(p))
`, 1, []any{"i32×256", "i32×1024"}}, 1, 1},
		{kernelCase{"in place, by a pointer that goes on", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    p = x + 4 * B + tl.arange(0, B)
    for k in range(0, n):
        tl.store(p, tl.load(p) * 2 + 1)
        p -= B
`, 1, []any{"i32×1280", 5}}, 0, 0},
		{kernelCase{"blocks that overlap", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(0, n):
        p = x + k + i
        tl.store(p, tl.load(p) * 2 + 1)
`, 1, []any{"i32×600", 5}}, 1, 1},
		{kernelCase{"blocks of a pointer that goes on overlap", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    for k in range(0, n):
        tl.store(p, tl.load(p) * 2 + 1)
        p += 37
`, 1, []any{"i32×600", 5}}, 1, 1},
		{kernelCase{"a while loop's", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    k = 0
    while k < n:
        tl.store(p, tl.load(p) * 3 + 1)
        p += 33
        k += 1
`, 1, []any{"i32×600", 6}}, 1, 1},
		{kernelCase{"a sum that is reached on 2^60 ways", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    for k in range(0, n):
        at = k
        for _ in tl.static_range(60):
            at = at + at
        p = x + at + tl.arange(0, B)
        tl.store(p, tl.load(p) * 2 + 1)
`, 1, []any{"i32×256", 3}}, 0, 0},
		{kernelCase{"a product that wraps to the next element", "*i32:16, i32, 256", `
def kernel(x, n, B: tl.constexpr):
    for k in range(0, n):
        p = x + k * 641 * 6700417 + tl.arange(0, B)
        tl.store(p, tl.load(p) * 2 + 1)
`, 1, []any{"i32×300", 3}}, 1, 1},
		{kernelCase{"repeated elements, load behind a store", "*i32:16, *i32:16, 256", `
def kernel(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i % 16
    tl.store(p, i, mask=i < 16)
    tl.store(z + i, tl.load(p))
`, 1, []any{"i32×256", "i32×256"}}, 1, 1},
		{kernelCase{"repeated elements, store behind a load", "*i32:16, *i32:16, 512", `
def kernel(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i % 128
    v = tl.load(p)
    tl.store(p, v + i, mask=i >= 384)
    tl.store(z + i, v)
`, 1, []any{"i32×512", "i32×512"}}, 1, 1},
		{kernelCase{"repeated elements, load behind an atomic", "*i32:16, *i32:16, *i32:16, 256", `
def kernel(x, h, z, B: tl.constexpr):
    p = h + tl.load(x + tl.arange(0, B)) % 8
    tl.atomic_add(p, 1, sem="relaxed")
    tl.store(z + tl.arange(0, B), tl.load(p))
`, 1, []any{"i32×256", "i32×256", "i32×256"}}, 1, 1},
		{kernelCase{"rows that overlap", "*i32:16, *i32:16, i32, 16, 32", `
def kernel(x, z, stride, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    p = x + m[:, None] * stride + n[None, :]
    tl.store(p, m[:, None] * 100 + n[None, :], mask=(m[:, None] == 0) | (n[None, :] >= N - 8))
    tl.store(z + m[:, None] * N + n[None, :], tl.load(p))
`, 1, []any{"i32×1024", "i32×512", 8}}, 1, 1},
	} {
		fn := compiled(t, c.name, c.source, c.signature)
		for _, warps := range []int{1, 4} {
			o := ptx.Options{Target: "sm_90a", NumWarps: warps}
			for _, want := range []int{c.barriers, c.inLaunch} {
				m, err := ptx.Compile(fn, o)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(m.Text, "bar.sync"); n != want {
					t.Errorf("%s: %d barriers, want %d", c.name, n, want)
				}
				for seed := range uint64(4) {
					compare(t, fmt.Sprint(c.name, "/", warps, "/", seed), fn, [3]int{c.grid, 1, 1},
						func() []tile.Arg { return c.values(t) }, o, seed)
				}
				prove(fn, c.values(t), [3]int{c.grid, 1, 1}, &o)
			}
		}
	}
}
