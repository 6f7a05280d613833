"""
pahole's rows against linelint's, as multisets.

Kinds, names, sizes, bit positions and bit sizes must be equal: there pahole has no fault on these kernels, and nothing
is excused. In how it writes types it has the FAULTS below, each proved by compiling it.
"""

import collections
import os
import re
import subprocess
import tempfile

import linelint
import pahole

SHOWN = 10  # differences in a message

# `right` in a type without blanks, which pahole turns into `wrong`. As proof a member, and what pahole writes for it.
Fault = collections.namedtuple("Fault", "name right wrong member shown")
FAULTS = [
    Fault("const of a pointer to a function becomes that of its result", r"^(.*)\(\*const\)", r"const\1(*)",
          "int (*const member)(int)", "const int (*)(int)"),
    Fault("const of a pointer becomes that of what it points to", r"([^(),]*\*)const(?=[),[]|$)", r"const\1",
          "char *const member", "const char *"),
    Fault("a pointer to an array becomes one to an element", r"\(\*\)\[\d*\]", r"*",
          "char (*member)[8]", "char *"),
]
# What pahole writes once so and once so, whatever the source says: the same for both when they are compared.
EITHER_WAY = [
    Fault("[0] and [] depend on whether the member is the last", r"\[0\]", r"[]",
          "int member[0]", "int []"),
    Fault("const of an array is said twice, when it has a size", r"(?:const)+", r"const",
          "const int member[2]", "const const int [2]"),
]


def with_members(row, change):
    """The row with `change` made to every member, the inner ones too; without the gaps."""
    def walk(members):
        return tuple(change(member)._replace(members=walk(member.members)) for member in members)
    return row._replace(members=walk(row.members), gaps=None)


def squeeze(text):
    return re.sub(r"\s", "", text)


def apply(faults, text):
    for fault in faults:
        text = re.sub(fault.right, fault.wrong, text)
    return text


def placed(row):
    """Names, bit positions, bit sizes, and which are bit-fields; not the types."""
    return with_members(row, lambda member: member._replace(type=None))


def typed_by_pahole(row):
    return with_members(row, lambda member: member._replace(type=apply(EITHER_WAY, squeeze(member.type))))


def typed_by_us(row):
    return with_members(row, lambda member: member._replace(type=apply(FAULTS + EITHER_WAY, squeeze(member.type))))


def with_gaps(row):
    """
    Holes and padding. None for rows that pahole and we count by different rules: unions; unused bits, of which ours
    makes holes when they fill a byte; unnamed members, whose inner holes ours counts as the struct's.
    """
    if row.kind == "union" or any(member.bits or not member.name for member in row.members):
        return None
    return placed(row)._replace(gaps=row.gaps)


def missing(theirs, ours):
    """Rows of theirs that are not among ours, each as often as it is missing."""
    left = collections.Counter(ours)
    rows = []
    for row in theirs:
        if left[row]:
            left[row] -= 1
        else:
            rows.append(row)
    return rows


def first_difference(path, theirs, ours):
    for one, other in zip(theirs, ours):
        here = f"{path}.{one.name}" if one.name else path
        if one[:4] != other[:4]:
            return (f"{here}: pahole has {one.name!r} at bit {one.position}, {one.size} bits; "
                    f"linelint {other.name!r} at bit {other.position}, {other.size} bits")
        if one.type != other.type:
            return f"{here}: pahole has {one.type!r}, linelint as pahole would write it {other.type!r}"
        inside = first_difference(here, one.members, other.members)
        if inside:
            return inside
    if len(theirs) != len(ours):
        longer, who = (theirs, "pahole") if len(theirs) > len(ours) else (ours, "linelint")
        extra = longer[min(len(theirs), len(ours))]
        return f"{path}: only {who} has {extra.name!r} at bit {extra.position}"
    return None


def describe(row, ours):
    """How a missing row differs from the row of ours that comes closest."""
    same = [other for other in ours if other.kind == row.kind and other.name == row.name]
    if not same:
        return f"{row.kind} {row.name}: linelint has none"
    if all(other.size != row.size for other in same):
        return f"{row.kind} {row.name}: pahole {row.size} bytes, linelint {[other.size for other in same]}"
    near = [other for other in same if other.size == row.size]
    differences = [first_difference(f"{row.kind} {row.name}", row.members, other.members) for other in near]
    return next((text for text in differences if text),
                f"{row.kind} {row.name}: pahole has {row.gaps}, linelint {[other.gaps for other in near]}")


def contained(theirs, ours):
    """AssertionError: rows of theirs that are not among ours."""
    rows = missing(theirs, ours)
    more = f"\nand {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    assert not rows, f"{len(rows)} rows of pahole's are not among ours:\n" + "\n".join(
        describe(row, ours) for row in rows[:SHOWN]) + more


def faults_are_real(program):
    """Each fault, compiled: linelint writes what the source says, and pahole what the table says."""
    faults = FAULTS + EITHER_WAY
    with tempfile.TemporaryDirectory() as directory:
        source, binary = (os.path.join(directory, name) for name in ("proof.c", "proof.o"))
        with open(source, "w", encoding="ascii") as file:
            for number, fault in enumerate(faults):
                file.write(f"struct proof{number} {{ int first; {fault.member}; }} proof{number};\n")
        subprocess.run(["gcc", "-g", "-c", "-o", binary, source], check=True)
        theirs = {row.name: row.members[1].type for row in pahole.parse(pahole.run(binary))}
        structs = linelint.document(program, binary, "list")["structs"]
        ours = {entry["name"]: entry["members"][1]["type"] for entry in structs}
    for number, fault in enumerate(faults):
        right, ours_is, theirs_is = (squeeze(text) for text in (
            fault.member.replace("member", ""), ours[f"proof{number}"], theirs[f"proof{number}"]))
        assert ours_is == right, f"linelint writes {ours_is!r} for '{fault.member}'"
        assert theirs_is == squeeze(fault.shown), (
            f"pahole writes {theirs_is!r} for '{fault.member}': is it no longer so that {fault.name}?")


def listed_twice(theirs):
    """Names that pahole lists more than once."""
    names = collections.Counter((row.kind, row.name) for row in theirs)
    return sorted(name for name, count in names.items() if count > 1)


def damage(row, number):
    """The row with one thing wrong, another each time; None when there is nothing in it to be wrong."""
    if not row.members:
        return None
    index = number % len(row.members)
    member = row.members[index]
    changed = [
        member._replace(position=member.position + 1),
        member._replace(size=member.size + 8),
        member._replace(name=member.name + "_"),
        member._replace(bits=not member.bits),
        None,
    ][number % 5]
    return row._replace(members=row.members[:index] + ((changed,) if changed else ()) + row.members[index + 1:])


def sees_damage(theirs, ours):
    """Damages every 50th row of ours that pahole has too, and wants exactly those to be missed. Returns how many."""
    wanted, owned = collections.Counter(theirs), collections.Counter(ours)
    before = collections.Counter(missing(theirs, ours))
    damaged, hurt = collections.Counter(), []
    for number, row in enumerate(ours):
        # A row that we have twice would stand in for its damaged double.
        worse = damage(row, number // 50) if number % 50 == 0 and wanted[row] and owned[row] == 1 else None
        damaged.update([row] if worse else [])
        hurt.append(worse or row)
    noticed = collections.Counter(missing(theirs, hurt)) - before
    assert len(damaged) > 50, f"only {len(damaged)} rows could be damaged"
    assert noticed == damaged, f"{sum(damaged.values())} rows damaged, {sum(noticed.values())} noticed"
    return sum(damaged.values())
