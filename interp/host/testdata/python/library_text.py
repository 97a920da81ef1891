import textwrap, statistics
print(textwrap.dedent("""
    a
      b

    c
"""), textwrap.indent("x\n\ny\n", "> "))
print(statistics.mean([1, 2, 3, 4]), statistics.mean([1, 3]), statistics.median([3, 1, 2]), statistics.median([1, 2, 3, 4]))
print(statistics.stdev([1.0, 2.0, 4.0]), statistics.fmean([1, 2]), statistics.pstdev([1, 2, 3, 4]))
try:
    statistics.mean([])
except statistics.StatisticsError as e:
    print(e)
