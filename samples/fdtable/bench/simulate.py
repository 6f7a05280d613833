"""Coherence transactions with more threads than the machine has processors: recordings, replayed by linelint.

profile   fdbench -s is recorded once with 8 threads and imported; `linelint replay files --threads N` has N of them do what was
          recorded, at random, and those that wait for the lock. What counts is the table's head with its embedded part.
trace     opensock is recorded with N threads, whose operations follow each other in random order (-r); `linelint replay
          table_memory TRACE`. What counts is all memory of the table. Nobody waits for a lock in it.
"""

import json
import os
import pathlib
import subprocess

THREADS = [2, 4, 8, 16, 32, 64, 128]
RECORDED_THREADS = 8
# Of a unit: open, 5 reads, 4 seeks and close; close and open.
OPERATIONS = {"fdbench": 11, "opensock": 2}


def output(argv, environment=None):
    return subprocess.run([str(word) for word in argv], check=True, stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, **(environment or {}))).stdout


def replayed(linelint, *argv):
    return json.loads(output([linelint, "--quiet", "--format", "json", *argv]))["replay"]["total"]["before"]["simulated"]


def by_profile(linelint, program, threads, directory, units=400):
    """-> {threads: transactions of a unit}"""
    directory.mkdir(parents=True, exist_ok=True)
    recording, profile = directory / "record", directory / "profile.yaml"
    output([program, "-r", "-s", "-t", RECORDED_THREADS, "-c", units], {"LINELINT_RECORD": str(recording)})
    profile.write_text(output([linelint, "--quiet", "profile", "import", "record", recording, program]))
    return {count: OPERATIONS["fdbench"] * replayed(linelint, "--profile", profile, program, "replay", "files", "--threads", count)
            for count in threads}


def by_traces(linelint, program, options, threads, directory, units=6400):
    """-> {threads: transactions of a unit}"""
    directory.mkdir(parents=True, exist_ok=True)
    result = {}
    for count in threads:
        recording = directory / str(count)
        output([program, "-r", "-t", count, "-c", max(1, units // count), *options],
               {"LINELINT_RECORD": str(recording), "LINELINT_RECORD_TRACE": str(recording)})
        # The first class is the memory, the second the table's head.
        result[count] = OPERATIONS["opensock"] * replayed(linelint, program, "replay", "table_memory", f"{recording}.0.trace")
        for trace in directory.glob(f"{count}.*.trace"):
            trace.unlink()  # some hundred megabytes in all
    return result


def table(lines):
    threads = sorted({count for line in lines.values() for count in line})
    rows = ["| threads | " + " | ".join(map(str, threads)) + " |", "|---|" + "---:|" * len(threads)]
    for label, line in lines.items():
        rows.append(f"| {label} | " + " | ".join(f"{line[count]:.2f}" for count in threads) + " |")
    return "\n".join(rows)


def simulate(linelint, top, layouts, policies, out, threads=None, units=6400):
    """-> [(name, title, lines)]; layouts and policies: {label: (variant, options)}"""
    threads = threads or THREADS
    top, out = pathlib.Path(top), pathlib.Path(out)
    heads = {label: by_profile(linelint, top / variant / "recorded/fdbench", threads, out / "fdbench" / variant)
             for label, (variant, _) in layouts.items()}
    result = [("simulated-fdbench", "fdbench -s: transactions of the table's head per unit", heads)]
    for more, what in (([], "any thread closes"), (["-o"], "each closes its own")):
        lines = {label: by_traces(linelint, top / variant / "recorded/opensock", [*options, *more], threads,
                                  out / "-".join(["opensock", *more]) / label.replace(" ", "_"), units)
                 for label, (variant, options) in policies.items()}
        result.append(("-".join(["simulated-opensock", *(["own"] if more else [])]),
                       f"opensock, {what}: transactions of all the table's memory per unit", lines))
    return result
