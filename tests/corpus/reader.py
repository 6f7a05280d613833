"""DIEs -> rows: an independent reading of DWARF (5: chapter 5; 2 and 3: bit-fields from the most significant bit).

A row is a named definition: Row(kind, name, scope, size, parts, local). Parts are flat and in order, each (path, bit position
from the outermost start, bits or None, is it a bit-field): members with all that is inside, of arrays element 0. On big-endian
machines bits count from the most significant one. What is inside of virtual bases is left out: DWARF gives them an expression.
"""

import collections

from dies import Ref

Row = collections.namedtuple("Row", "kind name scope size parts local")
KINDS = {"structure_type": "struct", "union_type": "union", "class_type": "class"}
TRANSPARENT = {"typedef", "const_type", "volatile_type", "restrict_type", "atomic_type", "packed_type", "shared_type",
               "immutable_type"}
POINTERS = {"pointer_type", "reference_type", "rvalue_reference_type", "unspecified_type"}
DEPTH = 100
RUST = (0x1c, "DW_LANG_Rust")


def target(die, name="type"):
    """The DIE that an attribute refers to, through a declaration that a signature completes; None when there is none."""
    ref = die.get(name)
    if not isinstance(ref, Ref):
        return None
    found = die.unit.file.follow(ref, die.unit)
    if found is not None and "signature" in found.values:
        found = target(found, "signature") or found
    return found


def name_of(die):
    """A definition outside of its scope has its name where it was declared."""
    if "name" not in die.values and "specification" in die.values:
        die = target(die, "specification") or die
    return die.get("name")


def bare(die):
    """Without typedefs and qualifiers."""
    for _ in range(DEPTH):
        if die is None or die.tag not in TRANSPARENT:
            return completed(die)
        die = target(die)
    return None


def completed(die):
    """A declaration as what its unit defines under that name elsewhere: g++ without namespaces (strict DWARF 2) has both."""
    if die is None or die.tag not in KINDS or not die.get("declaration"):
        return die
    if die.unit.definitions is None:
        die.unit.definitions = {}
        for one in every(die.unit.top):
            if one.tag in KINDS and not one.get("declaration") and name_of(one):
                die.unit.definitions.setdefault((one.tag, name_of(one), scope_of(one)), one)
    return die.unit.definitions.get((die.tag, die.get("name"), scope_of(die)), die)


def element(die):
    """What is in an array of arrays, or the type itself; and is any of its dimensions empty."""
    die, empty = bare(die), False
    while die is not None and die.tag == "array_type":
        empty = empty or array_count(die) == 0
        die = bare(target(die))
    return die, empty


def array_count(die):
    count = 1
    for bound in die.children:
        if bound.tag not in ("subrange_type", "enumeration_type", "generic_subrange"):
            continue
        if bound.tag == "enumeration_type":
            here = sum(child.tag == "enumerator" for child in bound.children)
        elif "count" in bound.values:
            here = bound.get("count")
        elif "upper_bound" in bound.values:
            lower = bound.get("lower_bound", 1 if bound.unit.language in FROM_ONE else 0)
            upper = bound.get("upper_bound")
            if not isinstance(upper, int) or not isinstance(lower, int):
                return None
            # some compilers write -1 without a sign, for [0]
            here = 0 if upper in (0xffffffff, 0xffffffffffffffff) else upper - lower + 1
        else:
            here = 0
        if not isinstance(here, int):
            return None
        count *= max(here, 0)
    return count


FROM_ONE = {0x03, 0x07, 0x08, 0x0d, 0x0e, 0x22, 0x23, "DW_LANG_Fortran95", "DW_LANG_Fortran08", "DW_LANG_Ada95", "DW_LANG_Fortran90",
            "DW_LANG_Ada83", "DW_LANG_Fortran77", "DW_LANG_Fortran03"}


def size_of(die, depth=0):
    """Bytes, or None when the debug information does not say."""
    if depth > DEPTH:
        return None
    die = bare(die)
    if die is None:
        return None
    size = die.get("byte_size")
    if size is not None:
        return size if isinstance(size, int) else None
    if die.tag == "array_type":
        count, one = array_count(die), size_of(target(die), depth + 1)
        if die.get("allocated") is not None or count is None:
            return None
        return 0 if count == 0 else None if one is None else count * one
    if die.tag in POINTERS:
        return die.unit.address_size
    if die.tag == "ptr_to_member_type":
        method = bare(target(die))
        return die.unit.address_size * (2 if method is not None and method.tag == "subroutine_type" else 1)
    if die.tag in ("subrange_type", "enumeration_type"):
        return size_of(target(die), depth + 1)
    return None


def byte_place(die):
    """DW_AT_data_member_location in bytes; None when it is an expression of more than a constant."""
    place = die.get("data_member_location", 0)
    if isinstance(place, int):
        return place
    if isinstance(place, list):
        if len(place) == 1 and place[0][0] == "plus_uconst":
            return place[0][1]
        if len(place) == 2 and place[1][0] == "plus" and place[0][0].startswith(("const", "lit")):
            return int(place[0][0][3:]) if place[0][0].startswith("lit") else place[0][1]
    return None


