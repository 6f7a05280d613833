"""languages/: C++, Rust, Go, Fortran and Ada against what their compilers do.

Random hierarchies of C++ classes (tests/languages/hierarchies.py), with virtual bases, [[no_unique_address]] and the rest, say
at run time where their parts are, and so do the programs of tests/languages in the other languages; linelint must say
the same. What DWARF does not tell must be left open, not wrong.
"""

import re
import shutil
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
        kind, rest = line.strip().split(" ", 1)
        name, *numbers = rest.rsplit(" ", 3 if kind == "F" else 2)
        numbers = tuple(int(number) for number in numbers)
        if kind == "S":
            current = found[name] = {"S": numbers, "B": {}, "M": {}, "F": {}, "V": {}, "O": {}}
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


def compare_classes(context, way, directory, declarations, program):
    """-> (the truths, the reports, the names of the classes of which something is left open, what is wrong)"""
    compiler, flags = WAYS[way]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "classes.cc").write_text(declarations)
    (directory / "probe.cc").write_text(program)
    classes = (directory / "classes.cc").resolve()
    context.compile(compiler, [*CXX, *flags, "-c"], [classes], directory / "classes.o")
    context.compile(compiler, [*CXX, *flags, f'-DCLASSES="{classes}"'], [directory / "probe.cc"], directory / "probe")
    found = truths(context.good([(directory / "probe").resolve()]).out)
    reports = context.json(directory / "classes.o", "struct", *(f"::{name}" for name in found))["structs"]
    check(len(reports) == len(found), f"{len(found)} asked for, {len(reports)} told")
    unknown = []
    # alignas is in the debug information from DWARF 5 on, and in clang's
    faults = [fault for (name, truth), report in zip(found.items(), reports)
              for fault in compare(name, truth, report, unknown, "-gdwarf-5" in flags)]
    return found, reports, unknown, faults


def empty_classes(context, way):
    found, _, unknown, faults = compare_classes(context, way, context.scratch / "languages" / f"empties-{way}",
                                                *hierarchies.empties())
    check(len(found) == 23, f"the probe tells of {len(found)}")
    check(not faults, "\n".join(faults))
    check("-gdwarf-5" not in WAYS[way][1] or not unknown, f"left open: {' '.join(unknown)}")


def random_classes(context, way, number, overlapping):
    flags = WAYS[way][1]
    directory = context.scratch / "languages" / f"random-{way}-{overlapping}"
    drawn = (context.seed * 1000 + number, RANDOM_CLASSES, 0.05 if overlapping else 0.02 if "-gdwarf-5" in flags else 0.01, overlapping)
    recipe = "from tests/languages/hierarchies.py " + " ".join(map(str, drawn))
    found, reports, unknown, faults = compare_classes(context, way, directory, *hierarchies.generate(*drawn))
    check(len(found) == RANDOM_CLASSES, f"the probe tells of {len(found)}")
    if faults:
        raise Failure("\n".join([*faults[:30], f"{len(faults)} in all",
                                 recipe]))
    # where DWARF lacks what decides, no place is said; that is the exception
    with_virtual = sum(any(base["virtual"] for base in report["bases"]) for report in reports)
    check(overlapping or len(unknown) * UNKNOWN_MOST <= with_virtual, f"{len(unknown)} of {with_virtual} classes with "
          f"virtual bases are left open: {' '.join(unknown)}; {recipe}")


