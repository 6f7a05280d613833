#!/usr/bin/python3
"""Writes C files of random structs for the oracle tests, with the members lines that suites/probe.py reads.

Usage: tests/oracle/generate.py SEED [COUNT] [m32]    (the same seed gives the same file)
"""

import random
import sys

PREAMBLE = """\
typedef unsigned char u8;
typedef unsigned short u16;
typedef int s32;
typedef unsigned long long u64;
typedef int v4si __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef struct { int x, y; } point_t;
typedef union { u64 whole; u8 part[8]; } word_t;
typedef int (*handler_t)(int, const char *);
typedef s32 row_t[3];
enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, PLUS = 1 };
enum __attribute__((packed)) tiny { TINY_A, TINY_B };
struct opaque;
"""

# type, members as the members lines want them
SCALARS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
           "unsigned long", "long long", "unsigned long long", "float", "double", "long double", "_Bool", "u8", "u16",
           "s32", "u64", "enum color", "enum sign", "enum tiny", "double _Complex"]
ATOMICS = ["char", "short", "int", "long", "unsigned long long", "_Bool", "u16"]
BIT_TYPES = [("_Bool", 1, 1), ("char", 1, 8), ("signed char", 1, 8), ("u8", 1, 8), ("short", 2, 16),
             ("unsigned short", 2, 16), ("int", 4, 32), ("unsigned int", 4, 32), ("s32", 4, 32), ("enum color", 4, 32),
             ("enum sign", 4, 32), ("long long", 8, 64), ("u64", 8, 64)]
POINTERS = ["void *{}", "const char *{}", "struct opaque *{}", "struct opaque **{}", "int (*{})(void)", "handler_t {}",
            "void (*{})(int, ...)", "int (*(*{})(int))(char)", "int (*{})[4]", "const char *const {}",
            "volatile int *{}", "char *(*{}[2])(struct opaque *, long)", "struct opaque *restrict {}"]


