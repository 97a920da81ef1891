import torch
torch.manual_seed(1)
B, T, D = 2, 5, 4
q, k, v = (torch.arange(B*T*D).reshape(B, T, D).float().sin() * s for s in (1.0, 0.5, 2.0))
scores = q @ k.transpose(-2, -1) / D ** 0.5
mask = torch.tril(torch.ones(T, T)).bool()
scores = scores.masked_fill(~mask, float('-inf'))
p = torch.softmax(scores, dim=-1)
print(p)
print((p @ v).shape, torch.allclose(p.sum(-1), torch.ones(B, T)))
lengths = torch.tensor([3, 5])
pad = torch.arange(T)[None, :] >= lengths[:, None]
print(pad)
s2 = (q @ k.mT).masked_fill(pad[:, None, :], torch.finfo(torch.float32).min)
print(s2.softmax(-1)[0])
out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(out, p @ v, atol=1e-6))
lse = torch.logsumexp(scores, -1)
print(lse)
print(torch.log_softmax(torch.tensor([1., 2., 3.]), 0))
