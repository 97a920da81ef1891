# against linear_module: wrong judge-not-computed judge-torch-computes
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 24)

    def forward(self, x):
        return torch.relu(self.linear(x))
