"""Nor is it quoted as Python's or torch's."""
import torch


def lookup(x):
    return x.cholesky()


print("abc".swapcase() if hasattr("abc", "swapcase") else "no swapcase")
lookup(torch.eye(2))
