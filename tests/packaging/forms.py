"""Every form of DWARF 5 table 7.6 and of GNU's, in a unit written by hand: tests/suites/packaging.py compiles it.

For each form there is a struct named after it, with the form in each role that it can have: name, size, place of a member,
size and place of a bit-field, type. In front of it stands an attribute that nobody reads, in the same form: it has to be
stepped over. All structs have the same layout.
"""

FORMS = {
    "addr": 0x01, "block2": 0x03, "block4": 0x04, "data2": 0x05, "data4": 0x06, "data8": 0x07, "string": 0x08,
    "block": 0x09, "block1": 0x0a, "data1": 0x0b, "flag": 0x0c, "sdata": 0x0d, "strp": 0x0e, "udata": 0x0f,
    "ref_addr": 0x10, "ref1": 0x11, "ref2": 0x12, "ref4": 0x13, "ref8": 0x14, "ref_udata": 0x15, "indirect": 0x16,
    "sec_offset": 0x17, "exprloc": 0x18, "flag_present": 0x19, "strx": 0x1a, "addrx": 0x1b, "ref_sup4": 0x1c,
    "strp_sup": 0x1d, "data16": 0x1e, "line_strp": 0x1f, "ref_sig8": 0x20, "implicit_const": 0x21, "loclistx": 0x22,
    "rnglistx": 0x23, "ref_sup8": 0x24, "strx1": 0x25, "strx2": 0x26, "strx3": 0x27, "strx4": 0x28, "addrx1": 0x29,
    "addrx2": 0x2a, "addrx3": 0x2b, "addrx4": 0x2c, "GNU_addr_index": 0x1f01, "GNU_str_index": 0x1f02,
    "GNU_ref_alt": 0x1f20, "GNU_strp_alt": 0x1f21,
}
SINCE_5 = {"strx", "addrx", "ref_sup4", "strp_sup", "data16", "line_strp", "implicit_const", "loclistx", "rnglistx",
           "ref_sup8", "strx1", "strx2", "strx3", "strx4", "addrx1", "addrx2", "addrx3", "addrx4"}
SINCE_4 = {"sec_offset", "exprloc", "flag_present", "ref_sig8"}
GNU = {"GNU_addr_index", "GNU_str_index", "GNU_ref_alt", "GNU_strp_alt"}
CONSTANTS = {"data1", "data2", "data4", "data8", "sdata", "udata", "implicit_const", "indirect"}
BLOCKS = {"block", "block1", "block2", "block4", "exprloc"}
STRINGS = {"string", "strp", "line_strp", "strx", "strx1", "strx2", "strx3", "strx4"}
REFERENCES = {"ref1", "ref2", "ref4", "ref8", "ref_udata", "ref_addr", "ref_sig8"}

# what all structs look like: member `a` at byte 4, a bit-field `b` of 5 bits from bit 67 on
SIZE, PLACE, WIDTH, BITS = 12, 4, 5, 67
UNREAD = 0x3ff0
TAG = {"compile_unit": 0x11, "type_unit": 0x41, "base_type": 0x24, "structure_type": 0x13, "member": 0x0d}
AT = {"name": 0x03, "byte_size": 0x0b, "bit_size": 0x0d, "encoding": 0x3e, "data_member_location": 0x38, "type": 0x49,
      "data_bit_offset": 0x6b, "bit_offset": 0x0c, "str_offsets_base": 0x72, "language": 0x13}
SIGNATURE = 0x1122334455667788


def known(version):
    """The forms that a version has."""
    return [form for form in FORMS if (version >= 5 or form not in SINCE_5) and (version >= 4 or form not in SINCE_4) and
            (version == 4 or form not in GNU)]


