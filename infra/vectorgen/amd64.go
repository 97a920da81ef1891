package vectorgen

import "fmt"

// avx2 has the registers Y0 to Y15, of which the last one is not given away.
var avx2 = target{
	processor: processor{bytes: 32}, registers: 15, integers: len(amd64Integers), write: (*text).amd64,
	dispatch: []string{"MOVQ f+0(FP), AX", "LEAQ %s<>(SB), BX", "MOVQ (BX)(AX*8), AX", "JMP AX"},
}

var avx2Names = [...]string{
	addF32: "VADDPS", subF32: "VSUBPS", mulF32: "VMULPS", divF32: "VDIVPS", sqrtF32: "VSQRTPS",
	gtF32: "VCMPPS $30,", geF32: "VCMPPS $29,", eqF32: "VCMPPS $0,",
	addF64: "VADDPD", subF64: "VSUBPD", mulF64: "VMULPD", divF64: "VDIVPD", sqrtF64: "VSQRTPD", gtF64: "VCMPPD $30,",
	addI32: "VPADDD", subI32: "VPSUBD", mulI32: "VPMULLD", gtI32: "VPCMPGTD", eqI32: "VPCMPEQD",
	addI64: "VPADDQ", subI64: "VPSUBQ", mulU32: "VPMULUDQ", and: "VPAND", or: "VPOR", xor: "VPXOR",
	i32ToF32: "VCVTDQ2PS", f32ToI32: "VCVTTPS2DQ",
	shlI32: "VPSLLD", shrI32: "VPSRLD", shlI64: "VPSLLQ", shrI64: "VPSRLQ",
	load: "VMOVUPS", loadHalves: "VPMOVZXWD", loadSingles: "VCVTPS2PD",
}

var amd64Integers = []string{"DI", "SI", "BX", "CX", "DX", "AX", "R8", "R9", "R10", "R11", "R12", "R13", "BP"}

// amd64 writes instructions.
func (t *text) amd64(code []instruction) {
	for _, i := range code {
		to, a, b, c := i.to, i.a, i.b, i.c
		at, other := amd64Integers[i.integers[0]], amd64Integers[i.integers[1]]
		memory := fmt.Sprintf("(%s)", at)
		if i.immediate != 0 {
			memory = fmt.Sprintf("%d(%s)", i.immediate, at)
		}
		switch o := i.operation; o {
		default:
			if o.unary() {
				t.line("%s Y%d, Y%d", avx2Names[o], a, to)
			} else {
				t.line("%s Y%d, Y%d, Y%d", avx2Names[o], b, a, to)
			}
		case singleF64:
			t.line("VCVTPD2PSY Y%d, X%d", a, to)
			t.line("VCVTPS2PD X%d, Y%d", to, to)
		case andNot: // the first of the processor's operands is the one that is inverted
			t.line("VPANDN Y%d, Y%d, Y%d", a, b, to)
		case even, odd:
			t.line("VSHUFPS $%d, Y%d, Y%d, Y%d", map[operation]int{even: 0x88, odd: 0xdd}[o], b, a, to)
			t.line("VPERMQ $0xd8, Y%d, Y%d", to, to)
		case shlI32, shrI32, shlI64, shrI64:
			t.line("%s $%d, Y%d, Y%d", avx2Names[o], i.immediate, a, to)
		case choose:
			t.line("VBLENDVPS Y%d, Y%d, Y%d, Y%d", c, a, b, to)
		case constant:
			name := fmt.Sprintf("bits%d_%x<>", 8*i.size, uint64(i.immediate))
			if !t.seen[name] {
				t.seen[name] = true
				fmt.Fprintf(&t.data, "DATA %s+0(SB)/%d, $%#x\n", name, i.size, uint64(i.immediate))
				fmt.Fprintf(&t.data, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", name, i.size)
			}
			t.line("VPBROADCAST%s %s(SB), Y%d", map[int]string{4: "D", 8: "Q"}[i.size], name, to)
		case argument:
			t.line("VBROADCASTSD %s+%d(FP), Y%d", i.name, 8*i.size, to)
		case load, loadHalves, loadSingles:
			t.line("%s %s, Y%d", avx2Names[o], memory, to)
		case loadSplat:
			t.line("VBROADCASTS%s %s, Y%d", map[int]string{4: "S", 8: "D"}[i.size], memory, to)
		case lookUp: // its mask, which it uses up, is in the last register
			t.line("VPCMPEQQ Y15, Y15, Y15")
			t.line("VGATHERQPD Y15, (%s)(Y%d*8), Y%d", at, a, to)
		case store:
			t.line("VMOVUPS Y%d, %s", a, memory)
		case storeHalves:
			t.line("VPACKUSDW Y%d, Y%d, Y%d", a, a, a)
			t.line("VPERMQ $0xd8, Y%d, Y%d", a, a)
			t.line("VMOVUPS X%d, %s", a, memory)
		case storeSingles:
			t.line("VCVTPD2PSY Y%d, X%d", a, a)
			t.line("VMOVUPS X%d, %s", a, memory)
		case integerArgument:
			t.line("MOVQ %s+%d(FP), %s", i.name, 8*i.size, at)
		case integerResult:
			t.line("MOVQ %s, %s+%d(FP)", at, i.name, 8*i.size)
		case integerAdd:
			t.line("ADDQ %s, %s", at, other)
		case integerAddConstant:
			t.line("ADDQ $%d, %s", i.immediate, at)
		case integerAnd:
			t.line("ANDQ $%d, %s", i.immediate, at)
		case integerShift:
			t.line("SHLQ $%d, %s", i.immediate, at)
		case integerCopy:
			t.line("MOVQ %s, %s", at, other)
		case skip:
			t.line("TESTQ %s, %s", at, at)
			t.line("JZ end%d", t.open())
		case loop:
			t.label("loop")
		case endLoop:
			t.line("SUBQ $%d, %s", i.immediate, at)
			t.line("JNZ loop%d", t.opened())
		case endSkip:
			t.close()
		}
	}
	t.line("VZEROUPPER")
	t.line("RET")
}
