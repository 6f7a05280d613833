#!/usr/bin/python3
"""Seeds of the fuzzers, made from what the compilers of this machine write: tests/fuzz/seeds.py DIRECTORY [--few]

DIRECTORY/TARGET/NAME for each target. Debug information of the sources of tests/golden and of tests/fuzz/seeds.cc in
DWARF 2 to 5 of gcc and clang, with type units, of 32 bits and DWARF64 where that is there; BTF of gcc -gbtf and of pahole -J;
what tests/hostile writes by hand; the profiles of layouts and tests; the options of the manual. --few: those that make check
replays. A compiler or tool that is not there is left out.
"""

import bz2
import concurrent.futures
import gzip
import lzma
import pathlib
import re
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests/hostile"), str(ROOT / "tests/btf"), str(ROOT / "tests")]
import corpus  # noqa: E402

GOLDEN = ["bitfields", "unnamed", "arrays", "typedefs", "qualifiers", "enums", "local", "functions"]
FEW = ["bitfields", "unnamed"]
BYTES_MAX = 1 << 15
BTF_MAGIC = 0xeb9f


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                          timeout=60).returncode == 0


# -- objects

def builds(few):
    """name, command; each makes NAME.o"""
    sources = [ROOT / "tests/golden" / f"{name}.c" for name in (FEW if few else GOLDEN)]
    for source in sources:
        for compiler in ("gcc", "clang"):
            for version in ("5", "4") if few else ("5", "4", "3", "2"):
                yield f"{source.stem}-{compiler}-{version}", [compiler, "-c", f"-gdwarf-{version}", source]
    plain = ROOT / "tests/golden/bitfields.c"
    extra = {"types-4": ["gcc", "-gdwarf-4", "-fdebug-types-section"],
             "types-5": ["gcc", "-gdwarf-5", "-fdebug-types-section"],
             "btf": ["gcc", "-g0", "-gbtf"], "split-5": ["clang", "-gdwarf-5", "-gsplit-dwarf=single"],
             "m32": ["clang", "-target", "i386-linux-gnu", "-gdwarf-4"],
             "big": ["clang", "-target", "s390x-linux-gnu", "-gdwarf-5"], "long": ["gcc", "-gdwarf64", "-gdwarf-5"],
             "gz": ["gcc", "-g", "-gz=zlib"], "gz-gnu": ["gcc", "-g", "-gz=zlib-gnu"]}
    for name, command in extra.items():
        yield name, [*command, "-ffreestanding", "-c", plain]
    for name in ([] if few else GOLDEN):
        yield f"btf-{name}", ["gcc", "-g0", "-gbtf", "-c", ROOT / "tests/golden" / f"{name}.c"]
    yield "cxx-gcc", ["g++", "-gdwarf-5", "-c", HERE / "seeds.cc"]
    yield "cxx-clang", ["clang++", "-gdwarf-5", "-c", HERE / "seeds.cc"]
    yield "cxx-types", ["g++", "-gdwarf-4", "-fdebug-types-section", "-c", HERE / "seeds.cc"]
    if not few:
        yield "cxx-4", ["clang++", "-gdwarf-4", "-c", HERE / "seeds.cc"]


def build(work, name, command):
    path = work / f"{name}.o"
    if not shutil.which(command[0]) or not run(*command, "-o", path, cwd=work):
        return None
    if name.startswith("bitfields-gcc-4") and shutil.which("pahole"):
        shutil.copy(path, work / "pahole.o")
        run("pahole", "-J", "pahole.o", cwd=work)
    return path


