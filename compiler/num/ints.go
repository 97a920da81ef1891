package num

import "math/bits"

// Each loop is written out: a function value per element would cost ten times the addition.
// N is the integer type of the dtype, S that of its storage; S(N(x)) is canonical because Go
// wraps to N and extends by N's signedness.

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type storage interface{ int32 | int64 }

func addInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(N(x[i] + y[i]))
	}
}

func subInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(N(x[i] - y[i]))
	}
}

func mulInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(N(x[i] * y[i]))
	}
}

func divInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		if b := N(y[i]); b != 0 {
			dst[i] = S(N(x[i]) / b)
		} else {
			dst[i] = 0
		}
	}
}

func remInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		if b := N(y[i]); b != 0 {
			dst[i] = S(N(x[i]) % b)
		} else {
			dst[i] = 0
		}
	}
}

func andInt[S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] & y[i]
	}
}

func orInt[S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] | y[i]
	}
}

func xorInt[S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] ^ y[i]
	}
}

// shlInt shifts to the left. A negative count becomes a huge unsigned one, hence a shift past the width.
func shlInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(N(x[i]) << uint64(y[i]))
	}
}

func shrInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(N(x[i]) >> uint64(y[i]))
	}
}

func minInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(min(N(x[i]), N(y[i])))
	}
}

func maxInt[N integer, S storage](dst, x, y []S) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = S(max(N(x[i]), N(y[i])))
	}
}

func umulhi32(dst, x, y []int32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = int32(uint64(uint32(x[i])) * uint64(uint32(y[i])) >> 32)
	}
}

func umulhi64(dst, x, y []int64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		hi, _ := bits.Mul64(uint64(x[i]), uint64(y[i]))
		dst[i] = int64(hi)
	}
}

func negInt[N integer, S storage](dst, x []S) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = S(-N(x[i]))
	}
}

func notInt[N integer, S storage](dst, x []S) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = S(^N(x[i]))
	}
}

func absInt[N integer, S storage](dst, x []S) {
	x = x[:len(dst)]
	for i := range dst {
		v := N(x[i])
		if v < 0 {
			v = -v
		}
		dst[i] = S(v)
	}
}

func copyOf[T any](dst, x []T) { copy(dst, x[:len(dst)]) }

func fmaInt[N integer, S storage](dst, x, y, z []S) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := range dst {
		dst[i] = S(N(x[i]*y[i] + z[i]))
	}
}

// intBinary lists the kernels that integers of type N stored as S have.
func intBinary[N integer, S storage]() [NumBinaryOps]func(dst, x, y []S) {
	return [NumBinaryOps]func(dst, x, y []S){
		Add: addInt[N, S], Sub: subInt[N, S], Mul: mulInt[N, S],
		Div: divInt[N, S], Rem: remInt[N, S],
		And: andInt[S], Or: orInt[S], Xor: xorInt[S],
		Shl: shlInt[N, S], Shr: shrInt[N, S],
		Min: minInt[N, S], Max: maxInt[N, S], MinNaN: minInt[N, S], MaxNaN: maxInt[N, S],
	}
}

// int1Binary lists the kernels of int1, arithmetic modulo 2.
func int1Binary() [NumBinaryOps]func(dst, x, y []int32) {
	k := intBinary[uint8, int32]()
	k[Add], k[Sub], k[Mul] = xorInt[int32], xorInt[int32], andInt[int32]
	k[Shl] = func(dst, x, y []int32) {
		shlInt[uint8](dst, x, y)
		for i := range dst {
			dst[i] &= 1
		}
	}
	return k
}

func intUnary[N integer, S storage]() [NumUnaryOps]func(dst, x []S) {
	return [NumUnaryOps]func(dst, x []S){Neg: negInt[N, S], Not: notInt[N, S], Abs: absInt[N, S]}
}

// int1Unary: -x is x modulo 2.
func int1Unary() [NumUnaryOps]func(dst, x []int32) {
	return [NumUnaryOps]func(dst, x []int32){
		Neg: copyOf[int32], Abs: copyOf[int32],
		Not: func(dst, x []int32) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = x[i] ^ 1
			}
		},
	}
}

func fmaInt1(dst, x, y, z []int32) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := range dst {
		dst[i] = x[i]&y[i] ^ z[i]
	}
}
