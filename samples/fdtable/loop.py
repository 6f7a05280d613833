#!/usr/bin/python3
"""The loop on our own code: samples/fdtable/loop.py [--out DIR] [--measure N] | --record

Records the table of Linux 2.6.13 under fdbench, makes a profile of that, lets linelint find what is wrong with the layout, applies
its patches to a copy of the sources, builds the copy, and shows what became of it: the lint's cost, transactions of a replayed
recording, and with --measure the benchmark, original and patched in turn, N times. With --record it writes the profiles of
layouts/recorded instead: what the benchmarks do to each layout.

Environment: BUILD (build/plain, where linelint and liblinelint-record.a are), CC (cc).
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE / "bench"))

VARIANTS = {"linux-2.6.13": (1, 1, 1), "dumazet-2005": (2, 1, 1), "dumazet-2005-long": (3, 1, 1), "best": (4, 4, 4)}
SUBJECT = "linux-2.6.13"
# In the order of the patches: what is embedded first.
STRUCTS = ["fdtable", "files_struct"]
# Where the objects lie, which no recording can know: in the memory that the library allocates for them.
CONTAINERS = {"files_struct": "files.table", "fdtable": "files.table.fdtab"}
# What the authors of the table mean by its layout; `linelint check` holds the recorded profile of it to that.
EXPECT = {"best": {"files_struct": ["{same_line: [count, limit, capacity, any_number]}", "{apart: [segment, open_fds_init]}",
                                    "{apart: [chunk, open_fds_init]}", "{apart: [capacity, open_fds_init]}",
                                    "{apart: [fd_array, open_fds_init]}", "{apart: [fd_array, segment]}"]}}
ROUNDS = 8
PROGRAMS = {"fdbench": ["-r", "-s", "-t", "8", "-c", "400"], "opensock": ["-r", "-n", "48", "-t", "8", "-c", "400"]}


def stated(profile, struct, what):
    """One line more in a struct's entry."""
    return re.sub(f"^  {struct}:\n", f"  {struct}:\n    {what}\n", profile, flags=re.M)


def only(profile, structs):
    """The entries of these structs alone, and no variables."""
    head, *entries = re.split(r"^(?=  \w+:\n|vars:\n)", profile, flags=re.M)
    return head + "".join(entry for entry in entries if entry.split(":")[0].strip() in structs and entry.startswith("  "))


