"""Takes ELF files apart and damages them, always in the same way for the same seed.

Each function yields (name, bytes). What is merely cut off or said to be of another size keeps its meaning, so that
whatever is still printed of it must be as before; where bytes are changed, other values may be right.
"""

import dataclasses
import random
import struct

FIELDS_64 = {"name": (0, "I"), "type": (4, "I"), "flags": (8, "Q"), "addr": (16, "Q"), "offset": (24, "Q"),
             "size": (32, "Q"), "link": (40, "I"), "info": (44, "I"), "align": (48, "Q"), "entsize": (56, "Q")}
FIELDS_32 = {name: (4 * number, "I") for number, name in enumerate(FIELDS_64)}
NOBITS, COMPRESSED = 8, 0x800


@dataclasses.dataclass
class Section:
    name: str
    header: int  # offset in the file, as below
    offset: int
    size: int
    kind: int
    flags: int


class Image:
    def __init__(self, data):
        self.data = bytes(data)
        self.is_64 = data[4] == 2
        self.order = "<" if data[5] == 1 else ">"
        self.fields = FIELDS_64 if self.is_64 else FIELDS_32
        self.table, = self.get(40 if self.is_64 else 32, "Q" if self.is_64 else "I")
        self.entry, self.count, names = self.get(58 if self.is_64 else 46, "HHH")
        self.program_table, = self.get(32 if self.is_64 else 28, "Q" if self.is_64 else "I")
        self.program_size, self.program_count = self.get(54 if self.is_64 else 42, "HH")
        headers = [self.table + self.entry * number for number in range(self.count)]
        strings = self.field(headers[names], "offset")
        self.sections = []
        for header in headers:
            start = strings + self.field(header, "name")
            self.sections.append(Section(
                self.data[start:self.data.index(b"\0", start)].decode(errors="replace"), header, self.field(header, "offset"),
                self.field(header, "size"), self.field(header, "type"), self.field(header, "flags")))

    def get(self, at, layout):
        return struct.unpack_from(self.order + layout, self.data, at)

    def field(self, header, name):
        at, layout = self.fields[name]
        return self.get(header + at, layout)[0]

    def find(self, name):
        return next((section for section in self.sections if section.name == name), None)

    def with_bytes(self, at, new):
        return self.data[:at] + new + self.data[at + len(new):]

    def with_field(self, section, name, value):
        at, layout = self.fields[name]
        bits = 64 if layout == "Q" else 32
        return self.with_bytes(section.header + at, struct.pack(self.order + layout, value & ((1 << bits) - 1)))

    def in_file(self):
        """Sections of which there are bytes in the file."""
        return [section for section in self.sections if section.size and section.kind not in (0, NOBITS)]


def areas(image, names):
    """name, offset, size of what flips are made in: the sections of these names, and the three headers."""
    for section in image.in_file():
        if section.name in names:
            yield section.name, section.offset, section.size
    yield "elf-header", 0, 64 if image.is_64 else 52
    yield "section-headers", image.table, image.entry * image.count
    if image.program_count:
        yield "program-headers", image.program_table, image.program_size * image.program_count


def flipped(data, offset, size, seed, count):
    """`count` files in which 1, 1, 2, 4 or 16 bits of data[offset : offset + size] are flipped."""
    chooser = random.Random(seed)
    for _ in range(count):
        changed = bytearray(data)
        for _ in range(chooser.choice([1, 1, 2, 4, 16])):
            changed[offset + chooser.randrange(size)] ^= 1 << chooser.randrange(8)
        yield bytes(changed)


def fronted(image):
    """The same file with the table of sections in front: only then does one that is cut off still have sections."""
    start = 64 if image.is_64 else 52
    table = bytearray(image.data[image.table:image.table + image.entry * image.count])
    moved = len(table) + -len(table) % 16
    at, layout = image.fields["offset"]
    for number in range(1, image.count):
        where = number * image.entry + at
        old, = struct.unpack_from(image.order + layout, table, where)
        struct.pack_into(image.order + layout, table, where, old + moved)
    data = bytearray(image.data[:start] + bytes(table) + bytes(moved - len(table)) + image.data[start:])
    struct.pack_into(image.order + ("Q" if image.is_64 else "I"), data, 40 if image.is_64 else 32, start)
    return bytes(data)


def truncated(image):
    """At every border of a section, and a byte before and behind it."""
    borders = {edge + more for section in image.in_file() for edge in (section.offset, section.offset + section.size)
               for more in (-1, 0, 1)}
    for size in sorted(borders):
        if 0 < size < len(image.data):
            yield f"cut-at-{size}", image.data[:size]


