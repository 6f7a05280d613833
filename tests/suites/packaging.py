"""packaging/: debug information however it is packed: in a separate file, split, shared, compressed, of other machines.

The compiler is the oracle, and nothing is run: tests/packaging/main.c has an array of the struct, in element i of
which all bits of member i are ones. They are read back from the object file, whatever machine it is for.
"""

import pathlib
import random
import re
import shutil
import struct
import sys

from .common import Test, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "packaging"))
import forms  # noqa: E402

LLVM_DWP = "llvm-dwp"
SOURCE = pathlib.Path("tests/packaging/main.c").resolve()
# member: what sets all of its bits
PROBES = {
    "a": ".a = -1", "b": ".b = -1", "c": ".c = -1", "d": ".d = -1", "wide": ".wide = -1", "e": ".e = -1",
    "f": ".f = {-1, -1, -1}", "in.x": ".in.x = -1", "in.y": ".in.y = -1", "in.z": ".in.z = -1", "u": ".u = -1",
    "v": ".v = -1", "p": ".p = (void *)-1", "whole": ".whole = -1", "many.x": ".many[0].x = -1",
    "many.y": ".many[0].y = -1", "many.z": ".many[0].z = -1", "next": ".next = (struct subject *)-1",
}


class Elf:
    """The sections of an ELF file of either class and byte order."""

    def __init__(self, path):
        self.bytes = pathlib.Path(path).read_bytes()
        wide, self.big = self.bytes[4] == 2, self.bytes[5] == 2
        order = ">" if self.big else "<"
        table = struct.unpack_from(order + ("Q" if wide else "I"), self.bytes, 40 if wide else 32)[0]
        entry, count, names = struct.unpack_from(order + "HHH", self.bytes, 58 if wide else 46)
        form = order + ("IIQQQQIIQQ" if wide else "IIIIIIIIII")
        headers = [struct.unpack_from(form, self.bytes, table + i * entry) for i in range(count)]
        text = headers[names][4]
        self.sections = {}
        for header in headers:
            start = text + header[0]
            name = self.bytes[start:self.bytes.index(b"\0", start)].decode()
            self.sections[name] = (header[4], header[5])

    def data(self, name):
        offset, size = self.sections[name]
        return self.bytes[offset:offset + size]


