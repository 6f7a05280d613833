"""command/: what every run owes its caller: exit statuses, where output goes, what options mean."""

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios

from .common import Skip, Test, check

SOURCE = """\
struct plain { int a; char b; long c; };
struct many { char bytes[300]; };
union either { int i; float f; };
typedef struct { short x, y; } point_t;
struct shared { long counter; const void *operations; long rest[7]; };
struct plain plain; struct many many; union either either; point_t point; struct shared shared;
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
"""


class Sandbox:
    def __init__(self, context):
        self.context = context
        self.directory = context.scratch / "command"
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / "x.c").write_text(SOURCE)
        (self.directory / "p.yaml").write_text(PROFILE)
        context.compile("gcc", ["-g", "-c"], [self.directory / "x.c"], self.directory / "x.o")

    def run(self, *args, **options):
        return self.context.linelint(*args, cwd=self.directory, **options)

    def json(self, *args, **options):
        return json.loads(self.run("--format", "json", *args, **options).out)

    def shell(self, script, **options):
        environment = {"LINELINT": self.context.program}
        return self.context.run(["bash", "-o", "pipefail", "-c", script], cwd=self.directory,
                                environment=environment, **options)


def names(report):
    return [struct["name"] for struct in report["structs"]]


def statuses(box):
    """0 nothing at or above --fail-on, 1 findings, 2 what cannot be done."""
    box.run("x.o", "struct", "plain", status=0)
    for verb in ("struct", "check"):
        box.run("--profile", "p.yaml", "x.o", verb, "shared", status=1)
        box.run("--profile", "p.yaml", "--fail-on", "never", "x.o", verb, "shared", status=0)
        box.run("--profile", "p.yaml", "--fail-on=info", "x.o", verb, "shared", status=1)
    box.run("--profile", "p.yaml", "x.o", "check", status=1)
    box.run("--profile", "p.yaml", "x.o", "list", status=0)
    box.run("x.o", "struct", "nothing", status=2)


def names_found(box):
    """Tags, typedefs, keywords before a name, globs; in the order of the arguments, or by name."""
    check(names(box.json("x.o", "struct", "plain", "many")) == ["plain", "many"], "by argument")
    found = names(box.json("x.o", "struct", "struct plain", "union either", "point_t"))
    check(found == ["plain", "either", "point_t"], "with their keywords")
    check(names(box.json("x.o", "struct", "[mp]*")) == ["many", "plain", "point_t"], "by glob")
    everything = ["either", "many", "plain", "point_t", "shared"]
    check(names(box.json("x.o", "list")) == everything, "list, by name")
    check(names(box.json("x.o", "list", "*a*")) == ["many", "plain", "shared"], "list, by glob")
    check(names(box.json("--min-size", "16", "x.o", "list")) == ["many", "plain", "shared"], "--min-size")
    check(names(box.json("x.o", "union", "either")) == ["either"], "the verb union")
    listed = [struct for struct in box.json("x.o", "list")["structs"] if struct["name"] == "plain"]
    check(box.json("--suggest", "none", "x.o", "struct", "plain")["structs"] == listed, "list prints what struct does")


def options(box):
    """Anywhere, in both spellings; on the line's size the command has the last word, then the profile, then the machine."""
    one = box.run("--format", "json", "--line-size", "128", "x.o", "struct", "many").out
    check(one == box.run("x.o", "--line-size=128", "struct", "many", "--format=json").out, "where options stand")
    check(json.loads(one)["structs"][0]["lines"] == 3, "300 bytes in 3 lines of 128")
    (box.directory / "wide.yaml").write_text(PROFILE.replace("version: 1", "version: 1\nline_size: 256"))
    wide = ["--profile", "wide.yaml"]
    for arguments, line in (([], 64), (wide, 256), ([*wide, "--line-size", "32"], 32)):
        report = box.json(*arguments, "--fail-on", "never", "x.o", "struct", "shared")
        said = report["structs"][0]["line_size"]
        check(said == line, f"line_size {said}, not {line}, with {arguments}")
    check("0x8" in box.run("--hex", "x.o", "struct", "plain").out, "--hex")
    check(re.search(r"^ +8 +8 +long int c\b.*\b1\b", box.run("--at", "9", "x.o", "struct", "plain").out, re.M), "--at")
    box.run("--", "x.o", "struct", "plain", status=0)


