"""Writes debug information by hand, as assembler: the smallest input that is wrong in just one way.

    unit = Unit()
    number = unit.base("int", 4)
    unit.die("structure_type", name="s", byte_size=8, children=[Member("a", number, 0)])
    unit.assembler()    # for gcc -c -x assembler

Attribute values: an int is a constant, a str a name, a Die a reference, a Raw what it says. Everything else about the
unit (header, abbreviations, the end) can be replaced, which is the point.
"""

import dataclasses
import itertools

TAGS = {"array_type": 0x01, "enumeration_type": 0x04, "formal_parameter": 0x05, "member": 0x0d, "pointer_type": 0x0f,
        "compile_unit": 0x11, "structure_type": 0x13, "subroutine_type": 0x15, "typedef": 0x16, "union_type": 0x17,
        "inheritance": 0x1c,
        "subrange_type": 0x21, "base_type": 0x24, "const_type": 0x26, "subprogram": 0x2e, "variable": 0x34,
        "imported_declaration": 0x08, "imported_unit": 0x3d, "namespace": 0x39, "type_unit": 0x41}
ATTRIBUTES = {"sibling": 0x01, "name": 0x03, "byte_size": 0x0b, "bit_offset": 0x0c, "bit_size": 0x0d, "language": 0x13,
              "upper_bound": 0x2f, "count": 0x37, "data_member_location": 0x38, "declaration": 0x3c, "encoding": 0x3e,
              "type": 0x49, "specification": 0x47, "abstract_origin": 0x31, "signature": 0x69, "import": 0x18, "data_bit_offset": 0x6b,
              "alignment": 0x88}
FORM_STRING, FORM_UDATA, FORM_SDATA, FORM_REF4 = 0x08, 0x0f, 0x0d, 0x13


@dataclasses.dataclass
class Raw:
    """An attribute value with its form, as assembler lines."""
    form: int
    text: str = ""


class Die:
    serial = itertools.count()

    def __init__(self, tag, children=(), **attributes):
        self.tag, self.children, self.attributes = tag, list(children), attributes
        self.label = f".Ldie{next(Die.serial)}"


    def add(self, die):
        self.children.append(die)

    @property
    def last(self):
        return self.children[-1]


def member(name, kind, offset, **more):
    return Die("member", name=name, type=kind, data_member_location=offset, **more)


def quoted(text):
    return '"' + "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\{ord(c):03o}" for c in text) + '"'


class Unit:
    def __init__(self, version=4, name="hostile.c"):
        self.version = version
        self.name = name
        self.dies = []
        self.header = None  # assembler lines in place of the unit's header
        self.before_end = ""  # assembler lines after the last DIE inside the unit's
        self.abbreviations_end = "\t.byte 0\n"
        self.extra_abbreviations = ""
        self.more = ""  # other sections

    def die(self, tag, children=(), **attributes):
        self.dies.append(Die(tag, children, **attributes))
        return self.dies[-1]

    def add(self, die):
        self.dies.append(die)

    @property
    def last(self):
        return self.dies[-1]

    def base(self, name="int", size=4):
        return self.die("base_type", name=name, byte_size=size, encoding=5)

    def assembler(self):
        abbreviations, info = [], []
        numbers = {}

        def emit_one(die):
            shape = [die.tag if isinstance(die.tag, int) else TAGS[die.tag], bool(die.children)]
            lines = []
            for name, value in die.attributes.items():
                if isinstance(value, Raw):
                    form, text = value.form, value.text
                elif isinstance(value, Die):
                    form, text = FORM_REF4, f".long {value.label} - .Linfo"
                elif isinstance(value, str):
                    form, text = FORM_STRING, f".asciz {quoted(value)}"
                elif value < 0:
                    form, text = FORM_SDATA, f".sleb128 {value}"
                else:
                    form, text = FORM_UDATA, f".uleb128 {value}"
                shape += [ATTRIBUTES[name], form]
                lines.append("\t" + text)
            key = tuple(shape)
            if key not in numbers:
                numbers[key] = len(numbers) + 1
                pairs = "".join(f"\t.uleb128 {code}\n" for code in shape[2:])
                start = f"\t.uleb128 {numbers[key]}\n\t.uleb128 {shape[0]}\n\t.byte {int(shape[1])}\n"
                abbreviations.append(f"{start}{pairs}\t.byte 0, 0\n")
            info.append(f"{die.label}:\n\t.uleb128 {numbers[key]}\n" + "\n".join(lines) + "\n")

        pending = [Die("compile_unit", self.dies, name=self.name, language=12)]
        while pending:  # no recursion: some tests nest deeper than Python may
            die = pending.pop()
            if die is None:
                info.append("\t.byte 0\n")
                continue
            emit_one(die)
            if die.children:
                pending += [None, *reversed(die.children)]
        header = self.header
        if header is None:
            header = "\t.long .Lend - .Lversion\n.Lversion:\n" + (
                f"\t.short {self.version}\n\t.long 0\n\t.byte 8\n" if self.version < 5 else
                f"\t.short {self.version}\n\t.byte 1, 8\n\t.long 0\n")
        info.insert(-1, self.before_end)
        return ('\t.section .debug_info,"",@progbits\n.Linfo:\n' + header + "".join(info) + ".Lend:\n"
                '\t.section .debug_abbrev,"",@progbits\n' + "".join(abbreviations) + self.extra_abbreviations
                + self.abbreviations_end + self.more)
