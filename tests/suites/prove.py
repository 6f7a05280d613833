"""prove/: every offset that an order states, against compilers.

Random structs are compiled, tests/prove/orders.c states orders of their members (random legal ones, and what is suggested
for a random profile) with size, alignment and every offset; the structs are then written in these orders, compiled, and
must be exactly so. The definitions that suggestions print must be, too.
"""

import dataclasses
import json
import random
import re

from .common import Failure, Test, check

# name: compiler, flags
WAYS = {
    "gcc": ("gcc", ["-gdwarf-5"]),
    "gcc-m32": ("gcc", ["-gdwarf-5", "-m32"]),
    "gcc-4": ("gcc", ["-gdwarf-4"]),
    "gcc-4-strict": ("gcc", ["-gdwarf-4", "-gstrict-dwarf"]),
    "clang": ("clang", ["-gdwarf-5"]),
    "clang-m32": ("clang", ["-gdwarf-5", "-m32"]),
    "clang-4": ("clang", ["-gdwarf-4"]),
}
FLAGS = ["-std=gnu11", "-w", "-O0", "-Wno-packed-bitfield-compat"]
KINDS = ["plain", "bits", "wide", "aligned", "packed", "flexible", "nested-flexible", "groups", "unnamed", "mixed"]
# Before DWARF 5 compilers state alignments only as an extension: strict ones none, clang those of typedefs not. What no
# gap shows is not known then.
UNSTATED = {"gcc-4-strict", "clang-4"}
UNSTATED_KINDS = ["plain", "bits", "wide", "flexible", "nested-flexible", "groups"]
STRUCTS = 36  # of each kind, each way
ORDERS = 4  # random ones of each struct

SCALARS = ["char", "signed char", "short", "int", "unsigned int", "long", "unsigned long", "long long", "float", "double",
           "_Bool", "void *", "enum color", "enum tiny"]
BIT_TYPES = [("_Bool", 1), ("char", 8), ("unsigned char", 8), ("short", 16), ("unsigned short", 16), ("int", 32),
             ("unsigned int", 32), ("enum color", 32), ("long long", 64), ("unsigned long long", 64)]
PREAMBLE = """
#define complex _Complex
enum color { RED, GREEN = 5, BLUE };
enum __attribute__((packed)) tiny { TINY_A, TINY_B };
struct pair { void *next, *prev; };
struct count { int value; };
struct odd { char c[3]; };
struct mixed { char c; long l; };
struct tight { short a; short b; int c; };
struct tail { long l; char c; };
struct packed_pair { int a; int b; } __attribute__((packed));
struct packed_odd { char c; long l; } __attribute__((packed));
struct packed_two { char c; int i; short s; } __attribute__((packed, aligned(2)));
struct line { long l; } __attribute__((aligned(64)));
struct half { int i[8]; } __attribute__((aligned(32)));
struct eight { int i[2]; } __attribute__((aligned(8)));
struct empty { };
struct flags { unsigned a : 3, b : 5; };
struct hidden { unsigned a : 3; unsigned : 29; };
union either { int i; char c[6]; };
union same { unsigned u; float f; };
typedef int loose __attribute__((aligned(2)));
typedef int strict __attribute__((aligned(16)));
typedef int vector __attribute__((vector_size(16)));
struct open { int n; char bytes[]; };
struct open_wide { long n; long words[]; };
struct opens { int n; struct open inner; };
"""
NESTED = ["struct pair", "struct count", "struct odd", "struct mixed", "struct tight", "struct tail", "union either", "union same",
          "struct flags"]
STRANGE = ["struct packed_pair", "struct packed_odd", "struct hidden", "struct empty"]
STATED = ["struct packed_two", "struct half", "struct eight", "loose", "strict"]
WIDE = ["__int128", "long double", "unsigned __int128", "vector", "double _Complex", "long double _Complex"]
WIDE_M32 = ["long double", "vector", "double _Complex", "long long", "double"]


@dataclasses.dataclass
class Unit:
    text: str  # its declaration
    names: list  # of its members; the first of an unnamed aggregate
    bits: dict  # of bit-fields: name -> type


@dataclasses.dataclass
class Struct:
    name: str
    units: list
    attributes: str


