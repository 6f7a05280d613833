"""Whether two sets of samples differ: Student's t at 95 %, as ministat has it."""

import dataclasses
import functools
import math


def incomplete_beta(x, a, b):
    """The regularized incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    fraction = 1.0
    for m in range(200, 0, -1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        fraction = 1 + odd / (1 + even / fraction)
    return front / fraction


@functools.lru_cache(maxsize=None)
def critical(freedom):
    """The t that chance exceeds, on either side, once in 20 times."""
    low, high = 0.0, 1000.0
    for _ in range(100):
        t = (low + high) / 2
        if incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5) > 0.05:
            low = t
        else:
            high = t
    return low


@dataclasses.dataclass
class Summary:
    count: int
    mean: float
    deviation: float


def summary(samples):
    mean = math.fsum(samples) / len(samples)
    return Summary(len(samples), mean, math.sqrt(math.fsum((x - mean) ** 2 for x in samples) / (len(samples) - 1)))


@dataclasses.dataclass
class Difference:
    """Of the second from the first."""
    change: float
    interval: float  # half of its width, at 95 %
    pooled: float    # standard deviation
    t: float         # of this difference; proven when it is beyond critical()
    base: float

    @property
    def proven(self):
        return abs(self.change) > self.interval

    def __str__(self):
        if not self.proven:
            return "no difference proven"
        return f"{100 * self.change / self.base:+.1f} % ± {100 * self.interval / self.base:.1f} %"


def difference(first, second):
    freedom = first.count + second.count - 2
    pooled = math.sqrt(((first.count - 1) * first.deviation ** 2 + (second.count - 1) * second.deviation ** 2) / freedom)
    error = pooled * math.sqrt(1 / first.count + 1 / second.count)
    change = second.mean - first.mean
    return Difference(change, critical(freedom) * error, pooled, change / error if error else math.copysign(math.inf, change),
                      first.mean)
