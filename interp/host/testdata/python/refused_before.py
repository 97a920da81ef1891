# What was refused although it is plain Python.
import math

xs = [1, 2, 3]
if sum(a
        for a in xs if a > 1) == 5:
    print("ok")
while max(x
          for x in xs
          if x < 3) > 5:
    pass
print(len(str(math.factorial(1000))), 2**5000 % 97, 7**4000 // 3 % 1000, math.comb(1000, 500) % 1000007, (1 << 9000).bit_length())
try:
    import nothing_of_this_name
except ModuleNotFoundError as e:
    print(e.name, e.path)
