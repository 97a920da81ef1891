import torch

# By hand, with LAPACK's signs for the QR factorization.
a = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
print(torch.linalg.inv(a), torch.inverse(a).equal(torch.linalg.inv(a)))
print(torch.linalg.det(a), torch.linalg.slogdet(a).logabsdet, torch.linalg.solve(a, torch.tensor([1.0, 2.0])))
q, r = torch.linalg.qr(torch.tensor([[3.0, 5.0], [4.0, 0.0]]))
print(q, r)
print(torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 3.0]])))
print(torch.linalg.svdvals(torch.tensor([[3.0, 0.0], [4.0, 5.0]])))
u, s, v = torch.linalg.svd(torch.arange(6.0).view(3, 2), full_matrices=False)
print(torch.allclose(u @ torch.diag(s) @ v, torch.arange(6.0).view(3, 2), atol=1e-6))
print([f"{torch.linalg.matrix_norm(a, p):.4f}" for p in ("fro", "nuc", 1, float("inf"), 2)])
print(torch.linalg.norm(torch.tensor([3.0, 4.0])), torch.linalg.vector_norm(a, 1, dim=1), torch.linalg.matrix_rank(torch.ones(3, 3)))
d = a.double().requires_grad_()
b = torch.tensor([[1.0], [2.0]], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(torch.linalg.inv, (d,)), torch.autograd.gradcheck(torch.linalg.det, (d,)))
print(torch.autograd.gradcheck(torch.linalg.solve, (d, b)))
try:
    torch.linalg.inv(torch.ones(2, 2))
except torch.linalg.LinAlgError as e:
    print(e)
print(torch.combinations(torch.arange(3)), torch.special.expit(torch.tensor(0.0)))