class Loop:
    def __init__(self, out, say=print):
        self.out, self.say = pathlib.Path(out).resolve(), say
        self.build = pathlib.Path(os.environ.get("BUILD", ROOT / "build/plain")).resolve()
        self.linelint = self.build / "linelint"
        self.compiler = os.environ.get("CC", "cc").split()
        shutil.rmtree(self.out, ignore_errors=True)
        self.tree = self.out / "tree"
        self.restore()

    def restore(self):
        """The sources as the project has them."""
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(HERE, self.tree / "samples/fdtable", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "src/record", self.tree / "src/record")

    def run(self, argv, status=(0,), **more):
        result = subprocess.run([str(word) for word in argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        if result.returncode not in status:
            raise RuntimeError(f"{' '.join(map(str, argv))}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def lint(self, *argv, **more):
        return self.run([self.linelint, "--quiet", *argv], **more)

    def compiled(self, variant, program, name, recorded=True):
        """The benchmark in that variant, from the copy as it is now."""
        layout, install, alloc = VARIANTS[variant]
        target = self.out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        fdtable = self.tree / "samples/fdtable"
        sources = [source for source in sorted(fdtable.glob("*.c")) if source.name != "test_fdtable.c"]
        sources += [fdtable / "bench" / f"{part}.c" for part in (program, "bench", "table")]
        flags = ["-std=c11", "-D_GNU_SOURCE", f"-I{self.tree / 'src'}", "-O2", "-g", "-pthread", f"-DFDTABLE_LAYOUT={layout}",
                 f"-DFDTABLE_INSTALL={install}", f"-DFDTABLE_ALLOC={alloc}", "-DFDTABLE_RELAID", f'-DVARIANT="{variant}"']
        objects = []
        for source in sources:
            objects.append(target.parent / f"{target.name}.{source.stem}.o")
            self.run([*self.compiler, *flags, *(["-fsanitize=thread", "-DLINELINT_RECORD"] if recorded else []),
                      "-c", "-o", objects[-1], source])
        self.run([*self.compiler, "-o", target, *objects, *([self.build / "liblinelint-record.a"] if recorded else []),
                  "-lurcu-bp", "-pthread"])
        return target

    def recorded(self, program, name):
        """-> profile, traces' prefix"""
        recording = self.out / f"{name}.record"
        self.run([program, *PROGRAMS[name.split("-")[0]]],
                 env=dict(os.environ, LINELINT_RECORD=str(recording), LINELINT_RECORD_TRACE=str(recording)))
        text = self.lint("profile", "import", "record", recording, program)
        for struct, container in CONTAINERS.items():
            text = stated(text, struct, f"placement: {{container: {container}}}")
        profile = self.out / f"{name}.yaml"
        profile.write_text(text)
        return profile, recording

    def report(self, profile, program, struct):
        return json.loads(self.lint("--format", "json", "--profile", profile, program, "struct", struct, status=(0, 1)))["structs"][0]

    def replayed(self, program, recording):
        """Transactions of an operation, over all of the table's memory."""
        text = self.lint("--format", "json", program, "replay", "table_memory", f"{recording}.0.trace")
        return json.loads(text)["replay"]["total"]["before"]["simulated"]

    def patched(self, profile, program, struct):
        """One patch, applied to the copy; the files that it names."""
        text = self.lint("--profile", profile, program, "patch", struct, "--source", self.tree)
        if text.strip():
            self.run(["git", "apply", "--unsafe-paths", f"--directory={self.tree}", "-"], input=text, cwd="/")
        return text


def findings(report):
    return [f"{it['severity']} {it['rule']}: {it['fields'][0]} shares a line with {', '.join(it['fields'][1:])}"
            for it in report["findings"] if it["rule"] in ("LL001", "LL002")]


def changes(patch):
    """Of a diff: what goes, and what comes behind what."""
    lines = patch.splitlines()
    for above, line in zip(lines, lines[1:]):
        if re.match(r"\+\t", line):
            yield above
        if re.match(r"[-+]\t", line):
            yield line


def run(loop):
    """-> what happened, for tests"""
    say = loop.say
    before = loop.compiled(SUBJECT, "fdbench", "before/fdbench")
    profile, recording = loop.recorded(before, "fdbench-before")
    result = {"found": {}, "patches": [], "cost": {}, "replayed": {"before": loop.replayed(before, recording)}}
    say(f"recorded: {SUBJECT}, fdbench {' '.join(PROGRAMS['fdbench'])}")
    for struct in STRUCTS:
        report = loop.report(profile, before, struct)
        result["cost"][struct] = report["cost"]["total"]
        result["found"][struct] = findings(report)
        say(f"struct {struct}: {report['cost']['total']:.2f} transactions an operation")
        for line in result["found"][struct]:
            say(f"  {line}")
    program, profile_now = before, profile
    for number in range(1, ROUNDS + 1):
        struct = STRUCTS[min(number, len(STRUCTS)) - 1]
        patch = loop.patched(profile_now, program, struct)
        if not patch:
            break
        result["patches"].append((struct, patch))
        say(f"patch {number}, struct {struct}:")
        for line in changes(patch):
            say(f"  {line}")
        program = loop.compiled(SUBJECT, "fdbench", f"after-{number}/fdbench")
    say("nothing more to do")
    result["cost after"] = {struct: loop.report(profile, program, struct)["cost"]["total"] for struct in STRUCTS}
    profile_after, recording = loop.recorded(program, "fdbench-after")
    report = loop.report(profile_after, program, "files_struct")
    result["found after"], result["cost recorded again"] = findings(report), report["cost"]["total"]
    result["replayed"]["after"] = loop.replayed(program, recording)
    result["people"] = {}
    for variant in ("dumazet-2005", "dumazet-2005-long"):
        other = loop.compiled(variant, "fdbench", f"{variant}/fdbench")
        other_profile, recording = loop.recorded(other, f"fdbench-{variant}")
        result["people"][variant] = loop.report(other_profile, other, "files_struct")["cost"]["total"]
        result["replayed"][variant] = loop.replayed(other, recording)
    say(f"struct files_struct: {result['cost']['files_struct']:.2f} -> {result['cost after']['files_struct']:.2f} "
        f"(recorded again: {result['cost recorded again']:.2f}); by hand: "
        + ", ".join(f"{variant} {cost:.2f}" for variant, cost in result["people"].items()))
    say("replayed, all memory of the table: " + ", ".join(f"{what} {cost:.2f}" for what, cost in result["replayed"].items()))
    return result


def measure(loop, rounds):
    """The benchmark itself, in turn: as it was (its sources are the project's), as the patches left it, as people did it."""
    from measure import Series, measure as measured
    from stats import difference
    patched = loop.compiled(SUBJECT, "fdbench", "plain-after/fdbench", recorded=False)
    loop.restore()
    programs = {"before": loop.compiled(SUBJECT, "fdbench", "plain-before/fdbench", recorded=False), "after": patched}
    for variant in ("dumazet-2005", "dumazet-2005-long"):
        programs[variant] = loop.compiled(variant, "fdbench", f"plain-{variant}/fdbench", recorded=False)
    for row in (["-s", "-t", "2"], ["-s", "-t", "4"]):
        results = measured(Series("loop fdbench " + " ".join(row), {name: [program, *row] for name, program in programs.items()}, 0.4),
                           rounds, 1, loop.out)
        first = results["before"]
        loop.say(f"fdbench {' '.join(row)}: " + ", ".join(
            f"{name} {it.mean / 1e3:.0f}" + ("" if it is first else f" ({difference(first, it)})") for name, it in results.items())
            + " thousand units a second")


def record(loop):
    """layouts/recorded: a profile for each layout and benchmark."""
    directory = ROOT / "layouts/recorded"
    directory.mkdir(exist_ok=True)
    for variant in VARIANTS:
        for benchmark, options in PROGRAMS.items():
            name = f"{benchmark}-{variant}"
            profile, _ = loop.recorded(loop.compiled(variant, benchmark, f"{variant}/{benchmark}"), name)
            text = only(profile.read_text(), CONTAINERS)
            for struct, expectations in EXPECT.get(variant, {}).items():
                text = stated(text, struct, "expect:\n" + "\n".join(f"      - {it}" for it in expectations))
            (directory / f"{name}.yaml").write_text(
                f"# What {benchmark} {' '.join(options)} did to the layout {variant} (samples/fdtable), as\n"
                f"# samples/fdtable/loop.py --record wrote it; container and expect are stated, all else is measured.\n" + text)
            loop.say(f"layouts/recorded/{name}.yaml")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=str(ROOT / "build/loop"))
    parser.add_argument("--measure", type=int, default=0, metavar="N")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    loop = Loop(options.out)
    try:
        if options.record:
            return record(loop)
        run(loop)
        if options.measure:
            measure(loop, options.measure)
    except RuntimeError as error:
        sys.exit(f"loop.py: {error}")


if __name__ == "__main__":
    main()
