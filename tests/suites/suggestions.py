"""suggestions/: what the reports say of other orders, held against the compiler and against the reports of those orders."""

import json
import re

from .common import Test, check

BEFORE = "struct shared { long counter; const void *operations; long rest[7]; };"
SOURCE = """\
%s
struct single { long counter; const void *operations; };
struct mine { long counter; const void *operations; };
union either { long counter; const void *operations; };
struct shared shared; struct single single; struct mine mine; union either either;
int main(void) { return 0; }
"""
PROFILE = """\
version: 1
roles: {reader: {threads: 16}, writer: {threads: 2}}
structs:
  shared:
    placement: {alignment: 64}
    fields:
      counter: {writer: {write: 1}}
      operations: {reader: {read: 4}}
  single: {placement: {alignment: 64}, fields: {counter: {writer: {write: 1}}, operations: {reader: {read: 4}}}}
  mine: {instance: per-thread, fields: {counter: {writer: {write: 1}}, operations: {reader: {read: 4}}}}
  either: {fields: {counter: {writer: {write: 1}}, operations: {reader: {read: 4}}}}
"""


class Sandbox:
    def __init__(self, context, name):
        self.context = context
        self.directory = context.scratch / "suggestions" / name
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / "p.yaml").write_text(PROFILE)
        self.build("x", BEFORE)

    def build(self, name, definition):
        (self.directory / f"{name}.c").write_text(SOURCE % definition)
        self.context.compile("gcc", ["-g"], [self.directory / f"{name}.c"], self.directory / name)

    def run(self, *args, **options):
        return self.context.linelint("--profile", "p.yaml", *args, cwd=self.directory, **options)

    def struct(self, binary, name, *options):
        return json.loads(self.run("--format", "json", *options, binary, "struct", name).out)["structs"][0]


def kinds(struct):
    return [suggestion["kind"] for suggestion in struct["suggestions"]]


def true(box):
    """Each order, compiled, has the offsets, the size, the cost and the findings that were promised."""
    before = box.struct("x", "shared")
    check(kinds(before) == ["minimal", "best"], kinds(before))
    for suggestion in before["suggestions"]:
        box.build("y", suggestion["definition"])
        after = box.struct("y", "shared")
        offsets = [(member["name"], member["offset"]) for member in after["members"]]
        check(offsets == [(place["field"], place["offset"]) for place in suggestion["order"]], offsets)
        check(after["size"] == suggestion["size"] and after["lines"] == suggestion["lines"], "size")
        check(abs(after["cost"]["total"] - suggestion["cost"]) < 1e-6, "cost")
        check(after["cost"]["roles"] == suggestion["roles"], "roles")
        check(abs(before["cost"]["total"] - suggestion["before"]["cost"]) < 1e-9, "cost before")
        left = {finding["fingerprint"] for finding in after["findings"] if finding["severity"] == "error"}
        check(suggestion["mends"] and not left & set(suggestion["mends"]), "findings left")
    best = before["suggestions"][1]
    check(abs(before["cost"]["total"] - best["cost"] - before["cost"]["avoidable"]) < 1e-6, "avoidable is what best saves")
    minimal = before["suggestions"][0]
    check([(pair["written"], pair["other"]) for pair in minimal["gone"]] == [("counter", "operations")], "gone")
    costs = [place["cost"] for place in minimal["destinations"]]
    check(costs == sorted(costs) and abs(costs[0] - minimal["cost"]) < 1e-9, f"destinations: {costs}")


def asked(box):
    """--suggest, and what each verb does without."""
    for kind in ("minimal", "best"):
        check(kinds(box.struct("x", "shared", "--suggest", kind)) == [kind], kind)
    check(kinds(box.struct("x", "shared", "--suggest", "pack")) == [], "nothing to pack")
    none = box.struct("x", "shared", "--suggest", "none")
    check(none["suggestions"] == [] and none["why_no_suggestion"] is None, "none")
    for verb, expected in (("check", ["minimal", "best"]), ("list", [])):
        report = json.loads(box.run("--format", "json", "x", verb, "shared").out)
        check(kinds(report["structs"][0]) == expected, verb)
    report = json.loads(box.run("--format", "json", "--suggest", "best", "x", "list", "shared").out)
    check(kinds(report["structs"][0]) == ["best"], "list, asked")
    check("gone: " not in box.run("--suggest=none", "x", "struct", "shared").out, "none, in text")
    box.run("--suggest", "none", "x", "patch", "shared", status=2)
    box.run("--suggest", "most", "x", "struct", "shared", status=2)


