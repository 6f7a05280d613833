"""What the compiler says: sizeof, offsetof and bit-fields of all ones, as constants that it puts into an object.

Nothing is run, so it works for any target. Which definitions and members there are is taken from the debug information of the same
source (reader.py); where they are is not: a second file asks the compiler for it, an expression a line. What the compiler
refuses to say (a private name, a member of a base that is there twice) is left out, line by line, and counted.
"""

import collections
import pathlib
import re
import struct
import subprocess

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

import reader

# size and align in bytes; members: path -> (bit position, bits; None where a flexible array has none)
Truth = collections.namedtuple("Truth", "name local size align members")
Question = collections.namedtuple("Question", "struct path what line")

NUMBERS, ADDRESSES = ".corpus_numbers", ".corpus_addresses"
ROUNDS = 12
INTEGERS = {2, 5, 6, 7, 8, "DW_ATE_boolean", "DW_ATE_signed", "DW_ATE_signed_char", "DW_ATE_unsigned", "DW_ATE_unsigned_char"}


def spelled(row, die, what, is_cxx):
    """How the source names the type, or None when it has no way to."""
    if row.local or any(name is None for name in row.scope):
        return None
    name = "::".join((*row.scope, row.name)) if is_cxx else row.name
    if not re.match(r"^[A-Za-z_]", name) or "{" in name or "lambda" in name or "(anonymous" in name:
        return None
    return name if die is not what else f"{row.kind} {name}"


def asked(die, path=(), expression=""):
    """(path as in a row, expression, kind, how many of that name) of each member; only of types without a name also those inside,
    the others are rows of their own."""
    for child in die.children:
        if child.tag == "inheritance" and not child.get("virtuality"):
            base = reader.bare(reader.target(child))
            if base is not None:
                yield (*path, "base " + (reader.name_of(base) or "")), base, "base"
        if child.tag != "member" or child.get("external") or child.get("declaration") or child.get("artificial"):
            continue
        name = child.get("name", "")
        here = (*path, name)
        inner, _ = reader.element(reader.target(child))
        if name and name.isidentifier():
            yield here, expression + name, "bits" if "bit_size" in child.values else "member"
        elif name:
            continue
        if inner is not None and inner.tag in reader.KINDS and not reader.name_of(inner) and "bit_size" not in child.values:
            dims, at = 0, reader.bare(reader.target(child))
            while at.tag == "array_type":
                dims += sum(one.tag == "subrange_type" for one in at.children)
                at = reader.bare(reader.target(at))
            yield from asked(inner, here, expression + (name + "[0]" * dims + "." if name else ""))


def questions(rows, is_cxx):
    """Of all rows that have a name in the source -> [(row, name)], [Question]"""
    structs, found = [], []
    for row, (die, what) in rows.items():
        name = spelled(row, die, what, is_cxx)
        if name is None:
            continue
        number = len(structs)
        structs.append((row, name))
        found.append(Question(number, (), "size", f"sizeof({name})"))
        found.append(Question(number, (), "align", f"{'alignof' if is_cxx else '_Alignof'}({name})"))
        for path, expression, kind in asked(what):
            if kind == "base":
                scope, local = reader.scope_of(expression)
                base = "::".join((*map(str, scope), reader.name_of(expression) or ""))
                if not local and None not in scope:
                    found.append(Question(number, path, "base", (name, base)))
            elif kind == "member":
                found.append(Question(number, path, "offset", f"__builtin_offsetof({name}, {expression})"))
                if not is_reference(what, path):  # of which sizeof says what it refers to
                    found.append(Question(number, path, "bytes", f"sizeof((({name} *)0)->{expression})"))
            if kind == "bits" or (kind == "member" and may_be_bits(what, path)):
                found.append(Question(number, path, "bits", (name, expression)))
    return structs, found


def is_reference(die, path):
    child = next((one for one in die.children if len(path) == 1 and one.get("name") == path[0]), None)
    its_type = child and reader.bare(reader.target(child))
    return bool(its_type) and "reference" in its_type.tag


def may_be_bits(die, path):
    """clang says nothing of the width of a bit-field that is as wide as its type: an integer is asked for both ways."""
    for name in path:
        child = next((one for one in die.children if one.tag == "member" and one.get("name", "") == name), None)
        if child is None:
            return False
        die, _ = reader.element(reader.target(child))
        if die is None:
            return False
    direct = reader.bare(reader.target(child))
    integer = direct.tag == "enumeration_type" or (direct.tag == "base_type" and direct.get("encoding") in INTEGERS)
    return integer and child.unit.top.get("producer", "").startswith(("clang", "Debian clang"))


def text_of(source, kept, is_cxx):
    """A file with a line a question; -> text, and the question of each line (from 1)."""
    lines, owners = [f'#include "{source}"'], [None]

    def put(line, owner=None):
        lines.append(line)
        owners.append(owner)

    def section(name):
        return f'__attribute__((section("{name}"), used, aligned(8)))'

    linkage = 'extern "C" ' if is_cxx else ""
    for number, question in enumerate(kept):
        if question.what == "bits":
            name, expression = question.line
            where = section(".corpus_bits")
            if is_cxx:
                put(f"constexpr {name} corpus_make_{number}(bool ones) {{ {name} o{{}}; if (ones) o.{expression} = "
                    f"static_cast<decltype(o.{expression})>(-1); return o; }} "
                    f'extern "C" {{ extern {name} corpus_zero_{number}, corpus_ones_{number}; '
                    f"{where} constinit {name} corpus_zero_{number} = corpus_make_{number}(false); "
                    f"{where} constinit {name} corpus_ones_{number} = corpus_make_{number}(true); }}", question)
            else:
                put(f"{name} corpus_ones_{number} {where} = {{.{expression} = -1}};", question)
        elif question.what == "base":
            name, base = question.line
            put(f'extern {name} corpus_object_{number}; {linkage}{section(ADDRESSES)} const volatile void *'
                f"corpus_address_{number}[2] = {{&corpus_object_{number}, "
                f"static_cast<const volatile {base} *>(&corpus_object_{number})}};", question)
    put(f"{linkage}{section(NUMBERS)} unsigned long long corpus_numbers[] = {{")
    for question in kept:
        if question.what not in ("bits", "base"):
            put(f"{question.line},", question)
    put("};")
    return "\n".join(lines) + "\n", owners


