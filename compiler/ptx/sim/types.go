package sim

// lanes is one value in each of a warp's threads: the register's bits, zero-extended.
type lanes [warpSize]uint64

const (
	warpSize = 32
	full     = ^uint32(0)
)

type kind uint8

const (
	kindBits kind = iota
	kindUnsigned
	kindSigned
	kindFloat
	kindPred
)

// typ is a PTX type. A packed type has two elements, each of type half; a narrow float that has no
// register type of its own lives in a .b register.
type typ struct {
	name   string
	kind   kind
	bits   int
	format *format // floats
	half   *typ    // packed types
	native bool    // a .f register may hold it
}

func (t *typ) bytes() int     { return t.bits / 8 }
func (t *typ) isFloat() bool  { return t.kind == kindFloat }
func (t *typ) signed() bool   { return t.kind == kindSigned }
func (t *typ) mask() uint64   { return maskBits(t.bits) }
func maskBits(n int) uint64   { return ^uint64(0) >> (64 - n) }
func truth(b bool) uint64     { return uint64(b2i(b)) }
func signBit(bits int) uint64 { return 1 << (bits - 1) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// extend sign-extends the low bits of v.
func extend(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

var types = makeTypes()

func makeTypes() map[string]*typ {
	m := map[string]*typ{"pred": {name: "pred", kind: kindPred, bits: 1}}
	for bits, name := range map[int]string{8: "8", 16: "16", 32: "32", 64: "64"} {
		m["b"+name] = &typ{name: "b" + name, kind: kindBits, bits: bits}
		m["u"+name] = &typ{name: "u" + name, kind: kindUnsigned, bits: bits}
		m["s"+name] = &typ{name: "s" + name, kind: kindSigned, bits: bits}
	}
	for _, f := range []*format{f64, f32, tf32, f16, bf16, e4m3, e5m2} {
		native := f == f32 || f == f64 || f == f16
		m[f.name] = &typ{name: f.name, kind: kindFloat, bits: f.storage, format: f, native: native}
	}
	for _, name := range []string{"f16", "bf16", "e4m3", "e5m2"} {
		h := m[name]
		m[name+"x2"] = &typ{name: name + "x2", kind: kindFloat, bits: 2 * h.bits, half: h}
	}
	return m
}

// agrees says whether a register declared as reg may stand where an instruction of type t reads or
// writes, by the ISA's table: equal sizes; untyped bits agree with all, integers with each other.
func (t *typ) agrees(reg *typ) bool {
	if t.kind == kindPred || reg.kind == kindPred {
		return t.kind == reg.kind
	}
	return t.bits == reg.bits && t.sameClass(reg)
}

// fits is agrees for ld, st and cvt, whose registers may be wider than the type.
func (t *typ) fits(reg *typ) bool {
	if t.kind == kindPred || reg.kind == kindPred || t.bits > reg.bits {
		return false
	}
	if t.bits < reg.bits && (t.isFloat() || reg.isFloat()) {
		return reg.kind == kindBits && t.isFloat() || t.kind == kindBits && !reg.isFloat()
	}
	return t.sameClass(reg)
}

func (t *typ) sameClass(reg *typ) bool {
	switch {
	case t.kind == kindBits || reg.kind == kindBits:
		return true
	case t.isFloat():
		return reg.isFloat() && t.native
	default:
		return !reg.isFloat()
	}
}
