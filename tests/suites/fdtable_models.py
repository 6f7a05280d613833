"""Models of the fd table (samples/fdtable/model), checked by spin to the last state: each holds, and each mutant is
found."""

import re
import shutil

from .common import Failure, Skip, Test, check

# (model, what is defined): what must hold; and what must not.
HOLD = [
    ("array", "POLICY=LOCK GROWTHS=2"),
    ("array", "POLICY=SEQCOUNT"),
    ("array", "POLICY=RESIZE"),
    ("claim", ""),
    ("full", ""),
    ("get", ""),
    ("get", "REUSABLE"),
]
BREAK = [
    ("array", "POLICY=LOCK NO_LOCK"),
    ("array", "POLICY=SEQCOUNT NO_RETRY"),
    ("array", "POLICY=SEQCOUNT NO_MARKS"),
    ("array", "POLICY=SEQCOUNT HOLE_OF_2015"),
    ("array", "POLICY=RESIZE NO_FLAG"),
    ("array", "POLICY=RESIZE NO_WAIT"),
    ("array", "POLICY=LOCK NO_GRACE"),
    ("claim", "NO_SWAP"),
    ("claim", "NO_LOOK_AGAIN"),
    ("claim", "CLOSE_WITHOUT_SWAP"),
    ("full", "NO_VERSION"),
    ("full", "MARK_FIRST"),
    ("get", "REUSABLE NO_SECOND_LOOK"),
    ("get", "NO_ZERO_CHECK"),
    ("get", "NO_GRACE"),
]

# More than any of them has: a search that ends at a bound proves nothing, and says so.
DEPTH, STATES, MEBIBYTES = 20000, 3000000, 1500


def search(context, model, defines):
    """-> (errors, states, what was said); the search was exhaustive, or ended at the first error."""
    if not shutil.which("spin"):
        raise Skip("no spin")
    place = (context.scratch / "model" / re.sub(r"\W+", "-", f"{model}-{defines}")).resolve()
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    source = context.root / "samples/fdtable/model" / f"{model}.pml"
    context.good(["spin", *(f"-D{name}" for name in defines.split()), "-a", source], cwd=place)
    # spin's programs are C of another time.
    context.good([context.cc, "-w", "-O1", "-DSAFETY", "-DMEMLIM=%d" % MEBIBYTES, "-o", "pan", "pan.c"], cwd=place)
    result = context.run([place / "pan", f"-m{DEPTH}", "-n"], cwd=place, timeout=300)
    errors = re.search(r"errors: (\d+)", result.out)
    states = re.search(r"(\d+) states, stored", result.out)
    check(errors and states, str(result))
    if int(errors[1]) == 0:
        check(not re.search(r"not completed|too small|out of memory|truncated", result.out), str(result))
    return int(errors[1]), int(states[1]), str(result)


def holds(context, model, defines):
    errors, states, said = search(context, model, defines)
    check(errors == 0, said)
    check(100 < states < STATES, f"{states} states: too few to mean anything, or too many for every day\n{said}")


def breaks(context, model, defines):
    errors, _, said = search(context, model, defines)
    check(errors > 0 and "assertion violated" in said, f"spin finds nothing wrong with {defines}\n{said}")


def tests(context):
    for model, defines in HOLD:
        name = " ".join([model, *defines.split()]).replace("POLICY=", "")
        yield Test(f"fdtable/model/{name.replace(' ', '-').lower()}",
                   lambda model=model, defines=defines: holds(context, model, defines))
    for model, defines in BREAK:
        name = " ".join([model, *defines.split()]).replace("POLICY=", "")
        yield Test(f"fdtable/model/{name.replace(' ', '-').lower()}",
                   lambda model=model, defines=defines: breaks(context, model, defines))
