"""hostile/, by the thousand: good files of every packaging (tests/hostile/bases.py), damaged in every place (elf.py).

Each must end well: exit 0, 1 or 2, a line for each diagnostic, in 10 s and 2 GiB, with the guard and without. Where only
the frame of a section changes and not what it says, whatever is printed must be as before, and what is missing must be
told. Without the guard a signal inside libdwarf is libdwarf's, and counted; any other is ours, and a failure.
"""

import functools
import json
import pathlib
import re
import shutil
import sys
import threading

from . import hostile
from .common import Failure, Skip, Test, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "hostile"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "btf"))
import bases  # noqa: E402
import elf  # noqa: E402
import encode  # noqa: E402

FLIPS = 5  # files for each area of a base
VALIDATE_EVERY = 25  # runs
PROFILE = "version: 1\nstructs: {one: {fields: {a: rw hot}}, tree: {fields: {count: w hot, left: r hot}}}\n"
LIST = ("--format", "json", "--all-definitions", "BINARY", "list")
OTHER_VERBS = [("BINARY", "struct", "one"), ("BINARY", "struct", "tree", "big"), ("BINARY", "vars", "*"),
               ("--profile", "p.yaml", "BINARY", "check"), ("BINARY", "diff", "GOOD", "*"), (".", "list"),
               ("--format", "json", "BINARY", "struct", "list_t"), ("--expand", "BINARY", "list", "*")]


class Victim:
    """A base, and the runs that are made of damaged copies of it."""

    def __init__(self, context, name, purpose):
        self.context = context
        self.base = self.build(context, name, purpose)
        self.place = self.base.victim.parent
        self.good = self.base.victim.read_bytes()
        (self.place / "p.yaml").write_text(PROFILE)
        shutil.copy(self.place / (self.base.asked or self.base.victim.name), self.place / "good-copy")
        self.runs = 0
        self.libdwarf = 0
        self.truth = self.essence(json.loads(self.run(LIST).out))
        check(self.truth, f"nothing in {self.base.victim}")

    lock = threading.Lock()

    @staticmethod
    def build(context, name, purpose):
        with Victim.lock:  # two that build the same at once are one too many
            base = bases.build(context, name)
            place = base.victim.parent
            own = place.parent / f"{name}-{purpose}"
            shutil.rmtree(own, ignore_errors=True)
            shutil.copytree(place, own)
        base.victim = own / base.victim.name
        return base

    @staticmethod
    def essence(document):
        """What is said of each struct: name -> the layouts under it."""
        def flat(members):
            return tuple((m["name"], m["type"], m["offset"], m["size"], m.get("bit_offset"), m.get("bit_size"),
                          flat(m["members"])) for m in members)

        found = {}
        for item in document["structs"]:
            found.setdefault((item["kind"], item["qualified_name"]), set()).add((item["size"], flat(item["members"])))
        return found

    def run(self, words, **options):
        self.runs += 1
        asked = self.base.asked or self.base.victim.name
        words = [{"BINARY": asked, "GOOD": "good-copy"}.get(word, word) for word in words]
        return self.context.hostile(*self.base.options, *words, cwd=self.place,
                                    validate=self.runs % VALIDATE_EVERY == 0, **options)

    def list(self, data, kept):
        """The list of a damaged file."""
        self.base.victim.write_bytes(data)
        result = self.run(LIST)
        check("crashed" not in result.err, f"only the guard has noticed\n{result}")
        check("out of memory" not in result.err, f"too much memory\n{result}")
        if not result.out:
            check(result.status == 2, f"nothing, and all is well\n{result}")
            return
        document = json.loads(result.out)
        check(result.status == 2 or not document["summary"]["unread"], f"unread, and all is well\n{result}")
        if kept:
            self.compare(self.essence(document), result)

    def compare(self, found, result):
        for name, layouts in found.items():
            check(name in self.truth, f"{name} is invented\n{result}")
            check(layouts <= self.truth[name], f"{name} is another\n{layouts}\nwas {self.truth[name]}\n{result}")
        missing = {name for name, layouts in self.truth.items() if found.get(name) != layouts}
        check(not missing or result.status == 2, f"{missing}: gone, and nobody says so\n{result}")

    def unguarded(self, words):
        """A signal is libdwarf's, or a failure."""
        result = self.run(words, guard=False, may_crash=True)
        if result.status >= 0:
            return
        if not shutil.which("gdb"):
            raise Skip("gdb, which tells whose crash it is, is missing")
        frames = self.context.run(["gdb", "-batch", "-nx", "-ex", "set startup-with-shell off", "-ex", "run", "-ex", "bt 30",
                                   "--args", *result.argv[result.argv.index(self.context.program):]], cwd=self.place,
                                  environment={"LINELINT_NO_GUARD": "1"}).out
        inner = next((line for line in frames.splitlines() if line.startswith("#") and not re.search(
            r"libc[.-]|ld-linux|libasan|libubsan|__GI_|abort|raise|malloc|free", line)), frames)
        check("libdwarf" in inner, f"a crash of our own\n{result}\n{frames}")
        self.libdwarf += 1

    def keep(self, text):
        """For who looks into it: the file that failed stays."""
        kept = self.place / "failed"
        shutil.copy(self.base.victim, kept)
        return f"{text}\nthe file is kept as {kept}"


