import torch
import triton
import triton.language as tl


@triton.jit
def bmm_kernel(A, B, C, M, N, K, sab, sam, sak, sbb, sbk, sbn, scb, scm, scn, BLOCK: tl.constexpr):
    batch = tl.program_id(2)
    rm = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rn = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    rk = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, K, BLOCK):
        a = tl.load(A + batch * sab + rm[:, None] * sam + (k + rk)[None, :] * sak,
                    mask=(rm[:, None] < M) & ((k + rk)[None, :] < K), other=0.0)
        b = tl.load(B + batch * sbb + (k + rk)[:, None] * sbk + rn[None, :] * sbn,
                    mask=((k + rk)[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.store(C + batch * scb + rm[:, None] * scm + rn[None, :] * scn, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


a = (torch.arange(2 * 20 * 24, device="cuda") % 7).float().view(2, 20, 24)
b = (torch.arange(2 * 24 * 18, device="cuda") % 5).float().view(2, 24, 18)
c = torch.empty(2, 20, 18, device="cuda")
bmm_kernel[(2, 2, 2)](a, b, c, 20, 18, 24, *a.stride(), *b.stride(), *c.stride(), BLOCK=16)
print(torch.equal(c, torch.bmm(a, b)), torch.equal(c, torch.einsum("bmk,bkn->bmn", a, b)))
print(c[0, :3, :5])
print(c.mean(dim=(1, 2)))
