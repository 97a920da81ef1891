// Package recorder has the Python program that records launches of Triton kernels. It is for machines with torch and
// Triton; package interp/recorded reads what it writes, and says how the files look.
package recorder

import _ "embed"

// Name is the name of the program's file, under which Python imports it.
const Name = "newt_record.py"

// Source is the program.
//
//go:embed newt_record.py
var Source string