# Whether what is there keeps its meaning.
WILD = [("size", lambda s, n: 0, True), ("size", lambda s, n: 1, True), ("size", lambda s, n: s.size // 2, True),
        ("size", lambda s, n: s.size - 1, True), ("size", lambda s, n: s.size + 1, False),
        ("size", lambda s, n: n, True), ("size", lambda s, n: 1 << 31, True), ("size", lambda s, n: -1, True),
        ("size", lambda s, n: 1 << 40, True),
        ("offset", lambda s, n: 0, False), ("offset", lambda s, n: s.offset + 1, False),
        ("offset", lambda s, n: n - 1, True), ("offset", lambda s, n: n, True), ("offset", lambda s, n: n + 1, True),
        ("offset", lambda s, n: 1 << 31, True), ("offset", lambda s, n: -s.size, True), ("offset", lambda s, n: -1, True),
        ("link", lambda s, n: 0, True), ("link", lambda s, n: 0xffff, True), ("link", lambda s, n: -1, True),
        ("info", lambda s, n: -1, True),
        ("entsize", lambda s, n: 0, True), ("entsize", lambda s, n: 1, True), ("entsize", lambda s, n: -1, True),
        ("align", lambda s, n: 3, True), ("align", lambda s, n: -1, True), ("align", lambda s, n: 1 << 40, True),
        ("type", lambda s, n: 0, True), ("type", lambda s, n: NOBITS, True), ("type", lambda s, n: 0x6fffffff, True),
        ("flags", lambda s, n: COMPRESSED, True), ("flags", lambda s, n: -1, True),
        ("name", lambda s, n: 0, True), ("name", lambda s, n: -1, True)]


def wild(image, section):
    """A section whose header says something else. name, bytes, is the meaning kept?"""
    for field, value, kept in WILD:
        number = value(section, len(image.data))
        data = image.with_field(section, field, number)
        # without its relocations an object is as one of which they were applied (eu-strip --reloc-debug-sections)
        kept = kept and not section.name.startswith(".rel")
        if data != image.data:
            yield f"{section.name}-{field}-{number:x}", data, kept


def swapped(image, sections):
    """Sections in each other's place, in part or wholly."""
    at, layout = image.fields["offset"]
    width = struct.calcsize(image.order + layout)
    size_at = image.fields["size"][0]
    for left in sections:
        for right in sections:
            if left is right:
                continue
            place = image.data[right.header + at:right.header + at + width]
            size = image.data[right.header + size_at:right.header + size_at + width]
            one = Image(image.with_bytes(left.header + at, place))
            yield f"{left.name}-over{right.name}", one.data
            both = one.with_bytes(left.header + size_at, size)
            yield f"{left.name}-is{right.name}", both


def lies(image, section):
    """A compressed section whose header says something else."""
    if section.flags & COMPRESSED:
        layout = image.order + ("IIQQ" if image.is_64 else "III")
        parts = struct.unpack_from(layout, image.data, section.offset)
        kind, *_, size, align = parts
        top = (1 << 64 if image.is_64 else 1 << 32) - 1

        def header(kind=kind, size=size, align=align):
            numbers = (kind, 0, size, align) if image.is_64 else (kind, size, align)
            return image.with_bytes(section.offset, struct.pack(layout, *numbers))

        for value in (0, 1, size // 2, size - 1, size + 1, 1 << 20, 1 << 31, top // 2, top):
            yield f"{section.name}-size-{value:x}", header(size=value)
        for value in (0, 2, 99, (1 << 32) - 1):
            yield f"{section.name}-type-{value:x}", header(kind=value)
        for value in (0, 3, 1 << 31, top):
            yield f"{section.name}-align-{value:x}", header(align=value)
        body = section.offset + (24 if image.is_64 else 12)
    else:  # .zdebug: "ZLIB", and the size in big endian
        size, = struct.unpack_from(">Q", image.data, section.offset + 4)
        for value in (0, 1, size // 2, size - 1, size + 1, 1 << 20, 1 << 31, 1 << 40, (1 << 64) - 1):
            yield f"{section.name}-size-{value:x}", image.with_bytes(section.offset + 4, struct.pack(">Q", value))
        yield f"{section.name}-magic", image.with_bytes(section.offset, b"ZLIX")
        body = section.offset + 12
    left = section.offset + section.size - body
    for name, at in (("first", 0), ("middle", left // 2), ("last", left - 1)):
        yield f"{section.name}-stream-{name}", image.with_bytes(body + at, bytes([image.data[body + at] ^ 0x55]))
    yield f"{section.name}-stream-zeros", image.with_bytes(body, bytes(left))
    yield f"{section.name}-stream-ones", image.with_bytes(body, b"\xff" * left)