NAMES = """
namespace na { struct same { int a; }; struct only { int q; }; }
namespace nb { struct same { long a, b; }; namespace deep { struct same { char c[3]; }; } }
namespace { struct hidden { int h; }; }
template <class T, int N> struct tpl { T t[N]; char c; struct inner { T x; char y; }; inner i; };
template <class... A> struct pack { char c; };
class outer { class priv { int p; }; priv m; static int s; static constexpr int k = 3; int r; };
tpl<int, 3> t1; tpl<tpl<char, 2>, 4> t2; tpl<na::same *, 5> t3; pack<> p0; pack<int, char> p2;
na::same s1; nb::same s2; nb::deep::same s3; na::only o1; hidden h1; outer o2;
int function(int n) { struct local { int l; char c; } x = {n, 1}; return x.l + x.c; }
struct with { int m(int); int q; };
int use() { return h1.h; }
struct lender { long a; char b; }; struct derived : lender { long c; } derived_1; // plain old data keeps its padding
int with::m(int k) { struct within { int x; } w = {k}; return w.x + q; }
"""
FOUND = {
    "same": ["na::same", "nb::same", "nb::deep::same"], "na::same": ["na::same"], "::na::same": ["na::same"], "pack<*>": ["pack<>", "pack<int, char>"],
    "deep::same": ["nb::deep::same"], "only": ["na::only"], "n?::same": ["na::same", "nb::same"], "class outer": ["outer"],
    "struct outer": ["outer"], "tpl<int, 3>": ["tpl<int, 3>"], "pack<>": ["pack<>"], "pack<int, char>": ["pack<int, char>"],
    "(anonymous namespace)::hidden": ["(anonymous namespace)::hidden"], "hidden": ["(anonymous namespace)::hidden"],
    "priv": ["outer::priv"], "outer::priv": ["outer::priv"], "function::local": ["function()::local"],
    "function()::local": ["function()::local"], "with::m::within": ["with::m()::within"],
    "tpl<int, 3>::inner": ["tpl<int, 3>::inner"],
    "tpl<int,3>": ["tpl<int, 3>"], "::tpl< int , 3 >": ["tpl<int, 3>"], "tpl<int,3>::inner": ["tpl<int, 3>::inner"],
    "tpl<signed int,3>": ["tpl<int, 3>"], "pack<int,char>": ["pack<int, char>"],
}


def names(context, compiler):
    directory = context.scratch / "languages" / f"names-{compiler}"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "names.cc").write_text(NAMES)
    context.compile(compiler, ["-g", "-w", "-c"], [directory / "names.cc"], directory / "names.o")
    for name, wanted in FOUND.items():
        found = [one["qualified_name"] for one in context.json(directory / "names.o", "struct", name)["structs"]]
        check(sorted(found) == sorted(wanted), f"'{name}' finds {found}, should be {wanted}")
    report = context.json(directory / "names.o", "struct", "outer")["structs"][0]
    check([member["name"] for member in report["members"]] == ["m", "r"], "static members are no members")
    templates = {one["qualified_name"] for one in context.json(directory / "names.o", "struct", "tpl<*>")["structs"]}
    check(len([one for one in templates if not one.endswith("inner")]) == 4, str(templates))
    nested = {context.json(directory / "names.o", "struct", name)["structs"][0]["qualified_name"]
              for name in ("tpl<tpl<char,2>,4>", "tpl<tpl<char, 2> , 4>", "struct tpl<tpl<char,2>,4>")}
    check(len(nested) == 1 and nested <= templates, f"spellings of one template: {nested}")
    refused = context.linelint(directory / "names.o", "struct", "tpl<na::samee*,5>", status=2)
    check("did you mean 'tpl<na::same" in refused.err, f"the scope of an argument is no scope: {refused}")
    profile = directory / "names.yaml"
    profile.write_text("version: 1\nstructs:\n  \"tpl<int,3>\": {fields: {c: {write: 1}, i.y: {read: 1}}}\n"
                       "  outer: {fields: {outer.m: {read: 1}}}\n")
    for arguments in (("check",), ("struct", "tpl<int, 3>"), ("struct", "tpl<signed int,3>")):
        found = context.json("--profile", profile, directory / "names.o", *arguments, status=(0, 1))["structs"]
        check(found[0]["qualified_name"] == "tpl<int, 3>" or found[1]["qualified_name"] == "tpl<int, 3>", str(arguments))
        accessed = next(one for one in found if one["qualified_name"] == "tpl<int, 3>")
        check("LL001" in {finding["rule"] for finding in accessed["findings"]}, f"{arguments}: the profile is not its own")
    skeleton = context.linelint("profile", "init", directory / "names.o", "derived", status=0).out
    check("# padding of 7 bytes at 9, in the base struct lender" in skeleton, skeleton)
    said = context.linelint("--profile", profile, directory / "names.o", "check", "outer", status=1).out
    check("did you mean 'm'" in " ".join(said.split()), said)


