"""btf/: what is read from BTF, against DWARF of the same object, against pahole, and by hand.

golden/, layouts/: the C files of tests/golden and layouts, compiled with -g -gbtf and read both ways, agree but for what
BTF cannot say:

- where a struct is declared, and in which unit (which the message of LL011 names);
- alignments that the source states: they are inferred, and what follows from a larger one (placement, findings, cost) may
  differ then;
- _Atomic, and whether a function without parameters has a prototype;
- [] and [0] are one, [] at the end of a struct;
- gcc does not write structs that are local to a function;
- gcc 12 writes void for vectors: they have the room up to the next member;
- gcc before 14 writes the dimensions of an array in the wrong order;
- structs of 4 GiB and more are refused.
"""

import json
import os
import pathlib
import random
import re
import shutil
import struct
import sys

from . import golden, hostile
from .common import Skip, Test, check, diff

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "btf"))
import encode  # noqa: E402

KERNEL = "/sys/kernel/btf/vmlinux"
TOO_LARGE = {"huge"}
VECTOR = re.compile(r"\bv\d|vector_size")


# -- both ways

def plain_type(text):
    """A type as BTF can have said it."""
    text = re.sub(r"\b_Atomic ?|\*_Atomic", lambda found: "*" if "*" in found[0] else "", text).rstrip()
    text = text.replace("[0]", "[]").replace("()", "(void)")
    return re.sub(r"(?:\[\d*\]){2,}", lambda found: "".join(sorted(re.findall(r"\[\d*\]", found[0]))), text)


def plain(item):
    """Without what BTF cannot say, at any depth."""
    if isinstance(item, list):
        return [plain(part) for part in item]
    if not isinstance(item, dict):
        return item
    return {key: plain_type(value) if key == "type" else
            re.sub(r"(layouts in this binary): in .*", r"\1", value) if key == "message" else plain(value)
            for key, value in item.items() if key not in ("align", "declared", "unit")}


def alignments(item):
    return [item["align"], [alignments(member) for member in item["members"]]]


LAYOUT = ("name", "qualified_name", "kind", "size", "lines", "local", "definitions", "bases", "variants", "holes",
          "bit_holes", "padding", "members")


def plain_struct(entry, whole):
    """`whole`: with what depends on alignments."""
    return plain({key: value for key, value in entry.items() if whole or key in LAYOUT})


def has_vector(entry):
    return any(VECTOR.search(member["type"]) for member in entry["members"])


def agree(dwarf, btf):
    """Two reports of one object."""
    check(btf["binaries"][0]["format"] == "btf", "not read from BTF")
    check(dwarf["binaries"][0]["format"] == "dwarf", "not read from DWARF")
    for key in ("machine", "endian", "pointer_size", "build_id"):
        check(dwarf["binaries"][0][key] == btf["binaries"][0][key], f"another {key}")
    ours = {}
    for entry in btf["structs"]:
        check(not any((entry["declared"] or {}).values()), f"{entry['name']}: declared somewhere?")
        ours.setdefault((entry["kind"], entry["name"]), []).append(entry)
    for entry in dwarf["structs"]:
        same = ours.get((entry["kind"], entry["name"]), [])
        if not same and entry["local"]:
            continue
        check(same, f"{entry['kind']} {entry['name']}: not in BTF")
        if has_vector(entry):
            same.pop(0)
            continue
        whole = all(alignments(entry) == alignments(other) for other in same)
        told = json.dumps(plain_struct(entry, whole), indent=1, sort_keys=True)
        found = [json.dumps(plain_struct(other, whole), indent=1, sort_keys=True) for other in same]
        check(told in found, diff(told + "\n", (found or [""])[0] + "\n", "DWARF", "BTF"))
        same.pop(found.index(told))
    more = [name for (_, name), entries in ours.items() if entries]
    check(not more, f"only in BTF: {more}")


def both_ways(context, source):
    directory = context.scratch / "btf" / source.stem
    binary = golden.build(context, source, directory, ["-gbtf"])
    arguments = ["--all-definitions", binary, "list"]
    profile = source.with_suffix(".yaml")
    if profile.exists():
        arguments += ["--profile", profile.resolve()]
    dwarf = context.json("--from", "dwarf", *arguments, cwd=directory)
    if source.stem in TOO_LARGE:
        hostile.refused(context, "--from", "btf", directory / binary, "list", reason="larger than BTF can say")
        return
    agree(dwarf, context.json("--from", "btf", *arguments, cwd=directory))


