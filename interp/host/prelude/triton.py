from triton.compiler import compile
