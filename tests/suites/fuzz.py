"""fuzz/: the fuzzers' targets on inputs that once failed, on a corpus that they have found, and on their seeds.

Without libFuzzer and without time of their own: tests/fuzz/replay.c runs each input once. The committed inputs are in
tests/fuzz/corpus, as text; the seeds are made anew.
"""

import pathlib
import re
import shutil
import sys
import threading

from .common import Failure, Test, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import corpus  # noqa: E402
import seeds  # noqa: E402

TARGETS = ["index", "dwarf", "plain", "btf", "object", "unpack", "record", "profile", "options", "source"]
SECONDS = 300


def replay(context, target, paths):
    """-> [(name, failure or None)]; after a crash the inputs behind it are run as well."""
    program = (context.build / "fuzz" / f"replay-{target}").resolve()
    results, left = [], list(paths)
    while left:
        result = context.run([program, *left], timeout=SECONDS, may_crash=True)
        started = re.findall(r"^run (.*)$", result.out, re.M)
        check(started == [str(path) for path in left[:len(started)]], f"it ran other inputs\n{result}")
        whole = result.status == 0 and result.out.endswith(f"done {len(left)}\n")
        check(whole or started, f"it ran nothing\n{result}")
        good = len(started) if whole else len(started) - 1
        results += [(path.name, None) for path in left[:good]]
        if not whole:
            results.append((left[good].name, str(result)))
        left = left[len(started):]
    return results


class Seeds:
    """Made once, for all targets."""

    def __init__(self, context):
        self.directory = context.scratch / "fuzz" / "seeds"
        self.lock, self.ready = threading.Lock(), False

    def of(self, target):
        with self.lock:
            if not self.ready:
                seeds.make(self.directory, few=True)
            self.ready = True
        return sorted((self.directory / target).iterdir())


def committed(context, target):
    directory = context.scratch / "fuzz" / "corpus" / target
    shutil.rmtree(directory, ignore_errors=True)
    paths = corpus.expand(target, directory)
    for path in paths:  # what `show` prints is what `expand` reads
        text = corpus.show(target, path.read_bytes(), path.name)
        check(list(corpus.entries(target, text)) == [(path.name, path.read_bytes())], f"{path.name}: not the same as text")
    results = replay(context, target, paths)
    # those that libFuzzer has found for their coverage have numbers for names, and are one test
    found = [result for result in results if re.fullmatch(r"[0-9a-f]{8}", result[0])]
    bad = [f"{name}\n{failure}" for name, failure in found if failure]
    once_failed = [result for result in results if result not in found]
    return once_failed + ([(f"{len(found)}-found", "\n".join(bad) or None)] if found else [])


def from_compilers(context, target, made):
    paths = made.of(target)
    check(len(paths) >= 3, f"only {len(paths)} seeds")
    bad = [f"{name}\n{failure}" for name, failure in replay(context, target, paths) if failure]
    if bad:
        raise Failure("\n".join(bad))


def tests(context):
    made = Seeds(context)
    for target in TARGETS:
        yield Test(f"fuzz/{target}/corpus", lambda target=target: committed(context, target))
        yield Test(f"fuzz/{target}/seeds", lambda target=target: from_compilers(context, target, made))
