#include "textflag.h"

// The kernels take a row of the panel, two vectors, times an element of each of four rows of a. Y0 to Y7 are the sums,
// two a row. Product and sum are two instructions, as the order of rounding asks for; there is no fused one here.

// func addSingles(c, a, panel []float32, depth, n, k int)
TEXT ·addSingles(SB), NOSPLIT, $0-96
	MOVQ c_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ panel_base+48(FP), BX
	MOVQ depth+72(FP), CX
	MOVQ n+80(FP), R8
	MOVQ k+88(FP), R9
	SHLQ $2, R8 // bytes between rows of c
	SHLQ $2, R9 // and of a
	LEAQ (DI)(R8*1), R10 // rows of c: DI, R10, R11, R12
	LEAQ (DI)(R8*2), R11
	LEAQ (R10)(R8*2), R12
	LEAQ (SI)(R9*1), R13 // rows of a: SI, R13, AX, DX
	LEAQ (SI)(R9*2), AX
	LEAQ (R13)(R9*2), DX
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS (R10), Y2
	VMOVUPS 32(R10), Y3
	VMOVUPS (R11), Y4
	VMOVUPS 32(R11), Y5
	VMOVUPS (R12), Y6
	VMOVUPS 32(R12), Y7

addSinglesLoop:
	VMOVUPS (BX), Y8
	VMOVUPS 32(BX), Y9
	VBROADCASTSS (SI), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y0, Y0
	VADDPS Y12, Y1, Y1
	VBROADCASTSS (R13), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y2, Y2
	VADDPS Y12, Y3, Y3
	VBROADCASTSS (AX), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y4, Y4
	VADDPS Y12, Y5, Y5
	VBROADCASTSS (DX), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y6, Y6
	VADDPS Y12, Y7, Y7
	ADDQ $4, SI
	ADDQ $4, R13
	ADDQ $4, AX
	ADDQ $4, DX
	ADDQ $64, BX
	DECQ CX
	JNZ addSinglesLoop

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, (R10)
	VMOVUPS Y3, 32(R10)
	VMOVUPS Y4, (R11)
	VMOVUPS Y5, 32(R11)
	VMOVUPS Y6, (R12)
	VMOVUPS Y7, 32(R12)
	VZEROUPPER
	RET

// func addDoubles(c, a, panel []float64, depth, n, k int)
TEXT ·addDoubles(SB), NOSPLIT, $0-96
	MOVQ c_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ panel_base+48(FP), BX
	MOVQ depth+72(FP), CX
	MOVQ n+80(FP), R8
	MOVQ k+88(FP), R9
	SHLQ $3, R8 // bytes between rows of c
	SHLQ $3, R9 // and of a
	LEAQ (DI)(R8*1), R10 // rows of c: DI, R10, R11, R12
	LEAQ (DI)(R8*2), R11
	LEAQ (R10)(R8*2), R12
	LEAQ (SI)(R9*1), R13 // rows of a: SI, R13, AX, DX
	LEAQ (SI)(R9*2), AX
	LEAQ (R13)(R9*2), DX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD (R10), Y2
	VMOVUPD 32(R10), Y3
	VMOVUPD (R11), Y4
	VMOVUPD 32(R11), Y5
	VMOVUPD (R12), Y6
	VMOVUPD 32(R12), Y7

addDoublesLoop:
	VMOVUPD (BX), Y8
	VMOVUPD 32(BX), Y9
	VBROADCASTSD (SI), Y10
	VMULPD Y8, Y10, Y11
	VMULPD Y9, Y10, Y12
	VADDPD Y11, Y0, Y0
	VADDPD Y12, Y1, Y1
	VBROADCASTSD (R13), Y10
	VMULPD Y8, Y10, Y11
	VMULPD Y9, Y10, Y12
	VADDPD Y11, Y2, Y2
	VADDPD Y12, Y3, Y3
	VBROADCASTSD (AX), Y10
	VMULPD Y8, Y10, Y11
	VMULPD Y9, Y10, Y12
	VADDPD Y11, Y4, Y4
	VADDPD Y12, Y5, Y5
	VBROADCASTSD (DX), Y10
	VMULPD Y8, Y10, Y11
	VMULPD Y9, Y10, Y12
	VADDPD Y11, Y6, Y6
	VADDPD Y12, Y7, Y7
	ADDQ $8, SI
	ADDQ $8, R13
	ADDQ $8, AX
	ADDQ $8, DX
	ADDQ $64, BX
	DECQ CX
	JNZ addDoublesLoop

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, (R10)
	VMOVUPD Y3, 32(R10)
	VMOVUPD Y4, (R11)
	VMOVUPD Y5, 32(R11)
	VMOVUPD Y6, (R12)
	VMOVUPD Y7, 32(R12)
	VZEROUPPER
	RET
