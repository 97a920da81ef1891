import math


class StatisticsError(ValueError):
    pass


def _data(data, least, what):
    data = list(data)
    if len(data) < least:
        raise StatisticsError(what)
    return data


def _number(total, integers):
    return int(total) if integers and total == int(total) else total


def mean(data):
    data = _data(data, 1, "mean requires at least one data point")
    return _number(math.fsum(data) / len(data), all(isinstance(x, int) for x in data))


def fmean(data):
    data = _data(data, 1, "fmean requires at least one data point")
    return math.fsum(data) / len(data)


def median(data):
    data = sorted(_data(data, 1, "no median for empty data"))
    n = len(data)
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def variance(data):
    data = _data(data, 2, "variance requires at least two data points")
    center = math.fsum(data) / len(data)
    return math.fsum([(x - center) ** 2 for x in data]) / (len(data) - 1)


def pstdev(data):
    data = _data(data, 1, "pstdev requires at least one data point")
    center = math.fsum(data) / len(data)
    return math.sqrt(math.fsum([(x - center) ** 2 for x in data]) / len(data))


def stdev(data):
    return math.sqrt(variance(_data(data, 2, "stdev requires at least two data points")))