REFERENCES = """#include <cstdio>
#include <cstring>
#include <cstddef>
int target; long other; char text[3];
static void call() {}
struct refs { char a; int &r; short b; long &&q; void (&f)(); char (&t)[3]; static int s; char c; };
static refs o = {1, target, 2, static_cast<long &&>(other), call, text, 3};
static void find(const char *name, const void *value)
{
	for (unsigned long i = 0; i + sizeof(value) <= sizeof(o); i += sizeof(value))
		if (memcmp((const char *)&o + i, &value, sizeof(value)) == 0)
			printf("M %s %lu %lu\\n", name, i, (unsigned long)sizeof(value));
}
int main()
{
	printf("S refs %lu %lu\\n", (unsigned long)sizeof(refs), (unsigned long)alignof(refs));
	find("r", &target), find("q", &other), find("f", (const void *)call), find("t", text);
	printf("M a %lu 1\\nM b %lu 2\\nM c %lu 1\\n", (unsigned long)offsetof(refs, a), (unsigned long)offsetof(refs, b),
	       (unsigned long)offsetof(refs, c));
}
"""


def references(context, compiler):
    """What a reference takes in a class; a static member takes nothing."""
    directory = context.scratch / "languages" / f"references-{compiler}"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "refs.cc").write_text(REFERENCES)
    context.compile(compiler, [*CXX, "-g"], [directory / "refs.cc"], directory / "refs")
    truth = truths(context.good([(directory / "refs").resolve()]).out)["refs"]
    check(len(truth["M"]) == 7, str(truth))
    faults = compare("refs", truth, context.json(directory / "refs", "struct", "refs")["structs"][0], [])
    check(not faults, "\n".join(faults))


def incomplete(context):
    """clang describes a class only where its constructor is: elsewhere it has no size, and no hole is said to be there."""
    directory = context.scratch / "languages/incomplete"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "use.cc").write_text("struct part { part(); int a; char b; };\n"
                                      "struct whole { char c; part p; long d; part last; };\n"
                                      "struct derived : part { char e; short f; };\n"
                                      "derived make() { return derived(); }\n"
                                      "long f() { whole *w = new whole(); return w->d; }\n")
    context.compile("clang++", ["-g", "-c"], [directory / "use.cc"], directory / "use.o")
    whole, derived = context.json(directory / "use.o", "struct", "whole", "derived")["structs"]
    sizes = {member["name"]: (member["offset"], member["size"]) for member in whole["members"]}
    if sizes["p"][1] is not None:
        raise Skip("this clang describes classes everywhere")
    check(sizes == {"c": (0, 1), "p": (4, None), "d": (16, 8), "last": (24, None)}, str(sizes))
    check(whole["holes"] == [{"offset": 1, "size": 3}] and not whole["padding"], str(whole["holes"]))
    check(derived["bases"][0]["size"] is None and not derived["holes"] and derived["size"] == 8, str(derived))
    result = context.linelint(directory / "use.o", "struct", "whole")
    check("size not known" in result.out, str(result))


HOMES = """
#include <cstddef>
namespace n {
struct part { part(); ~part(); long x; char c; };
struct more : part { more(); char d; };
template <class T> struct tpl { tpl(); T t; char q; };
struct top { virtual ~top(); int a; };
struct left : virtual top { left(); char b; };
struct right : virtual top { right(); long c; char c2; };
struct unused { unused(); int u; };
}
struct whole { n::part a; char k; n::more b[3]; n::tpl<int> t; n::part *p; n::unused *u; };
struct derived : n::more { char z; };
struct diamond : n::left, n::right { char d; };
static_assert(sizeof(whole) == 96 && offsetof(whole, k) == 16 && offsetof(whole, b) == 24 && offsetof(whole, t) == 72);
static_assert(sizeof(n::part) == 16 && sizeof(n::more) == 16 && sizeof(n::tpl<int>) == 8 && alignof(derived) == 8);
"""
HOMES_USE = """
whole *make() { return new whole(); }
derived *make_derived() { return new derived(); }
diamond *make_diamond() { return new diamond(); }
int main() { return make()->k + make_derived()->z + make_diamond()->d; }
"""
HOMES_PARTS = """
namespace n {
part::part() {} part::~part() {} more::more() {} top::~top() {} left::left() {} right::right() {}
template <class T> tpl<T>::tpl() {} template struct tpl<int>;
}
"""
HOMES_WAYS = {"5": ["-gdwarf-5"], "4": ["-gdwarf-4"], "4-type-units": ["-gdwarf-4", "-fdebug-types-section"]}


