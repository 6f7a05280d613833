"""vars/: global variables on lines. The oracle is the program: linked without PIE, it prints where each variable is."""

import json
import pathlib
import random
import re
import shutil
import struct
import sys
import traceback

import yaml

from .common import Skip, Test, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "btf"))
import encode  # noqa: E402

LINE = 64

SOURCE = """\
#include <stdio.h>
struct pair { long left, right; };
long hits = 1;
long limit = 100;
static int flag = 3;
short small = 7;
struct stats { long reads, writes; struct pair pair; char name[40]; } stats = {1, 2, {3, 4}, "x"};
extern long alias_of_hits __attribute__((alias("hits")));
static long zero;
char buffer[300];
long slots[32];
_Alignas(64) long own_line = 1;
const long constant = 5;
_Thread_local long mine = 2;
long second(void);
static long counter(void) { static long count = 5; return count++ + zero++ + flag + mine + second(); }
#define PRINT(name) printf("%s %lx %zu\\n", #name, (unsigned long)&name, sizeof(name))
int main(void)
{
	counter();
	PRINT(hits); PRINT(limit); PRINT(flag); PRINT(small); PRINT(stats); PRINT(zero); PRINT(buffer); PRINT(slots);
	PRINT(own_line); PRINT(constant);
	return 0;
}
"""
SECOND = """\
static int flag = 9;
static volatile int only = 4;
long second(void) { return flag++ + only; }
"""
PROFILE = """\
version: 1
roles:
  writer: {threads: 4}
  reader: {threads: 12}
vars:
  fields:
    hits: {writer: {rmw: 2}}
    limit: {reader: {read: 4}}
"""


