"""patch/: the suggestion as a diff of the real source. It applies, compiles, lies as was said, and the finding is gone.

tests/patch/ has sources in many styles. Lines in their first comment say what is done with them:

    patch: struct NAME          the struct
    writes: field ...           fields that four writers write
    reads: field ...            fields that sixteen readers read
    cc: -DX                     flags of the compiler
    language: C++               of a header, whose name does not tell
    padding: allowed            alignments may be put on members
    refused: MESSAGE            the minimal suggestion cannot be had by moving text ("*" stands for anything)

Each is patched by all three kinds of suggestion, with git apply, with patch -p1, and in place.
"""

import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import subprocess

from .oracle import generate
from .common import Failure, Skip, Test, check, members, tail

KINDS = ("minimal", "best", "pack")


def directive(text, name):
    match = re.search(rf"^(?:/\*| \*|//) ?{name}: (.*?)\r?$", text, re.M)
    return match[1] if match else ""


def profile(struct, writes, reads, extra=""):
    fields = "".join(f"      {field}: {{writer: {{write: 1}}}}\n" for field in writes)
    fields += "".join(f"      {field}: {{reader: {{read: 2}}}}\n" for field in reads)
    return (f"version: 1\nroles: {{writer: {{threads: 4}}, reader: {{threads: 16}}}}\nstructs:\n  {struct}:\n"
            f"    placement: {{alignment: 64}}\n{extra}    fields:\n{fields}")


