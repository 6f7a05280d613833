"""linelint's JSON -> the same rows as pahole.py makes."""

import json
import re
import subprocess

from pahole import Member, Row

UNNAMED = re.compile(r"(?:(?:const|volatile|_Atomic)\s+)*(?:struct|union|class)\s*\{")


class Failed(Exception):
    """The program did not end as it should have."""


def run(program, *arguments, status=0):
    """What `linelint ARGUMENTS` prints, as bytes. Its exit status is part of what is tested."""
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != status:
        message = done.stderr.decode(errors="replace").strip()
        raise Failed(f"linelint {' '.join(arguments)}: exit {done.returncode}, not {status}: {message}")
    return done.stdout


def document(program, *arguments, status=0):
    return json.loads(run(program, "--format", "json", *arguments, status=status))


def member(entry, opens):
    bits = "bit_size" in entry
    position = entry["offset"] * 8 + entry.get("bit_offset", 0)
    size = entry["bit_size"] if bits else entry["size"] * 8
    members = tuple(member(inner, opens) for inner in entry["members"]) if opens(entry) else ()
    return Member(entry["name"], position, size, bits, entry["type"], members)


def rows(structs, opens):
    """Rows of a document's structs; `opens` decides of which members the inside is wanted."""
    return [Row(entry["kind"], entry["name"], entry["size"],
                tuple(member(inner, opens) for inner in entry["members"]),
                (len(entry["holes"]), sum(hole["size"] for hole in entry["holes"]), entry["padding"]))
            for entry in structs]


def has_unnamed_type(entry):
    """pahole opens the members whose type has no name of its own, tag or typedef."""
    return bool(UNNAMED.match(entry["type"]))


def always(_entry):
    return True
