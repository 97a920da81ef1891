package num

import (
	"math"
	"math/big"
	"testing"
)

func TestExact(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3037000500, -3, -1, 0, 1, 2, 3037000499, 3037000500, 1 << 32, math.MaxInt64}
	for _, x := range edges {
		for _, y := range edges {
			for _, op := range []struct {
				name  string
				exact func(x, y int64) (int64, bool)
				big   func(z, x, y *big.Int) *big.Int
			}{{"+", AddExact, (*big.Int).Add}, {"·", MulExact, (*big.Int).Mul}} {
				want := op.big(new(big.Int), big.NewInt(x), big.NewInt(y))
				z, ok := op.exact(x, y)
				if ok != want.IsInt64() || ok && z != want.Int64() {
					t.Errorf("%d %s %d = %d, %v, want %v", x, op.name, y, z, ok, want)
				}
			}
		}
	}
}
