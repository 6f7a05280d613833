"""archives/: archives, directories and --also: several binaries in one report.

ar(1) makes the archives, the compiler's objects read one by one are the oracle for what is read of them together.
"""

import random
import shutil

from .common import Test, check

A = """struct same { int a; long b; }; struct differ { char x; long y; }; struct only_a { int q; short r; };
struct same same_a; struct differ differ_a; struct only_a of_a;
"""
B = """struct same { int a; long b; }; struct differ { char x; short z; long y; }; struct only_b { int q[40]; };
struct same same_b; struct differ differ_b; struct only_b of_b; typedef struct only_b named; named by_name;
"""
PROFILE = """version: 1
roles: {reader: {threads: 16}, writer: {threads: 2}}
structs:
  differ:
    fields:
      x: {reader: {read: 2}}
      y: {writer: {write: 1}}
  absent:
    fields: {x: {reader: {read: 1}}}
"""


class Box:
    """A directory with a.o, b.o (debug information), n.o (none) and t.o (text)."""

    def __init__(self, context, name):
        self.context = context
        self.directory = context.scratch.resolve() / "archives" / name
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        self.write("a.c", A)
        self.write("b.c", B)
        self.write("t.o", "text\n")
        for arguments in (("-g", "-c", "a.c"), ("-g", "-c", "b.c"), ("-c", "b.c", "-o", "n.o")):
            self.sh("gcc", *arguments)

    def __truediv__(self, name):
        return self.directory / name

    def write(self, name, text):
        path = self / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.write_bytes if isinstance(text, bytes) else path.write_text)(text)

    def sh(self, *argv):
        self.context.good(argv, cwd=self.directory)

    def run(self, *args, **options):
        return self.context.linelint(*args, cwd=self.directory, **options)

    def json(self, *args, **options):
        return self.context.json(*args, cwd=self.directory, **options)


def brief(document):
    """name, size, first file, how many files"""
    return [(item["name"], item["size"], document["binaries"][item["binary"]]["path"], item["files"])
            for item in document["structs"]]


def plain(item):
    """A struct without what depends on the others."""
    drop = ("binary", "files", "definitions", "findings")
    return {key: value for key, value in item.items() if key not in drop}


def both(a, b):
    return [("differ", 16, a, 1), ("differ", 16, b, 1), ("only_a", 8, a, 1), ("only_b", 160, b, 1), ("same", 16, a, 2)]


def archive(context, options):
    box = Box(context, f"archive-{options}")
    names = ("a.o", "b.o", "n.o", "t.o") if "T" not in options else ("a.o", "b.o", "n.o")
    box.sh("ar", options, "lib.a", *names)
    document = box.json("lib.a", "list")
    check(sorted(brief(document)) == sorted(both("lib.a(a.o)", "lib.a(b.o)")), str(brief(document)))
    check(document["summary"]["unread"] == 0, "all of it was read")
    check([item["path"] for item in document["binaries"]] == ["lib.a(a.o)", "lib.a(b.o)"], str(document["binaries"]))
    for item in document["structs"]:
        path = document["binaries"][item["binary"]]["path"]
        alone = box.json(path[len("lib.a("):-1], "list", item["name"])["structs"][0]
        member = box.json(path, "list", item["name"])["structs"][0]
        check(plain(item) == plain(alone) == plain(member), f"{item['name']}: another than in its object")
        check("files" not in alone and "files" not in member, "one binary")
    note = box.run("lib.a", "list", "--verbose").err
    check("lib.a(n.o): no debug information" in note, note)
    check(f"read 2 files, passed over {len(names) - 2} without" in note, note)
    check(box.run("--quiet", "lib.a", "list", status=0).err == "", "quiet")


def names(context):
    """Long names, two members of one name, an empty archive, typedefs, names that are not there."""
    box = Box(context, "names")
    long = "a_name_that_does_not_fit_into_sixteen_bytes.o"
    shutil.copy(box / "a.o", box / long)
    box.sh("ar", "qc", "lib.a", long, "a.o", "b.o")
    (box / "other").mkdir()
    shutil.copy(box / "b.o", box / "other/a.o")
    box.sh("ar", "q", "lib.a", "other/a.o")
    document = box.json("lib.a", "struct", "same")
    check([item["path"] for item in document["binaries"]] ==
          [f"lib.a({long})", "lib.a(a.o)", "lib.a(b.o)", "lib.a(a.o:2)"], str(document["binaries"]))
    check(brief(document) == [("same", 16, f"lib.a({long})", 4)], str(brief(document)))
    check(box.json("lib.a(a.o:2)", "struct", "only_b")["structs"][0]["size"] == 160, "the second of that name")
    check("only_b" in box.run("lib.a", "struct", "named").err, "a typedef")
    error = box.run("lib.a", "struct", "only_c", status=2)
    check(error.out == "" and "did you mean 'only_a' or 'only_b'?" in error.err, str(error))
    error = box.run("lib.a(z.o)", "list", status=2)
    check("no such member" in error.err, str(error))
    check("cannot open" in box.run("a.c(z.o)", "list", status=2).err, "no archive")
    box.write("empty.a", "!<arch>\n")
    error = box.run("empty.a", "list", status=2)
    check(error.out == "" and "no file with debug information" in error.err, str(error))


