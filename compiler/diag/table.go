package diag

import "strings"

// WriteTable writes rows of as many cells each for a terminal. The last column is aligned to the left, the others to
// the right, by the width of their texts in a terminal.
func WriteTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	for _, row := range rows {
		last := len(row) - 1
		var line strings.Builder
		for i, cell := range row[:last] {
			line.WriteString(strings.Repeat(" ", 2+widths[i]-Width(cell)) + cell)
		}
		b.WriteString(strings.TrimRight(line.String()+"  "+row[last], " ") + "\n")
	}
}
