// Package layout says where the elements of a tile are: in which register of which thread, or at which offset of
// shared memory. It is algebra alone and knows neither the IR nor PTX.
//
// # Linear layouts by example
//
// Take a tile of 4 rows of 16 columns, two registers a thread, and one warp. Number the elements row by row: element
// 19 = 1·16 + 3 is row 1, column 3, and in binary 01_0011. Number the registers 0 and 1, and the lanes 0 … 31. Say
// that a thread holds two neighbors in a row, that eight lanes make up a row and four groups of lanes the rows.
// Then lane 9, register 1 holds row 1, column 3. Now look at what each bit of (register, lane) does to the element:
//
//	register bit 0: one column on    element bit 0 (1)
//	lane bits 0-2:  2, 4, 8 columns  element bits 1, 2, 3 (2, 4, 8)
//	lane bits 3-4:  1, 2 rows        element bits 4, 5 (16, 32)
//
// Lane 9 = 0b01001 and register 1: 2 ^ 16 ^ 1 = 19. The layout is that short list of images, called bases:
//
//	Reg: 1   Lane: 2 4 8 16 32
//
// This is a linear map over the field of two elements: the image of a XOR of numbers is the XOR of their images.
// Shapes are powers of two, so every layout we need is one, and questions become operations on bases. A basis 0 is a
// bit that changes nothing: both values hold the same element. A transposed tile has its bases' bits permuted. A row
// sum combines the inputs whose basis lies in the columns' bits: register bit 0 in the thread, lane bits 0-2 by
// shuffles; and the result's layout is what remains when these bits are struck out: Lane 0 0 0 1 2.
//
// Registers need no more than one element bit a basis, which Layout demands. Shared memory (Mem) goes the other way,
// from element bits to offset bits, and mixes several: that is what a swizzle is. From two layouts, Plan finds the
// cheapest way from one to the other: other names for registers, shuffles within warps, or a trip through shared
// memory whose swizzle has no bank conflicts on either side.
package layout