def profiles(box):
    """The last that has the struct counts; the nearest .linelint.yaml upwards, and none once one is given."""
    (box.directory / "quiet.yaml").write_text(PROFILE.replace("write: 1", "read: 1"))
    box.run("--profile", "p.yaml", "--profile", "quiet.yaml", "x.o", "struct", "shared", status=0)
    box.run("--profile", "quiet.yaml", "--profile", "p.yaml", "x.o", "struct", "shared", status=1)
    below = box.directory / "near" / "a" / "b"
    below.mkdir(parents=True, exist_ok=True)
    (box.directory / "near" / ".linelint.yaml").write_text(PROFILE)
    box.context.linelint("../../../x.o", "struct", "shared", cwd=below, status=1)
    box.context.linelint("--profile", "../../../quiet.yaml", "../../../x.o", "struct", "shared", cwd=below, status=0)
    (box.directory / "near" / ".linelint.yaml").write_text("version: 2\n")
    box.context.linelint("../../../x.o", "struct", "shared", cwd=below, status=2)


def output(box):
    """--output replaces the file when all went well, and leaves it when not."""
    target = box.directory / "out.txt"
    wanted = box.run("x.o", "list").out
    target.write_text("old\n")
    check(box.run("--output", "out.txt", "x.o", "list").out == "", "nothing on standard output")
    check(target.read_text() == wanted, "the same bytes, in the file")
    box.run("--output", "out.txt", "x.o", "struct", "nothing", status=2)
    check(target.read_text() == wanted, "a run that fails leaves the file")
    left = [name for name in os.listdir(box.directory) if name.startswith("out.txt.")]
    check(not left, f"left beside it: {left}")


def output_onto_input(box):
    """What is read is not overwritten, by whatever name: binaries, profiles, the default one, a recording, a source."""
    inputs = box.directory / "inputs"
    shutil.rmtree(inputs, ignore_errors=True)
    inputs.mkdir()
    for name in ("x.c", "x.o", "p.yaml"):
        shutil.copy(box.directory / name, inputs)
    shutil.copy(box.directory / "p.yaml", inputs / ".linelint.yaml")
    shutil.copy(box.directory / "p.yaml", inputs / "x.yaml")
    shutil.copy(box.directory / "x.o", inputs / "other.o")
    (inputs / "recording.txt").write_text("# not one: refused before that matters\n")
    read = ["x.o", "other.o", "p.yaml", ".linelint.yaml", "x.c", "recording.txt"]
    before = {name: (inputs / name).read_bytes() for name in read}
    for name in read:
        (inputs / f"soft-{name}").symlink_to(name)
        os.link(inputs / name, inputs / f"hard-{name}")

    def refused(written, *arguments):
        for alias in (written, f"./{written}", f"soft-{written}", f"hard-{written}"):
            result = box.context.linelint("--output", alias, *arguments, cwd=inputs, status=2)
            check(result.err.count("\n") == 1 and not result.out, f"one line\n{result}")
            check("--output would overwrite it; choose another --output" in result.err, f"the reason\n{result}")
            check({name: (inputs / name).read_bytes() for name in read} == before, f"overwritten\n{result}")

    for verb in (["struct", "shared"], ["list"], ["check", "shared"], ["patch", "shared"], ["replay", "shared"]):
        refused("x.o", "--profile", "p.yaml", "x.o", *verb)
        refused(".linelint.yaml" if verb != ["list"] else "x.o", "x.o", *verb)
    refused("p.yaml", "--profile", "p.yaml", "x.o", "struct", "shared")
    refused("other.o", "x.o", "diff", "other.o", "shared")
    refused("x.o", "profile", "init", "x.o", "shared")
    refused("x.o", "profile", "show", "p.yaml", "x.o")
    refused("p.yaml", "profile", "show", "p.yaml", "x.o")
    refused("p.yaml", "profile", "merge", "x.yaml", "p.yaml")
    refused("recording.txt", "profile", "import", "record", "recording.txt", "x.o")
    refused("recording.txt", "x.o", "replay", "shared", "recording.txt")
    refused("x.c", "--suggest", "best", "--profile", "p.yaml", "x.o", "patch", "shared", "--source", ".")
    box.context.linelint("--output", "p.yaml", "x.o", "list", cwd=inputs, status=0)  # not read here


