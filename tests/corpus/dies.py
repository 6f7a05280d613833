"""Debug information as a tree of DIEs, from either of two programs that are not ours: pyelftools, and llvm-dwarfdump's text.

A tree has only the tags and attributes of types (DWARF 5, chapters 5 and 7.5). Values: numbers; texts; a Ref; a list of
operations, each (name, number or None), for an expression.
"""

import collections
import os
import re
import subprocess
import zlib

from elftools.common.exceptions import ELFError
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.elf.elffile import ELFFile

Ref = collections.namedtuple("Ref", "kind number")  # kind: "offset" in .debug_info, "signature", "alternate"

WANTED = {"name", "byte_size", "bit_size", "bit_offset", "data_bit_offset", "data_member_location", "type", "declaration",
          "upper_bound", "lower_bound", "count", "virtuality", "external", "artificial", "signature", "specification",
          "GNU_vector", "containing_type", "import", "abstract_origin", "const_value", "byte_stride", "bit_stride", "language",
          "producer", "dwo_name", "GNU_dwo_name", "discr", "encoding", "rank", "allocated"}
# What pyelftools 0.29 relocates in relocatable objects, or where nothing is left to relocate.
RELOCATED = {"EM_386", "EM_X86_64", "EM_MIPS", "EM_ARM", "EM_AARCH64"}


class Unread(Exception):
    """This program cannot read the file; its text says why."""


class Die:
    __slots__ = ("tag", "values", "children", "parent", "offset", "unit")

    def __init__(self, tag, parent, offset, unit):
        self.tag, self.parent, self.offset, self.unit = tag, parent, offset, unit
        self.values, self.children = {}, []
        if parent is not None:
            parent.children.append(self)

    def get(self, name, default=None):
        return self.values.get(name, default)


class Unit:
    __slots__ = ("version", "address_size", "top", "signature", "type_offset", "file", "language", "space", "definitions")

    def __init__(self, version, address_size, file, space):
        self.version, self.address_size, self.file = version, address_size, file
        self.space = space  # DIEs by offset: of one section; a group of sections (COMDAT) has one for each
        self.top = self.signature = self.type_offset = self.language = self.definitions = None


class File:
    """What one ELF file has; `alternate` is the File that dwz made of what several share."""

    def __init__(self, big):
        self.big, self.units, self.alternate = big, [], None
        self.by_signature = {}

    def follow(self, ref, unit):
        if ref.kind == "alternate":
            return self.alternate.units[0].space.get(ref.number) if self.alternate else None
        if ref.kind == "signature":
            return self.by_signature.get(ref.number)
        return unit.space.get(ref.number)

    def find_signatures(self):
        for unit in self.units:
            if unit.signature is not None:
                self.by_signature[unit.signature] = next(
                    die for die in subtree(unit.top) if die.offset == unit.type_offset)


def subtree(die):
    stack = [die]
    while stack:
        die = stack.pop()
        yield die
        stack += reversed(die.children)


# ---- pyelftools


REFERENCE_FORMS = {f"DW_FORM_ref{size}" for size in ("1", "2", "4", "8", "_udata")}


def by_pyelftools(path):
    with open(path, "rb") as stream:
        try:
            elf = ELFFile(stream)
            if elf["e_type"] == "ET_REL" and elf["e_machine"] not in RELOCATED:
                raise Unread(f"pyelftools does not relocate {elf['e_machine']}")
            for section in (".debug_types", ".debug_info.dwo", ".gnu_debugaltlink", ".debug_sup"):
                if elf.get_section_by_name(section):
                    raise Unread(f"pyelftools does not read {section}")
            if sum(section.name == ".debug_info" for section in elf.iter_sections()) > 1:
                raise Unread("pyelftools reads one section .debug_info only, not those of groups")
            dwarf = elf.get_dwarf_info()
            file, space = File(not elf.little_endian), {}
            for compiled in dwarf.iter_CUs():
                kind = compiled.header.get("unit_type", 1)
                if kind not in (1, 3, "DW_UT_compile", "DW_UT_partial"):
                    raise Unread(f"pyelftools does not read units of type {kind}")
                unit = Unit(compiled["version"], compiled["address_size"], file, space)
                convert(compiled.get_top_DIE(), None, unit, DWARFExprParser(compiled.structs))
                if "dwo_name" in unit.top.values or "GNU_dwo_name" in unit.top.values:
                    raise Unread("pyelftools does not read .dwo files")
                file.units.append(unit)
        except (ELFError, NotImplementedError, KeyError, AttributeError, zlib.error) as error:
            raise Unread(f"pyelftools: {type(error).__name__}: {error}") from error
    return file


def convert(theirs, parent, unit, expressions):
    die = Die(theirs.tag[7:] if isinstance(theirs.tag, str) else "", parent, theirs.offset, unit)
    unit.space[die.offset] = die
    if parent is None:
        unit.top = die
    for name, attribute in theirs.attributes.items():
        name = name[6:] if isinstance(name, str) else ""
        if name in WANTED:
            die.values[name] = value_of(attribute, theirs.cu, expressions)
    for child in theirs.iter_children():
        convert(child, die, unit, expressions)


