#!/usr/bin/python3
"""Inputs of the fuzzers as text that can be read and reviewed, and back.

    tests/fuzz/corpus.py expand TARGET DIRECTORY       writes each input of tests/fuzz/corpus/TARGET.txt as a file
    tests/fuzz/corpus.py show TARGET FILE [WORDS]      prints an entry for a file: to append to that text
    tests/fuzz/corpus.py collect TARGET DIRECTORY [N]  prints entries for its files, the smallest first, at most N bytes

An entry is "[NAME]", after lines of "# what it was", and before lines that are its bytes: hexadecimal, or "text" with the
escapes of C. Inputs of several pieces (pieces.h) begin with "flags XX"; "= SECTION" begins each piece.
"""

import hashlib
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
SECTIONS = [".debug_info", ".debug_abbrev", ".debug_str", ".debug_line", ".debug_line_str", ".debug_str_offsets",
            ".debug_addr", ".debug_ranges", ".debug_rnglists", ".debug_loc", ".debug_loclists", ".debug_types",
            ".debug_aranges", ".debug_cu_index", ".debug_tu_index", ".BTF", ".BTF_base"]  # as enum object_section_id
BTF = ["raw", "types", "strings", "unused", "base-raw", "base-types", "base-strings"]
ALTERNATE = 0x40  # the same of the file that dwz puts what several share into
PIECES = {"index": SECTIONS, "dwarf": SECTIONS, "plain": SECTIONS, "btf": BTF}
TEXTS = {"profile", "options", "record", "source"}
BIG_ENDIAN, BITS_32, SPLIT = 1, 2, 4
RAW_FILE = 4  # of btf


def join(flags, pieces):
    """pieces: [(id, bytes)]"""
    return bytes([flags]) + b"".join(struct.pack("<BI", number, len(data)) + data for number, data in pieces)


def split(data):
    """The inverse, for any bytes, as pieces_read() does it; what it leaves over is lost."""
    pieces, at = [], 1
    while len(data) - at >= 5 and len(pieces) < 24:
        number, size = struct.unpack_from("<BI", data, at)
        pieces.append((number, data[at + 5:at + 5 + size]))
        at += 5 + len(pieces[-1][1])
    return (data[0] if data else 0), pieces


# -- bytes as lines

ESCAPES = {"\\": 92, '"': 34, "n": 10, "t": 9}


def quoted(data):
    names = {value: name for name, value in ESCAPES.items()}
    return '"' + "".join("\\" + names[byte] if byte in names else chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"
                         for byte in data) + '"'


def lines_of(data, is_text):
    if is_text or (data and sum(32 <= byte < 127 or byte in (0, 9, 10) for byte in data) > 0.9 * len(data)):
        parts = re.findall(rb"[^\n\0]{0,100}[\n\0]?", data)
        return [quoted(part) for part in parts if part]
    return [data[at:at + 48].hex(" ", 4) for at in range(0, len(data), 48)]


def bytes_of(line):
    if line.startswith('"'):
        text = re.sub(r"\\(x[0-9a-f]{2}|.)", lambda found: chr(
            int(found[1][1:], 16) if found[1][0] == "x" and len(found[1]) == 3 else ESCAPES[found[1]]), line[1:-1])
        return text.encode("latin-1")
    return bytes.fromhex(line)


def piece_name(target, number):
    names = PIECES[target]
    base = number & ~ALTERNATE
    return f"{number:#x}" if base >= len(names) else names[base] + (" of the alternate file" if number != base else "")


def piece_number(target, name):
    name, _, alternate = name.partition(" ")
    number = int(name, 16) if name.startswith("0x") else PIECES[target].index(name)
    return number | (ALTERNATE if alternate else 0)


def show(target, data, name, comment=""):
    lines = [f"# {comment}"] if comment else []
    lines.append(f"[{name}]")
    flags, pieces = split(data)
    if target in PIECES and join(flags, pieces) == data:
        lines.append(f"flags {flags:02x}")
        for number, piece in pieces:
            lines += [f"= {piece_name(target, number)}", *lines_of(piece, False)]
    else:
        lines += lines_of(data, target in TEXTS)
    return "\n".join(lines) + "\n"


def entries(target, text):
    """-> name, bytes"""
    name, flags, pieces, plain = None, None, [], b""
    for line in [*text.splitlines(), "[]"]:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if name:
                yield name, plain if flags is None else join(flags, [(n, bytes(d)) for n, d in pieces])
            name, flags, pieces, plain = line[1:-1], None, [], b""
        elif line.startswith("flags "):
            flags = int(line[6:], 16)
        elif line.startswith("= "):
            pieces.append((piece_number(target, line[2:]), bytearray()))
        elif pieces:
            pieces[-1][1].extend(bytes_of(line))
        else:
            plain += bytes_of(line)


def expand(target, directory):
    """Files of the committed inputs -> [path], in the order of the text."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    path = HERE / "corpus" / f"{target}.txt"
    if not path.exists():
        return paths
    for name, data in entries(target, path.read_text()):
        paths.append(directory / name)
        if paths[-1] in paths[:-1]:
            raise ValueError(f"{path}: {name} is there twice")
        paths[-1].write_bytes(data)
    return paths


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    verb, target, path = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    if verb == "expand":
        expand(target, path)
    elif verb == "show":
        name = re.sub(r"[^a-z0-9-]+", "-", path.name)[:20]
        print(show(target, path.read_bytes(), name, " ".join(sys.argv[4:])), end="")
    elif verb == "collect":
        left = int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 30
        for data in sorted({file.read_bytes() for file in path.iterdir()}, key=lambda data: (len(data), data)):
            if len(data) <= left and not re.search(rb"/(home|root|tmp|work|usr)/", data):
                print(show(target, data, hashlib.sha256(data).hexdigest()[:8]))
                left -= len(data)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
