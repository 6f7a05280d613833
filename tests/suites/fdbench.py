"""fdbench/: the benchmarks of the fd table (samples/fdtable/bench) count right, and each of their options works. No times."""

from .common import Test, check


def numbers(context, program, *options, **more):
    """What the program prints, as numbers by name."""
    words = context.good([program, *options], **more).out.split()
    return dict(zip(words[::2], map(float, words[1::2])))


def expect(result, **wanted):
    got = {name: result.get(name) for name in wanted}
    check(got == wanted, f"expected {wanted}, got {got} in {result}")


def usage(context, program, *options, status=2):
    result = context.run([program, *options])
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


def tests(context):
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
    yield test("fdbench/kernel", fdbench, best / "fdbench", ["-k"])
    yield test("opensock/kernel", opensock, best / "opensock", ["-k"])
    yield test("opensock/usage", opensock_usage, best / "opensock")
    yield test("uidbench", uidbench, top / "uidbench")
    yield test("arraybench", arraybench, top / "arraybench")
    for table in ("fdtable", "fdtable-grace", "fdtable-lowest", "mutex", "rwlock", "lfht", "ck_hs"):
        yield test(f"rivals/{table}", rivals, top / "rivals", table)
    yield test("rivals/usage", rivals_usage, top / "rivals")
    for program in (best / "fdbench", best / "opensock", best / "filebench", top / "uidbench", top / "arraybench",
                    top / "rivals"):
        yield test(f"options/{program.name}", common, program)
