"""Runs programs in turn, A B A B, and keeps their samples in files that ministat reads."""

import dataclasses
import pathlib
import re
import subprocess

from stats import summary


@dataclasses.dataclass
class Series:
    name: str       # of the directory of its samples
    commands: dict  # label -> argv, without -l
    seconds: float  # of one sample


def run(argv):
    """What a benchmark prints, as numbers by name."""
    words = subprocess.run([str(word) for word in argv], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    return dict(zip(words[::2], map(float, words[1::2])))


def file_of(out, series, label):
    directory, file = (re.sub(r"[^\w.-]+", "_", name).strip("_") for name in (series.name, label))
    return pathlib.Path(out) / directory / file


def measure(series, rounds, scale, out):
    """-> {label: Summary} of units a second"""
    samples = {label: [] for label in series.commands}
    for _ in range(rounds):
        for label, argv in series.commands.items():
            result = run([*argv, "-l", f"{max(0.01, series.seconds * scale):.3f}"])
            samples[label].append(result["work_done"] / result["seconds"])
    for label, rates in samples.items():
        file = file_of(out, series, label)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{rate:.1f}\n" for rate in rates))
    return {label: summary(rates) for label, rates in samples.items()}