def pipes(box):
    """A reader that goes away ends it quietly; an output that cannot be written is an error."""
    result = box.shell('set +o pipefail; "$LINELINT" x.o list 2>err | true\n'
                       'test ${PIPESTATUS[0]} = 0 && test ! -s err')
    check(result.status == 0, f"a closed pipe\n{result}")
    result = box.shell('"$LINELINT" x.o list >/dev/full')
    check(result.status == 2 and result.err.count("\n") == 1, f"a full disk\n{result}")
    result = box.shell('ulimit -f 0; "$LINELINT" --output limited.txt x.o list 2>&1')
    check(result.status == 2 and "File too large" in result.out, f"a limit on the size of files\n{result}")
    result = box.shell('"$LINELINT" x.o list >&- </dev/null')
    check(result.status == 2 and result.err.count("\n") == 1, f"no standard output at all\n{result}")


def jobs(box):
    """The same bytes whatever --jobs is, and at every run."""
    first = box.run("--format", "json", "--jobs", "1", box.context.program, "list").out
    check(len(json.loads(first)["structs"]) > 20, "linelint has more structs than that")
    for count in ("2", "7", "2"):
        again = box.run("--format", "json", "--jobs", count, box.context.program, "list").out
        check(again == first, f"--jobs {count}")


def on_terminal(box, *args, columns=0, **environment):
    """What the program writes when its standard output is a terminal."""
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        raise Skip(f"no terminal to be had: {error}") from None
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen([str(box.context.program), *args], cwd=box.directory, stdin=subprocess.DEVNULL,
                               stdout=theirs, env={**clean, "TERM": "xterm", **environment})
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 4096):
            text += part
    except OSError:  # Linux says EIO when the last writer is gone
        pass
    os.close(ours)
    process.wait()
    return text.decode()


def color(box):
    """Colour when asked for, and otherwise only on a terminal."""
    check("\033[" not in box.run("x.o", "struct", "plain", environment={"NO_COLOR": ""}).out, "no terminal")
    check("\033[" in on_terminal(box, "x.o", "struct", "plain"), "a terminal")
    check("\033[" not in on_terminal(box, "x.o", "struct", "plain", NO_COLOR="1"), "NO_COLOR on a terminal")
    check("\033[" in on_terminal(box, "--color", "always", "x.o", "struct", "plain", NO_COLOR="1"), "always wins")
    colored = box.run("--color", "always", "--profile", "p.yaml", "x.o", "struct", "shared").out
    check("\033[" in colored, "always")
    check("\033[" not in box.run("--color", "never", "x.o", "struct", "plain").out, "never")


def help_text(box):
    text = box.run("--help", status=0).out
    for verb in ("struct", "list", "check", "explain", "profile"):
        check(re.search(rf"\b{verb}\b", text), f"--help does not name {verb}")
    check("profile init [--vars] BINARY NAME..." in text, "--help: the forms of profile")
    wrong = box.run("x.o", "profile", "init", "plain", status=2).err
    check("\\x" not in wrong and "  " not in wrong, f"control characters or runs of blanks: {wrong}")
    version = box.run("--version", status=0).out
    check(re.fullmatch(r"linelint \d+\.\d+\.\d+\nunpacks: gzip( (xz|zstd|lz4|bzip2|lzma))*\n", version), version)
    check(box.json("x.o", "list")["tool"]["version"] == version.split()[1], "the version in JSON")


def explain(box):
    """Each rule by its id and by its name, in any case."""
    rules = re.findall(r"^\s*(LL\d{3})\s+([a-z-]+)", box.run("explain", status=0).out, re.M)
    check(len(rules) >= 12, f"only {rules}")
    for rule, name in rules:
        text = box.run("explain", rule, status=0).out
        check(len(text) > 200 and rule in text and name in text, f"explain {rule}")
        for spelling in (name, name.upper(), rule.lower()):
            check(box.run("explain", spelling, status=0).out == text, f"{rule} as {spelling}")


