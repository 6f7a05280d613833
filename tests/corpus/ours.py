"""linelint's JSON -> the rows of reader.py."""

from reader import Row


def last(name):
    """A name without its scope; what is in brackets is its own."""
    depth = start = 0
    for at, sign in enumerate(name):
        depth += (sign in "<({") - (sign in ">)}")
        if depth == 0 and name.startswith("::", at):
            start = at + 2
    return name[start:]


def parts_of(item, path=()):
    for base in item["bases"]:
        if base["virtual"]:
            continue
        here = (*path, "base " + last(base["name"]))
        yield here, None if base["offset"] is None else base["offset"] * 8, None, False
        yield from parts_of({"variants": [], **base}, here)
    for member in item["members"]:
        yield from member_parts(member, path)
    for variant in item["variants"]:
        for member in variant["members"]:
            yield from member_parts(member, (*path, "variant " + variant["name"]))


def member_parts(member, path):
    here = (*path, member["name"])
    bits = "bit_size" in member
    size = member["bit_size"] if bits else None if member["size"] is None else member["size"] * 8
    at = None if member["offset"] is None else member["offset"] * 8 + (member.get("bit_offset") or 0)
    yield here, at, size, bits
    yield from parts_of({"bases": [], "members": [], "variants": [], **member}, here)


def rows(document):
    for item in document["structs"]:
        scope = item["qualified_name"][:-len(item["name"])] if item["qualified_name"].endswith(item["name"]) else None
        yield Row(item["kind"], item["name"], scope, item["size"], tuple(parts_of(item)), item["local"])
