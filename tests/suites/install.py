"""install/: make install puts everything where it belongs, and it works from there."""

import os
import re
import shutil

from .common import Test, check


def make(context, target, goal, prefix="/usr"):
    # a make of its own: the one that runs this must not hand down its jobs
    sanitize = [f"SANITIZE={context.environment['SANITIZE']}"] if context.sanitized else []
    context.good(["make", "--no-print-directory", f"B={context.build}", f"CC={context.cc}", *sanitize,
                  f"PREFIX={prefix}", f"DESTDIR={target}", goal])


def install(context):
    target = (context.scratch / "install").resolve()
    shutil.rmtree(target, ignore_errors=True)
    make(context, target, "install")
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    wanted = {"usr/bin/linelint", "usr/share/bash-completion/completions/linelint", "usr/lib/liblinelint-record.a",
              "usr/lib/pkgconfig/linelint-record.pc", "usr/include/linelint-record.h"}
    for pattern, place in (("man/*.[1-9]", "man/man{section}"), ("layouts/*.yaml", "linelint/layouts"),
                           ("samples/schema/*.json", "linelint/schema")):
        wanted |= {f"usr/share/{place.format(section=path.suffix[1:])}/{path.name}"
                   for path in context.root.glob(pattern)}
    check(found == wanted, f"missing: {sorted(wanted - found)}; too many: {sorted(found - wanted)}")
    result = context.good([target / "usr/bin/linelint", "--version"])
    check(result.out.startswith("linelint "), str(result))
    make(context, target, "uninstall")
    left = [str(path) for path in target.rglob("*") if path.is_file()]
    check(not left, f"still there: {left}")


def completion(context):
    """The completion is bash, and offers the verbs and options that there are."""
    path = context.root / "samples/completion/linelint.bash"
    script = (f'source {path}; COMP_WORDS=(linelint x.o ""); COMP_CWORD=2; _linelint; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    verbs = context.good(["bash", "-c", script]).out.split()
    text = context.linelint("--help", status=0).out
    known = set(re.findall(r"^  linelint \[OPTION\.\.\.\] BINARY (\w+)", text, re.M))
    check(len(known) >= 3 and known <= set(verbs), f"{sorted(known)} are not offered, but {verbs}")
    script = script.replace('x.o ""', '--').replace("CWORD=2", "CWORD=1")
    options = context.good(["bash", "-c", script]).out.split()
    known = set(re.findall(r"--[a-z][a-z-]+", text))
    check(set(options) == known, f"offered and not there, or there and not offered: {sorted(set(options) ^ known)}")


FAKES = {
    "dpkg-query": 'for p; do case $p in present*) echo "installed $p";; esac; done',
    "apt-get": 'echo "apt-get $*" >> "$LOG"\n'
               'case "$*" in *update*) touch "$LOG.lists";; *) test -e "$LOG.lists";; esac',
    "id": 'echo "$WHO"',
    "sudo": '[ "$SUDO" = yes ] || exit 1; shift; "$@"',
}


def dependencies(context):
    """tests/deps.sh: quiet when all is there; installs as root and with sudo, after an update when the lists are
    old; otherwise prints the one command."""
    directory = (context.scratch / "deps").resolve()
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for name, body in FAKES.items():
        (directory / name).write_text(f"#!/bin/sh\n{body}\n")
        (directory / name).chmod(0o755)

    def run(who, sudo, *packages):
        log = directory / "log"
        log.unlink(missing_ok=True)
        (directory / "log.lists").unlink(missing_ok=True)
        result = context.run(["tests/deps.sh", *packages], environment={
            "PATH": f"{directory}:{os.environ['PATH']}", "LOG": str(log), "WHO": who, "SUDO": sudo})
        return result, log.read_text().splitlines() if log.exists() else []

    result, calls = run("0", "no", "present1", "present2")
    check(result.status == 0 and not calls and not result.err, f"all is there\n{result}\n{calls}")
    for who, sudo in (("0", "no"), ("1000", "yes")):
        result, calls = run(who, sudo, "present1", "absent1", "absent2")
        check(result.status == 0 and len(calls) == 3, f"install, update, install\n{result}\n{calls}")
        check("--no-install-recommends absent1 absent2" in calls[2] and "present" not in calls[2], str(calls))
    result, calls = run("1000", "no", "present1", "absent1")
    check(result.status == 1 and not calls, f"not root\n{result}\n{calls}")
    command = "    apt-get update && apt-get install -y --no-install-recommends absent1\n"
    check(command in result.err, str(result))


def other_libdwarf(context):
    """LIBDWARF_PREFIX takes header and library from there alone, and says so when one is missing."""
    prefix = (context.scratch / "libdwarf").resolve()
    shutil.rmtree(prefix, ignore_errors=True)
    (prefix / "include").mkdir(parents=True)
    build = prefix / "build"
    command = ["make", "--no-print-directory", f"LIBDWARF_PREFIX={prefix}", f"B={build}", f"CC={context.cc}"]
    for missing in ("both", "library"):
        result = context.run([*command, "-n", "all"])
        check(result.status == 2 and f"no libdwarf.h in {prefix}/include, or no libdwarf in {prefix}/lib" in result.err,
              f"{missing}: {result}")
        (prefix / "include/libdwarf").mkdir(exist_ok=True)
        (prefix / "include/libdwarf/libdwarf.h").write_text("#error the copy of the prefix\n")
    (prefix / "lib").mkdir()
    (prefix / "lib/libdwarf.so").write_bytes(b"")
    result = context.good([*command, "-n", "all"])
    check(f"-L{prefix}/lib/ -Wl,-rpath,{prefix}/lib" in result.out, str(result))
    result = context.run([*command, str(build / "read/dwarf/handle.o")])
    check(result.status == 2 and "the copy of the prefix" in result.err, str(result))


def tests(context):
    yield Test("install/dependencies", lambda: dependencies(context))
    yield Test("install/files", lambda: install(context))
    yield Test("install/libdwarf", lambda: other_libdwarf(context))
    yield Test("install/completion", lambda: completion(context))