def each(victim, cases):
    """Runs `cases`: (name, bytes, kept), in groups by the part of the name before the first space."""
    failures = {}
    for number, (name, data, kept) in enumerate(cases):
        group = name.split(" ")[0]
        failures.setdefault(group, None)
        if failures[group]:
            continue
        try:
            victim.list(data, kept)
            victim.unguarded(OTHER_VERBS[number % len(OTHER_VERBS)])
        except Failure as failure:
            failures[group] = victim.keep(f"{name}\n{failure}")
    if victim.libdwarf:
        print(f"{victim.place.name}: {victim.libdwarf} of {victim.runs} runs ended in libdwarf, which the guard is for",
              flush=True)
    return list(failures.items())


def flips(context, victim):
    if victim.good[:4] != b"\x7fELF":
        yield from ((f"all {n}", data, False) for n, data in enumerate(
            elf.flipped(victim.good, 0, len(victim.good), f"{context.seed} {victim.base.name}", 10 * FLIPS)))
        return
    for name, offset, size in elf.areas(elf.Image(victim.good), bases.NAMES):
        seed = f"{context.seed} {victim.base.name} {name}"
        for number, data in enumerate(elf.flipped(victim.good, offset, size, seed, FLIPS)):
            yield f"{name} flip-{number}", data, False


def flipped(context, name):
    victim = Victim(context, name, "flipped")
    return each(victim, flips(context, victim))


def cut(context, name):
    victim = Victim(context, name, "cut")
    if victim.good[:4] != b"\x7fELF":
        cases = [(f"raw {size}", victim.good[:size], True) for size in range(1, len(victim.good), 13)]
        return each(victim, cases)
    fronted = elf.fronted(elf.Image(victim.good))
    victim.list(fronted, True)
    check(victim.run(LIST).status == 0, "with the headers in front it is not read any more")
    cases = [("headers-in-front " + part, data, True) for part, data in elf.truncated(elf.Image(fronted))]
    cases += [("headers-behind " + part, data, True) for part, data in elf.truncated(elf.Image(victim.good))][::3]
    return each(victim, cases)


def debug_sections(image):
    return [section for section in image.in_file() if section.name in bases.NAMES]


def headers(context, name):
    victim = Victim(context, name, "headers")
    image = elf.Image(victim.good)
    cases = [(f"{section.name} {part}", data, kept) for section in debug_sections(image)
             for part, data, kept in elf.wild(image, section)]
    return each(victim, cases)


def swapped(context, name):
    victim = Victim(context, name, "swapped")
    image = elf.Image(victim.good)
    return each(victim, [(f"{part.split('.')[1]} {part}", data, False)
                         for part, data in elf.swapped(image, debug_sections(image))])


def packed(context, name):
    victim = Victim(context, name, "packed")
    image = elf.Image(victim.good)
    sections = [section for section in image.in_file()
                if section.flags & elf.COMPRESSED or section.name.startswith(".zdebug")]
    check(sections, "nothing is compressed")
    return each(victim, [(f"{section.name} {part}", data, True) for section in sections
                         for part, data in elf.lies(image, section)])


# -- one bad file among good ones

def archive(*members):
    """ar(1) takes no damaged objects."""
    text = b"!<arch>\n"
    for number, data in enumerate(members):
        text += f"{f'member{number}.o/':16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    return text


