from tabulate import tabulate
from tqdm import tqdm

rows = [["add", 1024, 0.5], ["matmul", 4096, 12.25], ["softmax", 77, 3]]
print(tabulate(rows))
print(tabulate(rows, headers=["kernel", "size", "ms"]))
print(tabulate(rows, headers=["kernel", "size", "ms"], tablefmt="github", floatfmt=".3f"))
print(tabulate(rows, headers=["kernel", "size", "ms"], tablefmt="grid"))
print(tabulate({"a": [1, 2], "b": ["x", "yy"]}, headers="keys", tablefmt="pipe"))
print(tabulate([{"n": 1, "t": 2.5}], headers="keys", showindex=True))
print(tabulate(rows, tablefmt="plain"), tabulate([], headers=["a"]), sep="\n")
total = 0
for i in tqdm(range(5), desc="work", disable=True):
    total += i
print(total)
