"""profile/: the verbs of 'linelint profile'. A skeleton is valid, fits its schema and names only what is there."""

import json
import re

from .common import Test, check


def validator(context):
    import jsonschema
    schema = json.loads((context.root / "samples/schema/linelint-profile.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def fits(context, text, name):
    import yaml
    for error in validator(context).iter_errors(yaml.safe_load(text)):
        check(False, f"{name}: {error.json_path}: {error.message[:300]}")


def compiled(context, source):
    directory = context.scratch / "profile"
    directory.mkdir(parents=True, exist_ok=True)
    binary = directory / f"{source.name}.o"
    compiler = "g++" if source.suffix == ".cc" else "gcc"
    context.compile(compiler, ["-g", "-c"], [source], binary)
    return binary


def skeleton(context, source):
    """init -> check: every name resolves, nothing is accessed, so nothing is found but LL009 to LL011 cannot be."""
    import yaml
    binary = compiled(context, source)
    if not json.loads(context.linelint("--format", "json", binary, "list").out)["structs"]:
        return
    result = context.linelint("profile", "init", binary, "*", status=0)
    fits(context, result.out, source.name)
    path = binary.with_suffix(".yaml")
    path.write_text(result.out)
    check(yaml.safe_load(result.out)["structs"], f"{source.name}: no structs\n{result}")
    report = context.json("--profile", path, binary, "check")
    stale = [finding["message"] for struct in report["structs"] for finding in struct["findings"]
             if finding["rule"] == "LL010"]
    check(not stale, f"{source.name}: {stale}")
    shown = context.linelint("profile", "show", path, binary, status=0)
    check("LL010" not in shown.out, str(shown))


def complete(context):
    """Each leaf of a struct is there, with what the compiler says of its place."""
    source = context.scratch / "profile" / "complete.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("""
struct inner { char a; long b; };
struct s {
	int i; struct inner in; struct { short u, v; };
	union { long l; char c[8]; }; unsigned x : 3, : 2, y : 4; struct inner rows[3][2]; struct { int only; } wrapped;
	void *flexible[];
} instance;
""")
    binary = compiled(context, source)
    out = context.linelint("profile", "init", binary, "s", status=0).out
    rows = re.findall(r'^      ("?[\w.\[\]]+"?): \{\} +# +(\d+)(?::(\d+))? +(\d+)', out, re.M)
    expected = [("i", 0, 4), ("in.a", 8, 1), ("in.b", 16, 8), ("u", 24, 2), ("v", 26, 2), ("l", 32, 8), ('"c[]"', 32, 8),
                ("x", 40, 3), ('"y"', 40, 4), ('"rows[].a"', 48, 1), ('"rows[].b"', 56, 8), ("wrapped", 144, 4),
                ('"flexible[]"', 152, 0)]
    check([(name, int(offset), int(size)) for name, offset, _, size in rows] == expected, out)
    check("# hole of 4 bytes at 28" in out and "# line 2, bytes 128 to 191" in out, out)
    inside = ("# hole of 7 bytes at 9, in in\n", "# hole of 7 bytes at 49, in each of rows[]\n")
    check(all(line in out for line in inside), f"holes inside members\n{out}")
    check(out.index(inside[1]) in range(out.index('"rows[].a"'), out.index('"rows[].b"')), "where it is")
    check("slots[].n" in out and "of EACH of them" in out, "index beside roles; whose rate it is")


def granularity(context):
    """What has no type name is opened, locks are not, arrays ask for an index; one byte is no bytes."""
    source = context.scratch / "profile" / "granularity.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("""
#include <pthread.h>
typedef struct { int counter; } atomic_t;
struct pair { int a, b; };
struct s {
	union { struct { unsigned lo, hi; } ; unsigned long both; } u; pthread_mutex_t lock; atomic_t count;
	struct pair pair; unsigned one : 1, two : 2; char x; char y; short z; struct { long ok; } per_thread[4];
} instance;
struct tiny { char c; } tiny;
struct gap { char a; short b; } gap;
""")
    binary = compiled(context, source)
    out = context.linelint("profile", "init", binary, "s", "tiny", "gap", status=0).out
    found = re.findall(r'^      "?([\w.\[\]]+)"?: \{\}', out, re.M)
    check(found == ["u.lo", "u.hi", "u.both", "lock", "count", "pair", "one", "two", "x", "y", "z", "per_thread[]", "c", "a", "b"],
          out)
    check(re.search(r'"per_thread\[\]": \{\} .* # index: thread \| spread \| N$', out, re.M), out)
    check(out.count("# index:") == 1, f"index where there is no array\n{out}")
    check(not re.search(r"\b1 (bits|bytes|lines)\b", out) and "1 bit " in out and "hole of 1 byte at 1" in out, out)
    path = context.scratch / "profile" / "granularity.yaml"
    path.write_text("version: 1\nstructs:\n  s: {placement: {alignment: 64}, fields: {x: r hot}}\n"
                    "  tiny: {fields: {c: r hot}}\n")
    shown = context.linelint("profile", "show", path, binary, status=0).out
    check("so every object starts a line (stated)" in shown and "so objects start at any of 64 places" in shown, shown)
    wrong = context.scratch / "profile" / "index.yaml"
    wrong.write_text("version: 1\nroles: {r: {}}\nstructs: {s: {fields: {x: {r: {rmw: 1, index: thread}}}}}\n")
    result = context.linelint("--profile", wrong, binary, "check", status=2)
    check("unknown key 'index'" in result.err and "beside the roles" in result.err, result)


def shipped(context):
    """The kernel profile fits its schema; show and --profile take it by name, and it fails nothing by itself."""
    fits(context, (context.root / "layouts/linux.yaml").read_text(), "linux.yaml")
    source = context.scratch / "profile" / "kernel.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("struct page { unsigned long flags; } a; struct task_struct { int x; } b;\n")
    binary = compiled(context, source)
    shown = context.linelint("profile", "show", "linux", binary, status=0)
    check(re.search(r"LL010 +_refcount: no such field.*linux\.yaml \(shipped\):\d+:\d+", shown.out), str(shown))
    check("LL010       not in" in shown.out, str(shown))
    context.linelint("--profile", "linux", binary, "check", "page", status=0)


def stale(context):
    """A name that is not there: where the profile says it, what was meant. That is no failure of showing it."""
    source = context.scratch / "profile" / "stale.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("struct s { long counter; long other; } a; struct u { int a; } u;\n")
    binary = compiled(context, source)
    path = context.scratch / "profile" / "stale.yaml"
    path.write_text("version: 1\nroles: {r: {threads: 2, why: \"who \\e[31m\"}}\nstructs:\n  s:\n    fields:\n"
                    "      countre: {r: rmw 2}\n      other: {r: r hot, why: here}\n  t: {}\n"
                    "  u: {constraints: {pin: all, why: it is an interface}}\n")
    shown = context.linelint("profile", "show", "--verbose", path, binary, status=0)
    for wanted in ("LL010       countre: no such field; did you mean 'counter'?", "stale.yaml:6:7)", "r read 1  # here",
                   "not in ", "stale.yaml:8:3)", r"who \x1b[31m", "constraints   # it is an interface"):
        check(wanted in shown.out, f"not there: {wanted}\n{shown}")


def show_option(context):
    """The option that other verbs take says which file, too."""
    source = context.scratch / "profile" / "option.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("struct one { int x; } a;\n")
    binary = compiled(context, source)
    path = context.scratch / "profile" / "option.yaml"
    path.write_text("version: 1\nstructs: {one: {fields: {x: r hot}}}\n")
    shown = context.linelint("profile", "show", path, binary, status=0).out
    for words in (["--profile", path, "profile", "show", path, binary], ["profile", "show", binary, "--profile", path]):
        check(context.linelint(*words, status=0).out == shown and "x" in shown, words)


def inherited(context):
    """Fields of bases go by their own names, as in C++; what is hidden or ambiguous, by its bases too. Offsets are the compiler's."""
    source = context.scratch / "profile" / "inherited.cc"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(r"""
#include <cstdio>
struct Root { long a; int root; };
struct Left : Root { int left; }; struct Right : Root { long b; int right; };
struct Pair { long b, own; };
struct Hidden { long same; int deep; struct { int u; } sub; };
struct Hides : Hidden { long same; struct { int v; } sub; };
struct Both : Left, Right, Pair { long c; };
struct Outer { int first; Both both; Hides hides; Hides rows[2]; Pair plain; };
Outer o; Hides h; Both b;
#define AT(path, field) std::printf("%s %td\n", path, (char *)&(field) - (char *)&o);
int main()
{
	AT("first", o.first) AT("both.c", o.both.c) AT("both.Left.Root.a", o.both.Left::a) AT("both.Right.Root.a", o.both.Right::a)
	AT("both.left", o.both.left) AT("both.right", o.both.right) AT("both.Left.Root.root", o.both.Left::root)
	AT("both.Right.b", o.both.Right::b) AT("both.Pair.b", o.both.Pair::b) AT("both.own", o.both.own)
	AT("both.Right.Root.root", o.both.Right::root) AT("hides.same", o.hides.same) AT("hides.Hidden.same", o.hides.Hidden::same)
	AT("hides.deep", o.hides.deep) AT("hides.sub.v", o.hides.sub.v) AT("hides.Hidden.sub.u", o.hides.Hidden::sub.u)
	AT("rows[].same", o.rows[0].same) AT("rows[].Hidden.same", o.rows[0].Hidden::same) AT("rows[].deep", o.rows[0].deep)
	AT("plain.b", o.plain.b)
}
""".replace("\\\\n", "\\n"))
    binary = compiled(context, source)
    program = context.scratch / "profile" / "inherited"
    context.compile("g++", ["-w"], [source], program)
    offsets = {line.split()[0]: int(line.split()[1]) for line in context.run([program]).out.splitlines()}
    path = context.scratch / "profile" / "inherited.yaml"

    def accessed(names):
        fields = ", ".join(f'"{name}": {{read: 1}}' for name in names)
        path.write_text(f"version: 1\nstructs: {{Outer: {{fields: {{{fields}}}}}}}\n")
        return context.json("--profile", path, binary, "struct", "Outer", "--expand", status=(0, 1))["structs"][0]

    report = accessed(offsets)
    check(not [item for item in report["findings"] if item["rule"] == "LL010"], str(report["findings"]))
    trace = context.scratch / "profile" / "inherited.txt"
    for name, offset in offsets.items():
        for shift in (0, 1):  # where the field starts a line, the byte before it is on another; one byte further on the same
            trace.write_text(f"linelint-trace 1\nstruct Outer\nobject 0 {4096 - offset - shift}\n"
                             + f"0 op w {name}:1\n1 op r {offset - 1 if offset else 63}\n" * 2)
            cost = context.json(binary, "replay", "Outer", trace)["replay"]["total"]["before"]["simulated"]
            check(not offset or (cost > 0) == bool(shift), f"{name} is not at {offset}: {cost}")
    # a base may be named where that is not needed; what is ambiguous is nothing
    for name, bad in (("both.Left.left", False), ("hides.Hidden.deep", False), ("both.Pair.own", False), ("both.Left.a", False), ("both.a", True), ("both.Root.a", True),
                      ("both.b", True), ("both.Pair.left", True), ("hides.Hides.same", True)):
        stale = [item for item in accessed([name])["findings"] if item["rule"] == "LL010"]
        check(bool(stale) == bad, f"{name}: {stale}")
    skeleton_ = context.linelint("profile", "init", binary, "Both", "Hides", status=0).out
    for name in ("Left.Root.a", "Right.Root.root", "Right.b", "Pair.b", "same", "Hidden.same", "sub", "Hidden.sub"):
        check(re.search(f'^      {re.escape(name)}: ', skeleton_, re.M), f"{name}\n{skeleton_}")


def containers(context):
    """An object lies only where one can: in a member of its type, in one that begins so, in storage; else it is LL010."""
    source = context.scratch / "profile" / "containers.cc"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("""
struct obj { long a, b; };
typedef const obj alias;
template <class T> struct box { T first, second; };
struct derived : obj { long c; };
struct other { long a, b; };
struct wrapped { obj first; long rest; };
struct outer {
	obj own; obj rows[3]; obj grid[2][2]; alias named; wrapped wrapped_; derived derived_; union { obj o; long l; } either; volatile obj live;
	char storage[16]; unsigned long words[2]; char small[15]; int flags; int bits : 3; obj *pointer; obj *pointers[2]; obj &reference; other other_;
	wrapped behind; long number; box<int> box_; char open[];
};
outer *o; obj x; box<int> y; struct second { obj own; other o; } z;
""")
    binary = compiled(context, source)
    path = context.scratch / "profile" / "containers.yaml"

    def why(member, name="obj", field="a"):
        path.write_text(f'version: 1\nstructs: {{"{name}": {{placement: {{container: outer.{member}}}, fields: {{{field}: r hot}}}}}}\n')
        report = context.json("--profile", path, binary, "check", status=(0, 1))
        return " ".join(item["message"] for item in report["structs"][0]["findings"] if item["rule"] == "LL010")

    for member in ("own", "rows", "grid", "named", "wrapped_", "wrapped_.first", "derived_", "either", "either.o", "live", "storage", "words",
                   "open"):
        check(not why(member), f"{member}: {why(member)}")
    check(not why("box_", "box<int>", "first"), why("box_", "box<int>", "first"))
    for member, part in (("small", "15 bytes in the container, too few for obj of 16"), ("flags", "another type"), ("bits", "another type"),
                         ("pointer", "a pointer"), ("pointers", "a pointer"), ("reference", "another type"), ("other_", "another type"),
                         ("wrapped_.rest", "another type"), ("number", "another type"), ("box_", "another type"), ("gone", "no such field")):
        check(part in why(member), f"{member}: {why(member)}")


def usage(context):
    source = context.scratch / "profile" / "usage.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("struct one { int x; } a;\n")
    binary = compiled(context, source)
    for words, reason in (
            ([], "no verb"), (["shwo", "x", binary], "'show'"), (["init", binary], "too few"), (["show", binary], "too few"),
            (["show", "linux", binary, "x"], "too many"), (["init", binary, "onee"], "'one'"),
            (["init", "--threads", "4", binary, "one"], "--threads"), (["init", "--profile", "linux", binary, "one"], "--profile"),
            (["show", "--profile", "a.yaml", "b.yaml", binary], "one file"), (["show", "--profile", "a", "--profile", "b", binary], "one file"), (["show", binary, binary], "ELF file"), (["show", "linux", binary], "no struct that")):
        result = context.linelint("profile", *words, status=2)
        check(reason in result.err and not result.out and len(result.err.splitlines()) == 1, f"wanted {reason}\n{result}")


def tests(context):
    for source in sorted((context.root / "tests/golden").glob("*.c*")):
        if source.suffix in (".c", ".cc"):
            yield Test(f"profile/skeleton/{source.name}", lambda s=source: skeleton(context, s))
    for source in sorted((context.root / "layouts").glob("*.c")):
        yield Test(f"profile/skeleton/{source.name}", lambda s=source: skeleton(context, s))
    for function in (complete, granularity, show_option, shipped, stale, inherited, containers, usage):
        yield Test(f"profile/{function.__name__}", lambda f=function: f(context))