def why_none(box):
    """An error that no order removes is a warning, whatever is shown; and there is a reason."""
    for options in ((), ("--suggest", "none")):
        single = box.struct("x", "single", *options)
        check([finding["severity"] for finding in single["findings"]] == ["warning"], f"lowered {options}")
    check(box.struct("x", "single")["cost"]["avoidable"] == 0, "nothing to be avoided")
    for name, reason in (("single", "no order"), ("mine", "each thread"), ("either", "union")):
        struct = box.struct("x", name)
        check(struct["suggestions"] == [] and reason in struct["why_no_suggestion"], f"{name}: {struct['why_no_suggestion']}")
        check("no suggestion: " + struct["why_no_suggestion"][:20] in box.run("x", "struct", name).out, f"{name} in text")


RING = """\
struct ring { char mode; unsigned long head, cached_tail, produced; unsigned mask; void **items;
              unsigned long tail; char closed; };
struct ring ring;
"""
RING_PROFILE = """\
version: 1
roles: {producer: {threads: 16}, consumer: {threads: 4}}
structs:
  ring:
    placement: {alignment: 64}
    constraints: {padding: %s}
    fields:
      head: {producer: {read: 1}}
      mask: {producer: {read: 1}}
      items: {producer: {read: 1}, consumer: {read: 1}}
      tail: {consumer: {rmw: 1}}
"""


def padding(box):
    """What no order mends: the finding says why it is a warning, a line what padding would do; allowed, it is done."""
    (box.directory / "ring.c").write_text(RING)
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "ring.c"], box.directory / "ring.o")

    def run(kind, *args, **options):
        (box.directory / "ring.yaml").write_text(RING_PROFILE % kind)
        return box.context.linelint("--profile", "ring.yaml", *args, cwd=box.directory, **options)

    def struct(kind, status, *args):
        return json.loads(run(kind, "--format", "json", *args, "ring.o", "struct", "ring", status=status).out)["structs"][0]

    before, after = struct("forbidden", 0), struct("allowed", 1)
    check(kinds(before) == ["pack"] and "minimal" in kinds(after), f"{kinds(before)} {kinds(after)}")
    minimal, padded = after["suggestions"][0], before["padded"]
    for key in ("moves", "size", "lines", "cost", "roles"):
        check(padded[key] == minimal[key], f"padded, {key}: {padded[key]} {minimal[key]}")
    check(padded["pays"] and padded["moves"][0]["align"] == 64 and after["padded"] is None, padded)
    figures = f"{minimal['before']['cost']:.2f} -> {minimal['cost']:.2f}"
    more = minimal["size"] - before["size"]
    lowered = [finding for finding in before["findings"] if finding["lowered"]]
    check(lowered and {finding["severity"] for finding in lowered} == {"warning"}, before["findings"])
    wanted = ("a warning, not an error: no order of the same size avoids it; 'padding: allowed' in the constraints would, "
              f"{more} bytes more: {figures}")
    check(wanted in [finding["lowered"] for finding in lowered], f"{wanted}\n{lowered}")
    kept = [finding for finding in after["findings"] if finding["fingerprint"] in {one["fingerprint"] for one in lowered}]
    check({(finding["severity"], finding["lowered"]) for finding in kept} == {("error", None)}, f"allowed: {kept}")
    # said in text as well, where a smaller order stands there, too; and by patch, and by check
    why = (f"no order of its members costs less than this one; 'padding: allowed' in its constraints would help: "
           f"{before['size']} -> {minimal['size']} bytes, 1 -> {minimal['lines']} lines, cost {figures}")
    check(before["why_no_suggestion"] == why and after["why_no_suggestion"] is None, before["why_no_suggestion"])
    for verb in ("struct", "check"):
        out = " ".join(run("forbidden", "--suggest", "minimal", "ring.o", verb, "ring").out.split())
        check(wanted in out and f"no suggestion that costs less: {why}" in out, out)
    result = run("forbidden", "ring.o", "patch", "ring", "--source", ".", status=0)
    smaller = before["suggestions"][0]["size"]
    check(f"nothing to do: {why}; --suggest pack makes it smaller: {before['size']} -> {smaller} bytes\n" in result.err, result)
    # where an added line has to earn more than it does, that is what is said
    (box.directory / "ring.yaml").write_text("line_price: 50\n" + RING_PROFILE % "allowed")
    dear = json.loads(box.context.linelint("--profile", "ring.yaml", "--format", "json", "ring.o", "struct", "ring",
                                           cwd=box.directory, status=0).out)["structs"][0]
    check("line_price 50 of the profile" in dear["why_no_suggestion"] and dear["padded"]["pays"] is False, dear["why_no_suggestion"])
    # and in a struct that has nothing wrong with it, nothing is
    check(box.struct("x", "shared")["padded"] is None, "an order helps")


