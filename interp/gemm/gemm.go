// Package gemm multiplies matrices as by the definition: each element of a product is the sum of its products one after
// the other, each rounded before it is added, so that every processor computes the same bits. Blocks and vectors change
// the speed alone.
package gemm

// Number is what matrices are made of.
type Number interface {
	float32 | float64 | int32 | int64
}

// tile is a kernel for a few rows and columns of the product, which it keeps in registers.
type tile[T Number] struct {
	rows, columns int
	// add adds depth columns of a times as many rows of b to rows of c, which tiles divide. Rows of c are n apart,
	// those of a k, those of b pitch.
	add func(c, a, b []T, rows, depth, n, k, pitch int)
}

// panelRows is how many rows of b are worked on at a time, so that a panel of them, as wide as a tile, stays in the
// first cache. It is packed, since rows of b may be as far apart as lines of the cache that exclude each other; rows of
// at most smallest elements together stay there as they are.
const (
	panelRows = 256
	smallest  = 4096
)

// blockRows is how many rows of a are gone through for each panel, so that what is read of them stays in the second
// cache. Tiles divide it.
const blockRows = 256

// Add adds a·b to c. All are row by row, with rows of n in b and c and of k in a. Before each part of the work, poll is
// asked with its number of products whether to go on.
func Add[T Number](c, a, b []T, n, k int, poll func(products int) bool) {
	if len(c) > 0 && k > 0 {
		block(tiles[T](), c, a, b, len(c)/n, n, n, k, poll)
	}
}

// block is Add for some rows and columns, the first ones of c and b, with the first of some tiles that fits; the others
// do what it leaves. It reports whether it has ended.
func block[T Number](tiles []tile[T], c, a, b []T, rows, columns, n, k int, poll func(products int) bool) bool {
	if len(tiles) == 0 {
		return plain(c, a, b, rows, columns, n, k, poll)
	}
	t, smaller := tiles[0], tiles[1:]
	height, width := rows/t.rows*t.rows, columns/t.columns*t.columns
	if height == 0 || width == 0 {
		return block(smaller, c, a, b, rows, columns, n, k, poll)
	}
	var panel []T
	if min(panelRows, k)*n > smallest {
		panel = make([]T, min(panelRows, k)*t.columns)
	}
	for first := 0; first < height; first += blockRows {
		last := min(first+blockRows, height)
		for top := 0; top < k; top += panelRows {
			depth := min(panelRows, k-top)
			for j := 0; j < width; j += t.columns {
				if !poll((last - first) * t.columns * depth) {
					return false
				}
				from, pitch := b[top*n+j:], n
				if panel != nil {
					for p := range depth {
						copy(panel[p*t.columns:][:t.columns], from[p*n:])
					}
					from, pitch = panel, t.columns
				}
				t.add(c[first*n+j:], a[first*k+top:], from, last-first, depth, n, k, pitch)
			}
		}
	}
	return (rows == height || block(smaller, c[height*n:], a[height*k:], b, rows-height, width, n, k, poll)) &&
		(columns == width || block(smaller, c[width:], a, b[width:], rows, columns-width, n, k, poll))
}

// plain has no tiles.
func plain[T Number](c, a, b []T, rows, columns, n, k int, poll func(products int) bool) bool {
	for i := range rows {
		if !poll(columns * k) {
			return false
		}
		row := c[i*n:][:columns]
		for p, x := range a[i*k:][:k] {
			from := b[p*n:][:len(row)]
			for j := range row {
				row[j] += T(x * from[j]) // the conversion keeps Go from fusing the two, as it does on some processors
			}
		}
	}
	return true
}

// add2x4 is the kernel of tiles of two rows and four columns.
func add2x4[T Number](c, a, b []T, rows, depth, n, k, pitch int) {
	for i := 0; i < rows; i += 2 {
		c0, c1 := c[i*n:][:4], c[(i+1)*n:][:4]
		s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
		s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
		// The lengths are stated so that the loop has few bounds checks.
		a0, a1 := a[i*k:][:depth], a[(i+1)*k:][:depth]
		a1 = a1[:len(a0)]
		for p, x := range a0 {
			row, y := b[p*pitch:][:4:4], a1[p]
			s00 += T(x * row[0])
			s01 += T(x * row[1])
			s02 += T(x * row[2])
			s03 += T(x * row[3])
			s10 += T(y * row[0])
			s11 += T(y * row[1])
			s12 += T(y * row[2])
			s13 += T(y * row[3])
		}
		c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
		c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
	}
}

// portable are the tiles of every processor.
func portable[T Number]() []tile[T] { return []tile[T]{{2, 4, add2x4[T]}} }

// singles and doubles are the tiles of this processor, the largest first.
var singles, doubles = portable[float32](), portable[float64]()

// tiles are those for matrices of T.
func tiles[T Number]() []tile[T] {
	for _, list := range []any{singles, doubles} {
		if list, ok := list.([]tile[T]); ok {
			return list
		}
	}
	return portable[T]()
}
