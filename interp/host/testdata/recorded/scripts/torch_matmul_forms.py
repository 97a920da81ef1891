import torch

a = torch.arange(6, device="cuda").float().view(2, 3)
b = torch.arange(12, device="cuda").float().view(3, 4)
v = torch.tensor([1., 0., 2.], device="cuda")
print(a @ b, torch.matmul(a, v), a.mm(b).sum(), torch.mv(a, v), torch.dot(v, v), sep="\n")
print(torch.einsum("ij,jk->ik", a, b).equal(a @ b), torch.einsum("ij->ji", a).shape, torch.einsum("ii", torch.eye(3)))
print(torch.einsum("i,j->ij", v, v), torch.outer(v, v).equal(v[:, None] * v[None, :]), torch.einsum("bij,bjk->bik", a[None], b[None]).shape)
print(torch.addmm(torch.ones(4, device="cuda"), a, b, beta=2, alpha=0.5))
print(torch.bmm(a.expand(3, 2, 3), b.expand(3, 3, 4))[2, 1], torch.baddbmm(torch.zeros(1, 2, 4, device="cuda"), a[None], b[None]).shape)
print((a.half() @ b.half()).dtype, (a.double() @ b.double()).dtype, torch.linalg.norm(v), torch.kron(torch.eye(2), torch.ones(1, 2)))
print(torch.nn.functional.linear(a, b.T, torch.ones(4, device="cuda")), torch.tensordot(a, b, dims=1).shape)
print(torch.inner(v, v), torch.cross(torch.tensor([1., 0, 0]), torch.tensor([0., 1, 0]), dim=0), torch.trace(b[:, :3]))
