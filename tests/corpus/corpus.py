#!/usr/bin/python3
"""make corpus: every struct, union and class of many builds, every member of them, against three others.

corpus.py [-j N] [--list] [-v] [PATTERN...]     (a PATTERN is a part of a build's name, or a glob of it)

For each build of the matrix what linelint says is compared with an independent reading of the same debug information (reader.py
over pyelftools, or llvm-dwarfdump where that cannot), both ways and with all that is nested; and with what the compiler says
(truth.py). So is what pahole says. A test is a build: it fails when linelint differs anywhere, or says nothing.

Environment: BUILD (build/plain), LINELINT, SANITIZE, as for tests/run.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import build as builds  # noqa: E402
import dies  # noqa: E402
import matrix  # noqa: E402
import ours  # noqa: E402
import peer  # noqa: E402
import reader  # noqa: E402
import truth  # noqa: E402
from suites import common  # noqa: E402

sys.setrecursionlimit(20000)
ASKED = ("c", "c++")  # languages whose compilers put the truth into objects; of others the independent reader says it
NEEDED = {"rustc": "rustc", "gfortran": "gfortran", "gnat": "gnat"}
SHOWN = 8  # faults of a build
CONTEXT = common.Context()
SCRATCH = (CONTEXT.build / "corpus").resolve()

Score = collections.namedtuple("Score", "structs members")
Outcome = collections.namedtuple("Outcome", "build faults total ours theirs opened rows tool unsaid")


# ---- the compiler


def key_of(build):
    """What the compiler's answers depend on; form and packaging are none of it."""
    parts = [build[name] for name in ("block", "source", "target")]
    return "-".join(parts + ([build["optimize"]] if build["source"] == "random" else []))


def ask_compiler(build):
    """-> {unit: [Truth]}, and how many questions were refused."""
    directory = SCRATCH / "truth" / key_of(build)
    shutil.rmtree(directory, ignore_errors=True)
    found, refused = {}, 0
    is_cxx = build["language"] == "c++"
    for unit in builds.units(build, directory):
        here = directory / unit.name
        here.mkdir(parents=True, exist_ok=True)
        command = [build["compiler"], *builds.language_flags(build), *unit.flags]
        standalone = ["-fstandalone-debug"] if build["compiler"] == "clang++" else []
        builds.sh(*command, "-gdwarf-4", *standalone, "-c", unit.path, "-o", here / "names.o")
        file, _ = dies.read(here / "names.o")
        structs, questions = truth.questions(reader.rows([file]), is_cxx)
        kept = truth.compile_questions(command, unit.path, questions, here, is_cxx)
        refused += len(questions) - len(kept)
        found[unit.name] = truth.answers(here / "truth.o", structs, kept)
    return found, refused


# ---- comparing


def canonical(row):
    return row.kind, row.name, row.size, tuple(sorted(row.parts, key=str))


def linelint(built):
    argv = [CONTEXT.program, "--format", "json", "--all-definitions", *built.options, str(built.binary), "list"]
    done = subprocess.run(argv, capture_output=True, stdin=subprocess.DEVNULL, env=CONTEXT.environment, timeout=300, check=False)
    if done.returncode or not done.stdout:
        raise builds.Failed(f"$ {' '.join(argv)}\nexit {done.returncode}: {done.stderr.decode(errors='replace')[:2000]}")
    return list(ours.rows(json.loads(done.stdout)))


def against_reader(mine, read):
    """Differences between linelint's rows and the independent reader's, both ways."""
    one, other = {canonical(row) for row in mine}, {canonical(row) for row in read}
    faults = []
    for row in sorted(other - one, key=str):
        near = [mate for mate in one if mate[:2] == row[:2]]
        faults.append(f"{row[0]} {row[1]}: " + (difference(row, near) if near else "linelint has none"))
    for row in sorted(one - other, key=str):
        if not any(mate[:2] == row[:2] for mate in other):
            faults.append(f"{row[0]} {row[1]}: only linelint has it")
    return faults


def difference(row, near):
    """How a row of the reader's differs from that of ours which comes closest."""
    mate = max(near, key=lambda one: len(set(one[3]) & set(row[3])))
    if mate[2] != row[2]:
        return f"linelint {mate[2]} bytes, the reader {row[2]}"
    said, right = sorted(set(mate[3]) - set(row[3]), key=str), sorted(set(row[3]) - set(mate[3]), key=str)
    return f"linelint {say(said[:2])}, the reader {say(right[:2])}" if said or right else f"{len(near)} layouts, none is this"


