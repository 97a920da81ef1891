package python

import (
	"math"
	"math/big"
	"math/bits"
)

// integerOps are the binary operations of two integers.
var integerOps = map[string]func(a, b Int) (Value, *Error){
	"+": addInt, "-": subInt, "*": mulInt, "/": divInt, "//": floorDivInt, "%": modInt, "**": powInt,
	"<<": shiftLeft, ">>": shiftRight,
	"&": bitwise(func(a, b int64) int64 { return a & b }, (*big.Int).And),
	"|": bitwise(func(a, b int64) int64 { return a | b }, (*big.Int).Or),
	"^": bitwise(func(a, b int64) int64 { return a ^ b }, (*big.Int).Xor),
}

func both(a, b Int) bool { return a.large == nil && b.large == nil }

// fromBig makes a Value of a result.
func fromBig(b *big.Int) (Value, *Error) {
	i, err := NewBig(b)
	if err != nil {
		return nil, err
	}
	return i, nil
}

func addInt(a, b Int) (Value, *Error) {
	if both(a, b) {
		if sum := a.small + b.small; (sum > a.small) == (b.small > 0) {
			return IntValue(sum), nil
		}
	}
	return fromBig(new(big.Int).Add(a.Big(), b.Big()))
}

func subInt(a, b Int) (Value, *Error) {
	if both(a, b) {
		if diff := a.small - b.small; (diff < a.small) == (b.small > 0) {
			return IntValue(diff), nil
		}
	}
	return fromBig(new(big.Int).Sub(a.Big(), b.Big()))
}

func mulInt(a, b Int) (Value, *Error) {
	if both(a, b) {
		hi, lo := bits.Mul64(magnitude(a.small), magnitude(b.small))
		if hi == 0 && lo <= math.MaxInt64 {
			if (a.small < 0) != (b.small < 0) {
				return IntValue(-int64(lo)), nil
			}
			return IntValue(int64(lo)), nil
		}
	}
	return fromBig(new(big.Int).Mul(a.Big(), b.Big()))
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// divInt is true division, correctly rounded.
func divInt(a, b Int) (Value, *Error) {
	if b.Sign() == 0 {
		return nil, zeroDivision("division by zero")
	}
	const exact = 1 << 53
	if both(a, b) && magnitude(a.small) <= exact && magnitude(b.small) <= exact {
		return Float(float64(a.small) / float64(b.small)), nil
	}
	f, _ := new(big.Rat).SetFrac(a.Big(), b.Big()).Float64()
	if a.Sign() == 0 {
		f = math.Copysign(0, float64(b.Sign()))
	}
	if math.IsInf(f, 0) {
		return nil, overflow("integer division result too large for a float")
	}
	return Float(f), nil
}

// divMod divides rounding down; b is not zero.
func divMod(a, b Int) (q, m *big.Int) {
	q, m = new(big.Int).QuoRem(a.Big(), b.Big(), new(big.Int))
	if m.Sign() != 0 && m.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		m.Add(m, b.Big())
	}
	return q, m
}

func floorDivInt(a, b Int) (Value, *Error) {
	if b.Sign() == 0 {
		return nil, zeroDivision("integer division or modulo by zero")
	}
	if both(a, b) && !(a.small == math.MinInt64 && b.small == -1) {
		q := a.small / b.small
		if a.small%b.small != 0 && (a.small < 0) != (b.small < 0) {
			q--
		}
		return IntValue(q), nil
	}
	q, _ := divMod(a, b)
	return fromBig(q)
}

func modInt(a, b Int) (Value, *Error) {
	if b.Sign() == 0 {
		return nil, zeroDivision("integer modulo by zero")
	}
	if both(a, b) && b.small != -1 {
		m := a.small % b.small
		if m != 0 && (m < 0) != (b.small < 0) {
			m += b.small
		}
		return IntValue(m), nil
	}
	_, m := divMod(a, b)
	return fromBig(m)
}

func powInt(a, b Int) (Value, *Error) {
	if b.Sign() < 0 {
		x, err := a.float()
		if err != nil {
			return nil, err
		}
		y, err := b.float()
		if err != nil {
			return nil, err
		}
		return powFloat(x, y)
	}
	if a.bits() > 1 && (b.large != nil || b.small > MaxBits || int64(a.bits()-1)*b.small > MaxBits) {
		return nil, tooLarge()
	}
	if b.large != nil { // a is -1, 0 or 1
		b = NewInt(2 + int64(b.large.Bit(0)))
	}
	return fromBig(new(big.Int).Exp(a.Big(), b.Big(), nil))
}

func shiftLeft(a, b Int) (Value, *Error) {
	switch {
	case b.Sign() < 0:
		return nil, valueError("negative shift count")
	case a.Sign() == 0:
		return a, nil
	case b.large != nil || b.small > MaxBits:
		return nil, tooLarge()
	}
	return fromBig(new(big.Int).Lsh(a.Big(), uint(b.small)))
}

func shiftRight(a, b Int) (Value, *Error) {
	switch {
	case b.Sign() < 0:
		return nil, valueError("negative shift count")
	case b.large != nil || b.small > MaxBits:
		if a.Sign() < 0 {
			return IntValue(-1), nil
		}
		return Int{}, nil
	case a.large == nil:
		return IntValue(a.small >> min(b.small, 63)), nil
	}
	return fromBig(new(big.Int).Rsh(a.large, uint(b.small)))
}

func bitwise(small func(a, b int64) int64, large func(z, a, b *big.Int) *big.Int) func(a, b Int) (Value, *Error) {
	return func(a, b Int) (Value, *Error) {
		if both(a, b) {
			return IntValue(small(a.small, b.small)), nil
		}
		return fromBig(large(new(big.Int), a.Big(), b.Big()))
	}
}

// IntOperation is a binary operator of two integers by its symbol, nil where they have none.
func IntOperation(op string) func(a, b Int) (Value, *Error) { return integerOps[op] }

// Compare is -1, 0 or 1.
func (a Int) Compare(b Int) int {
	if both(a, b) {
		switch {
		case a.small < b.small:
			return -1
		case a.small > b.small:
			return 1
		}
		return 0
	}
	return a.Big().Cmp(b.Big())
}

// compareIntFloat compares exactly; f is not NaN.
func compareIntFloat(i Int, f float64) int {
	if math.IsInf(f, 0) {
		return -int(math.Copysign(1, f))
	}
	return new(big.Rat).SetInt(i.Big()).Cmp(new(big.Rat).SetFloat64(f))
}