def layout(context, source):
    binary = context.scratch / "btf" / f"layout-{source.stem}.o"
    context.compile("gcc", ["-g", "-gbtf", "-DBEFORE", "-DLINE=64", "-c"], [source], binary)
    arguments = ["--profile", source.with_suffix(".yaml"), binary, "list"]
    dwarf, btf = (context.json("--from", form, *arguments) for form in ("dwarf", "btf"))
    agree(dwarf, btf)
    # the default is DWARF; what has BTF alone is read from that
    check(context.json(*arguments)["binaries"][0]["format"] == "dwarf", "DWARF does not win")
    bare = binary.with_suffix(".bare")
    context.good(["strip", "-g", "--keep-section=.BTF", binary, "-o", bare])
    alone = context.json("--profile", source.with_suffix(".yaml"), bare, "list")
    check(alone["structs"] == btf["structs"], "another answer from BTF alone")


# -- raw BTF, and the other packagings

def extracted(context, binary, section=".BTF"):
    raw = binary.with_suffix(".raw")
    context.good(["objcopy", "-O", "binary", f"--only-section={section}", f"--set-section-flags={section}=alloc",
                  binary, raw])
    return raw


def compiled(context, name, text, *flags, compiler="gcc"):
    directory = context.scratch / "btf"
    directory.mkdir(parents=True, exist_ok=True)
    source, binary = directory / f"{name}.c", directory / f"{name}.o"
    source.write_text(text)
    context.compile(compiler, [*flags, "-c"], [source], binary)
    return binary


EXAMPLE = """\
struct declared;
typedef struct { int first; struct declared *d; struct { short x : 3, y : 13; } in[2]; } unnamed_t;
struct s { char c; unnamed_t u; union { long l; void (*f)(int, ...); } n; unsigned bits : 5; const char *volatile p; };
typedef struct s s_t;
typedef const s_t const_s;
typedef struct declared declared_t;
struct s s; const_s cs; declared_t *dt;
"""


def raw(context):
    binary = compiled(context, "raw", EXAMPLE, "-g", "-gbtf")
    file = extracted(context, binary)
    elf, bare = context.json("--from", "btf", binary, "list"), context.json(file, "list")
    check(elf["structs"] == bare["structs"], "another answer from raw BTF")
    check(bare["binaries"][0] == {**elf["binaries"][0], "path": str(file), "machine": "unknown"},
          f"not of raw BTF: {bare['binaries'][0]}")
    # padded, as sections are
    file.write_bytes(file.read_bytes() + bytes(5))
    check(context.json(file, "list")["structs"] == elf["structs"], "zeros at the end are no BTF")
    hostile.refused(context, "--from", "dwarf", file, "list", reason="raw BTF")
    unnamed = context.linelint(file, "struct", "unnamed_t", status=0)
    check("unknown BTF" in unnamed.out, f"no word of BTF\n{unnamed}")


def pointers_of_32_bits(context):
    context.need_m32()
    binary = compiled(context, "m32", EXAMPLE, "-g", "-gbtf", "-m32")
    agree(context.json("--from", "dwarf", binary, "list"), context.json("--from", "btf", binary, "list"))
    document = context.json(extracted(context, binary), "list")
    check(document["binaries"][0]["pointer_size"] == 4, "the types of raw BTF tell how wide a pointer is")


def linked(context):
    """A linker puts the BTF of units one behind the other."""
    one = compiled(context, "one", EXAMPLE + "int main(void) { return 0; }", "-g", "-gbtf")
    two = compiled(context, "two", "struct s { short other; } two; struct only_two { int x; } o; "
                   "struct declared { long l; } d;", "-g", "-gbtf")
    program = context.scratch / "btf" / "linked"
    context.good(["gcc", one, two, "-o", program])
    dwarf, btf = (context.json("--from", form, "--all-definitions", program, "list") for form in ("dwarf", "btf"))
    agree(dwarf, btf)
    check(sum(entry["name"] == "s" for entry in btf["structs"]) == 2, "two layouts of s are there")
    # what one unit declares, another defines
    check(context.json("--from", "btf", program, "struct", "declared_t")["structs"][0]["name"] == "declared", "declared_t")


def clang_bpf(context, target):
    """clang writes BTF for BPF only, and big-endian BTF for bpfeb."""
    context.need("clang")
    binary = compiled(context, target, EXAMPLE.replace("long l", "int l"), "-target", target, "-g", compiler="clang")
    dwarf, btf = (context.json("--from", form, binary, "list") for form in ("dwarf", "btf"))
    # clang writes only the members' types that it needs
    names = {entry["name"] for entry in btf["structs"]}
    check({"s", "unnamed_t"} <= names, f"only {names}")
    dwarf["structs"] = [entry for entry in dwarf["structs"] if entry["name"] in names]
    agree(dwarf, btf)


