#!/usr/bin/python3
"""Random C++ classes, each with a probe that says where its parts are: generate.py SEED COUNT ALIGNED OVERLAPPING

What the program prints, a line each: `S name size align`, `B path offset size` (a base; the names from the outside in, behind
the last virtual one; its size as the offset of a char in a class derived from it), `M path offset size`, `F path offset bit bits`.
"""

import random
import sys

PLAIN = ["char", "short", "int", "long", "double", "void *", "long double", "bool"]

PRELUDE = r"""
#include <cstdio>
#include <cstring>
static unsigned long off(const void *part, const void *whole) { return (const char *)part - (const char *)whole; }
static void bits(const void *before, const void *after, unsigned long size, const char *path)
{
	unsigned long first = 0, count = 0;
	for (unsigned long bit = 0; bit < size * 8; bit++) {
		int changed = ((const unsigned char *)before)[bit / 8] ^ ((const unsigned char *)after)[bit / 8];
		if (changed >> bit % 8 & 1 && !count++)
			first = bit;
	}
	printf("F %s %lu %lu %lu\n", path, first / 8, first % 8, count);
}
#define BITS(path, field) do { \
		memcpy(before, (void *)&o, sizeof(o)); \
		field = ~0U; \
		bits(before, &o, sizeof(o), path); \
	} while (0)
"""


class Class:
    def __init__(self, name):
        self.name = name
        self.bases = []  # (Class, is virtual)
        self.members = []  # (declaration, name, is bit-field)
        self.virtual_function = self.constructor = self.private = False
        self.literal = True  # its constructor may be constexpr: nothing virtual is in its bases, nor in those of its members
        self.align = 0
        self.vague = False  # debug information does not say how much it takes as a base: for all it tells, its last member may overlap

    def ancestors(self):
        found = {self.name}
        for base, _ in self.bases:
            found |= base.ancestors()
        return found

    def virtual_ancestors(self):
        found = set()
        for base, is_virtual in self.bases:
            found |= base.virtual_ancestors() | ({base.name} if is_virtual else set())
        return found

    def virtual_bases(self):
        """In the order of the graph, once each."""
        found = []
        for base, is_virtual in self.bases:
            for one in ([base] if is_virtual else []) + base.virtual_bases():
                if one not in found:
                    found.append(one)
        return found


def make(name, earlier, rng, aligned, overlapping):
    made = Class(name)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 2, 3])):
        if not earlier:
            break
        base = rng.choice(earlier)
        is_virtual = rng.random() < 0.4
        have = set().union(*(b.ancestors() for b, _ in made.bases)) if made.bases else set()
        shared = have & base.ancestors()
        virtual = base.virtual_ancestors() | ({base.name} if is_virtual else set())
        for other, was_virtual in made.bases:
            virtual_there = other.virtual_ancestors() | ({other.name} if was_virtual else set())
            # what both have must be one: virtual on both sides, with all that leads to it
            if any(one not in virtual or one not in virtual_there for one in shared & other.ancestors()):
                break
        else:
            if all(base is not b for b, _ in made.bases):
                made.bases.append((base, is_virtual))
    for number in range(rng.choice([0, 0, 1, 1, 2, 3, 4])):
        member = f"{name.lower()}_{number}"
        kind = rng.random()
        if kind < 0.2:
            made.members.append((f"unsigned {member} : {rng.randint(1, 31)}", member, True))
        elif kind < 0.3:
            made.members.append((f"{rng.choice(PLAIN)} {member}[{rng.randint(1, 3)}]", member, False))
        elif kind < 0.45 and earlier:
            made.members.append((f"{rng.choice(earlier).name} {member}", member, False))
        elif kind < 0.45 + overlapping and earlier:
            made.members.append((f"[[no_unique_address]] {rng.choice(earlier).name} {member}", member, False))
            made.vague = True
        else:
            made.members.append((f"{rng.choice(PLAIN)} {member}", member, False))
    if not overlapping and made.members and made.members[-1][0].startswith("C"):
        # it might be [[no_unique_address]], for all that debug information says
        made.members.append((f"double {name.lower()}_last", f"{name.lower()}_last", False))
    inside = [one for one in earlier for declaration, _, _ in made.members if f"{one.name} " in declaration]
    made.literal = not made.virtual_bases() and all(one.literal for one in inside + [base for base, _ in made.bases])
    made.virtual_function = rng.random() < 0.3
    made.constructor = rng.random() < 0.3
    made.private = rng.random() < 0.2
    made.align = 64 if (made.members or overlapping) and rng.random() < aligned else 0
    made.vague |= any(one.vague and f"{one.name} " in declaration for one in earlier for declaration, _, _ in made.members)
    made.vague |= any(base.vague for base, _ in made.bases)
    return made