def directory(context):
    box = Box(context, "directory")
    for place in ("d/b", "d/a/deep"):
        (box / place).mkdir(parents=True)
    shutil.copy(box / "b.o", box / "d/b/b.o")
    shutil.copy(box / "a.o", box / "d/a/deep/a.o")
    (box / "d/z.o").hardlink_to(box / "d/b/b.o")
    (box / "d/y.o").symlink_to("b/b.o")
    (box / "d/loop").symlink_to("..")
    (box / "d/gone").symlink_to("nowhere")
    box.write("d/readme", "text\n")
    box.sh("ar", "rc", "d/c.a", "a.o")
    document = box.json("d", "list")
    paths = [item["path"] for item in document["binaries"]]
    check(paths == ["d/a/deep/a.o", "d/b/b.o", "d/c.a(a.o)"], str(paths))
    check(("same", 16, "d/a/deep/a.o", 3) in brief(document), str(brief(document)))
    check(document == box.json("d", "--jobs", "1", "list"), "one thread")
    check("d/gone: no debug information" in box.run("d", "list", "--verbose").err, "a link that leads nowhere")
    (box / "n").mkdir()
    box.write("n/readme", "text\n")
    error = box.run("n", "list", status=2)
    check(error.out == "" and "no file with debug information (1 looked at)" in error.err, str(error))
    deep = box / "deep"
    for _ in range(70):
        deep = deep / "x"
    deep.mkdir(parents=True)
    shutil.copy(box / "a.o", deep / "a.o")
    shutil.copy(box / "b.o", box / "deep/b.o")
    result = box.run("deep", "list", status=2)
    check("directories deep" in result.err and "only_b" in result.out and "only_a" not in result.out, str(result))


def damaged(context):
    """One bad file never stops the rest."""
    box = Box(context, "damaged")
    (box / "d").mkdir()
    shutil.copy(box / "a.o", box / "d/a.o")
    shutil.copy(box / "b.o", box / "d/z.o")
    box.write("d/bad.o", (box / "a.o").read_bytes()[:700])
    document = box.json("d", "list", status=2)
    check(document["summary"]["unread"] == 1, str(document["summary"]))
    check({item["name"] for item in document["structs"]} == {"differ", "only_a", "only_b", "same"}, "the rest")
    for args in (("struct", "same"), ("check", "same"), ("list",)):
        result = box.run("d", *args, "--quiet", status=2)
        check("same" in result.out or args[0] == "check", str(result))
        check("linelint: d/bad.o: truncated" in result.err, str(result))
    box.sh("ar", "rc", "lib.a", "a.o", "d/bad.o", "b.o")
    document = box.json("lib.a", "list", status=2)
    check(document["summary"]["unread"] == 1 and len(document["structs"]) == 5, str(document["summary"]))
    box.write("p.yaml", PROFILE)
    document = box.json("lib.a", "check", "--profile", "p.yaml", status=2)
    check({item["name"] for item in document["structs"]} == {"differ"}, "what is absent may be in what was not read")
    # an archive that is cut off is read up to there
    whole = (box / "lib.a").read_bytes()
    box.write("cut.a", whole[:-1000])
    result = box.run("cut.a", "list", status=2)
    check("only_a" in result.out and "behind the end" in result.err, str(result))
    # a thin one with what other archives have: members of those, which are read where they are
    (box / "d").mkdir(exist_ok=True)
    long = "d/a_name_that_does_not_fit_into_sixteen_bytes.o"
    shutil.copy(box / "b.o", box / long)
    box.sh("ar", "rc", "d/inner.a", "a.o", long)
    box.sh("ar", "rcT", "outer.a", "d/inner.a", "b.o")
    both = box.json("d/inner.a", "list")["structs"]
    document = box.json("outer.a", "list")
    check([item["qualified_name"] for item in document["structs"]] == [item["qualified_name"] for item in both] and
          len(document["binaries"]) == 3, str(document["binaries"]))
    inner = box.json(f"outer.a({long[2:]})", "list")["structs"]
    check([placed["size"] for placed in inner] == [placed["size"] for placed in box.json("b.o", "list")["structs"]], str(inner))
    (box / "d/inner.a").rename(box / "d/gone.a")
    result = box.run("outer.a", "list", status=2)
    check("outer.a(d/inner.a): cannot open" in result.err and "outer.a(b.o)" in result.out, str(result))
    # members of a thin one that are gone
    box.sh("ar", "rcT", "thin.a", "a.o", "b.o")
    (box / "b.o").unlink()
    result = box.run("thin.a", "list", status=2)
    check("only_a" in result.out and "thin.a(b.o): cannot open" in result.err, str(result))


