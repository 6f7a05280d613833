"""fdbench/: the benchmarks of the fd table (samples/fdtable/bench) count right, each of their options works, and so do the runner,
its statistics and its charts. No times."""

import importlib
import re
import shutil
import sys
import xml.etree.ElementTree

from .common import Skip, Test, check

# What a benchmark has not freed in the end is nobody's loss.
UNFREED = {"ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0"}


def module(context, name):
    """One of the runner's, which are scripts beside it."""
    directory = str(context.root / "samples/fdtable/bench")
    if directory not in sys.path:
        sys.path.insert(0, directory)
    return importlib.import_module(name)


def numbers(context, program, *options, **more):
    """What the program prints, as numbers by name."""
    words = context.good([program, *options], environment=UNFREED, **more).out.split()
    return dict(zip(words[::2], map(float, words[1::2])))


def expect(result, **wanted):
    got = {name: result.get(name) for name in wanted}
    check(got == wanted, f"expected {wanted}, got {got} in {result}")


def usage(context, program, *options, status=2):
    result = context.run([program, *options], environment=UNFREED)
    check(result.status == status and not result.out and result.err.count("\n") == 1, f"no one-line diagnostic\n{result}")


def common(context, program):
    """What bench.c does for all."""
    expect(numbers(context, program, "-t", 3, "-c", 50), threads=3, work_done=150)
    expect(numbers(context, program, "-t", 3, "-c", 50, "-r"), threads=3, work_done=150)
    expect(numbers(context, program, "-t", 2, "-c", 5, "-a", 1), processors=1, work_done=10)
    timed = numbers(context, program, "-t", 2, "-l", "0.02")
    check(timed["seconds"] >= 0.02 and timed["work_done"] > 0, f"-l 0.02: {timed}")
    for bad in (["-t", "0"], ["-t", "x"], ["-t", "-1"], ["-t", "1025"], ["-l", "0"], ["-l", "1x"], ["-l", "nan"], ["-c", "0"],
                ["-a", "0"], ["-Z"], ["word"], ["-t"]):
        usage(context, program, *bad)
    usage(context, program, "-c", 1, "-a", hex(1 << 63), status=1)


def fdbench(context, program, options):
    for small in ([], ["-s"]):
        result = numbers(context, program, "-t", 3, "-c", 40, *options, *small)
        expect(result, threads=3, work_done=120, bytes_read=600)
        if "-k" not in options:
            # 64 descriptors more of each thread go past the 64 of the embedded part.
            check((result["capacity"] == 64) == bool(small), f"{small}: {result}")
    expect(numbers(context, program, "-t", 1, "-c", 40, *options), threads=1, work_done=40, bytes_read=200)


def opensock(context, program, options):
    expect(numbers(context, program, "-c", 40, *options), threads=24, work_done=24 * 40, open=256)
    expect(numbers(context, program, "-t", 5, "-n", 99, "-c", 200, *options), threads=5, work_done=1000, open=99)


def opensock_usage(context, program):
    usage(context, program, "-t", 5, "-n", 4)
    usage(context, program, "-n", 0)


def uidbench(context, program):
    for way in ([], ["-m"]):
        expect(numbers(context, program, "-t", 3, "-c", 1000, *way), work_done=3000, refused=0, left=0)
        expect(numbers(context, program, "-t", 3, "-c", 1000, "-x", 2047, *way), work_done=3000, refused=3000, left=0)
        expect(numbers(context, program, "-t", 1, "-c", 1000, "-x", 2048, *way), work_done=1000, refused=0, left=0)


def arraybench(context, program):
    for size in (16, 32, 40, 48, 64):
        expect(numbers(context, program, "-e", size, "-t", 3, "-c", 1000), work_done=3000, counted=6000)
    expect(numbers(context, program, "-n", 3, "-t", 3, "-c", 1000), work_done=3000, counted=6000)
    usage(context, program, "-e", 20)
    usage(context, program, "-n", 2, "-t", 3)


