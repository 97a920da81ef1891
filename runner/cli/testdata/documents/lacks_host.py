"""Nor is it quoted as Python's or torch's."""
import torch


def lookup(x):
    return x.geqrf()


print("abc".casefold() if hasattr("abc", "casefold") else "no casefold")
lookup(torch.eye(2))