def hostile(context):
    """Headers with other bytes in them: exit 0 or 2, a reason with 2, no crash."""
    box = Box(context, "hostile")
    long = "a_name_that_does_not_fit_into_sixteen_bytes.o"
    shutil.copy(box / "a.o", box / long)
    box.sh("ar", "rc", "lib.a", long, "b.o")
    whole = (box / "lib.a").read_bytes()
    chance = random.Random(context.seed)
    headers = [at for at in range(8, len(whole) - 60, 2) if whole[at + 58:at + 60] == b"`\n"]
    check(len(headers) == 4, "symbols, names and two members")
    texts = [b"9999999999", b"18446744073709551615"[:10], b"0         ", b"-1        ", b"          ", b"4294967295"]
    cases = [whole[:at + 48] + text + whole[at + 58:] for at in headers for text in texts]
    cases += [whole[:at] + name.ljust(16) + whole[at + 16:] for at in headers
              for name in (b"/99999999", b"/", b"//", b"#1/99999", b"#1/20", b"", b"/0", b"\0" * 16, b"../../etc/passwd")]
    cases += [whole[:size] for size in (8, 9, 67, 68, 69, 128, len(whole) - 1)]
    cases += [b"!<thin>\n" + whole[8:]]
    for _ in range(20):
        case = bytearray(whole)
        for at in headers:
            case[at + chance.randrange(60)] = chance.randrange(256)
        cases.append(bytes(case))
    for number, case in enumerate(cases):
        box.write("case.a", case)
        result = box.run("case.a", "list", status=(0, 2))
        check("crashed" not in result.err, f"case {number}\n{result}")
        result = box.run("case.a(b.o)", "struct", "same", status=(0, 2))
        check("crashed" not in result.err, f"case {number}\n{result}")


def also(context):
    box = Box(context, "also")
    box.sh("ar", "rc", "lib.a", "b.o")
    document = box.json("a.o", "--also", "lib.a", "list")
    check(sorted(brief(document)) == sorted(both("a.o", "lib.a(b.o)")), str(brief(document)))
    document = box.json("a.o", "--also", "b.o", "--also=a.o", "list")
    check(sorted(brief(document)) == sorted(both("a.o", "b.o")), "a file is read once")
    for name, reason in (("n.o", "no debug information"), ("t.o", "not an ELF file"), ("gone", "cannot open")):
        result = box.run("a.o", "--also", name, "list", status=2)
        check("only_a" in result.out and f"linelint: {name}: " in result.err and reason in result.err, str(result))
    context.need_m32()
    box.sh("gcc", "-g", "-m32", "-c", "a.c", "-o", "a32.o")
    document = box.json("a.o", "--also", "a32.o", "list", "same")
    check(brief(document) == [("same", 16, "a.o", 1), ("same", 8, "a32.o", 1)], str(brief(document)))
    check([item["definitions"] for item in document["structs"]] == [1, 1], "machines are not compared")
    box.sh("gcc", "-g", "-m32", "-c", "b.c", "-o", "b32.o")
    box.write("c.c", "struct differ { int w[9]; } differ_c;\n")
    box.sh("gcc", "-g", "-m32", "-c", "c.c", "-o", "c32.o")
    objects = ("a.o", "a32.o", "b32.o", "b.o", "c32.o")
    args = [word for name in objects[1:] for word in ("--also", name)]
    for item in box.json("a.o", *args, "struct", "differ")["structs"]:
        name = objects[item["binary"]]
        text, = [finding["message"] for finding in item["findings"] if finding["rule"] == "LL011"]
        check([f" of {other}" in text for other in objects] == [("32" in name) == ("32" in other) for other in objects], text)
    check(not any(item["findings"] for item in document["structs"]), "LL011 across machines")
    check([item["machine"] for item in document["binaries"]] == ["x86-64", "i386"], str(document["binaries"]))