def sections(path):
    """.debug_* and .BTF of an object, relocated and unpacked as a linker would. -> flags, {name: bytes}"""
    data = path.read_bytes()
    wide, big = data[4] == 2, data[5] == 2
    order = ">" if big else "<"
    found = {}
    linked = path.with_suffix(".linked")
    # objcopy unpacks; only ld applies relocations, and of these only those of the machine it knows
    shutil.copy(path, linked)
    if shutil.which("ld") and not big:
        emulation = [] if wide else ["-m", "elf_i386"]
        run("ld", *emulation, "--unresolved-symbols=ignore-all", "-e", "0", path, "-o", linked, cwd=path.parent)
    run("objcopy", "--decompress-debug-sections", linked, cwd=path.parent)
    data = linked.read_bytes()
    if wide:
        table, = struct.unpack_from(order + "Q", data, 40)
        size, count, names = struct.unpack_from(order + "HHH", data, 58)
        headers = [struct.unpack_from(order + "IIQQQQ", data, table + size * i) for i in range(count)]
    else:
        table, = struct.unpack_from(order + "I", data, 32)
        size, count, names = struct.unpack_from(order + "HHH", data, 46)
        headers = [struct.unpack_from(order + "IIIIII", data, table + size * i) for i in range(count)]
    strings = headers[names][4]
    for name, kind, _, _, offset, length in headers:
        end = data.index(b"\0", strings + name)
        text = data[strings + name:end].decode().removesuffix(".dwo")
        if kind != 8 and length:
            found.setdefault(text, data[offset:offset + length])
    return (corpus.BIG_ENDIAN if big else 0) | (0 if wide else corpus.BITS_32), found


WANTED = {".debug_info", ".debug_abbrev", ".debug_str", ".debug_line", ".debug_line_str", ".debug_str_offsets",
          ".debug_types", ".debug_addr"}


def debug_pieces(found):
    return [(corpus.SECTIONS.index(name), found[name]) for name in corpus.SECTIONS if name in WANTED and name in found]


def btf_pieces(data):
    order = "<" if data[:2] == struct.pack("<H", BTF_MAGIC) else ">"
    head, types_at, types, strings_at, strings = struct.unpack_from(order + "IIIII", data, 4)
    return [(corpus.BTF.index("types"), data[head + types_at:head + types_at + types]),
            (corpus.BTF.index("strings"), data[head + strings_at:head + strings_at + strings])]


def from_objects(paths, write):
    for path in paths:
        if path.stat().st_size < BYTES_MAX:
            write("object", path.stem, path.read_bytes())
        flags, found = sections(path)
        if ".debug_info" in found:
            split = corpus.SPLIT if "split" in path.stem else 0
            for target in ("index", "dwarf", "plain"):
                write(target, path.stem, corpus.join(flags | split, debug_pieces(found)))
        if ".BTF" in found:
            write("btf", path.stem, corpus.join(flags, btf_pieces(found[".BTF"])))
            write("btf", path.stem + "-raw", corpus.join(flags | corpus.RAW_FILE, [(0, found[".BTF"])]))


def containers(work, paths, write):
    """Archives, and a kernel image with one of the objects in it."""
    small = [path for path in paths if path.stat().st_size < BYTES_MAX][:2]
    if not small:
        return
    run("ar", "rcs", "a.a", *(path.name for path in small), cwd=work)
    run("ar", "rcsT", "thin.a", *(path.name for path in small), cwd=work)
    for name in ("a.a", "thin.a"):
        if (work / name).exists():
            write("object", name, (work / name).read_bytes())
    plain = small[0].read_bytes()
    for name, packed in packings(work, plain):
        write("unpack", name, packed)
        image = bytearray(0x400)
        image[0x1fe:0x206] = b"\x55\xaa\xeb\x66HdrS"
        struct.pack_into("<H", image, 0x206, 0x20f)
        image[0x1f1] = 1
        payload = packed if name == "gzip" else packed + struct.pack("<I", len(plain))
        struct.pack_into("<II", image, 0x248, 0, len(payload))
        write("object", f"bzimage-{name}", bytes(image) + payload)
    for name, packed in packings(work, b"a short text, a short text\n"):
        write("unpack", f"{name}-short", packed)


