"""Asks the compiler where members are: the truth that linelint's answers are compared with.

A C file says which members each of its structs has, in order, with lines such as

    // members: struct pair: first second
    // members: union word: bytes flags{low:4 high:4} tail[]
    // members(packed): list_t: items[0]{key value}

`name:4` is a bit-field whose declared type has 4 bytes; `{}` holds the members of an aggregate (for an array of
them, of element 0, and `[0]` says so, once a dimension); `name[]` is a flexible array. Members of unnamed aggregates
stand among the others. Where anything is packed, alignments are not compared: debug information does not have them
(clang's lacks those of bit-fields, too).
"""

import dataclasses
import re

from .common import check, members

TOKEN = re.compile(r"([A-Za-z_$][\w$]*)((?:\[0\])*)(\[\])?(?::(\d+))?|([{}])")


@dataclasses.dataclass
class Member:
    path: str  # as linelint spells it
    expression: str  # as C does
    top: bool
    flexible: bool
    bit_field_of: int  # size of its declared type; 0 for others


@dataclasses.dataclass
class Struct:
    name: str  # as C spells it: "struct pair", "list_t"
    packed: bool
    members: list


def parse(text):
    """The members lines of a C file, as Structs."""
    structs = []
    for packed, name, spec in re.findall(r"^\s*// members(\(packed\))?: ([\w $]+): ?(.*)$", text, re.M):
        items, around, end = [], [], 0
        for match in TOKEN.finditer(spec):
            check(not spec[end:match.start()].strip(), f"not understood: {spec[end:match.start()]!r} in {spec!r}")
            end = match.end()
            if match[5] == "{":
                around.append(last)
            elif match[5] == "}":
                around.pop()
            else:
                path, expression = around[-1] if around else ("", "")
                own, dims, flexible, size = match[1], match[2], bool(match[3]), int(match[4] or 0)
                items.append(Member(path + own, expression + own, not around, flexible, size))
                last = (f"{path}{own}.", f"{expression}{own}{dims or '[0]' * flexible}.")
        check(not spec[end:].strip(), f"not understood: {spec[end:]!r}")
        structs.append(Struct(name, bool(packed), items))
    return structs


PROBE = r"""
static void probe_bits(const unsigned char *bytes, unsigned long size, const char *path, unsigned long type_size)
{
	unsigned long first = 0, bit, count = 0, last = 0;
	for (bit = 0; bit < size * 8; bit++)
		if (bytes[bit / 8] >> bit % 8 & 1) {
			if (!count++)
				first = bit;
			last = bit;
		}
	if (!count || last - first + 1 != count)
		__builtin_printf("%s torn\n", path);
	__builtin_printf("%s %lu %lu 0 %lu %lu\n", path, first / 8, type_size, first % 8, count);
}
#define PROBE_STRUCT(type) \
	__builtin_printf("= %lu %lu\n", (unsigned long)sizeof(type), (unsigned long)__alignof__(type))
#define PROBE(type, path, member) \
	__builtin_printf("%s %lu %lu %lu\n", path, (unsigned long)__builtin_offsetof(type, member), \
		(unsigned long)sizeof(((type *)0)->member), (unsigned long)__alignof__(((type *)0)->member))
#define PROBE_FLEXIBLE(type, path, member) \
	__builtin_printf("%s %lu 0 1\n", path, (unsigned long)__builtin_offsetof(type, member))
#define PROBE_BITS(type, path, member, type_size) do { \
		static union { unsigned char bytes[sizeof(type)]; type value; } probe; \
		probe.value.member = -1; \
		probe_bits(probe.bytes, sizeof(type), path, type_size); \
	} while (0)
"""


def program(source, structs):
    """A program that includes the C file and prints where its members are."""
    lines = [f'#include "{source}"', PROBE, "int main(void)\n{"]
    for struct in structs:
        lines.append(f"\tPROBE_STRUCT({struct.name});")
        for member in struct.members:
            arguments = f'{struct.name}, "{member.path}", {member.expression}'
            if member.bit_field_of:
                lines.append(f"\tPROBE_BITS({arguments}, {member.bit_field_of});")
            elif member.flexible:
                lines.append(f"\tPROBE_FLEXIBLE({arguments});")
            else:
                lines.append(f"\tPROBE({arguments});")
    return "\n".join(lines) + "\n\treturn 0;\n}\n"


