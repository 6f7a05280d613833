"""golden/: C files with what linelint says of them.

tests/golden/x.c (or .cc) is compiled; beside it x.yaml, when there is one, is its profile, and each of x.text, x.json,
x.commit, x.asserts and x.err is checked: the report as text, as JSON, as a commit message, as assertions, and what
a run that fails says. Lines in the file change the defaults:

    // cc: -O2 -gdwarf-4         flags of the compiler (default -gdwarf-5 -O0)
    // link                      an executable, not an object
    // with: second.c third.c    more units, linked or (as objects) with ld -r
    // run: --line-size 128 struct x    what linelint is asked (default: struct '*')
    // exit: 1                   its exit status (default 0; 2 with .err)

What the C files state of themselves with _Static_assert the compiler checks, here and in oracle/.
"""

import json
import re
import shlex
import shutil

from .common import Test, check, pretty

CHECKS = {".text": "text", ".json": "json", ".commit": "commit", ".asserts": "c-asserts", ".err": "text"}


def directive(text, name, default=""):
    match = re.search(rf"^// {name}:? ?(.*)$", text, re.M)
    return match[1] if match else default


def build(context, source, directory, more=()):
    """Compiles a golden into `directory`, with `more` flags -> name of the binary in it."""
    text = source.read_text()
    compiler = "g++" if source.suffix == ".cc" else "gcc"
    flags = shlex.split(directive(text, "cc", "-gdwarf-5 -O0"))
    if "-m32" in flags:
        context.need_m32(compiler)
    directory.mkdir(parents=True, exist_ok=True)
    relative = source.relative_to(context.root)  # as the debug information will have it
    units = [relative] + [relative.parent / name for name in directive(text, "with").split()]
    objects = []
    for unit in units:
        objects.append(directory / (unit.stem + ".o"))
        context.compile(compiler, [*flags, *more, "-c"], [unit], objects[-1])
    if re.search(r"^// link$", text, re.M):
        context.compile(compiler, flags, objects, directory / source.stem)
        return source.stem
    if len(objects) > 1:
        context.good(["ld", "-r", *objects, "-o", directory / f"{source.stem}-all.o"])
        return f"{source.stem}-all.o"
    return objects[0].name


def run(context, source, suffix):
    # A directory each, so that tests do not meet; run there, so that no diagnostic shows the machine's paths.
    directory = context.scratch / "golden" / (source.stem + suffix)
    binary = build(context, source, directory)
    text = source.read_text()
    arguments = ["--format", CHECKS[suffix], binary, *shlex.split(directive(text, "run", "struct '*'"))]
    profile = source.with_suffix(".yaml")
    if profile.exists():
        shutil.copy(profile, directory)
        arguments = ["--profile", profile.name, *arguments]
    status = int(directive(text, "exit", "2" if suffix == ".err" else "0"))
    result = context.linelint(*arguments, status=status, cwd=directory)
    golden = source.with_suffix(suffix)
    if suffix == ".err":
        check(not result.out, f"something on standard output\n{result}")
        context.golden(golden, result.err)
    elif suffix == ".json":
        check(not result.err, f"a diagnostic\n{result}")
        context.golden(golden, pretty(json.loads(result.out)))
    else:
        context.golden(golden, result.out + result.err)


def sources(context):
    """All goldens' C files, those that only come with others left out."""
    directory = context.root / "tests/golden"
    files = sorted(directory.glob("*.c")) + sorted(directory.glob("*.cc"))
    others = {name for file in files for name in directive(file.read_text(), "with").split()}
    return [file for file in files if file.name not in others]


def tests(context):
    for source in sources(context):
        found = [suffix for suffix in CHECKS if source.with_suffix(suffix).exists()]
        check(found, f"{source}: no golden beside it; touch {source.stem}.json, "
              f"then tests/run --update golden/{source.stem}")
        for suffix in found:
            yield Test(f"golden/{source.stem}{suffix}", lambda s=source, x=suffix: run(context, s, x))
