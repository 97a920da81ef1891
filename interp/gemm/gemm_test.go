package gemm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// sizes are rows, columns and depths around those of tiles and panels.
var sizes = []int{1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 40, 255, 257, 513}

func matrix[T Number](rng *rand.Rand, n int) []T {
	m := make([]T, n)
	for i := range m {
		m[i] = T(rng.NormFloat64() * 100)
	}
	return m
}

func goOn(int) bool { return true }

// testAdd compares Add with the definition, bit by bit.
func testAdd[T Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rows, n, k := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
		if rows*n*k > 1<<21 {
			continue
		}
		a, b, c := matrix[T](rng, rows*k), matrix[T](rng, k*n), matrix[T](rng, rows*n)
		want := slices.Clone(c)
		for i := range rows {
			for j := range n {
				for p := range k {
					want[i*n+j] += T(a[i*k+p] * b[p*n+j])
				}
			}
		}
		if Add(c, a, b, n, k, goOn); !slices.Equal(c, want) {
			t.Fatalf("%d×%d times %d×%d differs", rows, k, k, n)
		}
	}
}

func TestAdd(t *testing.T) {
	t.Run("float32", testAdd[float32])
	t.Run("float64", testAdd[float64])
	t.Run("int32", testAdd[int32])
	t.Run("int64", testAdd[int64])
}

// TestStop: a poll that says no ends the work, and no poll is about more than a part of it.
func TestStop(t *testing.T) {
	const n = 512
	a, c := make([]float32, n*n), make([]float32, n*n)
	asked, most := 0, 0
	Add(c, a, a, n, n, func(products int) bool {
		asked, most = asked+1, max(most, products)
		return asked < 3
	})
	if asked != 3 || most > n*n*16 {
		t.Errorf("asked %d times, about %d products at most", asked, most)
	}
}

func benchmark[T Number](b *testing.B) {
	for _, n := range []int{64, 256, 1024, 2048} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			x, y, c := matrix[T](rng, n*n), matrix[T](rng, n*n), make([]T, n*n)
			for b.Loop() {
				Add(c, x, y, n, n, goOn)
			}
			b.ReportMetric(float64(b.N)*2*float64(n*n*n)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

func BenchmarkFloat32(b *testing.B) { benchmark[float32](b) }
func BenchmarkFloat64(b *testing.B) { benchmark[float64](b) }
func BenchmarkInt64(b *testing.B)   { benchmark[int64](b) }
