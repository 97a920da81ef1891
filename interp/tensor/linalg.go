package tensor

import (
	"cmp"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// linalgOps are torch.linalg's, and those of their namesakes that torch has, too.
func linalgOps() []Op {
	return []Op{
		{Name: "norm", grad: gradNamed("LinalgVectorNormBackward0"), Where: InLinalg, called: "linalg_norm",
			Signature: "input: Tensor, ord: any = None, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None",
			run: func(c *Context, a args) any {
				t := toDType(c, a.tensor(0), a.dtype(4, a.tensor(0).dtype))
				if dims := a.ints(2); a.has(1) && (len(dims) == 2 || !a.has(2) && len(t.shape) == 2) {
					return matrixNorm(c, t, a[1], append(dims, -2, -1)[:2], a.bool(3))
				}
				return vectorNorm(c, t, a[1], a.ints(2), a.bool(3))
			}},
		{Name: "vector_norm", grad: gradNamed("LinalgVectorNormBackward0"), Where: InLinalg,
			Signature: "x: Tensor, ord: any = 2, dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None",
			run: func(c *Context, a args) any {
				return vectorNorm(c, toDType(c, a.tensor(0), a.dtype(4, a.tensor(0).dtype)), a[1], a.ints(2), a.bool(3))
			}},
		{Name: "matrix_norm", Where: InLinalg,
			Signature: "A: Tensor, ord: any = 'fro', dim: ints? = None, keepdim: bool = False, *, dtype: dtype? = None",
			run: func(c *Context, a args) any {
				dims := append(a.ints(2), -2, -1)[:2]
				return matrixNorm(c, toDType(c, a.tensor(0), a.dtype(4, a.tensor(0).dtype)), a[1], dims, a.bool(3))
			}},
		{Name: "inv", Where: InLinalg, called: "linalg.inv", grad: gradNamed("LinalgInvExBackward0"),
			Signature: "A: Tensor",
			run:       func(c *Context, a args) any { return inverse(c, "linalg.inv", a.tensor(0)) }},
		{Name: "inverse", Where: everywhere, Signature: "input: Tensor", grad: gradNamed("LinalgInvExBackward0"),
			run: func(c *Context, a args) any { return inverse(c, "linalg.inv", a.tensor(0)) }},
		{Name: "solve", Where: InLinalg, grad: gradNamed("LinalgSolveExBackward0"),
			Signature: "A: Tensor, B: Tensor, *, left: bool = True",
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				if !a.bool(2) {
					return transpose(c, solve(c, transpose(c, x, -1, -2), transpose(c, y, -1, -2)), -1, -2)
				}
				if len(y.shape) == 1 || len(y.shape) == len(x.shape)-1 && equalShapes(y.shape, x.shape[:len(x.shape)-1]) {
					return squeeze(c, solve(c, x, unsqueeze(c, y, -1)), []int{-1}, false)
				}
				return solve(c, x, y)
			}},
		{Name: "det", Where: everywhere | InLinalg, Signature: "A: Tensor", grad: gradNamed("LinalgDetBackward0"),
			run: func(c *Context, a args) any { return determinant(c, a.tensor(0)) }},
		slogdet(everywhere, "slogdet"), slogdet(InLinalg, "linalg_slogdet"),
		{Name: "logdet", Where: everywhere, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return applyUnary(c, "log", determinant(c, a.tensor(0))) }},
		{Name: "qr", Where: InLinalg, Signature: "A: Tensor, mode: str = 'reduced'",
			run: func(c *Context, a args) any {
				q, r := householder(c, a.tensor(0), a.str(1) == "complete")
				return Named{"linalg_qr", []string{"Q", "R"}, []*Tensor{q, r}}
			}},
		{Name: "qr", Where: everywhere, Signature: "input: Tensor, some: bool = True",
			run: func(c *Context, a args) any {
				q, r := householder(c, a.tensor(0), !a.bool(1))
				return Named{"qr", []string{"Q", "R"}, []*Tensor{q, r}}
			}},
		{Name: "cholesky", Where: everywhere | InLinalg, Signature: "A: Tensor, *, upper: bool = False",
			run: func(c *Context, a args) any {
				low := cholesky(c, a.tensor(0))
				if a.bool(1) {
					return transpose(c, low, -1, -2)
				}
				return low
			}},
		{Name: "svdvals", Where: InLinalg, Signature: "A: Tensor",
			run: func(c *Context, a args) any { _, s, _ := singular(c, a.tensor(0)); return s }},
		{Name: "svd", Where: InLinalg, Signature: "A: Tensor, full_matrices: bool = True",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				if n := len(t.shape); a.bool(1) && n >= 2 && t.shape[n-1] != t.shape[n-2] {
					lack("NotImplementedError", "torch.linalg.svd(…, full_matrices=True) of a matrix that is not square")
				}
				u, s, v := singular(c, t)
				return Named{"linalg_svd", []string{"U", "S", "Vh"}, []*Tensor{u, s, transpose(c, v, -1, -2)}}
			}},
		{Name: "matrix_rank", Where: InLinalg, Signature: "A: Tensor, *, tol: float? = None",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				_, s, _ := singular(c, t)
				limit := applyBinaryNumber(c, "mul", reduceExtreme(c, s, "amax", []int{-1}, true),
					float64(max(t.shape[len(t.shape)-1], t.shape[len(t.shape)-2]))*epsilon(t.dtype))
				if a.has(1) {
					limit = full(c, nil, a.float(1), t.dtype)
				}
				return reduceSum(c, applyBinary(c, "gt", operand{s, false}, operand{limit, false}), []int{-1}, false)
			}},
		{Name: "matmul", Where: InLinalg, grad: gradOfMatmul, Signature: "input: Tensor, other: Tensor",
			run: func(c *Context, a args) any { return matmul(c, a.tensor(0), a.tensor(1)) }},
		{Name: "multi_dot", Where: InLinalg, Signature: "tensors: Tensors", run: func(c *Context, a args) any {
			if len(a.tensors(0)) < 2 {
				runtimeError("multi_dot(): expected at least 2 tensors but got %d", len(a.tensors(0)))
			}
			out := a.tensors(0)[0]
			for _, t := range a.tensors(0)[1:] {
				out = matmul(c, out, t)
			}
			return out
		}},
		{Name: "vecdot", Where: InLinalg, Signature: "x: Tensor, y: Tensor, *, dim: int = -1",
			run: func(c *Context, a args) any {
				return reduceSum(c, mul(c, a.tensor(0), a.tensor(1)), []int{a.int(2)}, false)
			}},
	}
}

