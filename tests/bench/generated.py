"""Programs with as much debug information as one likes, compiled from generated sources, for time against size.

As in a kernel, every unit includes the same headers (HEADERS of them, each with all its structs emitted, as the compiler does
for those that are used), has some structs of its own, and functions with variables and inlined calls, which are most of the
debug information. There are UNITS sources; a larger program is linked from the same objects, again and again: the number of
distinct layouts stays, the number of definitions grows with the file. Everything comes from fixed seeds.
"""

import concurrent.futures
import random
import subprocess

UNITS = 12          # sources, and objects
HEADERS = 3
HEADER_STRUCTS = 150
OWN_STRUCTS = 12    # of a unit
FUNCTIONS = 90      # of a unit

SCALARS = ("char", "short", "int", "unsigned", "long", "unsigned long", "unsigned char", "float", "double", "void *")


def member(rng, index, earlier):
    kind = rng.randrange(12)
    name = f"{rng.choice(('list', 'count', 'state', 'flags', 'data', 'next', 'lock', 'private', 'owner', 'size'))}_{index}"
    if kind < 5 or not earlier:
        return f"{rng.choice(SCALARS)} {name};"
    if kind < 8:
        return f"struct {rng.choice(earlier)} *{name};"
    if kind == 8:
        return f"struct {rng.choice(earlier[:20])} {name};"
    if kind == 9:
        return f"{rng.choice(SCALARS)} {name}[{rng.randrange(1, 17)}];"
    if kind == 10:
        return f"int (*{name})(struct {rng.choice(earlier)} *, {rng.choice(SCALARS)});"
    return f"union {{ long {name}_l; {rng.choice(SCALARS)} {name}_u; struct {{ unsigned {name}_a : 3, {name}_b : 13; }}; }};"


def structs(rng, prefix, count, earlier):
    text = []
    for index in range(count):
        name = f"{prefix}_{index}"
        members = " ".join(member(rng, at, earlier) for at in range(rng.randrange(2, 15)))
        text.append(f"struct {name} {{ {members} }};\n")
        if index % 4 == 0:
            text.append(f"typedef struct {{ {rng.choice(SCALARS)} value; struct {name} *of; }} {name}_t;\n")
        earlier.append(name)
    return "".join(text)


def functions(rng, prefix, count, known):
    text = [f"static inline __attribute__((always_inline)) long {prefix}_step(long n, void *p)\n"
            "{ long a = n * 3; for (long i = 0; i < a; i++) { long t = a ^ i; a += t + (p != 0); } return a; }\n"]
    for index in range(count):
        first, second = rng.choice(known), rng.choice(known)
        text.append(f"long {prefix}_{index}(struct {first} *a, struct {second} *b, long n)\n"
                    f"{{ struct {first} here = *a; long sum = {prefix}_step(n, b); if (n > {index}) {{ long more = sum * n; "
                    f"sum += {prefix}_step(more, &here); }} return sum + sizeof(*b); }}\n")
    return "".join(text)


def write_sources(directory):
    """The paths of UNITS sources, which include the headers beside them."""
    rng, earlier = random.Random(1), []
    for index in range(HEADERS):
        (directory / f"h{index}.h").write_text(structs(rng, f"kernel{index}", HEADER_STRUCTS, earlier))
    sources = []
    for index in range(UNITS):
        rng, known = random.Random(100 + index), list(earlier)
        source = directory / f"u{index}.c"
        source.write_text("".join(f'#include "h{header}.h"\n' for header in range(HEADERS)) +
                          structs(rng, f"own{index}", OWN_STRUCTS, known) +
                          functions(rng, f"work{index}", FUNCTIONS, known))
        sources.append(source)
    return sources


def run(*argv, cwd=None):
    done = subprocess.run([str(word) for word in argv], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench: {' '.join(map(str, argv))[:200]}: {done.stderr.strip()[:400]}")
    return done.stdout


def compile_all(sources, compiler, flags, tag, jobs=2):
    """Objects beside the sources, u0.TAG.o and so on."""
    def one(source):
        target = source.with_suffix(f".{tag}.o")
        run(*compiler, "-g", "-fPIC", "-w", "-fno-eliminate-unused-debug-types", *flags, "-c", source, "-o", target,
            cwd=source.parent)
        return target
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, sources))


def link(objects, copies, target):
    """All objects, `copies` times (a fraction: of the first ones), as one library."""
    count = max(1, round(copies * len(objects)))
    chosen = [objects[index % len(objects)] for index in range(count)]
    run("ld", "-shared", "--allow-multiple-definition", "-o", target, *chosen)
    return target