def packings(work, data):
    yield "gzip", gzip.compress(data, mtime=0)
    yield "bzip2", bz2.compress(data)
    yield "xz", lzma.compress(data)
    yield "lzma", lzma.compress(data, lzma.FORMAT_ALONE)
    for name, *command in [("zstd", "zstd", "-q", "-19"), ("lz4", "lz4", "-q"), ("lz4-legacy", "lz4", "-q", "-l")]:
        if shutil.which(command[0]):
            (work / "plain").write_bytes(data)
            into = ["-o", "packed"] if name == "zstd" else ["packed"]
            if run(*command, "-f", "plain", *into, cwd=work):
                yield name, (work / "packed").read_bytes()


# -- by hand

def by_hand(work, few, write):
    from suites import hostile
    from dwarf import Unit, member  # noqa: F401
    for name, unit, _ in hostile.units():
        text = unit.assembler()
        if len(text) > 1 << 16 or few:
            continue
        source, path = work / "hand.s", work / f"hand-{name}.o"
        source.write_text(text)
        if run("gcc", "-c", source, "-o", path, cwd=work):
            flags, found = sections(path)
            if ".debug_info" in found:
                for target in ("index", "dwarf", "plain"):
                    write(target, f"hand-{name}", corpus.join(flags, debug_pieces(found)))
    for name, text in hostile.PROFILES.items():
        data = text if isinstance(text, bytes) else text.encode()
        if len(data) < BYTES_MAX:
            write("profile", f"hostile-{name}", data)
    for name, words in hostile.COMMANDS.items():
        write("options", f"hostile-{name}", "\n".join(words).encode())


def btf_by_hand(write):
    import encode
    base = encode.Btf()
    number = base.int("int", 4)
    base.struct("s", 8, [("a", number, 0), ("b", number, 32)])
    top = encode.Btf(base)
    own = top.struct("list_t", 16, [("s", number + 1, 0), ("c", number, 64, 3), ("d", number, 67, 5)], flag=1)
    top.add(encode.TYPEDEF, "t", own)
    pointer = top.add(encode.PTR, "", own)
    top.add(encode.ARRAY, "", 0, [pointer, number, 4])
    top.add(encode.FUNC_PROTO, "", number, [top.text("x"), pointer, 0, 0], 2)
    top.add(encode.ENUM64, "e", 8, [top.text("A"), 1, 2], 1)
    top.add(encode.TYPE_TAG, "user", number)
    for big in (False, True):
        flags = corpus.BIG_ENDIAN if big else 0
        bases = [(number + 4, data) for number, data in btf_pieces(base.bytes(big_endian=big))]
        pieces = btf_pieces(top.bytes(big_endian=big))
        write("btf", f"split-{'big' if big else 'little'}", corpus.join(flags, pieces + bases))
        write("btf", f"base-{'big' if big else 'little'}", corpus.join(flags, btf_pieces(base.bytes(big_endian=big))))
        write("btf", f"raw-{'big' if big else 'little'}",
              corpus.join(flags | corpus.RAW_FILE, [(0, base.bytes(big_endian=big))]))


# -- text

def literals(path):
    """The examples of a manual page."""
    for block in re.findall(r"\.Bd -literal[^\n]*\n(.*?)\.Ed", path.read_text(), re.S):
        yield block.replace("\\-", "-").replace("\\e", "\\").encode()