def text(box):
    """Under the finding that it mends: moves, cost, pairs, places, the command; which works as it stands."""
    out = box.run("x", "struct", "shared").out
    shape = r"error LL001 [^\0]*fix: move [^\0]*cost: [^\0]*gone: counter with operations [^\0]*every place for it: [^\0]*patch: "
    check(re.search(shape, out), out)
    check("fix: move counter to a line" not in out, "the advice gives way")
    command = " ".join(out[out.rindex("patch: ") + 7:].split("\n\n")[0].split())
    check(command == "linelint --profile p.yaml x patch shared --source DIR | git -C DIR apply", command)
    diff = box.run("x", "patch", "shared", "--source", ".").out
    check(diff.startswith("---") or diff.startswith("diff"), diff)
    # a check has none unless asked, and then the same, under each finding with its struct
    check("patch: " not in box.run("x", "check").out, "check, not asked")
    for kind in ("minimal", "best"):
        asked_for = box.run("--suggest", kind, "x", "struct", "shared").out
        fix = re.search(r"^ +fix: move [^\0]*? +patch: .*$", asked_for, re.M)[0]
        out = box.run("--suggest", kind, "x", "check").out
        subject = re.search(r"struct\s+shared:\s", out)  # the line may break there, behind a long path
        check(fix in out and subject and subject.start() < out.index(fix), f"check, {kind}\n{out}")
    check("struct single: no suggestion: " in box.run("--suggest", "best", "x", "check", "single").out, "why none, in a check")


def commit(box):
    """Ready to paste: 72 columns, what changes and what it costs, nothing that was not measured."""
    out = box.run("--format", "commit", "x", "struct", "shared", status=1).out
    lines = out.splitlines()
    check(re.fullmatch("struct shared: move [a-z]+ to the (front|end)", lines[0]) and lines[1] == "", out)
    check(max(map(len, lines)) <= 72 and not any(line != line.rstrip() for line in lines), "columns")
    for part in ("operations: read 4: reader", "not a measurement", "Bytes: 72 as before", "Every place for ", "____",
                 "perf c2c record", "Not moved, but on other lines now: ", "Pairs that share a line now and did not before: "):
        check(part in out, f"no '{part}':\n{out}")
    check(not re.search(r"Signed-off-by|faster|speed|improve|RANDSTRUCT", out), out)
    check("RANDSTRUCT" not in out, "no kernel")
    (box.directory / "none.yaml").write_text("version: 1\nstructs: {another: {}}\n")
    for kind in ("best", "pack"):
        said = box.context.linelint("--profile", "none.yaml", "--suggest", kind, "x", "struct", "shared", cwd=box.directory).out
        check("no suggestion: no accesses are known" in said, f"{kind}, asked for without accesses: {said}")
    said = box.context.linelint("--profile", "none.yaml", "x", "struct", "shared", cwd=box.directory).out
    check("no suggestion" not in said, said)
    single = box.run("--format", "commit", "x", "struct", "single").out
    check(single.startswith("# struct single: no suggestion: ") and single.count("\n") == 1, single)
    box.run("--format", "commit", "x", "check", status=2)


TWO = """\
version: 1
roles: {reader: {threads: 16}, writer: {threads: 2}, other: {threads: 2}}
structs:
  two:
    placement: {alignment: 64}
    fields: {a: {writer: {write: 1}}, b: {other: {write: 1}}, r: {reader: {read: 4}}, s: {reader: {read: 1}}}
"""


def avoidable(box):
    """Of a finding no more than of the struct; what parting would save besides; findings of one line share its cost."""
    (box.directory / "two.c").write_text("struct two { long a, b; void *r, *s; long rest[8]; }; struct two two;\n")
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "two.c"], box.directory / "two.o")
    (box.directory / "two.yaml").write_text(TWO)

    def two(*args):
        result = box.context.linelint("--profile", "two.yaml", *args, cwd=box.directory)
        return " ".join(result.out.split()), json.loads(result.out)["structs"][0] if "json" in args else None

    for struct in (box.struct("x", "shared"), box.struct("x", "single"), two("--format", "json", "two.o", "struct", "two")[1]):
        for finding in struct["findings"]:
            if finding["rule"] in ("LL001", "LL002"):
                most = min(struct["cost"]["avoidable"], finding["parting"])
                check(abs(finding["avoidable"] - most) < 1e-9, f"{finding['avoidable']} is not {most}")
    (single,) = box.struct("x", "single")["findings"]
    check(single["parting"] > 0.25 and single["avoidable"] == 0, single)
    check(f"lines of their own would save {single['parting']:.2f}, and no order that is allowed saves any" in single["price"], single)
    # not searched for: the most that it can be
    (one,) = box.struct("x", "shared", "--suggest", "none")["findings"][:1]
    check("up to" not in one["price"], "an error is judged")
    told = two("--format", "json", "two.o", "struct", "two")[1]["findings"]
    shared = [finding for finding in told if finding["rule"] == "LL001" and finding["severity"] != "info"]
    check(len(shared) == 2 and abs(shared[0]["cost"] - shared[1]["cost"]) < 1e-9, told)
    for finding in shared:
        check(finding["price"].startswith(f"of the line's {finding['cost']:.2f} transactions an operation") and
              "which 2 findings share, " in finding["price"], finding["price"])
    (box.directory / "two.yaml").write_text(TWO.replace("{write: 1}}, b", "{write: 0.1}}, b").replace(", b: {other: {write: 1}}", ""))
    out, _ = two("--suggest", "none", "two.o", "check")
    check(re.search(r"warning LL001 .* costs [0-9.]+ transactions .*; up to [0-9.]+ of it can be avoided", out), out)


