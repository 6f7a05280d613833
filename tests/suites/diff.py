"""diff/: what became of structs from one binary to another, and when that is worse."""

import json
import re

from .common import Failure, Test, check

BEFORE = """\
struct hot { long counter; long rest[7]; const void *operations; int mode; int old; };
struct same { int a; };
struct gone { int a; };
struct hot hot; struct same same; struct gone gone;
int main(void) { return 0; }
"""
AFTER = """\
struct hot { const void *operations; long counter; long rest[7]; long mode; char added; };
struct same { int a; };
struct fresh { int a; };
struct hot hot; struct same same; struct fresh fresh;
int main(void) { return 0; }
"""
PROFILE = """\
version: 1
roles: {reader: {threads: 16}, writer: {threads: 2}}
structs:
  hot:
    placement: {alignment: 64}
    fields:
      counter: {writer: {write: 1}}
      operations: {reader: {read: 4}}
"""


class Sandbox:
    def __init__(self, context, name):
        self.context = context
        self.directory = context.scratch / "diff" / name
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / "p.yaml").write_text(PROFILE)
        for program, source in (("a", BEFORE), ("b", AFTER)):
            (self.directory / f"{program}.c").write_text(source)
            context.compile("gcc", ["-g"], [self.directory / f"{program}.c"], self.directory / program)

    def run(self, *args, **options):
        return self.context.linelint("--profile", "p.yaml", *args, cwd=self.directory, **options)

    def json(self, *args, **options):
        return json.loads(self.run("--format", "json", *args, **options).out)


def changes(box):
    """Members moved, added, removed, retyped and carried along; sizes; findings; cost of each role."""
    document = box.json("a", "diff", "b", "hot", status=1)
    change = document["changes"][0]
    members = {member["field"]: member["change"] for member in change["members"]}
    check(members == {"operations": "moved", "rest": "collateral", "mode": "retyped", "added": "added", "old": "removed"}, members)
    moved = change["members"][0]
    check(moved["before"] == {"offset": 64, "size": 8, "line": 1} and moved["after"] == {"offset": 0, "size": 8, "line": 0}, moved)
    check(change["size"] == {"before": 80, "after": 88} and change["lines"] == {"before": 2, "after": 2}, "sizes")
    check([(finding["change"], finding["rule"]) for finding in change["findings"] if finding["severity"] == "error"] == [("new", "LL001")],
          change["findings"])
    check(change["cost_worse"] and change["findings_worse"], "worse")
    for role in ("reader", "writer"):
        for side in ("before", "after"):
            alone = box.json("a" if side == "before" else "b", "struct", "hot")["structs"][0]
            check(change["cost"]["roles"][role][side] == alone["cost"]["roles"][role], f"{role} {side}")
            check(document[side][0]["members"] == alone["members"], f"the struct {side}")


def pairs(box):
    """Fields that share a line on one side only, with what that costs; in text and JSON."""
    change = box.json("a", "diff", "b", "hot", status=1)["changes"][0]
    check(change["gone"] == [] and [(pair["written"], pair["other"]) for pair in change["new"]] == [("counter", "operations")], change)
    check(change["new"][0]["price"] > 0.5, change["new"])
    back = box.json("b", "diff", "a", "hot", status=0)["changes"][0]
    check(back["gone"] == change["new"] and back["new"] == [], back)
    check("\n  on one line now: counter with operations (0.76)\n" in box.run("a", "diff", "b", "hot", status=1).out, "text")
    check("\n  on one line no longer: counter with operations (0.76)\n" in box.run("b", "diff", "a", "hot", status=0).out, "text")
    same = box.json("a", "diff", "a", "hot", status=0)["changes"][0]
    check(same["gone"] == [] and same["new"] == [], same)
    never = box.json("--fail-on", "never", "a", "diff", "b", "hot", status=0)["changes"][0]
    check(never["cost_worse"] and not never["findings_worse"], "--fail-on never")


def statuses(box):
    """1 when something got worse, 0 when it got better or stayed, 2 when it cannot be said."""
    out = box.run("a", "diff", "b", "hot", status=1).out
    check("worse" in out, "says so")
    for line in ("  operations: moved 64 (line 1) -> 0 (line 0)", "  mode: other type at 72 (line 1): int mode -> long int mode",
                 "  on other lines, not moved: rest (0 -> 0 to 1)"):
        check(line + "\n" in out, f"no line {line!r}\n{out}")
    better = box.run("b", "diff", "a", "hot", status=0).out
    check("gone: error LL001" in better, better)
    box.run("a", "diff", "a", "hot", status=0)
    box.run("--fail-on", "never", "a", "diff", "b", "hot", status=0)
    box.run("a", "diff", "b", status=1)
    box.run("a", "diff", "b", "no_such", status=2)
    box.run("a", "diff", status=2)
    box.run("a", "diff", "no_such_file", "hot", status=2)
    box.context.linelint("a", "diff", "b", cwd=box.directory, status=2)