def texts(write):
    for path in [*sorted((ROOT / "layouts").glob("*.yaml")), *sorted((ROOT / "tests/golden").glob("*.yaml"))]:
        write("profile", path.stem, path.read_bytes())
    for number, block in enumerate(literals(ROOT / "man/linelint-profile.5")):
        write("profile", f"manual-{number}", block)
    words = ["struct\nfile\nvmlinux", "x.o\nlist\n*_ops", "x.o\ncheck", "x.o\ndiff\ny.o\ns", "explain\nLL001",
             "profile\nmerge\na\nb", "x.o\nreplay\ns\nt", "x.o\nvars\n--sort\nsize", "x.o\npatch\ns\n--in-place", "--help"]
    source = (ROOT / "src/cmd/opt.c").read_text()
    options = re.findall(r'\{"(--[a-z-]+)", (?:NULL|"([^"]*)")', source)
    for number, text in enumerate(words):
        write("options", f"words-{number}", text.encode())
    for name, value in options:
        for number, one in enumerate((value or "").split("|")):
            both = f"{name}\n{one}" if value else name
            write("options", f"option{name}-{number}", f"x.o\n{both}\nstruct\ns".encode())
            write("options", f"equals{name}-{number}", f"{name}={one}\nx.o\ncheck\ns".encode())
    if not options:
        raise ValueError("no options in src/cmd/opt.c")
    for page in ("linelint-trace", "linelint-record"):
        for number, block in enumerate(literals(ROOT / f"man/{page}.5")):
            write("record", f"{page}-{number}", block)
    write("record", "binary", binary_trace())
    for path in sorted((ROOT / "tests/patch").iterdir()):
        text = re.sub(r"\b(struct|union|class) \w+( *\n?\{)", r"\1 s\2", path.read_text(errors="replace"))
        write("source", path.name, text.encode())


def binary_trace():
    """linelint-trace(5), BINARY: of the struct that fuzz_record.c expects."""
    build, name, roles, threads, objects = bytes.fromhex("0123456789abcdef"), b"table", [b"lookup", b"insert"], [0, 1], [0x1000]
    tables = (build + name + b"".join(struct.pack("<I", len(role)) + role for role in roles)
              + b"".join(struct.pack("<I", role) for role in threads) + b"".join(struct.pack("<Q", at) for at in objects))
    tables += bytes(-len(tables) % 8)
    events = b"".join(struct.pack("<HBBIII", thread, kind, 0, 0, offset, size)
                      for thread, kind, offset, size in [(0, 0x80, 0, 8), (1, 0x81, 16, 4), (0, 2, 8, 8)])
    return b"\x7fLLTRACE" + struct.pack("<HHIQQIIIII12x", 1, 0, 64 + len(tables), len(events) // 16, 64, len(threads),
                                        len(roles), len(objects), len(build), len(name)) + tables + events


# -- dictionaries, as libFuzzer reads them

def dictionary(names):
    return "".join('"' + "".join(c if c.isalnum() or c in "-_=|" else f"\\x{ord(c):02x}" for c in name) + '"\n'
                   for name in names)


def dictionaries(directory):
    keys = set()
    for path in sorted((ROOT / "src/profile").rglob("*.c")):
        keys.update(re.findall(r'\{"([a-z_-]+)", ', path.read_text()))
    (directory / "profile.dict").write_text(dictionary(sorted(keys)))
    names = re.findall(r'\{"(--[a-z-]+)"', (ROOT / "src/cmd/opt.c").read_text())
    verbs = re.findall(r'\{"([a-z]+)",', (ROOT / "src/cmd/cmd.c").read_text())
    (directory / "options.dict").write_text(dictionary([*names, *verbs]))


def make(directory, few=False):
    directory = pathlib.Path(directory).resolve()
    work = directory / "work"
    shutil.rmtree(directory, ignore_errors=True)
    work.mkdir(parents=True)

    def write(target, name, data):
        if len(data) < BYTES_MAX:
            (directory / target).mkdir(exist_ok=True)
            (directory / target / name).write_bytes(data)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda item: build(work, *item), builds(few)))
    paths = [path for path in made if path]
    if (work / "pahole.o").exists():
        paths.append(work / "pahole.o")
    from_objects(paths, write)
    containers(work, paths, write)
    by_hand(work, few, write)
    btf_by_hand(write)
    texts(write)
    dictionaries(directory)
    shutil.rmtree(work)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    make(sys.argv[1], "--few" in sys.argv)
