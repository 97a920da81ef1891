"""torch.nn: modules, on the operations of torch.nn.functional."""
import math
import torch
import torch.nn.functional as F
import torch.nn.init as init


def _indented(text):
    lines = text.split("\n")
    return "\n".join([lines[0]] + ["  " + line for line in lines[1:]])


def _kind(value):
    return type(value).__name__


class _Handle:
    """What takes a hook away again."""

    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        if self.hook in self.hooks:
            self.hooks.remove(self.hook)


class _Matched:
    def __repr__(self):
        return "<All keys matched successfully>"


class Module:
    """A function with parameters. Those and the modules in it are its attributes, in the order of their assignment."""

    def __init__(self, *args, **kwargs):
        self.training = True
        self._buffers = {}
        self._hooks = []
        self._pre_hooks = []

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        for hook in self._pre_hooks:
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        out = self.forward(*args, **kwargs)
        for hook in self._hooks:
            changed = hook(self, args, out)
            out = out if changed is None else changed
        return out

    def register_forward_hook(self, hook):
        self._hooks.append(hook)
        return _Handle(self._hooks, hook)

    def register_forward_pre_hook(self, hook):
        self._pre_hooks.append(hook)
        return _Handle(self._pre_hooks, hook)

    def register_full_backward_hook(self, hook):
        raise NotImplementedError("newt has no hooks of modules for the backward pass: use Tensor.register_hook")

    @property
    def _parameters(self):
        return {name: value for name, value in self.__dict__.items() if isinstance(value, Parameter)}

    @property
    def _modules(self):
        return dict(self.named_children())

    def register_parameter(self, name, param):
        setattr(self, name, param)

    def register_buffer(self, name, tensor, persistent=True):
        self._buffers[name] = persistent
        setattr(self, name, tensor)

    def add_module(self, name, module):
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{_kind(module)} is not a Module subclass")
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
            for name in module._buffer_names():
                if getattr(module, name) is not None:
                    yield (path + "." + name if path else name), getattr(module, name)

    def _buffer_names(self):
        return list(self._buffers) + [n for n, v in self.__dict__.items() if isinstance(v, Buffer) and n not in self._buffers]

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
        for name in self._buffer_names():
            if self._buffers.get(name, True) and getattr(self, name) is not None:
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

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        for value in list(self.__dict__.values()):
            if isinstance(value, Parameter):
                value.data = fn(value.data)
                if value.grad is not None:
                    value.grad = fn(value.grad)
        for name in self._buffer_names():
            if getattr(self, name) is not None:
                setattr(self, name, fn(getattr(self, name)))
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
            self.add_module(name, module)

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


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        self.extend(values or [])

    def append(self, value):
        setattr(self, str(self._size), Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value)
        self._size += 1
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([getattr(self, str(i)) for i in range(self._size)])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ParameterList([getattr(self, str(i)) for i in range(*index.indices(self._size))])
        return getattr(self, str(range(self._size)[index]))

    def __setitem__(self, index, value):
        setattr(self, str(range(self._size)[index]), value)

    def __repr__(self):
        lines = []
        for i, p in enumerate(self):
            lines.append(f"    ({i}): " + _described(p))
        return "\n".join(["ParameterList("] + lines + [")"]) if lines else "ParameterList()"


