//go:build !amd64

package gemm

// tiles are this processor's, the largest first.
func tiles[T Number]() []tile[T] { return portable[T]() }
