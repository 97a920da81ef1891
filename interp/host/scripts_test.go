package host

// scripts are programs with what CPython and torch print for them.
var scripts = []struct{ name, text, want string }{
	{"arithmetic", "print(7 // 2, -7 % 3, 2 ** 10, 1 / 4, 3 == 3.0)", "3 2 1024 0.25 True\n"},
}
