package trace

// ProgramNumber is a program's position in program order: z runs fastest, as in Triton's interpreter.
func ProgramNumber(grid, program [3]int) int64 {
	return (int64(program[0])*int64(grid[1])+int64(program[1]))*int64(grid[2]) + int64(program[2])
}

// ProgramAt is the program at a position in program order.
func ProgramAt(grid [3]int, number int64) [3]int {
	y, z := int64(grid[1]), int64(grid[2])
	if y == 1 && z == 1 { // most grids, and a division takes as long as a short operation of a program
		return [3]int{int(number), 0, 0}
	}
	return [3]int{int(number / z / y), int(number / z % y), int(number % z)}
}