def btf(context):
    """BTF of two objects folds as DWARF does; DWARF and BTF are not compared."""
    box = Box(context, "btf")
    for name in ("a", "b"):
        box.sh("gcc", "-gbtf", "-c", f"{name}.c", "-o", f"{name}.o")
    document = box.json("a.o", "--also", "b.o", "list")
    check(sorted(brief(document)) == sorted(both("a.o", "b.o")), str(brief(document)))
    check({item["format"] for item in document["binaries"]} == {"btf"}, "BTF")
    box.sh("gcc", "-g", "-c", "b.c", "-o", "dwarf.o")
    document = box.json("a.o", "--also", "b.o", "--also", "dwarf.o", "list", "same")
    check(brief(document) == [("same", 16, "a.o", 2), ("same", 16, "dwarf.o", 1)], str(brief(document)))
    check([item["definitions"] for item in document["structs"]] == [1, 1], "DWARF and BTF are not compared")
    result = box.run("a.o", "--also", "b.o", "--from", "dwarf", "list", status=2)
    check(result.out == "", str(result))


def findings(context):
    """LL011 names the files; a profile holds for each definition; what no file has is LL010."""
    box = Box(context, "findings")
    box.sh("ar", "rc", "lib.a", "a.o", "b.o")
    shown = box.run("lib.a", "struct", "differ").out
    check(shown.count("one of 2 layouts under this name\n") == 2, f"each is shown, and there is nothing to advise: {shown}")
    box.write("p.yaml", PROFILE)
    document = box.json("lib.a", "check", "--profile", "p.yaml", "--fail-on", "never")
    rules = [(item["name"], sorted(finding["rule"] for finding in item["findings"])) for item in document["structs"]]
    check([name for name, _ in rules] == ["absent", "differ", "differ"], str(rules))
    check(rules[0][1] == ["LL010"] and all("LL011" in found and "LL001" in found for _, found in rules[1:]), str(rules))
    text = next(finding["message"] for finding in document["structs"][1]["findings"] if finding["rule"] == "LL011")
    check("a.c of lib.a(a.o)" in text and "b.c of lib.a(b.o)" in text, text)
    box.write("v.yaml", PROFILE + "vars:\n  fields: {same_a: {reader: {read: 1}}}\n")
    result = box.run("lib.a", "check", "--profile", "v.yaml", status=1)
    check("and 1 variable" in result.out and not result.err, str(result))
    text = box.run("lib.a", "struct", "same", "differ").out
    for words in ("in lib.a(a.o) and 1 more file", "in lib.a(b.o)", "one of 2 layouts"):
        check(words in text, f"{words!r} is missing\n{text}")


def refused(context):
    """Verbs of one binary say so; a member is one."""
    box = Box(context, "refused")
    box.sh("ar", "rc", "lib.a", "a.o", "b.o")
    for binary in ("lib.a", "."):
        for verb in (("diff", binary), ("patch", "same"), ("replay", "same")):
            result = box.run(binary, *verb, status=2)
            check(result.out == "" and len(result.err.splitlines()) == 1, str(result))
    result = box.run("lib.a(a.o)", "diff", "lib.a(b.o)", "differ")
    check("differ" in result.out and "z" in result.out, str(result))
    check("same_a" in box.run("lib.a(a.o)", "vars", "same_a").out, "variables of a member")
    result = box.run("a.o", "--also", "b.o", "diff", "b.o", status=2)
    check(result.out == "" and "--also" in result.err, str(result))
    box.run("lib.a", "list", "--output", "lib.a", status=2)
    box.run("a.o", "--also", "b.o", "list", "--output", "b.o", status=2)
    check("only_b" in box.run("b.o", "list").out, "it was not overwritten")


def many(context):
    """A library of 2000 objects, one at a time: with little memory and few descriptors."""
    box = Box(context, "many")
    for number in range(2000):
        shutil.copy(box / ("a.o" if number % 2 else "b.o"), box / f"m{number}.o")
    box.sh("ar", "rc", "lib.a", *[f"m{number}.o" for number in range(2000)])
    for binary in ("lib.a", "."):
        result = context.run(["sh", "-c", 'ulimit -n 32; exec "$0" "$@"', context.program, "--format", "json", binary,
                              "list", "same"], cwd=box.directory)
        check(result.status == 0 and f'"files":{2000 if binary == "lib.a" else 4002}' in result.out,
              f"{result.out[-600:]}{result.err}")
    for path in box.directory.glob("m*.o"):
        path.unlink()


def tests(context):
    return [
        *[Test(f"archives/ar-{options}", lambda options=options: archive(context, options))
          for options in ("rc", "rcT", "qcS")],
        *[Test(f"archives/{function.__name__}", lambda function=function: function(context))
          for function in (names, directory, damaged, hostile, also, btf, findings, refused, many)],
    ]
