package diag

import "strings"

// Nearest finds the candidate that name was probably meant to be: the one at the least edit
// distance (insertions, deletions, substitutions and swaps of neighbors), if that is near enough
// for the name's length. Among equals the first in alphabetical order wins.
func Nearest(name string, candidates []string) (string, bool) {
	word := []rune(name)
	if len(word) > longestName {
		return "", false
	}
	limit := max(1, len(word)/3)
	best, bestDistance := "", limit+1
	for _, c := range candidates {
		if c == name || len(c) > 4*longestName {
			continue
		}
		other := []rune(c)
		if d := len(other) - len(word); d > limit || -d > limit {
			continue
		}
		d := editDistance(word, other)
		// Of equally near words the first in the alphabet, whatever the candidates' order.
		nearer := d < bestDistance || d == bestDistance && d <= limit && c < best
		if d < len(word) && nearer {
			best, bestDistance = c, d
		}
	}
	return best, best != ""
}

// longestName is the length in characters of the longest name that is looked for.
const longestName = 64

// Meant is Nearest, and where nothing is near the shortest candidate that name begins: store for sto.
func Meant(name string, candidates []string) (string, bool) {
	if near, ok := Nearest(name, candidates); ok || len(name) < 3 {
		return near, ok
	}
	best := ""
	for _, c := range candidates {
		shorter := best == "" || len(c) < len(best) || len(c) == len(best) && c < best
		if c != name && strings.HasPrefix(c, name) && shorter {
			best = c
		}
	}
	return best, best != ""
}

// editDistance is the optimal string alignment distance.
func editDistance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