def pingpong(context, program):
    expect(numbers(context, program, "-c", 100), work_done=200, word=200)
    usage(context, program, "-t", 3)


def filebench(context, program):
    expect(numbers(context, program, "-t", 3, "-c", 200), work_done=600, taken=600, looked=4800, references=1)
    expect(numbers(context, program, "-t", 3, "-c", 200, "-p", 0), work_done=600, taken=600, looked=0, references=1)


def rivals(context, program, table):
    for operation in ("get", "peek", "open"):
        expect(numbers(context, program, "-w", table, "-o", operation, "-t", 3, "-c", 1000), work_done=3000, good=3000)
    expect(numbers(context, program, "-w", table, "-e", "-t", 3, "-c", 1000), work_done=3000, good=3000)


def rivals_usage(context, program):
    usage(context, program, "-w", "array")
    usage(context, program, "-o", "close")


def near(value, wanted, what, share=1e-4):
    check(abs(value - wanted) <= share * abs(wanted), f"{what}: {value}, not {wanted}")


def statistics(context):
    """Published results, of benchmarks that others ran: FreeBSD's uidinfo (2007, with ministat's output) and Linux 2.2.5 (1999)."""
    stats = module(context, "stats")
    for freedom, t in ((1, 12.706), (2, 4.303), (6, 2.447), (8, 2.306), (30, 2.042), (120, 1.980)):
        near(stats.critical(freedom), t, f"t with {freedom} degrees", 3e-4)

    contended = stats.difference(stats.Summary(5, 408269.2, 5388.3), stats.Summary(5, 1569767, 5853.1))
    near(contended.change, 1.1615e6, "difference")
    near(contended.interval, 8204.54, "interval")
    near(contended.pooled, 5625.55, "pooled")
    check(contended.proven and str(contended) == "+284.5 % ± 2.0 %", str(contended))
    alone = stats.difference(stats.Summary(5, 418016.6, 1878.5), stats.Summary(5, 427735.8, 2623.5))
    near(alone.change, 9719.2, "difference")
    near(alone.interval, 3327.59, "interval")
    near(alone.pooled, 2281.61, "pooled")

    reference = stats.Summary(4, 4176.4, 27.45)
    for after, t, text in ((stats.Summary(4, 4207.9, 8.1), 2.20, "no difference proven"),
                           (stats.Summary(4, 4228.8, 11.70), 3.51, "+1.3 % ± 0.9 %"),
                           (stats.Summary(4, 4207.9, 13.34), 2.06, "no difference proven")):
        found = stats.difference(reference, after)
        near(found.t, t, "t", 3e-3)
        check(str(found) == text, f"{found}, not {text}")
    worse = stats.difference(stats.summary([10, 11, 12]), stats.summary([5, 6, 7]))
    check(worse.proven and worse.change == -5 and worse.t < 0, str(worse))
    same = stats.difference(stats.summary([1, 1]), stats.summary([1, 1]))
    check(not same.proven, f"of equal samples: {same}")


def as_ministat(context):
    """On samples drawn at random: the same verdict, difference and interval."""
    if not shutil.which("ministat"):
        raise Skip("no ministat")
    import random
    stats, dice = module(context, "stats"), random.Random(context.seed)
    directory = context.scratch / "fdbench/ministat"
    directory.mkdir(parents=True, exist_ok=True)
    verdicts = set()
    for number in range(20):
        samples = [[1000 * centre + 30 * dice.gauss(0, 1) for _ in range(dice.randrange(3, 9))]
                   for centre in (1, 1 + dice.uniform(-0.1, 0.1))]
        for name, values in zip("ab", samples):
            (directory / name).write_text("".join(f"{value:.6f}\n" for value in values))
        out = context.run(["ministat", directory / "a", directory / "b"]).out
        ours = stats.difference(*map(stats.summary, samples))
        theirs = re.search(r"Difference at 95.0% confidence\s+(\S+) \+/- (\S+)", out)
        check(theirs or "No difference proven at 95.0% confidence" in out, out)
        check(ours.proven == bool(theirs), f"{number}: {ours}\n{out}")
        verdicts.add(ours.proven)
        if theirs:
            near(ours.change, float(theirs[1]), f"difference {number}", 1e-4)
            near(ours.interval, float(theirs[2]), f"interval {number}", 1e-3)
    check(len(verdicts) == 2, "the samples were all alike")