def placed(item):
    """Offsets, sizes and alignments of a struct, base or member, with all that is in it."""
    return [item.get("name"), item.get("offset"), item["size"], item.get("align"),
            [placed(one) for one in item.get("bases", [])], [placed(one) for one in item["members"]]]


def homes(context, way):
    """What a unit only declares, and has by value, is described by another unit of the same file."""
    directory = context.scratch / "languages" / f"homes-{way}"
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in (("use", HOMES_USE), ("parts", HOMES_PARTS)):
        (directory / f"{name}.cc").write_text(HOMES + text)
    for order in (["use", "parts"], ["parts", "use"]):
        reports = {}
        for full in ("-fstandalone-debug", "-fno-standalone-debug"):
            program = directory / f"{order[0]}{full}"
            context.compile("clang++", [*CXX, *HOMES_WAYS[way], full], [directory / f"{name}.cc" for name in order], program)
            reports[full] = context.json(program, "struct", "whole", "derived", "diamond")["structs"]
        whole = {one["name"]: (one["offset"], one["size"]) for one in reports["-fno-standalone-debug"][0]["members"]}
        check(whole == {"a": (0, 16), "k": (16, 1), "b": (24, 48), "t": (72, 8), "p": (80, 8), "u": (88, 8)}, str(whole))
        for said, right in zip(reports["-fno-standalone-debug"], reports["-fstandalone-debug"]):
            check(placed(said) == placed(right), f"{right['name']}: {placed(said)}\nshould be {placed(right)}")


def homes_of_bare_templates(context):
    """Where names lack their arguments, an instance of a template is not taken for another one."""
    directory = context.scratch / "languages/homes-bare"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "bare.cc").write_text("template <class T> struct tpl { tpl(); T t; char q; };\n"
                                       "template <class T> tpl<T>::tpl() {}\ntemplate struct tpl<char>;\n"
                                       "extern template struct tpl<long>;\n"
                                       "struct whole { tpl<long> t; char c; };\n"
                                       "int f() { return (new whole())->c; }\n")
    context.compile("clang++", [*CXX, "-g", "-Xclang", "-gsimple-template-names=simple", "-c"],
                    [directory / "bare.cc"], directory / "bare.o")
    whole = context.json(directory / "bare.o", "struct", "whole")["structs"][0]
    check([(one["name"], one["offset"], one["size"]) for one in whole["members"]] in
          ([("t", 0, None), ("c", 16, 1)], [("t", 0, 16), ("c", 16, 1)]), str(whole["members"]))


# ---- programs of other languages, which say where their own parts are


