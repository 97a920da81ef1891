package asm

// arena allocates slices that live as long as it does, from chunks.
type arena[T any] struct {
	free []T
	next int // length of the next piece
}

// minChunk and maxChunk bound the lengths of chunks: each is twice the one before.
const minChunk, maxChunk = 64, 4096

// instList is a list of instructions that does not move while it grows.
type instList struct {
	chunks [][]Inst
	last   []Inst
}

func (l *instList) add(in Inst) {
	if n := len(l.last); n == cap(l.last) {
		if n > 0 {
			l.chunks = append(l.chunks, l.last)
		}
		l.last = make([]Inst, 0, min(max(2*n, minChunk), maxChunk))
	}
	l.last = append(l.last, in)
}

func (l *instList) addAll(m *instList) {
	for _, piece := range m.all() {
		for i := range piece {
			l.add(piece[i])
		}
	}
}

// all is the chunks in order.
func (l *instList) all() [][]Inst { return append(l.chunks[:len(l.chunks):len(l.chunks)], l.last) }

func (l *instList) len() (n int) {
	for _, piece := range l.all() {
		n += len(piece)
	}
	return n
}

// alloc is n zero values.
func (s *arena[T]) alloc(n int) []T {
	if n > len(s.free) {
		s.next = min(max(2*s.next, minChunk), maxChunk)
		s.free = make([]T, max(s.next, n))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// copyOf is a copy of list.
func (s *arena[T]) copyOf(list []T) []T {
	out := s.alloc(len(list))
	copy(out, list)
	return out
}
