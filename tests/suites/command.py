"""command/: what every run owes its caller: exit statuses, where output goes, what options mean."""

import json
import os
import pty
import re
import subprocess

from .common import Test, check

SOURCE = """\
struct plain { int a; char b; long c; };
struct many { char bytes[300]; };
union either { int i; float f; };
typedef struct { short x, y; } point_t;
struct shared { long counter; const void *operations; };
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
    check(box.json("x.o", "struct", "plain")["structs"] == listed, "list prints what struct does")


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


def pipes(box):
    """A reader that goes away ends it quietly; an output that cannot be written is an error."""
    result = box.shell('set +o pipefail; "$LINELINT" x.o list 2>err | true\n'
                       'test ${PIPESTATUS[0]} = 0 && test ! -s err')
    check(result.status == 0, f"a closed pipe\n{result}")
    result = box.shell('"$LINELINT" x.o list >/dev/full')
    check(result.status == 2 and result.err.count("\n") == 1, f"a full disk\n{result}")
    result = box.shell('"$LINELINT" x.o list >&- </dev/null')
    check(result.status == 2 and result.err.count("\n") == 1, f"no standard output at all\n{result}")


def jobs(box):
    """The same bytes whatever --jobs is, and at every run."""
    first = box.run("--format", "json", "--jobs", "1", box.context.program, "list").out
    check(len(json.loads(first)["structs"]) > 20, "linelint has more structs than that")
    for count in ("2", "7", "2"):
        again = box.run("--format", "json", "--jobs", count, box.context.program, "list").out
        check(again == first, f"--jobs {count}")


def on_terminal(box, *args, **environment):
    """What the program writes when its standard output is a terminal."""
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
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
    version = box.run("--version", status=0).out
    check(re.fullmatch(r"linelint \d+\.\d+\.\d+\n", version), version)
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


def tests(context):
    box = Sandbox(context)
    for function in (statuses, names_found, options, profiles, output, pipes, jobs, color, help_text,
                     explain):
        yield Test(f"command/{function.__name__.replace('_', '-')}", lambda f=function: f(box))