class Box:
    def __init__(self, context, compiler):
        self.context, self.compiler = context, compiler
        self.directory = context.scratch / "vars" / compiler
        self.directory.mkdir(parents=True, exist_ok=True)
        self.write("a.c", SOURCE)
        self.write("b.c", SECOND)
        self.build("a", "-no-pie", "a.c", "b.c")
        self.build("a.o", "-c", "a.c")
        printed = context.good([self.directory.resolve() / "a"]).out.split("\n")[:-1]
        self.real = {name: (int(address, 16), int(size)) for name, address, size in map(str.split, printed)}

    def write(self, name, data):
        (self.directory / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def build(self, name, *arguments):
        self.context.need(self.compiler)
        self.context.good([self.compiler, "-g", "-O1", "-fno-common", *arguments, "-o", name], cwd=self.directory)

    def run(self, *arguments, **options):
        return self.context.linelint(*arguments, cwd=self.directory, **options)

    def json(self, *arguments, **options):
        return json.loads(self.run("--format", "json", *arguments, **options).out)

    def shown(self, *arguments, **options):
        """{name: (address, size)} and {line: names} of what is shown."""
        variables, lines = {}, {}
        for section in self.json(*arguments, **options)["vars"]["sections"]:
            for line in section["lines"]:
                names = lines.setdefault(int(line["address"], 16), [])
                for variable in line["variables"]:
                    names.append(variable["name"])
                    variables[variable["name"]] = (int(variable["address"], 16), variable["size"])
        return variables, lines

    def profile(self, fields, rest="", head="  writer: {threads: 4}\n  reader: {threads: 12}\n"):
        self.write("p.yaml", f"version: 1\nroles:\n{head}vars:\n  fields:\n{fields}{rest}")
        return ["--profile", "p.yaml"]

    def findings(self, *arguments, **options):
        return self.json(*arguments, **options)["vars"]["findings"]


def addresses(box):
    """Every variable where the program has it, and every line with all that is on it."""
    for arguments in (["a", "vars", *box.real], ["--all", "a", "vars", "constant"]):
        variables, lines = box.shown(*arguments)
        for name, (address, size) in box.real.items():
            shown = "a.c:flag" if name == "flag" else name
            check(variables.get(shown) == (address, size), f"{name}: {variables.get(shown)}, really {(address, size)}")
            first, last = address // LINE * LINE, (address + size - 1) // LINE * LINE
            for line in {first, last}:
                expected = {other for other, (at, bytes_) in box.real.items()
                            if at < line + LINE and at + bytes_ > line}
                got = {other.removeprefix("a.c:") for other in lines[line]}
                check(expected <= got, f"line {line:x}: {got}, really {expected}")


def lines(box):
    """Used bytes and gaps of a line make up the line; --line-size changes it."""
    for size in (32, 64, 128):
        for section in box.json("--all", "--line-size", size, "a", "vars")["vars"]["sections"]:
            for line in section["lines"]:
                check(line["used"] + sum(gap["size"] for gap in line["gaps"]) == size, line)
                check(int(line["address"], 16) % size == 0, line)
                for variable in line["variables"]:
                    at = int(variable["address"], 16) - int(line["address"], 16)
                    check(variable["line_offset"] == (at if at >= 0 else None) and at < size, variable)
    document = box.json("a", "vars", "buffer")
    shown = [line for section in document["vars"]["sections"] for line in section["lines"]]
    check(len(shown) == 2, "of a long variable the first line and the last")


def names(box):
    """NAMEs, globs, scopes, files, aliases; what is not there is refused with the nearest."""
    def of(*arguments):
        return box.shown("a", "vars", *arguments)[0]
    check("hits" in of("alias_of_hits") and "hits" in of("h*ts"), "by alias and glob")
    check({"a.c:flag", "b.c:flag"} <= set(of("flag")), "both of one name")
    check("b.c:flag" in of("b.c:flag") and "counter()::count" in of("counter::count"), "by file and scope")
    check("counter()::count" in of("counter()::count") and "counter()::count" in of("coun*"), "by scope, and glob")
    check("constant" in of("constant") and box.run("a", "vars", "constan*", status=2).err, "globs mean what is written")
    document = box.json("a", "vars", "hits")
    hits = next(v for s in document["vars"]["sections"] for line in s["lines"] for v in line["variables"] if v["name"] == "hits")
    check(hits["aliases"] == ["alias_of_hits"] and hits["type"] in ("long", "long int") and not hits["static"], hits)
    check(hits["unit"] == "a.c" and hits["declared"]["line"] == 3, hits)
    result = box.run("a", "vars", "limt", status=2)
    check("no variable 'limt'; did you mean 'limit'" in result.err and not result.out, result)
    check("did you mean" not in box.run("a", "vars", "zzz.0", status=2).err, "what compilers number is nobody's guess")
    check("thread-local" in box.run("a", "vars", "mine", status=2).err, "each thread has its own")
    text = box.run("a", "vars", "flag", status=0).out
    check("static, a.c:5" in text and "static, b.c:1" in text, text)


def quiet_without_profile(box):
    """Heat nobody stated is no finding."""
    for arguments in (["a", "vars"], ["--all", "a", "vars"], ["a.o", "vars", "hits"]):
        check(box.findings(*arguments, status=0) == [], arguments)
        check("LL0" not in box.run(*arguments, status=0).out, arguments)


def false_sharing(box):
    """A written variable beside one that others read, and what the linker does about it."""
    address = box.real["hits"][0]
    same = address // LINE == box.real["limit"][0] // LINE
    check(same, "the test's variables lie side by side")
    arguments = box.profile("    hits: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n")
    found = box.findings(*arguments, "a", "vars", status=1)
    check(len(found) == 1 and found[0]["rule"] == "LL013" and found[0]["severity"] == "error", found)
    check(found[0]["fields"] == ["hits", "limit"] and int(found[0]["address"], 16) == address // LINE * LINE, found)
    check("alignas(64) on the member of" in found[0]["advice"] and "costs 56 bytes" in found[0]["advice"], found)
    check(found[0]["avoidable"] > 0.25 and found[0]["declared"] == {"file": found[0]["declared"]["file"], "line": 3}, found)
    again = box.findings(*arguments, "a", "check", status=1)
    check(again == found, "check says the same")
    # the advice, taken: the finding goes, and the cost with it
    fixed = SOURCE.replace("long hits = 1;", "struct { _Alignas(64) long value; } own = {1};\n#define hits own.value") \
                  .replace('extern long alias_of_hits __attribute__((alias("hits")));', "")
    box.write("fixed.c", fixed)
    box.build("fixed", "-no-pie", "fixed.c", "b.c")
    fields = "    own.value: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n"
    document = box.json(*box.profile(fields), "fixed", "vars", status=0)["vars"]
    check(document["findings"] == [], document["findings"])
    check(document["cost"]["total"] < found[0]["cost"] - 0.9 * found[0]["avoidable"], document["cost"])
    # one that has a line to itself disturbs nobody, whatever is written
    quiet = box.profile("    own_line: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n")
    if box.real["limit"][0] // LINE != box.real["own_line"][0] // LINE:
        check(box.findings(*quiet, "a", "vars", status=0) == [], "on lines of their own")


def kinds(box):
    """LL002 between variables; inside one variable it is a matter of its struct; a lock orders."""
    both = box.profile("    hits: {writer: {write: 1}}\n    limit: {reader: {write: 1}}\n")
    found = box.findings(*both, "a", "vars", status=(0, 1))
    check([f["rule"] for f in found] == ["LL013"] and "written by reader" in found[0]["message"], found)
    inside = box.profile("    stats.reads: {writer: {rmw: 2}}\n    stats.writes: {reader: {read: 4}}\n")
    found = box.findings(*inside, "a", "vars", status=(0, 1))
    check([f["rule"] for f in found] == (["LL001"] if same_line(box, "stats", 0, 8) else []), found)
    locked = box.profile("    hits: {writer: {write: 1}}\n    limit: {reader: {write: 1}}\n    small: {rmw: 1}\n",
                         "  locks:\n    small: {protects: [hits, limit]}\n")
    found = [f for f in box.findings(*locked, "a", "vars", status=(0, 1)) if f["fields"][0] != "small"]
    check(found == [], f"a common lock orders them: {found}")
    nested = box.profile("    stats.pair.left: {reader: {read: 1}}\n    'slots[]': {reader: {read: 1}}\n")
    document = box.json(*nested, "a", "vars", status=0)["vars"]
    members = [m["path"] for s in document["sections"] for line in s["lines"] for v in line["variables"] for m in v["members"]]
    check("stats.pair.left" in members, members)


def inside(box):
    """What lies inside one variable keeps its rule though neighbours are disturbed as well; no advice that undoes itself."""
    box.write("inside.c", "struct s { long w, r; char pad[120]; };\n_Alignas(64) struct { long hot, cold; } own = {1};\nlong after = 1;\n"
                          "struct s obj = {1};\nint main(void) { return own.hot + after + obj.w; }\n")
    box.build("inside", "-no-pie", "-fno-toplevel-reorder" if box.compiler == "gcc" else "-O1", "inside.c")
    arguments = box.profile("    after: {writer: {write: 1}}\n    own.hot: {reader: {read: 1}}\n"
                            "    obj.w: {writer: {write: 1}}\n    obj.r: {reader: {read: 1}}\n")
    found = box.findings(*arguments, "inside", "vars", status=1)
    check(any(f["rule"] == "LL001" and set(f["fields"]) == {"obj.w", "obj.r"} for f in found), found)
    for one in found:
        lines = {name.split(".")[0] for name in one["fields"]}
        check(len(lines) == (1 if one["rule"] == "LL001" else len(one["fields"])), ("inside and between are two findings", one))
        check("only read" not in one["advice"] or "obj" not in one["advice"], ("obj is written", one))
        check("give" not in one["advice"] or "obj" not in one["advice"], ("obj.r goes where obj.w goes", one))


def source_of(variables, moved):
    """The variables in order; of those that are moved a filler stays, and they are one struct at the end."""
    def plain(name, count, number):
        return f"struct {{ long {', '.join(f'm{i}' for i in range(count))}; }} {name}{number}" if count else f"long {name}{number}"
    text = "_Alignas(64) long first = 1;\n"
    for number, count in variables:
        text += plain("fill" if number in moved else "v", count, number) + (" = {1};\n" if count else " = 1;\n")
    if moved:
        members = [plain("v", count, number) for number, count in variables if number in moved]
        text += f"struct {{ _Alignas(64) {'; '.join(members)}; }} own = {{1}};\n"
    return text + "int main(void) { return 0; }\n"


def advice_holds(box):
    """Whatever LL013 advises, done and linked: the binary's cost falls by what was stated. Both alternatives."""
    if box.compiler != "gcc":
        return  # clang 14 has no -fno-toplevel-reorder, which keeps the others where they are
    chance, done = random.Random(13), 0
    for case in range(18):
        variables = [(number, chance.choice([0, 0, 0, 2, 3])) for number in range(chance.randint(3, 6))]
        paths = [f"v{number}.m{i}" if count else f"v{number}" for number, count in variables for i in range(count or 1)]
        fields = {path: {role: {chance.choice(["read", "read", "write", "rmw"]): chance.choice([1, 1, 2])}}
                  for path in paths for role in ("writer", "reader") if chance.random() < .45}

        def built(name, moved):
            box.write(f"{name}.c", source_of(variables, moved))
            box.build(name, "-no-pie", "-fno-toplevel-reorder", f"{name}.c")
            lines = "".join(f"    {'own.' if int(path[1:].split('.')[0]) in moved else ''}{path}: {json.dumps(what)}\n"
                            for path, what in fields.items())
            return box.json(*box.profile(lines), name, "vars", status=(0, 1))["vars"]
        before = built("advice", ())
        tried = {}
        for finding in before["findings"]:
            if finding["rule"] != "LL013" or finding["severity"] == "info":
                continue
            ways = re.findall(r"(?:give|put) ((?:v\d[, and]*)+)(?: one| a| lines| among).*?saves ([0-9.]+) transactions",
                              finding["advice"])
            check("transactions" in finding["advice"] and len(ways) == finding["advice"].count("saves"), finding["advice"])
            for names, saved in ways:
                moved = tuple(sorted(set(map(int, re.findall(r"v(\d)", names)))))
                if moved not in tried:
                    tried[moved] = built("moved", moved)["cost"]["total"]
                fell = before["cost"]["total"] - tried[moved]
                check(abs(fell - float(saved)) < .011, (f"case {case}: {finding['advice']}: it falls by {fell}", variables, fields))
                done += 1
    check(done >= 8, f"only {done} ways to try")


def sections(box):
    """Where two sections meet on a line, a finding names the one under which the table has it."""
    box.write("meet.c", "long hits = 1, limit = 2;\nint main(void) { return hits + limit; }\n")
    box.build("meet", "-no-pie", "meet.c")
    arguments = box.profile("    hits: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n")
    document = box.json(*arguments, "meet", "vars", status=(0, 1))["vars"]
    tables = {line["address"]: section["name"] for section in document["sections"] for line in section["lines"]}
    found = document["findings"]
    check(found and all(tables[f["address"]] == f["section"] == ".data" for f in found), (found, tables))
    check(all(f" of {f['section']}: " in f["message"] for f in found), found)


def namesakes(box):
    """Statics of one name, at file scope, in functions and in their blocks, in files of one name: each can be named, as init does."""
    source = ("static long n; {} g(void) {{ static long n; n++; }} long {}(void)\n{{ n++; {{ static long k; k++; }} {{ static long k; "
              "k += 2; }} g(); return n; }}\n")
    for name, function in (("one/same.c", "first"), ("two/same.c", "second"), ("other.c", "third")):
        (box.directory / name).parent.mkdir(exist_ok=True)
        box.write(name, source.format("__attribute__((noinline)) static void", function))
    box.write("main.c", "long first(void), second(void), third(void); int main(void) { return first() + second() + third(); }\n")
    box.build("namesakes", "-no-pie", "-O0", "main.c", "one/same.c", "two/same.c", "other.c")
    skeleton = box.run("profile", "init", "--vars", "namesakes", "n", status=0).out
    fields = yaml.safe_load(skeleton)["vars"]["fields"]
    statics = [line for line in box.context.good(["nm", box.directory / "namesakes"]).out.split("\n")
               if re.search(r" b (\w+\.)?[nk](\.\d+)?$", line)]
    mine = [name for name in fields if re.search(r"\b[nk](\.\d+)?$", name)]
    check(len(mine) == len(statics) == 12 and "there already" not in skeleton, (mine, statics))
    box.write("s.yaml", re.sub(r"(: )\{(read: 1)?\}", r"\1{read: 1}", skeleton))
    check(box.findings("--profile", "s.yaml", "namesakes", "check", status=0) == [], skeleton)
    document = box.json("--profile", "s.yaml", "namesakes", "vars", status=0)["vars"]
    shown = [v["name"] for s in document["sections"] for line in s["lines"] for v in line["variables"]]
    check(len(set(shown)) == len(shown) and set(mine) <= set(shown), shown)
    for name in mine:  # by itself, too
        box.write("s.yaml", f"version: 1\nvars: {{fields: {{{json.dumps(name)}: {{read: 1}}}}}}\n")
        check(box.findings("--profile", "s.yaml", "namesakes", "check", status=0) == [], name)
    box.write("s.yaml", "version: 1\nvars: {fields: {other.c:k: {read: 1}}}\n")
    found = box.findings("--profile", "s.yaml", "namesakes", "check", status=1)
    check(len(set(re.findall(r"'([^']+)'", found[0]["message"]))) == 2, found)


def shown_lines(box):
    """Lines inside one variable are counted where they are left out; of several files each has its name, though quiet."""
    text = box.run("a", "vars", "buffer", status=0).out
    address, size = box.real["buffer"]
    first, last = address // LINE, (address + size - 1) // LINE
    inner = last - first - 1
    check(re.search(rf"^line 0x{first * LINE:x} .*(?:\n .*)+\n{inner} lines? more inside buffer\nline 0x{last * LINE:x} ", text, re.M), text)
    check("more inside" not in box.run("a", "vars", "hits", status=0).out, "of what is shown as a whole nothing is left out")
    quiet = box.run("--quiet", "--also", "a.o", "a", "vars", "hits", status=0).out
    check([line for line in quiet.split("\n") if line in ("a", "a.o")] == ["a", "a.o"], quiet)
    check(not box.run("--quiet", "a", "vars", "hits", status=0).out.startswith("a\n"), "one file is known")


def profile_show(box):
    """How names are understood: where each lies; what means nothing, or several, is said."""
    arguments = box.profile("    hits: {writer: {rmw: 2}}\n    stats.pair.left: {reader: {read: 4}}\n    flag: {read: 1}\n    limt: {read: 1}\n"
                            "    nowhere: {read: 1, optional: true}\n    only: {read: 1}\n",
                            "  locks: {small: {protects: [hits]}}\n")
    text = box.run("profile", "show", arguments[1], "a", status=0).out
    address = box.real["stats"][0] + 16
    check(re.search(rf"^ +0x{box.real['hits'][0]:x} +8  hits  .*writer rmw 2", text, re.M), text)
    check(re.search(rf"^ +0x{address:x} +8  stats.pair.left  .*reader read 4", text, re.M), text)
    check(re.search(r"LL010 +flag: several variables have that name: 'a.c:flag', 'b.c:flag' \(p.yaml:\d+:5\)", text), text)
    check("LL010       limt: no such variable; did you mean 'limit'" in text and "absent, as it may be: nowhere" in text, text)
    check("lock        small protects hits" in text, text)
    text = box.run("profile", "show", arguments[1], "a.o", status=0).out
    check(re.search(r"^ +\.data\+0x[0-9a-f]+ +8  hits ", text, re.M) and "LL010       only" in text, text)


def split_files(box):
    """What is beside the linked file has no addresses; one that is linked has."""
    box.build("split.o", "-c", "-gsplit-dwarf", "a.c")
    name = next(path.name for path in box.directory.glob("*.dwo"))
    for arguments in (["vars"], ["vars", "hits"], ["--all", "vars"]):
        result = box.run(name, *arguments, status=2)
        check("name the file that was linked" in result.err and not result.out, result)
    box.run("split.o", "vars", "hits", status=0)


def fortran(context):
    """The members of a common block are variables, each of its own size; the block's name is the first one's, too."""
    if not shutil.which("gfortran"):
        raise Skip("gfortran is missing")
    directory = context.scratch / "vars" / "fortran"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "f.f90").write_text("program t\n integer(4) :: one, three\n real(8) :: two\n common /blk/ one, two, three\n one = 1\n two = one\n"
                                     " three = 3\n call s\n print *, one, two, three\nend program\nsubroutine s\n integer(4) :: one, three\n"
                                     " real(8) :: two\n common /blk/ one, two, three\n one = one + three\nend subroutine\n")
    context.good(["gfortran", "-g", "-no-pie", "f.f90", "-o", "f"], cwd=directory)
    start = next(int(line.split()[0], 16) for line in context.good(["nm", directory / "f"]).out.split("\n") if line.endswith(" blk_"))
    for name in ("blk_", "two"):
        document = json.loads(context.linelint("--format", "json", "f", "vars", name, cwd=directory, status=0).out)["vars"]
        found = {v["name"].split("::")[-1]: (int(v["address"], 16) - start, v["size"])
                 for s in document["sections"] for line in s["lines"] for v in line["variables"]}
        check({key: found.get(key) for key in ("one", "two", "three")} == {"one": (0, 4), "two": (8, 8), "three": (16, 4)}, found)


def rust(context):
    """Advice in the words of the language."""
    if not shutil.which("rustc"):
        raise Skip("rustc is missing")
    directory = context.scratch / "vars" / "rust"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "r.rs").write_text("use std::sync::atomic::{AtomicU64, Ordering::SeqCst};\n#[used] static HITS: AtomicU64 = AtomicU64::new(1);\n"
                                    "#[used] static LIMIT: AtomicU64 = AtomicU64::new(2);\n"
                                    "fn main() { println!(\"{}\", HITS.fetch_add(LIMIT.load(SeqCst), SeqCst)); }\n")
    context.good(["rustc", "-g", "r.rs"], cwd=directory)
    (directory / "p.yaml").write_text("version: 1\nroles: {w: {threads: 4}, r: {threads: 8}}\nvars:\n  fields:\n"
                                      "    r::HITS: {w: {rmw: 1}}\n    r::LIMIT: {r: {read: 1}}\n"
                                      "  expect: [{same_line: [r::HITS, r::LIMIT]}]\n")
    result = context.linelint("--format", "json", "--profile", "p.yaml", "r", "check", cwd=directory)
    found = json.loads(result.out)["vars"]["findings"]
    advice = [f["advice"] for f in found if f["rule"] == "LL013"]
    check(any(f["rule"] == "LL009" for f in found) or ("#[repr(align(64))]" in advice[0] and "alignas" not in advice[0]), found)