def say(parts):
    return ", ".join(f"{'.'.join(path)} at bit {at}, {size} bits" for path, at, size, _ in parts) or "nothing"


def agrees(answer, size, members):
    """-> (is the size right and every member, how many members, the first that is not)"""
    good, wrong = 0, None if size == answer.size else f"size {size}, to the compiler {answer.size}"
    for path, (at, bits) in answer.members.items():
        said = members.get(path)
        if said is not None and said[0] == at and (bits is None or said[1] == bits):
            good += 1
        elif wrong is None:
            wrong = f"{'.'.join(path)} {said}, to the compiler {(at, bits)} (bit, bits)"
    return wrong is None, good, wrong


def score(truths, layouts):
    """How many of the truths some layout of that name agrees with -> Score, [what is wrong]"""
    structs, members, wrong = 0, 0, []
    for answer in truths:
        results = [agrees(answer, size, parts) for size, parts in layouts.get(answer.name, [])]
        if not results:
            wrong.append(f"{answer.name}: not there")
            continue
        best = max(results)
        structs, members = structs + best[0], members + best[1]
        if not best[0]:
            wrong.append(f"{answer.name}: {best[2]}")
    return Score(structs, members), wrong


def without_unsaid(truths, read):
    """clang's debug information lacks where a bit-field as wide as its type begins inside its first byte, when no bit-field with
    a name ends there (reader.behind_bits): nobody can know. -> truths without those, how many they were."""
    plain = collections.defaultdict(set)
    for row in read:
        plain[row.name] |= {(path, at, bits) for path, at, bits, is_bits in row.parts if not is_bits}
    found, count = [], 0
    for answer in truths:
        unsaid = [path for path, (at, bits) in answer.members.items()
                  if at % 8 and (path, at // 8 * 8, bits) in plain[answer.name]]
        count += len(unsaid)
        found.append(answer._replace(members={path: place for path, place in answer.members.items() if path not in unsaid}))
    return found, count


def by_name(rows):
    found = collections.defaultdict(list)
    for row in rows:
        found[row.name].append((row.size, {path: (at, bits) for path, at, bits, _ in row.parts}))
    return found


def one(build, answers):
    directory = SCRATCH / "builds" / matrix.name_of(build).replace("/", "-")
    try:
        found, _ = answers or ({}, 0)
        sources = builds.units(build, SCRATCH / "truth" / key_of(build))
        built, used = builds.Builder(build, directory, sources).made()
        tools, files = set(), []
        for path in built.read:
            file, tool = dies.read(path, built.alternate)
            files += [file] + ([file.alternate] if file.alternate else [])
            tools.add(tool)
        read = list(reader.rows(files))
        if build["form"] == "btf":  # has no scopes, and of gcc only what is outside of functions
            read = [row for row in read if not row.local]
        mine = linelint(built)
        faults = against_reader(mine, read)
        names = {row.name for row in read}
        truths, seen = [], set()
        if build["language"] not in ASKED:
            truths = [truth.Truth(row.name, row.local, row.size, None, {path: (at, bits) for path, at, bits, _ in row.parts})
                      for row in read]
        for unit in used if build["language"] in ASKED else []:
            for answer in found[unit.name]:
                same = (answer.name, answer.size, tuple(sorted(answer.members.items(), key=str)))
                if same not in seen:
                    seen.add(same)
                    if answer.name in names:
                        truths.append(answer)
                    # a compiler may drop what nothing uses: gcc does so differently with these
                    elif build["form"] != "lto" and build["source"] not in ("headers", "containers"):
                        faults.append(f"{answer.name}: the reader lacks it")
        truths, unsaid = without_unsaid(truths, read) if build["compiler"].startswith("clang") else (truths, 0)
        total = Score(len(truths), sum(len(answer.members) for answer in truths))
        good, wrong = score(truths, by_name(mine))
        said = peer.sayings(built.peer, built.form)
        theirs, _ = score(truths, said or {})
        if not faults + wrong:
            shutil.rmtree(directory, ignore_errors=True)
        return Outcome(build, faults + wrong, total, good, theirs, said is not None, len(read), "+".join(sorted(tools)), unsaid)
    except Exception as error:  # a build that breaks is a build that fails
        text = str(error) if isinstance(error, (builds.Failed, dies.Unread)) else traceback.format_exc()
        return Outcome(build, [text], Score(0, 0), Score(0, 0), Score(0, 0), False, 0, "", 0)


# ---- the table


AXES = [("language", "language"), ("compiler", "compiler"), ("source", "source"), ("dwarf", "DWARF"), ("form", "form"),
        ("optimize", "optimization"), ("target", "target"), ("packaging", "packaging")]


def percent(part, whole):
    if not whole:
        return "-"
    return "100" if part == whole else f"{min(99.9, 100 * part / whole):.1f}"


def line(name, outcomes):
    def total(what, part):
        return sum(getattr(getattr(outcome, what), part) for outcome in outcomes)
    structs, members = total("total", "structs"), total("total", "members")
    return (f"{name:<24}{len(outcomes):>7}{structs:>9}{members:>10}"
            f"{percent(total('ours', 'structs'), structs):>9}{percent(total('ours', 'members'), members):>8}"
            f"{percent(total('theirs', 'structs'), structs):>9}{percent(total('theirs', 'members'), members):>8}"
            f"{sum(not outcome.opened for outcome in outcomes):>9}")


def table(outcomes):
    print(f"\n{'':<24}{'':>7}{'':>9}{'':>10}{'linelint %':>17}{'pahole %':>17}{'':>9}")
    print(f"{'category':<24}{'builds':>7}{'structs':>9}{'members':>10}{'structs':>9}{'members':>8}{'structs':>9}{'members':>8}"
          f"{'unopened':>9}")
    for axis, title in AXES:
        values = list(dict.fromkeys(outcome.build.get(axis) for outcome in outcomes))
        for value in values:
            chosen = [outcome for outcome in outcomes if outcome.build.get(axis) == value]
            if value is not None:
                print(line(f"{title} {value}", chosen))
    print(line("total", outcomes))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", type=int, default=2, metavar="N", dest="jobs")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-v", action="store_true", dest="verbose")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    options = parser.parse_args()
    chosen = [build for build in matrix.builds()
              if not options.patterns or any(pattern in matrix.name_of(build) or fnmatch.fnmatch(matrix.name_of(build), pattern)
                                             for pattern in options.patterns)]
    if options.list or not chosen:
        print("\n".join(map(matrix.name_of, chosen)) or "no build of that name; --list shows them")
        return 0 if chosen else 1
    for block, tool in NEEDED.items():
        if not shutil.which(tool) and any(build["block"] == block for build in chosen):
            print(f"skip {block}: {tool} is missing")
            chosen = [build for build in chosen if build["block"] != block]
    begin = time.monotonic()
    outcomes = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        wanted = {key_of(build): build for build in chosen if build["language"] in ASKED}
        asked = {key: pool.submit(ask_compiler, build) for key, build in wanted.items()}
        answers, unasked = {}, 0
        for key, future in asked.items():
            try:
                answers[key] = future.result()
            except Exception as error:
                unasked += 1
                print(f"FAIL the compiler's answers for {key}: {error}"[:3000], flush=True)
        if options.verbose:
            print(f"{len(answers)} compilers and targets asked, {time.monotonic() - begin:.0f} s", flush=True)
        for outcome in pool.map(one, chosen, [answers.get(key_of(build)) for build in chosen]):
            outcomes.append(outcome)
            if outcome.faults:
                print(f"FAIL {matrix.name_of(outcome.build)}\n    " + "\n    ".join(
                    text.rstrip().replace("\n", "\n    ") for text in outcome.faults[:SHOWN])
                      + (f"\n    {len(outcome.faults)} in all" if len(outcome.faults) > SHOWN else ""), flush=True)
            elif options.verbose:
                print(f"ok   {matrix.name_of(outcome.build)}: {outcome.total.structs} structs, {outcome.total.members} members, "
                      f"{outcome.rows} rows by {outcome.tool}, pahole {outcome.theirs.structs}", flush=True)
    table(outcomes)
    failed = unasked + sum(bool(outcome.faults) for outcome in outcomes)
    tools = collections.Counter(outcome.tool for outcome in outcomes)
    print(f"\n{sum(outcome.rows for outcome in outcomes)} definitions with all that is nested in them compared with the independent "
          f"reader: {', '.join(f'{count} builds by {tool}' for tool, count in tools.items() if tool)}")
    print(f"{sum(refused for _, refused in answers.values())} questions that a compiler refuses to answer; "
          f"{sum(outcome.unsaid for outcome in outcomes)} places that clang's debug information lacks")
    print(f"{time.monotonic() - begin:.0f} s")
    print(f"{len(outcomes) - failed + unasked} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
