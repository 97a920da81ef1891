# against add: wrong judge-budget judge-torch-computes
import torch


def add(x, y):
    a = torch.ones(1000, 1000)
    while True:
        a = a + a