def same_line(box, name, first, last):
    address = box.real[name][0]
    return (address + first) // LINE == (address + last) // LINE


def expectations(box):
    """same_line and apart, by address; lines and sizes are none of a variable's; ignores are kept."""
    where = {name: address // LINE for name, (address, _) in box.real.items()}
    for one, other in (("hits", "limit"), ("hits", "zero"), ("hits", "own_line"), ("limit", "small")):
        same = where[one] == where[other]
        for kind, broken in (("same_line", not same), ("apart", same)):
            arguments = box.profile("    hits: {}\n", f"  expect:\n    - {{{kind}: [{one}, {other}]}}\n")
            found = box.findings(*arguments, "a", "check", status=1 if broken else 0)
            check([f["rule"] for f in found] == (["LL009"] if broken else []), (kind, one, other, found))
            check(not found or found[0]["position"]["line"] == 9, found)
    refused = box.run(*box.profile("    hits: {}\n", "  expect:\n    - {max_size: 3}\n"), "a", "check", status=2)
    check("p.yaml:9:8: variables have no line, size or number of lines to expect" in refused.err, refused)
    ignored = box.profile("    hits: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n",
                          "  ignore:\n    - {rule: LL013, fields: [hits], reason: one processor}\n")
    check(box.findings(*ignored, "a", "check", status=0) == [], "ignored")


def missing(box):
    """What the profile names and the binary lacks, has several times, or each thread has."""
    found = box.findings(*box.profile("    limt: {read: 1}\n    flag: {read: 1}\n    mine: {read: 1}\n"
                                      "    stats.raeds: {read: 1}\n    nowhere: {read: 1, optional: true}\n"
                                      "    b.c:flag: {read: 1}\n"), "a", "check", status=1)
    messages = sorted(f["message"] for f in found)
    check(all(f["rule"] == "LL010" for f in found) and len(found) == 4, found)
    check("several variables have that name: 'a.c:flag', 'b.c:flag'" in messages[0], messages)
    check("did you mean 'limit'" in messages[1] and "thread-local" in messages[2], messages)
    check("did you mean 'stats.reads'" in messages[3], messages)
    for fields in ("    hits: {read: 1}\n    alias_of_hits: {rmw: 3}\n", "    alias_of_hits: {rmw: 3}\n    hits: {read: 1}\n"):
        found = box.findings(*box.profile(fields), "a", "check", status=1)
        check([f["rule"] for f in found] == ["LL010"] and "alias_of_hits: another name of 'hits'" in found[0]["message"], found)
    check(box.findings(*box.profile("    counter::count: {read: 1}\n    alias_of_hits: {read: 1}\n"), "a", "check", status=0) == [],
          "scopes and aliases")


def relocatable(box):
    """An object: places in the section are the assembler's; the start is anybody's guess, and counted so."""
    table = box.context.good(["nm", "-S", "--defined-only", box.directory / "a.o"]).out.split("\n")
    symbols = {parts[3]: (int(parts[0], 16), int(parts[1], 16)) for parts in map(str.split, table) if len(parts) == 4}
    variables, _ = box.shown("a.o", "vars", "hits", "stats", "zero", "buffer")
    for name in ("hits", "stats", "zero", "buffer"):
        check(variables[name] == symbols[name], f"{name}: {variables[name]}, nm: {symbols[name]}")
    found = box.findings(*box.profile("    hits: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n"), "a.o", "vars", status=(0, 1))
    check(found and found[0]["rule"] == "LL013" and found[0]["section"] == ".data", found)
    apart = box.profile("    hits: {writer: {rmw: 2}}\n    zero: {reader: {read: 4}}\n")
    check(box.findings(*apart, "a.o", "vars", status=0) == [], "nobody knows that two sections meet")
    check("not linked yet" in box.run("a.o", "vars", "--at", "0", status=2).err, "no addresses")


def nm(box, name):
    """{name: (address, size)} to nm(1)."""
    table = box.context.good(["nm", "-S", "--defined-only", box.directory / name]).out.split("\n")
    return {parts[3]: (int(parts[0], 16), int(parts[1], 16)) for parts in map(str.split, table) if len(parts) == 4}


def several(box):
    """An archive, a directory, --also: each file's sections, as nm has them; what is missing is missing in all of them."""
    box.build("b.o", "-c", "b.c")
    box.context.good(["sh", "-c", "rm -rf lib.a dir && ar rc lib.a a.o b.o && mkdir dir && cp a.o b.o a dir"], cwd=box.directory)
    symbols = {name: nm(box, f"{name}.o") for name in "ab"}
    for arguments, files in ((["lib.a", "vars"], ["lib.a(a.o)", "lib.a(b.o)"]), (["--also", "b.o", "a.o", "vars"], ["a.o", "b.o"])):
        document = box.json("--all", *arguments, status=0)
        check([b["path"] for b in document["binaries"]] == files and not document["vars"]["linked"], document["binaries"])
        seen = set()
        for section in document["vars"]["sections"]:
            check(not section["linked"] and section["address"] is None, section)
            for line in section["lines"]:
                for variable in line["variables"]:
                    own = symbols["ab"[section["binary"]]]
                    name = variable["name"].split(":")[-1]
                    where = (int(variable["address"], 16), variable["size"])
                    check(where in own.values() and (name not in own or own[name] == where), f"{variable}: nm: {own.get(name)}")
                    seen.add((section["binary"], variable["name"]))
        check({(0, "flag"), (1, "flag"), (0, "hits"), (1, "only")} <= seen, seen)
    text = box.run("lib.a", "vars", "only", status=0).out
    check("lib.a(b.o): variables on lines" in text and "a.o)" not in text, text)
    check("no variable 'limt'; did you mean 'limit'" in box.run("lib.a", "vars", "limt", status=2).err, "nearest of all")
    # linked and not, side by side: an address is one of the linked file
    document = box.json("--at", hex(box.real["hits"][0]), "dir", "vars", status=0)
    shown = {(s["binary"], v["name"]) for s in document["vars"]["sections"] for line in s["lines"] for v in line["variables"]}
    check((0, "hits") in shown and {binary for binary, _ in shown} == {0}, shown)
    check("nothing lies at 0x10" in box.run("--at", "0x10", "dir", "vars", status=2).err, "outside")
    check("not linked yet" in box.run("--at", "0x10", "lib.a", "vars", status=2).err, "no addresses")
    # each file is judged by itself, what it says is its own, and a variable of another file is no fault of it
    arguments = box.profile("    hits: {writer: {rmw: 2}}\n    limit: {reader: {read: 4}}\n    b.c:flag: {reader: {read: 1}}\n"
                            "    nowhere: {read: 1}\n")
    one = [f for f in box.findings(*arguments, "a.o", "vars", status=(0, 1)) if f["rule"] == "LL013"]
    both = box.findings(*arguments, "--also", "b.o", "a.o", "vars", status=1)
    check(one and [f for f in both if f["rule"] == "LL013"] == one and one[0]["binary"] == 0, (one, both))
    check([f["fields"] for f in both if f["rule"] == "LL010"] == [["nowhere"]], both)
    check(box.findings(*arguments, "--also", "b.o", "a.o", "check", status=1) == both, "check says the same")
    other = [f for f in box.findings(*arguments, "--also", "a.o", "b.o", "vars", status=1) if f["rule"] == "LL013"]
    check(len(other) == 1 and other[0]["binary"] == 1 and other[0]["fingerprint"] == one[0]["fingerprint"], other)
    # one that is damaged is told, and the rest is shown
    box.write("dir/bad.o", (box.directory / "a.o").read_bytes()[:2000])
    result = box.run("dir", "vars", "hits", status=2)
    check("bad.o" in result.err and "hits" in result.out, result)


def skeleton(box):
    """profile init --vars: what shares the lines, with the places that nm has, valid as it is, and judged once filled in."""
    symbols = nm(box, "a")
    text = box.run("profile", "init", "--vars", "a", "hits", "stats", "slots", "counter::count", status=0).out
    fields = yaml.safe_load(text)["vars"]["fields"]
    check(all(value == {} for value in fields.values()), fields)
    shown = box.shown("a", "vars", "hits", "stats", "slots", "counter::count")[0]
    named = {name for path in fields for name in shown if path.rstrip("[]").split(".")[0].split("[")[0] == name or path == name}
    unnamed = {name for name in shown if "." in name or name == "completed.0"}
    check(named | unnamed == set(shown), f"{set(shown) - named} of {text}")
    check({"stats.reads", "stats.pair.right", "slots[]", "counter()::count", "hits"} <= set(fields), text)
    line = None
    for row in text.splitlines():
        head = re.match(r"      # line 0x([0-9a-f]+)$", row)
        field = re.match(r'      "?([\w:.()]+)(?:\[\])?"?: \{\} +# +(\d+) +(\d+)  ', row)
        line = int(head[1], 16) if head else line
        if field and field[1] in box.real:
            check((line + int(field[2]), int(field[3])) == box.real[field[1]], f"{row}: {box.real[field[1]]}")
    check(symbols["hits"] == box.real["hits"], "nm and the program")
    box.write("s.yaml", text)
    check(box.findings("--profile", "s.yaml", "a", "check", status=0) == [], "valid, and nothing is accessed")
    filled = text.replace(" hits: {}", " hits: {w: {rmw: 2}}").replace(" limit: {}", " limit: {r: {read: 4}}") \
                 .replace("  all: {threads: 16, rate: 1}", "  w: {threads: 4}\n  r: {threads: 12}")
    box.write("s.yaml", filled)
    check(any(f["rule"] == "LL013" for f in box.findings("--profile", "s.yaml", "a", "vars", status=(0, 1))), filled)
    # an object, its BTF, several files
    text = box.run("profile", "init", "--vars", "a.o", "hits", status=0).out
    check("# .data of a.o" in text and "# offset 0x" in text, text)
    box.build("b.o", "-c", "b.c")
    box.context.good(["sh", "-c", "rm -f lib.a && ar rc lib.a a.o b.o"], cwd=box.directory)
    text = box.run("profile", "init", "--vars", "lib.a", "flag", "hits", status=0).out
    check("there already: flag" in text, text)
    check("hits" in yaml.safe_load(text)["vars"]["fields"], text)
    check("did you mean 'limit'" in box.run("profile", "init", "--vars", "a", "limt", status=2).err, "nearest")
    check("--vars" in box.run("profile", "show", "--vars", "p.yaml", "a", status=2).err, "of init only")
    check("too few arguments" in box.run("profile", "init", "--vars", "a", status=2).err, "a NAME is needed")


def at(box):
    address = box.real["stats"][0] + 8
    variables, shown = box.shown("--at", hex(address), "a", "vars")
    check("stats" in variables and list(shown) == [address // LINE * LINE], shown)
    check("nothing lies at 0x10" in box.run("--at", "0x10", "a", "vars", status=2).err, "outside")


def stripped(box):
    """What the debug information knows is there without symbols; and that others are not seen is said."""
    box.context.good(["objcopy", "--strip-all", "--keep-section=.debug*", "a", "bare"], cwd=box.directory)
    result = box.run("bare", "vars", "hits", status=0)
    check("the symbol table is stripped" in result.err, result)
    variables, _ = box.shown("bare", "vars", "hits", "limit")
    check(variables["hits"] == box.real["hits"] and variables["limit"] == box.real["limit"], variables)
    box.context.good(["strip", "a", "-o", "nothing"], cwd=box.directory)
    check("debug information" in box.run("nothing", "vars", status=2).err, "and without anything")


def per_cpu(box):
    """Each processor has its own copy, unless the profile says that others use it."""
    box.write("k.c", "struct task_struct { long pid; } task;\n"
                     "#define PER_CPU __attribute__((section(\".data..percpu\")))\n"
                     "PER_CPU long ticks = 1; PER_CPU long wakeups = 2;\n"
                     "long jiffies = 3; long settings = 4;\n")
    box.build("k.o", "-c", "k.c")
    fields = "    ticks: {writer: {rmw: 2}}\n    wakeups: {reader: {read: 4}}\n"
    document = box.json(*box.profile(fields), "k.o", "vars", status=0)["vars"]
    check(document["findings"] == [], document["findings"])
    section = next(s for s in document["sections"] if s["name"] == ".data..percpu")
    check(section["per_cpu"] and all(v["access"] for line in section["lines"] for v in line["variables"]), section)
    shared = box.profile(fields, "  shared: [ticks, wakeups]\n")
    found = box.findings(*shared, "k.o", "vars", status=(0, 1))
    check([f["rule"] for f in found] == ["LL013"], found)
    check("__cacheline_aligned_in_smp" in found[0]["advice"] and "__read_mostly" in found[0]["advice"], found)
    text = box.run("k.o", "vars", "ticks", status=0).out
    check("each processor has its own copy" in text, text)


def deterministic(box):
    one = box.run("--format", "json", "--all", "--jobs", "1", "a", "vars", status=0)
    two = box.run("--format", "json", "--all", "--jobs", "3", "a", "vars", status=0)
    check(one.out == two.out, "the same bytes whatever --jobs is")


def cxx(context):
    """Scopes: namespaces, static members, functions; by the part that is written."""
    directory = context.scratch / "vars" / "cxx"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "x.cc").write_text(
        "#include <cstdio>\nnamespace ns { int counter = 1; struct K { static long total; }; long K::total = 2; }\n"
        "namespace other { int counter = 3; }\nint f() { static int calls = 4; return calls++; }\n"
        "int main() { printf(\"%lx %lx %lx\\n\", (long)&ns::counter, (long)&ns::K::total, (long)&other::counter); return f() > 9; }\n")
    context.compile("g++", ["-g", "-no-pie"], [directory / "x.cc"], directory / "x")
    first, total, second = (int(word, 16) for word in context.good([directory.resolve() / "x"]).out.split())

    def find(name):
        document = context.json(directory / "x", "vars", name, status=0)
        return {v["name"]: int(v["address"], 16) for s in document["vars"]["sections"] for line in s["lines"]
                for v in line["variables"]}
    check(find("ns::counter")["ns::counter"] == first and find("K::total")["ns::K::total"] == total, "by scope")
    check(find("other::counter")["other::counter"] == second, "the other")
    check("f()::calls" in find("f::calls"), find("f::calls"))


def typed(context, *arguments, status=0):
    """{(section, name, address): (size, type)} of all variables, and the document."""
    document = context.json("--all", *arguments, status=status)
    found = {(s["name"], v["name"].split(":")[-1], int(v["address"], 16)): (v["size"], v["type"])
             for s in document["vars"]["sections"] for line in s["lines"] for v in line["variables"]}
    return found, document


BTF_SOURCE = """\
struct pair { long left; int right : 5; };
struct pair pair = {1, 2}, *to = &pair, many[3] = {{1}};
static volatile int flag = 3;
char zero[40];
extern int other;
int use(void) { static short count = 4; return flag + count++ + other + (int)to->left; }
"""


def btf_of_compilers(context):
    """With BTF alone types are by name: the same as DWARF's, where two could be meant none; addresses are nm's."""
    directory = context.scratch / "vars" / "btf"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "a.c").write_text(BTF_SOURCE)
    (directory / "b.c").write_text("static long flag = 4; int other = 5; long get(void) { return flag + other; }\n"
                                   "long use(void); int main(void) { return get() + use() > 5; }\n")
    flags = ["-O1", "-fno-common", "-g", "-gbtf"]
    for name in "ab":
        context.compile("gcc", [*flags, "-c"], [directory / f"{name}.c"], directory / f"{name}.o")
    context.good(["gcc", "-no-pie", directory / "a.o", directory / "b.o", "-o", directory / "ab"])
    for name, unknown in (("a.o", {"count"}), ("ab", {"flag", "count"})):
        by_dwarf, _ = typed(context, "--from", "dwarf", directory / name, "vars")
        by_btf, document = typed(context, "--from", "btf", directory / name, "vars")
        check(document["binaries"][0]["format"] == "btf", document["binaries"])
        own = {key: value for key, value in by_btf.items() if value[1]}
        check({"pair", "to", "many", "zero"} <= {key[1] for key in own}, own)
        for key, value in own.items():
            check(by_dwarf.get(key) == value, f"{name}: {key}: {value}, DWARF: {by_dwarf.get(key)}")
        check(not unknown & {key[1] for key in own}, f"a type was guessed: {own}")
        context.good(["cp", directory / name, directory / "stripped"])
        context.good(["objcopy", "--strip-debug", "--keep-section=.BTF", directory / "stripped"])
        check(typed(context, directory / "stripped", "vars")[0] == by_btf, "BTF where there is no DWARF")
    (directory / "p.yaml").write_text("version: 1\nroles: {w: {threads: 4}, r: {threads: 9}}\nvars:\n  fields:\n"
                                      "    pair.left: {w: {rmw: 2}}\n    'many[].left': {r: {read: 3}}\n    to.right: {r: {read: 1}}\n")
    found = context.json("--profile", directory / "p.yaml", "--from", "btf", directory / "a.o", "check", status=(0, 1))["vars"]["findings"]
    check([f["fields"] for f in found if f["rule"] == "LL010"] == [["to.right"]], found)
    check(any(f["rule"] == "LL013" and f["fields"][0] == "pair.left" for f in found), found)


def btf_of_bpf(context):
    """An object for BPF: its .data and .bss by clang, to nm."""
    context.need("clang")
    directory = context.scratch / "vars" / "bpf"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "a.c").write_text(BTF_SOURCE)
    context.compile("clang", ["-target", "bpf", "-O2", "-g", "-c"], [directory / "a.c"], directory / "a.o")
    found, _ = typed(context, "--from", "btf", directory / "a.o", "vars")
    table = context.good(["llvm-nm", "-S", directory / "a.o"]).out.split("\n") if context.need("llvm-nm") is None else []
    real = {parts[3]: (int(parts[0], 16), int(parts[1], 16)) for parts in map(str.split, table) if len(parts) == 4}
    for name, kind in (("pair", "struct pair"), ("to", "struct pair *"), ("many", "struct pair [3]"), ("zero", "char [40]")):
        match = [(key[2], value) for key, value in found.items() if key[1] == name]
        check(match == [(real[name][0], (real[name][1], kind))], f"{name}: {match}, nm: {real[name]}")


