import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.linspace(-1, 1, 64).unsqueeze(1).cuda()
y = 3 * x + 0.5
w = torch.zeros(1, 1, device="cuda", requires_grad=True)
b = torch.zeros(1, device="cuda", requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.3)
for epoch in range(40):
    loss = F.mse_loss(x @ w + b, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.4f}")
print(f"w = {w.item():.2f}, b = {b.item():.2f}")