def names(box):
    """Structs that one side lacks, unchanged ones, globs: each once."""
    document = box.json("a", "diff", "b", "*", "hot", "same")
    found = [(change["struct"], change["before"], change["after"], change["changed"]) for change in document["changes"]]
    check(found == [("struct fresh", None, 0, True), ("struct gone", 0, None, True), ("struct hot", 1, 1, True),
                    ("struct same", 2, 2, False)], found)
    check(document["summary"] == {"structs": 4, "changed": 3, "worse": 1}, document["summary"])
    check([change["lost"] for change in document["changes"]] == [False] * 4, "a glob asks for none by name")
    check([binary["path"] for binary in document["binaries"]] == ["a", "b"], "binaries")
    check({struct["binary"] for struct in document["after"]} == {1}, "after is of the second")
    out = box.run("a", "diff", "b", "*").out
    check("struct gone: gone" in out and "struct fresh: new" in out and "struct same" not in out, out)
    check("no difference" in box.run("a", "diff", "b", "same", status=0).out, "unchanged")


def lost(box):
    """What was asked for, or has a profile, and is there no more: that is worse, and mends no finding."""
    out = box.run("a", "diff", "b", "gone", status=1).out
    check("struct gone: gone, which counts as worse; it had 4 bytes" in out, out)
    box.run("--fail-on", "never", "a", "diff", "b", "gone", status=0)
    box.run("b", "diff", "a", "gone", status=0)
    (box.directory / "c.c").write_text("struct same { int a; } same;\nint main(void) { return 0; }\n")
    box.context.compile("gcc", ["-g"], [box.directory / "c.c"], box.directory / "c")
    check("LL001" in box.run("b", "check", status=1).out, "there is a finding")
    box.run("b", "diff", "c", status=1)
    for names in ([], ["*"], ["hot"]):
        document = box.json("b", "diff", "c", *names, status=1)
        change = [change for change in document["changes"] if change["struct"] == "struct hot"][0]
        check(change["lost"] and change["after"] is None and not change["findings"], change)
        check(document["summary"]["worse"] == 1, document["summary"])
    box.run("a", "diff", "c", "s*", "g*", status=0)


SPELLINGS = """#include <stddef.h>
typedef int quad __attribute__((vector_size(16)));
struct spelt {
	char c; signed char sc; unsigned char uc; short s; unsigned short us; unsigned u; long l; unsigned long ul;
	long long ll; unsigned long long ull; __int128 i; unsigned __int128 ui; _Bool b; long double ld;
	_Complex double cd; _Complex float cf; _Complex long double cl; unsigned long *tab; unsigned long rows[3][4]; size_t z; quad q;
	const volatile unsigned short *const p; const int *const *pp; unsigned (*fn)(long, unsigned char *, ...); int (*old)();
	unsigned bits : 3; unsigned long more : 40; _Atomic unsigned long a; unsigned long *_Atomic ap; unsigned short flex[];
} spelt;
"""
SPELLINGS_CXX = """template <class T, int N> struct tab { T items[N]; unsigned long n; };
tab<unsigned long, 3> one;
tab<void (*)(short unsigned), 2> two;
namespace ns { struct in {}; template <class A, class B> struct two { char c; struct nested { B *b; } n; }; }
struct qualified {
	tab<const char *, 1> a; tab<char *const, 1> *b; tab<const unsigned long, 2> *c; tab<const volatile ns::in, 1> *d; tab<volatile int *const volatile *, 1> e;
	ns::two<const ns::two<const int, ns::in>, const ns::in *> f; ns::two<const int, const bool>::nested g; ns::two<const tab<const char *, 3> *, int (*)(const ns::in &)> h;
	ns::two<void (ns::in::*)(const long) const, const int[3]> *i; ns::two<const ns::two<int, const short>::nested, volatile unsigned char> *j;
} qualified; ns::in in;
namespace ns { struct spelt { virtual void f(); tab<unsigned long, 3> t; const volatile unsigned *p; bool b; }; void spelt::f() {} }
"""


