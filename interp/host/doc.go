// Package host runs ordinary Python: the specs of puzzles and the host side of scripts. It walks
// the syntax tree over compiler/resolve's bindings, with CPython's scalars from compiler/python
// and torch's tensors from interp/tensor.
//
// How it works: Load parses, resolves and runs a file's top level; a Module's functions can then
// be called with Call. Variables live in frames keyed by the resolver's symbols. Every value is a
// python.Value; tables map the names of a type or a module to functions. Python exceptions travel
// as Go panics of type *raised, which try statements and the package's entries catch; what is not
// caught becomes a diagnostic at the line that raised it. Kernels are launched by a Launcher that
// the caller provides.
//
// Everything a script may spend has a limit: steps, depth of calls, elements of containers, bytes
// of tensors.
package host
