"""torch.nn: modules, on the operations of torch.nn.functional."""
import math
import torch
import torch.nn.functional as F
import torch.nn.init as init


def _indented(text):
    lines = text.split("\n")
    return "\n".join([lines[0]] + ["  " + line for line in lines[1:]])


class _Matched:
    def __repr__(self):
        return "<All keys matched successfully>"


class Module:
    """A function with parameters. Those and the modules in it are its attributes, in the order of their assignment."""

    def __init__(self, *args, **kwargs):
        self.training = True
        self._buffers = {}

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def register_parameter(self, name, param):
        setattr(self, name, param)

    def register_buffer(self, name, tensor, persistent=True):
        self._buffers[name] = persistent
        setattr(self, name, tensor)

    def add_module(self, name, module):
        setattr(self, name, module)

    def register_module(self, name, module):
        setattr(self, name, module)

    def named_children(self):
        for name, value in list(self.__dict__.items()):
            if isinstance(value, Module):
                yield name, value

    def children(self):
        for _, module in self.named_children():
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        yield prefix, self
        for name, module in self.named_children():
            for path, inner in module.named_modules(None, prefix + "." + name if prefix else name):
                yield path, inner

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        seen = []
        for path, module in self.named_modules(None, prefix) if recurse else [(prefix, self)]:
            for name, value in list(module.__dict__.items()):
                if isinstance(value, Parameter) and not any([value is s for s in seen]):
                    seen.append(value)
                    yield (path + "." + name if path else name), value

    def parameters(self, recurse=True):
        for _, p in self.named_parameters("", recurse):
            yield p

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        for path, module in self.named_modules(None, prefix) if recurse else [(prefix, self)]:
            for name in module._buffers:
                if getattr(module, name) is not None:
                    yield (path + "." + name if path else name), getattr(module, name)

    def buffers(self, recurse=True):
        for _, b in self.named_buffers("", recurse):
            yield b

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            module = getattr(module, name)
        return module

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    def state_dict(self, *args, prefix="", keep_vars=False):
        out = _ordered()
        for name, value in list(self.__dict__.items()):
            if isinstance(value, Parameter):
                out[prefix + name] = value if keep_vars else value.detach()
        for name, persistent in self._buffers.items():
            if persistent and getattr(self, name) is not None:
                out[prefix + name] = getattr(self, name)
        for name, module in self.named_children():
            out.update(module.state_dict(prefix=prefix + name + ".", keep_vars=keep_vars))
        return out

    def load_state_dict(self, state_dict, strict=True, assign=False):
        own = self.state_dict(keep_vars=True)
        unexpected = [name for name in state_dict if name not in own]
        missing = [name for name in own if name not in state_dict]
        errors = []
        if strict and unexpected:
            errors.append("Unexpected key(s) in state_dict: " + ", ".join([f'"{k}"' for k in unexpected]) + ". ")
        if strict and missing:
            errors.append("Missing key(s) in state_dict: " + ", ".join([f'"{k}"' for k in missing]) + ". ")
        with torch.no_grad():
            for name, value in own.items():
                if name not in state_dict:
                    continue
                if value.shape != state_dict[name].shape:
                    errors.append(f"size mismatch for {name}: copying a param with shape {state_dict[name].shape} from checkpoint, the shape in current model is {value.shape}.")
                    continue
                value.copy_(state_dict[name])
        if errors:
            raise RuntimeError("Error(s) in loading state_dict for " + type(self).__name__ + ":\n\t" + "\n\t".join(errors))
        return _Matched()

    def _apply(self, fn):
        for module in self.modules():
            for name, value in list(module.__dict__.items()):
                if isinstance(value, Parameter):
                    value.data = fn(value.data)
                    if value.grad is not None:
                        value.grad = fn(value.grad)
            for name in module._buffers:
                if getattr(module, name) is not None:
                    setattr(module, name, fn(getattr(module, name)))
        return self

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def to(self, *args, dtype=None, device=None, non_blocking=False):
        for a in args:
            if isinstance(a, torch.dtype):
                dtype = a
            elif isinstance(a, torch.Tensor):
                dtype, device = a.dtype, a.device
            elif not isinstance(a, bool):
                device = a

        def convert(t):
            if device is not None:
                t = t.to(device)
            return t.to(dtype) if dtype is not None and t.is_floating_point() else t
        return self._apply(convert)

    def cuda(self, device=None):
        return self.to("cuda")

    def cpu(self):
        return self.to("cpu")

    def half(self):
        return self.to(torch.float16)

    def bfloat16(self):
        return self.to(torch.bfloat16)

    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def type(self, dtype):
        return self.to(dtype)

    def train(self, mode=True):
        for module in self.modules():
            module.training = mode
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for p in self.parameters():
            p.grad = None

    def compile(self, *args, **kwargs):
        pass

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        own = extra.split("\n") if extra else []
        inner = ["(" + name + "): " + _indented(repr(module)) for name, module in self.named_children()]
        if len(own) == 1 and not inner:
            return self._get_name() + "(" + own[0] + ")"
        if own or inner:
            return self._get_name() + "(\n  " + "\n  ".join(own + inner) + "\n)"
        return self._get_name() + "()"


