package source

import "testing"

func TestPositions(t *testing.T) {
	f := NewFile("t.py", "aé\r\n世x\ry\n\nlast")
	for _, c := range []struct {
		offset       int32
		line, column int
	}{{-3, 1, 1}, {0, 1, 1}, {1, 1, 2}, {3, 1, 3}, {5, 2, 1}, {8, 2, 2}, {10, 3, 1}, {12, 4, 1}, {13, 5, 1}, {17, 5, 5}, {99, 5, 5}} {
		if got := f.Position(c.offset); got != (Position{c.line, c.column}) {
			t.Errorf("offset %d: got %v, want %d:%d", c.offset, got, c.line, c.column)
		}
	}
	if f.LineCount() != 5 {
		t.Errorf("%d lines", f.LineCount())
	}
	for i, want := range []string{"aé", "世x", "y", "", "last"} {
		if got := f.Slice(f.LineSpan(i + 1)); got != want {
			t.Errorf("line %d is %q, want %q", i+1, got, want)
		}
	}
}

func TestUTF16(t *testing.T) {
	f := NewFile("t.py", "aé世😀b")
	for offset, want := range map[int32]int{0: 0, 1: 1, 3: 2, 6: 3, 10: 5, 11: 6, 50: 6, -1: 0} {
		if got := f.UTF16(offset); got != want {
			t.Errorf("offset %d: got %d, want %d", offset, got, want)
		}
	}
}

func TestSlice(t *testing.T) {
	f := NewFile("t.py", "abc")
	for span, want := range map[Span]string{{1, 2}: "b", {0, 9}: "abc", {-5, 1}: "a", {7, 9}: ""} {
		if got := f.Slice(span); got != want {
			t.Errorf("%v: got %q, want %q", span, got, want)
		}
	}
	if got := (Span{2, 3}).Join(Span{0, 1}); got != (Span{0, 3}) {
		t.Errorf("joined to %v", got)
	}
}

func TestEmptyFile(t *testing.T) {
	f := NewFile("t.py", "")
	if f.LineCount() != 1 || f.LineSpan(1) != (Span{}) || f.Position(0) != (Position{1, 1}) {
		t.Errorf("%d lines, %v, %v", f.LineCount(), f.LineSpan(1), f.Position(0))
	}
}

// TestSet checks that places of the files of a set are told apart, and count from their own file's start.
func TestSet(t *testing.T) {
	var s Set
	a := s.Add(NewFile("a.py", "one\ntwo"))
	b := s.Add(NewFile("b.py", "é = 1\nfour\n"))
	if again := s.Add(b); again != b {
		t.Error("a file of the set got another place")
	}
	if a.Base() != 0 || b.Base() != 8 {
		t.Errorf("bases %d and %d", a.Base(), b.Base())
	}
	line := b.LineSpan(2)
	if got := b.Slice(line); got != "four" {
		t.Errorf("line 2 of b is %q", got)
	}
	for span, want := range map[Span]*File{{}: a, {4, 7}: a, {7, 7}: a, {8, 9}: b, line: b, b.Span(): b} {
		if got := s.File(span); got != want {
			t.Errorf("%v lies in %s, want %s", span, got.Name, want.Name)
		}
	}
	if at := b.Position(line.Start); at != (Position{2, 1}) || b.UTF16(line.Start) != 6 {
		t.Errorf("line 2 of b begins at %v, UTF-16 %d", at, b.UTF16(line.Start))
	}
}
