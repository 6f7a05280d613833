#!/usr/bin/python3
"""Runs the fuzzers one after the other: tests/fuzz/run.py --build DIR [--seconds N] TARGET...

`make fuzz` does it. What is found goes to build/fuzz/found/TARGET/, what the inputs have become to build/fuzz/corpus/TARGET/,
from where the next run goes on. The exit status is 1 when anything was found.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import corpus  # noqa: E402
import seeds  # noqa: E402

# Of inputs; larger ones are slower, and find no more.
BYTES_MAX = {"index": 8192, "dwarf": 8192, "plain": 8192, "btf": 4096, "object": 8192, "unpack": 4096,
             "record": 2048, "profile": 2048, "options": 512, "source": 2048}


def fuzz(target, base, program, seconds):
    """-> was nothing found?"""
    inputs, found = base / "corpus" / target, base / "found" / target
    for directory in (inputs, found):
        directory.mkdir(parents=True, exist_ok=True)
    corpus.expand(target, base / "seeds" / target)
    before, earlier = len(list(inputs.iterdir())), set(found.iterdir())
    command = [program, f"-max_total_time={seconds}", f"-max_len={BYTES_MAX[target]}", "-timeout=10", "-rss_limit_mb=2048",
               "-print_final_stats=1", f"-artifact_prefix={found}/"]
    dictionary = base / "seeds" / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    command += [inputs, base / "seeds" / target]
    log = base / f"{target}.log"
    with open(log, "w", encoding="utf-8") as stream:
        status = subprocess.run(command, stdout=stream, stderr=stream, check=False).returncode
    text = log.read_text(errors="replace")

    def last(pattern, default="?"):
        return (re.findall(pattern, text) or [default])[-1]

    executed = last(r"number_of_executed_units: (\d+)", last(r"(?m)^#(\d+)"))
    rate = last(r"average_exec_per_sec: *(\d+)", last(r"exec/s: (\d+)"))
    covered, features = last(r"cov: (\d+)"), last(r"ft: (\d+)")
    print(f"{target:8} {executed:>9} executions {rate:>6} a second  coverage {covered:>5}  features {features:>6}  "
          f"inputs {before} -> {len(list(inputs.iterdir()))}", flush=True)
    for line in re.findall(r"(?m)^libdwarf's: .*", text)[-1:]:
        print(f"         {line}")
    new = sorted(set(found.iterdir()) - earlier)
    # slow ones are not failures: what takes ten seconds is a timeout
    bad = [path for path in new if not path.name.startswith("slow-unit")]
    reason = last(r"(?m)^(?:SUMMARY: |==.*ERROR: )(.*)", "")
    for path in bad:
        print(f"FOUND {target}: {reason}\n    again: {program} {path}\n    log: {log}")
    if status and not bad:
        print(f"FOUND {target}: exit status {status}, no input kept\n    log: {log}")
    return not bad and not status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--seconds", type=int, default=60, metavar="N")
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    options = parser.parse_args()
    unknown = [target for target in options.targets if target not in BYTES_MAX]
    if unknown:
        sys.exit(f"fuzz: no target {unknown[0]}; there are {' '.join(BYTES_MAX)}")
    base = options.build.resolve().parent
    shutil.rmtree(base / "seeds", ignore_errors=True)
    seeds.make(base / "seeds")
    good = [fuzz(target, base, options.build / f"fuzz-{target}", options.seconds) for target in options.targets]
    print(f"{good.count(True)} targets without a finding, {good.count(False)} with")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
