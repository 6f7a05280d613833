#!/usr/bin/python3
"""Orders in figures: what they cost beside a greedy clustering's, and how often a stated size or offset is wrong beside pahole -R.

    tests/bench/order.py [--structs N]

Needs the library that `make` builds (BUILD, default build/plain). Prints Markdown.
"""

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from suites import common, prove  # noqa: E402

KINDS = ["plain", "wide", "aligned", "bits", "flexible"]
MEMBER = re.compile(r"\b(m\d+)(?:\[[^;]*\])*(?::\d+)?(?: __attribute__\(\(.*?\)\))*;\s*/\*\s*(\d+)(?::\s*(\d+))?\s+\d+\s*\*/")


def ratios(context, count):
    output = context.build / "bench" / "order"
    context.compile(context.cc, ["-std=c11", "-D_GNU_SOURCE", "-Isrc", "-O2", "-w", "-pthread"],
                    ["tests/bench/order.c", context.build / "liblinelint.a", "-lcmocka", "-ldwarf", "-lbpf", "-lelf", "-lyaml", "-lcjson", "-lz",
                    "-llzma", "-lzstd", "-llz4", "-lbz2",
                     "-lm"], output)
    print(context.good([output.resolve(), count], timeout=1200).out)


def texts_of(struct):
    """Each member's declaration, and which are bit-fields."""
    texts = {}
    for unit in struct.units:
        for text in unit.text.split("; ") if unit.bits else [unit.text]:
            name = next(name for name in unit.names if re.search(rf"\b{name}\b", text))
            texts[name] = text.rstrip(";") + ";"
    return texts


def reorganized(struct, output):
    """What pahole states, as a claim; None when it prints something else than the members."""
    found = re.search(rf"^struct {struct.name} {{\n(.*?)^}}", output, re.M | re.S)
    size = re.search(r"/\* size: (\d+)", found[1] if found else "")
    texts = texts_of(struct)
    members = [(match[1], 8 * int(match[2]) + int(match[3] or 0)) for match in MEMBER.finditer(found[1] if found else "")]
    if not size or sorted(name for name, _ in members) != sorted(texts):
        return None
    name = struct.name + "_pahole"
    text = prove.define(struct, name, [texts[member] for member, _ in members])
    return prove.Claim(struct, name, text, int(size[1]), 0, members)


def wrong_of(context, claims, directory, name):
    source = directory / f"{name}.c"
    source.write_text(prove.checker(claims))
    context.compile("gcc", prove.FLAGS, [source], directory / name)
    out = context.run([(directory / name).resolve()]).out
    return {line.split()[0] for line in out.splitlines()}


def faults(context, kind, count):
    directory = context.scratch / "bench" / kind
    directory.mkdir(parents=True, exist_ok=True)
    generator = prove.Generator(context.seed, wide=True, full=True, stated=True, hidden=0)
    structs = [generator.struct(kind, index) for index in range(count)]
    source = directory / "structs.c"
    source.write_text(prove.PREAMBLE + "".join(
        prove.define(struct, struct.name, [unit.text for unit in struct.units]) +
        f"struct {struct.name} *{struct.name}_used;\n" for struct in structs))
    profile = directory / "profile.yaml"
    profile.write_text(prove.profile_of(structs, context.seed))
    context.compile("gcc", [*prove.FLAGS, "-gdwarf-5", "-c"], [source], directory / "structs.o")

    names = ",".join(struct.name for struct in structs)
    theirs = context.run(["pahole", "--reorganize", "-C", names, directory / "structs.o"], timeout=600).out
    claims = [claim for claim in (reorganized(struct, theirs) for struct in structs) if claim]
    their_wrong = len(wrong_of(context, claims, directory, "pahole"))

    said = context.good([prove.program(context), "-n", 4, "-p", profile, directory / "structs.o",
                         *(struct.name for struct in structs)], timeout=600).out
    answers = {answer["name"]: answer for answer in prove.json.loads(said)}
    own = [claim for struct in structs if "why_none" not in answers[struct.name]
           for claim in prove.claims_of(struct, answers[struct.name])]
    our_wrong = len(wrong_of(context, own, directory, "ours"))
    print(f"| {kind} | {len(claims)} | {their_wrong} ({100 * their_wrong / max(1, len(claims)):.0f} %) | {len(own)} | {our_wrong} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--structs", type=int, default=200)
    options = parser.parse_args()
    context = common.Context()
    print("Cost of an order, as a multiple of the search's (random structs and profiles, one model):\n")
    ratios(context, options.structs)
    print("Orders whose stated size or an offset is wrong, by the compiler:\n")
    print("| structs | pahole -R: orders | wrong | linelint: orders | wrong |\n|---|---|---|---|---|")
    for kind in KINDS:
        faults(context, kind, options.structs)
    print()


if __name__ == "__main__":
    sys.exit(main())
