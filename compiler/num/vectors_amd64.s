#include "textflag.h"

// The constants of powers, in the order of Y1 to Y9.
DATA powers<>+0(SB)/8, $5120.0 // 160 * exp2Steps: fp32 is infinite from here on, and 0 below the negative
DATA powers<>+8(SB)/8, $-5120.0
DATA powers<>+16(SB)/8, $0x4338000000000000 // 0x1.8p52: adding and subtracting it rounds to an integer
DATA powers<>+24(SB)/8, $0.021660849392498290 // ln(2)/exp2Steps
DATA powers<>+32(SB)/8, $1.0
DATA powers<>+40(SB)/8, $0.5
DATA powers<>+48(SB)/8, $0.16666666666666666
DATA powers<>+56(SB)/8, $0.041666666666666664
DATA powers<>+64(SB)/8, $31 // exp2Steps - 1
GLOBL powers<>(SB), RODATA|NOPTR, $72

// func powersAVX2(dst, x []float32, steps float64, table *[exp2Steps]uint64) (n int)
TEXT ·powersAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	VBROADCASTSD steps+48(FP), Y0
	MOVQ table+56(FP), BX
	ANDQ $~3, CX
	MOVQ CX, n+64(FP)
	JZ   done
	VBROADCASTSD powers<>+0(SB), Y1
	VBROADCASTSD powers<>+8(SB), Y2
	VBROADCASTSD powers<>+16(SB), Y3
	VBROADCASTSD powers<>+24(SB), Y4
	VBROADCASTSD powers<>+32(SB), Y5
	VBROADCASTSD powers<>+40(SB), Y6
	VBROADCASTSD powers<>+48(SB), Y7
	VBROADCASTSD powers<>+56(SB), Y8
	VPBROADCASTQ powers<>+64(SB), Y9

loop:
	VCVTPS2PD (SI), Y10
	VMULPD Y0, Y10, Y10
	VMINPD Y10, Y1, Y10 // of a NaN and a limit, both give their first operand here: the NaN
	VMAXPD Y10, Y2, Y10 // t
	VADDPD Y3, Y10, Y11 // its lower bits are the nearest integer, k
	VSUBPD Y3, Y11, Y12
	VSUBPD Y12, Y10, Y12
	VMULPD Y4, Y12, Y12 // r
	VMULPD Y8, Y12, Y13
	VADDPD Y7, Y13, Y13
	VMULPD Y12, Y13, Y13
	VADDPD Y6, Y13, Y13
	VMULPD Y12, Y13, Y13
	VADDPD Y5, Y13, Y13
	VMULPD Y12, Y13, Y13
	VADDPD Y5, Y13, Y13 // p
	VPAND Y9, Y11, Y14
	VPCMPEQQ Y15, Y15, Y15
	VGATHERQPD Y15, (BX)(Y14*8), Y10 // of the table, at k mod exp2Steps
	VPANDN Y11, Y9, Y14
	VPSLLQ $47, Y14, Y14 // k / exp2Steps, where fp64 has the exponent
	VPADDQ Y14, Y10, Y10
	VMULPD Y10, Y13, Y13
	VCVTPD2PSY Y13, X13
	VMOVUPS X13, (DI)
	ADDQ $16, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JNZ  loop
	VZEROUPPER

done:
	RET

// func HasAVX2() bool
TEXT ·HasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX // bit 27: XGETBV, bit 28: AVX
	CMPL CX, $0x18000000
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX // the system saves XMM and YMM registers
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX
	ANDL $1, BX // bit 5: AVX2
	MOVB BX, ret+0(FP)

no:
	RET