def ones(data, big):
    """The number of the first bit that is 1, and how many are; they must be without a gap."""
    bits = [i for i in range(8 * len(data)) if data[i // 8] >> (7 - i % 8 if big else i % 8) & 1]
    check(bits == list(range(bits[0], bits[0] + len(bits))), f"the compiler's bits are not in a row: {bits}")
    return bits[0], len(bits)


def find(members, path):
    """The member at a path; unnamed aggregates are transparent."""
    head, _, rest = path.partition(".")
    for member in members:
        if member["name"] == head:
            return find(member["members"], rest) if rest else member
        if not member["name"]:
            found = find(member["members"], path)
            if found:
                return found
    return None


class Builder:
    """One directory, and what is built in it."""

    def __init__(self, context, name):
        self.context = context
        self.directory = (context.scratch / "packaging" / name).resolve()
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        (self.directory / "probes.h").write_text("".join(f"ONE({text})\n" for text in PROBES.values()))

    def __truediv__(self, name):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def sh(self, *argv, **options):
        self.context.need(str(argv[0]))
        return self.context.good(argv, cwd=self.directory, **options)

    def cc(self, *flags, compiler="gcc", source=SOURCE):
        return self.sh(compiler, "-w", f"-DPROBES=\"{self.directory}/probes.h\"", *flags, source)

    def program(self, *flags, compiler="gcc", name="program"):
        """A program and the object that it is linked from."""
        self.cc("-g", "-DLINKED", *flags, "-c", "-o", "main.o", compiler=compiler)
        self.sh(compiler, "-Wl,--build-id=sha1", *flags, "main.o", "-o", self / name)
        return self / name

    def verify(self, binary, probes="main.o", args=(), status=0, **options):
        """Every bit of every member is where the compiler has put it."""
        report = self.context.json(*args, "--suggest", "none", binary, "struct", "subject", status=status, **options)
        found, = report["structs"]
        elf = Elf(self / probes)
        data = elf.data(".probes")
        size = len(data) // len(PROBES)
        check(found["size"] == size and report["binaries"][0]["endian"] == ("big" if elf.big else "little"),
              f"{binary}: size {found['size']}, not {size}")
        for i, path in enumerate(PROBES):
            member = find(found["members"], path)
            check(member, f"{binary}: no member {path}")
            first, count = ones(data[i * size:(i + 1) * size], elf.big)
            have = (8 * member["offset"] + member.get("bit_offset", 0), member.get("bit_size", 8 * member["size"]))
            check(have == (first, count), f"{binary}: {path}: {have}, but to the compiler {(first, count)}")
        return report

    def refused(self, binary, *words, args=(), **options):
        result = self.context.linelint(*args, binary, "struct", "subject", status=2, cwd=self.directory, **options)
        for word in words:
            check(str(word) in result.err, f"the error lacks {str(word)!r}\n{result}")
        check(not result.out, str(result))
        return result

    def build_id(self, path):
        text = self.sh("readelf", "-n", path).out
        return re.search(r"Build ID: ([0-9a-f]+)", text)[1]

    def separate(self, path, debug):
        """Moves the debug information of a program to a file of its own."""
        self.sh("objcopy", "--only-keep-debug", path, self / debug)
        self.sh("strip", "--strip-unneeded" if str(path).endswith(".o") else "--strip-all", path)


def by_build_id(context):
    build = Builder(context, "build-id")
    program = build.program()
    number = build.build_id(program)
    place = f"debug/.build-id/{number[:2]}/{number[2:]}.debug"
    build.separate(program, place)
    report = build.verify(program, args=("--debug-dir", build / "debug"))
    check(report["binaries"][0]["path"] == str(program) and report["binaries"][0]["build_id"] == number, str(report))
    build.verify(build / place)
    build.refused(program, "stripped", f"/usr/lib/debug/.build-id/{number[:2]}/{number[2:]}.debug", "--debug-dir")
    other = build.program("-DOTHER", "-O2", "-fno-inline", name="other")
    build.separate(other, "debug/other.debug")
    (build / "debug/other.debug").replace(build / place)
    build.refused(program, place, "of another build", args=("--debug-dir", build / "debug"))
    (build / place).write_text("no ELF file\n")
    build.refused(program, place, "unreadable", args=("--debug-dir", build / "debug"))


def by_link(context):
    build = Builder(context, "debuglink")
    program = build.program("-Wl,--build-id=none", name="bin/program")
    build.separate(program, "bin/program.debug")
    build.sh("objcopy", "--add-gnu-debuglink=bin/program.debug", program)
    build.verify(program)
    build.verify("program", cwd=build / "bin")
    beside, hidden = build / "bin/program.debug", build / "bin/.debug/program.debug"
    beside.replace(hidden)
    build.verify(program)
    (build / "link").symlink_to(program)
    build.verify(build / "link")
    there = build / f"debug/{program.parent}/program.debug"
    hidden.replace(there)
    build.verify(program, args=("--debug-dir", build / "debug"))
    build.verify(build / "link", args=("--debug-dir", build / "debug"))
    # right in the directory that is named
    flat = build / "flat/program.debug"
    shutil.copy(there, flat)
    build.verify(program, args=("--debug-dir", flat.parent))
    flat.write_bytes(there.read_bytes() + b"\0")
    build.refused(program, f"{flat} (of another build: its CRC differs)", args=("--debug-dir", flat.parent))
    build.refused(program, beside, hidden, f"/usr/lib/debug{program.parent}/program.debug")
    # one byte more: the CRC is another
    beside.write_bytes(there.read_bytes() + b"\0")
    build.refused(program, f"{beside} (of another build: its CRC differs)")
    there.replace(beside)
    context.linelint("--output", beside, program, "struct", "subject", status=2)
    build.verify(program)


def of_an_object(context):
    """As of a kernel's module: relocatable, and so is its debug file."""
    build = Builder(context, "module")
    build.program()
    build.sh("cp", "main.o", "module.o")
    build.separate("module.o", "module.debug")
    build.sh("objcopy", "--add-gnu-debuglink=module.debug", "module.o")
    build.verify(build / "module.o")


def split(context, compiler, *flags):
    """.dwo files where they were compiled, beside the binary, of another build, missing."""
    build = Builder(context, f"split-{compiler}{''.join(flags)}")
    flags = ("-gsplit-dwarf", *flags)
    (build / "other.c").write_text("struct elsewhere { int x : 3; } elsewhere;\n")
    build.cc(*flags, "-c", "-o", "other.o", source="other.c", compiler=compiler)
    build.cc("-g", *flags, "-DLINKED", "-c", "-o", "main.o", compiler=compiler)
    build.sh(compiler, "main.o", "other.o", "-o", "program")
    program = build / "program"
    source = build.verify(program)["structs"][0]
    check(source["declared"] and source["declared"]["file"].endswith("packaging/main.c"), str(source["declared"]))
    build.verify("main.o", cwd=build.directory)
    build.verify("main.dwo", cwd=build.directory)
    listed = build.context.json(program, "list")
    check({item["name"] for item in listed["structs"]} == {"subject", "inner", "elsewhere"}, str(listed["structs"]))
    # away from where it was compiled
    moved = build / "moved/program"
    shutil.copy(program, moved)
    (build / "main.dwo").replace(build / "moved/main.dwo")
    build.verify(moved)
    build.refused(program, "1 of 2 units has", "main.dwo (looked at", build / "main.dwo")
    said = context.linelint(program, "vars", status=0).err
    check(": 1 unit has the debug information in other files" in said and " its variables" in said, said)
    listed = context.linelint(program, "list", status=2)
    check("elsewhere" in listed.out and "main.dwo" in listed.err and "other.dwo" not in listed.err, str(listed))
    report = context.json(program, "struct", "elsewhere")
    check(report["structs"][0]["size"] == 4, str(report))
    shutil.copy(build / "other.dwo", build / "main.dwo")
    build.refused(program, f"{build / 'main.dwo'} (of another build: its dwo_id differs)")
    (build / "main.dwo").write_bytes(b"no ELF file")
    build.refused(program, f"{build / 'main.dwo'} (unreadable)")
    return build, program


def package(context, compiler, dwp, *flags):
    """A package of all .dwo files."""
    context.need(dwp)
    build = Builder(context, f"package-{compiler}-{dwp}{''.join(flags)}")
    flags = ("-gsplit-dwarf", *flags)
    (build / "other.c").write_text("struct elsewhere { int x : 3; } elsewhere;\n")
    build.cc(*flags, "-c", "-o", "other.o", source="other.c", compiler=compiler)
    build.cc("-g", *flags, "-DLINKED", "-c", "-o", "main.o", compiler=compiler)
    build.sh(compiler, "other.o", "main.o", "-o", "program")
    build.sh(dwp, "other.dwo", "main.dwo", "-o", "program.dwp", timeout=20)
    kept = build / "kept"
    kept.mkdir()
    for name in ("other.dwo", "main.dwo"):
        (build / name).replace(kept / name)
    source = build.verify(build / "program")["structs"][0]
    check(source["declared"] and source["declared"]["file"].endswith("packaging/main.c"), str(source["declared"]))
    build.verify("program.dwp", cwd=build.directory)
    listed_in = lambda: {item["name"] for item in context.json(build / "program", "list", status=(0, 2))["structs"]}
    check(listed_in() == {"subject", "inner", "elsewhere"}, str(listed_in()))
    # other.c has changed since the package was made, or the package is of another program as well
    (build / "other.c").write_text("struct since { int y : 5; } since; struct stranger { struct since s; } stranger;\n")
    build.cc(*flags, "-c", "-o", "since.o", source="other.c", compiler=compiler)
    for parts, expected in (("main", {"subject", "inner"}), ("kept", {"subject", "inner", "elsewhere"}), ("since", set())):
        files = {"main": ("kept/main.dwo",), "kept": ("kept/main.dwo", "kept/other.dwo"), "since": ()}[parts]
        build.sh(dwp, "since.dwo", *files, "-o", "program.dwp", timeout=20)
        if expected:
            check(listed_in() == expected, f"{parts}: {listed_in()}, expected {expected}")
        message = context.linelint(build / "program", "list", status=0 if parts == "kept" else 2).err
        reason = f"other.dwo (looked at {build / 'program.dwp'} (of another build: its dwo_id differs)"
        check((reason in message) == (parts != "kept"), message)
    for name in ("main.dwo", "other.dwo"):  # which are right
        shutil.copy(kept / name, build / name)
    check(listed_in() == {"subject", "inner", "elsewhere"}, str(listed_in()))
    build.verify(build / "program")


def shared(context, options, *flags):
    """dwz: partial units in one file, and a file that two programs share."""
    context.need("dwz")
    build = Builder(context, f"dwz{''.join((*options, *flags))}")
    for number in range(2):
        (build / f"more{number}.c").write_text(
            f"#define probes probes{number}\n#include \"{SOURCE}\"\nstruct own{number} {{ int x : {number + 3}; }} own;\n")
        build.cc("-g", *flags, "-c", "-o", f"more{number}.o", source=f"more{number}.c")
        build.cc("-g", *flags, f"-DNUMBER={number}", "-DLINKED", "-c", "-o", "main.o")
        build.sh("gcc", "-Wl,--build-id=sha1", "-Wl,-z,muldefs", "main.o", f"more{number}.o", "-o", f"program{number}")
    one = build / "one"
    shutil.copy(build / "program0", one)
    build.sh("dwz", "one")
    build.verify(one)
    build.sh("dwz", *options, "-m", "shared.debug", "-M", "shared.debug", "program0", "program1")
    section = b".debug_sup" if "--dwarf-5" in options else b".gnu_debugaltlink"
    check(section in (build / "program0").read_bytes(), "dwz has shared nothing")
    for number in range(2):
        program = build / f"program{number}"
        build.verify(program)
        names = {item["name"] for item in context.json(program, "list")["structs"]}
        check(names == {"subject", "inner", f"own{number}"}, f"{program}: {names}")
    build.verify("program0", cwd=build.directory)
    program = build / "program0"
    (build / "shared.debug").replace(build / "away")
    build.refused(program, "dwz", "shared.debug", "--debug-dir")
    (build / "debug/.dwz/x").parent.mkdir(exist_ok=True)
    shutil.copy(build / "away", build / "debug/.dwz/shared.debug")
    build.verify(program, args=("--debug-dir", build / "debug"))
    shutil.copy(build / "away", build / "flat/shared.debug")
    build.verify(program, args=("--debug-dir", build / "flat"))
    shutil.copy(build / "one", build / "flat/shared.debug")
    build.refused(program, f"{build / 'flat/shared.debug'} (of another build)", args=("--debug-dir", build / "flat"))
    shutil.copy(build / "one", build / "shared.debug")
    build.refused(program, f"{build / 'shared.debug'} (of another build)")
    # as a distribution has it: stripped, the separate debug file refers to the shared one
    number = build.build_id(program)
    build.separate(program, f"debug/.build-id/{number[:2]}/{number[2:]}.debug")
    report = build.verify(program, args=("--debug-dir", build / "debug"))
    check(report["structs"][0]["declared"]["file"].endswith("packaging/main.c"), str(report["structs"][0]["declared"]))


# clang's names of targets, and what a report calls them
TARGETS = {
    "x86_64-linux-gnu": "x86-64", "i386-linux-gnu": "i386", "x86_64-linux-gnux32": "x32", "aarch64-linux-gnu": "arm64",
    "aarch64_be-linux-gnu": "arm64", "arm-linux-gnueabihf": "arm", "armeb-linux-gnueabihf": "arm",
    "riscv64-linux-gnu": "riscv64", "riscv32-linux-gnu": "riscv32", "powerpc64-linux-gnu": "ppc64",
    "powerpc64le-linux-gnu": "ppc64", "powerpc-linux-gnu": "ppc", "s390x-linux-gnu": "s390x", "mips-linux-gnu": "mips",
    "mipsel-linux-gnu": "mips", "mips64-linux-gnuabi64": "mips", "sparc64-linux-gnu": "sparc64",
    "sparc-linux-gnu": "sparc",
}


def target(context, name, machine):
    """Relocatable objects of every machine in every version of DWARF, 32 bits and 64."""
    build = Builder(context, f"target-{name}")
    has = "64" in name and "x32" not in name or name.startswith(("s390x", "aarch64"))
    forms = [(f"-gdwarf-{version}",) for version in (2, 3, 4, 5)]
    # 64-bit DWARF takes relocations of 64 bits
    forms += [(f"-gdwarf-{version}", "-gdwarf64") for version in (3, 4, 5) if has]
    for flags in (*forms, ("-gdwarf-5", "-gsplit-dwarf"), ("-gdwarf-4", "-fdebug-types-section"),
                  ("-gdwarf-5", "-fdebug-types-section", "-gz=zlib")):
        build.cc("-g", f"--target={name}", "-fintegrated-as", *flags, "-c", "-o", "main.o", compiler="clang")
        report = build.verify("main.o", cwd=build.directory)
        binary, = report["binaries"]
        check(binary["machine"] == machine and binary["dwarf_version"] == int(flags[0][-1]), f"{flags}: {binary}")


def compressed_by_llvm(context):
    """llvm-objcopy 14 leaves 12 bytes behind what it has compressed in files of 32 bits, which libelf refuses."""
    context.need("llvm-objcopy")
    build = Builder(context, "compressed-llvm")
    for name in ("i386-linux-gnu", "x86_64-linux-gnu", "mips-linux-gnu"):
        build.cc("-gdwarf-4", f"--target={name}", "-fintegrated-as", "-c", "-o", "main.o", compiler="clang")
        build.sh("llvm-objcopy", "--compress-debug-sections=zlib", "main.o", "packed.o")
        build.verify(build / "packed.o")
        data = bytearray((build / "packed.o").read_bytes())
        offset, size = Elf(build / "packed.o").sections[".debug_info"]
        data[offset + 30:offset + size] = bytes(size - 30)
        (build / "damaged.o").write_bytes(data)
        build.refused(build / "damaged.o", ".debug_info", "cannot be unpacked")


def link_time(context, compiler):
    """-flto: what is linked has all types; of an object with nothing but an intermediate form it is said."""
    build = Builder(context, f"lto-{compiler}")
    flags = ("-O2", "-flto", "-fuse-ld=lld") if compiler == "clang" else ("-O2", "-flto")
    if compiler == "clang":
        context.need("ld.lld")
    (build / "more.c").write_text("struct elsewhere { int x : 3; } elsewhere;\n")
    build.cc("-g", "-c", "-o", "main.o", compiler=compiler)
    build.cc("-g", "-DLINKED", *flags, "-c", "-o", "slim.o", compiler=compiler)
    build.cc("-g", *flags, "-c", "-o", "more.o", source="more.c", compiler=compiler)
    build.sh(compiler, "-g", *flags, "slim.o", "more.o", "-o", "program")
    build.verify(build / "program")
    build.refused("slim.o", "-flto", "link" if compiler == "gcc" else "linked")
    if compiler == "gcc":
        build.cc("-g", "-DLINKED", *flags, "-ffat-lto-objects", "-c", "-o", "fat.o")
        build.verify("fat.o", cwd=build.directory)


def without_types(context):
    """-g1 and no -g: the reason, and the next step."""
    build = Builder(context, "without")
    for compiler in ("gcc", "clang"):
        build.cc("-g1", "-DLINKED", "-o", f"{compiler}-g1", compiler=compiler)
        build.refused(f"{compiler}-g1", "-g1", "build with -g")
        build.cc("-DLINKED", "-o", f"{compiler}-g0", compiler=compiler)
        build.refused(f"{compiler}-g0", "built without -g", "build with -g")
        build.cc("-c", "-o", f"{compiler}-g0.o", compiler=compiler)
        build.refused(f"{compiler}-g0.o", "built without -g", "build with -g")


def of_many_sections(context):
    """A kernel's module: one relocatable object of several, a section a function and a variable, type units."""
    build = Builder(context, "ko")
    for flags in (("-gdwarf-4",), ("-gdwarf-5",), ("-gdwarf-5", "-fdebug-types-section"), ("-gdwarf-4", "-gz")):
        build.cc(*flags, "-O2", "-ffunction-sections", "-fdata-sections", "-c", "-o", "main.o")
        (build / "more.c").write_text("".join(
            f"struct s{i} {{ int x : {i % 31 + 1}; struct s{i} *next; }} v{i}; int f{i}(void) {{ return v{i}.x; }}\n"
            for i in range(300)))
        build.cc(*flags, "-O2", "-ffunction-sections", "-fdata-sections", "-c", "-o", "more.o", source="more.c")
        build.sh("ld", "-r", "more.o", "main.o", "-o", "module.ko")
        build.verify("module.ko", cwd=build.directory)
        names = {item["name"] for item in context.json(build / "module.ko", "list")["structs"]}
        check(names == {"subject", "inner", *(f"s{i}" for i in range(300))}, str(names))


def shared_cxx(context):
    """dwz's partial units do not say their language: bases are as in C++ nevertheless, and scopes are there."""
    context.need("dwz")
    build = Builder(context, "dwz-c++")
    text = """namespace ns { struct base { virtual ~base(); int i : 5; }; template<class T> struct box : base { T t; };
    struct outer { struct inner { char c; long l; } in; enum class e : short { x } k; }; }
    """
    for i in range(2):
        for j in range(2):
            (build / f"u{i}{j}.cc").write_text(text + f"ns::outer o{i}{j}; ns::box<int> *b{i}{j}; int f{i}{j}() "
                                               f"{{ return b{i}{j}->t; }}\n" + ("int main() {}\n" if j else "ns::base::~base() {}\ntemplate struct ns::box<int>;\n"))
        build.sh("g++", "-g", f"u{i}0.cc", f"u{i}1.cc", "-o", f"program{i}", "-Wl,--unresolved-symbols=ignore-all")
    shutil.copy(build / "program0", build / "plain")
    build.sh("dwz", "-m", "shared.debug", "program0", "program1")

    def without_places(value):  # whose directories dwz spells in full
        if isinstance(value, list):
            return [without_places(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {key: without_places(item) for key, item in value.items() if key not in ("declared", "unit")}

    def layouts(name):
        return [without_places(item)
                for item in context.json(build / name, "list")["structs"]]
    plain = layouts("plain")
    check([item["qualified_name"] for item in plain] == ["ns::base", "ns::box<int>", "ns::outer::inner", "ns::outer"],
          str(plain))
    for name in ("program0", "program1"):
        check(layouts(name) == plain, f"{name}: {layouts(name)}\nnot as before dwz: {plain}")


def damaged(context, compiler, dwp, flags):
    """Bits that are wrong in a split file or a package: read, or named and left out; never a signal."""
    context.need(dwp)
    build = Builder(context, f"damaged-{compiler}")
    build.cc("-g", "-gsplit-dwarf", *flags, "-DLINKED", "-c", "-o", "main.o", compiler=compiler)
    build.sh(compiler, "main.o", "-o", "program")
    build.sh(dwp, "main.dwo", "-o", "packed", timeout=20)
    chance = random.Random(compiler)
    for name, good in (("main.dwo", (build / "main.dwo").read_bytes()), ("program.dwp", (build / "packed").read_bytes())):
        for _ in range(40):
            data = bytearray(good)
            for _ in range(chance.choice((1, 1, 3, 20))):
                data[chance.randrange(64, len(data))] ^= 1 << chance.randrange(8)
            (build / name).write_bytes(data[:chance.choice((len(data), len(data), chance.randrange(len(data))))])
            context.linelint(build / "program", "list", status=(0, 2), timeout=20)
        (build / name).unlink()


def every_form(context, version, offset_bytes, machine, big, address_bytes):
    """Both readers step over each form and read it in each role."""
    build = Builder(context, f"forms-{machine}-{version}-{offset_bytes}")
    text = forms.Writer(version, offset_bytes, address_bytes).write(big)
    (build / "forms.s").write_text(text)
    build.sh("clang", f"--target={machine}", "-c", "forms.s", "-o", "forms.o")
    names = [f"s_{form}" for form in forms.known(version)]
    for words in (["list"], ["struct", *names]):
        report = context.json(build / "forms.o", *words)
        found = {item["name"]: item for item in report["structs"]}
        check(sorted(found) == sorted(names), f"missing: {set(names) - set(found)}, more: {set(found) - set(names)}")
        for name, item in found.items():
            a, b = item["members"]
            check((item["size"], a["name"], a["type"], a["offset"], a["size"]) == (12, "a", "int", 4, 4),
                  f"{name}: {item}")
            bit = 8 * b["offset"] + b.get("bit_offset", 0)
            check((b["name"], b["type"], bit, b.get("bit_size")) == ("b", "int", forms.BITS, forms.WIDTH),
                  f"{name}: {b}")


def tests(context):
    return [
        Test("packaging/separate/build-id", lambda: by_build_id(context)),
        Test("packaging/separate/debuglink", lambda: by_link(context)),
        Test("packaging/separate/module", lambda: of_an_object(context)),
        *[Test(f"packaging/forms/{machine}-dwarf-{version}-{8 * offset_bytes}-bits",
               lambda version=version, offset_bytes=offset_bytes, machine=machine, big=big, address_bytes=address_bytes:
               every_form(context, version, offset_bytes, machine, big, address_bytes))
          for machine, big, address_bytes in (("x86_64-linux-gnu", False, 8), ("s390x-linux-gnu", True, 8),
                                              ("mips-linux-gnu", True, 4))
          for version in (2, 3, 4, 5) for offset_bytes in (4, 8)
          if not (offset_bytes == 8 and (version == 2 or address_bytes == 4))],
        Test("packaging/dwz/c++", lambda: shared_cxx(context)),
        Test("packaging/damaged/gcc", lambda: damaged(context, "gcc", "dwp", ("-gdwarf-4", "-fdebug-types-section"))),
        Test("packaging/damaged/clang", lambda: damaged(context, "clang", LLVM_DWP, ("-gdwarf-5",))),
        Test("packaging/compressed/llvm", lambda: compressed_by_llvm(context)),
        Test("packaging/module", lambda: of_many_sections(context)),
        Test("packaging/lto/gcc", lambda: link_time(context, "gcc")),
        Test("packaging/lto/clang", lambda: link_time(context, "clang")),
        Test("packaging/without-types", lambda: without_types(context)),
        *[Test(f"packaging/target/{name}", lambda name=name, machine=machine: target(context, name, machine))
          for name, machine in TARGETS.items()],
        *[Test(f"packaging/split/{compiler}{''.join(flags)}",
               lambda compiler=compiler, flags=flags: split(context, compiler, *flags) and None)
          for compiler in ("gcc", "clang")
          for flags in (("-gdwarf-4",), ("-gdwarf-5",), ("-gdwarf-4", "-fdebug-types-section"),
                        ("-gdwarf-5", "-fdebug-types-section"))],
        *[Test(f"packaging/package/{compiler}-{dwp}{''.join(flags)}",
               lambda compiler=compiler, dwp=dwp, flags=flags: package(context, compiler, dwp, *flags))
          for compiler, dwp, flags in (
              ("gcc", "dwp", ("-gdwarf-4",)), ("clang", "dwp", ("-gdwarf-4",)),
              ("gcc", "dwp", ("-gdwarf-4", "-fdebug-types-section")), ("clang", LLVM_DWP, ("-gdwarf-4",)),
              ("clang", LLVM_DWP, ("-gdwarf-5",)), ("clang", LLVM_DWP, ("-gdwarf-5", "-fdebug-types-section")))],
        *[Test(f"packaging/dwz/{''.join((*options, *flags))}",
               lambda options=options, flags=flags: shared(context, options, *flags))
          for options, flags in (((), ("-gdwarf-4",)), ((), ("-gdwarf-5",)), ((), ("-gdwarf-2", "-gstrict-dwarf")),
                                 ((), ("-gdwarf-4", "-fdebug-types-section")), (("--dwarf-5",), ("-gdwarf-5",)))],
    ]
