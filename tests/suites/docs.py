"""docs/: the manual pages and README.md are right: what they show as commands is run, what they list is complete.

In README.md the commands are the lines "$ ..." of blocks marked console; in the manual the lines "$ linelint ...". They run
in a directory that has linelint on its PATH, layouts/ and samples/ of this tree, a small stand-in for a kernel under
the name vmlinux, the first sample as table and table-fixed, and a skeleton profile of vmlinux as p.yaml. Every line that
a README shows under a command must come from it, in that order; "..." leaves some out.
A comment "not run: REASON" before the block (README) or the line (manual) leaves a command out.
"""

import os
import re
import shlex

from .common import Failure, Test, check

COMMAND = re.compile(r"(?:\./)?linelint\b|make demo\b|layouts/demo\.sh\b")


def sandbox(context, name):
    """A directory as a reader of the manual would be in."""
    directory = context.scratch / "docs" / name
    directory.mkdir(parents=True, exist_ok=True)
    context.compile("gcc", ["-std=gnu11", "-g", "-gdwarf-5"], ["tests/docs/vmlinux.c"], directory / "vmlinux")
    skeleton = context.linelint("profile", "init", "vmlinux", "files_struct", cwd=directory, status=0)
    (directory / "p.yaml").write_text(skeleton.out)
    for program, define in (("table", []), ("table-fixed", ["-DFIXED"])):
        context.compile("gcc", ["-std=gnu11", "-g", "-O2", "-pthread", *define], ["samples/first/table.c"], directory / program)
    for link, target in (("linelint", context.program), ("layouts", context.root / "layouts"), ("samples", context.root / "samples")):
        if not (directory / link).is_symlink():
            os.symlink(target, directory / link)
    return directory


def run(context, name, command, shown=()):
    directory = sandbox(context, name)
    if command.startswith("make demo"):
        command = "layouts/demo.sh" + "".join(f" {word}" for word in shlex.split(command.partition("CASES=")[2]))
    where = context.root if command.startswith("layouts/demo.sh") else directory
    result = context.run(["bash", "-o", "pipefail", "-c", command], cwd=where,
                         environment={"PATH": f"{directory.resolve()}:{os.environ['PATH']}", "LINELINT": context.program})
    check(result.status in (0, 1), f"an example fails\n{result}")
    lines = iter(line.rstrip() for line in (result.out + result.err).splitlines())
    for line in shown:
        if line.strip() in ("...", ""):
            continue
        if not any(line.rstrip() == there for there in lines):
            raise Failure(f"not, or not there, in what the command prints: {line!r}\n{result}")


def readme_commands(text):
    """(command, lines shown under it) of the console blocks that are to be run"""
    for skip, block in re.findall(r"(<!-- not run:[^>]*-->\n+)?```console\n(.*?)```", text, re.S):
        if skip:
            continue
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = part.splitlines()
            while command.endswith("\\"):
                command = command[:-1] + shown.pop(0)
            if COMMAND.match(command):
                yield command, shown


def manual_commands(text):
    """The commands of a page: lines "$ linelint ..." of displays, and .Dl $ linelint ..."""
    skip = False
    for line in text.splitlines():
        match = re.match(r"(?:\.Dl )?\$ ((?:\./)?linelint\b.*)", line)
        if match and not skip:
            yield match[1].replace("\\-", "-").replace("\\(dq", '"').replace("\\&", "").replace("\\e", "\\")
        skip = line.startswith(r".\" not run")


def lint(context, page):
    context.need("mandoc")
    result = context.run(["mandoc", "-Tlint", page])
    # our own pages are not installed when they are tested, but they must be there
    ours = {f"Xr {own.stem} {own.suffix[1:]}" for own in page.parent.glob("*.[1-9]")}
    faults = [line for line in (result.out + result.err).splitlines()
              if not any(line.endswith(f"referenced manual not found: {own}") or f"referenced manual not found: {own} " in line
                         for own in ours)]
    check(not faults, "\n".join(faults))


def complete(context):
    """Every option and verb of --help is in linelint(1), every rule in linelint-rules(7)."""
    text = context.linelint("--help", status=0).out
    page = (context.root / "man/linelint.1").read_text().replace("\\-", "-")
    options = set(re.findall(r"--([a-z][a-z-]+)", text))
    check(len(options) > 10, f"--help names only {sorted(options)}")
    missing = [f"--{option}" for option in sorted(options) if not re.search(rf"Fl -{option}\b|--{option}\b", page)]
    of_others = {"prefix"}  # git's, pahole's and so on
    invented = set(re.findall(r"^\.It Fl -([a-z][a-z-]+)", page, re.M)) - options - of_others
    check(not invented, f"in the manual, and there is none: {sorted(invented)}")
    rules = (context.root / "man/linelint-rules.7").read_text()
    known = set(re.findall(r"\bLL\d{3}\b", context.linelint("explain", status=0).out))
    check(len(known) >= 12, f"explain names only {sorted(known)}")
    missing += [rule for rule in sorted(known) if rule not in rules]
    check(not missing, f"not in the manual: {' '.join(missing)}")


def tests(context):
    pages = sorted((context.root / "man").glob("*.[1-9]"))
    for page in pages:
        yield Test(f"docs/lint/{page.name}", lambda p=page: lint(context, p))
        for number, command in enumerate(manual_commands(page.read_text()), 1):
            name = f"{page.name}-{number}"
            yield Test(f"docs/example/{name}", lambda n=name, c=command: run(context, n, c))
    if (context.root / "man/linelint.1").exists():
        yield Test("docs/complete", lambda: complete(context))
    readme = context.root / "README.md"
    if readme.exists():
        for number, (command, shown) in enumerate(readme_commands(readme.read_text()), 1):
            name = f"README-{number}"
            yield Test(f"docs/example/{name}", lambda n=name, c=command, s=shown: run(context, n, c, s))