ENTRY = """\
version: 1
structs:
  entry:
    placement: {alignment: 16}
    fields: {next: r 1, hash: r 1, key: r 1, hits: rmw 1, count: {rmw: 2}}
"""


def parts(box):
    """The listed parts sum to the difference; pairs that meet in more placements are among them, with what that gains."""
    (box.directory / "entry.c").write_text(
        "struct entry { void *next, *back; long hash; void *key; long hits; void *value; unsigned count, flags; char pad[40]; };\n"
        "struct entry entry;\n")
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "entry.c"], box.directory / "entry.o")
    (box.directory / "entry.yaml").write_text(ENTRY)

    def entry(*args):
        return box.context.linelint("--profile", "entry.yaml", *args, "entry.o", "struct", "entry", cwd=box.directory).out

    joined = 0
    for suggestion in json.loads(entry("--format", "json"))["structs"][0]["suggestions"] + box.struct("x", "shared")["suggestions"]:
        prices = {key: sum(pair["price"] for pair in suggestion[key]) for key in ("gone", "new", "changed")}
        change = suggestion["cost"] - suggestion["before"]["cost"]
        check(abs(prices["new"] + prices["changed"] - prices["gone"] + suggestion["other"] - change) < 1e-6, prices)
        for pair in suggestion["changed"]:
            check(pair["placements"][0] != pair["placements"][1], pair)
            joined += {pair["written"], pair["other"]} == {"hits", "count"} and pair["price"] < -0.1
    check(joined, "hits and count are written by one operation")
    for kind in ("minimal", "best"):
        out = " ".join(entry("--suggest", kind).split())
        found = re.search(r"together: count with hits in (\d) -> (\d) of 4 placements \((-[0-9.]+): one operation writes both\)", out)
        check(found and found[2] > found[1], out)
        row = re.search(r"sum: (.*?): in all ([-+0-9.]+)", out)
        check(row and f"together {found[3]}" in row[1], out)
        numbers = [float(part.split()[-1]) for part in row[1].split(", ")]
        check(abs(sum(numbers) - float(row[2])) < 0.021, f"{numbers} {row[2]}")
    commit = " ".join(entry("--format", "commit").split())
    check(re.search(r"Pairs that come together, .*: count with hits in 3 -> 4 of 4 placements .*: in all -", commit), commit)


LONG = """\
version: 1
roles: {reader: {threads: 16}, writer: {threads: 2}}
structs:
  shared:
    placement: {alignment: 64}
    fields: {counter: {writer: {write: 1}}, operations: {reader: {read: 4}}%s}
"""


