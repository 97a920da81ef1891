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


def pvariance(data):
    data = _data(data, 1, "pvariance requires at least one data point")
    center = math.fsum(data) / len(data)
    return math.fsum([(x - center) ** 2 for x in data]) / len(data)


def median_low(data):
    data = sorted(_data(data, 1, "no median for empty data"))
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(_data(data, 1, "no median for empty data"))
    return data[len(data) // 2]


def multimode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    most = max(counts.values(), default=0)
    return [x for x, n in counts.items() if n == most]


def mode(data):
    data = _data(data, 1, "no mode for empty data")
    return multimode(data)[0]


def geometric_mean(data):
    data = _data(data, 1, "geometric mean requires a non-empty dataset")
    return math.exp(math.fsum([math.log(x) for x in data]) / len(data))


def harmonic_mean(data):
    data = _data(data, 1, "harmonic_mean requires at least one data point")
    return len(data) / math.fsum([1 / x for x in data])


def quantiles(data, *, n=4, method="exclusive"):
    data = sorted(_data(data, 2, "must have at least two data points"))
    size = len(data)
    out = []
    for i in range(1, n):
        if method == "inclusive":
            j, delta = divmod(i * (size - 1), n)
            out.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        else:
            j = min(max(i * (size + 1) // n, 1), size - 1)
            delta = i * (size + 1) - j * n
            out.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
    return out


def covariance(x, y):
    mx, my = fmean(x), fmean(y)
    return math.fsum([(a - mx) * (b - my) for a, b in zip(x, y)]) / (len(x) - 1)


def correlation(x, y):
    mx, my = fmean(x), fmean(y)
    sxy = math.fsum([(a - mx) * (b - my) for a, b in zip(x, y)])
    return sxy / math.sqrt(math.fsum([(a - mx) ** 2 for a in x]) * math.fsum([(b - my) ** 2 for b in y]))