# -- names

def names(context):
    binary = compiled(context, "names", EXAMPLE, "-g", "-gbtf")
    for arguments in (["struct", "s"], ["struct", "unnamed_t"], ["struct", "s_t"], ["struct", "const_s"],
                      ["struct", "struct s"], ["list", "*_t"], ["list", "s*", "unnamed_t"]):
        one, other = (context.linelint("--from", form, binary, *arguments, status=0) for form in ("dwarf", "btf"))
        check(one.err == other.err, f"another note\n{one}{other}")
        ours = [re.sub(r"^  (\S+:\d+; )?x86-64 (DWARF 5|BTF)$", "", result.out, flags=re.M) for result in (one, other)]
        check(ours[0] == ours[1], diff(ours[0], ours[1], "DWARF", "BTF"))
    for wrong in ("union s", "unamed_t", "declared", "declared_t", "zz*", "nothing_like_it", "::t"):
        one, other = (context.linelint("--from", form, binary, "struct", wrong, status=2) for form in ("dwarf", "btf"))
        check(one.err == other.err, f"another reason\n{one}{other}")
    plain = compiled(context, "plain", EXAMPLE, "-g")
    hostile.refused(context, "--from", "btf", plain, "list", reason="no .BTF")


def verbs(context):
    """Other verbs, on BTF."""
    profile = context.root / "layouts/uidinfo.yaml"
    binary = context.scratch / "btf" / "verbs.o"
    context.compile("gcc", ["-g", "-gbtf", "-DBEFORE", "-DLINE=64", "-c"], [context.root / "layouts/uidinfo.c"], binary)
    file = extracted(context, binary)
    document = context.json(file, "diff", binary, "*", status=0)
    check([side["format"] for side in document["binaries"]] == ["btf", "dwarf"], "both sides")
    for form in ("dwarf", "btf"):
        result = context.linelint("--from", form, "--profile", profile, binary, "check", status=(0, 1))
        check("LL001" in result.out, str(result))
    result = context.linelint("--from", "btf", "--profile", profile, binary, "patch", "uidinfo", status=2)
    check("DWARF" in result.err, f"nothing of DWARF\n{result}")
    one, other = (context.json("--from", form, "--profile", profile, binary, "replay", "uidinfo", status=0)
                  for form in ("dwarf", "btf"))
    check(one["replay"] == other["replay"], "another replay")


# -- by hand

