"""order/: who may include whom. Data flows one way, and a library has one user."""

import re

from .common import Failure, Test

# Rooms of src/, lowest first; those of one level are strangers. A file belongs to the room of its directory, at the top
# to the one that its name is of (lint.c and lint/ are one room).
LEVELS = [
    {"base"},
    {"type"},
    {"read", "layout", "profile"},
    {"cost", "locate"},
    {"import", "access"},
    {"mesi", "lint", "order"},
    {"suggest", "explain"},
    {"patch", "replay", "vars"},
    {"report"},
    {"diff"},
    {"render"},
    {"cmd"},
    {"main"},
]

# Linked into other programs: knows nobody, and nobody knows it.
APART = {"record"}

# The same inside read/, which is the largest: its files and folders of a name are a group (object.c and object/).
READ = [
    {"bytes", "dw", "map"},
    {"archive", "unpack"},
    {"object"},
    {"index"},
    {"dwarf", "btf", "source", "companion", "collect"},
    {"variables", "info"},
]

# A library's headers, and the only rooms or groups of read/ that may include them.
LIBRARIES = {
    r"(libelf|gelf|elf)\.h": {"read/object"},
    r"zlib\.h": {"read/object", "read/unpack"},
    r"(lzma|zstd|lz4|lz4frame|bzlib)\.h": {"read/unpack"},
    r"libdwarf/.*|dwarf\.h": {"read/dwarf"},
    r"bpf/.*": {"read/btf"},
    r"yaml\.h": {"profile"},
    r"(cjson/)?cJSON\.h": {"render"},
    r"urcu.*": set(),
}

LEVEL = {room: number for number, rooms in enumerate(LEVELS) for room in rooms}
LEVEL_IN_READ = {f"read/{group}": number for number, groups in enumerate(READ) for group in groups}


def room_of(name):
    return name.split("/")[0] if "/" in name else re.split(r"[_.]", name)[0]


def group_of(name):
    """The group of a file of read/."""
    group = f"read/{re.split(r'[_./]', name.split('/', 1)[1])[0]}"
    if group not in LEVEL_IN_READ:
        raise Failure(f"src/{name}: of no known group of read/; give it one in tests/suites/order.py")
    return group


def includes(path):
    return re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', path.read_text(), re.M)


def check_apart(name, room, wanted):
    """Its own headers and the system's."""
    for kind, target in wanted:
        if kind == '"' and room_of(target) != room:
            raise Failure(f'src/{name} includes "{target}": {room} must not know {room_of(target)}')
        for header in LIBRARIES:
            if kind == "<" and target != "elf.h" and re.fullmatch(header, target):
                raise Failure(f"src/{name} includes <{target}>: {room} needs nothing but libc")


def check_file(source_root, path):
    name = str(path.relative_to(source_root))
    room = room_of(name)
    if room in APART:
        check_apart(name, room, includes(path))
        return
    if room not in LEVEL:
        raise Failure(f"src/{name}: no room of that name; give it a level in tests/suites/order.py")
    me = group_of(name) if room == "read" else room
    faults = []
    for kind, target in includes(path):
        if kind == "<":
            for header, users in LIBRARIES.items():
                if re.fullmatch(header, target) and me not in users:
                    allowed = " ".join(sorted(users)) or "nobody"
                    faults.append(f"src/{name} includes <{target}>, which only {allowed} may")
        elif not (source_root / target).exists():
            faults.append(f'src/{name} includes "{target}", which is not under src/ (paths start there)')
        elif room_of(target) in APART:
            faults.append(f'src/{name} includes "{target}": nobody may know {room_of(target)}')
        elif room_of(target) not in LEVEL:
            faults.append(f'src/{name} includes "{target}" of no known room')
        elif room_of(target) != room:
            if LEVEL[room_of(target)] >= LEVEL[room]:
                faults.append(f'src/{name} includes "{target}": {room} must not know {room_of(target)}')
        elif room == "read":
            other = group_of(target)
            if other != me and LEVEL_IN_READ[other] >= LEVEL_IN_READ[me]:
                faults.append(f'src/{name} includes "{target}": {me} must not know {other}')
    if faults:
        raise Failure("\n".join(faults))


def alone(context, header):
    """A header compiles by itself, and twice."""
    text = f'#include "{header}"\n#include "{header}"\n'
    context.good([context.cc, "-std=c11", "-D_GNU_SOURCE", "-Isrc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                  "-x", "c", "-"], stdin=text.encode())


def tests(context):
    source_root = context.root / "src"
    for path in sorted(source_root.rglob("*.[ch]")):
        yield Test(f"order/{path.relative_to(source_root)}", lambda path=path: check_file(source_root, path))
        if path.suffix == ".h":
            header = path.relative_to(source_root)
            yield Test(f"order/alone/{header}", lambda header=header: alone(context, header))
