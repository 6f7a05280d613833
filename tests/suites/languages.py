"""languages/: C++, Rust, Fortran and Ada against what their compilers do.

Random hierarchies of C++ classes (tests/languages/hierarchies.py), with virtual bases, [[no_unique_address]] and the rest, say
at run time where their parts are, and so do the programs of tests/languages in all four languages; linelint must say
the same. What DWARF does not tell must be left open, not wrong.
"""

import re
import shlex
import sys

from .common import Failure, Skip, Test, check

sys.path.insert(0, str(__import__("pathlib").Path(__file__).resolve().parents[1] / "languages"))
import hierarchies  # noqa: E402

RANDOM_CLASSES = 100
UNKNOWN_MOST = 5  # a fifth of the classes with virtual bases
CXX = ["-std=c++20", "-w", "-fno-access-control", "-O0"]
WAYS = {
    "g++-5": ("g++", ["-gdwarf-5"]),
    "g++-4": ("g++", ["-gdwarf-4"]),
    "g++-3": ("g++", ["-gdwarf-3", "-gstrict-dwarf"]),
    "g++-2": ("g++", ["-gdwarf-2", "-gstrict-dwarf"]),
    "g++-5-O2": ("g++", ["-gdwarf-5", "-O2"]),
    "g++-5-type-units": ("g++", ["-gdwarf-5", "-fdebug-types-section"]),
    "clang++-5": ("clang++", ["-gdwarf-5", "-fstandalone-debug"]),
    "clang++-4": ("clang++", ["-gdwarf-4", "-fstandalone-debug"]),
}


def truths(output):
    """What a probe has printed: {class: {"S": (size, align), "B": {path: numbers}, "M": ..., "F": ...}}"""
    found = {}
    for line in output.splitlines():
        kind, name, *numbers = line.rsplit(" ", {"S": 3, "B": 3, "M": 3, "F": 4}[line[0]])
        if " " in kind:
            kind, name, numbers = kind.split(" ", 1)[0], kind.split(" ", 1)[1], [name, *numbers]
        numbers = tuple(int(number) for number in numbers)
        if kind == "S":
            current = found[name] = {"S": numbers, "B": {}, "M": {}, "F": {}}
        else:
            current[kind][name] = numbers
    return found


def flatten(report, path=()):
    """Bases and own members of a struct or base of a report -> {"B": {path: item}, "M": {path: item}}"""
    bases, members = {}, {}
    for base in report["bases"]:
        inner = (*path, base["name"].split("::")[-1])
        bases[".".join(inner)] = base
        more_bases, more_members = flatten(base, inner)
        bases.update(more_bases)
        members.update(more_members)
    for member in report["members"]:
        members[".".join((*path, member["name"]))] = member
    return bases, members


def compare(name, truth, report, unknown, with_align=True):
    faults = []

    def same(what, said, right):
        if said != right:
            faults.append(f"{name}: {what} is {said}, should be {right}")

    open_places = []

    def place(what, said, right):
        if said is None:
            open_places.append(what)
        else:
            same(what, said, right)

    bases, members = flatten(report)
    members = {path: item for path, item in members.items() if "_vptr" not in path}
    size, align = truth["S"]
    same("size", report["size"], size)
    if with_align:
        same("align", report["align"], align)
    same("bases", sorted(bases), sorted(truth["B"]))
    same("members", sorted(members), sorted([*truth["M"], *truth["F"]]))
    for path, (offset, its_size) in truth["B"].items():
        if path in bases:
            place(f"base {path}", bases[path]["offset"], offset)
            if its_size >= 0:
                same(f"size of base {path}", bases[path]["size"], max(its_size, 1))  # empty ones take nothing, and count 1
    for path, (offset, its_size) in truth["M"].items():
        if path in members:
            place(path, members[path]["offset"], offset)
            same(f"size of {path}", members[path]["size"], its_size)
    for path, (offset, bit, bits) in truth["F"].items():
        if path in members:
            member = members[path]
            if member["offset"] is None:
                open_places.append(path)
                continue
            same(path, (member["offset"], member.get("bit_offset"), member.get("bit_size")), (offset, bit, bits))
    if open_places:
        unknown.append(name)
    if not open_places and all(size >= 0 for _, size in truth["B"].values()):
        faults += compare_holes(name, truth, report)
    return faults


def compare_holes(name, truth, report):
    """Whole bytes that no part of the class itself has are holes or padding."""
    used = set()
    for path, (offset, size) in [*truth["B"].items(), *truth["M"].items()]:
        if "." not in path:
            used.update(range(offset, offset + max(size, 1)))
    for path, (offset, bit, bits) in truth["F"].items():
        if "." not in path:
            used.update(range(offset, offset + (bit + bits + 7) // 8))
    for member in report["members"]:
        if member["name"].startswith("_vptr"):
            used.update(range(member["offset"], member["offset"] + member["size"]))
    said = {byte for hole in report["holes"] for byte in range(hole["offset"], hole["offset"] + hole["size"])}
    said |= set(range(report["size"] - report["padding"], report["size"]))
    right = set(range(report["size"])) - used
    return [] if said == right else [f"{name}: unused are {sorted(said)}, should be {sorted(right)}"]


def need_cxx(context, compiler):
    context.need(compiler)


def random_classes(context, way, number, overlapping):
    compiler, flags = WAYS[way]
    directory = context.scratch / "languages" / f"random-{way}-{overlapping}"
    directory.mkdir(parents=True, exist_ok=True)
    drawn = (context.seed * 1000 + number, RANDOM_CLASSES, 0.02 if "-gdwarf-5" in flags else 0.01, overlapping)
    recipe = "from tests/languages/hierarchies.py " + " ".join(map(str, drawn))
    declarations, program = hierarchies.generate(*drawn)
    (directory / "classes.cc").write_text(declarations)
    (directory / "probe.cc").write_text(program)
    classes = (directory / "classes.cc").resolve()
    context.compile(compiler, [*CXX, *flags, "-c"], [classes], directory / "classes.o")
    context.compile(compiler, [*CXX, *flags, f'-DCLASSES="{classes}"'], [directory / "probe.cc"], directory / "probe")
    found = truths(context.good([(directory / "probe").resolve()]).out)
    check(len(found) == RANDOM_CLASSES, f"the probe tells of {len(found)}")
    reports = context.json(directory / "classes.o", "struct", *(f"::{name}" for name in found))["structs"]
    check(len(reports) == len(found), f"{len(found)} asked for, {len(reports)} told")
    unknown = []
    # alignas is in the debug information from DWARF 5 on, and in clang's
    faults = [fault for (name, truth), report in zip(found.items(), reports)
              for fault in compare(name, truth, report, unknown, "-gdwarf-5" in flags)]
    if faults:
        raise Failure("\n".join([*faults[:30], f"{len(faults)} in all",
                                 recipe]))
    # where DWARF lacks what decides, no place is said; that is the exception
    with_virtual = sum(any(base["virtual"] for base in report["bases"]) for report in reports)
    check(overlapping or len(unknown) * UNKNOWN_MOST <= with_virtual, f"{len(unknown)} of {with_virtual} classes with "
          f"virtual bases are left open: {' '.join(unknown)}; {recipe}")


def tests(context):
    for number, way in enumerate(WAYS):
        for kind, overlapping in (("plain", 0), ("overlapping", 0.05)):
            yield Test(f"languages/classes/{way}-{kind}",
                       lambda w=way, n=number, o=overlapping: random_classes(context, w, n, o))
