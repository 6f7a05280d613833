"""install/: make install puts everything where it belongs, and it works from there."""

import shutil

from .common import Test, check


def install(context):
    target = (context.scratch / "install").resolve()
    shutil.rmtree(target, ignore_errors=True)
    # a make of its own: the one that runs this must not hand down its jobs
    context.good(["make", "--no-print-directory", f"B={context.build}", f"CC={context.cc}", "PREFIX=/usr", f"DESTDIR={target}",
                  *([f"SANITIZE={context.environment['SANITIZE']}"] if context.sanitized else []), "install"])
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    wanted = {"usr/bin/linelint", "usr/share/bash-completion/completions/linelint"}
    wanted |= {f"usr/share/man/man{page.suffix[1:]}/{page.name}" for page in (context.root / "man").glob("*.[1-9]")}
    wanted |= {f"usr/share/linelint/layouts/{profile.name}" for profile in (context.root / "layouts").glob("*.yaml")}
    wanted |= {f"usr/share/linelint/schema/{schema.name}" for schema in (context.root / "samples/schema").glob("*.json")}
    check(found == wanted, f"missing: {sorted(wanted - found)}; too many: {sorted(found - wanted)}")
    result = context.good([target / "usr/bin/linelint", "--version"])
    check(result.out.startswith("linelint "), str(result))


def completion(context):
    """The completion is bash, and offers the verbs and options that there are."""
    path = context.root / "samples/completion/linelint.bash"
    script = f'source {path}; COMP_WORDS=(linelint x.o ""); COMP_CWORD=2; _linelint; printf "%s\\n" "${{COMPREPLY[@]}}"'
    verbs = context.good(["bash", "-c", script]).out.split()
    for verb in ("struct", "list", "check"):
        check(verb in verbs, f"{verb} is not offered, but {verbs}")
    script = script.replace('x.o ""', '--').replace("CWORD=2", "CWORD=1")
    options = context.good(["bash", "-c", script]).out.split()
    for option in ("--profile", "--format", "--line-size"):
        check(option in options, f"{option} is not offered, but {options}")


def tests(context):
    yield Test("install/files", lambda: install(context))
    yield Test("install/completion", lambda: completion(context))