// slogdet is a row for the sign and the logarithm of a determinant, whose result has a type of its own.
func slogdet(where Where, result string) Op {
	return Op{Name: "slogdet", Where: where, Signature: "A: Tensor", run: func(c *Context, a args) any {
		sign, log := signAndLog(c, a.tensor(0))
		return Named{result, []string{"sign", "logabsdet"}, []*Tensor{sign, log}}
	}}
}

// epsilon is the distance of 1 to the next value of a dtype.
func epsilon(d num.DType) float64 {
	return map[num.DType]float64{num.Float16: 0x1p-10, num.BFloat16: 0x1p-7, num.Float64: 0x1p-52}[d] +
		map[bool]float64{true: 0x1p-23}[d == num.Float32]
}

func vectorNorm(c *Context, t *Tensor, ord any, dims []int, keep bool) *Tensor {
	p, ok := takeNumber(ord)
	if !ok && ord != nil {
		runtimeError("linalg.vector_norm: ord must be a number")
	}
	if ord == nil {
		p = 2.0
	}
	if !t.isFloat() {
		runtimeError("linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s",
			legacyNames[t.dtype])
	}
	return norm(c, t, toFloat(p), dims, keep)
}

// matrixNorm is a norm of the matrices in two dimensions: of all elements ('fro'), of the singular values ('nuc', 2,
// −2), or the extreme sum of the columns' or the rows' sizes (1, −1, inf, −inf).
func matrixNorm(c *Context, t *Tensor, ord any, dims []int, keep bool) *Tensor {
	if ord == "fro" {
		return norm(c, t, 2, dims, keep)
	}
	dims = axes(dims, len(t.shape))
	last := movedim(c, t, dims, []int{-2, -1})
	finish := func(v *Tensor) *Tensor {
		if !keep {
			return v
		}
		return movedim(c, unsqueeze(c, unsqueeze(c, v, -1), -1), []int{-2, -1}, dims)
	}
	p, isNumber := takeNumber(ord)
	switch order := toFloat(p); {
	case ord == "nuc":
		_, s, _ := singular(c, last)
		return finish(reduceSum(c, s, []int{-1}, false))
	case isNumber && math.Abs(order) == 2:
		_, s, _ := singular(c, last)
		return finish(reduceExtreme(c, s, word(order > 0, "amax", "amin"), []int{-1}, false))
	case isNumber && (math.Abs(order) == 1 || math.IsInf(order, 0)):
		dim := -1 // infinity sums rows
		if math.Abs(order) == 1 {
			dim = -2
		}
		sums := reduceSum(c, applyUnary(c, "abs", last), []int{dim}, false)
		return finish(reduceExtreme(c, sums, word(order > 0, "amax", "amin"), []int{-1}, false))
	}
	runtimeError("linalg.matrix_norm: Order %v not supported.", ord)
	return nil
}