def kinds():
    """Every kind; the document that is expected: name -> [(member, type, offset, size, bit offset, bit size)]."""
    btf = encode.Btf()
    number = btf.int("int", 4, encoding=1)
    byte = btf.int("char", 1)
    btf.int("long unsigned int", 8)
    real = btf.add(encode.FLOAT, "double", 8)
    small = btf.add(encode.ENUM, "small", 4, [btf.text("A"), 0], 1)
    large = btf.add(encode.ENUM64, "large", 8, [btf.text("B"), 1, 2], 1, 1)
    tagged = btf.add(encode.PTR, "", btf.add(encode.TYPE_TAG, "user", number))
    attribute = btf.add(encode.TYPE_TAG, "attribute", number, flag=1)
    forward = btf.add(encode.PTR, "", btf.add(encode.FWD, "ahead"))
    forward_union = btf.add(encode.PTR, "", btf.add(encode.FWD, "ahead_union", flag=1))
    row = btf.array(byte, 3, number)
    table = btf.array(row, 2, number)
    flexible = btf.array(number, 0, number)
    proto = btf.add(encode.FUNC_PROTO, "", number, [btf.text("x"), byte, 0, 0], 2)
    function = btf.add(encode.PTR, "", proto)
    restricted = btf.add(encode.RESTRICT, "", btf.add(encode.PTR, "", btf.add(encode.CONST, "", byte)))
    alias = btf.add(encode.TYPEDEF, "alias_t", btf.add(encode.VOLATILE, "", number))
    btf.struct("all", 104, [
        ("d", real, 0), ("small", small, 64), ("large", large, 128), ("tagged", tagged, 192), ("attribute", attribute, 256),
        ("forward", forward, 320), ("forward_union", forward_union, 384), ("table", table, 448), ("mark", flexible, 512),
        ("function", function, 512), ("restricted", restricted, 576), ("alias", alias, 640), ("flexible", flexible, 832)])
    expected = {"all": [
        ("d", "double", 0, 8), ("small", "enum small", 8, 4), ("large", "enum large", 16, 8), ("tagged", "int *", 24, 8),
        ("attribute", "int", 32, 4), ("forward", "struct ahead *", 40, 8), ("forward_union", "union ahead_union *", 48, 8),
        ("table", "char [2][3]", 56, 6), ("mark", "int [0]", 64, 0), ("function", "int (*)(char, ...)", 64, 8),
        ("restricted", "const char *restrict", 72, 8), ("alias", "alias_t", 80, 4), ("flexible", "int []", 104, 0)]}
    btf.struct("flagged", 8, [("a", number, 3, 5), ("b", number, 8, 24), ("c", alias, 32, 0)], flag=1)
    expected["flagged"] = [("a", "int", 0, 4, 3, 5), ("b", "int", 1, 4, 0, 24), ("c", "alias_t", 4, 4)]
    narrow = btf.int("int", 4, bits=5, encoding=1)
    typed = btf.add(encode.TYPEDEF, "narrow_t", btf.int("int", 4, bits=3, offset=2, encoding=1))
    btf.struct("unflagged", 4, [("a", narrow, 0), ("b", typed, 3)])
    expected["unflagged"] = [("a", "int", 0, 4, 0, 5), ("b", "narrow_t", 0, 4, 5, 3)]
    # 24 bits of offset: 2 MiB
    wide = btf.array(byte, 1 << 21, number)
    btf.struct("wrapped", (1 << 22) + 8, [("a", wide, 0), ("b", wide, 0), ("c", number, 0, 7), ("d", number, 32)], flag=1)
    expected["wrapped"] = [("a", "char [2097152]", 0, 1 << 21), ("b", "char [2097152]", 1 << 21, 1 << 21),
                           ("c", "int", 1 << 22, 4, 0, 7), ("d", "int", (1 << 22) + 4, 4)]
    # 32 bits: 512 MiB
    wider = btf.array(byte, 1 << 29, number)
    btf.struct("far", (1 << 30) + 4, [("a", wider, 0), ("b", wider, 0), ("c", number, 0)])
    expected["far"] = [("a", "char [536870912]", 0, 1 << 29), ("b", "char [536870912]", 1 << 29, 1 << 29),
                       ("c", "int", 1 << 30, 4)]
    variable = btf.add(encode.VAR, "variable", number, [1])
    btf.add(encode.DATASEC, ".data", 4, [variable, 0, 4], 1)
    btf.add(encode.FUNC, "run", proto, vlen=1)
    btf.add(encode.DECL_TAG, "kfunc", variable, [0xffffffff])
    return btf, expected


def told(entry):
    return [(member["name"], member["type"], member["offset"], member["size"],
             *((member["bit_offset"], member["bit_size"]) if "bit_size" in member else ())) for member in entry["members"]]


def by_hand(context, big_endian, header_bytes):
    btf, expected = kinds()
    directory = context.scratch / "btf"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"kinds-{big_endian}-{header_bytes}"
    path.write_bytes(btf.bytes(big_endian, header_bytes))
    document = context.json("--line-size", "64", path, "list", status=0)
    check(document["binaries"][0]["endian"] == ("big" if big_endian else "little"), "byte order")
    check(document["binaries"][0]["pointer_size"] == 8, "pointers")
    found = {entry["name"]: told(entry) for entry in document["structs"]}
    check(found == expected, diff(json.dumps(expected, indent=1), json.dumps(found, indent=1), "expected", "told"))


# -- split BTF

def split_by_hand(context, big_endian):
    directory = context.scratch / "btf" / f"split-{big_endian}"
    directory.mkdir(parents=True, exist_ok=True)
    base = encode.Btf()
    number = base.int("int", 4)
    inner = base.struct("inner", 8, [("x", number, 0), ("y", number, 32)])
    base.struct("task_struct", 4, [("pid", number, 0)])
    module = encode.Btf(base)
    module.struct("mine", 12, [("inner", inner, 0), ("z", number, 64)])
    other = encode.Btf()
    other.struct("something_else", 0, [])
    files = {"base": base, "module": module, "other": other}
    for name, btf in files.items():
        (directory / name).write_bytes(btf.bytes(big_endian))
    path = directory / "module"
    document = context.json("--btf-base", directory / "base", path, "list", status=0)
    check([entry["name"] for entry in document["structs"]] == ["mine"], "a list is of the module's own")
    check(told(document["structs"][0]) == [("inner", "struct inner", 0, 8), ("z", "int", 8, 4)], "members")
    check([member["name"] for member in document["structs"][0]["members"][0]["members"]] == ["x", "y"], "of the base")
    result = context.json("--btf-base", directory / "base", path, "struct", "inner", status=0)
    check(len(result["structs"]) == 1, "the base's are found by name")
    for wrong in ([], ["--btf-base", directory / "other"], ["--btf-base", path]):
        hostile.refused(context, *wrong, path, "list", reason="--btf-base")
    swapped = directory / "swapped"
    swapped.write_bytes(base.bytes(not big_endian))
    hostile.refused(context, "--btf-base", swapped, path, "list", reason="byte order")
    # along with the module, as .BTF.base
    carrier = compiled(context, f"carrier-{big_endian}", "int x;")
    along = directory / "along.ko"
    context.good(["objcopy", "--add-section", f".BTF={path}", "--add-section", f".BTF.base={directory / 'base'}",
                  carrier, along])
    check(context.json(along, "list", status=0)["structs"] == document["structs"], ".BTF.base")