def define(one):
    bases = ", ".join(("virtual " if is_virtual else "") + base.name for base, is_virtual in one.bases)
    align = f"alignas({one.align}) " if one.align else ""
    lines = [f"struct {align}{one.name}{' : ' + bases if bases else ''} {{"]
    if one.virtual_function:
        lines.append(f"\tvirtual void f_{one.name}() {{}}")
    if one.constructor:
        if one.literal:  # so that tests/corpus can ask for constants
            parts = [f"{base.name}()" for base, _ in one.bases] + [f"{member}()" for _, member, _ in one.members]
            lines.append(f"\tconstexpr {one.name}(){' : ' if parts else ''}{', '.join(parts)} {{}}")
        else:
            lines.append(f"\t{one.name}() {{}}")
    if one.private:
        lines.append("private:")
    lines += [f"\t{declaration};" for declaration, _, _ in one.members]
    return "\n".join(lines + ["};", f"struct Behind{one.name} : {one.name} {{ char behind; }};",
                              f"{one.name} an_{one.name};"]) + "\n"


def parts(one, path, cast, out):
    """Bases that are not virtual, and members, of what `cast` is."""
    for base, is_virtual in one.bases:
        if not is_virtual:
            inner = f"static_cast<{base.name} &>({cast})"
            put_base(base, path + [base.name], inner, out)
            parts(base, path + [base.name], inner, out)
    for _, member, is_bits in one.members:
        text = ".".join(path + [member])
        if is_bits:
            out.append(f'\tBITS("{text}", {cast}.{member});')
        else:
            out.append(f'\tprintf("M {text} %lu %lu\\n", off(&({cast}.{member}), &o), '
                       f'(unsigned long)sizeof({cast}.{member}));')


def put_base(base, path, cast, out):
    out.append(f'\tprintf("B {".".join(path)} %lu %ld\\n", off(&{cast}, &o), '
               + ("-1L);" if base.vague else f'off(&behind_{base.name}.behind, &behind_{base.name}));'))


def probe(one):
    """A function that prints it all."""
    out = [f"static void probe_{one.name}()\n{{",
           f'\tprintf("S {one.name} %lu %lu\\n", (unsigned long)sizeof({one.name}), (unsigned long)alignof({one.name}));']
    body = []
    parts(one, [], "o", body)
    for base in one.virtual_bases():
        inner = f"static_cast<{base.name} &>(o)"
        put_base(base, [base.name], inner, body)
        parts(base, [base.name], inner, body)
    # a real object: the way to a virtual base goes through its tables
    out.append(f"\tstatic {one.name} o;\n\tstatic char before[sizeof(o)];")
    return "\n".join(out + body + ["}"]) + "\n"


def generate(seed, count, aligned, overlapping):
    """Shares of classes with alignas, of members with [[no_unique_address]] -> what written() gives"""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        earlier = made[-8:]
        made.append(make(f"C{number}", earlier, rng, aligned, overlapping))
    return written(made)


def empties():
    """Classes whose empty bases end behind their data (Itanium C++ ABI 2.4: nvsize counts them, dsize does not)."""
    made = {}

    def add(name, bases="", members="", align=0, function=False):
        one = Class(name)
        one.bases = [(made[base.strip("+")], base.startswith("+")) for base in bases.split()]
        one.members = [(f"{kind} {name.lower()}_{kind}", f"{name.lower()}_{kind}", False) for kind in members.split()]
        one.align, one.virtual_function = align, function
        made[name] = one

    add("Empty")
    add("Aligned", align=64)
    add("Aligned8", align=8)
    add("Other1", "Empty")
    add("Other2", "Empty")
    add("Other3", "Empty")
    add("Twice", "Other1 Other2")  # 2 bytes, though empty
    add("BehindTwice1", "Twice", "char")
    add("BehindTwice2", "BehindTwice1", "char")
    add("Wide", "Aligned", "int")
    add("Wide2", "Wide", "char")
    add("Wide3", "Wide2 Other1", "long")
    add("Dynamic", "", "int", function=True)
    add("Apart", "Aligned +Dynamic", "int")  # virtual bases begin behind the data
    add("Apart2", "Apart", "char")
    add("Virtual", "+Aligned", "int")
    add("Virtual2", "Virtual", "char")
    add("VirtualTwice", "+Twice", "char")
    add("VirtualTwice2", "VirtualTwice +Other3", "char")
    add("Narrow", "Aligned8", "char")
    add("Narrow2", "Narrow", "char")
    add("Raised", "+Wide", "char")  # aligned to 64 by a virtual base: as a base it is not
    add("Raised2", "Dynamic Raised", "char")
    return written(list(made.values()))


def written(made):
    """-> (declarations, the probe's program, which includes them as CLASSES)"""
    declarations = "".join(define(one) for one in made)
    program = PRELUDE + "#include CLASSES\n" + "".join(
        f"static Behind{one.name} behind_{one.name};\n" for one in made) + "".join(
        probe(one) for one in made) + "int main()\n{\n" + "".join(
        f"\tprobe_{one.name}();\n" for one in made) + "}\n"
    return declarations, program


if __name__ == "__main__":
    for text in generate(*map(int, sys.argv[1:3]), *map(float, sys.argv[3:5])):
        print(text)
