"""BTF by hand (linux/btf.h, Documentation/bpf/btf.rst), in either byte order, right or wrong.

    btf = Btf()
    number = btf.int("int", 4)
    btf.struct("s", 8, [("a", number, 0), ("b", number, 32)])
    btf.bytes(big_endian=True)
"""

import struct

(INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FUNC_PROTO, VAR, DATASEC, FLOAT,
 DECL_TAG, TYPE_TAG, ENUM64) = range(1, 20)
MAGIC = 0xeb9f


class Btf:
    def __init__(self, base=None):
        """`base`: the Btf that this one goes on behind."""
        self.records = []  # (name offset, info, size or type, words behind)
        self.strings = bytearray(b"" if base else b"\0")  # grows in place: there may be 100,000 names
        self.first_id = base.first_id + len(base.records) if base else 1
        self.first_string = base.first_string + len(base.strings) if base else 0
        self.offsets = dict(base.offsets) if base else {"": 0}

    def text(self, name):
        """The offset of a string."""
        if name not in self.offsets:
            self.offsets[name] = self.first_string + len(self.strings)
            self.strings += name.encode() + b"\0"
        return self.offsets[name]

    def add(self, kind, name, value=0, tail=(), vlen=0, flag=0):
        """Any record -> its id."""
        self.records.append((self.text(name), flag << 31 | kind << 24 | vlen, value, tuple(tail)))
        return self.first_id + len(self.records) - 1

    def int(self, name, size, bits=None, offset=0, encoding=0):
        return self.add(INT, name, size, [encoding << 24 | offset << 16 | (8 * size if bits is None else bits)])

    def aggregate(self, kind, name, size, members, flag):
        """Members are (name, type, bit offset), or with their width behind."""
        tail = []
        for member, target, offset, *width in members:
            tail += [self.text(member), target, offset | (width[0] << 24 if width else 0)]
        return self.add(kind, name, size, tail, len(members), flag)

    def struct(self, name, size, members, flag=0):
        return self.aggregate(STRUCT, name, size, members, flag)

    def union(self, name, size, members, flag=0):
        return self.aggregate(UNION, name, size, members, flag)

    def array(self, element, count, index):
        return self.add(ARRAY, "", 0, [element, index, count])

    def bytes(self, big_endian=False, header_bytes=24, types=None, strings=None, **header):
        """The file. `header` replaces magic, version, type_off, type_len, str_off, str_len."""
        order = ">" if big_endian else "<"
        if types is None:
            types = b"".join(struct.pack(f"{order}{3 + len(tail)}I", name, info, value, *tail)
                             for name, info, value, tail in self.records)
        if strings is None:
            strings = self.strings
        field = {"magic": MAGIC, "version": 1, "type_off": 0, "type_len": len(types), "str_off": len(types),
                 "str_len": len(strings), **header}
        packed = struct.pack(f"{order}HBBIIIII", field["magic"], field["version"], 0,
                             field.get("hdr_len", header_bytes), field["type_off"], field["type_len"],
                             field["str_off"], field["str_len"])
        return packed + bytes(header_bytes - len(packed)) + types + strings
