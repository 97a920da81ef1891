package vectorgen

import "fmt"

// neon has the registers V0 to V31, of which the last two are not given away.
var neon = target{
	processor: processor{bytes: 16, saturates: true}, registers: 30, integers: 16, write: (*text).arm64,
	dispatch: []string{"MOVD f+0(FP), R0", "MOVD $%s<>(SB), R1", "MOVD (R1)(R0<<3), R1", "JMP (R1)"},
}

// neonCodes are instructions that Go's assembler has no names for: the numbers of registers are added, that of the
// result at bit 0, of the first operand at bit 5 and of the second one at bit 16 (Arm Architecture Reference Manual,
// C7.2).
var neonCodes = [...]uint32{
	addF32: 0x4e20d400, subF32: 0x4ea0d400, mulF32: 0x6e20dc00, divF32: 0x6e20fc00, sqrtF32: 0x6ea1f800,
	gtF32: 0x6ea0e400, geF32: 0x6e20e400, eqF32: 0x4e20e400,
	addF64: 0x4e60d400, subF64: 0x4ee0d400, mulF64: 0x6e60dc00, divF64: 0x6e60fc00, sqrtF64: 0x6ee1f800, gtF64: 0x6ee0e400,
	addI32: 0x4ea08400, subI32: 0x6ea08400, mulI32: 0x4ea09c00, gtI32: 0x4ea03400, eqI32: 0x6ea08c00,
	addI64: 0x4ee08400, subI64: 0x6ee08400, mulU32: 0x2ea0c000, and: 0x4e201c00, or: 0x4ea01c00, xor: 0x6e201c00, andNot: 0x4e601c00,
	i32ToF32: 0x4e21d800, f32ToI32: 0x4ea1b800, even: 0x4e801800, odd: 0x4e805800,
	// Bits of the result choose between operands.
	choose: 0x6e601c00,
	// With a number at bit 16 that says how far and how wide lanes are.
	shlI32: 0x4f005400, shrI32: 0x6f000400, shlI64: 0x4f005400, shrI64: 0x6f000400,
	loadHalves: 0x2f10a400, loadSingles: 0x0e617800, storeHalves: 0x0e612800, storeSingles: 0x0e616800,
}

// neonLowerHalves packs the lower halves of lanes of 64 bits.
const neonLowerHalves = 0x0ea12800

// arm64 writes instructions. R19 is free for what one of them needs.
func (t *text) arm64(code []instruction) {
	for _, i := range code {
		to, a, b := i.to, i.a, i.b
		at, other := i.integers[0], i.integers[1]
		memory := fmt.Sprintf("%d(R%d)", i.immediate, at)
		word := func(o operation, to, a, b vector) {
			t.line("WORD $%#08x", neonCodes[o]|uint32(b)<<16|uint32(a)<<5|uint32(to))
		}
		lanes := map[int]string{4: "S4", 8: "D2"}[i.size]
		switch o := i.operation; o {
		default:
			if o.unary() {
				b = 0
			}
			word(o, to, a, b)
		case singleF64:
			word(storeSingles, to, a, 0)
			word(loadSingles, to, to, 0)
		case shlI32:
			word(o, to, a, vector(32+i.immediate))
		case shrI32:
			word(o, to, a, vector(64-i.immediate))
		case shlI64:
			word(o, to, a, vector(64+i.immediate))
		case shrI64:
			word(o, to, a, vector(128-i.immediate))
		case mulU32:
			for k, v := range []vector{a, b} {
				t.line("WORD $%#08x", neonLowerHalves|uint32(v)<<5|uint32(30+k))
			}
			word(o, to, 30, 31)
		case choose: // the result lies beside the operands
			word(or, to, i.c, i.c)
			word(o, to, a, b)
		case constant:
			t.line("MOVD $%d, R19", i.immediate)
			t.line("VDUP R19, V%d.%s", to, lanes)
		case argument:
			t.line("MOVD %s+%d(FP), R19", i.name, 8*i.size)
			t.line("VDUP R19, V%d.D2", to)
		case load:
			t.line("FMOVQ %s, F%d", memory, to)
		case loadSplat:
			t.line("ADD $%d, R%d, R19", i.immediate, at)
			t.line("VLD1R (R19), [V%d.%s]", to, lanes)
		case loadHalves, loadSingles:
			t.line("FMOVD %s, F%d", memory, to)
			word(o, to, to, 0)
		case lookUp:
			for lane := range 2 {
				t.line("VMOV V%d.D[%d], R19", a, lane)
				t.line("MOVD (R%d)(R19<<3), R19", at)
				t.line("VMOV R19, V%d.D[%d]", to, lane)
			}
		case store:
			t.line("FMOVQ F%d, %s", a, memory)
		case storeHalves, storeSingles:
			word(o, a, a, 0)
			t.line("FMOVD F%d, %s", a, memory)
		case integerArgument:
			t.line("MOVD %s+%d(FP), R%d", i.name, 8*i.size, at)
		case integerResult:
			t.line("MOVD R%d, %s+%d(FP)", at, i.name, 8*i.size)
		case integerAdd:
			t.line("ADD R%d, R%d", at, other)
		case integerAddConstant:
			t.line("ADD $%d, R%d", i.immediate, at)
		case integerAnd:
			t.line("AND $%d, R%d", i.immediate, at)
		case integerShift:
			t.line("LSL $%d, R%d", i.immediate, at)
		case integerCopy:
			t.line("MOVD R%d, R%d", at, other)
		case skip:
			t.line("CBZ R%d, end%d", at, t.open())
		case loop:
			t.label("loop")
		case endLoop:
			t.line("SUB $%d, R%d", i.immediate, at)
			t.line("CBNZ R%d, loop%d", at, t.opened())
		case endSkip:
			t.close()
		}
	}
	t.line("RET")
}
