"""loop/: the loop on our own code (samples/fdtable/loop.py): recorded, found, patched, built, better; and the gate on our own best
layout, with the profile that was recorded of it."""

import importlib.util
import re

from .common import Test, check

LAYOUTS = ["linux-2.6.13", "dumazet-2005", "dumazet-2005-long", "best"]
BENCHMARKS = ["fdbench", "opensock"]


def module(context):
    spec = importlib.util.spec_from_file_location("fdtable_loop", context.root / "samples/fdtable/loop.py")
    loop = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loop)
    return loop


def closes(context):
    loop = module(context)
    said = []
    result = loop.run(loop.Loop(context.scratch / "loop", said.append))
    found = result["found"]
    check(any(it.startswith("error LL001: next_fd ") and "max_fds" in it and " fd," in it for it in found["fdtable"]), f"fdtable: {found}")
    written = {it.split()[2] for it in found["files_struct"]}
    check(written == {"file_lock", "fdtab.next_fd"}, f"files_struct: what the authors of 2005 found, {written}")
    check(len(result["patches"]) >= 2 and {name for name, _ in result["patches"]} == {"fdtable", "files_struct"}, str(said))
    check(not result["found after"], f"left: {result['found after']}")
    before, after = result["cost"]["files_struct"], result["cost recorded again"]
    check(after < 0.7 * before, f"files_struct: {before} -> {after}")
    # The same types in the order of 2005. What came with smaller sets is no question of the order.
    check(after <= result["people"]["dumazet-2005"] + 1e-9, f"{after}, by hand {result['people']}")
    check(result["people"]["dumazet-2005-long"] < result["people"]["dumazet-2005"], str(result["people"]))
    replayed = result["replayed"]
    check(replayed["after"] < 0.8 * replayed["before"], f"replayed: {replayed}")


def gate(context, benchmark):
    binary = context.build / "samples/fdtable/best-best-batch" / benchmark
    profile = context.root / f"layouts/recorded/{benchmark}-best.yaml"
    result = context.good([context.program, "--quiet", "--profile", profile, "--fail-on", "warning", binary, "check"])
    check(not result.out.strip(), result.out)
    # It can fail: the slots on the line of the bits that every open writes.
    broken = context.scratch / f"loop-{benchmark}.yaml"
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text(profile.read_text().replace("{apart: [fd_array, segment]}", "{same_line: [fd_array, segment]}"))
    result = context.run([context.program, "--quiet", "--profile", broken, binary, "check"])
    check(result.status == 1 and "LL009" in result.out, f"{result}")


def recorded(context, layout, benchmark):
    """A committed profile says of the binary of today what it said when it was recorded: same counts."""
    loop = module(context)
    work = loop.Loop(context.scratch / f"loop-{layout}-{benchmark}", lambda line: None)
    profile, _ = work.recorded(work.compiled(layout, benchmark, f"{layout}/{benchmark}"), f"{benchmark}-{layout}")
    name = f"layouts/recorded/{benchmark}-{layout}.yaml"
    text = (context.root / name).read_text()

    def facts(profile):
        lines = [line for line in profile.splitlines() if line.startswith("      ") and "- {" not in line]
        return [re.sub(r"[\d.]+", "N", line) for line in lines], [float(it) for line in lines for it in re.findall(r": ([\d.]+)", line)]
    (lines, numbers), (wanted_lines, wanted) = facts(loop.only(profile.read_text(), loop.CONTAINERS)), facts(text)
    # The threads begin at random: how often a number is below the hint differs in the third digit.
    check(lines == wanted_lines and all(abs(a - b) <= 0.1 * b for a, b in zip(numbers, wanted)),
          f"{name} is not what a recording says today; run samples/fdtable/loop.py --record and read the difference")


def tests(context):
    if context.sanitized:
        return
    yield Test("loop/closes", lambda: closes(context))
    for benchmark in BENCHMARKS:
        yield Test(f"loop/gate/{benchmark}", lambda benchmark=benchmark: gate(context, benchmark))
        for layout in ("linux-2.6.13", "best"):
            yield Test(f"loop/recorded/{layout}-{benchmark}", lambda layout=layout, benchmark=benchmark: recorded(context, layout, benchmark))
