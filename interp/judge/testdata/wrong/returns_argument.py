# against scale: wrong judge-not-computed judge-result-is-argument judge-wrong-values
import torch
import triton
import triton.language as tl


def scale(x, factor):
    return x