def btf_per_cpu(context):
    """As of a kernel: pahole lists the per-CPU variables; of a stripped image their places are known by that alone."""
    context.need("pahole")
    directory = context.scratch / "vars" / "percpu"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "k.c").write_text(
        "#define PER_CPU __attribute__((section(\".data..percpu\")))\nstruct s { long a, b; };\n"
        "_Alignas(64) PER_CPU struct s first = {1, 2}; PER_CPU long second = 3; static PER_CPU int third = 4; long shared = 5;\n"
        "int main(void) { return third + first.a + second; }\n")
    context.compile("gcc", ["-g", "-O1", "-no-pie", "-fno-common", "-Wl,--unique=.data..percpu"], [directory / "k.c"], directory / "k")
    by_dwarf, _ = typed(context, directory / "k", "vars")
    context.good(["pahole", "-J", directory / "k"])
    wanted = {key: value for key, value in by_dwarf.items() if key[0] == ".data..percpu" and value[1]}
    check({key[1] for key in wanted} == {"first", "second", "third"}, wanted)
    own = {key: value for key, value in typed(context, "--from", "btf", directory / "k", "vars")[0].items() if value[1]}
    check(own == wanted, f"{own}, DWARF: {wanted}")
    context.good(["objcopy", "--dump-section", f".BTF={directory / 'raw'}", directory / "k"])
    context.good(["strip", "-s", "--keep-section=.BTF", directory / "k"])
    check(typed(context, directory / "k", "vars")[0] == wanted, typed(context, directory / "k", "vars")[0])
    start = min(key[2] for key in wanted)
    found, document = typed(context, directory / "raw", "vars")
    check(found == {(key[0], key[1], key[2] - start): value for key, value in wanted.items()}, found)
    section, = document["vars"]["sections"]
    check(section["per_cpu"] and not section["linked"] and section["align"] == 4096, section)


