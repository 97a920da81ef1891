import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_relu_kernel(x_ptr, w_ptr, b_ptr, y_ptr, IN: tl.constexpr, OUT: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, IN)
    o = tl.arange(0, OUT)
    x = tl.load(x_ptr + row * IN + i)
    w = tl.load(w_ptr + o[:, None] * IN + i[None, :])
    y = tl.sum(w * x[None, :], axis=1) + tl.load(b_ptr + o)
    tl.store(y_ptr + row * OUT + o, tl.maximum(y, 0.0))


class LinearReLU(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(out_features, in_features))
        self.bias = nn.Parameter(torch.full((out_features,), -0.5))

    def forward(self, x):
        y = torch.empty(x.shape[0], self.weight.shape[0], device=x.device)
        linear_relu_kernel[(x.shape[0],)](x, self.weight, self.bias, y, *reversed(self.weight.shape))
        return y

    def extra_repr(self):
        return f"in_features={self.weight.shape[1]}, out_features={self.weight.shape[0]}"


layer = LinearReLU(8, 4).to("cuda")
print(layer)
for name, p in layer.named_parameters():
    print(name, tuple(p.shape), p.device, p.requires_grad)
x = torch.arange(16, device="cuda").float().view(2, 8)
with torch.no_grad():
    y = layer(x)
    ref = torch.relu(nn.functional.linear(x, layer.weight, layer.bias))
print(y)
print(torch.allclose(y, ref))
print(sum(p.numel() for p in layer.parameters()))