def split_by_pahole(context):
    """As a kernel's build does it: the base, then the module against it."""
    context.need("pahole")
    shared = "struct shared { long a; char b[40]; struct shared *next; };\n"
    base = compiled(context, "base", shared + "struct shared s; struct kernel_only { int k; } k;", "-g")
    module = compiled(context, "module", shared + "struct own { struct shared in; unsigned f : 3, g : 20; } own;", "-g")
    detached = context.scratch / "btf" / "base.btf"
    context.good(["pahole", f"--btf_encode_detached={detached}", base])
    truth = context.json(module, "struct", "own", "shared")
    context.good(["pahole", "-J", "--btf_base", detached, module])
    bare = module.with_suffix(".ko")
    context.good(["strip", "-g", "--keep-section=.BTF", module, "-o", bare])
    document = context.json("--btf-base", detached, bare, "struct", "own", "shared", status=0)
    agree(truth, document)
    hostile.refused(context, bare, "list", reason="--btf-base")
    agree(context.json(base, "list"), context.json("--from", "btf", with_btf(context, base), "list"))


def with_btf(context, binary):
    context.good(["pahole", "-J", binary])
    return binary


# -- the kernel that is running

def kernel(context):
    """All structs of /sys/kernel/btf/vmlinux as pahole has them."""
    if not os.access(KERNEL, os.R_OK):
        raise Skip(f"{KERNEL} is missing")
    context.need("pahole")
    sys.path.insert(0, str(context.root / "tests/vmlinux"))
    import compare
    import linelint
    import pahole
    theirs = pahole.parse(context.good(["pahole", "-F", "btf", KERNEL]).out)
    # 36 MB, too much to hold against the schema: that is done with less elsewhere
    document = json.loads(context.good([context.program, "--format", "json", "--all-definitions", "--suggest", "none",
                                        KERNEL, "list"]).out)
    check(document["binaries"][0]["format"] == "btf" and document["binaries"][0]["machine"] != "unknown", "the machine")
    check(len(theirs) > 1000, "pahole lists nothing")
    ours = [row._replace(size=None) if row.kind == "union" else row
            for row in linelint.rows(document["structs"], linelint.has_unnamed_type)]
    try:
        compare.contained([compare.placed(row) for row in theirs], [compare.placed(row) for row in ours])
    except AssertionError as error:
        check(False, str(error))
    text = context.linelint(KERNEL, "struct", "file", status=0).out
    check("shipped" in text and "BTF" in text, text)


# -- hostile

