import string, heapq
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(string.ascii_letters, string.punctuation, repr(string.printable), string.hexdigits, string.octdigits, string.capwords("hello  wORLD x"), string.capwords("a-b", "-"))
T = string.Template
print(T("$a ${b} $$ $c").safe_substitute(a=1, b=2), T("$who likes $what").substitute({"who": "x"}, what="y"), T("$a").template, T("${a}b").substitute(a="é"), T("$A_1").substitute(A_1=3))
t(lambda: T("$a").substitute()); t(lambda: T("x $ y").substitute()); t(lambda: T("l1\nab $1").substitute()); t(lambda: T("$").substitute()); t(lambda: T("${a").safe_substitute(a=1))
print(heapq.nsmallest(2, [3, 1, 2]), heapq.nlargest(2, "abc", key=ord), heapq.nsmallest(-1, [1]), list(heapq.merge([1, 4], [2, 3], [])), list(heapq.merge([3, 1], [2], reverse=True)), list(heapq.merge(["a", "ccc"], ["bb"], key=len)), list(heapq.merge()))
h = []; [heapq.heappush(h, x) for x in [3, 1, 2]]; print(h, heapq.heappop(h), heapq.heappushpop(h, 0), heapq.heapreplace(h, 9), h)