class Generator:
    def __init__(self, seed, wide, full, stated, hidden=0.12):
        self.random = random.Random(seed)
        self.wide = wide
        self.stated = stated  # debug information has alignments
        self.hidden = hidden  # how often there are unnamed bit-fields
        self.full = full  # gcc tells bit-fields that are as wide as their types, and their alignments; clang does not
        self.serial = 0

    def name(self):
        self.serial += 1
        return f"m{self.serial}"

    def chance(self, share):
        return self.random.random() < share

    def plain(self, attributes=""):
        kind = self.random.choice(SCALARS + NESTED if self.chance(0.8) else STRANGE + STATED * self.stated)
        name = self.name()
        # (elements may not be aligned to more than their size)
        dims = f"[{self.random.choice([1, 2, 3, 5, 8, 16])}]" if self.chance(0.25) and kind != "strict" else ""
        return Unit(f"{kind} {name}{dims}{attributes};", [name], {})

    def wide_member(self):
        name = self.name()
        return Unit(f"{self.random.choice(WIDE if self.wide else WIDE_M32)} {name};", [name], {})

    def aligned(self):
        return self.plain(f" __attribute__((aligned({self.random.choice([2, 4, 8, 16, 16, 32, 64, 64, 128])})))")

    def unnamed_bits(self):
        kind, bits = self.random.choice(BIT_TYPES)
        width = 0 if self.chance(0.4) else self.random.randrange(1, bits + 1)
        return f"{kind} :{width};"

    def bits(self, hidden, attributes=False):
        parts, names, types = [], [], {}
        for _ in range(self.random.randrange(1, 6)):
            if self.chance(hidden):
                parts.append(self.unnamed_bits())
            kind, bits = self.random.choice(BIT_TYPES)
            low = 3 if kind == "enum color" else 1
            width = bits if self.full and self.chance(0.08) else self.random.randrange(low, max(low, bits // 2) + 1)
            name = self.name()
            aligned = f" __attribute__((aligned({self.random.choice([1, 2, 4, 8])})))" if attributes and self.full and self.stated and width < bits and self.chance(0.1) else ""
            parts.append(f"{kind} {name}:{width}{aligned};")
            names.append(name)
            types[name] = kind
        if self.chance(hidden):
            parts.append(self.unnamed_bits())
        return Unit(" ".join(parts), names, types)

    def unnamed(self, depth=0):
        kind = self.random.choice(["struct", "struct", "union"])
        inner = [self.plain()] + [self.unnamed(1) if depth == 0 and self.chance(0.2) else
                                  self.bits(0) if self.chance(0.15) else self.plain()
                                  for _ in range(self.random.randrange(0, 3))]
        attributes = self.random.choice(["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(16)))"])
        name = self.name() if depth and self.chance(0.3) else ""
        text = f"{kind} {{ {' '.join(unit.text for unit in inner)} }}{' ' + name if name else ''}{attributes};"
        return Unit(text, [name or inner[0].names[0]], {})

    def group(self):
        self.serial += 1
        label = f"g{self.serial}"
        marks = [Unit(f"char __cacheline_group_{end}__{label}[0];", [f"__cacheline_group_{end}__{label}"], {})
                 for end in ("begin", "end")]
        return [marks[0]] + [self.plain() for _ in range(self.random.randrange(1, 4))] + [marks[1]]

    def open_end(self, kind):
        name = self.name()
        if kind == "nested-flexible":
            return Unit(f"{self.random.choice(['struct open', 'struct open_wide', 'struct opens'])} {name};", [name], {})
        return Unit(f"{self.random.choice(['char', 'long', 'struct pair', 'short', 'struct mixed'])} {name}"
                    f"[{self.random.choice(['', '', '0'])}];", [name], {})

    def member(self, kind):
        """A member of a struct of that kind, as units."""
        if kind == "mixed":
            kind = self.random.choice(["plain", "bits", "wide", "aligned", "groups", "unnamed"])
        special = self.chance(0.5)
        if kind == "bits" and special:
            return [self.bits(self.hidden, attributes=True)]
        if kind == "packed" and self.chance(0.15):
            return [self.bits(self.hidden / 2)]
        if kind == "packed" and self.chance(0.06):
            return [self.aligned()]
        if kind == "wide" and special:
            return [self.wide_member()]
        if kind == "aligned" and self.chance(0.25):
            return [self.aligned()]
        if kind == "groups" and self.chance(0.2):
            return self.group()
        if kind == "unnamed" and special:
            return [self.unnamed()]
        return [self.plain()]

    def struct(self, kind, number):
        units = []
        for _ in range(self.random.randrange(3, 13)):
            units += self.member(kind)
        attributes = ""
        if kind in ("flexible", "nested-flexible") or (kind == "mixed" and self.chance(0.2)):
            units.append(self.open_end(kind))
        if kind == "packed":
            attributes = " __attribute__((packed))"
            if self.chance(0.2):
                attributes += f" __attribute__((aligned({self.random.choice([2, 4, 8, 16])})))"
        elif kind in ("aligned", "mixed") and self.chance(0.25):
            attributes = f" __attribute__((aligned({self.random.choice([16, 32, 64])})))"
        merged = []
        for unit in units:  # two runs behind each other are one
            if merged and unit.bits and merged[-1].bits:
                last = merged.pop()
                unit = Unit(last.text + " " + unit.text, last.names + unit.names, {**last.bits, **unit.bits})
            merged.append(unit)
        return Struct(f"{kind.replace('-', '_')}_{number}", merged, attributes)


def define(struct, name, texts):
    lines = "\n".join("\t" + text for text in texts)
    return f"struct {name} {{\n{lines}\n}}{struct.attributes};\n"


def profile_of(structs, seed):
    """Some fields of each struct, read and written by two roles."""
    choose = random.Random(seed)
    lines = ["version: 1", "roles:", "  readers: {threads: 16}", "  writers: {threads: 4, rate: 0.3}", "structs:"]
    for struct in structs:
        names = [name for unit in struct.units for name in unit.names if not name.startswith("__")]
        chosen = choose.sample(names, min(len(names), choose.randrange(2, 6)))
        lines += [f"  {struct.name}:", "    fields:"]
        for index, name in enumerate(chosen):
            what = "{writers: {rmw: 2}, readers: {rmw: 0.1}}" if index == 0 or choose.random() < 0.3 else \
                "{readers: {read: %d}}" % choose.randrange(1, 4)
            lines.append(f"      {name}: {what}")
        if choose.random() < 0.25:
            lines.append("    constraints: {padding: allowed}")
    return "\n".join(lines) + "\n"


@dataclasses.dataclass
class Claim:
    struct: Struct
    name: str  # of the variant
    text: str  # its definition
    size: int
    align: int  # 0: not stated
    bits: list  # (member, offset in bits)


def unit_of(struct, member):
    for index, unit in enumerate(struct.units):
        if member in unit.names:
            return index
    raise Failure(f"struct {struct.name} has no {member}")


def texts_in_order(struct, members):
    """The declarations in the order in which members are named, each once, and with alignments put on some."""
    order = []
    for member in members:
        index = unit_of(struct, member)
        if index not in order:
            order.append(index)
    check(len(order) == len(struct.units), f"struct {struct.name}: {len(order)} of {len(struct.units)} declarations in the order")
    return [struct.units[index] for index in order]


def with_alignments(units, moves):
    aligns = {field: align for field, _, align in moves if align}
    texts = []
    for unit in units:
        align = next((aligns[name] for name in unit.names if name in aligns), 0)
        texts.append(unit.text[:-1] + f" __attribute__((aligned({align})));" if align else unit.text)
    return texts


def claims_of(struct, said):
    claims = []
    for number, order in enumerate(said["orders"]):
        unit_members = {}
        for member, unit in zip(said["members"], said["member_units"]):
            unit_members.setdefault(unit, []).append(member)
        members = [member for unit in order["units"] for member in unit_members[unit]]
        name = f"{struct.name}_o{number}"
        texts = [unit.text for unit in texts_in_order(struct, members)]
        claims.append(Claim(struct, name, define(struct, name, texts), order["size"], order["align"],
                            list(zip(said["members"], order["bits"]))))
    for suggestion in said.get("suggestions", []):
        name = f"{struct.name}_{suggestion['kind']}"
        units = texts_in_order(struct, [field for field, _ in suggestion["order"]])
        texts = with_alignments(units, suggestion["moves"])
        claims.append(Claim(struct, name, define(struct, name, texts), suggestion["size"], 0, suggestion["order"]))
        text = suggestion["definition"].replace(f"struct {struct.name} ", f"struct {name}_printed ", 1)
        # clang's name for every complex type is "complex"; bodies that nobody could write are left out
        if not re.search(r"\bcomplex m|{\.\.\.}", text):
            claims.append(Claim(struct, name + "_printed", text, suggestion["size"], 0, suggestion["order"]))
    return claims


CHECKER = r"""
struct claim { const char *name, *member; unsigned long is, said; };
static unsigned long first_bit(const unsigned char *bytes, unsigned long size)
{
	for (unsigned long bit = 0; bit < size * 8; bit++)
		if (bytes[bit / 8] >> bit % 8 & 1)
			return bit;
	return -1UL;
}
static int wrong;
static void hold(const char *name, const char *member, unsigned long is, unsigned long said)
{
	if (is != said && ++wrong)
		__builtin_printf("%s %s: is %lu, said %lu\n", name, member, is, said);
}
"""


def checker(claims):
    """A program that prints which claims are wrong."""
    rows, calls, text = [], [], [PREAMBLE, CHECKER]
    for claim in claims:
        text.append(claim.text)
        name = claim.name
        rows.append(f'{{"{name}", "size", sizeof(struct {name}), {claim.size}}},')
        if claim.align:
            rows.append(f'{{"{name}", "align", __alignof__(struct {name}), {claim.align}}},')
        types = {}
        for unit in claim.struct.units:
            types.update(unit.bits)
        for member, off in claim.bits:
            if member in types:
                calls.append(f"\t{{ static union {{ unsigned char b[sizeof(struct {name})]; struct {name} s; }} u; "
                             f'u.s.{member} = -1; hold("{name}", "{member}", first_bit(u.b, sizeof(u.b)), {off}); }}')
            else:
                check(off % 8 == 0, f"{name}: {member} at bit {off}")
                rows.append(f'{{"{name}", "{member}", 8 * __builtin_offsetof(struct {name}, {member}), {off}}},')
    text += ["static const struct claim claims[] = {", *rows, "};"]
    for first in range(0, len(calls), 500):
        text += [f"static void bits_{first}(void)\n{{", *calls[first:first + 500], "}"]
    text += ["int main(void)\n{", "\tfor (unsigned long i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)",
             "\t\thold(claims[i].name, claims[i].member, claims[i].is, claims[i].said);",
             *(f"\tbits_{first}();" for first in range(0, len(calls), 500)), "\treturn wrong != 0;\n}\n"]
    return "\n".join(text)


def program(context):
    """tests/prove/orders.c, linked with what is tested."""
    output = context.build / "prove" / "orders"
    with context._lock:
        if not output.exists() or output.stat().st_mtime < max((context.build / "liblinelint.a").stat().st_mtime,
                                                               (context.root / "tests/prove/orders.c").stat().st_mtime):
            sanitize = [f"-fsanitize={context.environment['SANITIZE']}"] if context.sanitized else []
            context.compile(context.cc, ["-std=c11", "-D_GNU_SOURCE", "-Isrc", "-O2", "-g", "-pthread", *sanitize],
                            ["tests/prove/orders.c", context.build / "liblinelint.a", "-ldwarf", "-lbpf", "-lelf", "-lyaml", "-lcjson", "-lz",
                             "-llzma", "-lzstd", "-llz4", "-lbz2",
                             "-lm"], output)
    return output.resolve()


def prove(context, way, number):
    compiler, flags = WAYS[way]
    if "-m32" in flags:
        context.need_m32(compiler, link=True)
    directory = context.scratch / "prove" / way
    directory.mkdir(parents=True, exist_ok=True)
    seed = context.seed * 100 + number
    generator = Generator(seed, wide="-m32" not in flags, full=compiler == "gcc",
                          stated=way not in UNSTATED)
    structs = [generator.struct(kind, index) for kind in (KINDS if way not in UNSTATED else UNSTATED_KINDS)
               for index in range(STRUCTS)]
    source = directory / "structs.c"
    source.write_text(PREAMBLE + "".join(define(struct, struct.name, [unit.text for unit in struct.units]) +
                                         f"struct {struct.name} *{struct.name}_used;\n" for struct in structs))
    profile = directory / "profile.yaml"
    profile.write_text(profile_of(structs, seed))
    context.compile(compiler, [*FLAGS, *flags, "-c"], [source], directory / "structs.o")
    said = context.good([program(context), "-n", ORDERS, "-s", seed, "-p", profile, directory / "structs.o",
                         *(struct.name for struct in structs)], timeout=300).out
    answers = {answer["name"]: answer for answer in json.loads(said)}
    claims, refused, moved = [], {}, 0
    for struct in structs:
        answer = answers[struct.name]
        check("error" not in answer, f"{struct.name}: {answer.get('error')}")
        if "why_none" in answer:
            why = re.sub("'[^']*'", "X", answer["why_none"])
            refused.setdefault(why, []).append(struct.name)
            continue
        check(answer["orders"], f"{struct.name}: not even today's order is legal")
        moved += len(answer["orders"]) > 1
        claims += claims_of(struct, answer)
    program_text = directory / "claims.c"
    program_text.write_text(checker(claims))
    context.compile(compiler, [*FLAGS, *[flag for flag in flags if not flag.startswith("-g")]], [program_text], directory / "claims")
    result = context.run([(directory / "claims").resolve()])
    if result.status:
        wrong = sorted({line.split()[0] for line in result.out.splitlines()})
        raise Failure(f"{len(wrong)} of {len(claims)} orders are not as stated: {' '.join(wrong[:20])}\n{result}\nseed {seed}")
    few = sum(len(names) for names in refused.values())
    # what cannot be put in order, or in this one only, proves nothing
    check(few * 10 < len(structs), f"{few} of {len(structs)} refused: {json.dumps(refused)[:1500]}")
    check(moved * 2 > len(structs), f"{moved} of {len(structs)} structs in other orders than today's")
    return [(f"{len(structs)} structs, {len(claims)} orders, {few} refused", None)]


def tests(context):
    for number, way in enumerate(WAYS):
        yield Test(f"prove/{way}", lambda w=way, n=number: prove(context, w, n))