def hostile_cases():
    """name, bytes, words of the reason (None: it may also be understood)"""
    good, _ = kinds()
    whole = good.bytes()
    yield "only-magic", whole[:4], "BTF"
    yield "half-header", whole[:20], "BTF"
    yield "version-2", good.bytes(version=2)[:2] + b"\1" + good.bytes()[3:8], "BTF"
    yield "types-past-the-end", good.bytes(type_len=len(whole)), "do not fit"
    yield "strings-past-the-end", good.bytes(str_len=len(whole)), "do not fit"
    yield "sections-overlap", good.bytes(str_off=8), "do not fit"
    yield "sections-everywhere", good.bytes(type_len=0xfffffffc, str_off=0xffffffff, str_len=0xffffffff), "do not fit"
    yield "header-of-nothing", good.bytes(hdr_len=0), "do not fit"
    yield "header-of-all", good.bytes(hdr_len=0xffffffff), "do not fit"
    yield "crooked-types", good.bytes(type_off=1, type_len=0), "do not fit"
    yield "no-strings", good.bytes(strings=b""), "--btf-base"
    yield "string-without-end", good.bytes(strings=good.strings[:-1] + b"x"), "string without end"
    yield "more-behind", whole + b"garbage" * 8, "no header"
    yield "nothing-in-it", encode.Btf().bytes(), None

    def one(name, words, build):
        btf = encode.Btf()
        number = btf.int("int", 4)
        build(btf, number)
        btf.struct("s", 4, [("a", number, 0)])
        return name, btf.bytes(), words

    yield one("unknown-kind", "kind 25", lambda btf, number: btf.add(25, "new"))
    yield one("kind-0", "kind 0", lambda btf, number: btf.add(0, "void"))
    yield one("absurd-count", "reaches past", lambda btf, number: btf.add(encode.STRUCT, "t", 4, vlen=0xffff))
    yield one("type-not-there", "not there", lambda btf, number: btf.add(encode.PTR, "", 0xffffffff))
    yield one("name-not-there", "not there", lambda btf, number: btf.records.append((0xfffffff0, 0x02000000, 0, ())))
    yield one("variable-as-member", "must be", lambda btf, number: btf.struct(
        "t", 4, [("v", btf.add(encode.VAR, "v", number, [0]), 0)]))
    yield one("member-past-the-end", "ends before", lambda btf, number: btf.struct("t", 2, [("a", number, 0)]))
    yield one("array-of-all", "ends before", lambda btf, number: btf.struct("t", 4, [
        ("a", btf.array(btf.array(number, 0xffffffff, number), 0xffffffff, number), 0)]))
    yield one("typedef-of-itself", None, lambda btf, number: btf.struct(
        "t", 4, [("a", btf.add(encode.TYPEDEF, "loop_t", len(btf.records) + 1), 0)]))
    yield one("typedefs-in-a-circle", None, lambda btf, number: btf.struct("t", 4, [
        ("a", btf.add(encode.TYPEDEF, "b_t", btf.add(encode.TYPEDEF, "a_t", len(btf.records) + 2)), 0)]))
    yield one("const-of-itself", None, lambda btf, number: btf.struct(
        "t", 4, [("a", btf.add(encode.CONST, "", len(btf.records) + 1), 0)]))
    yield one("tag-of-itself", "too many", lambda btf, number: btf.struct(
        "t", 4, [("a", btf.add(encode.TYPE_TAG, "x", len(btf.records) + 1), 0)]))
    yield one("pointer-to-itself", None, lambda btf, number: btf.struct(
        "t", 8, [("a", btf.add(encode.PTR, "", len(btf.records) + 1), 0)]))
    yield one("array-of-itself", "too many", lambda btf, number: btf.struct(
        "t", 4, [("a", btf.array(len(btf.records) + 1, 2, number), 0)]))
    yield one("function-of-itself", None, lambda btf, number: btf.struct("t", 8, [
        ("a", btf.add(encode.FUNC_PROTO, "", len(btf.records) + 1, [0, len(btf.records) + 1], 1), 0)]))
    yield one("struct-in-itself", None, lambda btf, number: btf.struct("t", 4, [("a", len(btf.records) + 1, 0)]))
    yield one("structs-in-each-other", None, lambda btf, number: (
        btf.struct("t", 4, [("a", len(btf.records) + 2, 0)]), btf.struct("u", 4, [("a", len(btf.records), 0)])))
    yield one("unnamed-in-itself", None, lambda btf, number: btf.add(
        encode.TYPEDEF, "t", btf.struct("", 4, [("", len(btf.records) + 1, 0)])))
    yield one("control-characters", None, lambda btf, number: btf.struct("\33[31m\n", 4, [("\7", number, 0)]))
    yield one("absurd-bits", None, lambda btf, number: btf.struct("t", 64, [("a", number, 3, 255)], flag=1))
    yield one("absurd-integer", None, lambda btf, number: btf.struct(
        "t", 0xffffffff, [("a", btf.int("int", 0xfffffff0, bits=255, offset=255), 0)]))

    def chain(btf, number):
        last = number
        for _ in range(100000):
            last = btf.add(encode.PTR, "", last)
        btf.struct("t", 8, [("a", last, 0)])

    def nest(btf, number, levels):
        last = number
        for level in range(levels):
            last = btf.struct(f"n{level}", 4, [("a", last, 0)])
        btf.struct("t", 4, [("a", last, 0)])

    def double(btf, number):
        last = btf.struct("", 0, [])
        for level in range(60):
            last = btf.struct("n59" if level == 59 else "", 0, [("a", last, 0), ("b", last, 0)])
        btf.struct("n59", 4, [("a", number, 0)])

    yield one("pointers-without-end", "too many", chain)
    for name, levels in NESTED.items():
        yield one(name, None, lambda btf, number, levels=levels: nest(btf, number, levels))
    yield one("structs-that-double", None, double)


NESTED = {"structs-400-deep": 400, "structs-100000-deep": 100000}
DAMAGED_TYPES = ("must be", "ends before", "too many")


