package puzzles

import "strconv"

// IsWarmUp reports whether a number is that of a warm-up, an optional puzzle that prepares for a harder one: 601 is the
// first between 6 and 7, 602 would be the second, and so on up to 626.
func IsWarmUp(number int) bool {
	k := number % 100
	return number > 100 && number < firstFast && 1 <= k && k <= 26
}

// firstFast is the number before those of the second course, whose puzzles are graded by what a launch takes: package
// puzzles/fast.
const firstFast = 2000

// IsFast reports whether a number is one of the second course.
func IsFast(number int) bool { return number > firstFast && number < firstFast+100 }

// Label is a puzzle's number as people read it: 6, or 6a for 601, or F1 for 2001.
func Label(number int) string {
	if IsFast(number) {
		return "F" + strconv.Itoa(number-firstFast)
	}
	if !IsWarmUp(number) {
		return strconv.Itoa(number)
	}
	return strconv.Itoa(number/100) + string(rune('a'+number%100-1))
}

// position orders puzzles by their numbers: 601 comes after 6 and before 7.
func position(number int) int {
	if IsWarmUp(number) {
		return number
	}
	return number * 100
}
