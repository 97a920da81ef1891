package opt

// order lists which pass must come before which other. It documents the table and is checked
// against it by a test.
var order = []struct{ first, then, why string }{
	{"fold", "simplify", "conditions and bounds that are constant decide branches and loops"},
	{"simplify", "licm", "loops of one turn are gone, and moving out of them would be wasted"},
	{"licm", "cse", "what two loops had each for themselves now stands side by side"},
	{"cse", "tidy", "x - x is seen only once both operands are the same value"},
	{"simplify", "dce", "rules leave the operands that they looked through behind"},
	{"cse", "dce", "uses move to the first of equal values"},
	{"tidy", "dce", "as for simplify"},
}