// matrix is one matrix of a batch in row-major order.
type matrix struct {
	rows, columns int
	at            []float64
	poll          func() // ends the operation if it is to stop
}

func newMatrix(rows, columns int) matrix {
	return matrix{rows, columns, make([]float64, rows*columns), func() {}}
}

func (m matrix) row(i int) []float64 { return m.at[i*m.columns:][:m.columns] }

// eachMatrix calls f with every matrix of t, which may be changed.
func eachMatrix(name string, t *Tensor, f func(i int, m matrix)) {
	needMatrix(name, t)
	n := len(t.shape)
	rows, columns := t.shape[n-2], t.shape[n-1]
	values := t.Floats()
	for i := range (layout{shape: t.shape[:n-2]}).numel() {
		f(i, matrix{rows, columns, values[i*rows*columns:][:rows*columns], t.storage.of.poll})
	}
}

func needMatrix(name string, t *Tensor) {
	if len(t.shape) < 2 {
		runtimeError("%s: The input tensor A must have at least 2 dimensions.", name)
	}
	if !t.isFloat() {
		runtimeError("%s: Expected a floating point or complex tensor as input. Got %s", name, legacyNames[t.dtype])
	}
	if t.dtype != num.Float32 && t.dtype != num.Float64 {
		runtimeError("%s: Low precision dtypes not supported. Got %s", name, legacyNames[t.dtype])
	}
}

func needSquare(name string, t *Tensor) {
	needMatrix(name, t)
	if n := len(t.shape); t.shape[n-1] != t.shape[n-2] {
		runtimeError("%s: A must be batches of square matrices, but they are %d by %d matrices", name, t.shape[n-2],
			t.shape[n-1])
	}
}

// eliminate brings a to upper triangular form by Gauss' method with partial pivoting, does the same to the rows of b,
// and gives the sign of the rows' permutation: 0 where a is singular.
func eliminate(a, b matrix) (sign float64) {
	sign = 1
	for k := range a.rows {
		a.poll()
		pivot := k
		for i := k + 1; i < a.rows; i++ {
			if math.Abs(a.row(i)[k]) > math.Abs(a.row(pivot)[k]) {
				pivot = i
			}
		}
		if a.row(pivot)[k] == 0 {
			return 0
		}
		if pivot != k {
			for _, m := range []matrix{a, b} {
				for j := range m.columns {
					m.row(k)[j], m.row(pivot)[j] = m.row(pivot)[j], m.row(k)[j]
				}
			}
			sign = -sign
		}
		for i := k + 1; i < a.rows; i++ {
			factor := a.row(i)[k] / a.row(k)[k]
			subtract(a.row(i)[k:], a.row(k)[k:], factor)
			if b.columns > 0 {
				subtract(b.row(i), b.row(k), factor)
			}
		}
	}
	return sign
}

// subtract takes factor times the elements of y from those of x.
func subtract(x, y []float64, factor float64) {
	y = y[:len(x)]
	for i := range x {
		x[i] -= float64(factor * y[i])
	}
}