def compare_program(context, binary, program, spelt=lambda name: name):
    """What the binary calls `spelt(name)`, unless that is nothing. O: a place only, of a size that the debug information does not tell. V: of a variant, by its name and the member's."""
    faults = []
    told = truths(context.good([program.resolve()]).out)
    check(told, "the program says nothing")
    for name, truth in told.items():
        if not spelt(name):
            continue
        report = context.json(binary, "struct", spelt(name))["structs"][0]
        members = {member["name"]: member for member in report["members"]}
        variants = {f"{variant['name']}.{member['name']}": member
                    for variant in report["variants"] for member in variant["members"]}

        def same(what, said, right):
            if said != right:
                faults.append(f"{name}: {what} is {said}, should be {right}")

        size, align = truth["S"]
        same("size", report["size"], size if size >= 0 else None)
        same("align", report["align"], align)
        same("members", sorted(members), sorted([*truth["M"], *truth["F"], *truth["O"]]))
        same("variants", sorted(variants), sorted(truth["V"]))
        for found, paths in ((members, truth["M"]), (variants, truth["V"])):
            for path, right in paths.items():
                if path in found:
                    same(path, (found[path]["offset"], found[path]["size"]), right)
        for path, right in truth["F"].items():
            if path in members:
                member = members[path]
                same(path, (member["offset"], member.get("bit_offset"), member.get("bit_size")), right)
        for path, right in truth["O"].items():
            if path in members:
                same(path, members[path]["offset"], right[0])
        offsets = [member["offset"] for member in report["members"]]
        if ".rs" in (report["unit"] or ""):
            same("order", offsets, sorted(offsets))
        used = set()
        for path, (offset, its_size) in [*truth["M"].items(), *truth["V"].items(), *truth["O"].items()]:
            used.update(range(offset, offset + its_size))
        for hole in report["holes"]:
            clash = used & set(range(hole["offset"], hole["offset"] + hole["size"]))
            same(f"hole at {hole['offset']} in use", sorted(clash), [])
    if faults:
        raise Failure("\n".join(faults))


def rust(context, flags):
    if not shutil.which("rustc"):
        raise Skip("rustc is missing")
    directory = context.scratch / "languages" / ("rust" + "".join(flags))
    directory.mkdir(parents=True, exist_ok=True)
    result = context.run(["rustc", "--edition", "2021", "-g", *flags, "tests/languages/shapes.rs", "-o",
                          directory / "shapes"])
    if result.status and "offset_of" in result.err:
        raise Skip("rustc is older than offset_of!")
    check(result.status == 0, str(result))
    compare_program(context, directory / "shapes", directory / "shapes")


def rust_names(context):
    """Any type of the crate by its path or a part of it; alternatives of enums are no types; a profile works."""
    rust(context, [])
    binary = context.scratch / "languages/rust/shapes"
    for name in ("Inner", "er::Inner", "deep::er::Inner", "shapes::deep::er::Inner", "::shapes::deep::er::Inner", "*er::Inner"):
        report = context.json(binary, "struct", name)["structs"]
        check([one["qualified_name"] for one in report] == ["shapes::deep::er::Inner"], f"{name}: {report}")
    result = context.linelint(binary, "struct", "Data::Two", status=2)
    check("no struct" in result.err, str(result))
    types = {member["name"]: member["type"] for member in context.json(binary, "struct", "Holder")["structs"][0]["members"]}
    check(types["slice"] == "&[u8]" and types["inner"] == "shapes::deep::er::Inner", str(types))
    types = {member["name"]: member["type"] for member in context.json(binary, "struct", "Generic<u16, 3>")["structs"][0]["members"]}
    check(types["t"] == "[u16; 3]", str(types))
    data = context.json(binary, "struct", "Data")["structs"][0]
    check([(v["name"], v["values"]) for v in data["variants"]] ==
          [(name, [{"low": value, "high": value}]) for value, name in enumerate(("Nothing", "One", "Two", "Three"))], str(data))
    check(data["discriminant"]["offset"] == 0 and not data["members"], str(data))
    niche = context.json(binary, "struct", "Niche")["structs"][0]
    check([v["values"] for v in niche["variants"]] == [[], [{"low": 0, "high": 0}]], str(niche["variants"]))
    profile = context.scratch / "languages/rust/profile.yaml"
    profile.write_text("version: 1\nroles: {r: {threads: 8}, w: {threads: 8}}\nstructs:\n"
                       "  'shapes::Reordered':\n    fields: {b: {r: {read: 1}}, d: {w: {write: 1}}}\n"
                       "  'shapes::Data':\n    fields: {Two.x: {r: {read: 1}}, Two.y: {w: {write: 1}}}\n")
    report = context.json("--profile", profile, binary, "check", status=(0, 1))["structs"]
    found = {one["name"]: [(finding["rule"], finding["fields"]) for finding in one["findings"]] for one in report}
    check(("LL001", ["d", "b"]) in found["Reordered"] and ("LL001", ["Two.y", "Two.x"]) in found["Data"], str(found))
    moved = next(one for one in report if one["name"] == "Reordered")
    check(not moved["suggestions"] and "repr(C)" in moved["why_no_suggestion"], str(moved))


