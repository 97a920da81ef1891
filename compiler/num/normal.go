package num

import "math"

// BoxMuller makes pairs of samples of the standard normal distribution, radius·cosine and radius·sine, of samples of
// the uniform one in [0, 1), those of u for the radius, by Box and Muller's method. They are those of torch's x86
// builds, with the logarithm, sine and cosine of the Cephes library in fp32, where the compiler has fused
// multiplications and additions: the order of the operations is what makes the bits.
func BoxMuller(cosines, sines, u, v []float32) {
	n := runOver(loopBoxMuller, cosines, sines, u, v)
	for i, x := range u {
		if i < n && cosines[i] == cosines[i] { // it is NaN where vectors have left it
			continue
		}
		radius := float32(math.Sqrt(float64(float32(-2 * cephesLog(1-x)))))
		sin, cos := cephesSinCos(float32(float32(2*math.Pi) * v[i]))
		cosines[i], sines[i] = float32(radius*cos), float32(radius*sin)
	}
}

// cephesLog is logf of a positive x.
func cephesLog(x float32) float32 {
	const sqrtHalf = 0.707106781186547524
	// x = m·2^e with m in [sqrt(1/2), sqrt(2)), then Cephes' polynomial in m-1.
	bits := math.Float32bits(max(x, 0x1p-126))
	e := float32(int32(bits>>23)-0x7f) + 1
	x = math.Float32frombits(bits&^0x7f800000 | 0x3f000000)
	if x < sqrtHalf {
		e--
		x = (x - 1) + x
	} else {
		x--
	}
	z := float32(x * x)
	y := Fma32(7.0376836292e-2, x, -1.1514610310e-1)
	y = Fma32(y, x, 1.1676998740e-1)
	y = Fma32(y, x, -1.2420140846e-1)
	y = Fma32(y, x, 1.4249322787e-1)
	y = Fma32(y, x, -1.6668057665e-1)
	y = Fma32(y, x, 2.0000714765e-1)
	y = Fma32(y, x, -2.4999993993e-1)
	y = Fma32(y, x, 3.3333331174e-1)
	y = float32(y * x)
	y = Fma32(y, z, float32(e*-2.12194440e-4))
	y = Fma32(-z, 0.5, y)
	return Fma32(e, 0.693359375, x+y)
}

// cephesSinCos is sinf and cosf of x in [0, 2π].
func cephesSinCos(x float32) (sin, cos float32) {
	octant := (int32(float32(x*1.27323954473516)) + 1) &^ 1
	y := float32(octant)
	// Cody and Waite: π/4 in three parts, of which the products with small integers are exact.
	x = Fma32(y, -0.78515625, x)
	x = Fma32(y, -2.4187564849853515625e-4, x)
	x = Fma32(y, -3.77489497744594108e-8, x)
	z := float32(x * x)
	c := Fma32(Fma32(2.443315711809948e-5, z, -1.388731625493765e-3), z, 4.166664568298827e-2)
	c = float32(c * z)
	c = Fma32(c, z, -float32(z*0.5)) + 1
	s := Fma32(Fma32(-1.9515295891e-4, z, 8.3321608736e-3), z, -1.6666654611e-1)
	s = Fma32(float32(s*z), x, x)
	if octant&2 != 0 {
		s, c = c, s
	}
	if octant&4 != 0 {
		s = -s
	}
	if (octant-2)&4 == 0 {
		c = -c
	}
	return s, c
}