OTHERS = """\
struct tagged { int a; }; typedef struct tagged tagged_t; typedef const tagged_t again_t;
struct opaque; typedef struct opaque opaque_t;
struct fine { int a; long b; };
struct deep { %s int x; %s };
again_t *g; struct opaque *o; opaque_t *p; struct fine fine; struct deep deep;
""" % ("struct { " * 70, "} m; " * 70)


def typedefs(box):
    """A typedef of a tagged struct means the struct, with a note; so it does in a profile. Incomplete ones are told."""
    (box.directory / "others.c").write_text(OTHERS)
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "others.c"], box.directory / "others.o")
    for name in ("tagged_t", "struct again_t"):
        result = box.run("others.o", "struct", name, status=0)
        check(result.out.startswith("struct tagged: 4 bytes"), result)
        typedef = name.split()[-1]
        check(result.err == f"linelint: others.o: {typedef} is a typedef of struct tagged\n", result)
        check(not box.run("--quiet", "others.o", "struct", name, status=0).err, "--quiet")
    check(names(box.json("others.o", "struct", "tagged_t", "tagged", "again_t")) == ["tagged"], "once")
    for name, wanted in (("opaque", "'opaque' is only declared here"),
                         ("opaque_t", "'opaque_t' is a typedef of struct opaque, which is only declared here")):
        result = box.run("others.o", "struct", name, status=2)
        check(wanted in result.err and not result.out, result)
    (box.directory / "alias.yaml").write_text("version: 1\nstructs:\n  tagged_t: {fields: {a: w hot}}\n"
                                              "  opaque_t: {fields: {b: r hot}}\n")
    report = box.json("--profile", "alias.yaml", "others.o", "check", status=1)
    check(names(report) == ["opaque_t", "tagged"], names(report))
    check(report["structs"][1]["members"][0]["access"]["write"] == 1, "the entry of the typedef counts")
    check("only declared" in report["structs"][0]["findings"][0]["message"], report["structs"][0]["findings"])


def unread(box):
    """One that cannot be laid out is left out and the others are there; where it is all that was asked for it is an error."""
    typedefs(box)
    for arguments, rest in ((["list"], ["fine", "tagged"]), (["check", "fine", "deep"], ["fine"]),
                            (["struct", "fine", "deep"], ["fine"])):
        result = box.run("--format", "json", "others.o", *arguments, status=2)
        report = json.loads(result.out)
        check(names(report) == rest and report["summary"]["unread"] == 1, result)
        check("struct deep: " in result.err and "left out" in result.err, result)
        check(arguments[0] == "struct" or "1 not read" in box.run("others.o", *arguments, status=2).out, "in the text")
    check(not box.run("others.o", "struct", "deep", status=2).out, "nothing on standard output")


def split(box):
    """-gsplit-dwarf: what is in other files is not missing, it was not read."""
    (box.directory / "split.c").write_text("struct here { int a; } here; int f(void) { return here.a; }\n")
    for name, flags in (("split5.o", ["-gdwarf-5"]), ("split4.o", ["-gdwarf-4"])):
        box.context.compile("gcc", [*flags, "-gsplit-dwarf", "-c"], [box.directory / "split.c"], box.directory / name)
        (box.directory / name).with_suffix(".dwo").unlink()
        (box.directory / "split.yaml").write_text("version: 1\nstructs:\n  here: {fields: {a: w hot}}\n")
        for arguments in (["list"], ["struct", "here"]):
            result = box.run(name, *arguments, status=2)
            check("split files that could not be read: " in result.err and name[:-1] + "dwo (looked at" in result.err and not result.out, result)
        report = json.loads(box.run("--profile", "split.yaml", "--format", "json", name, "check", status=2).out)
        check(not report["structs"] and report["summary"]["unread"] == 1, report)
    box.context.good(["ld", "-r", box.directory / "split5.o", box.directory / "x.o", "-o", box.directory / "mixed.o"])
    result = box.run("mixed.o", "list", status=2)
    check("struct plain" in result.out and "split files" in result.err, result)
    result = box.run("mixed.o", "struct", "plain", status=0)
    check("1 of 2 units" in result.err, result)