GO_WAYS = {
    "gc": ([], {}),
    "gc-plain-dwarf": (["-ldflags=-compressdwarf=false", "-trimpath"], {}),
    "gc-386": (["-gcflags=-N -l"], {"GOARCH": "386"}),
}


def go_program(context, way):
    if not shutil.which("go"):
        raise Skip("go is missing")
    flags, environment = GO_WAYS[way]
    program = context.scratch / "languages" / way
    program.parent.mkdir(parents=True, exist_ok=True)
    cache = {"GOCACHE": str(context.scratch.resolve() / "go"), "GOFLAGS": "", "GO111MODULE": "off", **environment}
    sources = ["tests/languages/kinds.go", "tests/languages/generics.go"]
    result = context.run(["go", "build", *flags, "-o", program, *sources], environment=cache)
    if result.status and "undefined: atomic.Int64" in result.err:
        raise Skip("go is older than 1.19")
    check(result.status == 0, str(result))
    return program


def go_layouts(context, way):
    program = go_program(context, way)
    compare_program(context, program, program)


def go_names(context):
    """A type goes without its package, or the first parts of its path; types are written as Go writes them."""
    binary = go_program(context, "gc")
    for name, wanted in {"Derived": ["main.Derived"], "main.Derived": ["main.Derived"], "::main.Derived": ["main.Derived"],
                         "Mutex": ["sync.Mutex"], "Pair[int8,string]": ["main.Pair[int8,string]"],
                         "List[main.Point]": ["main.List[main.Point]"], "Zero*": ["main.ZeroEnd", "main.ZeroStart"],
                         "atomic.Int64": ["runtime/internal/atomic.Int64", "sync/atomic.Int64"],
                         "sync/atomic.Int64": ["sync/atomic.Int64"]}.items():
        found = [one["name"] for one in context.json(binary, "struct", name)["structs"]]
        check(sorted(found) == sorted(wanted), f"'{name}' finds {found}, should be {wanted}")
    for name in ("::Derived", "erived", "ain.Derived", "main."):
        check("no struct" in context.linelint(binary, "struct", name, status=2).err, name)
    types = {member["name"]: member["type"] for member in context.json(binary, "struct", "Kinds")["structs"][0]["members"]}
    check([types[name] for name in ("s", "sl2", "m", "fn", "arr2", "any")] ==
          ["string", "[][]string", "map[string]int", "func(int) string", "[2][5]main.Point", "interface {}"], str(types))
    slice_ = context.json(binary, "struct", "[]int32")["structs"][0]
    check([(member["name"], member["type"], member["offset"]) for member in slice_["members"]] ==
          [("array", "*int32", 0), ("len", "int", 8), ("cap", "int", 16)], str(slice_))
    profile = context.scratch / "languages/go.yaml"
    profile.write_text("version: 1\nroles: {r: {threads: 8}, w: {threads: 8}}\nstructs:\n"
                       "  Node:\n    fields: {value: {r: {read: 1}}, next: {w: {write: 1}}}\n")
    found = context.json("--profile", profile, binary, "check", status=1)["structs"]
    check([(one["name"], one["findings"][0]["rule"]) for one in found] == [("main.Node", "LL001")], str(found))
    check(not found[0]["suggestions"] and "Go has no alignment" in found[0]["why_no_suggestion"], str(found))


