package tl

// Why is the reason why newt has not a name of triton.language; "" if there is none.
func Why(name string) string { return lacking[name] }
