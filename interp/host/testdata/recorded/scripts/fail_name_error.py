def total(values):
    result = 0
    for v in values:
        result += v
    return reslt


print("computing")
print(total([1, 2, 3]))
