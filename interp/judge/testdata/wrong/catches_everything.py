# against add: wrong host-steps
# Nothing that ends a run can be caught.
import torch
import triton
import triton.language as tl


def add(x, y):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