BOTH = ("struct both { int tag; }; struct both b1; typedef struct { long a, b, c; } both; both b2;",
        "struct both { int tag; int more; }; struct both b3;", "typedef struct { char a; } both; both b4;")


def tag_and_typedef(box):
    """A tag and a typedef of one name are two things: the units of LL011 are those of the one that is told of."""
    objects = []
    for number, text in enumerate(BOTH):
        (box.directory / f"both{number}.c").write_text(text)
        objects.append(box.directory / f"both{number}.o")
        box.context.compile("gcc", ["-g", "-c"], [box.directory / f"both{number}.c"], objects[-1])
    box.context.good(["ld", "-r", *objects, "-o", box.directory / "both.o"])
    report = box.json("both.o", "struct", "both")
    check([struct["size"] for struct in report["structs"]] == [4], report)
    for struct in box.json("--all-definitions", "both.o", "list")["structs"]:
        (finding,) = [finding for finding in struct["findings"] if finding["rule"] == "LL011"]
        other = "both1.c" if struct["size"] in (4, 8) else "both2.c"
        check(f"in {box.directory}/both0.c and {box.directory}/{other}" in finding["message"], finding)


def many_entries(box):
    """Memory grows with what a profile names, not with its square."""
    if box.context.sanitized:  # whose shadow has no bounds
        return
    count = 6000
    (box.directory / "many.c").write_text("".join(f"struct s{i} {{ int a; }} v{i};\n" for i in range(count)))
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "many.c"], box.directory / "many.o")
    (box.directory / "many.yaml").write_text(
        "version: 1\nstructs:\n" + "".join(f"  s{i}: {{fields: {{a: r hot}}}}\n" for i in range(count)))
    script = "ulimit -v 200000; exec $LINELINT --jobs 1 --profile many.yaml many.o check"
    result = box.shell(script)
    check(result.status == 0 and f"{count} structs: 0 errors" in result.out, result)


def avoidable(box):
    """What a finding saves that is ignored is not avoidable, unless the best order is looked for."""
    (box.directory / "ignore.yaml").write_text(
        f"{PROFILE}    ignore: [{{rule: LL001, reason: it is told elsewhere}}]\n")
    (shown,) = box.json("--profile", "p.yaml", "x.o", "check", status=1)["structs"]
    (ignored,) = box.json("--suggest", "none", "--profile", "ignore.yaml", "x.o", "check", status=0)["structs"]
    check(shown["cost"]["avoidable"] > 0 and shown["cost"]["total"] == ignored["cost"]["total"], shown["cost"])
    check(ignored["cost"]["avoidable"] == 0, ignored["cost"])
    (searched,) = box.json("--profile", "ignore.yaml", "x.o", "check", status=0)["structs"]
    check(searched["cost"]["avoidable"] == shown["cost"]["avoidable"], searched["cost"])


FLEXIBLE = "struct flexible { int n; long x[]; }; struct flexible flexible; struct wide { long a[32]; } wide;\n"
FAULTS = """\
version: 1
structs:
  flexible:
    instance: array
    fields: {n: rmw 2, "x[]": {read: 1, index: 99999999}}
  wide:
    instance: array
    placement: {stride: 8, alignment: 64}
    fields: {"a[]": w hot}
    ignore: [{rule: LL004, fields: [b], reason: not there}]
"""


def faults(box):
    """What the profile says and cannot be: where, with advice that can be followed, and without believing it."""
    (box.directory / "flexible.c").write_text(FLEXIBLE)
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "flexible.c"], box.directory / "flexible.o")
    (box.directory / "faults.yaml").write_text(FAULTS)
    arguments = ("--profile", "faults.yaml", "flexible.o", "struct", "flexible", "wide")
    text = " ".join(box.run(*arguments, status=1).out.split())
    for wanted in ("faults.yaml:5:", "an element of 'x' with the index 99999999 lies behind the object's stride",
                   "faults.yaml:6:", "the stride of 8 bytes is below the 256 bytes", "no such field", "under `fields`"):
        check(wanted in text, f"not there: {wanted}\n{text}")
    (wide,) = [struct for struct in box.json(*arguments, status=1)["structs"] if struct["name"] == "wide"]
    check(wide["placements"] == [0], wide["placements"])