def btf_by_hand(context):
    """Raw BTF: places are those of the sections; a base; what is extern is elsewhere; nonsense is refused or bounded."""
    directory = context.scratch / "vars" / "raw"
    directory.mkdir(parents=True, exist_ok=True)
    for big in (False, True):
        base = encode.Btf()
        number = base.int("long", 8)
        pair = base.struct("pair", 16, [("left", number, 0), ("right", number, 64)])
        split = encode.Btf(base)
        one = split.add(encode.VAR, "one", pair, [1])
        two = split.add(encode.VAR, "two", number, [0])
        away = split.add(encode.VAR, "away", number, [2])
        same = split.add(encode.VAR, "two", pair, [0])
        split.add(encode.DATASEC, ".data", 100, [one, 0, 16, two, 60, 8, away, 24, 8], 3)
        split.add(encode.DATASEC, ".bss", 16, [same, 0, 16], 1)
        (directory / "base").write_bytes(base.bytes(big))
        (directory / "split").write_bytes(split.bytes(big))
        found, document = typed(context, "--btf-base", directory / "base", directory / "split", "vars")
        check(found == {(".data", "one", 0): (16, "struct pair"), (".data", "two", 60): (8, "long"), (".bss", "two", 0): (16, "struct pair")}, found)
        check([(s["name"], s["size"], s["align"], s["variables"]) for s in document["vars"]["sections"]] ==
              [(".data", 100, 1, 2), (".bss", 16, 1, 1)], document["vars"]["sections"])
        (directory / "p.yaml").write_text("version: 1\nroles: {w: {threads: 4}, r: {threads: 9}}\nvars:\n  fields:\n"
                                          "    one.right: {w: {rmw: 2}}\n    .data:two: {r: {read: 3}}\n")
        result = context.linelint("--btf-base", directory / "base", directory / "split", "vars", "one", status=0)
        check("struct pair one" in result.out and "long two" in result.out, result)
        check("no variables" in context.linelint(directory / "base", "vars", status=0).err, "none, and it is said")
    for name, records, status in (
            ("far", [(0xfffffff0, 0xfffffff0)], 0), ("over", [(0, 8), (4, 8), (4, 8)], 0), ("empty", [(0, 0)], 0)):
        btf = encode.Btf()
        number = btf.int("long", 8)
        tail = []
        for place, size in records:
            tail += [btf.add(encode.VAR, f"v{len(tail)}", number, [1]), place, size]
        btf.add(encode.DATASEC, ".data", 8, tail, len(records))
        (directory / name).write_bytes(btf.bytes())
        context.linelint("--all", directory / name, "vars", status=status, timeout=10)
    btf = encode.Btf()
    proto = btf.add(encode.FUNC_PROTO, "", 0)
    function = btf.add(encode.FUNC, "f", proto)
    btf.add(encode.DATASEC, ".data", 8, [btf.add(encode.VAR, "v", function, [1]), 0, 8], 1)
    (directory / "function").write_bytes(btf.bytes())
    result = context.linelint("--all", directory / "function", "vars", status=2)
    check("damaged BTF" in result.err and result.err.count("\n") == 1, result)


