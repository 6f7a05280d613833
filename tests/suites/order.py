"""order/: who may include whom. Data flows one way, and a library has one user."""

import re

from .common import Failure, Test

# Rooms of src/, lowest first; those of one level are strangers. A file belongs to the room of its directory, at the top
# to the one its name begins with (profile_yaml.c is of profile).
LEVELS = [
    {"base"},
    {"type"},
    {"read", "layout", "profile"},
    {"cost"},
    {"import", "access"},
    {"mesi", "lint", "order"},
    {"suggest"},
    {"patch"},
    {"report"},
    {"render"},
    {"cmd"},
    {"main"},
]
LEVEL = {room: number for number, rooms in enumerate(LEVELS) for room in rooms}

# Inside read/: what a file may know of its neighbours.
READ = {
    "bytes": set(),
    "dw": set(),
    "object": {"bytes"},
    "index": {"bytes", "dw", "object"},
    "dwarf": {"bytes", "dw", "object", "index"},
    "btf": {"bytes", "object", "index"},
    "source": set(),
}

# A library's headers and the only files that may include them.
LIBRARIES = {
    r"(libelf|gelf|elf)\.h": r"read/object\w*\.c",
    r"libdwarf/.*|dwarf\.h": r"read/(dwarf|index)\w*\.[ch]",
    r"bpf/.*": r"read/btf\w*\.c",
    r"yaml\.h": r"profile\w*\.[ch]",
    r"(cjson/)?cJSON\.h": r"render/\w+\.[ch]",
    r"urcu.*": r"(?!)",
}


def room_of(name):
    return name.split("/")[0] if "/" in name else re.split(r"[_.]", name)[0]


def includes(path):
    return re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', path.read_text(), re.M)


def check_file(source_root, path):
    name = str(path.relative_to(source_root))
    room = room_of(name)
    faults = []
    if room not in LEVEL:
        raise Failure(f"src/{name}: no room of that name; give it a level in tests/suites/order.py")
    for kind, target in includes(path):
        if kind == "<":
            for header, users in LIBRARIES.items():
                if re.fullmatch(header, target) and not re.fullmatch(users, name):
                    faults.append(f"src/{name} includes <{target}>, which only {users} may")
            continue
        if not (source_root / target).exists():
            faults.append(f"src/{name} includes \"{target}\", which is not under src/ (paths start there)")
            continue
        other = room_of(target)
        if other not in LEVEL:
            faults.append(f"src/{name} includes \"{target}\" of no known room")
        elif other == room:
            if room == "read":
                mine, theirs = (re.split(r"[_.]", part.split("/")[1])[0] for part in (name, target))
                if mine != theirs and theirs not in READ.get(mine, set()):
                    faults.append(f"src/{name} includes \"{target}\": {mine} must not know {theirs}")
        elif LEVEL[other] >= LEVEL[room]:
            faults.append(f"src/{name} includes \"{target}\": {room} must not know {other}")
    if faults:
        raise Failure("\n".join(faults))


def alone(context, header):
    context.good([context.cc, "-std=c11", "-D_GNU_SOURCE", "-Isrc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                  "-x", "c", header])


def tests(context):
    source_root = context.root / "src"
    for path in sorted(source_root.rglob("*.[ch]")):
        yield Test(f"order/{path.relative_to(source_root)}", lambda path=path: check_file(source_root, path))
        if path.suffix == ".h":
            yield Test(f"order/alone/{path.relative_to(source_root)}", lambda path=path: alone(context, path))