def boxes(svg):
    """Where the texts of a chart are, roughly."""
    for text in svg.iter("{http://www.w3.org/2000/svg}text"):
        x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
        length = 0.62 * size * len(text.text)
        left = x - {"start": 0, "middle": length / 2, "end": length}[text.get("text-anchor")]
        if text.get("transform"):
            yield text.text, (x - size, y - length / 2, x, y + length / 2)
        else:
            yield text.text, (left, y - size, left + length, y)


def charts(context):
    """Well-formed, each line where its numbers are, no text on another or outside."""
    chart = module(context, "chart")
    lines = {f"variant with a long name {number}": {2 ** power: number * power + 0.1 for power in range(1, 8)}
             for number in range(9)}
    lines["a copy of the last"] = dict(lines["variant with a long name 8"])
    svg = xml.etree.ElementTree.fromstring(chart.chart("A <title> & more", "threads", "transactions per unit", lines))
    polylines = list(svg.iter("{http://www.w3.org/2000/svg}polyline"))
    check(len(polylines) == 9, "a line for each that differs, one for two alike")
    for polyline in polylines:
        points = [tuple(map(float, point.split(","))) for point in polyline.get("points").split()]
        steps = [after[0] - before[0] for before, after in zip(points, points[1:])]
        check(max(steps) - min(steps) < 0.3, f"not a scale of powers of two: {points}")
    first, last = ([float(p.get("points").split()[-1].split(",")[1]) for p in polylines][index] for index in (0, -1))
    check(first < last, "more is not above less")
    check(len({(p.get("stroke"), p.get("stroke-dasharray")) for p in polylines}) == 9, "lines that look alike")
    texts = list(boxes(svg))
    check({"threads", "transactions per unit", "2", "128", *lines} <= {text for text, _ in texts}, "a text is missing")
    width, height = float(svg.get("width")), float(svg.get("height"))
    for number, (text, (left, up, right, down)) in enumerate(texts):
        check(left >= 0 and up >= 0 and right <= width and down <= height, f"{text!r} is outside")
        for other, (left2, up2, right2, down2) in texts[:number]:
            check(right <= left2 or right2 <= left or down <= up2 or down2 <= up, f"{text!r} is on {other!r}")


def runner(context):
    """All of it, with samples too short to say anything: each row is there, and each goal is judged."""
    out = context.scratch / "fdbench/run"
    shutil.rmtree(out, ignore_errors=True)
    run = [sys.executable, "samples/fdtable/bench/run.py", "--rounds", 3, "--scale", "0.001", "--out", out]
    environment = {"BUILD": str(context.build)}
    programs = ("fdbench", "opensock", "uidbench", "arraybench", "filebench", "rivals")
    said = context.good([*run, "--only", *programs], environment=environment, timeout=300).out
    check(said == (out / "report.md").read_text(), "the report is not what was printed")
    goals = re.findall(r"^\| (.*?) \| (met|missed) \| (.*) \|$", said, re.M)
    check(len(goals) == 7 and all(re.search(r"\d times|±|no difference", figures) for _, _, figures in goals), said)
    samples = [path for path in out.rglob("*") if path.is_file() and path.name != "report.md"]
    check(len(samples) == 10 * 5 + 2 * 11 + 2 * 2 + 2 * 5 + 2 * 3 + 7 * 7, f"{len(samples)} files of samples")
    for path in samples:
        values = [float(line) for line in path.read_text().splitlines()]
        check(len(values) == 3 and min(values) > 0, f"{path}: {values}")
    if shutil.which("ministat"):
        context.good(["ministat", out / "uidbench_-t_2/atomics", out / "uidbench_-t_2/mutex_from_a_pool"])

    result = context.run([*run[:2], "--rounds", 1], environment=environment)
    check(result.status == 2 and "--rounds" in result.err, str(result))
    result = context.run(run, environment={"BUILD": str(context.scratch)})
    check(result.status == 1 and "make bench-fdtable" in result.err and not result.out, str(result))


