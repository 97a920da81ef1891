# against add: wrong judge-not-computed judge-torch-computes
import torch
import triton
import triton.language as tl


def add(x, y):
    return x + y
