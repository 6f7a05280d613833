#!/usr/bin/python3
"""All benchmarks of the fd table: samples/fdtable/bench/run.py [--rounds N] [--scale X] [--only NAME...] [--out DIR]

Runs what is compared in turn (A B A B), N times (5), and prints Markdown: means, standard deviations and the difference at
95 % or "no difference proven"; then the goals, met or missed; then simulations with 2 to 128 threads, with a chart each. The
report and the samples, a file for each that ministat reads, are left in DIR (build/bench-fdtable). --scale 0.1 makes each sample a
tenth as long. NAMEs: fdbench opensock uidbench arraybench filebench rivals simulation.

Environment: BUILD (build/plain). `make bench-fdtable` builds what this needs.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import chart  # noqa: E402
import measure  # noqa: E402
import simulate  # noqa: E402
from stats import difference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]

LAYOUTS = {"linux-2.6.13": "linux-2.6.13-lock-lock", "dumazet-2005": "dumazet-2005-lock-lock",
           "dumazet-2005-long": "dumazet-2005-long-lock-lock", "best": "best-best-batch"}
# One step at a time: the layout, the install, the allocation of numbers. What has -u gives any number, not the lowest.
POLICIES = {
    "linux-2.6.13": ("linux-2.6.13-lock-lock", []),
    "dumazet-2005": ("dumazet-2005-lock-lock", []),
    "dumazet-2005-long": ("dumazet-2005-long-lock-lock", []),
    "long, install: seqcount": ("dumazet-2005-long-seqcount-lock", []),
    "long, install: resize": ("dumazet-2005-long-resize-lock", []),
    "best, alloc: lock": ("best-best-lock", []),
    "best, alloc: atomic": ("best-best-atomic", []),
    "best, alloc: hint -u": ("best-best-hint", ["-u"]),
    "best, alloc: batch -u": ("best-best-batch", ["-u"]),
}
BEST = "best, alloc: batch -u"
FDBENCH_ROWS = ["-t 1 -s", "-t 1", "-t 1 -s -i", "-t 1 -i", "-t 2 -s", "-t 2", "-t 2 -s -a 3", "-t 2 -a 3", "-t 4 -s", "-t 4"]
RIVALS = ["fdtable", "fdtable-grace", "fdtable-lowest", "mutex", "rwlock", "lfht", "ck_hs"]
PROGRAMS = ["fdbench", "opensock", "uidbench", "arraybench", "filebench", "rivals"]


def rate(summary):
    return f"{summary.mean / 1e6:.3g}"


def spread(summary):
    return f"{100 * summary.deviation / summary.mean:.1f} %"


class Report:
    def __init__(self, out):
        out.mkdir(parents=True, exist_ok=True)
        self.file = open(out / "report.md", "w")

    def line(self, text=""):
        print(text, flush=True)
        print(text, file=self.file, flush=True)

    def table(self, head, rows):
        self.line("| " + " | ".join(head) + " |")
        self.line("|---|" + "---:|" * (len(head) - 1))
        for row in rows:
            self.line("| " + " | ".join(row) + " |")
        self.line()


class Bench:
    def __init__(self, options):
        self.top = pathlib.Path(os.environ.get("BUILD", ROOT / "build/plain")).resolve() / "samples/fdtable"
        self.linelint = self.top.parents[1] / "linelint"
        self.options = options
        self.out = pathlib.Path(options.out)
        self.report = Report(self.out)
        self.results = {}  # series -> {label: Summary}

    def measure(self, name, commands, seconds):
        self.results[name] = measure.measure(measure.Series(name, commands, seconds), self.options.rounds, self.options.scale,
                                             self.out)
        return self.results[name]

    def steps(self, results, title):
        """A row a variant, against the first and against the one before."""
        first, previous, rows = next(iter(results.values())), None, []
        for label, summary in results.items():
            rows.append([label, rate(summary), spread(summary), str(difference(first, summary)) if previous else "",
                         str(difference(previous, summary)) if previous else ""])
            previous = summary
        self.report.table([title, "million a second", "s", "against the first", "against the row above"], rows)

    def fdbench(self):
        self.report.line("## fdbench (case 1): open, 5 × read, 4 × lseek, close; thousand units a second\n")
        rows = []
        for row in FDBENCH_ROWS:
            commands = {label: [self.top / variant / "fdbench", *row.split()] for label, variant in LAYOUTS.items()}
            commands["kernel"] = [self.top / LAYOUTS["best"] / "fdbench", "-k", *row.split()]
            results = self.measure("fdbench " + row, commands, 0.4)
            first = results["linux-2.6.13"]
            cells = [f"{summary.mean / 1e3:.0f}" + ("" if label in ("linux-2.6.13", "kernel") else f" ({difference(first, summary)})")
                     for label, summary in results.items()]
            rows.append([row, *cells])
        self.report.table(["options", *LAYOUTS, "the kernel's own"], rows)

    def opensock(self):
        for more, what in (([], "any thread closes any descriptor"), (["-o"], "each thread closes its own")):
            self.report.line(f"## opensock (case 4): 24 threads, close and open; {what}\n")
            commands = {label: [self.top / variant / "opensock", *options, *more] for label, (variant, options) in POLICIES.items()}
            commands["best, lowest number first"] = [self.top / "best-best-batch/opensock", *more]
            commands["the kernel's socket and close"] = [self.top / "best-best-batch/opensock", "-k", *more]
            self.steps(self.measure(" ".join(["opensock", *more]), commands, 0.8), "variant")

    def uidbench(self):
        self.report.line("## uidbench (case 5): a user's count grows and shrinks\n")
        for threads in (1, 2):
            commands = {"mutex from a pool": [self.top / "uidbench", "-m", "-t", threads],
                        "atomics": [self.top / "uidbench", "-t", threads]}
            self.steps(self.measure(f"uidbench -t {threads}", commands, 0.5), f"{threads} thread{'s'[:threads - 1]}")

    def arraybench(self):
        self.report.line("## arraybench (case 3): neighbours in an array, written by different threads\n")
        for threads in (1, 2):
            commands = {f"{size} bytes": [self.top / "arraybench", "-e", size, "-t", threads] for size in (16, 32, 40, 48, 64)}
            self.steps(self.measure(f"arraybench -t {threads}", commands, 0.4), f"{threads} thread{'s'[:threads - 1]}, elements of")

    def filebench(self):
        self.report.line("## filebench (case 2): a reference and eight looks at one file\n")
        variants = {"f_count in Linux 5.8's place": "best-best-batch-linux-5.8", "f_count at the end": "best-best-batch-count-last",
                    "ours, one line": "best-best-batch"}
        for threads in (1, 2):
            commands = {label: [self.top / variant / "filebench", "-t", threads] for label, variant in variants.items()}
            self.steps(self.measure(f"filebench -t {threads}", commands, 0.5), f"{threads} thread{'s'[:threads - 1]}")

    def rivals(self):
        self.report.line("## What a user would take instead: million operations a second, and as a multiple of the first's\n")
        rows = []
        for operation, options in (("get + put", ["-o", "get"]), ("get + put, same numbers", ["-o", "get", "-e"]),
                                   ("peek", ["-o", "peek"]), ("open + close", ["-o", "open"])):
            for threads in (1, 2):
                if "-e" in options and threads == 1:
                    continue
                commands = {table: [self.top / "rivals", "-w", table, *options, "-t", threads] for table in RIVALS}
                results = self.measure(" ".join(["rivals", *options[1:], f"-t {threads}"]), commands, 0.25)
                own = results["fdtable"].mean
                rows.append([f"{operation}, {threads} thread{'s'[:threads - 1]}",
                             *(f"{rate(summary)} ({summary.mean / own:.2f})" for summary in results.values())])
        self.report.table(["", *RIVALS], rows)

    def simulation(self):
        self.report.line("## With more threads than this machine has processors: simulated from recordings\n")
        layouts = {label: (variant, []) for label, variant in LAYOUTS.items()}
        smoke = self.options.scale < 0.05
        for name, title, lines in simulate.simulate(self.linelint, self.top, layouts, POLICIES, self.out / "recordings",
                                                    [2, 8] if smoke else None, 64 if smoke else 6400):
            self.report.line(f"{title}.\n\n{simulate.table(lines)}\n")
            (self.out / f"{name}.svg").write_text(chart.chart(title, "threads", "transactions per unit", lines))

    # -- goals: (what, {series that it needs}, function -> (met, figures))

    def not_slower(self, other):
        results = self.results["rivals get -t 1"]
        found = difference(results[other], results["fdtable"])
        return found.change >= -found.interval, f"{results['fdtable'].mean / results[other].mean:.2f} times; {found}"

    def ratio(self, wanted, own, other):
        value = own.mean / other.mean
        return value >= wanted, f"{value:.2f} times"

    def ahead(self, series, label, others):
        results = self.results[series]
        found = {other: difference(results[other], results[label]) for other in others}
        behind = [f"{other}: {it}" for other, it in found.items() if not (it.proven and it.change > 0)]
        closest = min(found, key=lambda other: found[other].change / found[other].base)
        return not behind, "; ".join(behind) or f"closest is {closest}: {found[closest]}"

    def goals(self):
        two, one = "rivals get -t 2", "rivals get -t 1"
        wanted = [
            ("1 thread, get + put: not slower than lfht", [one], lambda: self.not_slower("lfht")),
            ("1 thread, get + put: not slower than the rwlock", [one], lambda: self.not_slower("rwlock")),
            ("2 threads, get + put: at least 3 times the rwlock's", [two],
             lambda: self.ratio(3, self.results[two]["fdtable"], self.results[two]["rwlock"])),
            ("2 threads, get + put on distinct files: at least 1.8 times our own with 1", [one, two],
             lambda: self.ratio(1.8, self.results[two]["fdtable"], self.results[one]["fdtable"])),
            ("best ahead of every other variant on opensock", ["opensock"],
             lambda: self.ahead("opensock", BEST, [label for label in POLICIES if label != BEST])),
        ] + [(f"dumazet-2005-long ahead of linux-2.6.13 on fdbench {row}", [f"fdbench {row}"],
              lambda row=row: self.ahead(f"fdbench {row}", "dumazet-2005-long", ["linux-2.6.13"])) for row in ("-t 2 -s", "-t 2")]
        rows = []
        for what, needs, function in wanted:
            if all(series in self.results for series in needs):
                met, figures = function()
                rows.append([what, "met" if met else "missed", figures])
        if rows:
            self.report.line("## Goals\n")
            self.report.table(["goal", "", "measured"], rows)


def line_passes(program, rounds, seconds):
    """Nanoseconds: the least, since a partner that waits for a processor passes nothing."""
    results = [measure.run([program, "-l", seconds]) for _ in range(rounds)]
    return min(1e9 * result["seconds"] / max(1, result["work_done"]) for result in results)


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} processors, Linux {os.uname().release}"


def missing(bench, names):
    wanted = [bench.top / name for name in ("uidbench", "arraybench", "rivals", "pingpong")]
    wanted += [bench.top / variant / "opensock" for variant, _ in POLICIES.values()]
    if "simulation" in names:
        wanted += [bench.linelint, *(bench.top / variant / "recorded/opensock" for variant, _ in POLICIES.values())]
    return next((path for path in wanted if not path.exists()), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", nargs="+", choices=[*PROGRAMS, "simulation"], default=[*PROGRAMS, "simulation"])
    parser.add_argument("--out", default=str(ROOT / "build/bench-fdtable"))
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds wants at least 2: one sample has no deviation")
    bench = Bench(options)
    absent = missing(bench, options.only)
    if absent:
        sys.exit(f"run.py: {absent} is not there; make bench-fdtable builds all")
    begin, load = time.monotonic(), os.getloadavg()[0]
    bench.report.line(f"{machine()}; {options.rounds} samples of each, in turn. From one processor to the other a line goes in "
                      f"{line_passes(bench.top / 'pingpong', options.rounds, max(0.01, 0.1 * options.scale)):.0f} ns.\n")
    if load > 0.75 * (os.cpu_count() or 1):
        bench.report.line(f"**The machine had other work (load {load:.1f}): these figures are noisy.**\n")
    try:
        for name in [*PROGRAMS, "simulation"]:
            if name in options.only:
                getattr(bench, name)()
    except subprocess.CalledProcessError as error:
        sys.exit(f"run.py: {' '.join(map(str, error.cmd))} failed with {error.returncode}")
    bench.goals()
    bench.report.line(f"{time.monotonic() - begin:.0f} s; load {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end. "
                      f"Samples for ministat: {bench.out}, a directory for each comparison.")


if __name__ == "__main__":
    main()