def infos(box):
    """What makes the exit status is shown."""
    (box.directory / "info.yaml").write_text(
        "version: 1\nstructs:\n  plain: {fields: {a: r hot}, ignore: [{rule: LL004, reason: there is none}]}\n")
    arguments = ("--profile", "info.yaml", "x.o")
    for verb in ("struct", "check"):
        check("info LL010" not in box.run(*arguments, verb, "plain", status=0).out, "infos are for --verbose")
        check("info LL010" in box.run("--fail-on", "info", *arguments, verb, "plain", status=1).out, verb)


CRASH = "#include <signal.h>\nvoid *elf_begin(void) { raise(SIGSEGV); return 0; }\n"


def guard(box):
    """A crash of a library becomes one line and exit status 2."""
    if box.context.sanitized:  # which has no guard
        return
    (box.directory / "crash.c").write_text(CRASH)
    library = (box.directory / "crash.so").resolve()
    box.context.compile("gcc", ["-shared", "-fPIC", "-w"], [box.directory / "crash.c"], library)
    result = box.run("x.o", "list", status=2, environment={"LD_PRELOAD": str(library)})
    check(not result.out and len(result.err.splitlines()) == 1, result)
    check(result.err.startswith("linelint: x.o: ") and "crashed" in result.err, result)


def shell_words(box):
    """A command to copy stands for itself, whatever the path is."""
    directory = box.directory / "with blank"
    directory.mkdir(exist_ok=True)
    (directory / "$x.o").write_bytes((box.directory / "x.o").read_bytes())
    for arguments in (["struct", "plain"], ["check"], ["struct", "z*"], ["struct", "zzzzzz"]):
        result = box.run("with blank/$x.o", *arguments, status=(0, 2))
        text = " ".join((result.out + result.err).split())
        check('"with blank/\\$x.o" ' in text, result)


def notes(box):
    """What a check did not check is said on standard error, and not in the report."""
    result = box.run("x.o", "check", "plain", "many", status=0)
    check("no accesses are stated for struct many, struct plain, so only the rules of layout ran" in result.err, result)
    (box.directory / "bare.yaml").write_text("version: 1\nstructs:\n  shared: {fields: {counter: {}}}\n"
                                             "vars: {fields: {a: w hot}}\n")
    first = box.run("--profile", "bare.yaml", "--format", "json", "x.o", "check", status=1)
    check("no accesses are stated for struct shared" in first.err, first)
    check(json.loads(first.out)["vars"]["findings"][0]["rule"] == "LL010", first)
    again = box.run("--profile", "bare.yaml", "--format", "json", "--jobs", "3", "x.o", "check", status=1)
    check((first.out, first.err) == (again.out, again.err), "the same bytes again")
    quiet = box.run("--quiet", "--profile", "bare.yaml", "--format", "json", "x.o", "check", status=1)
    check((quiet.out, quiet.err) == (first.out, ""), "--quiet leaves the notes out")
    check("no accesses" not in box.run("--profile", "p.yaml", "x.o", "check", status=1).err, "nothing to say")
    (box.directory / "vars.yaml").write_text("version: 1\nvars: {fields: {a: w hot}}\n")
    result = box.run("--profile", "vars.yaml", "x.o", "check", status=1)
    check("a: no such variable" in result.out and "0 structs and 0 variables: 1 error" in result.out, result)


def declared(box):
    """Findings and members say where the source has them."""
    report = box.json("--profile", "p.yaml", "x.o", "check", status=1)["structs"][0]
    here = {"file": str(box.directory / "x.c"), "line": 5}
    check([finding["declared"] for finding in report["findings"]] == [here] * len(report["findings"]), report["findings"])
    check([member["declared"] for member in report["members"]] == [here] * len(report["members"]), report["members"])


