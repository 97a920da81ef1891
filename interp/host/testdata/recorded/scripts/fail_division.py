def ratio(a, b):
    return a / b


print("before")
print(ratio(6, 3))
print(ratio(1, 0))
print("never")
