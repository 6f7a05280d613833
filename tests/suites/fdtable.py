"""fdtable/: the tests of the reference fd table (samples/fdtable), for each variant that was built for it: its unit
tests, validate, the builds that validate must find broken, spin's models, the sanitizers, valgrind."""

import re
import shutil

from . import fdtable_models, fdtable_mutants, unit
from .common import Failure, Skip, Test, check

SANITIZED = ["dumazet-2005-long-seqcount-lock", "best-resize-batch", "best-best-batch"]
PLACE = "samples/fdtable"

# A report is an abort's worth; the exit status says so.
SANITIZERS = {"thread": {"TSAN_OPTIONS": "exitcode=66 second_deadlock_stack=1"},
              "address": {"ASAN_OPTIONS": "exitcode=66 detect_leaks=1"}}


def build_of(context, sanitize):
    return context.root / "build" / f"fdtable-{sanitize}" if sanitize else context.build.resolve()


def make(context, sanitize, targets):
    """Makes targets below samples/fdtable of a build; tests/run was given no more than the plain one."""
    place = build_of(context, sanitize)
    context.good(["make", "--no-print-directory", "-s", "-j2", f"CC={context.cc}", f"SANITIZE={sanitize}", f"B={place}",
                  *(place / PLACE / target for target in targets)], timeout=600)
    return place / PLACE


def validate(context, program, *args, **options):
    result = context.good([program.resolve(), *args], timeout=300, **options)
    check("BROKEN" not in result.out and "holds" in result.out, str(result))


# -- the broken builds

def source_of(context, mutant):
    text = (context.root / PLACE / mutant.file).read_text()
    check(text.count(mutant.old) == 1, f"{mutant.file} has the text of the mutant {mutant.name} "
          f"{text.count(mutant.old)} times; tests/suites/fdtable_mutants.py says what is replaced")
    return text.replace(mutant.old, mutant.new)


def write_if_new(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def must_be_caught(context, mutant, program):
    # Two rounds at most; patience is only spent on a thread that is stuck as it should be.
    result = context.run([program, "-n", "4", "-w", "300", mutant.property], timeout=120, may_crash=True,
                         environment=SANITIZERS.get(mutant.sanitize))
    check(result.status != 0, f"validate finds nothing wrong with {mutant.name}\n{result}")
    check(re.search(mutant.says, result.out + result.err), f"{mutant.name} is found, but not for what it is\n{result}")


def mutants(context, sanitize):
    """All that go into one build: one make, then a result for each."""
    group = [mutant for mutant in fdtable_mutants.MUTANTS if mutant.sanitize == sanitize]
    targets = {mutant.name: f"{mutant.variant}/mutants/{mutant.name}/validate" for mutant in group}
    for mutant in group:
        write_if_new((build_of(context, sanitize) / PLACE / targets[mutant.name]).with_name("mutant.c"),
                     source_of(context, mutant))
    place = make(context, sanitize, targets.values())
    results = []
    for mutant in group:
        try:
            must_be_caught(context, mutant, place / targets[mutant.name])
            results.append((mutant.name, None))
        except Failure as failure:
            results.append((mutant.name, str(failure)))
    return results


# -- sanitizers, valgrind

def sanitized(context, sanitize, variant):
    place = make(context, sanitize, [f"{variant}/points/validate/validate", f"{variant}/points/test_fdtable"])
    environment = SANITIZERS[sanitize]
    validate(context, place / variant / "points/validate/validate", "-n", "1", environment=environment)
    # All 2^20 numbers take long when each access is looked at.
    result = context.good([place / variant / "points/test_fdtable", "test_all"], timeout=300, environment=environment)
    check("test_storm" in result.out + result.err, str(result))


def memcheck(context, program):
    if not shutil.which("valgrind"):
        raise Skip("no valgrind")
    # Only what is lost for certain: the thread of liburcu's lives on, and so does what it was given.
    result = context.good(["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite",
                           "--errors-for-leak-kinds=definite", "--error-exitcode=9", program.resolve(), "-n", "1"],
                          timeout=300)
    check(result.out.count("holds") == 9, str(result))


def tests(context):
    place = context.build / PLACE
    for program in sorted(place.glob("*/test_fdtable")):
        yield Test(f"fdtable/{program.parent.name}", lambda program=program: unit.run(context, program.resolve()))
    programs = sorted(place.glob("*/points/validate/validate"))
    for program in programs:
        yield Test(f"fdtable/validate/{program.parts[-4]}", lambda program=program: validate(context, program))
    yield from fdtable_models.tests(context)
    if context.sanitized:
        return
    yield Test("fdtable/mutants", lambda: mutants(context, ""))
    yield Test("fdtable/mutants-thread", lambda: mutants(context, "thread"))
    for sanitize in SANITIZERS:
        for variant in SANITIZED:
            yield Test(f"fdtable/{sanitize}/{variant}",
                       lambda sanitize=sanitize, variant=variant: sanitized(context, sanitize, variant))
    for program in programs:
        if program.parts[-4] == "best-best-batch":
            yield Test("fdtable/valgrind", lambda program=program: memcheck(context, program))
