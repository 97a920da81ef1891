package host

import "testing"

// TestSignatures reads the signature of each function that is written in Go.
func TestSignatures(t *testing.T) {
	m := newMachine(Options{Libraries: AllLibraries()})
	read := 0
	var visit func(v Value)
	visit = func(v Value) {
		switch v := v.(type) {
		case *Builtin:
			if v.params != nil {
				v.params()
				read++
			}
		case *descriptor:
			visit(v.function)
		case *Class:
			for _, name := range v.memberNames() {
				visit(v.member(name))
			}
		}
	}
	for _, v := range builtins {
		visit(v)
	}
	for path := range m.options.Libraries.makers {
		l, _ := m.modules.libraryNamed(path)
		for _, v := range l.members {
			visit(v)
		}
	}
	if read < 400 {
		t.Errorf("%d signatures", read)
	}
}