def commit_lines(box):
    """Of many lines that change the message shows those of the finding, then those whose cost changes."""
    members = [f"long m{i}" for i in range(8 * 12)]
    members[8 * 10:8 * 10 + 2] = ["long counter", "const void *operations"]
    box.build("x", "struct shared { %s; };" % "; ".join(members))
    # all members shift, so that all lines change
    (box.directory / "p.yaml").write_text(
        LONG.replace("    fields", "    constraints: {first: [counter], last: [m0]}\n    fields") % ", m40: {writer: rw 2, reader: r 1}")
    suggestion = box.struct("x", "shared")["suggestions"][0]
    order = [place["field"] for place in suggestion["order"]]
    check(order[0] == "counter" and order[-1] == "m0", order)
    out = box.run("--format", "commit", "x", "struct", "shared", status=1).out
    table = out[out.index("The lines of 64 bytes that change"):out.index("Estimated coherence")]
    shown = [int(line) for line in re.findall(r"^  line (\d+)", table, re.M)]
    told = {0, 10} | {place["offset"] // 64 for place in suggestion["order"] if place["field"] == "operations"}
    check(len(shown) == 6 and set(shown[:len(told)]) == told, f"{told} {table}")
    check(5 in shown and "lines more, whose cost changes less" in table, table)


def alignment(box):
    """Where the struct's alignment changes, it is said to whoever allocates or embeds it, and asserted."""
    (box.directory / "p.yaml").write_text(PROFILE.replace("  single: {", "  single: {constraints: {padding: allowed}, "))
    minimal = box.struct("x", "single")["suggestions"][0]
    check((minimal["before"]["align"], minimal["align"]) == (8, 64), minimal)
    said = (f"alignment 8 -> 64, size 16 -> {minimal['size']}: allocate with aligned_alloc; structs that embed it and binary "
            "interfaces change")
    check(f"note: {said}" in " ".join(box.run("x", "struct", "single").out.split()), "text")
    check(f"Note: {said}." in " ".join(box.run("--format", "commit", "x", "struct", "single").out.split()), "commit")
    check("note: " not in box.run("x", "struct", "shared").out, "nothing changes")
    text = box.run("--format", "c-asserts", "x", "struct", "single").out
    check("static_assert(__alignof__(struct single) >= 64," in text, text)
    for definition, status in ((minimal["definition"], 0), (minimal["definition"].replace("aligned(64)", "aligned(32)"), 1)):
        for language in (["gcc", "-std=c11", "-x", "c"], ["g++", "-std=c++17", "-x", "c++"]):
            result = box.context.run([*language, "-fsyntax-only", "-"], stdin=f"{definition}\n{text}".encode())
            check(bool(result.status) == bool(status), f"{definition}\n{text}\n{result}")
    # without it that is the allocation's, which cannot be asserted, and is said
    text = box.run("--format", "c-asserts", "x", "struct", "shared").out
    check("__alignof__" not in text and "up to what allocates them: their alignment is 8" in text, text)


def asserts(box):
    """They hold for the layout that they are for, and not for the other."""
    definition = box.struct("x", "shared")["suggestions"][0]["definition"]
    for options, layout, status in (((), definition, 0), ((), BEFORE, 1), (("--suggest", "none"), BEFORE, 0),
                                    (("--suggest", "none"), definition, 1)):
        text = box.run("--format", "c-asserts", *options, "x", "struct", "shared").out
        check(text.count("static_assert(") == 3, text)
        source = f"{layout}\n{text}"
        for language in (["gcc", "-std=c11", "-x", "c"], ["gcc", "-std=gnu2x", "-x", "c"], ["g++", "-std=c++17", "-x", "c++"]):
            result = box.context.run([*language, "-fsyntax-only", "-"], stdin=source.encode())
            check(bool(result.status) == bool(status), f"{options} {status}\n{source}\n{result}")


def asserts_cxx(box):
    """Names of C++, with arguments that a macro would take for its own."""
    source = "namespace net { template <class T, int N> struct tab { T items[N]; long count; }; }\n"
    (box.directory / "cxx.cc").write_text(source + "net::tab<char, 40> tab;\n")
    (box.directory / "cxx.yaml").write_text("version: 1\nstructs: {'net::tab<char, 40>': {fields: {items: r hot, count: w hot}}}\n")
    box.context.compile("g++", ["-g", "-c"], [box.directory / "cxx.cc"], box.directory / "cxx.o")
    text = box.context.linelint("--profile", "cxx.yaml", "--format", "c-asserts", "--suggest", "none", "cxx.o", "struct", "net::tab<char, 40>",
                                cwd=box.directory).out
    check(text.count("static_assert(") == 3 and "offsetof(linelint_1, count) / 64 == 0" in text, text)
    for wrong, status in (("", 0), ("char more[40]; ", 1)):
        changed = source.replace("T items", wrong + "T items") + text
        result = box.context.run(["g++", "-std=c++11", "-fsyntax-only", "-x", "c++", "-"], stdin=changed.encode())
        check(bool(result.status) == bool(status), f"{changed}\n{result}")


def asserts_local(box):
    """A struct of a function goes by its name alone, and its assertions say where they belong."""
    source = "int work(void) {{ struct mine {{ long a; long b; }} x = {{0}}; {} return (int)x.b; }}\n"
    (box.directory / "local.c").write_text(source.format(""))
    (box.directory / "local.yaml").write_text("version: 1\nstructs: {mine: {fields: {a: r hot, b: w hot}}}\n")
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "local.c"], box.directory / "local.o")
    text = box.context.linelint("--profile", "local.yaml", "--format", "c-asserts", "--suggest", "none", "local.o", "struct", "mine",
                                cwd=box.directory).out
    check("/* struct mine, to stand inside of work(), as it is; " in text and text.count("static_assert(") == 3, text)
    inside = "#include <assert.h>\n#include <stddef.h>\n" + source.format("\n" + text)
    box.context.good(["gcc", "-std=c11", "-fsyntax-only", "-x", "c", "-"], stdin=inside.encode())


