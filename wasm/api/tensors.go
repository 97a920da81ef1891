package api

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/puzzles/judge"
)

func torchName(d num.DType) string { return tensor.TorchName(d) }

// tensorText is a tensor as torch prints it.
func tensorText(a judge.Array) string {
	t, err := tensor.New(tensor.Options{}).FromBytes(a.DType, a.Shape, a.Data)
	if err != nil {
		return ""
	}
	return t.String()
}