def simulations(context, top):
    """A recording of each kind: more threads cost no less, and what the best does not share costs nothing."""
    simulate = module(context, "simulate")
    out = context.scratch / "fdbench/simulate"
    shutil.rmtree(out, ignore_errors=True)
    heads = {variant: simulate.by_profile(context.program, top / variant / "recorded/fdbench", [2, 32], out / variant, 50)
             for variant in ("linux-2.6.13-lock-lock", "best-best-batch")}
    for line in heads.values():
        check(0 < line[2] < line[32], f"{heads}")
    check(heads["best-best-batch"][2] < heads["linux-2.6.13-lock-lock"][2], f"file_lock beside fdt costs nothing: {heads}")

    def traced(variant, *options):
        return simulate.by_traces(context.program, top / variant / "recorded/opensock", options, [2, 8], out / variant, 800)

    before, after = traced("linux-2.6.13-lock-lock"), traced("best-best-batch", "-u")
    check(after[8] < before[8] and before[2] < before[8], f"{before} {after}")
    # Numbers of its own, slots of its own: only what preparing left behind.
    own = traced("best-best-batch", "-u", "-o")
    check(own[8] < 0.1, f"{own}")


def sanitizable(test):
    """No sanitizer sees into the hash tables, and none is needed where times are taken or accesses recorded."""
    return not re.match(r"fdbench/(rivals/(lfht|ck_hs)|options/rivals|runner|simulations)", test.name)


def tests(context):
    return [test for test in all_tests(context) if not context.sanitized or sanitizable(test)]


def all_tests(context):
    def test(name, function, program, *more):
        return Test(f"fdbench/{name}", lambda: function(context, program, *more))

    top = (context.build / "samples/fdtable").resolve()
    for program in sorted(top.glob("*/fdbench")):
        variant = program.parent.name
        yield test(f"fdbench/{variant}", fdbench, program, [])
        yield test(f"fdbench/{variant}-idle", fdbench, program, ["-i"])
    for program in sorted(top.glob("*/opensock")):
        variant = program.parent.name
        for options in ([], ["-u"], ["-o"], ["-u", "-o"]):
            yield test("-".join(["opensock/" + variant, *(option[1:] for option in options)]), opensock, program, options)
    for program in sorted(top.glob("*/filebench")):
        yield test(f"filebench/{program.parent.name}", filebench, program)
    best = top / "best-best-batch"
    yield Test("fdbench/statistics", lambda: statistics(context))
    yield Test("fdbench/ministat", lambda: as_ministat(context))
    yield Test("fdbench/charts", lambda: charts(context))
    yield Test("fdbench/runner", lambda: runner(context))
    yield Test("fdbench/simulations", lambda: simulations(context, top))
    yield test("fdbench/kernel", fdbench, best / "fdbench", ["-k"])
    yield test("opensock/kernel", opensock, best / "opensock", ["-k"])
    yield test("opensock/usage", opensock_usage, best / "opensock")
    yield test("uidbench", uidbench, top / "uidbench")
    yield test("arraybench", arraybench, top / "arraybench")
    yield test("pingpong", pingpong, top / "pingpong")
    for table in ("fdtable", "fdtable-grace", "fdtable-lowest", "mutex", "rwlock", "lfht", "ck_hs"):
        yield test(f"rivals/{table}", rivals, top / "rivals", table)
    yield test("rivals/usage", rivals_usage, top / "rivals")
    for program in (best / "fdbench", best / "opensock", best / "filebench", top / "uidbench", top / "arraybench",
                    top / "rivals"):
        yield test(f"options/{program.name}", common, program)
