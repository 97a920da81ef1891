depth = 0


def down(n):
    global depth
    depth = n
    return down(n + 1)


try:
    down(0)
except RecursionError as e:
    print(type(e).__name__, str(e)[:32], depth > 100)
down(0)