// solve is x with a·x = b, for batches that broadcast.
func solve(c *Context, a, b *Tensor) *Tensor {
	needSquare("linalg.solve", a)
	n, k := len(a.shape), len(b.shape)
	if k < 2 || b.shape[k-2] != a.shape[n-1] {
		runtimeError("linalg.solve: Incompatible shapes of A and B for the equation AX = B (%s and %s)",
			timesText(a.shape[n-2:]), timesText(b.shape[max(k-2, 0):]))
	}
	batch := broadcastShapes(a.shape[:n-2], b.shape[:k-2])
	as := expand(c, a, slices.Concat(batch, a.shape[n-2:]))
	bs := expand(c, b, slices.Concat(batch, b.shape[k-2:]))
	right := bs.Floats()
	size := b.shape[k-2] * b.shape[k-1]
	eachMatrix("linalg.solve", as, func(i int, m matrix) {
		y := matrix{b.shape[k-2], b.shape[k-1], right[i*size:][:size], m.poll}
		if eliminate(m, y) == 0 {
			raise("LinAlgError", "torch.linalg.solve: The solver failed because the input matrix is singular.")
		}
		// Substitution from the last row up.
		for r := m.rows - 1; r >= 0; r-- {
			m.poll()
			for s := r + 1; s < m.rows; s++ {
				subtract(y.row(r), y.row(s), m.row(r)[s])
			}
			for j := range y.columns {
				y.row(r)[j] /= m.row(r)[r]
			}
		}
	})
	out := c.alloc(a.dtype, bs.shape...)
	out.setFloats(right)
	return c.record(out, "linalg_solve_ex", []*Tensor{as, bs}, func(g *Tensor) []*Tensor {
		// b̄ = a⁻ᵀ·x̄ and ā = −b̄·xᵀ (Giles, Collected matrix derivative results, 2008)
		gb := solve(c, transpose(c, as.detach(), -1, -2), g)
		return []*Tensor{applyUnary(c, "neg", matmul(c, gb, transpose(c, out.detach(), -1, -2))), gb}
	})
}

func inverse(c *Context, name string, t *Tensor) *Tensor {
	needSquare(name, t)
	n := t.shape[len(t.shape)-1]
	unit := c.alloc(t.dtype, n, n)
	diagonal(c, unit, 0, 0, 1).fill(int64(1))
	eachMatrix(name, t, func(i int, m matrix) {
		if eliminate(m, matrix{}) == 0 {
			raise("LinAlgError", "%s: The diagonal element %d is zero, the inversion could not be completed "+
				"because the "+
				"input matrix is singular.", name, zeroPivot(m))
		}
	})
	return solve(c, t, unit)
}

// zeroPivot is the first diagonal element of an eliminated matrix that is zero, counted from 1.
func zeroPivot(m matrix) int {
	for i := range m.rows {
		if m.row(i)[i] == 0 {
			return i + 1
		}
	}
	return m.rows
}

// signAndLog are the sign of each determinant and the logarithm of its size.
func signAndLog(c *Context, t *Tensor) (sign, log *Tensor) {
	needSquare("linalg.slogdet", t)
	var signs, logs []float64
	eachMatrix("linalg.slogdet", t, func(_ int, m matrix) {
		s, sum := eliminate(m, matrix{}), 0.0
		for i := range m.rows {
			s *= choose(s == 0, 1, math.Copysign(1, m.row(i)[i]))
			sum += math.Log(math.Abs(m.row(i)[i]))
		}
		signs, logs = append(signs, s), append(logs, choose(s == 0, math.Inf(-1), sum))
	})
	shape := t.shape[:len(t.shape)-2]
	sign, log = c.alloc(t.dtype, shape...), c.alloc(t.dtype, shape...)
	sign.setFloats(signs)
	log.setFloats(logs)
	c.record(log, "linalg_slogdet", []*Tensor{t}, func(g *Tensor) []*Tensor {
		by := unsqueeze(c, unsqueeze(c, g, -1), -1)
		return []*Tensor{mul(c, by, transpose(c, inverse(c, "linalg.inv", t.detach()), -1, -2))}
	})
	return sign, log
}