def _described(p):
    if not isinstance(p, torch.Tensor):
        return "Object of type: " + type(p).__name__
    place = f" (GPU {p.get_device()})" if p.is_cuda else ""
    kind = "Parameter" if isinstance(p, Parameter) else "Tensor"
    return f"{kind} containing: [{p.dtype} of size {'x'.join([str(n) for n in p.shape])}{place}]"


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._names = []
        for name, value in (parameters or {}).items():
            self[name] = value

    def __setitem__(self, name, value):
        if name not in self._names:
            self._names.append(name)
        setattr(self, name, Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value)

    def __getitem__(self, name):
        return getattr(self, name)

    def __contains__(self, name):
        return name in self._names

    def __len__(self):
        return len(self._names)

    def __iter__(self):
        return iter(self._names)

    def keys(self):
        return list(self._names)

    def values(self):
        return [getattr(self, name) for name in self._names]

    def items(self):
        return [(name, getattr(self, name)) for name in self._names]

    def __repr__(self):
        lines = [f"    ({name}): {_described(p)}" for name, p in self.items()]
        return "\n".join(["ParameterDict("] + lines + [")"])


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

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
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

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
    _ranks = 2, 3

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__()
        self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        self.track_running_stats = track_running_stats
        self.weight = Parameter(torch.ones(num_features, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(torch.zeros(num_features, device=device, dtype=dtype)) if affine else None
        self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype) if track_running_stats else None)
        self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", torch.tensor(0, device=device) if track_running_stats else None)

    def _check_input_dim(self, input):
        if input.dim() not in self._ranks:
            expected = " or ".join(f"{rank}D" for rank in self._ranks)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
        training = self.training or self.running_mean is None
        return F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, training, self.momentum, self.eps)

    def extra_repr(self):
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, track_running_stats={self.track_running_stats}"


class BatchNorm2d(BatchNorm1d):
    _ranks = 4,


class BatchNorm3d(BatchNorm1d):
    _ranks = 5,


class InstanceNorm1d(Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None):
        super().__init__()
        if track_running_stats:
            raise NotImplementedError("newt has no torch.nn.InstanceNorm with running statistics")
        self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
        self.track_running_stats = track_running_stats
        self.weight = Parameter(torch.ones(num_features, device=device, dtype=dtype)) if affine else None
        self.bias = Parameter(torch.zeros(num_features, device=device, dtype=dtype)) if affine else None

    def forward(self, input):
        return F.instance_norm(input, weight=self.weight, bias=self.bias, eps=self.eps)

    def extra_repr(self):
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, track_running_stats={self.track_running_stats}"