@dataclasses.dataclass
class Truth:
    size: int
    align: int
    members: dict  # path -> (offset, size, align), or (offset, size, 0, bit offset, bits)


def read(output, structs):
    """What the program printed, a Truth for each struct."""
    truths = []
    for line in output.splitlines():
        words = line.split()
        numbers = [int(word) for word in words[1:]]
        if words[0] == "=":
            truths.append(Truth(*numbers, {}))
        else:
            truths[-1].members[words[0]] = tuple(numbers)
    check(len(truths) == len(structs), f"the probe has printed {len(truths)} of {len(structs)}:\n{output}")
    return truths


def compare(struct, truth, report, compare_align):
    """Compares one struct of a report with the truth -> list of differences. Forgets what clang does not tell."""
    faults = []

    def same(what, said, right):
        if said != right:
            faults.append(f"{struct.name}: {what} is {said}, should be {right}")

    same("size", report["size"], truth.size)
    same("lines", report["lines"], -(-truth.size // report["line_size"]))
    if compare_align and not struct.packed:
        same("align", report["align"], truth.align)
    found = members(report)
    same("members", " ".join(found), " ".join(member.path for member in struct.members))
    for path, right in truth.members.items():
        member = found.get(path)
        if member is None:
            continue
        if len(right) == 5 and right[3] == 0 and right[4] == right[1] * 8 and "bit_size" not in member:
            # clang says nothing of a bit-field that is as wide as its type; one that begins inside a byte is found nevertheless
            right = truth.members[path] = (right[0], right[1], member["align"])
        same(f"{path} offset", member["offset"], right[0])
        same(f"{path} size", member["size"], right[1])
        same(f"{path} line", member["line"], right[0] // report["line_size"])
        same(f"{path} line_offset", member["line_offset"], right[0] % report["line_size"])
        if len(right) == 5:
            same(f"{path} bit_offset", member.get("bit_offset"), right[3])
            same(f"{path} bit_size", member.get("bit_size"), right[4])
        else:
            same(f"{path} is a bit-field", "bit_size" in member, False)
            if compare_align and not struct.packed and right[1]:
                same(f"{path} align", member["align"], right[2])
    faults += compare_gaps(struct, truth, report)
    return faults


def compare_gaps(struct, truth, report):
    """Holes, bit holes and padding are what no member of the top level uses, bit by bit. A member without size has a
    place: what is unused before it is no padding."""
    spans = []
    for member in struct.members:
        if member.top:
            offset, size, _, *bits = truth.members[member.path]
            begin = offset * 8 + (bits[0] if bits else 0)
            spans.append((begin, begin + (bits[1] if bits else size * 8)))
    holes, bit_holes, padding, end = [], [], 0, 0
    for begin, next_end in sorted(spans) + [(truth.size * 8, None)]:
        if begin > end:
            first, last = -(-end // 8), begin // 8
            if first > last:  # inside one byte
                bit_holes.append((end // 8, end % 8, begin - end))
            else:
                if first * 8 > end:
                    bit_holes.append((end // 8, end % 8, first * 8 - end))
                if last > first and next_end is None:
                    padding = last - first
                elif last > first:
                    holes.append((first, last - first))
                if begin > last * 8:
                    bit_holes.append((last, 0, begin - last * 8))
        end = max(end, next_end or 0)
    said_holes = [(hole["offset"], hole["size"]) for hole in report["holes"]]
    said_bit_holes = [(hole["offset"], hole["bit_offset"], hole["bit_size"]) for hole in report["bit_holes"]]
    said, right = (said_holes, said_bit_holes, report["padding"]), (holes, bit_holes, padding)
    if said == right:
        return []
    return [f"{struct.name}: holes, bit holes and padding are {said}, should be {right}"]


def type_assertions(source, structs, reports):
    """A C file that compiles when every type that was printed is the member's own."""
    lines = [f'#include "{source}"', "#define complex _Complex"]
    for struct, report in zip(structs, reports):
        found = members(report)
        for member in struct.members:
            type_name = found[member.path]["type"]
            if member.bit_field_of or "{" in type_name:
                continue
            if re.search(r"complex(?! (float|double|long))", type_name):  # clang's name for every complex type
                continue
            its_type = f"__typeof__((({struct.name} *)0)->{member.expression})"
            lines.append(f"_Static_assert(__builtin_types_compatible_p({its_type}, {type_name}), "
                         f'"{struct.name}.{member.path}: {type_name}");')
    return "\n".join(lines) + "\n"
