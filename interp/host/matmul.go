package host

import (
	"math"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/tensor"
)

// A matmulTile is how the kernel of torch._newt_matmul.py is launched: the tile of the result that one program
// computes, how much of the inner dimension it takes at a time, and the options num_warps and num_stages.
type matmulTile struct {
	rows, columns, depth int
	warps, stages        int
}

// matmulTiles are the tiles by dtype, the larger first. They add the products of an element in the same order. Of those
// tried on an H200 they were the fastest for 512 to 4096 rows and columns.
var matmulTiles = [num.NumDTypes][]matmulTile{
	num.Float16:  {{128, 256, 64, 8, 3}, {64, 128, 64, 4, 4}, {64, 64, 64, 4, 4}},
	num.BFloat16: {{128, 256, 64, 8, 3}, {64, 128, 64, 4, 4}, {64, 64, 64, 4, 4}},
	num.Float32:  {{128, 64, 16, 4, 3}, {32, 64, 32, 4, 3}},
}

// matmulGroup is how many rows of tiles are computed together.
const matmulGroup = 8

// programs is how many tiles cover a batch of matrices of that shape.
func (t matmulTile) programs(shape []int) int {
	return shape[0] * ((shape[1] + t.rows - 1) / t.rows) * ((shape[2] + t.columns - 1) / t.columns)
}

// matmulTileFor is the largest tile that keeps half of the multiprocessors busy, else the smallest: a larger tile reads
// each factor less often.
func matmulTileFor(shape []int, tiles []matmulTile, processors int) (t matmulTile) {
	for _, t = range tiles {
		if 2*t.programs(shape) >= processors {
			break
		}
	}
	return t
}

// multiply is tensor.Context.Multiply: it launches a kernel where the chosen device compiles kernels.
func (m *machine) multiply(out, x, y *tensor.Tensor) (ok bool) {
	device, tiles := deviceInfo(m), matmulTiles[x.DType()]
	if !device.Compiles || tiles == nil || !addressable(out) || !addressable(x) || !addressable(y) {
		return false
	}
	if m.matmul == nil {
		m.matmul = m.libraryMember("torch._newt_matmul", "matmul").(*Kernel)
	}
	tile := matmulTileFor(out.Shape(), tiles, device.Processors)
	l := Launch{Kernel: m.matmul, General: m.matmul.general, Grid: [3]int{tile.programs(out.Shape()), 1, 1},
		Args: []Value{Tensor{out}, Tensor{x}, Tensor{y}}, Span: m.at, Internal: true,
		Options: map[string]Value{"num_warps": intValue(tile.warps), "num_stages": intValue(tile.stages)}}
	for _, numbers := range [][]int{
		out.Shape()[1:], x.Shape()[2:], x.Strides(), y.Strides(), {tile.rows, tile.columns, tile.depth, matmulGroup},
	} {
		for _, n := range numbers {
			l.Args = append(l.Args, intValue(n))
		}
	}
	if _, failed := m.submitLaunch(l, false); failed != nil {
		m.raiseFailure(failed, l.Span)
	}
	return true
}

// addressable reports whether the kernel's int32 offsets reach all of a tensor's storage.
func addressable(t *tensor.Tensor) bool {
	return t.Storage().Len()/t.DType().Info().Bytes <= math.MaxInt32
}
