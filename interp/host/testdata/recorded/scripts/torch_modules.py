import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.LayerNorm(8), nn.Dropout(0.1), nn.Linear(8, 2, bias=False))
print(model)
print(sum(p.numel() for p in model.parameters()))
for name, p in model.named_parameters():
    print(f"{name:<12}{tuple(p.shape)}")
model = model.to("cuda").eval()
print(next(model.parameters()).device, model.training)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.act = nn.GELU()
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = self.act(layer(x))
        return x * self.scale


net = Net()
print(net)
print(list(net.state_dict().keys()))
for p in net.parameters():
    nn.init.constant_(p, 0.1)
out = net(torch.tensor([1, 2, 3]))
print(out.shape, out[0])
print(net.scale, [n for n, _ in net.named_modules()])
print(nn.Linear(3, 3), nn.Softmax(dim=-1), nn.Conv1d(1, 2, 3), nn.Identity(), nn.CrossEntropyLoss(), nn.Embedding(5, 2))
torch.manual_seed(0)
lin = nn.Linear(3, 2)
print(lin.weight, lin.bias, lin(torch.ones(1, 3)), sep="\n")
