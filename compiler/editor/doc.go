// Package editor answers what an editor asks about a file while somebody types: diagnostics
// ([Check]), completion ([Complete]), hover ([Hover]) and signature help ([SignatureAt]). These are
// the requests of the Language Server Protocol, answered from source text and a byte offset, and the
// file need not be complete or correct for any of them.
//
// No launch tells the types of a kernel's arguments here. Package usage infers which parameters are
// pointers from how the kernel uses them; for the rest Check lowers each function under several
// guesses (guess.go), and what rests on a guess is never an error. Its work is bounded in steps and
// in diagnostics, and ends early once its context is done.
package editor