def _ordered():
    try:
        from collections import OrderedDict
        return OrderedDict()
    except ImportError:
        return {}


class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        entries = args[0].items() if len(args) == 1 and hasattr(args[0], "items") else [(str(i), m) for i, m in enumerate(args)]
        for name, module in entries:
            setattr(self, name, module)

    def forward(self, input):
        for module in self.children():
            input = module(input)
        return input

    def append(self, module):
        setattr(self, str(len(self)), module)
        return self

    def __len__(self):
        return len(list(self.children()))

    def __iter__(self):
        return iter(list(self.children()))

    def __getitem__(self, index):
        modules = list(self.children())
        return Sequential(*modules[index]) if isinstance(index, slice) else modules[index]


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        self.extend(modules or [])

    def append(self, module):
        setattr(self, str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def __len__(self):
        return len(list(self.children()))

    def __iter__(self):
        return iter(list(self.children()))

    def __getitem__(self, index):
        modules = list(self.children())
        return ModuleList(modules[index]) if isinstance(index, slice) else modules[index]

    def __repr__(self):
        modules = [repr(m) for m in self]
        lines, start = [], 0
        for i in range(1, len(modules) + 1):
            if i < len(modules) and modules[i] == modules[start]:
                continue
            span = f"({start})" if i == start + 1 else f"({start}-{i - 1})"
            times = "" if i == start + 1 else f"{i - start} x "
            lines.append(_indented(span + ": " + times + modules[start]))
            start = i
        if not lines:
            return "ModuleList()"
        return "ModuleList(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        for name, module in (modules or {}).items():
            setattr(self, name, module)

    def __getitem__(self, name):
        return getattr(self, name)

    def __setitem__(self, name, module):
        setattr(self, name, module)

    def __contains__(self, name):
        return name in [n for n, _ in self.named_children()]

    def __len__(self):
        return len(list(self.children()))

    def __iter__(self):
        return iter(self.keys())

    def keys(self):
        return [name for name, _ in self.named_children()]

    def values(self):
        return [module for _, module in self.named_children()]

    def items(self):
        return list(self.named_children())


class Identity(Module):
    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(torch.empty((out_features, in_features), device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = Parameter(torch.ones(self.normalized_shape, device=device, dtype=dtype))
            if bias:
                self.bias = Parameter(torch.zeros(self.normalized_shape, device=device, dtype=dtype))

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        text = f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        return text if self.bias is not None or not self.elementwise_affine else text + ", bias=False"


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = Parameter(torch.ones(self.normalized_shape, device=device, dtype=dtype)) if elementwise_affine else None

    def forward(self, input):
        eps = torch.finfo(input.dtype).eps if self.eps is None else self.eps
        return F.rms_norm(input, self.normalized_shape, self.weight, eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = Parameter(torch.ones(num_channels, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(torch.zeros(num_channels, device=device, dtype=dtype)) if affine else None

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


class BatchNorm1d(Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__()
        self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        self.track_running_stats = track_running_stats
        self.weight = Parameter(torch.ones(num_features, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(torch.zeros(num_features, device=device, dtype=dtype)) if affine else None
        self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype) if track_running_stats else None)
        self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", torch.tensor(0, device=device) if track_running_stats else None)

    def forward(self, input):
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
        training = self.training or self.running_mean is None
        return F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, training, self.momentum, self.eps)

    def extra_repr(self):
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, track_running_stats={self.track_running_stats}"


class BatchNorm2d(BatchNorm1d):
    pass


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, device=None, dtype=None):
        super().__init__()
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.weight = Parameter(torch.empty((num_embeddings, embedding_dim), device=device, dtype=dtype))
        init.normal_(self.weight)
        if padding_idx is not None:
            with torch.no_grad():
                self.weight[padding_idx].fill_(0)

    def forward(self, input):
        return F.embedding(input, self.weight)

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return F.dropout(input, self.p, self.training)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class _Conv(Module):
    def __init__(self, rank, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, device, dtype):
        super().__init__()
        several = lambda v: v if isinstance(v, (tuple, str)) else (v,) * rank
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = several(kernel_size), several(stride)
        self.padding, self.dilation = several(padding), several(dilation)
        self.weight = Parameter(torch.empty((out_channels, in_channels // groups) + self.kernel_size, device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype)) if bias else None
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if bias:
            bound = 1 / math.sqrt(self.weight[0].numel())
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.kernel_size):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text if self.bias is not None else text + ", bias=False"


class Conv1d(_Conv):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, device=None, dtype=None):
        super().__init__(1, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, device, dtype)

    def forward(self, input):
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Conv):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, device=None, dtype=None):
        super().__init__(2, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, device, dtype)

    def forward(self, input):
        return F.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, stride if stride is not None else kernel_size
        self.padding, self.dilation, self.ceil_mode = padding, dilation, ceil_mode

    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class ReLU(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.relu(input)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class SiLU(ReLU):
    def forward(self, input):
        return F.silu(input)


class Mish(ReLU):
    def forward(self, input):
        return F.mish(input)


class Hardswish(ReLU):
    def forward(self, input):
        return F.hardswish(input)


class ReLU6(ReLU):
    def forward(self, input):
        return F.relu6(input)


class GELU(Module):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={repr(self.approximate)}"


class Tanh(Module):
    def forward(self, input):
        return torch.tanh(input)


class Sigmoid(Module):
    def forward(self, input):
        return torch.sigmoid(input)


class Softplus(Module):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class LeakyReLU(Module):
    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope)

    def extra_repr(self):
        return f"negative_slope={self.negative_slope}"


class ELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha

    def forward(self, input):
        return F.elu(input, self.alpha)

    def extra_repr(self):
        return f"alpha={self.alpha}"


class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    def forward(self, input):
        return F.log_softmax(input, self.dim)

    def extra_repr(self):
        return ""


class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction


class MSELoss(_Loss):
    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, reduction=self.reduction)


class KLDivLoss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__()
        self.reduction, self.log_target = reduction, log_target

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class NLLLoss(Module):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__()
        self.register_buffer("weight", weight)
        self.ignore_index, self.reduction = ignore_index, reduction

    def forward(self, input, target):
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(Module):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
        super().__init__()
        self.register_buffer("weight", weight)
        self.ignore_index, self.reduction, self.label_smoothing = ignore_index, reduction, label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction, label_smoothing=self.label_smoothing)
