from triton.compiler import ASTSource, CompiledKernel, compile, make_backend
