package lens

// Counts sums a report of one launch up in single numbers, by name. Package puzzles/goal says what each is; they are
// those of all programs if all were simulated.
func (r *Report) Counts() map[string]float64 {
	c := map[string]float64{
		"sectors": 0, "requests": 0, "wavefronts": 0, "conflicts": 0, "updates": 0, "instructions": 0, "tensor": 0,
		"bytes": float64(r.ReadBytes + r.WrittenBytes), "warps": float64(r.Occupancy.Warps),
		"longest": float64(r.Longest), "waves": float64(r.WaveSectors),
	}
	for _, l := range r.Lines {
		for _, t := range l.Memory {
			if t.Memory == Shared {
				c["wavefronts"] += float64(t.Units)
				c["conflicts"] += float64(t.Units - t.Ideal)
				continue
			}
			c["sectors"] += float64(t.Units)
			c["requests"] += float64(t.Requests)
			c["updates"] += float64(t.Updates)
		}
	}
	for _, n := range r.Instructions {
		c["instructions"] += float64(n)
	}
	all := uint64(0)
	for _, n := range r.FLOPs {
		all += n
	}
	if all > 0 {
		c["tensor"] = 100 * float64(r.FLOPs["tensor"]) / float64(all)
	}
	return c
}
