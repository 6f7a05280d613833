"""pahole's text -> rows.

A row is a named struct or union as pahole prints it: Row(kind, name, size, members, gaps); gaps are what pahole states
of a struct: (number of holes, bytes in holes, bytes of padding). A member is a tuple
(name, position, size, bit-field?, type, members): position and size in bits, position from the start of the outermost
struct; the type as C writes it without a name; members is empty where pahole does not open the member's type.
What else pahole adds (line boundaries, padding bit-fields) is left out.
"""

import collections
import re
import subprocess

Row = collections.namedtuple("Row", "kind name size members gaps")
Member = collections.namedtuple("Member", "name position size bits type members")

COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/")
ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)")
HEAD = re.compile(r"(struct|union|class) (\S+) \{$")
STATED_SIZE = re.compile(r"/\* size: (\d+), cachelines: ")
STATED_HOLES = re.compile(r"/\* sum members: \d+, holes: (\d+), sum holes: (\d+) \*/")
STATED_PADDING = re.compile(r"/\* padding: (\d+) \*/")
PLACE = re.compile(r"/\* +(\d+)(?:: ?(\d+))? +(\d+) \*/$")
BIT_SIZE = re.compile(r":(\d+)$")
PADDING = re.compile(r"\s:\d+;$")  # pahole makes it up: no name, no place
FUNCTION_POINTER = re.compile(r"\([*&][*\s]*(?:const\s+|volatile\s+)*(\w+)")
ARRAY = re.compile(r"(?:\[[^\]]*\])+$")
LAST_WORD = re.compile(r"(\w+)$")


class Unreadable(Exception):
    """A line that this parser does not understand: nothing is guessed."""


def run(file, *options):
    """What `pahole -F dwarf OPTIONS FILE` prints. One thread, because with -j the order is another each time."""
    done = subprocess.run(["pahole", "-F", "dwarf", *options, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        raise Unreadable(f"pahole {' '.join(options)} {file}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def bare(text):
    """A declaration without comments, attributes and columns."""
    return " ".join(ATTRIBUTE.sub("", COMMENT.sub("", text)).rstrip("; \t").split())


def name_and_type(declaration):
    """`void (*fn)(int)` -> ("fn", "void (*)(int)"); the name is "" when there is none."""
    found = FUNCTION_POINTER.search(declaration) or LAST_WORD.search(ARRAY.sub("", declaration).rstrip())
    if not found:
        return "", declaration
    start, end = found.span(1)
    return found.group(1), declaration[:start] + declaration[end:]


def member(text, number, opened, members):
    """
    One member from its last line, None when it has no place; `opened` is what stood before its opening brace, None for
    a plain member, and `members` what was inside.
    """
    place = PLACE.search(text)
    if not place:
        return None
    byte, bit, size = (int(part) if part else 0 for part in place.groups())
    declaration = bare(text[:place.start()])
    bit_size = BIT_SIZE.search(declaration)
    name, of_type = name_and_type(BIT_SIZE.sub("", declaration).lstrip("} ").rstrip())
    if opened is None and not name:
        raise Unreadable(f"line {number}: a member without a name: {text}")
    if opened is not None:
        # What stands in the braces of `struct {...} *p;` is not in this struct.
        members = () if "*" in of_type else members
        of_type = f"{opened} {{...}} {of_type}"
    width = int(bit_size.group(1)) if bit_size else size * 8
    return Member(name, byte * 8 + bit, width, bool(bit_size), of_type, members)


def parse(text):
    """Rows of pahole's text, in its order. A union's size is None: pahole states none."""
    rows = []
    stack = []  # of [what stood before the brace, is it an enum, members]
    size, holes, padding = None, (0, 0), 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line:
            continue
        if line.startswith("/*") and line.find("*/") == len(line) - 2:
            if len(stack) != 1:
                continue
            if stated := STATED_SIZE.match(line):
                size = int(stated.group(1))
            elif stated := STATED_HOLES.match(line):
                holes = int(stated.group(1)), int(stated.group(2))
            elif stated := STATED_PADDING.match(line):
                padding = int(stated.group(1))
        elif line.endswith("{"):
            opened = bare(line[:-1])
            if not stack and not HEAD.match(line):
                raise Unreadable(f"line {number}: not a struct or union: {line}")
            stack.append([opened, opened.split()[0:1] == ["enum"], []])
        elif line.startswith("}"):
            if not stack:
                raise Unreadable(f"line {number}: a brace too many")
            opened, is_enum, members = stack.pop()
            if stack:
                closed = member(line, number, opened, () if is_enum else tuple(members))
                if not closed:
                    raise Unreadable(f"line {number}: a member without a place: {line}")
                stack[-1][2].append(closed)
            else:
                kind, name = opened.split()
                rows.append(Row(kind, name, size, tuple(members), (*holes, padding)))
                size, holes, padding = None, (0, 0), 0
        elif stack and stack[-1][1]:
            continue  # an enumerator
        elif stack and PADDING.search(line):
            continue
        elif stack:
            found = member(line, number, None, ())
            if not found:
                raise Unreadable(f"line {number}: a member without a place: {line}")
            stack[-1][2].append(found)
        else:
            raise Unreadable(f"line {number}: outside of any struct: {line}")
    if stack:
        raise Unreadable(f"the text ends inside {stack[0][0]}")
    return rows


def with_sizes(rows, text):
    """The rows with the unions' sizes from `pahole --sizes`, which has the same rows in the same order."""
    table = [line.split("\t") for line in text.splitlines()]
    if [row.name for row in rows] != [entry[0] for entry in table]:
        raise Unreadable("pahole --sizes does not list the same names in the same order as pahole")
    sized = []
    for row, entry in zip(rows, table):
        if row.kind != "union" and row.size != int(entry[1]):
            raise Unreadable(f"{row.kind} {row.name}: {row.size} bytes in the text, {entry[1]} in --sizes")
        sized.append(row._replace(size=int(entry[1])))
    return sized
