"""pahole's text -> what it says of each definition: name -> [(size, {path: (bit position, bits)})].

Lenient, for a fair comparison: what it writes of C++ and Rust beside members is stepped over, and a member that it has no place
for counts as not said.
"""

import collections
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "vmlinux"))
from pahole import BIT_SIZE, PADDING, PLACE, STATED_SIZE, bare, name_and_type  # noqa: E402

from ours import last  # noqa: E402

HEAD = re.compile(r"^(?:struct|union|class) (.+?)(?: : .*)? \{$")
ANCESTOR = re.compile(r"/\* (?:struct|class|union) (.+?)\s*<ancestor>; \*/\s*(/\*.*)$")


def sayings(path, form="dwarf", timeout=60):
    """-> what it says, or None when it opens nothing."""
    argv = ["pahole", "-F", form, "--show_private_classes", str(path)]
    try:
        text, sizes = (subprocess.run([*argv, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=timeout,
                                      stdin=subprocess.DEVNULL, check=False).stdout.decode(errors="replace")
                       for more in ([], ["--sizes"]))
    except subprocess.TimeoutExpired:
        return None
    found = blocks(text)
    if not found:
        return None
    # unions: it states their sizes only there
    table = collections.defaultdict(list)
    for line in sizes.splitlines():
        name, _, rest = line.rpartition("\t")
        name, _, size = name.rpartition("\t")
        if size.isdigit():
            table[name].append(int(size))
    for name, said in found.items():
        if len(table[name]) == len(said):
            said[:] = [(size, members) for size, (_, members) in zip(table[name], said)]
    return found


def blocks(text):
    found = collections.defaultdict(list)
    stack, size, name = [], None, None  # stack of (members, is it an enum)
    for line in text.split("\n"):
        line = line.strip()
        if not stack:
            head = HEAD.match(line)
            if head:
                name, size = head[1], None
                stack.append(({}, False))
            continue
        if line.endswith("{"):
            stack.append(({}, line.split()[0:1] == ["enum"]))
        elif line.startswith("}"):
            members, is_enum = stack.pop()
            if not stack:
                found[name].append((size, members))
                continue
            place = PLACE.search(line)
            if place and not is_enum:
                declared = bare(line[:place.start()]).lstrip("} ").rstrip()
                member, of_type = name_and_type(declared)
                put(stack[-1][0], member, place, None)
                if "*" not in of_type:
                    for path, where in members.items():
                        stack[-1][0].setdefault((member, *path), where)
        elif ancestor := ANCESTOR.match(line):
            place = PLACE.search(ancestor[2])
            if place:
                put(stack[-1][0], "base " + last(ancestor[1]), place, None)
        elif line.startswith("/*"):
            if len(stack) == 1 and (stated := STATED_SIZE.match(line)):
                size = int(stated[1])
        elif not stack[-1][1] and not PADDING.search(line) and (place := PLACE.search(line)):
            declared = bare(line[:place.start()])
            bits = BIT_SIZE.search(declared)
            member, _ = name_and_type(BIT_SIZE.sub("", declared).rstrip())
            put(stack[-1][0], member, place, int(bits[1]) if bits else None)
    return found


def put(members, name, place, bits):
    byte, bit, size = (int(part) if part else 0 for part in place.groups())
    members.setdefault((name,), (byte * 8 + bit, size * 8 if bits is None else bits))