func determinant(c *Context, t *Tensor) *Tensor {
	needSquare("linalg.det", t)
	var values []float64
	eachMatrix("linalg.det", t, func(_ int, m matrix) {
		product := eliminate(m, matrix{})
		for i := range m.rows {
			product *= m.row(i)[i]
		}
		values = append(values, product)
	})
	out := c.alloc(t.dtype, t.shape[:len(t.shape)-2]...)
	out.setFloats(values)
	return c.record(out, "linalg_det", []*Tensor{t}, func(g *Tensor) []*Tensor {
		// Ā = ā·det A·A⁻ᵀ
		by := unsqueeze(c, unsqueeze(c, mul(c, g, out.detach()), -1), -1)
		return []*Tensor{mul(c, by, transpose(c, inverse(c, "linalg.inv", t.detach()), -1, -2))}
	})
}

// refuseGradient refuses an operation on a tensor that requires a gradient, for want of its derivative.
func (c *Context) refuseGradient(name string, t *Tensor) {
	if c.GradEnabled && t.graphNode() != nil {
		lack("RuntimeError", "the derivative of torch.%s", name)
	}
}

// householder is the QR factorization by reflections, with LAPACK's signs (geqr2, org2r).
func householder(c *Context, t *Tensor, complete bool) (q, r *Tensor) {
	c.refuseGradient("linalg.qr", t)
	needMatrix("linalg.qr", t)
	n := len(t.shape)
	rows, columns := t.shape[n-2], t.shape[n-1]
	inner := min(rows, columns)
	wide := inner
	if complete {
		wide = rows
	}
	var qs, rs []float64
	eachMatrix("linalg.qr", t, func(_ int, m matrix) {
		tau := make([]float64, inner)
		for k := range inner {
			tau[k] = reflect(m, k)
		}
		basis := newMatrix(rows, wide)
		for i := range wide {
			basis.row(i)[i] = 1
		}
		for k := inner - 1; k >= 0; k-- {
			applyReflection(m, k, tau[k], basis, k+1)
			basis.row(k)[k] = 1 - tau[k] // column k was that of the unit matrix
			for i := k + 1; i < rows; i++ {
				basis.row(i)[k] = -tau[k] * m.row(i)[k]
			}
		}
		top := newMatrix(wide, columns)
		for i := range wide {
			if i < rows {
				copy(top.row(i)[min(i, columns):], m.row(i)[min(i, columns):])
			}
		}
		qs, rs = append(qs, basis.at...), append(rs, top.at...)
	})
	q = c.alloc(t.dtype, append(slices.Clone(t.shape[:n-2]), rows, wide)...)
	r = c.alloc(t.dtype, append(slices.Clone(t.shape[:n-2]), wide, columns)...)
	q.setFloats(qs)
	r.setFloats(rs)
	return q, r
}

// reflect makes the reflection I − τ·v·vᵀ that clears column k of m below its diagonal, leaves v there (its first
// element, 1, is not stored), and applies it to the columns behind.
func reflect(m matrix, k int) (tau float64) {
	below := 0.0
	for i := k + 1; i < m.rows; i++ {
		below += m.row(i)[k] * m.row(i)[k]
	}
	if below == 0 { // nothing to clear: LAPACK leaves the column as it is
		return 0
	}
	alpha := m.row(k)[k]
	beta := -math.Copysign(math.Sqrt(alpha*alpha+below), alpha)
	tau = (beta - alpha) / beta
	for i := k + 1; i < m.rows; i++ {
		m.row(i)[k] /= alpha - beta
	}
	m.row(k)[k] = beta
	applyReflection(m, k, tau, m, k+1)
	return tau
}

// applyReflection applies the reflection that column k of m holds to the columns of to from first on.
func applyReflection(m matrix, k int, tau float64, to matrix, first int) {
	for j := first; j < to.columns; j++ {
		m.poll()
		dot := to.row(k)[j]
		for i := k + 1; i < m.rows; i++ {
			dot += m.row(i)[k] * to.row(i)[j]
		}
		to.row(k)[j] -= tau * dot
		for i := k + 1; i < m.rows; i++ {
			to.row(i)[j] -= tau * dot * m.row(i)[k]
		}
	}
}