def contradictions(box):
    """Two wishes that cannot both be had: each verb names both, exit 2, and says nothing else."""
    profile = box.directory / "p.yaml"
    wishes = "      constraints: {max_size: 64, last: [operations]}\n      expect: [{apart: [counter, operations]}]\n"
    profile.write_text(PROFILE.replace("  single:", wishes.replace("      ", "    ") + "  single:"))
    lines = profile.read_text().splitlines()
    one = next(number for number, line in enumerate(lines, 1) if "constraints" in line)
    said = (f"p.yaml:{one}:19: the struct is to have at most 64 bytes, and 'counter' and 'operations' are expected apart "
            f"(p.yaml:{one + 1}:15): 2 fields apart take 2 lines of 64; keep one of the two")
    for arguments in (["struct", "shared"], ["--suggest", "none", "struct", "shared"], ["patch", "shared", "--source", "."],
                      ["replay", "shared"], ["diff", "x", "shared"], ["check"]):
        options = arguments[:2] if arguments[0].startswith("--") else []
        result = box.run(*options, "x", *arguments[len(options):], status=2)
        check(said in result.err and "shared" not in result.out.replace("0 structs", ""), result)
    check("shared" in box.run("x", "list").out, "a list asks for no profile")


PLACES_SOURCE = """\
struct ring { long head; long cached_tail; long produced; long tail; long cached_head; long consumed; };
struct element { long packets; long bytes; long drops; };
struct near { long flags; long operations; long cold[4]; long stats[2]; long lock[5]; long data; long more; long name[4]; };
struct lock { int word; long rest[4]; };
struct whole { long flags; long operations; long count; long cold[9]; long idle[8]; struct lock lock; long data; long more[16]; long rest[2]; };
struct grows { long a; long b; long counter; long cold[5]; };
struct table { void *slots; long mask; long hits; long misses; char name[48]; long capacity; };
struct three { long cold[2]; long w1; long w2; long w3; long r1; long r2; long r3; long rest[3]; long more[5]; };
struct queue { long top; long bottom; void *buffer; long mask; };
struct queue queue; struct table table; struct three three; struct ring ring; struct element elements[4]; struct near near; struct whole whole; struct grows grows;
int main(void) { return 0; }
"""
PLACES_PROFILE = """\
version: 1
roles: {one: {threads: 1}, other: {threads: 1}, reader: {threads: 16}, worker: {threads: 4}, owner: {threads: 1}, thief: {threads: 7}}
workloads: {ring: [one, other], queue: [owner, thief], rest: [one, reader, worker]}
structs:
  ring:
    placement: {alignment: 64}
    constraints: {padding: allowed}
    fields:
      head: {one: {write: 1}}
      cached_tail: {one: {read: 1}}
      produced: {one: {write: 1}}
      tail: {other: {write: 1}}
      cached_head: {other: {read: 1}}
      consumed: {other: {write: 1}}
  element:
    instance: array
    constraints: {padding: allowed}
    fields: {packets: {worker: {rmw: 1}}, bytes: {worker: {rmw: 1}}, drops: {worker: {rmw: 0.1}}}
  near:
    placement: {alignment: 64}
    fields:
      flags: {reader: {read: 1}}
      operations: {reader: {read: 1}}
      stats: {worker: {rmw: 1}}
      lock: {worker: {rmw: 0.1, write: 0.1}}
      data: {worker: {write: 0.1}}
    locks: {lock: {protects: [data]}}
  whole:
    placement: {alignment: 64}
    fields:
      flags: {reader: {read: 1}}
      operations: {reader: {read: 1}}
      count: {worker: {rmw: 1}}
      lock.word: {one: {rmw: 1, write: 1}}
    locks: {lock: {protects: []}}
  grows:
    placement: {alignment: 64}
    constraints: {padding: allowed}
    fields: {a: {reader: {read: 1}}, b: {reader: {read: 1}}, counter: {worker: {write: 1}}}
  table:
    placement: {alignment: 64}
    fields:
      slots: {reader: {read: 1}, worker: {read: 1}}
      mask: {reader: {read: 1}, worker: {read: 1}}
      hits: {worker: {rmw: 1}}
      misses: {worker: {rmw: 0.3}}
  queue:
    placement: {alignment: 64}
    constraints: {padding: allowed}
    fields:
      top: {owner: {read: 0.2}, thief: {rmw: 1}}
      bottom: {owner: {read: 1, write: 1}, thief: {read: 1}}
      buffer: {owner: {read: 1}, thief: {read: 1}}
      mask: {owner: {read: 1}, thief: {read: 1}}
  three:
    placement: {alignment: 64}
    fields:
      w1: {worker: {write: 1}}
      w2: {worker: {write: 1}}
      w3: {worker: {write: 1}}
      r1: {reader: {read: 1}}
      r2: {reader: {read: 1}}
      r3: {reader: {read: 1}}
"""


def of_places(box, name):
    """-> of a struct of PLACES_SOURCE: its report, its minimal suggestion, and the text of both"""
    if not hasattr(box, "has_places"):
        box.has_places = True
        (box.directory / "places.c").write_text(PLACES_SOURCE)
        (box.directory / "places.yaml").write_text(PLACES_PROFILE)
        box.context.compile("gcc", ["-g"], [box.directory / "places.c"], box.directory / "places")
    run = lambda *options: box.context.linelint("--profile", "places.yaml", *options, "places", "struct", name, cwd=box.directory).out
    report = json.loads(run("--format", "json"))["structs"][0]
    return report, next(entry for entry in report["suggestions"] if entry["kind"] == "minimal"), run()


