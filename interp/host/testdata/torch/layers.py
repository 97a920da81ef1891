import torch
import torch.nn as nn
import torch.nn.functional as F

# Layers against the formulas of torch's documentation; the resized pictures are its examples.
torch.manual_seed(0)
lstm, x = nn.LSTM(3, 4), torch.randn(5, 2, 3)
h = c = torch.zeros(2, 4)
steps = []
for t in range(5):
    i, f, g, o = (x[t] @ lstm.weight_ih_l0.T + lstm.bias_ih_l0 + h @ lstm.weight_hh_l0.T + lstm.bias_hh_l0).chunk(4, 1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    steps.append(h)
out, (hn, cn) = lstm(x)
print(torch.allclose(out, torch.stack(steps)), torch.allclose(hn[0], h), torch.allclose(cn[0], c))
print(nn.GRU(3, 4, num_layers=2)(x)[1].shape, nn.RNN(3, 4, batch_first=True)(x)[0].shape)
attention, y = nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(2, 5, 8)
q, k, v = [p.view(2, 5, 2, 4).transpose(1, 2) for p in F.linear(y, attention.in_proj_weight, attention.in_proj_bias).chunk(3, -1)]
want = attention.out_proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(2, 5, 8))
got, weights = attention(y, y, y)
print(torch.allclose(got, want, atol=1e-6), weights.shape, torch.allclose(weights.sum(-1), torch.ones(2, 5)))
print(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()(y).shape)
picture = torch.arange(1.0, 5.0).view(1, 1, 2, 2)
print(nn.Upsample(scale_factor=2, mode="bilinear")(picture))
print(F.interpolate(picture, scale_factor=2, mode="bilinear", align_corners=True))
print(F.interpolate(picture, size=3)[0, 0].tolist())
image = torch.randn(1, 2, 5, 5, dtype=torch.float64, requires_grad=True)
kernel = torch.randn(3, 2, 3, 3, dtype=torch.float64)
result = F.conv2d(image, kernel, stride=2, padding=1)
seed = torch.randn_like(result)
(gradient,) = torch.autograd.grad(result, image, seed)
print(torch.allclose(gradient, F.conv_transpose2d(seed, kernel, stride=2, padding=1)))
print(F.adaptive_avg_pool1d(torch.arange(5.0).view(1, 1, 5), 3), F.unfold(picture, 2).flatten())
z = torch.tensor([-1.0, 1.0])
F.relu(z, inplace=True)
print(z, F.leaky_relu_(torch.tensor([-1.0])), nn.ReLU(inplace=True), nn.Softshrink(), nn.CELU(inplace=True))
print(nn.ModuleList([nn.Tanh(), nn.Tanh()]), nn.GELU()(z))