def compile_questions(command, source, found, directory, is_cxx):
    """-> those that the compiler answers; the object is directory/truth.o."""
    asker = pathlib.Path(directory, "truth.cc" if is_cxx else "truth.c")
    kept = found
    for _ in range(ROUNDS):
        text, owners = text_of(source, kept, is_cxx)
        asker.write_text(text)
        limit = "-ferror-limit=0" if "clang" in command[0] else "-fmax-errors=0"
        done = subprocess.run([*command, "-w", limit, "-c", str(asker), "-o", f"{directory}/truth.o"], capture_output=True,
                              text=True, errors="replace", check=False)
        if done.returncode == 0:
            return kept
        bad = {int(line) for line in re.findall(rf"{re.escape(str(asker))}:(\d+):\d+: (?:fatal )?error", done.stderr)}
        bad |= {int(line) for line in re.findall(rf"{re.escape(str(asker))}:(\d+):\d+:   (?:required from|in)", done.stderr)}
        refused = {id(owners[line - 1]) for line in bad if line <= len(owners) and owners[line - 1]}
        if not refused:
            raise RuntimeError(f"{' '.join(command)} {asker}: {done.stderr[:1500]}")
        kept = [question for question in kept if id(question) not in refused]
    raise RuntimeError(f"{asker}: refused again and again: {done.stderr[:1500]}")


class Object:
    """Constants of an object file, of either byte order."""

    def __init__(self, path):
        self.stream = open(path, "rb")
        self.elf = ELFFile(self.stream)
        self.order = "<" if self.elf.little_endian else ">"
        self.big = not self.elf.little_endian
        table = self.elf.get_section_by_name(".symtab")
        self.symbols = {symbol.name: (symbol["st_shndx"], symbol["st_value"], symbol["st_size"])
                        for symbol in table.iter_symbols() if symbol.name.startswith("corpus_")}
        self.sections = {}

    def data(self, number):
        if number not in self.sections:
            self.sections[number] = self.elf.get_section(number).data()
        return self.sections[number]

    def bytes(self, name):
        section, start, size = self.symbols[name]
        return self.data(section)[start:start + size]

    def numbers(self):
        data = self.bytes("corpus_numbers")
        return struct.unpack(f"{self.order}{len(data) // 8}Q", data)

    def addends(self):
        """Of each relocation in the section of addresses: place -> what is added to the symbol."""
        found, pointer = {}, "Q" if self.elf.elfclass == 64 else "I"
        for section in self.elf.iter_sections():
            if not isinstance(section, RelocationSection):
                continue
            about = self.elf.get_section(section["sh_info"])
            if about.name != ADDRESSES:
                continue
            for relocation in section.iter_relocations():
                place = relocation["r_offset"]
                found[place] = (relocation["r_addend"] if section.is_RELA() else
                                struct.unpack_from(self.order + pointer, about.data(), place)[0])
        return found


def ones_of(data, big):
    """Position of the first bit that is one, and how many there are; they must be in a row."""
    value = int.from_bytes(data, "big" if big else "little")
    count = bin(value).count("1")
    low = (value & -value).bit_length() - 1
    if not count or value >> low != (1 << count) - 1:
        raise RuntimeError(f"the compiler's bits are not in a row: {data.hex()[:200]}")
    return (8 * len(data) - low - count if big else low), count


def answers(path, structs, kept):
    """Truths of all structs of which the size is known, in the order of the rows."""
    this = Object(path)
    numbers, addends = iter(this.numbers()), None
    sizes, members = {}, collections.defaultdict(dict)
    bits = collections.defaultdict(dict)
    for number, question in enumerate(kept):
        if question.what == "bits":
            data = this.bytes(f"corpus_ones_{number}")
            if f"corpus_zero_{number}" in this.symbols:
                zero = this.bytes(f"corpus_zero_{number}")
                data = bytes(one ^ other for one, other in zip(data, zero))
            bits[question.struct][question.path] = ones_of(data, this.big)
        elif question.what == "base":
            addends = this.addends() if addends is None else addends
            _, start, size = this.symbols[f"corpus_address_{number}"]
            whole, part = addends[start], addends[start + size // 2]
            members[question.struct][question.path] = ((part - whole) * 8, None)
        else:
            value = next(numbers)
            if question.what in ("size", "align"):
                sizes[question.struct, question.what] = value
            elif question.what == "offset":
                members[question.struct][question.path] = (value * 8, None)
            elif question.path in members[question.struct]:
                members[question.struct][question.path] = (members[question.struct][question.path][0], value * 8)
    this.stream.close()
    truths = []
    for number, (row, _) in enumerate(structs):
        if (number, "size") in sizes:
            known = {**bits[number], **members[number]}
            truths.append(Truth(row.name, row.local, sizes[number, "size"], sizes.get((number, "align")), known))
    return truths