def in_place(box):
    """No member is moved where aligning one as it stands comes to the same; and no text says that it is."""
    for name, field, after in (("ring", "tail", "produced"), ("element", "packets", None)):
        _, minimal, text = of_places(box, name)
        check(minimal["moves"] == [{"field": field, "after": after, "align": 64, "stays": True}], minimal["moves"])
        check([place["field"] for place in minimal["order"]] == re.findall(r"long (\w+);", PLACES_SOURCE.split(f"struct {name} ")[1].split("}")[0]),
              minimal["order"])
        check(f"align {field} to 64 bytes where it stands (one declaration)" in " ".join(text.split()), text)
        check(re.search(r"every place for it: .*\n .* where it stands\n", text), text)
        options = {"cwd": box.directory}
        commit = box.context.linelint("--profile", "places.yaml", "--format", "commit", "places", "struct", name, **options).out
        check(commit.startswith(f"struct {name}: align {field} to 64 bytes\n") and f"\nAlign {field} to 64 bytes.\n" in commit, commit)
        check(f"after: align {field} to 64 bytes where it stands" in
              box.context.linelint("--profile", "places.yaml", "places", "replay", name, **options).out, "replay")
        diff = box.context.linelint("--profile", "places.yaml", "places", "patch", name, "--source", ".", **options).out
        check(sum(line.startswith("+") for line in diff.splitlines()) == 2, diff)


