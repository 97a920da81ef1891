import argparse

import torch
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, n, factor, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(x_ptr + offs, x * factor, mask=offs < n)


def main():
    parser = argparse.ArgumentParser(description="Scale a vector")
    parser.add_argument("--n", type=int, default=10, help="number of elements")
    parser.add_argument("--factor", type=float, default=2.5)
    parser.add_argument("--dtype", choices=["float32", "float16"], default="float32")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    print(args)
    x = torch.arange(args.n, device="cuda").to(getattr(torch, args.dtype))
    scale[(triton.cdiv(args.n, 16),)](x, args.n, args.factor, BLOCK=16)
    if args.verbose:
        print("verbose")
    print(x)


if __name__ == "__main__":
    main()
