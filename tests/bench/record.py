#!/usr/bin/python3
"""What the recorder costs: tests/bench/record.c built plain, to be recorded, and with -fsanitize=thread's own runtime.

Prints a Markdown table: nanoseconds of processor time of one step (two reads and a write of fields, in a function), the
median of 5 runs in turn, and the ratio to the plain build. Environment: BUILD (build/plain).
"""

import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests/bench/record.c"
LIBRARY = pathlib.Path(os.environ.get("BUILD", ROOT / "build/plain")) / "liblinelint-record.a"
ROUNDS = 5


def compile(output, flags, link=()):
    base = ["gcc", "-D_GNU_SOURCE", "-O2", "-g", f"-I{ROOT}/src/record"]
    subprocess.run([*base, *flags, "-c", SOURCE, "-o", f"{output}.o"], check=True)
    subprocess.run(["gcc", *link, f"{output}.o", *([LIBRARY] if "-DLINELINT_RECORD" in flags else []), "-pthread", "-o", output],
                   check=True)


def run(program, environment):
    out = subprocess.run([program], check=True, capture_output=True, text=True, env=dict(os.environ, **environment)).stdout
    return {name: float(time) for name, time in map(str.split, out.splitlines())}


def main():
    with tempfile.TemporaryDirectory() as directory:
        file = f"{directory}/record"
        compile(f"{directory}/plain", [])
        compile(f"{directory}/recorded", ["-fsanitize=thread", "-DLINELINT_RECORD"])
        compile(f"{directory}/tsan", ["-fsanitize=thread"], ["-fsanitize=thread"])
        ways = {"plain": ("plain", {}), "recorded": ("recorded", {"LINELINT_RECORD": file}),
                "recorded, with a trace": ("recorded", {"LINELINT_RECORD": file, "LINELINT_RECORD_TRACE": file}),
                "thread sanitizer": ("tsan", {})}
        samples = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, (program, environment) in ways.items():
                samples[way].append(run(f"{directory}/{program}", environment))
    print("| step on | " + " | ".join(ways) + " | ratio |\n|---|" + "---:|" * (len(ways) + 1))
    for what, name in (("tracked", "a tracked object, in operations"), ("variable", "a variable, in operations"),
                       ("other", "what is not recorded")):
        times = [statistics.median(sample[what] for sample in samples[way]) for way in ways]
        print(f"| {name} | " + " | ".join(f"{time:.1f} ns" for time in times) + f" | {times[1] / times[0]:.0f} |")


if __name__ == "__main__":
    main()
