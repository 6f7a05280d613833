"""hostile/: input that is wrong.

It is refused with exit status 2, one line that says what to do, and nothing on standard output; no signal, no
waiting. What may also be understood (a random change in a file) must only end well.
"""

import gzip
import json
import pathlib
import random
import re
import struct
import sys

from .common import Failure, Test, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "hostile"))
from dwarf import Die, Raw, Unit, member  # noqa: E402

# A part is damaged, and the rest is printed.
LEFT_OUT = re.compile("; (the rest is read|(struct|union|class) .* is left out|(it is|they are) left out(, or read elsewhere)?|(struct|union|class) .* is read from .*|"
                      "its variables are not checked|the type of variable .* is left out)$", re.M)
SOURCE = """\
struct inner { short x, y; };
struct s { int a; unsigned b : 3, c : 7; struct inner d[4]; void (*e)(struct s *); char f[]; };
struct s *s;
typedef struct { struct s *first; union { int u; float v; }; } list_t;
list_t list;
int main(void) { return list.u; }
"""


class Files:
    """The good files that the bad ones are made from."""

    def __init__(self, context):
        self.context = context
        self.directory = context.scratch / "hostile"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.source = self.write("good.c", SOURCE)
        self.object = self.good("good.o", "-c", "-gdwarf-5")
        self.object_4 = self.good("good-4.o", "-c", "-gdwarf-4")
        self.executable = self.good("good", "-gdwarf-5")

    def good(self, name, *flags):
        self.context.compile("gcc", ["-g", *flags], [self.source], self.directory / name)
        return self.directory / name

    def write(self, name, data):
        path = self.directory / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path


def refused(context, *arguments, reason=None, **options):
    """Must be refused."""
    result = context.hostile(*arguments, status=2, **options)
    check(not result.out, f"something on standard output\n{result}")
    check(result.err.count("\n") == 1 and result.err.endswith("\n"), f"not one line\n{result}")
    check("; " in result.err, f"it says no next step (after a semicolon)\n{result}")
    check("crashed" not in result.err, f"only the guard has noticed\n{result}")
    check(reason is None or re.search(reason, result.err), f"the reason does not have {reason!r}\n{result}")


def bounded(context, *arguments, may_crash=False):
    """Must end, and well."""
    result = context.hostile(*arguments)
    check(result.status != 2 or not result.out or LEFT_OUT.search(result.err),
          f"refused, and something on standard output\n{result}")
    check(not LEFT_OUT.search(result.err) or result.status == 2, f"something was not read, and all is well\n{result}")
    check(may_crash or "crashed" not in result.err, f"only the guard has noticed\n{result}")
    control = re.search(r"[\0-\x08\x0b-\x1f\x7f]", result.out + result.err)
    check(not control, f"control characters\n{result!r}")
    return result


def partial(context, path, printed, reason, *options):
    """What is damaged is left out and told; the others are there: `printed`, the names, or at least nothing else."""
    whole = context.hostile("--format", "json", *options, path, "list", status=2)
    document = json.loads(whole.out)
    names = {item["name"] for item in document["structs"]}
    lines = whole.err.splitlines()
    check(printed is None or names == printed, f"{names}, not {printed}\n{whole}")
    check(document["summary"]["unread"] >= 1, f"nothing is said to be unread\n{whole}")
    check(lines and all("; " in line for line in lines), f"not a line each, with what to do\n{whole}")
    check("crashed" not in whole.err, f"only the guard has noticed\n{whole}")
    check(re.search(reason, whole.err), f"the reason does not have {reason!r}\n{whole}")
    return whole


# -- files that are no binaries, or not whole

