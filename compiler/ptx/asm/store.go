package asm

// store hands out slices that live as long as it does, from larger pieces.
type store[T any] struct {
	left []T
	next int // length of the next piece
}

// leastPiece and mostPiece bound the lengths of the pieces: each is twice the one before.
const leastPiece, mostPiece = 64, 4096

// pieces is a list of instructions that does not move while it grows.
type pieces struct {
	full [][]Inst
	last []Inst
}

func (l *pieces) add(in Inst) {
	if n := len(l.last); n == cap(l.last) {
		if n > 0 {
			l.full = append(l.full, l.last)
		}
		l.last = make([]Inst, 0, min(max(2*n, leastPiece), mostPiece))
	}
	l.last = append(l.last, in)
}

func (l *pieces) addAll(m *pieces) {
	for _, piece := range m.all() {
		for i := range piece {
			l.add(piece[i])
		}
	}
}

// all is the pieces in order.
func (l *pieces) all() [][]Inst { return append(l.full[:len(l.full):len(l.full)], l.last) }

func (l *pieces) len() (n int) {
	for _, piece := range l.all() {
		n += len(piece)
	}
	return n
}

// take is n zero values.
func (s *store[T]) take(n int) []T {
	if n > len(s.left) {
		s.next = min(max(2*s.next, leastPiece), mostPiece)
		s.left = make([]T, max(s.next, n))
	}
	out := s.left[:n:n]
	s.left = s.left[n:]
	return out
}

// keep is a copy of list.
func (s *store[T]) keep(list []T) []T {
	out := s.take(len(list))
	copy(out, list)
	return out
}
