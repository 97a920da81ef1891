# against add: wrong judge-not-computed judge-torch-computes
# Work on another stream escapes a timer, and is work of torch all the same.
import torch
import triton
import triton.language as tl


def add(x, y):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        return x + y
