import torch
import torch.nn.functional as F

x = torch.tensor([[-1.0, 0.0, 0.5], [2.0, -3.0, 1.0]], device="cuda")
for name in ["relu", "gelu", "silu", "sigmoid", "tanh", "softplus", "leaky_relu", "elu", "hardtanh", "relu6", "logsigmoid", "mish"]:
    print(f"{name:<11}{getattr(F, name)(x)[0]}")
print(F.softmax(x, dim=-1), F.log_softmax(x, dim=1), sep="\n")
print(F.layer_norm(x, (3,)), F.normalize(x, dim=1), F.rms_norm(x, (3,)), sep="\n")
target = torch.tensor([2, 0], device="cuda")
print(F.cross_entropy(x, target), F.nll_loss(F.log_softmax(x, 1), target), F.cross_entropy(x, target, reduction="none"))
print(F.mse_loss(x, torch.zeros_like(x)), F.l1_loss(x, torch.zeros_like(x)), F.smooth_l1_loss(x, torch.zeros_like(x)))
print(F.binary_cross_entropy_with_logits(x, torch.ones_like(x)))
print(F.pad(x, (1, 2), value=9.0), F.one_hot(target, 4), F.embedding(target, x.T.contiguous()), sep="\n")
print(F.dropout(x, 0.5, training=False).equal(x), F.cosine_similarity(x[0] + 1, x[1], dim=0))
img = torch.arange(16, device="cuda").float().view(1, 1, 4, 4)
print(F.max_pool2d(img, 2), F.avg_pool2d(img, 2), F.conv2d(img, torch.ones(1, 1, 3, 3, device="cuda")), sep="\n")
print(F.interpolate(img, scale_factor=2, mode="nearest").shape, F.unfold(img, 2).shape)