def elf_files(files):
    """name, bytes or path, words of the reason"""
    good = files.executable.read_bytes()
    relocatable = files.object.read_bytes()

    def patched(offset, layout, value, data=good):
        return data[:offset] + struct.pack(layout, value) + data[offset + struct.calcsize(layout):]

    yield "empty-file", b"", "empty"
    yield "one-byte", b"\x7f", None
    yield "text", b"#!/bin/sh\necho hello\n", "ELF"
    yield "long-text", b"all work and no play\n" * 5000, "ELF"
    yield "zeros", bytes(70000), "ELF"
    (files.directory / "nothing").mkdir(exist_ok=True)
    yield "directory", files.directory / "nothing", "no file with debug information"
    yield "not-there", files.directory / "not there", "No such file"
    yield "magic-only", good[:4], None
    for size in (5, 16, 20, 40, 52, 63, 64, 65):
        yield f"header-cut-at-{size}", good[:size], None
    for part in (10, 25, 50, 75, 90, 99):
        yield f"cut-at-{part}-percent", good[:len(good) * part // 100], None
        yield f"object-cut-at-{part}-percent", relocatable[:len(relocatable) * part // 100], None
    yield "cut-by-one", good[:-1], None
    yield "core", patched(16, "<H", 4), "core"
    yield "bzimage", bytes(0x1fe) + b"\x55\xaa\xeb\x66HdrS" + bytes(5000) + gzip.compress(good), "vmlinux"
    yield "gzip", gzip.compress(good)[:-100], None
    yield "xz", b"\xfd7zXZ\0" + bytes(100), None
    yield "zstd", b"\x28\xb5\x2f\xfd" + bytes(100), None
    yield "class-0", patched(4, "<B", 0), None
    yield "class-of-32-bit", patched(4, "<B", 1), None
    yield "wrong-endian", patched(5, "<B", 2), None
    yield "endian-9", patched(5, "<B", 9), None
    yield "section-headers-beyond", patched(40, "<Q", 1 << 40), None
    yield "section-headers-at-the-end", patched(40, "<Q", len(good) - 1), None
    yield "section-headers-wrap", patched(40, "<Q", (1 << 64) - 64), None
    yield "section-headers-65535", patched(60, "<H", 0xfff0), None
    yield "section-header-size-1", patched(58, "<H", 1), None
    yield "section-names-beyond", patched(62, "<H", 0xfe00), None


def sections_of(data):
    """name -> (header offset, file offset, size) of a 64-bit little-endian ELF file"""
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQ", data, table + 64 * i) for i in range(count)]
    strings = headers[names][4]
    found = {}
    for number, (name, _, _, _, offset, size) in enumerate(headers):
        end = data.index(b"\0", strings + name)
        found[data[strings + name:end].decode()] = (table + 64 * number, offset, size)
    return found


def section_files(files):
    """Sections that are not what they should be. name, bytes, is it surely refused?"""
    data = files.executable.read_bytes()
    sections = sections_of(data)

    def header(name, field, layout, value):
        at = sections[name][0] + field
        return data[:at] + struct.pack(layout, value) + data[at + struct.calcsize(layout):]

    def filled(name, byte):
        _, offset, size = sections[name]
        return data[:offset] + bytes([byte]) * size + data[offset + size:]

    for name in (".debug_info", ".debug_abbrev"):
        yield f"{name[1:]}-zeros", filled(name, 0), True
        yield f"{name[1:]}-ones", filled(name, 0xff), True
        yield f"{name[1:]}-offset-beyond", header(name, 24, "<Q", len(data) + 1000), True
        yield f"{name[1:]}-size-beyond", header(name, 32, "<Q", 1 << 50), True
        yield f"{name[1:]}-half", header(name, 32, "<Q", sections[name][2] // 2), True
        yield f"{name[1:]}-one-byte", header(name, 32, "<Q", 1), True
        yield f"{name[1:]}-said-to-be-compressed", header(name, 8, "<Q", 0x800), True
        yield f"{name[1:]}-without-bytes", header(name, 4, "<I", 8), True
    yield "debug_abbrev-renamed", data.replace(b".debug_abbrev\0", b".debug_abbrex\0"), True
    yield "debug_str-size-0", header(".debug_str", 32, "<Q", 0), True
    yield "debug_str-ones", filled(".debug_str", 0xff), False
    yield "debug_line_str-ones", filled(".debug_line_str", 0xff), False
    yield "debug_line-ones", filled(".debug_line", 0xff), False
    yield "debug_line-zeros", filled(".debug_line", 0), False


def relocation_files(files):
    data = files.object.read_bytes()
    sections = sections_of(data)
    at, offset, size = sections[".rela.debug_info"]
    yield "relocation-beyond", data[:offset] + struct.pack("<Q", 1 << 40) + data[offset + 8:], True
    yield "relocation-type-unknown", data[:offset + 8] + struct.pack("<I", 0xee) + data[offset + 12:], True
    symbol = struct.pack("<I", 1 << 24)
    yield "relocation-symbol-beyond", data[:offset + 12] + symbol + data[offset + 16:], True
    yield "relocation-entry-size-1", data[:at + 56] + struct.pack("<Q", 1) + data[at + 64:], True
    yield "relocations-link-nowhere", data[:at + 40] + struct.pack("<I", 0xffff) + data[at + 44:], True
    yield "relocations-ones", data[:offset] + b"\xff" * size + data[offset + size:], True


# -- debug information that lies

def units():
    """name, Unit, is it surely refused? Each asks for struct s."""

    def with_struct(*members, version=4, **attributes):
        unit = Unit(version)
        number = unit.base()
        return unit, unit.die("structure_type", name="s", byte_size=8,
                              children=[member("a", number, 0), *members], **attributes)

    # types that never end
    unit, kind = with_struct()
    kind.children.append(member("itself", kind, 4))
    yield "contains-itself", unit, True

    unit = Unit()
    one = unit.die("structure_type", name="s", byte_size=8)
    two = unit.die("structure_type", name="t", byte_size=8)
    one.children, two.children = [member("t", two, 0)], [member("s", one, 0)]
    yield "contain-each-other", unit, True

    for tag in ("typedef", "const_type"):
        unit, kind = with_struct()
        loop = unit.die(tag, name="loop")
        loop.attributes["type"] = loop
        kind.children.append(member("b", loop, 4))
        yield f"{tag}-of-itself", unit, False

    unit, kind = with_struct()
    loop = unit.die("array_type", children=[Die("subrange_type", count=2)])
    loop.attributes["type"] = loop
    kind.children.append(member("b", loop, 4))
    yield "array-of-itself", unit, False

    unit, kind = with_struct()
    loop = unit.die("pointer_type", byte_size=8)
    loop.attributes["type"] = loop
    kind.children.append(member("b", loop, 0))
    yield "pointer-to-itself", unit, False

    unit, kind = with_struct()
    loop = unit.die("subroutine_type")
    loop.attributes["type"], loop.children = loop, [Die("formal_parameter", type=loop) for _ in range(2)]
    kind.children.append(member("b", unit.die("pointer_type", byte_size=8, type=loop), 0))
    yield "function-of-itself", unit, True

    unit, kind = with_struct()
    loop = unit.dies[0]
    for _ in range(40):
        function = unit.die("subroutine_type", type=unit.dies[0],
                            children=[Die("formal_parameter", type=loop) for _ in range(2)])
        loop = unit.die("pointer_type", byte_size=8, type=function)
    kind.children.append(member("b", loop, 0))
    yield "function-of-two-functions-40-deep", unit, False

    unit = Unit()
    kind = unit.base()
    for number in range(200):
        kind = unit.die("structure_type", name=f"s{number}", byte_size=4, children=[member("m", kind, 0)])
    kind.attributes["name"] = "s"
    yield "nested-200-deep", unit, True

    unit = Unit()
    kind = unit.base()
    for number in range(30):
        kind = unit.die("structure_type", name=f"s{number}", byte_size=4 << number,
                        children=[member("x", kind, 0), member("y", kind, (4 << number) // 2)])
    kind.attributes["name"] = "s"
    yield "two-to-the-30-members", unit, True

    unit, kind = with_struct()
    inner = kind
    for number in range(20000):
        inner.children.append(Die("structure_type", byte_size=4, children=[]))
        inner = inner.children[-1]
    yield "dies-20000-deep", unit, False

    for what, deep in (("types", 100000), ("dies", 100000), ("namespaces", 100000)):
        unit = Unit()
        kind = unit.base()
        inner = unit
        for number in range(deep):
            if what == "types":
                kind = unit.die("structure_type", name=f"s{number}", byte_size=4, children=[member("m", kind, 0)])
            elif what == "dies":
                inner.add(Die("structure_type", name=f"s{number}", byte_size=4))
                inner = inner.last
            else:
                inner.add(Die("namespace", name="n"))
                inner = inner.last
        if what == "types":
            kind.attributes["name"] = "s"
        else:
            inner.add(Die("structure_type", name="s", byte_size=4, children=[member("a", kind, 0)]))
        yield f"{what}-100000-deep", unit, True

    # entries that complete each other
    for name, attribute in (("specification", "specification"), ("origin", "abstract_origin")):
        unit = Unit()
        number = unit.base()
        one = unit.die("structure_type", byte_size=4, children=[member("a", number, 0)])
        one.attributes[attribute] = one
        yield f"{name}-of-itself", unit, False
        unit = Unit()
        number = unit.base()
        one = unit.die("structure_type", byte_size=4, children=[member("a", number, 0)])
        two = unit.die("structure_type", byte_size=4, children=[member("a", number, 0)])
        one.attributes[attribute], two.attributes[attribute] = two, one
        yield f"{name}s-of-each-other", unit, False
    for name in ("imported_unit", "imported_declaration"):
        unit, _ = with_struct()
        loop = unit.die(name)
        loop.attributes["import"] = loop
        yield f"{name}-of-itself", unit, False
    unit, _ = with_struct()
    unit.die("imported_unit", **{"import": Raw(0x10, ".long 0")})
    unit.die("imported_unit", **{"import": Raw(0x10, ".long .Linfo")})
    yield "unit-imports-itself", unit, False

    # numbers
    for name, attributes in {
            "size-2-to-the-63": {"byte_size": 1 << 63}, "size-minus-one": {"byte_size": -1},
            "no-size": {"byte_size": Raw(0x19)}, "size-a-block": {"byte_size": Raw(0x0a, ".byte 2, 1, 2")},
            "alignment-3": {"alignment": 3}, "alignment-2-to-the-63": {"alignment": 1 << 63},
            "alignment-0": {"alignment": 0},
    }.items():
        unit, kind = with_struct()
        kind.attributes.update(attributes)
        yield name, unit, False
    for name, attributes in {
            "offset-2-to-the-63": {"data_member_location": 1 << 63},
            "offset-minus-one": {"data_member_location": -1},
            "offset-beyond": {"data_member_location": 1000}, "bit-size-2-to-the-40": {"bit_size": 1 << 40},
            "bit-size-0": {"bit_size": 0},
            "bit-offset-2-to-the-63": {"bit_size": 3, "data_bit_offset": 1 << 63},
            "bit-offset-of-dwarf-2": {"bit_size": 3, "bit_offset": 1 << 62, "byte_size": 4},
            "offset-expression-cut": {"data_member_location": Raw(0x0a, ".byte 2, 0x23, 0x80")},
            "offset-expression-empty": {"data_member_location": Raw(0x0a, ".byte 0")},
            "offset-expression-other": {"data_member_location": Raw(0x0a, ".byte 3, 0x31, 0x12, 0x22")},
    }.items():
        unit, kind = with_struct()
        kind.children[0].attributes.update(attributes)
        yield name, unit, False
    for name, bounds in {
            "count-2-to-the-62": {"count": 1 << 62}, "count-minus-one": {"count": -1},
            "upper-bound-minus-two": {"upper_bound": -2}, "upper-bound-max": {"upper_bound": (1 << 64) - 1},
    }.items():
        unit, kind = with_struct()
        dims = [Die("subrange_type", **bounds) for _ in range(3)]
        kind.children.append(member("b", unit.die("array_type", type=unit.dies[0], children=dims), 4))
        yield name, unit, False

    # references
    for name, value in {
            "type-beyond-the-unit": Raw(0x13, ".long 0x7ffffff0"),
            "type-in-the-header": Raw(0x13, ".long 3"),
            "type-inside-a-die": Raw(0x13, ".long .Lend - .Linfo - 2"),
            "type-beyond-the-section": Raw(0x10, ".long 0x7ffffff0"),
            "type-signature-unknown": Raw(0x20, ".quad 0x1234"),
            "type-a-string": "int",
            "type-alternate-file": Raw(0x1f20, ".long 10"),
    }.items():
        unit, kind = with_struct()
        kind.children[0].attributes["type"] = value
        yield name, unit, False
    unit, kind = with_struct()
    kind.children[0].attributes["type"] = kind.children[0]
    yield "type-is-the-member", unit, False
    for name, text in {"sibling-itself": ".long .Lend - .Linfo - 1", "sibling-backwards": ".long 12",
                       "sibling-beyond": ".long 0x7ffffff0", "sibling-zero": ".long 0"}.items():
        unit, kind = with_struct(sibling=Raw(0x13, text))
        unit.die("structure_type", name="t", byte_size=1)
        yield name, unit, False

    # strings and forms
    for name, value in {
            "name-beyond": Raw(0x0e, ".long 0x7ffffff0"),
            "name-without-end": Raw(0x0e, ".long 0"),
            "name-block-beyond": Raw(0x09, ".uleb128 0x7fffffffffffff"),
            "name-index-beyond": Raw(0x1a, ".uleb128 0x7fffffff"),
            "form-unknown": Raw(0x7e, ".byte 0"),
            "form-zero": Raw(0x00),
            "form-indirect-for-ever": Raw(0x16, ".fill 9, 1, 0x16"),
            "leb-without-end": Raw(0x0f, ".fill 40, 1, 0x80"),
    }.items():
        unit, kind = with_struct(version=5)
        kind.children[0].attributes["name"] = value
        unit.more = '\t.section .debug_str,"",@progbits\n\t.ascii "abc"\n'
        yield name, unit, name.startswith("form")
    unit, kind = with_struct()
    kind.children[0].attributes["name"] = "evil\033[31m\r\n\tname\x7f"
    yield "name-of-control-characters", unit, False

    # headers
    for name, header in {
            "version-1": "\t.long .Lend - 1f\n1:\t.short 1\n\t.long 0\n\t.byte 8\n",
            "version-6": "\t.long .Lend - 1f\n1:\t.short 6\n\t.byte 1, 8\n\t.long 0\n",
            "version-65535": "\t.long .Lend - 1f\n1:\t.short 65535\n\t.long 0\n\t.byte 8\n",
            "length-beyond": "\t.long 0x7fffff00\n\t.short 4\n\t.long 0\n\t.byte 8\n",
            "length-0": "\t.long 0\n\t.short 4\n\t.long 0\n\t.byte 8\n",
            "length-1": "\t.long 1\n\t.short 4\n\t.long 0\n\t.byte 8\n",
            "length-reserved": "\t.long 0xfffffff5\n\t.short 4\n\t.long 0\n\t.byte 8\n",
            "length-64-bit-beyond": "\t.long 0xffffffff\n\t.quad 0x7fffffffffffffff\n\t.short 4\n\t.quad 0\n"
                                    "\t.byte 8\n",
            "length-64-bit-wraps": "\t.long 0xffffffff\n\t.quad -8\n\t.short 4\n\t.quad 0\n\t.byte 8\n",
            "abbreviations-beyond": "\t.long .Lend - 1f\n1:\t.short 4\n\t.long 0x7ffffff0\n\t.byte 8\n",
            "length-into-the-last-entry": "\t.long .Lend - 1f - 3\n1:\t.short 4\n\t.long 0\n\t.byte 8\n",
            "in-the-other-byte-order": "\t.byte 0, 0, 0, 60, 0, 4, 0, 0, 0, 0, 8\n",
            "version-in-the-other-byte-order": "\t.long .Lend - 1f\n1:\t.byte 0, 4\n\t.long 0\n\t.byte 8\n",
            "address-size-0": "\t.long .Lend - 1f\n1:\t.short 4\n\t.long 0\n\t.byte 0\n",
            "address-size-3": "\t.long .Lend - 1f\n1:\t.short 4\n\t.long 0\n\t.byte 3\n",
            "unit-type-unknown": "\t.long .Lend - 1f\n1:\t.short 5\n\t.byte 0x7f, 8\n\t.long 0\n",
    }.items():
        unit, _ = with_struct()
        unit.header = header
        yield name, unit, True
    unit, _ = with_struct()
    unit.before_end = "\t.uleb128 99\n"
    yield "abbreviation-unknown", unit, False
    # a second unit that starts inside the first, or in which the first one ends
    second = "\t.long .Lend2 - 2f\n2:\t.short 4\n\t.long 0\n\t.byte 8\n\t.uleb128 1\n\t.asciz \"x\"\n\t.uleb128 12\n.Lend2:\n"
    for name, more in (("overlapping-the-next-header", 6), ("overlapping-the-next-entry", 13), ("overlapping-it-all", 15)):
        unit, _ = with_struct()
        unit.header = f"\t.long .Lend - 1f + {more}\n1:\t.short 4\n\t.long 0\n\t.byte 8\n"
        unit.more = f'\t.section .debug_info,"",@progbits\n{second}'
        yield name, unit, False
    unit, _ = with_struct()
    unit.before_end = second
    yield "unit-within-a-unit", unit, False
    for name, text in {
            "abbreviation-code-huge": "\t.uleb128 0xffffffffffffffff\n\t.uleb128 0x13\n\t.byte 0, 0, 0\n",
            "abbreviation-tag-huge": "\t.uleb128 60\n\t.uleb128 0xffffffffffffffff\n\t.byte 0, 0, 0\n",
            "abbreviation-attribute-huge": "\t.uleb128 60\n\t.uleb128 0x13\n\t.byte 0\n"
                                           "\t.uleb128 0xffffffffffffffff\n\t.uleb128 8\n\t.byte 0, 0\n",
            "abbreviation-form-huge": "\t.uleb128 60\n\t.uleb128 0x13\n\t.byte 0\n"
                                      "\t.uleb128 3\n\t.uleb128 0xffffffffffffffff\n\t.byte 0, 0\n",
            "abbreviation-leb-without-end": "\t.fill 100, 1, 0x80\n",
            "abbreviations-of-one-code": "\t.uleb128 1\n\t.uleb128 0x13\n\t.byte 0, 0, 0\n" * 3,
            "abbreviations-100000": "".join(f"\t.uleb128 {100 + n}\n\t.byte 0x13, 0, 0, 0\n" for n in range(100000)),
    }.items():
        unit, _ = with_struct()
        unit.extra_abbreviations = text
        yield name, unit, False
    unit, _ = with_struct()
    unit.abbreviations_end = ""
    yield "abbreviations-without-end", unit, False
    unit, _ = with_struct()
    pairs = "\t.uleb128 3, 8\n" * 70000
    unit.extra_abbreviations = f"\t.uleb128 50\n\t.uleb128 0x13\n\t.byte 0\n{pairs}\t.byte 0, 0\n"
    yield "abbreviation-with-70000-attributes", unit, False


# -- profiles

PROFILES = {
    "empty": "",
    "comment-only": "# nothing\n",
    "null": "~\n",
    "list": "- a\n- b\n",
    "scalar": "hello\n",
    "nothing-in-it": "version: 1\n",
    "no-version": "structs: {s: {fields: {a: r hot}}}\n",
    "version-99": "version: 99\nstructs: {s: {fields: {a: r hot}}}\n",
    "bad-yaml": "version: 1\nstructs: {s: {fields: {a: [}\n",
    "tab": "version: 1\n\tstructs: {}\n",
    "binary": b"\0\1\2\377\376\0",
    "bad-utf-8": b"version: 1\nstructs: {s: {fields: {\xff\xfe: r hot}}}\n",
    "unknown-key": "version: 1\nstructs: {s: {feilds: {a: r hot}}}\n",
    "unknown-access": "version: 1\nstructs: {s: {fields: {a: {wrtie: 1}}}}\n",
    "duplicate-key": "version: 1\nversion: 1\nstructs: {s: {fields: {a: r hot}}}\n",
    "duplicate-field": "version: 1\nstructs: {s: {fields: {a: r hot, a: w hot}}}\n",
    "duplicate-struct": "version: 1\nstructs:\n  s: {fields: {a: r hot}}\n  s: {fields: {a: w hot}}\n",
    "reserved-role": "version: 1\nroles: {read: {threads: 2}}\nstructs: {s: {fields: {a: r hot}}}\n",
    "no-threads": "version: 1\nroles: {x: {threads: 0}}\nstructs: {s: {fields: {a: {x: {read: 1}}}}}\n",
    "threads-minus-one": "version: 1\nroles: {x: {threads: -1}}\n"
                         "structs: {s: {fields: {a: {x: {read: 1}}}}}\n",
    "threads-huge": "version: 1\nroles: {x: {threads: 99999999999999999999}}\n"
                    "structs: {s: {fields: {a: {x: {read: 1}}}}}\n",
    "rate-nan": "version: 1\nroles: {x: {rate: .nan}}\nstructs: {s: {fields: {a: {x: {read: 1}}}}}\n",
    "count-negative": "version: 1\nstructs: {s: {fields: {a: {read: -1}}}}\n",
    "count-infinite": "version: 1\nstructs: {s: {fields: {a: {read: .inf}}}}\n",
    "count-a-word": "version: 1\nstructs: {s: {fields: {a: {read: often}}}}\n",
    "role-unknown": "version: 1\nroles: {x: {threads: 2}}\nstructs: {s: {fields: {a: {y: {read: 1}}}}}\n",
    "role-in-no-workload": "version: 1\nroles: {x: {threads: 2}, y: {threads: 2}}\nworkloads: {w: [x]}\n"
                           "structs: {s: {fields: {a: {x: {read: 1}, y: {read: 1}}}}}\n",
    "line-size-63": "version: 1\nline_size: 63\nstructs: {s: {fields: {a: r hot}}}\n",
    "contradiction": "version: 1\nstructs: {s: {fields: {a: r hot}, constraints: {first: [a], last: [a]}}}\n",
    "ignore-without-reason": "version: 1\nstructs: {s: {fields: {a: r hot}, ignore: [{rule: LL001}]}}\n",
    "ignore-unknown-rule": "version: 1\n"
                           "structs: {s: {fields: {a: r hot}, ignore: [{rule: LL999, reason: x}]}}\n",
    "aliases": "version: 1\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
    "deep": "version: 1\nstructs: " + "{a: " * 5000 + "1" + "}" * 5000 + "\n",
    "deep-lists": "[" * 100000,
    "two-documents": "version: 1\nstructs: {s: {fields: {a: r hot}}}\n---\nversion: 1\n",
    "huge": "version: 1\n" + "# " + "x" * (17 << 20) + "\n",
}

# -- command lines; GOOD stands for a good file

COMMANDS = {
    "no-verb": ["GOOD"],
    "unknown-verb": ["GOOD", "strcut", "s"],
    "no-name": ["GOOD", "struct"],
    "unknown-option": ["--formta", "json", "GOOD", "struct", "s"],
    "unknown-format": ["--format", "yaml", "GOOD", "struct", "s"],
    "option-without-value": ["GOOD", "struct", "s", "--format"],
    "value-for-a-flag": ["--hex=1", "GOOD", "struct", "s"],
    "line-size-63": ["--line-size", "63", "GOOD", "struct", "s"],
    "line-size-0": ["--line-size", "0", "GOOD", "struct", "s"],
    "line-size-huge": ["--line-size", "18446744073709551616", "GOOD", "struct", "s"],
    "at-a-word": ["--at", "here", "GOOD", "struct", "s"],
    "threads-0": ["--threads", "0", "GOOD", "struct", "s"],
    "jobs-minus-one": ["--jobs", "-1", "GOOD", "struct", "s"],
    "fail-on-unknown": ["--fail-on", "fatal", "GOOD", "struct", "s"],
    "no-such-struct": ["GOOD", "struct", "innner"],
    "no-such-struct-in-list": ["GOOD", "list", "innner"],
    "one-of-two-missing": ["GOOD", "struct", "s", "innner"],
    "glob-of-nothing": ["GOOD", "list", "zz*"],
    "empty-name": ["GOOD", "struct", ""],
    "profile-not-there": ["--profile", "not-there.yaml", "GOOD", "struct", "s"],
    "profile-a-directory": ["--profile", "/", "GOOD", "struct", "s"],
    "output-nowhere": ["--output", "/nonexistent/x", "GOOD", "struct", "s"],
    "explain-unknown": ["explain", "LL999"],
    "profile-init-of-nothing": ["profile", "init", "GOOD", "innner"],
    "profile-unknown": ["profile", "invent", "GOOD", "s"],
}
# What these must offer as the nearest.
NEAREST = {"no-such-struct": "inner", "one-of-two-missing": "inner", "unknown-verb": "struct",
           "unknown-option": "--format", "explain-unknown": "LL0", "profile-init-of-nothing": "inner"}


def assembled(context, files, name, unit, surely):
    source = files.write(f"{name}.s", unit.assembler())
    binary = files.directory / f"{name}.o"
    context.compile("gcc", ["-c"], [source], binary)
    if surely:
        refused(context, binary, "struct", "s")
    else:
        bounded(context, binary, "struct", "s")
        bounded(context, "--format", "json", "--all-definitions", binary, "list")


def beyond(context, files, name):
    """Elements of eight bytes that say they reach through 65536 lines, each across all the others."""
    unit = Unit()
    number = unit.base()
    wide = unit.die("array_type", type=number, children=[Die("subrange_type", count=1 << 60)])
    unit.die("structure_type", name="s", byte_size=8, children=[member("a", number, 0), member("b", wide, 4)])
    source, binary = files.write(f"{name}.s", unit.assembler()), files.directory / f"{name}.o"
    context.compile("gcc", ["-c"], [source], binary)
    path = files.write(f"{name}.yaml", "version: 1\nstructs: {s: {instance: array, fields: {a: r hot, b: w hot}}}\n")
    bounded(context, "--profile", path, binary, "check")


def section(context, files, name, data, surely):
    path = files.write(name, data)
    for verb in (["struct", "s"], ["list"]):
        if surely:
            refused(context, path, *verb)
        else:
            bounded(context, path, *verb)


def mutated(context, files, kind, part):
    """Random bytes changed in the debug sections; each must end well."""
    source = {"object": files.object, "executable": files.executable, "dwarf-4": files.object_4}[kind]
    data = source.read_bytes()
    ranges = [(offset, size) for name, (_, offset, size) in sections_of(data).items()
              if size and re.fullmatch(r"\.debug_(info|abbrev|str|line|line_str)", name)]
    chooser = random.Random(f"{context.seed} {kind} {part}")
    for number in range(25):
        changed = bytearray(data)
        for _ in range(chooser.choice([1, 1, 2, 4, 16])):
            offset, size = chooser.choice(ranges)
            byte = chooser.choice([0, 0xff, 0x80, chooser.randrange(256)])
            changed[offset + chooser.randrange(size)] = byte
        path = files.write(f"mutated-{kind}-{part}-{number}", bytes(changed))
        bounded(context, "--all-definitions", path, "list")
        bounded(context, path, "struct", "s", "list_t")
        path.unlink()


def elf(context, files, name, data, reason):
    path = data if isinstance(data, pathlib.Path) else files.write(name, data)
    refused(context, path, "struct", "s", reason=reason)
    refused(context, path, "list", reason=reason)


def bare(context, files, name, flags, reason="-g"):
    refused(context, files.good(name, *flags), "struct", "s", reason=reason)


def without_split_file(context, files, name):
    path = files.good(name, "-gsplit-dwarf")
    dwo, = files.directory.glob(f"{name}*.dwo")
    dwo.unlink()
    refused(context, path, "struct", "s", reason=re.escape(dwo.name))


def archive(context, files, name):
    path = files.directory / f"{name}.a"
    path.unlink(missing_ok=True)
    context.good(["ar", "rcs", path, files.object])
    whole = path.read_bytes()
    for size in (8, 40, 68, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        result = context.hostile(path, "struct", "s", status=2)
        check(not result.out and "crashed" not in result.err, f"cut off at {size}\n{result}")


def profile(context, files, name, text):
    path = files.write(f"{name}.yaml", text)
    refused(context, "--profile", path, files.object, "struct", "s", reason=re.escape(path.name))


def command(context, files, name, words):
    refused(context, *(files.object if word == "GOOD" else word for word in words), reason=NEAREST.get(name))


def tests(context):
    files = Files(context)

    def test(label, name, function, *arguments):
        return Test(f"hostile/{label}/{name}", lambda: function(context, files, name, *arguments))

    for name, data, reason in elf_files(files):
        yield test("elf", name, elf, data, reason)
    yield test("elf", "no-debug-information", bare, ["-g0"])
    yield test("elf", "object-without-debug-information", bare, ["-g0", "-c"])
    yield test("elf", "stripped", bare, ["-s"])
    yield test("elf", "no-types", bare, ["-g1"], None)
    yield test("elf", "link-time-optimization", bare, ["-flto", "-c"], "-flto")
    yield test("elf", "split", without_split_file)
    yield test("elf", "archive", archive)
    for name, data, surely in section_files(files):
        yield test("section", name, section, data, surely)
    for name, data, surely in relocation_files(files):
        yield test("relocation", name, section, data, surely)
    for name, unit, surely in units():
        yield test("dwarf", name, assembled, unit, surely)
    yield test("dwarf", "array-beyond-its-element", beyond)
    for name, text in PROFILES.items():
        yield test("profile", name, profile, text)
    for name, words in COMMANDS.items():
        yield test("command", name, command, words)
    for kind in ("object", "executable", "dwarf-4"):
        for part in range(4):
            yield Test(f"hostile/mutated/{kind}-{part}", lambda k=kind, p=part: mutated(context, files, k, p))
