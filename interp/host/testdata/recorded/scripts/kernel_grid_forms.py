import torch
import triton
import triton.language as tl


@triton.jit
def where_am_i(out, NX: tl.constexpr, NY: tl.constexpr):
    x = tl.program_id(0)
    y = tl.program_id(1)
    z = tl.program_id(2)
    tl.store(out + (z * NY + y) * NX + x, 100 * z + 10 * y + x + 1000 * tl.num_programs(0))


def launch(grid, nx=2, ny=3):
    out = torch.zeros(2, ny, nx, dtype=torch.int32, device="cuda")
    where_am_i[grid](out, NX=nx, NY=ny)
    return out.tolist()


print(launch((2, 3, 2)))
print(launch((2, 3)))
print(launch((2,)))
print(launch([2, 3]))
print(launch(lambda meta: (meta["NX"], meta["NY"])))
print(launch(lambda meta: (meta["NX"], meta["NY"], 2))[1][2])
print(where_am_i.run(torch.zeros(12, dtype=torch.int32, device="cuda"), NX=2, NY=3, grid=(1,), warmup=False) is not None)
