import random
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for seed in [0, 5, -3, "abc", 2**100, 1.5, b"xy"]:
    random.seed(seed)
    print(random.random(), random.randint(1, 100), random.randrange(0, 100, 7), random.choice("abc"), random.sample(range(100), 5), random.sample(range(1000), 50)[:4], random.choices([1,2,3], [1,2,3], k=4), random.choices("abcd", k=3))
    l = list(range(10)); random.shuffle(l); print(l, random.getrandbits(70), random.uniform(2, 5), random.gauss(0, 1), random.gauss(1, 2), random.normalvariate(), random.expovariate(2), random.gammavariate(2, 3), random.gammavariate(.5, 1), random.gammavariate(1,1), random.betavariate(1, 2), random.triangular(0, 3, 1), random.paretovariate(3), random.weibullvariate(1, 2), random.lognormvariate(0, 1), random.randbytes(5))
s = random.getstate(); a = random.random(); random.setstate(s); print(a == random.random(), s[0], len(s[1]), s[2])
r = random.Random(4); print(r.random(), r.randint(0, 2**80))
for f in [lambda: random.randrange(0), lambda: random.randrange(5, 2), lambda: random.randrange(1, 2, 0), lambda: random.choice([]), lambda: random.sample([1], 2), lambda: random.sample({1}, 1), lambda: random.choices([], k=1), lambda: random.choices([1], [0]), lambda: random.choices([1], [1, 2]), lambda: random.gammavariate(0, 1), lambda: random.seed([]), lambda: random.randint(5, 1), lambda: random.sample([1, 2], counts=[3, 1], k=3), lambda: random.randrange(10, 0, -3), lambda: random.getrandbits(-1)]:
    t(f)
class R(random.Random):
    def random(self): return 0.5
print(R().uniform(0, 2), type(random.Random()).__name__)