// cholesky is the lower triangular matrix whose product with its transpose is t.
func cholesky(c *Context, t *Tensor) *Tensor {
	c.refuseGradient("linalg.cholesky", t)
	needSquare("linalg.cholesky", t)
	var values []float64
	eachMatrix("linalg.cholesky", t, func(_ int, m matrix) {
		low := newMatrix(m.rows, m.columns)
		for i := range m.rows {
			for j := range i + 1 {
				m.poll()
				sum := m.row(i)[j]
				for k := range j {
					sum -= low.row(i)[k] * low.row(j)[k]
				}
				switch {
				case i == j && !(sum > 0):
					raise("LinAlgError", "linalg.cholesky: The factorization could not be completed because the "+
						"input is not "+
						"positive-definite (the leading minor of order %d is not positive-definite).", i+1)
				case i == j:
					low.row(i)[j] = math.Sqrt(sum)
				default:
					low.row(i)[j] = sum / low.row(j)[j]
				}
			}
		}
		values = append(values, low.at...)
	})
	out := c.alloc(t.dtype, t.shape...)
	out.setFloats(values)
	return out
}

// singular is the thin singular value decomposition t = u·diag(s)·vᵀ by one-sided Jacobi rotations (Golub and Van Loan,
// 8.6.3), the values in descending order. The signs of the vectors are those that the rotations leave, which may differ
// from LAPACK's.
func singular(c *Context, t *Tensor) (u, s, v *Tensor) {
	c.refuseGradient("linalg.svd", t)
	needMatrix("linalg.svd", t)
	n := len(t.shape)
	if t.shape[n-2] < t.shape[n-1] { // the rotations work on columns, of which there must not be more
		v, s, u = singular(c, transpose(c, t, -1, -2))
		return u, s, v
	}
	rows, columns := t.shape[n-2], t.shape[n-1]
	var us, ss, vs []float64
	eachMatrix("linalg.svd", t, func(_ int, m matrix) {
		right := newMatrix(columns, columns)
		for i := range columns {
			right.row(i)[i] = 1
		}
		for sweep := 0; sweep < 60 && rotateColumns(m, right); sweep++ {
		}
		sizes, order := make([]float64, columns), make([]int, columns)
		for j := range columns {
			sum := 0.0
			for i := range rows {
				sum += m.row(i)[j] * m.row(i)[j]
			}
			sizes[j], order[j] = math.Sqrt(sum), j
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(sizes[j], sizes[i]) })
		left, ordered := newMatrix(rows, columns), newMatrix(columns, columns)
		for k, j := range order {
			ss = append(ss, sizes[j])
			for i := range rows {
				left.row(i)[k] = choose(sizes[j] > 0, m.row(i)[j]/sizes[j], 0)
			}
			for i := range columns {
				ordered.row(i)[k] = right.row(i)[j]
			}
		}
		us, vs = append(us, left.at...), append(vs, ordered.at...)
	})
	batch := t.shape[:n-2]
	u = c.alloc(t.dtype, append(slices.Clone(batch), rows, columns)...)
	s = c.alloc(t.dtype, append(slices.Clone(batch), columns)...)
	v = c.alloc(t.dtype, append(slices.Clone(batch), columns, columns)...)
	u.setFloats(us)
	s.setFloats(ss)
	v.setFloats(vs)
	return u, s, v
}

// rotateColumns makes each pair of columns orthogonal once, and reports whether one was not.
func rotateColumns(m, right matrix) (rotated bool) {
	for p := range m.columns {
		for q := p + 1; q < m.columns; q++ {
			m.poll()
			var pp, qq, pq float64
			for i := range m.rows {
				x, y := m.row(i)[p], m.row(i)[q]
				pp, qq, pq = pp+x*x, qq+y*y, pq+x*y
			}
			if math.Abs(pq) <= 0x1p-50*math.Sqrt(pp*qq) {
				continue
			}
			rotated = true
			// The smaller root of t² + 2ζt − 1 = 0 is the tangent of the angle.
			zeta := (qq - pp) / (2 * pq)
			t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
			cos := 1 / math.Hypot(1, t)
			sin := cos * t
			for _, of := range []matrix{m, right} {
				for i := range of.rows {
					x, y := of.row(i)[p], of.row(i)[q]
					of.row(i)[p], of.row(i)[q] = cos*x-sin*y, sin*x+cos*y
				}
			}
		}
	}
	return rotated
}