def nested(context, path, levels):
    """As far as a layout goes they are listed; of the rest the first few are told by name."""
    hostile.refused(context, path, "struct", "t", reason="nested deeper than 64")
    one = context.hostile(path, "struct", "t", "n3", status=2)
    check(one.out.startswith("struct n3: 4 bytes") and one.err.count("\n") == 1, one)
    listed = hostile.partial(context, path, {"s", *(f"n{level}" for level in range(65))}, "nested deeper than 64")
    told = listed.err.splitlines()
    left_out = levels - 65 + 1
    check(json.loads(listed.out)["summary"]["unread"] == left_out, listed)
    check(len(told) == 9 and told[-1].endswith(f": {left_out - 8} more structs cannot be laid out; they are left out"), listed)


def hostile_file(context, name, data, reason):
    path = hostile.Files.write(Directory(context), name, data)
    if name in NESTED:
        nested(context, path, NESTED[name])
        return
    if reason in DAMAGED_TYPES:
        # one type makes no sense: the others are read
        hostile.refused(context, path, "struct", "t", reason=re.escape(reason))
        hostile.partial(context, path, {"s"}, re.escape(reason))
        return
    if reason:
        hostile.refused(context, path, "list", reason=re.escape(reason))
        return
    hostile.bounded(context, path, "struct", "t", "s")
    hostile.bounded(context, "--format", "json", "--all-definitions", path, "list")


class Directory:
    """Where hostile files go."""

    def __init__(self, context):
        self.directory = context.scratch / "btf" / "hostile"
        self.directory.mkdir(parents=True, exist_ok=True)


def truncated(context):
    """Cut anywhere: raw BTF must be refused, for its header says how long it is."""
    btf, _ = kinds()
    whole = btf.bytes()
    for length in [*range(1, 64), *range(64, len(whole), 37), len(whole) - 1]:
        path = hostile.Files.write(Directory(context), "truncated", whole[:length])
        hostile.refused(context, path, "list")


def mutated(context, big_endian, part):
    """Bits flipped; in an ELF file too."""
    btf, _ = kinds()
    whole = btf.bytes(big_endian)
    chooser = random.Random(f"{context.seed} btf {big_endian} {part}")
    for number in range(40):
        changed = bytearray(whole)
        for _ in range(chooser.choice([1, 1, 2, 4, 16])):
            at = chooser.randrange(len(changed) if number % 4 == 0 else len(changed) - len(btf.strings))
            changed[at] ^= 1 << chooser.randrange(8)
        path = hostile.Files.write(Directory(context), f"mutated-{big_endian}-{part}-{number}", bytes(changed))
        hostile.bounded(context, "--format", "json", "--all-definitions", path, "list")
        hostile.bounded(context, path, "struct", "all", "flagged", "wrapped")
        path.unlink()


def beside_dwarf(context):
    """Damaged BTF is nobody's trouble who reads DWARF."""
    binary = compiled(context, "beside", EXAMPLE, "-g", "-gbtf")
    data = bytearray(binary.read_bytes())
    _, offset, size = hostile.sections_of(bytes(data))[".BTF"]
    data[offset + 24:offset + size] = b"\xff" * (size - 24)
    path = hostile.Files.write(Directory(context), "beside", bytes(data))
    context.linelint(path, "struct", "s", status=0)
    hostile.refused(context, "--from", "btf", path, "struct", "s", reason="BTF")


def choice(context):
    """DWARF wins, in a separate file too; --from chooses; what is not there is said with where it was looked for."""
    context.need("objcopy")
    directory = (context.scratch / "btf" / "choice").resolve()
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    binary = directory / "p"
    (directory / "p.c").write_text(EXAMPLE + "\nint main(void) { return 0; }\n")
    context.compile("gcc", ["-g", "-gbtf", "-Wl,--build-id=sha1"], [directory / "p.c"], binary)
    debug = directory / "debug/p.debug"
    debug.parent.mkdir()
    name = context.json(binary, "list")["structs"][0]["name"]

    def formats(*arguments):
        document = context.json(*arguments, "struct", name)
        check(len(document["structs"]) >= 1, document["structs"])
        return [one["format"] for one in document["binaries"]]
    check(formats(binary) == ["dwarf"] and formats("--from", "btf", binary) == ["btf"], "both are there")
    context.good(["objcopy", "--only-keep-debug", binary, debug])
    context.good(["objcopy", "--strip-debug", "--keep-section=.BTF", f"--add-gnu-debuglink={debug}", binary])
    check(formats(binary) == ["btf"], "BTF alone")
    refused = context.linelint("--from", "dwarf", binary, "struct", name, status=2).err
    check("only .BTF (looked for a separate file at" in refused and "--debug-dir" in refused, refused)
    text = context.good(["readelf", "-n", binary]).out
    number = re.search(r"Build ID: ([0-9a-f]+)", text)[1]
    place = debug.parent / ".build-id" / number[:2] / f"{number[2:]}.debug"
    place.parent.mkdir(parents=True)
    debug.replace(place)
    there = ("--debug-dir", debug.parent)
    check(formats(*there, binary) == ["dwarf"] and formats(*there, "--from", "btf", binary) == ["btf"], "with its debug file")
    # in a directory, and beside another
    (directory / "several").mkdir(exist_ok=True)
    shutil.copy(binary, directory / "several/p")
    check(formats(*there, directory / "several") == ["dwarf"], "in a directory")
    check(formats("--from", "btf", *there, "--also", directory / "several", binary) == ["btf", "btf"], "--also")
    check(formats("--from", "btf", directory / "several") == ["btf"], "without its debug file")
    nothing = context.linelint("--from", "dwarf", directory / "several", "list", status=2).err
    check("no file with debug information (1 looked at)" in nothing, nothing)


