import torch

a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
for n in (0, 1, 2, 3, 5, 10):
    print(torch.matrix_power(a, n))
print(torch.linalg.matrix_power(a, 4), a.matrix_power(7))
print(torch.linalg.matrix_power(torch.stack([a, a.T]), 6))
print(torch.linalg.matrix_power(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), -3))
print(torch.linalg.matrix_power(torch.eye(3) / 2, 100)[0, 0].item())
for wrong in (torch.ones(2, 3), torch.ones(3)):
    try:
        torch.linalg.matrix_power(wrong, 2)
    except RuntimeError as e:
        print(e)
