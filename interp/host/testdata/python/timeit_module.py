import gc
import timeit

calls = []
timer = timeit.Timer(lambda: calls.append(gc.isenabled()))
print(timer.timeit(3) >= 0, calls, gc.isenabled())
print([taken >= 0 for taken in timer.repeat(2, 1)], len(calls))
space = {"calls": calls}
print(timeit.timeit("calls.append(start)", "start = 7", number=2, globals=space) >= 0, calls[-2:], sorted(space)[-1])
print(len(timeit.repeat("calls.clear()", repeat=2, number=1, globals=space)), calls)
number, taken = timeit.Timer("pass", timer=iter([0, 0.05, 0, 0.1, 1, 1.3]).__next__).autorange(lambda n, t: print(n, round(t, 2)))
print(number, round(taken, 2))
for bad in 3, None:
    try:
        timeit.Timer(bad)
    except ValueError as e:
        print(e)
try:
    timeit.timeit(lambda: 1 // 0, number=1)
except ZeroDivisionError as e:
    print(e, gc.isenabled())