def base_of_many(context):
    """One --btf-base for a directory of modules and --also; each with a wrong one is told, and the rest is read."""
    directory = context.scratch / "btf" / "modules"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    base = encode.Btf()
    number = base.int("long", 8)
    base.struct("common", 16, [("a", number, 0), ("b", number, 64)])
    (directory.parent / "base").write_bytes(base.bytes())
    for i in range(3):
        module = encode.Btf(base)
        module.struct(f"own{i}", 8 * (i + 1), [(f"x{k}", number, 64 * k) for k in range(i + 1)])
        (directory / f"m{i}").write_bytes(module.bytes())
    sizes = {s["name"]: s["size"] for s in context.json("--btf-base", directory.parent / "base", directory, "list")["structs"]}
    check(sizes == {"own0": 8, "own1": 16, "own2": 24}, sizes)
    one = context.json("--btf-base", directory.parent / "base", "--also", directory / "m2", directory / "m0", "struct", "own*")
    check({s["name"] for s in one["structs"]} == {"own0", "own2"}, one["structs"])
    common = context.json("--btf-base", directory.parent / "base", directory, "struct", "common")
    check([s["size"] for s in common["structs"]] == [16], "of a base what is asked for by name")
    other = encode.Btf()
    other.struct("some_other", 8, [("member", other.int("long", 8), 0)])
    (directory.parent / "other").write_bytes(other.bytes())
    result = context.linelint("--btf-base", directory.parent / "other", directory, "list", status=2)
    check(result.err.count("another base than") == 3, result)
    (directory / "plain").write_bytes(base.bytes())
    result = context.linelint("--btf-base", directory.parent / "other", directory, "list", status=2)
    check(result.err.count("another base than") == 3 and "common" in result.out, result)


def tests(context):
    for source in golden.sources(context):
        if source.suffix == ".c" and not source.with_suffix(".err").exists():
            yield Test(f"btf/golden/{source.stem}", lambda s=source: both_ways(context, s))
    for source in sorted((context.root / "layouts").glob("*.c")):
        yield Test(f"btf/layouts/{source.stem}", lambda s=source: layout(context, s))
    for name, function in (("raw", raw), ("m32", pointers_of_32_bits), ("linked", linked), ("names", names),
                           ("verbs", verbs), ("split/pahole", split_by_pahole), ("kernel", kernel),
                           ("choice", choice), ("split/several", base_of_many)):
        yield Test(f"btf/{name}", lambda f=function: f(context))
    for target in ("bpfel", "bpfeb"):
        yield Test(f"btf/clang/{target}", lambda t=target: clang_bpf(context, t))
    for big_endian in (False, True):
        order = "big" if big_endian else "little"
        for header_bytes in (24, 32):
            yield Test(f"btf/kinds/{order}-{header_bytes}", lambda b=big_endian, h=header_bytes: by_hand(context, b, h))
        yield Test(f"btf/split/{order}", lambda b=big_endian: split_by_hand(context, b))
        for part in range(3):
            yield Test(f"btf/hostile/mutated/{order}-{part}", lambda b=big_endian, p=part: mutated(context, b, p))
    yield Test("btf/hostile/truncated", lambda: truncated(context))
    yield Test("btf/hostile/beside-dwarf", lambda: beside_dwarf(context))
    for name, data, reason in hostile_cases():
        yield Test(f"btf/hostile/{name}", lambda n=name, d=data, r=reason: hostile_file(context, n, d, r))