def among_others(context, archived):
    """A directory, or an archive, with one damaged file: the others are read, whatever it is."""
    victim = Victim(context, "indirect", f"among-others-{archived}")
    place = victim.place
    builder = bases.Builder(context, place)
    (place / "many").mkdir()
    builder.sh("g++", "-g", "-c", "cxx.cc", "-o", "many/cxx.o")
    builder.sh("gcc", "-g", "-c", "one.c", "-o", "many/one.o")
    many = "many"
    good = victim.essence(json.loads(context.hostile("--format", "json", place / "many", "list").out))

    def run(data, *environment):
        nonlocal many
        (place / "many/bad.o").write_bytes(data)
        if archived:
            (place / "lib.a").write_bytes(archive(data, *((place / "many" / name).read_bytes() for name in ("cxx.o", "one.o"))))
            many = "lib.a"
        result = context.hostile(*LIST[:2], "--all-definitions", many, "list", cwd=place, validate=False,
                                 environment=dict(environment))
        document = json.loads(result.out)
        found = victim.essence(document)
        lost = {name for name, layouts in good.items() if not layouts <= found.get(name, set())}
        check(not lost, f"{lost}: of good files, and gone\n{result}")
        return result

    image = elf.Image(victim.good)
    for number, (_, data, _) in enumerate(flips(context, victim)):
        if number % 3 == 0:
            run(data)
    for section in debug_sections(image):
        for number, (_, data, _) in enumerate(elf.wild(image, section)):
            if number % 7 == 0:
                run(data)
    for size in range(0, len(victim.good), len(victim.good) // 10):
        run(victim.good[:size])
    with Victim.lock:
        other = bases.build(context, "object").victim.read_bytes()
    for number, data in enumerate(elf.flipped(other, 0, len(other), context.seed, 40)):
        run(data)
    if context.sanitized:
        return
    preload = crashing(context)
    result = run(victim.good, ("LD_PRELOAD", preload), ("CRASH_ON", "two.c"))
    check(result.status == 2, f"a crash, and all is well\n{result}")
    result = run(victim.good, ("LD_PRELOAD", preload), ("CRASH_ON", "leaf"))
    check(result.status == 2 and '"name":"big"' not in result.out and '"name":"tree"' not in result.out, str(result))


# -- damage without end

def many_units(context, count):
    """Of many damaged units the first eight are told, and of the others how many they are and in which file."""
    place = (context.scratch / "hostile" / f"many-units-{count}").resolve()
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    builder = bases.Builder(context, place)
    names = [f"unit{number}" for number in range(count + 1)]
    for name in names:
        (place / f"{name}.c").write_text(f"struct {name} {{ int a; long b; }} {name};\n")
        builder.sh("gcc", "-g", "-c", f"{name}.c", "-o", f"{name}.o")
    builder.sh("ld", "-r", *(f"{name}.o" for name in names), "-o", "many")
    image = elf.Image((place / "many").read_bytes())
    info, = (section for section in image.sections if section.name == ".debug_info")
    data, at = bytearray(image.data), info.offset
    while at < info.offset + info.size:
        length, = image.get(at, "I")
        data[at + 4] = 99 if at > info.offset else data[at + 4]  # the version, but of the first
        at += 4 + length
    (place / "many").write_bytes(data)
    builder.sh("gcc", "-g", "-c", "unit0.c", "-o", "good.o")
    for words in (["many"], ["good.o", "--also", "many"]):
        result = context.hostile("--format", "json", *words, "list", cwd=place)
        told, *more = result.err.splitlines()[:8], *result.err.splitlines()[8:]
        check(len(told) == 8 and all(line.endswith("; the rest is read") for line in told), str(result))
        left = f"{count - 8} more unit{'s are' if count > 9 else ' is'} damaged"
        check(more[:1] == [f"linelint: many: {left}; the rest is read"], str(result))
        check(json.loads(result.out)["summary"]["unread"] == count, str(result))


def many_bad(context):
    """So many bad members that nobody wants to hear of each."""
    place = context.scratch / "hostile" / "many-bad"
    place.mkdir(parents=True, exist_ok=True)
    (place / "a.c").write_text("struct good { int a; } good;\n")
    context.good(["gcc", "-g", "-c", "a.c", "-o", "a.o"], cwd=place)
    good = (place / "a.o").read_bytes()
    (place / "lib.a").write_bytes(archive(*[good[:100]] * 200, good))
    for options, lines in (((), 65), (("--verbose",), 200)):
        result = context.hostile(*options, "lib.a", "list", cwd=place, status=2)
        check("struct good" in result.out and "200 not read" in result.out, result)
        check(sum("; the rest is read" in line for line in result.err.splitlines()) == lines, result)
        check(("136 more like these" in result.err) == (lines == 65), result)


# -- a libdwarf that crashes

def crashing(context):
    if context.sanitized:
        raise Skip("the guard is off under a sanitizer")
    library = (context.scratch / "hostile/crash.so").resolve()
    with Victim.lock:
        if not library.exists():
            context.compile("gcc", ["-shared", "-fPIC", "-w", "-I/usr/include"],
                            [context.root / "tests/hostile/crash.c"], library)
    return library


def set_aside(context):
    """What libdwarf dies of is left out, and what has it by value; the rest is as before. With threads and without."""
    library = crashing(context)
    victim = Victim(context, "indirect", "crashing")
    gone = {"tree": {"tree", "big"}, "leaf": {"leaf", "tree", "big"}, "two.c": {"leaf", "tree", "big"}, "nobody": set()}
    for name, lost in gone.items():
        for jobs in (1, 4):
            environment = {"LD_PRELOAD": library, "CRASH_ON": name}
            result = victim.run(("--jobs", str(jobs), *LIST), environment=environment)
            found = victim.essence(json.loads(result.out))
            victim.compare(found, result)
            there = {short for _, short in found}
            check({short for _, short in victim.truth} - there == lost, f"not {lost} are gone\n{result}")
            check(result.err.count("\n") == len(lost) and result.err.count("left out") == len(lost), str(result))
    environment = {"LD_PRELOAD": library, "CRASH_ON": "tree"}
    hostile.refused(context, victim.base.victim, "struct", "big", reason="crashes", environment=environment)
    result = victim.run(("BINARY", "struct", "one"), environment=environment)
    check(result.status == 0, str(result))
    result = victim.run(("BINARY", "struct", "big", "one"), environment=environment)
    check(result.status == 2 and result.out.startswith("struct one:") and "struct big is left out" in result.err, str(result))
    result = victim.run(("--profile", "p.yaml", "BINARY", "check"), environment=environment)
    check(result.status == 2 and "struct tree is left out" in result.err and "1 struct:" in result.out, str(result))
    result = victim.run(("BINARY", "diff", "GOOD", "one"), environment=environment)
    check(result.status == 0, str(result))
    result = victim.run(("BINARY", "diff", "GOOD", "tree"), environment=environment)
    check(result.status == 2 and not result.out, str(result))


def stands_still(context):
    """And what it never comes back from."""
    library = crashing(context)
    victim = Victim(context, "indirect", "still")
    result = victim.run(LIST, environment={"LD_PRELOAD": library, "LOOP_ON": "big"})
    found = victim.essence(json.loads(result.out))
    victim.compare(found, result)
    check({short for _, short in victim.truth} - {short for _, short in found} == {"big"}, str(result))


# -- variables

VARIABLES = ("struct sa { int a; long b; }; struct sa va = {1}; int fa(void) { static int inner = 3; return inner++ + va.a; }\n",
             "struct sb { char c; double d; }; struct sb vb = {1}; int fb(void) { return vb.c; }\n"
             "int fa(void); int main(void) { return fa() + fb(); }\n")


def variables(context):
    """A unit, a function's entry or one type is damaged: of the variables of other units, or other types, all is there."""
    place = context.scratch / "hostile" / "variables"
    place.mkdir(parents=True, exist_ok=True)
    builder = bases.Builder(context, place)
    for name, text in zip("ab", VARIABLES):
        (place / f"{name}.c").write_text(text)
    builder.sh("gcc", "-g", "-gdwarf-5", "-no-pie", "a.c", "b.c", "-o", "good")
    good = (place / "good").read_bytes()
    section = elf.Image(good).find(".debug_info")
    dump = context.good(["readelf", "--debug-dump=info", place / "good"]).out

    def of_variable(name, pattern):
        entry = next(part for part in re.split(r"\n(?= <\d+><)", dump) if "DW_TAG_variable" in part and re.search(rf"DW_AT_name .*\b{name}\n", part))
        return int(re.search(pattern, entry)[1], 16)

    def shown(at, new, *options):
        (place / "bad").write_bytes(good[:section.offset + at] + new + good[section.offset + at + len(new):])
        result = context.hostile("--format", "json", *options, "bad", "vars", "*", cwd=place)
        items = {}
        if result.out:
            for line in (line for area in json.loads(result.out)["vars"]["sections"] for line in area["lines"]):
                for item in line["variables"]:
                    items[item["name"].split("::")[-1]] = item["type"]
        return result, items

    whole, types = shown(0, b"")
    check(whole.status == 0 and {types.get(name) for name in ("va", "vb", "inner")} >= {"struct sa", "struct sb", "int"}, f"{types}\n{whole}")
    for name, at, new, lost in (("version", 4, b"\x63", ("va", "inner")), ("entry", of_variable("inner", "<([0-9a-f]+)>: Abbrev"), b"\x7f", ("va", "inner")),
                                ("type", of_variable("va", "<([0-9a-f]+)> *DW_AT_type"), b"\xff\xff\xff\x7f", ("va",))):
        result, found = shown(at, new)
        check(result.status == 2 and result.err.count("\n") <= 2 and hostile.LEFT_OUT.search(result.err), f"{name}\n{result}")
        for variable, kind in types.items():
            check(variable in lost or found.get(variable) == kind, f"{name}: {variable} is {found.get(variable)}\n{result}")
            check(variable not in lost or found.get(variable) != kind, f"{name}: {variable} is still {kind}\n{result}")
        result = context.hostile("bad", "vars", "vb", cwd=place, status=2)
        check("struct sb vb" in result.out, f"{name}\n{result}")
        with open(place / "p.yaml", "w") as profile:
            profile.write("version: 1\nvars: {fields: {vb: w hot}}\n")
        result = context.hostile("--profile", "p.yaml", "bad", "check", cwd=place, status=(0, 2))
        check("crashed" not in result.err and "no variable" not in result.err, result)


# -- more than the memory holds

def too_large(context):
    """One file that takes all memory is set aside and the others are read; alone it is an error."""
    if context.sanitized:
        raise Skip("a sanitizer takes more memory than any limit leaves")
    place = context.scratch / "hostile" / "too-large"
    shutil.rmtree(place, ignore_errors=True)
    (place / "many").mkdir(parents=True)
    good = encode.Btf()
    good.struct("good", 4, [("a", good.int("int", 4), 0)])
    large = encode.Btf()
    number = large.int("int", 4)
    large.struct("large", 240000, [("m", number, 32 * place) for place in range(60000)])
    for copy in range(80):
        large.records.append((large.text(f"large{copy}"), *large.records[1][1:]))
    (place / "many/large").write_bytes(large.bytes())
    for name in ("a", "z"):
        (place / "many" / name).write_bytes(good.bytes())

    def run(*words, status=2):
        script = 'ulimit -v 200000; exec "$0" --jobs 1 "$@"'
        return context.contract(context.run(["sh", "-c", script, context.program, *words], cwd=place), status)

    for binary in (("many",), ("many/a", "--also", "many/large")):
        result = run("--format", "json", *binary, "list")
        check({item["name"] for item in json.loads(result.out)["structs"]} == {"good"}, result)
        check(result.err.count("the memory does not suffice for it") == result.err.count("\n") and "the rest is read" in result.err,
              result)
        result = run(*binary, "struct", "good", status=0)  # the index finds it, and does not need the others' members
        check(result.out.startswith("struct good: 4 bytes"), result)
    result = run("many/large", "list")
    check(not result.out and re.fullmatch("linelint: out of memory; .*\n", result.err), result)


def tests(context):
    def test(label, name, function, *arguments):
        return Test(f"hostile/{label}/{name}", functools.partial(function, context, *arguments))

    for name in bases.NAMES_OF_ALL:
        yield test("flipped", name, flipped, name)
    for name in ("gcc-2", "gcc-4", "clang-5", "types-4", "object", "mips", "dwo-5", "dwp-4", "dwz-shared", "gz", "btf-raw"):
        yield test("cut", name, cut, name)
    for name in ("gcc-5", "types-4", "object", "dwp-4"):
        yield test("headers", name, headers, name)
    for name in ("clang-5", "gcc-4"):
        yield test("swapped", name, swapped, name)
    for name in ("gz", "zdebug"):
        yield test("packed", name, packed, name)
    for archived in (False, True):
        yield test("among-others", "archive" if archived else "directory", among_others, archived)
    for count in (9, 12):
        yield test("many-units", count, many_units, count)
    yield test("crash", "set-aside", set_aside)
    yield test("crash", "stands-still", stands_still)
    yield test("memory", "too-large", too_large)
    yield test("variables", "part", variables)
    yield test("among-others", "many", many_bad)
