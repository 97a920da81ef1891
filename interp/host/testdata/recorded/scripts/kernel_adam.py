from dataclasses import dataclass

import torch
import triton
import triton.language as tl


@dataclass
class AdamConfig:
    lr: float = 1e-2
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    weight_decay: float = 0.0


@triton.jit
def adam_kernel(p_ptr, g_ptr, m_ptr, v_ptr, n, lr, beta1, beta2, eps, wd, bias1, bias2, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    p = tl.load(p_ptr + offs, mask=mask)
    g = tl.load(g_ptr + offs, mask=mask)
    m = tl.load(m_ptr + offs, mask=mask)
    v = tl.load(v_ptr + offs, mask=mask)
    p = p * (1 - lr * wd)
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    update = (m / bias1) / (tl.sqrt(v / bias2) + eps)
    tl.store(p_ptr + offs, p - lr * update, mask=mask)
    tl.store(m_ptr + offs, m, mask=mask)
    tl.store(v_ptr + offs, v, mask=mask)


config = AdamConfig(lr=0.1)
print(config)
n = 300
param = torch.linspace(-1, 1, n, device="cuda")
reference = torch.nn.Parameter(param.clone())
optimizer = torch.optim.Adam([reference], lr=config.lr)
m = torch.zeros_like(param)
v = torch.zeros_like(param)
for step in range(1, 6):
    grad = 2 * param
    adam_kernel[(triton.cdiv(n, 128),)](param, grad, m, v, n, config.lr, config.beta1, config.beta2, config.eps,
                                        config.weight_decay, 1 - config.beta1**step, 1 - config.beta2**step, BLOCK=128)
    optimizer.zero_grad()
    (reference ** 2).sum().backward()
    optimizer.step()
    print(step, torch.allclose(param, reference, atol=1e-5), round(param.abs().max().item(), 3))
