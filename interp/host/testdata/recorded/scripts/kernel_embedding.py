import torch
import triton
import triton.language as tl


@triton.jit
def embedding_kernel(ids_ptr, table_ptr, out_ptr, D: tl.constexpr):
    i = tl.program_id(0)
    token = tl.load(ids_ptr + i)
    d = tl.arange(0, D)
    tl.store(out_ptr + i * D + d, tl.load(table_ptr + token * D + d))


table = torch.arange(40, dtype=torch.float32, device="cuda").reshape(10, 4) / 10
ids = torch.tensor([[1, 9, 0], [3, 3, 7]], device="cuda")
out = torch.empty(*ids.shape, 4, device="cuda")
embedding_kernel[(ids.numel(),)](ids, table, out, D=4)
print(out)
print(torch.equal(out, torch.nn.functional.embedding(ids, table)), torch.equal(out, table[ids]))