def ties(box):
    """Of places at one cost: what keeps a lock beside its data, and whole; then the end, then what is near."""
    _, minimal, _ = of_places(box, "near")
    places = [place["after"] for place in minimal["destinations"] if abs(place["cost"] - minimal["cost"]) < 1e-9]
    check(places == ["data", "more", "lock"], places)
    _, minimal, _ = of_places(box, "whole")
    check([(move["field"], move["after"]) for move in minimal["moves"]] == [("count", "rest")], minimal["moves"])
    offset = {place["field"]: place["offset"] for place in minimal["order"]}
    check(offset["lock"] // 64 == (offset["lock"] + 39) // 64, offset)
    places = [place["after"] for place in minimal["destinations"] if abs(place["cost"] - minimal["cost"]) < 1e-9]
    check(places[0] == "rest" and places.index("more") < places.index("cold"), places)


def direct(box):
    """What has to part is moved itself where that is nearly as good; else it says which members the move pushes."""
    # one move of the name between them would do, as long as it has 48 bytes
    _, minimal, text = of_places(box, "table")
    check([(move["field"], move["after"]) for move in minimal["moves"]] == [("hits", "capacity"), ("misses", "hits")], minimal["moves"])
    check(minimal["shift"] is None and minimal["direct"] is None and "by a shift" not in text, text)
    # one move against three
    report, minimal, text = of_places(box, "three")
    check([move["field"] for move in minimal["moves"]] == ["rest"], minimal["moves"])
    words = "r1, r2 and r3 are pushed from line 0 to line 1, off that of w1, w2 and w3, as long as no size before them changes"
    check(minimal["shift"] == words and f"by a shift: {words}" in " ".join(text.split()), text)
    other = minimal["direct"]
    check(minimal["cost"] < other["cost"] < report["cost"]["total"] and other["size"] == report["size"], other)
    check(all(move["field"] in ("r1", "r2", "r3", "w1", "w2", "w3") for move in other["moves"]) and len(other["moves"]) <= 2, other)
    check("without one: move " + other["moves"][0]["field"] in " ".join(text.split()), text)
    commit = box.context.linelint("--profile", "places.yaml", "--format", "commit", "places", "struct", "three", cwd=box.directory).out
    check(f"It helps by a shift: {words}." in " ".join(commit.split()), commit)
    # the direct move is judged as if nothing else came elsewhere; an alignment holds what it pushes
    _, minimal, _ = of_places(box, "ring")
    check(minimal["shift"] is None, minimal["shift"])


def trade_off(box):
    """Where no order costs less, one that a role gains by and another pays for: the figures of each, with --verbose."""
    of_places(box, "table")
    run = lambda name, *options: box.context.linelint("--profile", "places.yaml", *options, "places", "struct", name, cwd=box.directory).out
    report = json.loads(run("queue", "--format", "json"))["structs"][0]
    trade = report["trade_off"]
    check(report["suggestions"] == [] and trade, report["why_no_suggestion"])
    gains = {role: report["cost"]["roles"][role] - trade["roles"][role] for role in ("owner", "thief")}
    check(gains["owner"] >= 0.25 and gains["thief"] < 0, gains)
    text = " ".join(run("queue", "--verbose").split())
    for part in ("info: a trade-off: ", "owner %.2f -> %.2f" % (report["cost"]["roles"]["owner"], trade["roles"]["owner"]),
                 "thief %.2f -> %.2f" % (report["cost"]["roles"]["thief"], trade["roles"]["thief"])):
        check(part in text, f"no '{part}':\n{text}")
    check("trade-off" not in run("queue"), "only with --verbose")
    # what it says is so
    definition = PLACES_SOURCE.replace("struct queue { long top; long bottom; void *buffer; long mask; };",
                                       "struct queue { long bottom; void *buffer; long mask; long top __attribute__((aligned(64))); };")
    check([(move["field"], move["after"], move["align"]) for move in trade["moves"]] == [("top", "mask", 64)], trade["moves"])
    (box.directory / "traded.c").write_text(definition)
    box.context.compile("gcc", ["-g"], [box.directory / "traded.c"], box.directory / "traded")
    after = json.loads(box.context.linelint("--profile", "places.yaml", "--format", "json", "traded", "struct", "queue",
                                            cwd=box.directory).out)["structs"][0]
    check(after["size"] == trade["size"] and abs(after["cost"]["total"] - trade["cost"]) < 1e-6, "cost")
    check(after["cost"]["roles"] == trade["roles"], "roles")
    # where there is a suggestion, and where nobody gains, there is none
    for name in ("table", "three"):
        check(json.loads(run(name, "--format", "json"))["structs"][0]["trade_off"] is None, name)


def settled(box):
    """Where there is no order but today's, its errors are warnings; where there may be one that is not known, nothing is said of it."""
    (box.directory / "s.cc").write_text("""
struct pinned { long counter; const void *operations; long rest[7]; };
union uni { struct { long counter; const void *operations; }; long all[3]; };
struct root { long r; };
struct virt : virtual root { long counter; const void *operations; long rest[7]; };
pinned a; uni b; virt c;
""")
    fields = "fields: {counter: {writer: {write: 1}}, operations: {reader: {read: 4}}}"
    (box.directory / "s.yaml").write_text(f"""
version: 1
roles: {{reader: {{threads: 16}}, writer: {{threads: 2}}}}
structs:
  pinned: {{placement: {{alignment: 64}}, constraints: {{pin: all}}, {fields}}}
  uni: {{placement: {{alignment: 64}}, {fields}}}
  virt: {{placement: {{alignment: 64}}, {fields}}}
""")
    box.context.compile("g++", ["-g", "-c"], [box.directory / "s.cc"], box.directory / "s.o")
    for name, severity, lowered in (("pinned", "warning", "a warning, not an error: the profile pins all fields"),
                                    ("uni", "warning", "a warning, not an error: a union: all its members lie at offset 0"),
                                    ("virt", "error", None)):
        for options in ((), ("--suggest", "none")):
            result = box.context.linelint("--profile", "s.yaml", "--format", "json", *options, "s.o", "struct", name, cwd=box.directory,
                                          status=severity == "error")
            struct = json.loads(result.out)["structs"][0]
            found = [(item["severity"], item["lowered"]) for item in struct["findings"] if item["rule"] == "LL001"]
            check(found == [(severity, lowered)], f"{name}: {struct['findings']}")
        text = " ".join(box.context.linelint("--profile", "s.yaml", "s.o", "check", name, cwd=box.directory, status=(0, 1)).out.split())
        check(("no order that is allowed saves any" in text) == (severity == "warning"), text)


def growth(box):
    """Places stand in the order of what is shown: of cost and growth, where there is some."""
    for name in ("ring", "grows"):
        report, minimal, text = of_places(box, name)
        sums = [place["cost"] + place["growth"] for place in minimal["destinations"]]
        check(sums == sorted(sums), sums)
        check(any(place["growth"] > 0.25 and place["size"] > report["size"] for place in minimal["destinations"]), minimal["destinations"])
        check(all((place["growth"] > 0) == (place["size"] > report["size"]) for place in minimal["destinations"]), "growth is of size")
        header = next(line for line in text.splitlines() if "every place for it" in line)
        check("cost  +growth  line  bytes" in header, header)
        shown = re.findall(r"^ +([0-9.]+) +(\+[0-9.]+)? +[0-9]+ +[0-9]+  \D", text[text.index(header) + len(header):], re.M)
        check(len(shown) > 1 and any(more for _, more in shown), text)
        sums = [float(cost) + float(more or 0) for cost, more in shown]
        check(all(a <= b + 0.011 for a, b in zip(sums, sums[1:])), sums)


def tests(context):
    for test in (true, asked, in_place, ties, direct, trade_off, growth, why_none, padding, settled, avoidable, parts, text, commit, commit_lines, alignment, asserts, asserts_cxx,
                 asserts_local, contradictions):
        yield Test(f"suggestions/{test.__name__.replace('_', '-')}", lambda test=test: test(Sandbox(context, test.__name__)))
