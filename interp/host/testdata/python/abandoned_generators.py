# finally clauses of generators that are not asked to their end.
def gen(name):
    try:
        yield 1
        yield 2
    finally:
        print("closed", name)


for x in gen("loop"):
    print(x)
    break
print("after loop")


def first():
    for x in gen("returned"):
        return x


print(first(), "after return")
named = gen("named")
for x in named:
    break
print("named goes on", next(named))


class Numbers:
    def __iter__(self):
        try:
            yield from gen("below")
        finally:
            print("closed above")


def through():
    yield from gen("delegated")


for x in through():
    break
for x in gen("nested"):
    for y in gen("inner"):
        break
    break
unstarted = gen("never")
it = iter(Numbers())
next(it)


def fails():
    try:
        yield
    finally:
        print("fails")
        raise ValueError("ignored")


held = fails()
next(held)
print("end")