def gccgo(context, flags):
    """Its debug information has no packages in the names, and its records no names but those of typedefs."""
    compiler = next(filter(shutil.which, ("gccgo", "gccgo-14", "gccgo-13", "gccgo-12")), None)
    if not compiler:
        raise Skip("gccgo is missing")
    program = context.scratch / "languages" / ("gccgo" + "".join(flags))
    program.parent.mkdir(parents=True, exist_ok=True)
    context.good([compiler, *flags, "-o", program, "tests/languages/kinds.go"])
    compare_program(context, program, program, lambda name: name != "main.ZeroEnd" and name.split(".")[-1])
    # the bytes behind a last field of no size are a field of their own here
    end = context.json(program, "struct", "ZeroEnd")["structs"][0]
    check([(member["name"], member["offset"]) for member in end["members"]] == [("a", 0), ("z", 4), ("_", 4)] and
          end["size"] == 8, str(end))
    found = [one["name"] for one in context.json(program, "struct", "hmap")["structs"]]
    check(found == ["runtime.hmap"], str(found))


def fortran(context):
    directory = context.scratch / "languages/fortran"
    context.compile("gfortran", ["-g", f"-J{directory}"], ["tests/languages/records.f90"], directory / "records")
    compare_program(context, directory / "records", directory / "records")
    box = context.json(directory / "records", "struct", "box")["structs"][0]
    sizes = {member["name"]: member["size"] for member in box["members"]}
    check(sizes["values"] is None and sizes["low"] == 16, f"an allocatable array has a size: {sizes}")
    inside = context.linelint("--at", "150", directory / "records", "struct", "box", status=0).out
    check("in or behind 'values', which begins at 144 and whose size is not known" in inside, inside)
    skeleton = context.linelint("profile", "init", directory / "records", "box", status=0).out
    check(re.search(r'"values\[\]": \{\} +# +144 +\?  real', skeleton), skeleton)
    profile = directory / "records.yaml"
    profile.write_text("version: 1\nstructs: {pixel: {fields: {tag: r hot}}}\n")
    said = context.linelint("--profile", profile, directory / "records", "check", status=1).out
    check("did you mean 'point.tag'" in " ".join(said.split()), said)


def ada(context):
    context.need("gnatmake")
    directory = context.scratch / "languages/ada"
    directory.mkdir(parents=True, exist_ok=True)
    shutil.copy("tests/languages/variants.adb", directory)
    context.good(["gnatmake", "-q", "-g", "variants.adb"], cwd=directory)
    compare_program(context, directory / "variants", directory / "variants")
    shape = context.json(directory / "variants", "struct", "variants__shape")["structs"][0]
    check([v["values"] for v in shape["variants"]] == [[{"low": 0, "high": 0}], [{"low": 1, "high": 1}], []],
          str(shape["variants"]))


def tests(context):
    for compiler in ("g++", "clang++"):
        yield Test(f"languages/names/{compiler}", lambda c=compiler: names(context, c))
        yield Test(f"languages/references/{compiler}", lambda c=compiler: references(context, c))
    yield Test("languages/incomplete", lambda: incomplete(context))
    for way in HOMES_WAYS:
        yield Test(f"languages/homes/{way}", lambda w=way: homes(context, w))
    yield Test("languages/homes/bare-templates", lambda: homes_of_bare_templates(context))
    yield Test("languages/rust/names", lambda: rust_names(context))
    yield Test("languages/rust/O", lambda: rust(context, ["-O"]))
    for way in GO_WAYS:
        yield Test(f"languages/go/{way}", lambda w=way: go_layouts(context, w))
    yield Test("languages/go/names", lambda: go_names(context))
    for flags in (["-g"], ["-g", "-O2", "-gdwarf-4"]):
        yield Test("languages/gccgo/" + "".join(flags)[1:], lambda f=flags: gccgo(context, f))
    yield Test("languages/fortran", lambda: fortran(context))
    yield Test("languages/ada", lambda: ada(context))
    for number, way in enumerate(WAYS):
        yield Test(f"languages/empties/{way}", lambda w=way: empty_classes(context, w))
        for kind, overlapping in (("plain", 0), ("overlapping", 0.05)):
            yield Test(f"languages/classes/{way}-{kind}",
                       lambda w=way, n=number, o=overlapping: random_classes(context, w, n, o))
