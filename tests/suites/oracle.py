"""oracle/: every offset, size, alignment, bit and type name against the compiler that made the binary.

The C files are those of tests/golden that have members lines, and random ones of tests/oracle/generate.py; see
probe.py. Each is compiled in several ways, and a program beside it says where the members are.
"""

import re
import sys

from . import golden, probe
from .common import Failure, Test, check

sys.path.insert(0, str(__import__("pathlib").Path(__file__).resolve().parents[1] / "oracle"))
import generate  # noqa: E402

# name: compiler, flags, linked
WAYS = {
    "gcc-5": ("gcc", ["-gdwarf-5", "-O0"], False),
    "gcc-5-O2-linked": ("gcc", ["-gdwarf-5", "-O2"], True),
    "gcc-4-O2": ("gcc", ["-gdwarf-4", "-O2"], False),
    "gcc-4-linked": ("gcc", ["-gdwarf-4", "-O0"], True),
    "gcc-3": ("gcc", ["-gdwarf-3", "-gstrict-dwarf", "-O0"], False),
    "gcc-2-linked": ("gcc", ["-gdwarf-2", "-gstrict-dwarf", "-O0"], True),
    "gcc-5-gz": ("gcc", ["-gdwarf-5", "-gz", "-O0"], False),
    "gcc-5-relocs-linked": ("gcc", ["-gdwarf-5", "-O0", "-Wl,--emit-relocs"], True),
    "gcc-5-64-bit": ("gcc", ["-gdwarf-5", "-gdwarf64", "-O0"], False),
    "gcc-5-type-units": ("gcc", ["-gdwarf-5", "-fdebug-types-section", "-O0"], False),
    "gcc-4-type-units": ("gcc", ["-gdwarf-4", "-fdebug-types-section", "-O0"], False),
    "gcc-4-type-units-linked": ("gcc", ["-gdwarf-4", "-fdebug-types-section", "-O2"], True),
    "gcc-5-m32": ("gcc", ["-gdwarf-5", "-O1", "-m32"], False),
    "clang-5": ("clang", ["-gdwarf-5", "-O0"], False),
    "clang-5-O2-linked": ("clang", ["-gdwarf-5", "-O2"], True),
    "clang-4-linked": ("clang", ["-gdwarf-4", "-O0"], True),
    "clang-4-O2": ("clang", ["-gdwarf-4", "-O2"], False),
    "clang-4-m32-linked": ("clang", ["-gdwarf-4", "-O1", "-m32"], True),
}
FLAGS = ["-std=gnu11", "-w", "-Wno-packed-bitfield-compat"]
RANDOM_STRUCTS = 100  # for each way


def compare(context, directory, source, way, is_random=False):
    """Compiles `source` in one way, and compares."""
    compiler, flags, linked = WAYS[way]
    if "-m32" in flags:
        context.need_m32(compiler, link=True)
    directory.mkdir(parents=True, exist_ok=True)
    structs = probe.parse(source.read_text())

    asker = directory / "probe.c"
    asker.write_text(probe.program(source.resolve(), structs))
    context.compile(compiler, [*FLAGS, *flags], [asker], directory / "probe")
    truths = probe.read(context.good([(directory / "probe").resolve()]).out, structs)

    binary = directory / "probe" if linked else directory / "object.o"
    if not linked:
        context.compile(compiler, [*FLAGS, *flags, "-c"], [source], binary)
    reports = context.json(binary, "struct", *(struct.name for struct in structs))["structs"]
    check(len(reports) == len(structs), f"{len(structs)} asked for, {len(reports)} told")

    # Before DWARF 5 compilers keep alignments to themselves; clang states attributes that ask for less than there is.
    compare_align = "-gdwarf-5" in flags and (compiler == "gcc" or not is_random)
    faults = [fault for struct, truth, report in zip(structs, truths, reports)
              for fault in probe.compare(struct, truth, report, compare_align)]
    if faults:
        raise Failure("\n".join([*faults[:20], f"{len(faults)} in all; the binary is {binary}"]))

    typed = directory / "types.c"
    typed.write_text(probe.type_assertions(source.resolve(), structs, reports))
    # clang has no word for atomics before DWARF 5
    without = ["-D_Atomic="] if compiler == "clang" and "-gdwarf-4" in flags else []
    context.good([compiler, *FLAGS, *flags, *without, "-fsyntax-only", typed])


def random(context, way, number):
    directory = context.scratch / "oracle" / f"random-{way}"
    directory.mkdir(parents=True, exist_ok=True)
    source = directory / "random.c"
    seed = context.seed * 1000 + number
    source.write_text(generate.generate(seed, RANDOM_STRUCTS, wide="-m32" not in WAYS[way][1]))
    try:
        compare(context, directory, source, way, is_random=True)
    except Failure as failure:
        raise Failure(f"{failure}\nfrom tests/oracle/generate.py {seed} {RANDOM_STRUCTS}") from None


def tests(context):
    for number, way in enumerate(WAYS):
        yield Test(f"oracle/random/{way}", lambda w=way, n=number: random(context, w, n))
    for source in golden.sources(context):
        text = source.read_text()
        if source.suffix != ".c" or not re.search(r"^// members", text, re.M):
            continue
        without = golden.directive(text, "not").split()
        for way in WAYS:
            if any(word in way for word in without):
                continue
            directory = context.scratch / "oracle" / f"{source.stem}-{way}"
            yield Test(f"oracle/{source.stem}/{way}",
                       lambda d=directory, s=source, w=way: compare(context, d, s, w))