class Generator:
    def __init__(self, seed, wide):
        self.random = random.Random(seed)
        self.wide = wide  # 64-bit: __int128 is there
        self.serial = 0
        self.done = []  # (name, members, packed): structs that later ones may contain

    def chance(self, share):
        return self.random.random() < share

    def name(self):
        self.serial += 1
        return f"m{self.serial}"

    def dims(self):
        return [self.random.choice([1, 2, 3, 5, 8]) for _ in range(self.random.choice([1, 1, 1, 2, 3]))]

    def attributes(self, share=0.08):
        """-> text, is it packed"""
        text, packed = "", False
        if self.chance(share):
            text += f" __attribute__((aligned({2 ** self.random.randrange(8)})))"
        if self.chance(share / 2):
            text += " __attribute__((packed))"
            packed = True
        return text, packed

    def aggregate(self, depth, indent):
        """-> declaration text up to and with the closing brace, members, packed"""
        kind = "union" if self.chance(0.15) else "struct"
        lines, spec, packed = [], [], False
        for _ in range(self.random.randrange(1, 5 if depth else 11)):
            text, more, is_packed = self.member(depth, indent + "\t")
            lines.append(text)
            spec += more
            packed |= is_packed
        if not spec:  # only unnamed bit-fields: C leaves that undefined
            lines.append(f"{indent}\tchar {self.name()};\n")
            spec.append(f"m{self.serial}")
        return kind, "{\n" + "".join(lines) + indent + "}", spec, packed

    def bit_fields(self, indent):
        text, spec, packed = "", [], False
        for _ in range(self.random.randrange(1, 6)):
            types = BIT_TYPES + ([("long", 8, 64), ("__int128", 16, 128)] if self.wide else [("long", 4, 32)])
            kind, size, bits = self.random.choice(types)
            if self.chance(0.12):
                width = self.random.choice([0, self.random.randrange(1, bits + 1)])
                text += f"{indent}{kind} : {width};\n"
                continue
            low = 3 if kind == "enum color" else 2 if kind == "enum sign" else 1
            width = bits if self.chance(0.1) else self.random.randrange(low, max(low, bits // 2) + 1)
            attributes, is_packed = self.attributes(0.04)
            packed |= is_packed
            name = self.name()
            text += f"{indent}{kind} {name} : {width}{attributes};\n"
            spec.append(f"{name}:{size}")
        return text, spec, packed

    def member(self, depth, indent):
        choice = self.random.random()
        attributes, packed = self.attributes()
        if choice < 0.15:
            return self.bit_fields(indent)
        name = self.name()
        if choice < 0.25:
            return f"{indent}{self.random.choice(POINTERS).format(name)}{attributes};\n", [name], packed
        if choice < 0.35 and depth < 3:
            kind, body, spec, inner_packed = self.aggregate(depth + 1, indent)
            packed |= inner_packed
            if self.chance(0.5):  # unnamed
                return f"{indent}{kind} {body}{attributes};\n", spec, packed
            tag = f"tag_of_{name} " if self.chance(0.4) else ""
            dims = self.dims() if self.chance(0.3) else []
            return (f"{indent}{kind} {tag}{body} {name}{''.join(f'[{n}]' for n in dims)}{attributes};\n",
                    [f"{name}{'[0]' * len(dims)}{{"] + spec + ["}"], packed)
        if choice < 0.42 and self.done:
            kind, spec, inner_packed = self.random.choice(self.done)
            dims = self.dims() if self.chance(0.3) else []
            return (f"{indent}{kind} {name}{''.join(f'[{n}]' for n in dims)}{attributes};\n",
                    [f"{name}{'[0]' * len(dims)}{{"] + spec + ["}"], packed or inner_packed)
        if choice < 0.46:
            kind, spec = self.random.choice([("point_t", ["x", "y"]), ("word_t", ["whole", "part"])])
            return f"{indent}{kind} {name}{attributes};\n", [f"{name}{{"] + spec + ["}"], packed
        if choice < 0.50:
            kind = self.random.choice(["v4si", "v2df", "row_t"])
            return f"{indent}{kind} {name}{attributes};\n", [name], packed
        if choice < 0.55:
            # not of 64 bits on i386, where gcc aligns a struct of one such member as if it were not atomic
            kinds = ATOMICS if self.wide else [kind for kind in ATOMICS if "long long" not in kind]
            return f"{indent}_Atomic {self.random.choice(kinds)} {name}{attributes};\n", [name], packed
        scalars = SCALARS + (["__int128", "unsigned __int128"] if self.wide else [])
        qualifier = self.random.choice(["const ", "volatile ", "const volatile "]) if self.chance(0.1) else ""
        dims = self.dims() if self.chance(0.25) else [0] if self.chance(0.02) else []
        bounds = "".join(f"[{n}]" for n in dims)
        return (f"{indent}{qualifier}{self.random.choice(scalars)} {name}{bounds}{attributes};\n", [name], packed)

    def struct(self, number):
        kind, body, spec, packed = self.aggregate(0, "")
        flexible = kind == "struct" and self.chance(0.08)
        if flexible:
            name = self.name()
            body = body[:-1] + f"\t{self.random.choice(SCALARS)} {name}[];\n}}"
            spec = ["first", *spec, f"{name}[]"]
            body = body.replace("{\n", "{\n\tint first;\n", 1)
        attributes, is_packed = self.attributes(0.15)
        packed |= is_packed
        if self.chance(0.2):
            name = f"type{number}"
            text = f"typedef {kind} {body}{attributes} {name};\n"
        else:
            name = f"{kind} s{number}"
            text = f"{name} {body}{attributes};\n"
        if not flexible and len(spec) < 30:
            self.done.append((name, spec, packed))
        mark = "(packed)" if packed else ""
        return f"// members{mark}: {name}: {' '.join(spec)}\n{text}{name} object{number};\n\n"


def generate(seed, count, wide):
    generator = Generator(seed, wide)
    return PREAMBLE + "\n" + "".join(generator.struct(number) for number in range(count))


if __name__ == "__main__":
    structs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    sys.stdout.write(generate(int(sys.argv[1]), structs, "m32" not in sys.argv))
