package document

import "strings"

// Text is the whole document as one text in the percent format, for an editor. Pictures within its prose are named
// instead of written out (Pictures). Update takes it back.
func (d *Document) Text() string {
	if d.Format == Python {
		return d.Encode()
	}
	out := New(d.Name, Python)
	for _, c := range d.Cells {
		clone := *c
		clone.was, clone.Source = nil, named(c.Source)
		out.Cells = append(out.Cells, &clone)
	}
	return strings.TrimRight(out.Encode(), "\n") + "\n"
}

// Update makes the document say what a text in the percent format says. Cells that are in both keep what the text does
// not show: outputs, metadata, and how they are written in the document's file.
func (d *Document) Update(text string) {
	next := &Document{Name: d.Name, Format: Python, newline: "\n"}
	_ = parsePython(next, d.Restored(text)) // every text is Python as far as cells go
	if len(next.Cells) == 1 && next.Cells[0].Source == "" && next.Cells[0].was.lead == "" {
		next.Cells = nil
	}
	pairs := match(d.Cells, next.Cells)
	cells := make([]*Cell, len(next.Cells))
	for i, c := range next.Cells {
		old := pairs[i]
		switch {
		case old == nil:
			cells[i] = c
			if d.Format != Python {
				c.was, c.Line = nil, 0
			}
		case d.Format == Python:
			c.Outputs, c.Count, c.ID = old.Outputs, old.Count, old.ID
			c.was.outputs, c.was.count = c.Outputs, c.Count
			cells[i] = c
		default:
			if trimEnd(old.Source) != trimEnd(c.Source) {
				old.Source = c.Source
			}
			cells[i] = old
		}
	}
	d.Cells = cells
	if d.Format == Python {
		for _, c := range cells {
			c.was.kind, c.was.source = c.Kind, c.Source
		}
		d.head, d.text, d.newline = next.head, text, next.newline
		d.cells = append([]*Cell{}, cells...)
	}
}

func trimEnd(s string) string { return strings.TrimRight(s, " \t\r\n") }

// match finds for each cell of next the cell of old that it is: one that says the same, or else the one in its place
// among those that are left. nil is a new cell.
func match(old, next []*Cell) []*Cell {
	pairs := make([]*Cell, len(next))
	type saying struct {
		kind   Kind
		source string
	}
	queues := map[saying][]int{}
	for i, c := range old {
		k := saying{c.Kind, trimEnd(c.Source)}
		queues[k] = append(queues[k], i)
	}
	taken := make([]bool, len(old))
	where := make([]int, len(next)) // of the pair in old, -1 if none yet
	for i, c := range next {
		where[i] = -1
		k := saying{c.Kind, trimEnd(c.Source)}
		if q := queues[k]; len(q) > 0 {
			where[i], queues[k] = q[0], q[1:]
			pairs[i], taken[q[0]] = old[q[0]], true
		}
	}
	// An edited cell lies where it was: after the old cell of the cell before it.
	at := 0
	for i, c := range next {
		if where[i] >= 0 {
			at = where[i] + 1
			continue
		}
		if at < len(old) && !taken[at] && old[at].Kind == c.Kind {
			pairs[i], taken[at] = old[at], true
			at++
		}
	}
	return pairs
}