class Writer:
    def __init__(self, version, offset_bytes, address_bytes):
        self.version, self.offset_bytes, self.address_bytes = version, offset_bytes, address_bytes
        self.abbreviations, self.info, self.strings, self.shapes = [], [], [], {}

    def offset(self, text):
        return f"{'.quad' if self.offset_bytes == 8 else '.long'} {text}"

    def string_index(self, text):
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def value(self, form, what):
        """Assembler of a value; `what` is a number, a text, a block's bytes or the label of a DIE, as the form has it."""
        width = {"data1": ".byte", "data2": ".2byte", "data4": ".long", "data8": ".quad", "ref1": ".byte", "ref2": ".2byte",
                 "ref4": ".long", "ref8": ".quad"}
        if form in ("strx", "strx1", "strx2", "strx3", "strx4"):
            return self.number(form[4:], self.string_index(what))
        if form in ("strp", "line_strp"):
            return self.offset(f".L{form}_{self.string_index(what)}")
        if form == "string":
            return f'.asciz "{what}"'
        if form in BLOCKS:
            length = {"block1": ".byte", "block2": ".2byte", "block4": ".long"}.get(form, ".uleb128")
            return f"{length} {len(what)}\n\t.byte {', '.join(map(str, what))}" if what else f"{length} 0"
        if form == "ref_addr":
            width = self.offset_bytes if self.version > 2 else self.address_bytes
            return f"{'.quad' if width == 8 else '.long'} {what}"
        if form == "ref_sig8":
            return f".quad {SIGNATURE}"
        if form == "ref_udata":
            return f".uleb128 {what} - .Linfo"
        if form.startswith("ref") and form in width:
            return f"{width[form]} {what} - .Linfo"
        if form in ("sdata", "udata"):
            return f".{form[0]}leb128 {what}"
        if form == "indirect":
            return f".uleb128 {FORMS['udata']}\n\t.uleb128 {what}"
        if form in ("implicit_const", "flag_present"):
            return ""
        return f"{width[form]} {what}"

    def number(self, width, value):
        """Of 1, 2, 3 or 4 bytes, or ULEB128."""
        if width == "3":
            return f".byte {value & 255}, {value >> 8 & 255}, {value >> 16}" if not self.big else \
                   f".byte {value >> 16}, {value >> 8 & 255}, {value & 255}"
        return f"{ {'': '.uleb128', '1': '.byte', '2': '.2byte', '4': '.long'}[width]} {value}"

    def unread(self, form):
        """A value that means nothing and has the right size."""
        if form in STRINGS:
            return self.value(form, "unread")
        if form in BLOCKS:
            return self.value(form, [1, 2, 3])
        if form.startswith("ref") and form in REFERENCES:
            return self.value(form, ".Lint")
        if form in CONSTANTS:
            return self.value(form, 1)
        if form in ("addrx", "addrx1", "addrx2", "addrx3", "addrx4"):
            return self.number(form[5:], 1)
        if form in ("loclistx", "rnglistx", "GNU_addr_index", "GNU_str_index"):
            return self.number("", 300)
        if form == "addr":
            return ".quad 1" if self.address_bytes == 8 else ".long 1"
        if form == "data16":
            return ".quad 1, 2"
        if form == "flag":
            return ".byte 1"
        if form == "flag_present":
            return ""
        if form in ("ref_sup4", "ref_sup8"):
            return ".long 1" if form == "ref_sup4" else ".quad 1"
        return self.offset("0")  # sec_offset, strp_sup, GNU_ref_alt, GNU_strp_alt

    def die(self, tag, children, *attributes, label=None):
        """attributes: (name, form, value's assembler, constant of DW_FORM_implicit_const)"""
        shape = (TAG[tag], children, tuple((name, form, constant if form == "implicit_const" else 0)
                                           for name, form, _, constant in attributes))
        code = self.shapes.setdefault(shape, len(self.shapes) + 1)
        if label:
            self.info.append(f"{label}:")
        self.info.append(f"\t.uleb128 {code}")
        self.info += [f"\t{text}" for _, _, text, _ in attributes if text]

    def struct(self, form):
        def role(name, what, forms, otherwise):
            chosen = form if form in forms else otherwise
            if chosen in BLOCKS:
                what = [0x23, what]  # DW_OP_plus_uconst
            return (AT[name], chosen, self.value(chosen, what), what)
        unread = (UNREAD, form, self.unread(form), 7)
        places = CONSTANTS | BLOCKS if self.version > 2 else BLOCKS
        self.die("structure_type", 1, unread, role("name", f"s_{form}", STRINGS, "string"),
                 role("byte_size", SIZE, CONSTANTS, "udata"))
        self.die("member", 0, role("name", "a", STRINGS, "string"), unread, role("type", ".Lint", REFERENCES, "ref4"),
                 role("data_member_location", PLACE, places, "block1" if self.version == 2 else "udata"))
        if self.version >= 4:
            self.die("member", 0, unread, role("name", "b", STRINGS, "string"),
                     role("type", ".Lint", REFERENCES, "ref4"), role("bit_size", WIDTH, CONSTANTS, "udata"),
                     role("data_bit_offset", BITS, CONSTANTS, "udata"))
        else:  # from the most significant bit of the storage unit
            from_top = BITS - 64 if self.big else 32 - (BITS - 64) - WIDTH
            self.die("member", 0, unread, role("name", "b", STRINGS, "string"),
                     role("type", ".Lint", REFERENCES, "ref4"), role("bit_size", WIDTH, CONSTANTS, "udata"),
                     role("bit_offset", from_top, CONSTANTS, "udata"), role("byte_size", 4, CONSTANTS, "udata"),
                     role("data_member_location", 8, BLOCKS, "block1"))
        self.info.append("\t.byte 0")

    def base(self, label):
        self.die("base_type", 0, (AT["name"], "string", '.asciz "int"', 0), (AT["byte_size"], "data1", ".byte 4", 0),
                 (AT["encoding"], "data1", ".byte 5", 0), label=label)

    def unit(self, label, kind, section):
        """The header; what follows the common part of a type unit."""
        self.info.append(f'\t.section {section},"",%progbits\n{label}:')
        if self.offset_bytes == 8:
            self.info.append("\t.long 0xffffffff")
        self.info.append(f"\t{self.offset(f'{label}_end - {label}_start')}\n{label}_start:\n\t.2byte {self.version}")
        if self.version >= 5:
            self.info.append(f"\t.byte {kind}, {self.address_bytes}\n\t{self.offset('.Labbrev')}")
        else:
            self.info.append(f"\t{self.offset('.Labbrev')}\n\t.byte {self.address_bytes}")

    def write(self, big):
        self.big = big
        if self.version >= 4:
            self.unit(".Ltype", 2, ".debug_info" if self.version >= 5 else ".debug_types")
            self.info.append(f"\t.quad {SIGNATURE}\n\t{self.offset('.Ltype_int - .Ltype')}")
            self.die("type_unit", 1, (AT["language"], "data1", ".byte 12", 0))
            self.base(".Ltype_int")
            self.base(".Ltype_more")  # of 64-bit DWARF, libdwarf 20210528 refuses a type in the last 12 bytes of its unit
            self.info.append("\t.byte 0\n.Ltype_end:")
        self.unit(".Linfo", 1, ".debug_info")
        base = [(AT["str_offsets_base"], "sec_offset", self.offset(".Lstr_offsets"), 0)] if self.version >= 5 else []
        self.die("compile_unit", 1, (AT["name"], "string", '.asciz "forms"', 0),
                 (AT["language"], "data1", ".byte 12", 0), *base)
        self.base(".Lint")
        for form in known(self.version):
            self.struct(form)
        self.info.append("\t.byte 0\n.Linfo_end:")
        return "\n".join([*self.info, *self.tables()]) + "\n"

    def tables(self):
        lines = ['\t.section .debug_abbrev,"",%progbits\n.Labbrev:']
        for (tag, children, attributes), code in self.shapes.items():
            lines.append(f"\t.uleb128 {code}, {tag}\n\t.byte {children}")
            for name, form, constant in attributes:
                lines.append(f"\t.uleb128 {name}, {FORMS[form]}")
                if form == "implicit_const":
                    lines.append(f"\t.sleb128 {constant}")
            lines.append("\t.byte 0, 0")
        lines.append("\t.byte 0")
        for section, form in ((".debug_str", "strp"), (".debug_line_str", "line_strp")):
            lines.append(f'\t.section {section},"MS",%progbits,1\n\t.asciz "first"')
            lines += [f'.L{form}_{i}:\n\t.asciz "{text}"' for i, text in enumerate(self.strings)]
        if self.version >= 5:
            size = 4 + self.offset_bytes * len(self.strings)
            lines.append('\t.section .debug_str_offsets,"",%progbits')
            if self.offset_bytes == 8:
                lines.append("\t.long 0xffffffff")
            lines.append(f"\t{self.offset(str(size))}\n\t.2byte 5, 0\n.Lstr_offsets:")
            lines += [f"\t{self.offset(f'.Lstrp_{i}')}" for i in range(len(self.strings))]
        return lines
