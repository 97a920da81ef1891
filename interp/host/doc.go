// Package host interprets ordinary Python: the specs of puzzles and the host side of scripts. It walks
// the syntax tree over compiler/resolve's bindings, with CPython's scalars from compiler/python
// and torch's tensors from interp/tensor.
//
// A Session runs the cells of a document, or one script, and the modules that they import. Each text
// that runs is a unit: a source.File, what the resolver found in it, and the namespace that its top
// level binds names in. Globals are found by name, so that a cell sees what others have bound; the
// variables of functions are keyed by the resolver's symbols. All files of a session are in one
// source.Set: a span names a place in exactly one of them.
//
// A machine is what the units share. A frame is one scope while it runs: its variables, and the methods
// that execute statements and evaluate expressions in it. Every value is a python.Value. What it can do
// stands in the record of its type (slots): typeOf gives the Class, whose slots are those of a builtin type, such as
// list.go's, with the special methods of a class statement in their places. Tables map signatures to
// functions (builtins.go, library_*.go), which get their arguments laid out by them (parameters.go).
//
// Python exceptions travel as Go panics of type *raised, which try statements and the package's
// entries recover; what is not caught becomes a diagnostic at the line that raised it, and Python's
// traceback (traceback.go). Whoever recovers restores the depth of calls, the list of loops and the
// frame (machine.exceptionOf). machine.at is the place that an exception gets if it has none: each
// operation sets it before it may fail. Generators are coroutines (iter.Pull); their bodies run in
// frames of their own, one at a time.
//
// A kernel is a value (Kernel), as its function is; kernel[grid](…) binds the arguments and hands a
// Launch to the Launcher that the caller provides.
//
// All that a script may spend is limited (budget): steps, depth of calls, items of containers, and
// bytes of tensors. What newt lacks raises an exception as Python would, but its words, where
// nothing catches it, are newt's own (lack, limit).
package host
