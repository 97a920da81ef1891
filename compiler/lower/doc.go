// Package lower turns a kernel's syntax tree and the types of its arguments into tile IR.
//
// # One walk
//
// Triton's constexprs and argument types decide which code exists: a branch on a constexpr is not
// even looked at, tl.static_range unrolls its loop, x.dtype.element_ty picks a cast. So checking,
// constant evaluation and emission cannot be passes of their own. The walk is an interpreter over
// two kinds of [value]: what is known while compiling (numbers, strings, dtypes, tuples, functions:
// a [constant] and its like) and what exists at run time (a [tensor], which is an SSA value of the
// IR). An operator on two constants is Python's and is folded (fold.go); as soon as one side is a
// tensor, it becomes an operation (operators.go). Calls are inlined (call.go): the IR has no
// functions, and a callee's parameters may be constants in one call and tensors in the next.
//
// # Branches and loops
//
// A name is bound to a value in the [frame]'s environment, which logs its assignments, so that a
// stretch of code can be lowered, its changes listed, and taken back. From that follows SSA
// construction without dominance frontiers, as the source has no goto:
//
//   - An if on a run-time condition lowers both branches into regions, each from the environment
//     before the if. Names that the branches leave different are its phis: they become the results
//     of the if operation, and both regions end by yielding their side (branch.go).
//   - A loop's carried names are those that its body assigns and that have a value before it. The
//     body is lowered with block arguments in their place. Where the body leaves such a name with
//     another type (a scalar that becomes a tile, a constant that becomes a tensor), the initial
//     value is converted and the body is lowered again, until nothing changes: a fixpoint that
//     takes two rounds at most places and is bounded by maxAttempts (loop.go).
//   - break, continue and return inside of run-time control flow set hidden names, the exit flags.
//     They are merged and carried like any other; the statements behind are guarded by an if on
//     them, and a loop with a break becomes a while that tests them. Where a flag is a constant,
//     which is the rule, no code is made of it.
//   - tl.static_range lowers its body once for each value (unroll.go). [Result.Unrolled] says where the
//     iterations are, for package reroll to make loops of them where a kernel would be too large.
//
// # Errors
//
// What goes wrong becomes a diagnostic and the value [poison], which silences everything computed
// from it: one cause gives one message, and lowering goes on to find the next. Poison is also what
// a guess cannot know ([Guess]). The kernel's Func exists only if there was no error.
//
// # The superset
//
// What Triton refuses although its meaning is clear runs with a warning that quotes Triton; every
// such place calls [lowerer.warnSuperset], which Options.Strict turns into an error. Several of
// them need an integer that Triton calls a tensor: known.go finds out whether it is known.
//
// # Where what is
//
//	lower.go              what callers see; limits
//	globals.go            names of modules; program_scope.go: those of a running program
//	params.go, frame.go   the kernel's arguments; local names, exit flags
//	stmt.go, branch.go, loop.go, unroll.go
//	expr.go, operators.go, comparison.go, pointers.go, subscript.go, attribute.go
//	fold.go, constexpr.go, known.go       what is known while compiling
//	call.go, arguments.go calls; how the functions of tl read their arguments
//	specials.go           the table of those that need code of their own, which is in creation.go, elementwise.go,
//	                      memory.go, dot.go, reduce.go, shapes.go, grid.go …
//	builder.go            emission of operations: the only file that knows the IR's builder
//	report.go, text.go    diagnostics; values and types as text
package lower