def patched(data, change):
    """An ELF64 little-endian file with its symbols changed: change(index, [fields]) -> fields."""
    data = bytearray(data)
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3a)
    for i in range(count):
        kind, = struct.unpack_from("<I", data, offset + i * size + 4)
        if kind != 2:  # SHT_SYMTAB
            continue
        at, length = struct.unpack_from("<QQ", data, offset + i * size + 24)
        for number in range(length // 24):
            symbol = list(struct.unpack_from("<IBBHQQ", data, at + number * 24))
            struct.pack_into("<IBBHQQ", data, at + number * 24, *change(number, symbol))
    return bytes(data)


def hostile(box):
    """Symbols outside of sections, of absurd sizes, over one another: bounded, and said."""
    for name in ("a", "a.o"):
        good = (box.directory / name).read_bytes()

        def huge(number, symbol):
            return symbol[:5] + [2**64 - 1] if symbol[1] & 15 == 1 else symbol

        def outside(number, symbol):
            return symbol[:4] + [2**64 - 1 - number, symbol[5]] if symbol[1] & 15 == 1 else symbol

        def heap(number, symbol):
            return symbol[:4] + [box.real["hits"][0] if name == "a" else 0, 4096] if symbol[1] & 15 == 1 else symbol

        def nowhere(number, symbol):
            return symbol[:3] + [0xfeff] + symbol[4:]

        for change in (huge, outside, heap, nowhere):
            box.write("bad", patched(good, change))
            for arguments in (["--all"], ["--profile", "p.yaml"]):
                result = box.run(*arguments, "--format", "json", "bad", "vars", status=(0, 1, 2), timeout=20)
                check(result.status == 2 or json.loads(result.out)["vars"]["sections"] is not None, result)
                box.run(*arguments, "bad", "vars", status=(0, 1, 2), timeout=20)
        box.write("bad", patched(good, huge))
        result = box.run("bad", "vars", "hits", status=0)
        check("reach over the end of their sections" in result.err and "over the end of the section" in result.out, result)
        chance = random.Random(box.context.seed)
        for _ in range(25):
            def any_field(number, symbol):
                if chance.random() < 0.3:
                    symbol[chance.choice((4, 5))] = chance.getrandbits(chance.choice((8, 24, 40, 64)))
                return symbol
            box.write("bad", patched(good, any_field))
            box.run("--all", "--profile", "p.yaml", "bad", "vars", status=(0, 1, 2), timeout=20)


def overlapping(box):
    """Many symbols in one another take no square of time."""
    lines_ = ["\t.data", "\t.globl table", "table:"]
    for i in range(20000):
        lines_ += [f"\t.type s{i}, @object", f"\t.size s{i}, {80000 - i}", f"s{i}:", "\t.byte 0"]
    box.write("o.s", "\n".join([*lines_, "\t.zero 60000", ""]))
    box.write("o.c", "int one = 1;\n")
    box.build("o.o", "-c", "o.c")
    box.context.good(["gcc", "-c", "o.s", "-o", "s.o"], cwd=box.directory)
    box.context.good(["ld", "-r", "o.o", "s.o", "-o", "many.o"], cwd=box.directory)
    result = box.run("many.o", "vars", "s19999", timeout=30, status=0)
    check("s19999" in result.out, result)


def tests(context):
    boxes = {}

    def with_box(compiler, function):
        def run():
            if compiler not in boxes:
                context.need(compiler)
                boxes[compiler] = Box(context, compiler)
            function(boxes[compiler])
        return run

    functions = (addresses, lines, names, quiet_without_profile, false_sharing, kinds, inside, advice_holds, sections, namesakes, shown_lines, profile_show,
                 split_files, expectations, missing, relocatable, several,
                 skeleton, at, stripped, per_cpu, deterministic, hostile, overlapping)

    def all_of(compiler):
        def run():
            results = []
            for function in functions:
                try:
                    with_box(compiler, function)()
                    results.append((function.__name__, None))
                except Skip:
                    raise
                except Exception as failure:  # each is a test of its own
                    results.append((function.__name__, str(failure) or traceback.format_exc()))
            return results
        return run
    # one after the other: they write the same profile
    return [*(Test(f"vars/{compiler}", all_of(compiler)) for compiler in ("gcc", "clang")), Test("vars/cxx", lambda: cxx(context)),
            Test("vars/rust", lambda: rust(context)),
            Test("vars/fortran", lambda: fortran(context)),
            *(Test(f"vars/btf/{function.__name__.removeprefix('btf_')}", lambda function=function: function(context))
              for function in (btf_of_compilers, btf_of_bpf, btf_per_cpu, btf_by_hand))]