def value_of(attribute, compiled, expressions):
    value = attribute.value
    if attribute.form in REFERENCE_FORMS:
        return Ref("offset", value + compiled.cu_offset)
    if attribute.form == "DW_FORM_ref_addr":
        return Ref("offset", value)
    if attribute.form == "DW_FORM_ref_sig8":
        return Ref("signature", value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, list):
        return [(op.op_name[6:], op.args[0] if op.args else None) for op in expressions.parse_expr(value)]
    return value


# ---- llvm-dwarfdump


DIE = re.compile(r"^0x([0-9a-f]+):( +)(DW_TAG_(\w+)|NULL)")
ATTRIBUTE = re.compile(r"^ +DW_AT_(\w+) \[DW_FORM_(\w+)(?: \w+)?\]\t\((.*)$")
UNIT = re.compile(r"^0x([0-9a-f]+): (\w+) Unit: .*?version = 0x(\w+).*?addr_size = 0x(\w+)"
                  r"(?:, name = '.*', type_signature = 0x(\w+), type_offset = 0x(\w+))?")
OPERATION = re.compile(r"DW_OP_(\w+)(?: ((?:0x|[-+])?[0-9a-f]+))?")


def by_dwarfdump(path, alternate=None):
    """`alternate` is where the file lies that dwz -m made; its strings are not followed by llvm-dwarfdump."""
    path = str(path)
    done = subprocess.run(["llvm-dwarfdump", "-v" if alternate else "-F", "--debug-info", "--debug-types", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if b"DW_TAG_" not in done.stdout:  # it complains of other sections, too
        raise Unread(f"llvm-dwarfdump {path}: {done.stderr.decode(errors='replace')[:300]}")
    with open(path, "rb") as stream:
        file = File(not ELFFile(stream).little_endian)
    strings = b""
    if alternate:
        file.alternate = by_dwarfdump(alternate)
        with open(alternate, "rb") as stream:
            strings = ELFFile(stream).get_section_by_name(".debug_str").data()
    stack, unit, space = [], None, {}
    for line in done.stdout.decode(errors="replace").split("\n"):
        if found := ATTRIBUTE.match(line):
            name, form, text = found.groups()
            if stack and name in WANTED:
                stack[-1].values[name] = value_in(form, text, strings)
        elif found := DIE.match(line):
            depth = (len(found[2]) - 1) // 2
            del stack[depth:]
            if found[4]:
                die = Die(found[4], stack[-1] if stack else None, int(found[1], 16), unit)
                stack.append(die)
                if depth == 0:
                    unit.top = die
                unit.space[die.offset] = die
        elif found := UNIT.match(line):
            if int(found[1], 16) == 0:
                space = {}
            stack, unit = [], Unit(int(found[3], 16), int(found[4], 16), file, space)
            if found[5]:
                unit.signature, unit.type_offset = int(found[5], 16), int(found[6], 16) + int(found[1], 16)
            file.units.append(unit)
    file.units = [unit for unit in file.units if unit.top]
    file.find_signatures()
    return file


def value_in(form, text, strings):
    if form in ("GNU_strp_alt", "strp_sup"):
        start = int(re.search(r"0x([0-9a-f]+)", text)[1], 16)
        return strings[start:strings.index(b"\0", start)].decode(errors="replace")
    if form in ("GNU_ref_alt", "ref_sup4", "ref_sup8"):
        return Ref("alternate", int(re.search(r"0x([0-9a-f]+)", text)[1], 16))
    if text.startswith(('"', " .debug_")):  # -v says where the text is
        return text[text.index('"') + 1:text.rindex('"')]
    if form.startswith("ref"):
        number = int(re.match(r"(?:cu \+ \w+ => \{)?0x([0-9a-f]+)", text)[1], 16)
        return Ref("signature" if form == "ref_sig8" else "offset", number)
    if text.startswith("DW_OP_"):
        return [(op, int(number, 0) if number else None) for op, number in OPERATION.findall(text)]
    if text.startswith(("true", "false")):
        return text.startswith("true")
    number = re.match(r"(-?(?:0x)?[0-9a-f]+)\)", text)
    return int(number[1], 0) if number else text.rstrip(")")


def read(path, alternate=None, tool=None):
    """-> File, and which of the two has read it."""
    if tool != "llvm-dwarfdump" and not alternate:
        try:
            return by_pyelftools(path), "pyelftools"
        except Unread:
            if tool:
                raise
    return by_dwarfdump(path, alternate), "llvm-dwarfdump"


def dwo_files(file, beside):
    """The .dwo files that the skeletons name."""
    for unit in file.units:
        name = unit.top.get("dwo_name") or unit.top.get("GNU_dwo_name")
        if name:
            yield name if os.path.isabs(name) else os.path.join(beside, name)
