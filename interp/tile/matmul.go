package tile

// Each kernel adds a·b to c, row-major with rows of n (a: k). Every element of c gets its
// products in the order of k: blocks change the speed, not the result. A kernel whose machine is halted meanwhile stops
// early.

// depth is how many rows of b are worked on at a time, so that a strip of b stays in the cache.
const depth = 256

// mulAdd is the plain loop, for integers.
func mulAdd[T int32 | int64 | float32 | float64](m *machine, c, a, b []T, n, k int) {
	for i := range len(c) / n {
		if !m.poll(n * k) { // before each row: a product may take seconds
			return
		}
		row := c[i*n : (i+1)*n]
		for j := range k {
			x, from := a[i*k+j], b[j*n:][:n]
			for l := range row {
				row[l] += T(x * from[l]) // the conversion keeps the product from being fused
			}
		}
	}
}

// tiled works on 2×4 elements of c at a time, held in registers.
func tiled[T float32 | float64](m *machine, c, a, b []T, n, k int) {
	rows := len(c) / n
	// Tiles have sizes of powers of two, so that only the smallest products take the plain loop.
	if n%4 != 0 || rows%2 != 0 {
		mulAdd(m, c, a, b, n, k)
		return
	}
	var panel [depth * 4]T // four columns of b, packed: the inner loop reads both factors in order
	for lo := 0; lo < k; lo += depth {
		hi := min(lo+depth, k)
		for j := 0; j < n; j += 4 {
			if !m.poll(rows * (hi - lo)) {
				return
			}
			strip := panel[:4*(hi-lo)]
			pack(strip, b[lo*n+j:], n)
			for i := 0; i < rows; i += 2 {
				tile2x4(c[i*n+j:][:4], c[(i+1)*n+j:][:4], a[i*k+lo:i*k+hi], a[(i+1)*k+lo:(i+1)*k+hi], strip)
			}
		}
	}
}

// pack copies four columns of b, one row after the other.
func pack[T any](strip, b []T, n int) {
	for i := 0; i+4 <= len(strip); i += 4 {
		copy(strip[i:i+4], b)
		if len(b) > n {
			b = b[n:]
		}
	}
}

func tile2x4[T float32 | float64](c0, c1, a0, a1, b []T) {
	s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
	s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
	// The lengths are stated so that the loop has no bounds checks.
	a1 = a1[:len(a0)]
	b = b[:4*len(a0)]
	for i, x := range a0 {
		row := b[4*i : 4*i+4 : 4*i+4]
		y := a1[i]
		b0, b1, b2, b3 := row[0], row[1], row[2], row[3]
		// The conversions keep Go from fusing product and sum, as it does on some processors: results are the same on
		// all.
		s00 += T(x * b0)
		s01 += T(x * b1)
		s02 += T(x * b2)
		s03 += T(x * b3)
		s10 += T(y * b0)
		s11 += T(y * b1)
		s12 += T(y * b2)
		s13 += T(y * b3)
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
}
