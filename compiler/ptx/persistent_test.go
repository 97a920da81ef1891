package ptx_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/num"
)

// TestPersistent: persistent thread blocks leave what blocks of one program each leave, with as many programs a block as
// there are and one less, with fewer iterations than stages, and with none.
func TestPersistent(t *testing.T) {
	base := matmulCase{in: num.Float16, acc: num.Float32, out: num.Float16, precision: "tf32", bm: 64, bn: 64, bk: 64,
		m: 320, n: 64, k: 208, warps: 4, stages: 3, div: 16, proved: true, bounded: true, wgmma: true, boxes: true,
		persistent: true}
	for _, f := range []func(c *matmulCase){
		func(c *matmulCase) {}, func(c *matmulCase) { c.stages = 4 }, func(c *matmulCase) { c.stages, c.m = 2, 384 },
		func(c *matmulCase) { c.k = 64 }, func(c *matmulCase) { c.k = 0 }, func(c *matmulCase) { c.bTransposed = true },
		func(c *matmulCase) { c.aTransposed = true }, func(c *matmulCase) { c.n = 192 },
		func(c *matmulCase) { c.bm, c.bn, c.m, c.n, c.warps = 128, 128, 384, 256, 8 },
		func(c *matmulCase) { c.in, c.acc, c.out, c.bTransposed = num.Int8, num.Int32, num.Int32, true },
		func(c *matmulCase) { c.in, c.out, c.bTransposed, c.bk, c.k = num.Float32, num.Float32, true, 32, 112 },
	} {
		c := base
		f(&c)
		t.Run(c.name(), func(t *testing.T) {
			m := c.compile(t)
			if !m.Persistent {
				t.Fatal("not persistent")
			}
			ptxas.Accept(t, m.Target, m.Text)
			for seed := range uint64(3) {
				c.run(t, m, seed)
			}
		})
	}
}
