import torch
import triton
import triton.language as tl


@triton.jit
def life(src, dst, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    neighbours = tl.zeros((BLOCK,), tl.int32)
    for dy in tl.static_range(-1, 2):
        for dx in tl.static_range(-1, 2):
            if dx != 0 or dy != 0:
                r = (row + dy + N) % N
                c = (cols + dx + N) % N
                neighbours += tl.load(src + r * N + c, mask=mask, other=0)
    alive = tl.load(src + row * N + cols, mask=mask, other=0)
    new = (neighbours == 3) | ((alive == 1) & (neighbours == 2))
    tl.store(dst + row * N + cols, new.to(tl.int32), mask=mask)


def show(board):
    for row in board.tolist():
        print("".join(".#"[c] for c in row))


N = 8
board = torch.zeros((N, N), dtype=torch.int32, device="cuda")
for r, c in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]:
    board[r, c] = 1
for generation in range(5):
    print(f"generation {generation}: {board.sum()} alive")
    show(board)
    other = torch.empty_like(board)
    life[(N,)](board, other, N, BLOCK=triton.next_power_of_2(N))
    board = other
