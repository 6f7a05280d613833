#!/usr/bin/python3
"""Time and memory against the size of the file: programs of 1 to 341 MB, linked from the same objects (generated.py).

Prints a Markdown table and what follows from it: how far from a line the times are, whether two threads beat one, and whether
memory grows. Commands take turns within each round, as in bench.py, on a warm page cache.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile

import bench
import generated

MEGABYTES = (1, 3, 10, 30, 100, 341)
FROM = 10e6         # bytes: what is promised of threads and memory holds from there on
GROWTH_MOST = 1.1   # of the anonymous memory, from there to the largest


class File:
    def __init__(self, program, path, units):
        self.path, self.units, self.size = path, units, path.stat().st_size
        rows = subprocess.run([program, path, "list"], capture_output=True, text=True, check=True).stdout
        self.layouts = int(re.search(r"^(\d+) rows", rows, re.M).group(1))
        def pahole(*extra):
            return bench.Command("", ["pahole", "-F", "dwarf", *extra, "--sizes", str(path)], 0)
        def linelint(*verb):
            return bench.Command("", [program, str(path), *verb], 0)
        self.pahole, self.pahole_threads = pahole(), pahole("-j2")
        self.one, self.two = linelint("--jobs", "1", "list"), linelint("--jobs", "2", "list")
        self.struct = linelint("--jobs", "2", "struct", "kernel1_77")
        self.commands = [self.pahole, self.pahole_threads, self.one, self.two, self.struct]


def make(program, directory):
    objects = generated.compile_all(generated.write_sources(directory), ["gcc"], ["-O2"], "c")
    one, ten = (generated.link(objects, copies, directory / "trial.so").stat().st_size for copies in (1, 10))
    unit = (ten - one) / (9 * len(objects))  # bytes; names are there once, however many units have them
    files = []
    for megabytes in MEGABYTES:
        units = max(1, round((megabytes * 1e6 - one) / unit + len(objects)))
        files.append(File(program, generated.link(objects, units / len(objects), directory / f"{megabytes}.so"), units))
    return files


def fit(points):
    """(seconds at no bytes, seconds a byte, greatest deviation of a point from the line): least squares of relative errors."""
    sums = [0.0] * 5
    for x, y in points:
        weight = 1 / (y * y)
        for index, value in enumerate((1, x, x * x, y, x * y)):
            sums[index] += weight * value
    one, x, xx, y, xy = sums
    slope = (one * xy - x * y) / (one * xx - x * x)
    start = (y - slope * x) / one
    return start, slope, max(abs(b - start - slope * a) / b for a, b in points)


def verdict(good):
    return "met" if good else "MISSED"


def line(name, points):
    start, slope, deviation = fit(points)
    return (f"- {name}: {start * 1000:.1f} ms and {slope * 1e9:.2f} ns a byte ({1e-6 / slope:.0f} MB/s); no size is further than "
            f"{100 * deviation:.0f} % from that line.")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--linelint", required=True)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="linelint-bench-") as name:
        files = make(options.linelint, pathlib.Path(name))
        for file in files:
            for command in file.commands[2:]:
                bench.timed(command)
        for _ in range(options.rounds):
            for file in files:
                for command in file.commands:
                    command.seconds.append(bench.timed(command))
        memory = [(bench.memory(file.pahole)[0], max(bench.memory(file.two)[0] for _ in range(3))) for file in files]

    print(f"Time against size: `make bench`, medians of {options.rounds} rounds in turn, {bench.load()}.\n")
    print("| file | units | layouts | pahole | `pahole -j2` | `list`, 1 thread | `list`, 2 threads | ns a byte | times faster "
          "| against `-j2` | `struct` | memory: pahole | linelint |")
    print("|--:|" * 1 + "--:|" * 12)
    for file, (theirs, ours) in zip(files, memory):
        two = file.two.median()
        print(f"| {bench.mega(file.size)} | {file.units} | {file.layouts} | {bench.text(file.pahole.median())} | "
              f"{bench.text(file.pahole_threads.median())} | {bench.text(file.one.median())} | {bench.text(two)} | "
              f"{two * 1e9 / file.size:.2f} | {file.pahole.median() / two:.1f} | {file.pahole_threads.median() / two:.1f} | "
              f"{bench.text(file.struct.median())} | {bench.mega(theirs)} | {ours / 1e6:.1f} MB |")
    print()
    for what, command in (("pahole", "pahole"), ("`list` with 1 thread", "one"), ("`list` with 2", "two"), ("`struct`", "struct")):
        print(line(what, [(file.size, getattr(file, command).median()) for file in files]))
    large = [(file, ours) for file, (_, ours) in zip(files, memory) if file.size >= 0.9 * FROM]
    gains = [statistics.median(a / b for a, b in zip(file.one.seconds, file.two.seconds)) for file, _ in large]
    print(f"- Two threads beat one from 10 MB on: {verdict(min(gains) > 1)} ({min(gains):.2f} to {max(gains):.2f} times as fast).")
    growth = large[-1][1] / large[0][1]
    print(f"- Memory does not grow with the file: {verdict(growth <= GROWTH_MOST)} ({growth:.2f} times as much for "
          f"{large[-1][0].size / large[0][0].size:.0f} times the bytes and as many layouts; {GROWTH_MOST} is allowed).")


if __name__ == "__main__":
    main()