def at_bits(box):
    """--at names bits as bits, and a gap in a member as such; --hex holds for all of it."""
    (box.directory / "bits.c").write_text(
        "struct bits { short pad[8]; struct { short port; char tls; } ep[2]; unsigned id:12, parked:1; } bits;\n")
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "bits.c"], box.directory / "bits.o")
    text = box.run("--at", "25", "bits.o", "struct", "bits", status=0).out
    check("25:4   1 bit  unsigned int parked:1\n" in text and "byte 0 of 4" not in text, text)
    text = box.run("--at", "23", "bits.o", "struct", "bits", status=0).out
    check("element 1, byte 3 of 4, in padding of 1 byte at 3 of it" in text, text)
    text = box.run("--hex", "--at", "26", "bits.o", "struct", "bits", status=0).out
    check("at 0x1a: line 0, byte 0x1a of it" in text, text)


def elided(box):
    """Lines that are left out are named by the array, whatever field of its elements is accessed."""
    (box.directory / "cells.c").write_text("struct cells { long a; struct { struct { long ok, bad; } s; } per_thread[40]; } cells;\n")
    (box.directory / "cells.yaml").write_text(
        "version: 1\nstructs: {cells: {placement: {alignment: 64}, fields: {\"per_thread[].s.ok\": {rmw: 1, index: thread}}}}\n")
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "cells.c"], box.directory / "cells.o")
    text = box.run("--profile", "cells.yaml", "cells.o", "struct", "cells").out
    check(re.search(r"^lines \d+-\d+  \d+ bytes of per_thread(,|$)", text, re.M), text)


def wrapping(box):
    """A command to copy stays on one line."""
    for path in ("x.o", "./" * 20 + "x.o", "./" * 45 + "x.o"):
        text = box.run(path, "struct", "plain", status=0).out
        check(f"'linelint profile init {path} plain > p.yaml'" in text, text)
    text = box.run("x.o", "struct", "*", status=0).out
    check("--verbose shows infos" not in text, "said for each struct already")


def columns(box):
    """Sentences keep to COLUMNS or the terminal, from 72 to 100; 100 in a pipe. Pictures do not depend on it."""
    args = ("--profile", "p.yaml", "x.o", "struct", "shared")

    def widest(text):
        lines = text.replace("\r", "").splitlines()
        return max(len(line) for line in lines if line.startswith(("        ", "warning", "error")) and " patch: " not in line)

    plain = box.run(*args).out
    check(80 < widest(plain) <= 100, plain)
    for stated, most in (("72", 72), ("1", 72), ("80", 80), ("100", 100), ("1000", 100), ("", 100), ("x", 100), ("0", 100), ("99999999999999999999", 100)):
        text = box.run(*args, environment={"COLUMNS": stated}).out
        check(widest(text) <= most and text.split() == plain.split(), f"COLUMNS={stated}\n{text}")
        check((text == plain) == (most == 100), f"COLUMNS={stated}")
    help_text = box.run("--help", environment={"COLUMNS": "72"}).out
    check(max(len(line) for line in help_text.splitlines() if line.startswith(" " * 26)) <= 72, help_text)
    for width, most in ((80, 80), (40, 72), (200, 100), (0, 100)):
        text = on_terminal(box, *args, columns=width, NO_COLOR="1")
        check(widest(text) <= most and text.split() == plain.split(), f"a terminal of {width}\n{text}")
    text = on_terminal(box, *args, columns=80, NO_COLOR="1", COLUMNS="72")
    check(widest(text) <= 72, f"COLUMNS wins over the terminal\n{text}")


def tests(context):
    box = Sandbox(context)
    for function in (statuses, names_found, options, profiles, output, output_onto_input, pipes, jobs, color, help_text,
                     explain, typedefs, unread, split, notes, declared, at_bits, elided, wrapping, columns,
                     tag_and_typedef, many_entries, avoidable, faults, infos, guard, shell_words):
        yield Test(f"command/{function.__name__.replace('_', '-')}", lambda f=function: f(box))
