package inspect

// SetSpacing sets the least work between two checkpoints.
func (l *Launch) SetSpacing(work int64) { l.trail.spacing = work }

// Checkpoints are how many checkpoints a launch has, the bytes that they are said to take, and the bytes that they
// take, counted again.
func (l *Launch) Checkpoints() (n, said, bytes int) {
	var before *checkpoint
	for _, c := range l.trail.list {
		bytes += c.bytes(before)
		before = c
	}
	return len(l.trail.list), l.trail.bytes, bytes
}

// LaneText is a lane of a value as Why writes it.
func (v *Value) LaneText(i int) string { return v.lane(i, whyDigits) }
