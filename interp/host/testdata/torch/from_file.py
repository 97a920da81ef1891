import struct
import torch

with open("x.bin", "wb") as f:
    f.write(struct.pack("<6f", 1, 2, 3, 4, 5, 6))
x = torch.from_file("x.bin", size=6)
print(x, torch.from_file("x.bin", False, 2, dtype=torch.int32), x.device)
x[0] = 7
print(torch.from_file("x.bin", size=1), torch.from_file("x.bin", size=24, dtype=torch.uint8).view(torch.float16).shape)
for name, size in (("x.bin", 7), ("y.bin", 1), ("x.bin", -1)):
    try:
        torch.from_file(name, size=size)
    except RuntimeError as e:
        print(e)
