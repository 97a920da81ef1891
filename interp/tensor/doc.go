// Package tensor is a small torch in plain Go: the tensors of host scripts and puzzle specs.
//
// Operations are plain functions of a Context and tensors, named as torch names them, softmax and indexSelect; a row
// of a table (creationOps, viewOps, reduceOps, …) gives each its signature in Python.
//
// A Tensor is a dtype and a strided layout (shape, strides, offset) over a Storage, which holds raw
// little-endian bytes laid out as torch lays them out; views share their storage. Every
// operation is a row of the table that Operations hold: its signature in Python's notation,
// and the function that runs it. Context.Call binds arguments to the signature, runs the row,
// and, if an input requires a gradient, attaches a node with the vector-Jacobian product
// to the result. A Context holds what torch keeps in globals: the random generator, the gradient
// mode, and the limits.
//
// Reverse-mode differentiation follows torch's: the graph is recorded as operations run, each node
// saves what its derivative is computed from (a write to one of these since is an error), backward
// visits the nodes in topological order and sums gradients, and an in-place write to a view
// rewrites the graph of its base (CopySlices). Operations that are composed of others have no
// derivative of their own.
//
// A Context with a Trace keeps what operations write, by which an element can be followed back to those that it was
// computed from (trace.go).
//
// What compiler/num has a kernel for is computed by that, in registers of the dtype, where torch
// computes the same: arithmetic, comparisons, roots and the like (mapTyped). All other elements
// are computed in one of two domains: integers in int64, wrapped when they are stored, and floats
// in float64, rounded to float32 and then to their dtype when they are stored. That gives float32
// arithmetic its correctly rounded result (53 ≥ 2·24+2 bits).
//
// Inside the package a failing operation panics with *Error, which every exported entry turns
// into an error value; no other panic is meant to leave it.
package tensor