def own_part(die):
    """(bit position, bits, is it a bit-field) of a member in what contains it."""
    bits = die.get("bit_size")
    place = byte_place(die)
    its_type = target(die)
    if bits is None:
        size = size_of(its_type)
        return (None if place is None else place * 8 + die.get("data_bit_offset", 0),
                None if size is None else size * 8, False)
    if "data_bit_offset" in die.values:
        return die.get("data_bit_offset"), bits, True
    if place is None:
        return None, bits, True
    if "bit_offset" in die.values:
        unit = die.get("byte_size") or size_of(its_type)
        from_top = die.get("bit_offset")
        if from_top >= 1 << 63:  # of packed ones, below zero
            from_top -= 1 << 64
        return place * 8 + (from_top if die.unit.file.big else unit * 8 - from_top - bits), bits, True
    return place * 8, bits, True


def behind_bits(place, bits, end):
    """clang says nothing of the bits of a bit-field as wide as its type, and only its first byte. It goes on where the bit-field
    before it ends, for no other member begins in front of that."""
    return end if None not in (place, bits, end) and place < end and place == end // 8 * 8 and bits in (8, 16, 32, 64, 128) else None


def parts_of(die, path=(), start=0, depth=0, with_bases=True):
    """Bases of the definition itself and of its bases; what a member's class inherits is in the row of that class."""
    if depth > DEPTH:
        return
    end = None  # of the bit-field before
    for child in die.children:
        if child.tag == "inheritance":
            base = bare(target(child))
            if base is None or child.get("virtuality") or not with_bases:
                continue
            place = byte_place(child)
            here = (*path, "base " + (name_of(base) or ""))
            at = None if place is None or start is None else start + place * 8
            yield here, at, None, False
            yield from parts_of(base, here, at, depth + 1)
        elif child.tag == "member":
            if child.get("external") or child.get("declaration"):
                continue  # static
            place, bits, is_bits = own_part(child)
            if not is_bits and die.tag != "union_type" and (behind := behind_bits(place, bits, end)):
                place, is_bits = behind, True
            end = place + bits if is_bits and place is not None else None
            at = None if place is None or start is None else start + place
            here = (*path, child.get("name", ""))
            yield here, at, bits, is_bits
            inner, _ = element(target(child))
            if inner is not None and inner.tag in KINDS and not is_bits:
                yield from parts_of(inner, here, at, depth + 1, False)
        elif child.tag == "variant_part":
            yield from variants_of(child, path, start, depth)


def variants_of(die, path, start, depth):
    """Rust: each variant has one member, whose type has the parts; Ada: they are the variant's own."""
    for variant in die.children:
        if variant.tag != "variant":
            continue
        members = [child for child in variant.children if child.tag == "member"]
        rust = die.unit.language in RUST
        if rust and len(members) == 1:
            place, inner = byte_place(members[0]), bare(target(members[0]))
            here = (*path, "variant " + members[0].get("name", ""))
            yield from parts_of(inner, here, None if start is None else start + place * 8, depth + 1)
        else:
            yield from parts_of(variant, (*path, "variant "), start, depth + 1)


def scope_of(die):
    """(names from the outside in, is any of them a function); None in the names where one has no name."""
    names, local = [], False
    if "specification" in die.values:
        die = target(die, "specification") or die
    around = die.parent
    while around is not None and around.tag not in ("compile_unit", "type_unit", "partial_unit", "skeleton_unit"):
        if around.tag in ("subprogram", "lexical_block", "inlined_subroutine"):
            local = True
        names.append(around.get("name"))
        around = around.parent
    return tuple(reversed(names)), local


def is_definition(die):
    if die.tag not in KINDS or die.get("declaration") or "signature" in die.values:
        return False
    # an alternative of an enum of Rust is no type of the source: it lies beside the variants
    around = die.parent
    return not (around is not None and around.tag in KINDS and around.unit.language in RUST and
                any(child.tag == "variant_part" for child in around.children))


def rows(files):
    """All named definitions of the files; a typedef gives an unnamed one its name."""
    found = {}
    for file in files:
        for unit in file.units:
            unit.language = unit.top.get("language")
        for unit in file.units:
            for die in every(unit.top):
                name, what = name_of(die), die
                if die.tag == "typedef":
                    what = target(die)
                    # the closure that a template is told of is not named by that
                    if what is None or name_of(what) or not is_definition(what) or scope_of(what) != scope_of(die):
                        continue
                elif not is_definition(die) or not name:
                    continue
                size = size_of(what)
                scope, local = scope_of(die)
                row = Row(KINDS[what.tag], name, scope, size, tuple(parts_of(what)), local)
                found.setdefault(row, (die, what))
    return found


def every(top):
    stack = [top]
    while stack:
        die = stack.pop()
        yield die
        stack += reversed(die.children)