def fresh(directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


class Case:
    """One source in a tree of its own, which is compiled from another directory, as builds do."""

    def __init__(self, context, name, text, struct, writes, reads, flags=(), extra="", file=None):
        self.context, self.struct = context, struct.split()[-1]
        self.directory = fresh(context.scratch / "patch" / name)
        self.flags, self.writes, self.may_grow = list(flags), writes, "padding" in extra
        self.file = pathlib.Path("include") / (file or name.split("-")[0])
        self.text = text
        self.is_cxx = self.file.suffix == ".cc" or directive(text.decode("latin-1"), "language") == "C++"
        (self.directory / "p.yaml").write_text(profile(self.struct, writes, reads, extra))
        self.tree("tree")
        self.compile("tree", "before.o")

    def tree(self, name):
        target = fresh(self.directory / name) / self.file
        target.parent.mkdir()
        target.write_bytes(self.text)
        target.chmod(0o640)
        return target

    def compile(self, tree, output):
        compiler, language = ("g++", "c++") if self.is_cxx else ("gcc", "c")
        self.context.good([compiler, "-g", "-Wall", "-Wextra", "-Wno-reorder", *self.flags, "-x", language, "-c", self.file,
                           "-o", f"../{output}"], cwd=self.directory / tree)

    def report(self, binary):
        result = self.context.linelint("--format", "json", "--profile", "p.yaml", "--fail-on", "never", binary, "struct",
                                       self.struct, cwd=self.directory)
        return json.loads(result.out)["structs"][0]

    def patch(self, kind, *options, status=0, source="tree"):
        """Runs linelint patch; with bytes, for what it prints may be in any encoding."""
        argv = [self.context.program, "--profile", "p.yaml", "--suggest", kind, "before.o", "patch", self.struct, "--source",
                source, *options]
        result = subprocess.run(argv, cwd=self.directory, env=self.context.environment, capture_output=True, timeout=120)
        shown = f"$ {' '.join(argv)}\nexit {result.returncode}\n{tail(result.stderr.decode(errors='replace'))}"
        check(status is None or result.returncode == status, shown)
        check(result.returncode in (0, 2), shown)
        check(result.returncode == 0 or not result.stdout, f"something is printed\n{shown}")
        for line in result.stderr.decode().splitlines():
            check(line.startswith("linelint: "), shown)
        return result

    def unchanged(self, tree):
        root = self.directory / tree
        check((root / self.file).read_bytes() == self.text, f"{tree} was changed")
        left = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
        check(left == [str(self.file)], f"left in {tree}: {left}")


def apply(case, diff):
    """With both tools -> the new bytes."""
    (case.directory / "x.diff").write_bytes(diff)
    results = []
    for tool in (["git", "apply", "--whitespace=nowarn", "../x.diff"], ["patch", "-s", "-p1", "--binary", "-i", "../x.diff"]):
        target = case.tree("applied")
        case.context.need(tool[0])
        case.context.good(tool, cwd=case.directory / "applied",
                          environment={"GIT_CEILING_DIRECTORIES": str(case.directory.resolve())})
        results.append(target.read_bytes())
    check(results[0] == results[1], "git apply and patch -p1 make different files")
    check(results[0] != case.text, "the diff changes nothing")
    return results[0]


def in_place(case, kind, wanted):
    target = case.tree("placed")
    result = case.patch(kind, "--in-place", source="placed")
    check(not result.stdout, "--in-place prints")
    check(target.read_bytes() == wanted, "--in-place makes another file than the diff")
    check(target.stat().st_mode & 0o777 == 0o640, "--in-place loses the mode")
    left = [path.name for path in target.parent.iterdir() if path.name.startswith(target.name)]
    check(left == [target.name], f"--in-place leaves {left}")


def suggested(report, kind):
    found = [suggestion for suggestion in report["suggestions"] if suggestion["kind"] == kind]
    return found[0] if found else None


def sharing(report, written):
    """Warnings and errors about sharing that these fields, written, are in."""
    return [finding["message"] for finding in report["findings"] if finding["rule"] in ("LL001", "LL002")
            and finding["severity"] != "info" and finding["fields"][0] in written]


ALIGNMENTS = (b"_Alignas", b"alignas", b"__attribute__", b"aligned", b"64")


def same_words(before, after, may_add=()):
    """Nothing is lost and nothing is added but what parting declarators needs."""
    def count(text):
        words = {}
        for word in re.findall(rb"[\w\x80-\xff]+", text):
            words[word] = words.get(word, 0) + 1
        return words
    old, new = count(before), count(after)
    lost = [word for word in old if new.get(word, 0) < old[word]]
    added = [word for word in new if word not in old and word not in may_add]
    check(not lost and not added, f"lost {lost}, added {added}")


def as_stated(said, after):
    """Every offset of the suggestion is that of the compiled struct."""
    lies = members(after)
    wrong = [f"{place['field']} at {lies[place['field']]['offset']}, not {place['offset']}" for place in said["order"]
             if place["field"] in lies and lies[place["field"]]["offset"] != place["offset"]]
    check(not wrong and after["size"] == said["size"], f"not as stated: {wrong}, size {after['size']}, not {said['size']}")


def check_patch(case, kind, diff, before):
    after_text = apply(case, diff)
    same_words(case.text, after_text, ALIGNMENTS if case.may_grow else ())
    if case.may_grow and kind == "minimal":
        check(b"aligned(64)" in after_text or b"lignas(64)" in after_text, "nothing is aligned")
    case.compile("applied", "after.o")
    after = case.report("after.o")
    check(after["size"] <= before["size"] or case.may_grow, f"{before['size']} bytes become {after['size']}")
    cost = [report["cost"]["total"] for report in (before, after)]
    check(cost[1] < cost[0] if kind != "pack" else cost[1] <= cost[0] + 1e-9, f"cost {cost[0]} becomes {cost[1]}")
    if kind == "pack":
        check(after["size"] < before["size"], "nothing is packed")
    else:
        check(sharing(before, case.writes), "there was no finding")
        check(not sharing(after, case.writes), f"still there: {sharing(after, case.writes)}")
    said = suggested(before, kind)
    check(said, f"JSON has no suggestion {kind}")
    as_stated(said, after)
    in_place(case, kind, after_text)


def corpus(context, source, kind):
    text = source.read_bytes()
    words = text.decode("latin-1")
    case = Case(context, f"{source.name}-{kind}", text, directive(words, "patch"), directive(words, "writes").split(),
                directive(words, "reads").split(), directive(words, "cc").split(),
                "    constraints: {padding: allowed}\n" if directive(words, "padding") else "", file=source.name)
    refused = directive(words, "refused")
    result = case.patch(kind, status=None)
    if result.returncode == 2:
        message = result.stderr.decode().strip()
        check(message.count("\n") == 0 and "; " in message, message)
        if kind == "minimal":
            wanted = "linelint: tree/include/" + re.escape(refused).replace(r"\*", ".*")
            check(refused and re.fullmatch(wanted.replace("/", "/"), message), f"refused, but not as expected: {message}")
        case.patch(kind, "--in-place", status=2)
        case.unchanged("tree")
        return
    check(kind != "minimal" or not refused, "not refused")
    if not result.stdout:
        check(kind != "minimal", f"there is nothing to do?\n{result.stderr.decode()}")
        check(b"nothing to do: " in result.stderr, "no reason is given")
        case.unchanged("tree")
        return
    check_patch(case, kind, result.stdout, case.report("before.o"))
    case.unchanged("tree")


# ---- what a run may meet ----

PAIR = b"""\
#pragma once
struct one {
\tunsigned long hits;
\tvoid *table;
\tlong cold[8];
};
struct two {
\tunsigned long hits;	/* of two */
\tvoid *table;
\tlong cold[8];
};
struct one a; struct two b;
struct outer { long x; struct inner { unsigned long hits; void *table; long cold[8]; } in; } c;
"""


def pair(context, name, text=PAIR):
    case = Case(context, name, text, "struct one", ["hits"], ["table"], file="pair.h")
    entry = "    placement: {alignment: 64}\n    fields: {hits: {writer: {write: 1}}, table: {reader: {read: 2}}}\n"
    path = case.directory / "p.yaml"
    path.write_text(path.read_text() + f"  two:\n{entry}  inner:\n{entry}")
    return case


def run(case, *args, status=0):
    return case.context.linelint("--profile", "p.yaml", *args, status=status, cwd=case.directory)


def several(context):
    """Several structs of one file are one diff; the same in place."""
    case = pair(context, "several")
    result = run(case, "before.o", "patch", "one", "two", "--source", "tree")
    check(result.out.count("--- a/include/pair.h\n") == 1 and result.out.count("-\tunsigned long hits;") == 2, str(result))
    after = apply(case, result.out.encode())
    case.compile("applied", "after.o")
    for struct in ("one", "two"):
        run(case, "after.o", "check", struct)
    check(after.index(b"cold[8];\n\tunsigned long hits;\t/* of two */\n};") > 0, after.decode())


def found(context):
    """Sources are found by the ends of their paths, wherever --source begins."""
    case = pair(context, "found")
    diffs = {}
    for source, name in (("tree", "include/pair.h"), ("tree/include", "pair.h"), (".", "tree/include/pair.h")):
        result = run(case, "before.o", "patch", "one", "--source", source)
        check(result.out.startswith(f"--- a/{name}\n+++ b/{name}\n"), str(result))
        diffs[source] = result.out.split("\n", 2)[2]
    check(len(set(diffs.values())) == 1, "different diffs")
    # where it was compiled, without --source: named from the working directory
    check(run(case, "before.o", "patch", "one").out.startswith("--- a/tree/include/pair.h\n"), "in the compilation directory")
    other = fresh(case.directory / "elsewhere")
    shutil.copytree(case.directory / "tree", other / "moved")
    result = context.linelint("--profile", "../p.yaml", "../before.o", "patch", "one", "--source", "moved", status=0, cwd=other)
    check(result.out.startswith("--- a/include/pair.h\n"), str(result))


def messages(context):
    """Each refusal says what is wrong and what to do; nothing is written."""
    case = pair(context, "messages")
    fresh(case.directory / "empty")
    wrong = fresh(case.directory / "wrong") / "include"
    wrong.mkdir()
    twice = fresh(case.directory / "twice")
    for name in ("a", "b"):
        (twice / name / "include").mkdir(parents=True)
        (twice / name / "include/pair.h").write_bytes(PAIR)
    cases = [
        (["one", "--source", "empty"], "struct one: its source include/pair.h is not below empty; give the top of the tree that "
                                       "was built with --source DIR"),
        (["one", "--source", "nowhere"], "--source nowhere: No such file or directory; give the top of the tree that was built"),
        (["one", "--source", "p.yaml"], "--source p.yaml: not a directory; give the top of the tree that was built"),
        (["one", "--source", "twice"], "struct one: its source include/pair.h may be a/include/pair.h or b/include/pair.h below "
                                       "twice; give --source a directory that has only one"),
        ([], "no NAME after patch; write 'linelint before.o patch NAME'"),
        (["one", "--in-place", "--output", "x"], "--in-place and --output contradict each other: leave one out; --in-place "
                                                 "prints no diff"),
    ]
    for text, message in (
            (b"struct one { unsigned long hits; void *table; };\n",
             "wrong/include/pair.h:1: 'cold' of struct one is in the debug information and not here; take the source that was "
             "built"),
            (PAIR.replace(b"void *table;", b"int more;\n\tvoid *table;", 1),
             "wrong/include/pair.h:4: 'more' of struct one is here and not in the debug information; take the source that was "
             "built"),
            (PAIR.replace(b"\tunsigned long hits;\n\tvoid *table;", b"\tvoid *table;\n\tunsigned long hits;", 1),
             "wrong/include/pair.h:3: 'table' stands before 'hits' here and behind it in the debug information; take the source "
             "that was built, and a build without randomised layouts"),
            (b"struct other { int x; };\n",
             "wrong/include/pair.h: no definition of struct one here, or a macro writes it; take the source that was built"),
            (b"\0", "wrong/include/pair.h: has a NUL byte, and so is no source; give another --source")):
        (wrong / "pair.h").write_bytes(text)
        for place in ([], ["--in-place"]):
            result = run(case, "before.o", "patch", "one", "--source", "wrong", *place, status=2)
            check(result.err == f"linelint: {message}\n" and not result.out, f"expected: {message}\n{result}")
            check((wrong / "pair.h").read_bytes() == text, "it was changed")
    for arguments, message in cases:
        result = run(case, "before.o", "patch", *arguments, status=2)
        check(result.err == f"linelint: {message}\n" and not result.out, f"expected: {message}\n{result}")
    # a good one beside a bad one: neither is written
    (wrong / "pair.h").write_bytes(PAIR.replace(b"of two */\n\tvoid *table;", b"of two */\n\tvoid *other;"))
    kept = (wrong / "pair.h").read_bytes()
    run(case, "before.o", "patch", "one", "two", "--source", "wrong", "--in-place", status=2)
    check((wrong / "pair.h").read_bytes() == kept, "half of it was written")
    case.unchanged("tree")


def nothing(context):
    """Nothing to do: no output, exit 0, the reason; --output leaves what is there."""
    case = pair(context, "nothing")
    result = run(case, "before.o", "patch", "outer", "--source", "tree")
    check(not result.out and re.fullmatch(r"linelint: before\.o: struct outer: nothing to do: .+\nlinelint: .* --allow-empty only\n", result.err),
          str(result))
    result = run(case, "--quiet", "--output", "out.diff", "before.o", "patch", "outer", "--source", "tree")
    check(not result.out and not result.err and not (case.directory / "out.diff").exists(), str(result))
    result = run(case, "before.o", "patch", "outer", "--source", "tree", "--in-place")
    check("--allow-empty" not in result.err, str(result))
    case.unchanged("tree")
    run(case, "--output", "out.diff", "before.o", "patch", "one", "--source", "tree")
    check((case.directory / "out.diff").read_text().startswith("--- a/"), "--output")


def pipelines(context):
    """As linelint(1) has it for scripts: nothing to do passes, a refusal fails, and what there is is applied."""
    case = pair(context, "pipelines")
    page = (context.root / "man/linelint.1").read_text()
    check("--source tree > x.patch && \\e\n  git -C tree apply --allow-empty ../x.patch" in page, "the manual has another command")
    for name, status in (("outer", 0), ("no_such", 1), ("one", 0)):
        case.unchanged("tree")
        command = (f"{context.program} --profile p.yaml before.o patch {name} --source tree > x.patch && "
                   "git -C tree apply --allow-empty ../x.patch")
        result = context.run(["sh", "-c", command], cwd=case.directory, environment={"GIT_CEILING_DIRECTORIES": str(case.directory.resolve())})
        check(bool(result.status) == bool(status), str(result))
    try:
        case.unchanged("tree")
    except Failure:
        return
    raise Failure("the patch was not applied")


def stale(context):
    """A name that leads nowhere: of a constraint an error, for the patch would break it; of a field a note."""
    case = pair(context, "stale")
    path = case.directory / "p.yaml"
    for constraint in ("first: [hist]", "last: [hist]", "pin: [hist]", "keep_together: [[table, hist]]"):
        path.write_text(profile("one", ["hits"], ["table"], f"    constraints: {{{constraint}}}\n"))
        result = run(case, "before.o", "patch", "one", "--source", "tree", "--in-place", status=2)
        check(re.fullmatch(r"linelint: p\.yaml:6:\d+: hist: no such field; did you mean 'hits'\?; correct the name, for a patch has "
                           r"to keep to it\n", result.err), str(result))
        case.unchanged("tree")
    path.write_text(profile("one", ["hits"], ["table", "tabel"]))
    result = run(case, "before.o", "patch", "one", "--source", "tree")
    check(result.out and "p.yaml:9:7: tabel: no such field; did you mean 'table'?; correct the name\n" in result.err, str(result))


def safe(context):
    """--in-place: a disk that is full leaves the file; a link stays one; nothing outside of --source is touched."""
    case = pair(context, "safe")
    script = "trap '' XFSZ; ulimit -f 0; exec \"$@\""
    result = context.run(["bash", "-c", script, "bash", context.program, "--profile", "p.yaml", "before.o", "patch", "one",
                          "--source", "tree", "--in-place"], cwd=case.directory)
    check(result.status == 2 and "cannot write" in result.err and "the file is as it was" in result.err, str(result))
    case.unchanged("tree")
    # through a link
    linked = fresh(case.directory / "linked") / "include"
    linked.mkdir()
    (linked.parent / "real.h").write_bytes(PAIR)
    (linked / "pair.h").symlink_to("../real.h")
    run(case, "before.o", "patch", "one", "--source", "linked", "--in-place")
    check((linked / "pair.h").is_symlink() and (linked.parent / "real.h").read_bytes() != PAIR, "the link's target")
    # out of the tree
    (linked / "pair.h").unlink()
    (linked / "pair.h").symlink_to(case.directory.resolve() / "tree/include/pair.h")
    result = run(case, "before.o", "patch", "one", "--source", "linked", "--in-place", status=2)
    check("lies outside of linked" in result.err, str(result))
    case.unchanged("tree")
    elsewhere = fresh(case.directory / "elsewhere")
    result = context.linelint("--profile", "../p.yaml", "../before.o", "patch", "one", "--in-place", status=2, cwd=elsewhere)
    check("lies outside of ." in result.err, str(result))
    case.unchanged("tree")


def nested(context):
    """A struct that is defined in another is patched there; both at once are refused."""
    case = pair(context, "nested", PAIR.replace(b"long x; struct", b"unsigned long hits; void *table; long cold[8]; struct"))
    path = case.directory / "p.yaml"
    path.write_text(path.read_text() + "  outer:\n    placement: {alignment: 64}\n"
                    "    fields: {hits: {writer: {write: 1}}, table: {reader: {read: 2}}}\n")
    result = run(case, "before.o", "patch", "inner", "--source", "tree")
    apply(case, result.out.encode())
    case.compile("applied", "after.o")
    run(case, "after.o", "check", "inner")
    result = run(case, "before.o", "patch", "inner", "outer", "--source", "tree", status=2)
    check("lie in each other; patch one, build, then the other" in result.err, str(result))


BRANCHES = b"""\
struct branch {
#ifndef SMALL
\tunsigned long hits;
\tvoid *table;
\tlong cold[6];
\tlong more[4];
#endif
\tlong last[2];
};
struct branch a_branch;
"""


SHRINKS = b"""\
struct shrinks {
#ifndef SMALL
\tunsigned hits;
\tvoid *table;
\tlong cold[7];
\tlong more[3];
#endif
\tlong last[2];
\tint end;
};
struct shrinks a_shrinks;
"""


def instead_as_large(context):
    """The best place makes the struct smaller, which the next one, of today's size, need not do."""
    case = Case(context, "instead-as-large", SHRINKS, "struct shrinks", ["hits"], ["table"], file="shrinks.h")
    said = suggested(case.report("before.o"), "minimal")
    check(said["moves"][0]["after"] == "end" and (said["before"]["size"], said["size"]) == (120, 112), str(said))
    result = case.patch("minimal")
    check(b"out of '#ifndef SMALL' of line 2; instead of behind end" in result.stderr, result.stderr.decode())
    text = apply(case, result.stdout)
    check(re.search(rb"\tlong (cold|more)\[\d\];\n\tunsigned hits;\n", text) and text.index(b"hits") < text.index(b"#endif"), text.decode())
    case.compile("applied", "after.o")
    after = case.report("after.o")
    check(after["size"] == 120 and not sharing(after, ["hits"]), str(after["size"]))


def instead(context):
    """Where the text does not have the best destination, the next one that costs little more is taken, and that is said."""
    case = Case(context, "instead", BRANCHES, "struct branch", ["hits"], ["table"], file="branch.h")
    said = suggested(case.report("before.o"), "minimal")
    check([move["after"] for move in said["moves"]] == ["last"] and said["destinations"][0]["after"] == "last", str(said["moves"]))
    result = case.patch("minimal")
    note = result.stderr.decode()
    check(re.fullmatch(r"linelint: tree/include/branch\.h:3: 'hits' cannot be moved: it would have to go beside 'last', out of "
                       r"'#ifndef SMALL' of line 2; instead of behind last, at 0\.\d{3} transactions an operation, hits goes behind "
                       r"more, at 0\.\d{3}\n", note), note)
    after_text = apply(case, result.stdout)
    check(b"\tlong more[4];\n\tunsigned long hits;\n#endif\n" in after_text, after_text.decode())
    case.compile("applied", "after.o")
    after = case.report("after.o")
    check(not sharing(after, ["hits"]), str(sharing(after, ["hits"])))
    other = next(place for place in said["destinations"] if place["after"] == "more")
    check(abs(after["cost"]["total"] - other["cost"]) < 1e-6, f"{after['cost']['total']}, not {other['cost']}")
    in_place(case, "minimal", after_text)
    check(not case.patch("minimal", "--quiet").stderr, "--quiet")
    # too dear: no place in the branch is on another line
    near = BRANCHES.replace(b"\tlong more[4];\n#endif\n", b"#endif\n\tlong more[4];\n").replace(b"cold[6]", b"cold[5]")
    case = Case(context, "instead-not", near, "struct branch", ["hits"], ["table"], file="branch.h")
    check(b"branch.h:3: 'hits' cannot be moved: it would have to go beside" in case.patch("minimal", status=2).stderr, "refused")
    case.unchanged("tree")


# ---- random structs ----

RANDOM_STRUCTS = 120


def pick(chance, struct):
    """A profile of random fields, at the top and without members; None when there are too few."""
    fields = [member["name"] for member in struct["members"] if member["name"] and member["size"] and not member["members"]]
    if len(fields) < 3:
        return None
    chance.shuffle(fields)
    cut = chance.randint(1, 2)
    return profile(struct["name"], fields[:cut], fields[cut:cut + chance.randint(1, 4)])


def random_structs(context):
    """Random structs with random profiles: what is patched compiles and lies exactly as was said."""
    chance = random.Random(context.seed)
    directory = fresh(context.scratch / "patch" / "random")
    (directory / "x.c").write_text(generate.generate(context.seed * 1000 + 77, RANDOM_STRUCTS, wide=True))
    context.good(["gcc", "-std=gnu11", "-gdwarf-5", "-w", "-c", "x.c", "-o", "x.o"], cwd=directory)
    structs = json.loads(context.linelint("--format", "json", "x.o", "list", cwd=directory).out)["structs"]
    patched = refused = 0
    for struct in structs:
        text = pick(chance, struct) if struct["kind"] == "struct" else None
        if not text:
            continue
        (directory / "p.yaml").write_text(text)
        ask = ["--profile", "p.yaml", "--format", "json", "--fail-on", "never"]
        report = json.loads(context.linelint(*ask, "x.o", "struct", struct["name"], cwd=directory).out)["structs"][0]
        for said in report["suggestions"]:
            result = context.linelint("--profile", "p.yaml", "--suggest", said["kind"], "--quiet", "x.o", "patch", struct["name"],
                                      "--source", ".", status=(0, 2), cwd=directory)
            if result.status == 2:
                refused += 1
                check(" cannot be " in result.err or " debug information does not tell" in result.err, str(result))
                continue
            tree = fresh(directory / "tree")
            shutil.copy(directory / "x.c", tree)
            (directory / "x.diff").write_text(result.out)
            context.good(["patch", "-s", "-p1", "-i", "../x.diff"], cwd=tree)
            context.good(["gcc", "-std=gnu11", "-gdwarf-5", "-w", "-c", "x.c", "-o", "x.o"], cwd=tree)
            after = json.loads(context.linelint("--format", "json", "tree/x.o", "struct", struct["name"], cwd=directory).out)
            try:
                as_stated(said, after["structs"][0])
            except Failure as failure:
                raise Failure(f"{failure}\n{result}") from None
            patched += 1
    check(patched >= RANDOM_STRUCTS // 4 and refused <= patched, f"{patched} patched, {refused} refused")


# ---- headers of real programs ----

@dataclasses.dataclass
class Real:
    package: str
    file: str        # in the package
    includes: tuple  # directories in the package
    unit: str        # a C file that has the struct in its debug information
    struct: str
    writes: tuple
    reads: tuple


REAL = [
    Real("postgresql-server-dev-15", "usr/include/postgresql/15/server/storage/proc.h", ("usr/include/postgresql/15/server",),
         '#include "postgres.h"\n#include "storage/proc.h"\nPROC_HDR x;\n', "PROC_HDR", ("freeProcs",),
         ("allProcs", "xids", "statusFlags")),
    Real("libglib2.0-dev", "usr/include/glib-2.0/glib/giochannel.h",
         ("usr/include/glib-2.0", "usr/lib/x86_64-linux-gnu/glib-2.0/include"),
         "#include <glib.h>\nstruct _GIOChannel x;\n", "_GIOChannel", ("ref_count",), ("funcs", "encoding", "read_cd")),
    Real("libevent-dev", "usr/include/event2/event_struct.h", ("usr/include", "usr/include/x86_64-linux-gnu"),
         "#include <event2/event_struct.h>\nstruct event x;\n", "event", ("ev_res",), ("ev_base", "ev_events")),
    Real("zlib1g-dev", "usr/include/zlib.h", ("usr/include", "usr/include/x86_64-linux-gnu"),
         "#include <zlib.h>\nz_stream x;\n", "z_stream_s", ("total_in",), ("state", "msg")),
]


def fetch(context, package):
    """The package, from the cache or from Debian."""
    context.need("dpkg-deb")
    cache = pathlib.Path(os.environ.get("LINELINT_CACHE") or pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "linelint").resolve() / "packages"
    found = sorted(cache.glob(f"{package}_*.deb"))
    if not found:
        context.need("apt-get")
        cache.mkdir(parents=True, exist_ok=True)
        result = context.run(["apt-get", "-q", "download", package], cwd=cache)
        found = sorted(cache.glob(f"{package}_*.deb"))
        if result.status or not found:
            raise Skip(f"{package} is not in {cache} and cannot be fetched")
    return found[-1]


class RealCase(Case):
    def __init__(self, context, real):
        self.context, self.real, self.struct, self.writes, self.may_grow = context, real, real.struct, real.writes, False
        self.package, self.file = fetch(context, real.package), pathlib.Path(real.file)
        self.directory = fresh(context.scratch / "patch" / f"real-{real.package}")
        (self.directory / "x.c").write_text(real.unit)
        (self.directory / "p.yaml").write_text(profile(self.struct, real.writes, real.reads))
        self.text = self.tree("tree").read_bytes()
        self.compile("tree", "before.o")

    def tree(self, name):
        self.context.good(["dpkg-deb", "-x", self.package.resolve(), fresh(self.directory / name)])
        target = self.directory / name / self.real.file
        target.chmod(0o640)
        return target

    def compile(self, tree, output):
        includes = [f"-I{tree}/{include}" for include in self.real.includes]
        self.context.good(["gcc", "-g", *includes, "-c", "x.c", "-o", output], cwd=self.directory)


def real_program(context, real):
    """From a Debian package: patched in both ways that save, each time compiled and linted again."""
    case = RealCase(context, real)
    for kind in ("minimal", "best"):
        result = case.patch(kind)
        check(result.stdout, f"nothing to do\n{result.stderr.decode()}")
        check_patch(case, kind, result.stdout, case.report("before.o"))


def tests(context):
    for source in sorted((context.root / "tests/patch").iterdir()):
        for kind in KINDS:
            yield Test(f"patch/corpus/{source.name}-{kind}", lambda s=source, k=kind: corpus(context, s, k))
    for real in REAL:
        yield Test(f"patch/real/{real.struct}", lambda r=real: real_program(context, r))
    for function in (several, found, messages, nothing, pipelines, stale, safe, nested, instead, instead_as_large, random_structs):
        yield Test(f"patch/{function.__name__.replace('_', '-')}", lambda f=function: f(context))