def compilers(box):
    """clang before, gcc after, or the other way round: other spellings are no other types; other types are."""
    for suffix, text, programs in (("c", SPELLINGS, ("gcc", "clang")), ("cc", SPELLINGS_CXX, ("g++", "clang++"))):
        (box.directory / f"spelt.{suffix}").write_text(text)
        for compiler in programs:
            box.context.compile(compiler, ["-g", "-gdwarf-5", "-c"], [box.directory / f"spelt.{suffix}"], box.directory / f"{compiler}.o")
        for before, after in (programs, programs[::-1]):
            document = box.json(f"{before}.o", "diff", f"{after}.o", "*", status=0)
            check(document["changes"] and not document["summary"]["changed"], document["changes"])
    for old, new in (("unsigned long *tab", "long *tab"), ("const int *const *pp", "const int **pp"), ("const volatile unsigned short", "const unsigned short"),
                     ("signed char sc", "char sc"), ("long long ll", "long ll"), ("_Complex double cd", "quad cd")):
        (box.directory / "other.c").write_text(SPELLINGS.replace(old, new))
        box.context.compile("clang", ["-g", "-gdwarf-5", "-c"], [box.directory / "other.c"], box.directory / "other.o")
        changed = [member["field"] for member in box.json("gcc.o", "diff", "other.o", "*")["changes"][0]["members"]]
        check(len(changed) == 1, f"{old} -> {new}: {changed}")
    for old, new in (("tab<const char *, 1> a", "tab<char *, 1> a"), ("tab<char *const, 1> *b", "tab<const char *, 1> *b"),
                     ("const volatile ns::in", "const ns::in"), ("const ns::two<const int, ns::in>", "const ns::two<int, ns::in>"),
                     ("const ns::two<const int, ns::in>", "ns::two<const int, ns::in>"), ("ns::two<const int, const bool>", "ns::two<int, const bool>"),
                     ("const long) const", "const long)"), ("volatile int *const volatile *", "const int *const volatile *")):
        (box.directory / "other.cc").write_text(SPELLINGS_CXX.replace(old, new, 1))
        box.context.compile("clang++", ["-g", "-gdwarf-5", "-c"], [box.directory / "other.cc"], box.directory / "other.o")
        changed = [member["field"] for change in box.json("g++.o", "diff", "other.o", "qualified")["changes"] for member in change["members"]]
        check(len(changed) == 1, f"{old} -> {new}: {changed}")


def schema(context):
    """It needs no other: what it shares with the report's is repeated in it, a line each; --update does that."""
    path = context.root / "samples/schema/linelint-diff.schema.json"
    report = json.loads((context.root / "samples/schema/linelint-report.schema.json").read_text())["$defs"]
    needed = ["binary", "struct", "natural", "natural_or_null"]
    for name in needed:
        needed += sorted(set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(report[name]))) - set(needed))
    shared = [f"    {json.dumps(name)}: {json.dumps(report[name], ensure_ascii=False)}" for name in sorted(needed)]
    try:
        context.golden(path, bundled(path.read_text(), report, shared))
    except Failure as failure:
        raise Failure(f"tests/run --update diff/schema repeats what changed in the report's\n{failure}") from None


def bundled(text, report, shared):
    """The schema with these lines in the place of what it repeats."""
    lines = [line for line in text.splitlines() if not re.match(f'    "({"|".join(report)})": {{.*}},?$', line)]
    check(lines[-2:] == ["  }", "}"], "its definitions come last")
    own = re.findall(r'^    "(\w+)": ', "\n".join(lines).partition("$defs")[2], re.M)
    check(not set(own) & set(report), f"the report's has these names too, choose others: {set(own) & set(report)}")
    lines[-3] = lines[-3].rstrip(",") + ","
    return "\n".join([*lines[:-2], ",\n".join(shared), *lines[-2:]]) + "\n"


def jobs(box):
    """The same bytes whatever --jobs is."""
    check(box.run("--jobs", "1", "a", "diff", "b", "*").out == box.run("--jobs", "2", "a", "diff", "b", "*").out, "--jobs")


def plain(box):
    """A validator without more than the schema takes what diff prints."""
    import jsonschema
    document = box.json("a", "diff", "b", "hot", status=1)
    own = json.loads((box.context.root / "samples/schema/linelint-diff.schema.json").read_text())
    jsonschema.validate(document, own)
    del document["after"][0]["members"][0]["offset"]
    check(not jsonschema.Draft202012Validator(own).is_valid(document), "the structs are checked as well")


def tests(context):
    yield Test("diff/schema", lambda: schema(context))
    for test in (changes, pairs, statuses, names, lost, compilers, plain, jobs):
        yield Test(f"diff/{test.__name__}", lambda test=test: test(Sandbox(context, test.__name__)))