class InstanceNorm2d(InstanceNorm1d):
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
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class _Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return self._function(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


for _name, _function in (("Dropout", F.dropout), ("Dropout1d", F.dropout1d), ("Dropout2d", F.dropout2d), ("AlphaDropout", F.alpha_dropout)):
    globals()[_name] = type(_name, (_Dropout,), {"_function": staticmethod(_function)})


class _Conv(Module):
    def __init__(self, rank, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype):
        super().__init__()
        if padding_mode != "zeros":
            raise NotImplementedError(f"newt has no torch.nn.{type(self).__name__} with padding_mode='{padding_mode}'")
        self.padding_mode = padding_mode
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

    def forward(self, input):
        return self._function(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

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
    _function = staticmethod(F.conv1d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__(1, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype)


class Conv2d(_Conv):
    _function = staticmethod(F.conv2d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__(2, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype)


class Conv3d(_Conv):
    _function = staticmethod(F.conv3d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__(3, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype)


class _ConvTranspose(Module):
    def __init__(self, rank, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, device, dtype):
        super().__init__()
        several = lambda v: v if isinstance(v, tuple) else (v,) * rank
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.padding = several(kernel_size), several(stride), several(padding)
        self.output_padding, self.dilation = several(output_padding), several(dilation)
        self.weight = Parameter(torch.empty((in_channels, out_channels // groups) + self.kernel_size, device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype)) if bias else None
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if bias:
            bound = 1 / math.sqrt(self.weight[0].numel())
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return self._function(input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        rank = len(self.kernel_size)
        for name, plain in (("padding", (0,) * rank), ("dilation", (1,) * rank), ("output_padding", (0,) * rank), ("groups", 1)):
            if getattr(self, name) != plain:
                text += f", {name}={getattr(self, name)}"
        return text if self.bias is not None else text + ", bias=False"


class ConvTranspose1d(_ConvTranspose):
    _function = staticmethod(F.conv_transpose1d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, device=None, dtype=None):
        super().__init__(1, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, device, dtype)


class ConvTranspose2d(_ConvTranspose):
    _function = staticmethod(F.conv_transpose2d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, device=None, dtype=None):
        super().__init__(2, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, device, dtype)


class ConvTranspose3d(_ConvTranspose):
    _function = staticmethod(F.conv_transpose3d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, device=None, dtype=None):
        super().__init__(3, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, device, dtype)


class MaxPool1d(Module):
    _function = staticmethod(F.max_pool1d)

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, stride if stride is not None else kernel_size
        self.padding, self.dilation, self.ceil_mode, self.return_indices = padding, dilation, ceil_mode, return_indices

    def forward(self, input):
        return self._function(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class MaxPool2d(MaxPool1d):
    _function = staticmethod(F.max_pool2d)


class MaxPool3d(MaxPool1d):
    _function = staticmethod(F.max_pool3d)


class AvgPool1d(Module):
    _function = staticmethod(F.avg_pool1d)

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride if stride is not None else kernel_size, padding
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input):
        return self._function(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(AvgPool1d):
    _function = staticmethod(F.avg_pool2d)


class AvgPool3d(AvgPool1d):
    _function = staticmethod(F.avg_pool3d)


class AdaptiveAvgPool1d(Module):
    _function = staticmethod(F.adaptive_avg_pool1d)

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return self._function(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2d(AdaptiveAvgPool1d):
    _function = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(AdaptiveAvgPool1d):
    _function = staticmethod(F.adaptive_avg_pool3d)


class Upsample(Module):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        if scale_factor is not None:
            scale_factor = tuple([float(f) for f in scale_factor]) if isinstance(scale_factor, tuple) else float(scale_factor)
        self.size, self.scale_factor, self.mode, self.align_corners = size, scale_factor, mode, align_corners

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        sized = f"size={self.size!r}" if self.scale_factor is None else f"scale_factor={self.scale_factor!r}"
        return f"{sized}, mode={self.mode!r}"


class Unfold(Module):
    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input):
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f"upscale_factor={self.upscale_factor}"


class ZeroPad2d(Module):
    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)

    def forward(self, input):
        return F.pad(input, self.padding)

    def extra_repr(self):
        return f"{self.padding}"


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(torch.empty((out_features, in1_features, in2_features), device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype)) if bias else None
        bound = 1 / math.sqrt(in1_features)
        init.uniform_(self.weight, -bound, bound)
        if bias:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        out = torch.einsum("...i,oij,...j->...o", input1, self.weight, input2)
        return out if self.bias is None else out + self.bias

    def extra_repr(self):
        return f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class _Activation(Module):
    """A function of torch.nn.functional with fixed arguments. _ACTIVATIONS has a row for each."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        names = list(self._parameters_of)
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__}.__init__() takes from 1 to {len(names) + 1} positional arguments but {len(args) + 1} were given")
        for name in kwargs:
            if name not in names:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
        given = {**self._parameters_of, **dict(zip(names, args)), **kwargs}
        for name, value in given.items():
            setattr(self, name, value)

    def forward(self, input):
        return self._function(input, **{name: getattr(self, name) for name in self._parameters_of})

    def extra_repr(self):
        shown = []
        for name in self._parameters_of:
            value = getattr(self, name)
            if name == "lambd":
                shown.append(repr(value))
            elif name != "inplace" or value:
                shown.append(f"{name}={value!r}")
        return ", ".join(shown)


# name: function, its parameters behind the input with their defaults
_ACTIVATIONS = {
    "ReLU": (F.relu, {"inplace": False}),
    "ReLU6": (F.relu6, {"inplace": False}),
    "SiLU": (F.silu, {"inplace": False}),
    "Mish": (F.mish, {"inplace": False}),
    "SELU": (F.selu, {"inplace": False}),
    "Hardswish": (F.hardswish, {"inplace": False}),
    "Hardsigmoid": (F.hardsigmoid, {"inplace": False}),
    "ELU": (F.elu, {"alpha": 1.0, "inplace": False}),
    "CELU": (F.celu, {"alpha": 1.0, "inplace": False}),
    "LeakyReLU": (F.leaky_relu, {"negative_slope": 0.01, "inplace": False}),
    "Hardtanh": (F.hardtanh, {"min_val": -1.0, "max_val": 1.0, "inplace": False}),
    "Threshold": (F.threshold, {"threshold": None, "value": None, "inplace": False}),
    "Softplus": (F.softplus, {"beta": 1.0, "threshold": 20.0}),
    "Hardshrink": (F.hardshrink, {"lambd": 0.5}),
    "Softshrink": (F.softshrink, {"lambd": 0.5}),
    "GELU": (F.gelu, {"approximate": "none"}),
    "GLU": (F.glu, {"dim": -1}),
    "Softmax": (F.softmax, {"dim": None}),
    "LogSoftmax": (F.log_softmax, {"dim": None}),
    "Softmin": (F.softmin, {"dim": None}),
    "Tanh": (torch.tanh, {}),
    "Sigmoid": (torch.sigmoid, {}),
    "LogSigmoid": (F.logsigmoid, {}),
    "Softsign": (F.softsign, {}),
    "Tanhshrink": (F.tanhshrink, {}),
}

for _name, (_function, _parameters) in _ACTIVATIONS.items():
    globals()[_name] = type(_name, (_Activation,), {"_function": staticmethod(_function), "_parameters_of": _parameters})


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(torch.full((num_parameters,), init, device=device, dtype=dtype))

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, input, target):
        return self._function(input, target, reduction=self.reduction)


for _name, _function in (("MSELoss", F.mse_loss), ("L1Loss", F.l1_loss)):
    globals()[_name] = type(_name, (_Loss,), {"_function": staticmethod(_function)})


class BCELoss(Module):
    _function = staticmethod(F.binary_cross_entropy)

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.register_buffer("weight", weight)
        self.reduction = reduction

    def forward(self, input, target):
        return self._function(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(BCELoss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(weight, reduction=reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, weight=self.weight, reduction=self.reduction, pos_weight=self.pos_weight)


class SmoothL1Loss(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(reduction=reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


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


class NonDynamicallyQuantizableLinear(Linear):
    pass


class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        if add_bias_kv or add_zero_attn or kdim not in (None, embed_dim) or vdim not in (None, embed_dim):
            raise NotImplementedError("newt has no torch.nn.MultiheadAttention with add_bias_kv, add_zero_attn, kdim or vdim")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.in_proj_weight = Parameter(torch.empty((3 * embed_dim, embed_dim), device=device, dtype=dtype))
        self.in_proj_bias = Parameter(torch.zeros(3 * embed_dim, device=device, dtype=dtype)) if bias else None
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        init.xavier_uniform_(self.in_proj_weight)
        if bias:
            init.zeros_(self.out_proj.bias)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        batched = query.dim() == 3
        q, k, v = (query, key, value) if batched else (query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1))
        if self.batch_first and batched:
            q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
        elif self.batch_first:
            pass  # without a batch, the sequence comes first anyway
        length, n = q.shape[0], q.shape[1]
        weights = self.in_proj_weight.chunk(3)
        biases = self.in_proj_bias.chunk(3) if self.in_proj_bias is not None else (None, None, None)
        heads = []
        for x, w, b in zip((q, k, v), weights, biases):
            x = F.linear(x, w, b)
            heads.append(x.reshape(x.shape[0], n * self.num_heads, self.head_dim).transpose(0, 1))
        q, k, v = heads
        scores = (q * (1.0 / math.sqrt(self.head_dim))) @ k.transpose(-2, -1)
        if attn_mask is not None:
            mask = attn_mask
            scores = scores.masked_fill(mask, float("-inf")) if mask.dtype == torch.bool else scores + mask
        if key_padding_mask is not None:
            hidden = key_padding_mask.reshape(n, 1, 1, -1).expand(-1, self.num_heads, -1, -1).reshape(n * self.num_heads, 1, -1)
            scores = scores.masked_fill(hidden, float("-inf")) if hidden.dtype == torch.bool else scores + hidden
        attention = F.softmax(scores, dim=-1)
        attention = F.dropout(attention, self.dropout, self.training)
        out = (attention @ v).transpose(0, 1).reshape(length, n, self.embed_dim)
        out = self.out_proj(out)
        if self.batch_first and batched:
            out = out.transpose(0, 1)
        if not batched:
            out = out.squeeze(1)
        if not need_weights:
            return out, None
        attention = attention.view(n, self.num_heads, length, -1)
        if average_attn_weights:
            attention = attention.mean(dim=1)
        return out, attention if batched else attention.squeeze(0)


class TransformerEncoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        kind = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **kind)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **kind)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **kind)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **kind)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **kind)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = {"relu": F.relu, "gelu": F.gelu}[activation] if isinstance(activation, str) else activation

    def _attend(self, x, mask, padding):
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)[0])

    def _feed(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self._feed(self.norm2(x))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self._feed(x))


class _Recurrent(Module):
    """A stack of layers that walk a sequence. A cell has gates times hidden_size rows."""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        super().__init__()
        if bidirectional:
            raise NotImplementedError(f"newt has no torch.nn.{type(self).__name__} in both directions")
        self.input_size, self.hidden_size, self.num_layers, self.bias = input_size, hidden_size, num_layers, bias
        self.batch_first, self.dropout, self.bidirectional = batch_first, dropout, bidirectional
        rows = self._gates * hidden_size
        for layer in range(num_layers):
            shapes = {"weight_ih": (rows, input_size if layer == 0 else hidden_size), "weight_hh": (rows, hidden_size)}
            if bias:
                shapes.update(bias_ih=(rows,), bias_hh=(rows,))
            for name, shape in shapes.items():
                setattr(self, f"{name}_l{layer}", Parameter(torch.empty(shape, device=device, dtype=dtype)))
        bound = 1.0 / math.sqrt(hidden_size)
        for p in self.parameters():
            init.uniform_(p, -bound, bound)

    def _products(self, layer, x, h):
        """What the input and the hidden state come to, one part a gate."""
        sums = []
        for kind, value in (("ih", x), ("hh", h)):
            b = getattr(self, f"bias_{kind}_l{layer}") if self.bias else None
            sums.append(F.linear(value, getattr(self, f"weight_{kind}_l{layer}"), b).chunk(self._gates, dim=-1))
        return sums

    def forward(self, input, hx=None):
        batched = input.dim() == 3
        x = input if batched else input.unsqueeze(1)
        if self.batch_first and batched:
            x = x.transpose(0, 1)
        states = self._begin(x, hx, batched)
        last = []
        for layer in range(self.num_layers):
            state = tuple([s[layer] for s in states])
            steps = []
            for t in range(x.shape[0]):
                state = self._step(layer, x[t], state)
                steps.append(state[0])
            x = torch.stack(steps)
            if self.dropout and layer + 1 < self.num_layers:
                x = F.dropout(x, self.dropout, self.training)
            last.append(state)
        out = x.transpose(0, 1) if self.batch_first and batched else x
        final = tuple([torch.stack(s) for s in zip(*last)])
        if not batched:
            out, final = out.squeeze(1), tuple([s.squeeze(1) for s in final])
        return out, final if len(final) > 1 else final[0]

    def _begin(self, x, hx, batched):
        if hx is None:
            zeros = torch.zeros((self.num_layers, x.shape[1], self.hidden_size), dtype=x.dtype, device=x.device)
            return (zeros,) * self._states
        hx = hx if isinstance(hx, tuple) else (hx,)
        return hx if batched else tuple([h.unsqueeze(1) for h in hx])

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        for name, plain in (("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0.0)):
            if getattr(self, name) != plain:
                text += f", {name}={getattr(self, name)}"
        return text


class RNN(_Recurrent):
    _gates, _states = 1, 1

    def _step(self, layer, x, state):
        (i,), (h,) = self._products(layer, x, state[0])
        return (torch.tanh(i + h),)


class LSTM(_Recurrent):
    _gates, _states = 4, 2

    def _step(self, layer, x, state):
        inputs, hiddens = self._products(layer, x, state[0])
        i, f, g, o = [a + b for a, b in zip(inputs, hiddens)]
        c = torch.sigmoid(f) * state[1] + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class GRU(_Recurrent):
    _gates, _states = 3, 1

    def _step(self, layer, x, state):
        (ri, zi, ni), (rh, zh, nh) = self._products(layer, x, state[0])
        r, z = torch.sigmoid(ri + rh), torch.sigmoid(zi + zh)
        n = torch.tanh(ni + r * nh)
        return ((1 - z) * n + z * state[0],)


# The modules below torch.nn that torch's own classes say that they are of.
Module.__module__ = "torch.nn.modules.module"
