package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tensor"
)

// workKey tells what torch computed apart: by the operation and the place in the submission.
type workKey struct {
	op string
	at source.Span
}

// work is what torch computed at one place.
type work struct {
	calls    int
	elements int64
}

// movers are the operations of torch that compute nothing: they make tensors, view them, copy them, or convert them.
// tensor and as_tensor are not among them, since what they are given has been computed in Python. A gradient is
// computed by the functions of the graph: those that torch has computed forward count there, and a
// torch.autograd.Function calls operations and kernels of its own.
var movers = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`
		zeros ones empty full zeros_like ones_like empty_like full_like new_zeros new_ones new_empty new_full empty_strided
		arange eye rand randn randint randperm rand_like randn_like randint_like scalar_tensor fill_ zero_
		view view_as reshape reshape_as permute transpose movedim t expand expand_as broadcast_to squeeze unsqueeze
		flatten ravel unflatten narrow _step_back select diagonal unfold unbind split chunk as_strided detach detach_
		requires_grad_ view_as_real view_as_complex squeeze_ unsqueeze_ transpose_ t_ broadcast_tensors tensor_split
		hsplit vsplit dsplit split_with_sizes mT mH
		cat stack hstack vstack clone contiguous copy_ resize_ pad
		bool char short int long byte half bfloat16 float double to type type_as cpu cuda
		is_contiguous is_floating_point is_tensor is_complex numel nelement dim ndimension element_size storage_offset
		data_ptr size stride result_type promote_types __setitem__
		backward grad .grad`) {
		m[name] = true
	}
	return m
}()

// moves reports whether an operation computes nothing. An index that gives a view does not.
func moves(op string, inputs, results []*tensor.Tensor) bool {
	if op == "__getitem__" {
		return inputs[len(inputs)-1].Storage() == results[0].Storage()
	}
	return movers[op]
}

// multiplications are those of a product of matrices or of a convolution; 0 of other operations.
func multiplications(op string, inputs, results []*tensor.Tensor) int64 {
	if len(inputs) == 0 || len(results) == 0 {
		return 0
	}
	terms := 0 // of the sum that an element of the result is
	switch op {
	case "matmul", "mm", "bmm", "linear":
		terms = inputs[0].Shape()[inputs[0].Dim()-1]
	case "addmm", "baddbmm":
		terms = inputs[1].Shape()[inputs[1].Dim()-1]
	case "einsum":
		for _, t := range inputs {
			terms = slices.Max(append(t.Shape(), terms))
		}
	case "cholesky", "eigh", "inv", "qr", "solve", "svd":
		terms = 16 * inputs[0].Shape()[inputs[0].Dim()-1]
	case "conv1d", "conv2d", "conv3d":
		terms = inputs[1].Numel() / max(inputs[1].Shape()[0], 1)
	case "conv_transpose1d", "conv_transpose2d", "conv_transpose3d":
		terms = inputs[1].Numel() / max(inputs[1].Shape()[1], 1)
	}
	return int64(results[0].Numel()) * int64(terms)
}

// torchShare is the part of the inputs that torch may go through: a kernel may leave the sums of its blocks to it, but
// not a tensor of the size of the inputs.
const torchShare = 16

// torchWork lists what torch has computed for the submission, the largest first, and says whether it is too much: as
// many elements, in all tests together, as the outputs have, and as a small part of those of the inputs.
func (j *judging) torchWork() (list []workKey, tooMuch bool) {
	total := int64(0)
	for key, w := range j.watch.work {
		list = append(list, key)
		total += w.elements
	}
	slices.SortFunc(list, func(a, b workKey) int {
		x, y := j.watch.work[a], j.watch.work[b]
		return cmp.Or(cmp.Compare(y.elements, x.elements), cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.op, b.op))
	})
	return list, len(list) > 0 && total >= max(j.outputs, j.inputs/torchShare)
}
