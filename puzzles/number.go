package puzzles

import "strconv"

// IsWarmUp reports whether a number is that of a warm-up, an optional puzzle that prepares for a harder one: 601 is the
// first between 6 and 7, 602 would be the second, and so on up to 626.
func IsWarmUp(number int) bool {
	k := number % 100
	return number > 100 && 1 <= k && k <= 26
}

// Label is a puzzle's number as people read it: 6, or 6a for 601.
func Label(number int) string {
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
