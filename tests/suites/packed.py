"""packed/: binaries, kernel images and sections that are compressed.

The compressors are python's and Debian's tools, the oracle is that of packaging/: every bit of every member is where the
compiler has put it. What is damaged, cut off or a bomb is refused in one line.
"""

import bz2
import gzip
import lzma
import struct
import subprocess

from .common import Test, check
from .packaging import Builder, Elf

WAYS = ("/sys/kernel/btf/vmlinux", "debug package")


def tool(context, *argv):
    """A compressor of Debian's, from standard input to standard output."""
    def pack(data):
        context.need(argv[0])
        return subprocess.run(argv, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return pack


def x86_xz(data):
    """As scripts/xz_wrap.sh of Linux does."""
    return lzma.compress(data, lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=[
        {"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "dict_size": 32 << 20}])


def endless_lzma(data):
    return lzma.compress(data, lzma.FORMAT_ALONE)


def packers(context):
    """What packs, by the names that --version lists and a suffix."""
    return {
        ("gzip", "gz"): gzip.compress, ("xz", "xz"): x86_xz, ("zstd", "zst"): tool(context, "zstd", "-q", "-19", "-c"),
        ("lz4", "lz4"): tool(context, "lz4", "-q", "-c"), ("lz4", "l.lz4"): tool(context, "lz4", "-q", "-l", "-9", "-c"),
        ("bzip2", "bz2"): bz2.compress, ("lzma", "lzma"): endless_lzma,
    }


def unpacked_here(context):
    text = context.run([context.program, "--version"]).out
    return text.split("unpacks: ")[1].split()


def here(context):
    """The formats of this build, each with what packs it; those of the Makefile's packages are all."""
    names = unpacked_here(context)
    return {key: pack for key, pack in packers(context).items() if key[0] in names}


def whole(context):
    """An executable, an object as of a module, raw BTF, stripped ones with a debug file."""
    build = Builder(context, "whole")
    program = build.program("-gdwarf-5")
    build.cc("-gbtf", "-c", "-o", "btf.o")
    elf = Elf(build / "btf.o")
    raw = elf.data(".BTF")
    for (name, suffix), pack in here(context).items():
        for plain, stem, form in ((program.read_bytes(), "program", "dwarf"),
                                  ((build / "main.o").read_bytes(), "module.ko", "dwarf"), (raw, "raw", "btf")):
            path = build / f"{stem}.{suffix}"
            path.write_bytes(pack(plain))
            report = build.verify(path, args=("--from", form))
            check(report["binaries"][0]["path"] == str(path) and report["binaries"][0]["format"] == form, str(report))
    # files behind each other are one, as pixz and pbzip2 write them
    plain = program.read_bytes()
    half = len(plain) // 2
    for (name, suffix), pack in here(context).items():
        if name != "lzma" and suffix != "l.lz4":
            parts = [pack(plain[:half]), pack(b""), pack(plain[half:-1]), pack(plain[-1:])]
            for padding in (b"", bytes(8)) if name == "xz" else (b"",):
                (build / f"parts.{suffix}").write_bytes(padding.join(parts))
                build.verify(build / f"parts.{suffix}")
            (build / f"more.{suffix}").write_bytes(b"".join(parts) + parts[0][:-9])
            result = context.linelint(build / f"more.{suffix}", "list", status=2)
            check("cut off" in result.err, str(result))
    # padding behind the end, as on a tape
    (build / "padded.gz").write_bytes(gzip.compress(plain) + bytes(512))
    build.verify(build / "padded.gz")


def with_debug_file(context):
    """A packed and stripped module finds its debug file, which may not be packed."""
    build = Builder(context, "packed-debug")
    program = build.program()
    number = build.build_id(program)
    place = f"debug/.build-id/{number[:2]}/{number[2:]}.debug"
    build.separate(program, place)
    (build / "program.gz").write_bytes(gzip.compress(program.read_bytes()))
    build.verify(build / "program.gz", args=("--debug-dir", build / "debug"))
    build.refused(build / "program.gz", "stripped", args=("--debug-dir", build / "nothing"))


def damaged(context):
    """Cut, changed, a bomb, no binary in it: one line with a next step."""
    build = Builder(context, "packed-damaged")
    plain = build.program("-gdwarf-5").read_bytes()
    for (name, suffix), pack in here(context).items():
        packed = pack(plain)
        def refused(stem, data, *words):
            (build / f"{stem}.{suffix}").write_bytes(data)
            result = build.refused(build / f"{stem}.{suffix}", *words)
            check(result.err.count("\n") == 1 and "; " in result.err and "crashed" not in result.err, str(result))
        refused("cut", packed[:len(packed) * 2 // 3], f"is compressed with {name}, and")
        refused("short", packed[:12], f"is compressed with {name}, and")
        changed = bytearray(packed)
        for i in range(len(packed) // 2, len(packed) // 2 + 40):
            changed[i] ^= 0x5a
        (build / f"changed.{suffix}").write_bytes(changed)
        # the format of lz4's kernel images and that of lzma have no checksum: what comes out may be anything
        status = (0, 2) if (suffix in ("l.lz4", "lzma")) else 2
        result = context.linelint(build / f"changed.{suffix}", "struct", "subject", status=status)
        check("crashed" not in result.err, str(result))
        refused("text", pack(b"hello\n" * 1000), "is text, not an ELF file")
        refused("nothing", pack(b""), "not an ELF file" if suffix != "l.lz4" else "")
        refused("bomb", pack(b"\x7fELF" + bytes((160 if name == "lz4" else 76) << 20)), f"is compressed with {name}, and unpacks to more")
    # a dictionary of 1.5 GiB is not allocated
    if "lzma" in unpacked_here(context):
        head = bytearray(endless_lzma(plain))
        head[1:5] = (3 << 29).to_bytes(4, "little")
        (build / "dictionary.lzma").write_bytes(head)
        build.refused(build / "dictionary.lzma", "dictionary above 128 MiB")


def directory(context):
    """As of /lib/modules: each module is read, whatever packs it; a compressed text is passed over."""
    build = Builder(context, "modules")
    wanted = set()
    for number, ((_, suffix), pack) in enumerate(here(context).items()):
        (build / "own.c").write_text(f"struct own{number} {{ long a : {number + 3}, b; }} own;\n")
        build.cc("-g", "-c", "-o", "own.o", source="own.c")
        (build / f"lib/kernel/m{number}.ko.{suffix}").write_bytes(pack((build / "own.o").read_bytes()))
        wanted.add(f"own{number}")
    (build / "lib/changelog.gz").write_bytes(gzip.compress(b"text\n" * 100))
    result = context.linelint("--verbose", build / "lib", "list")
    check("changelog.gz: no debug information; passed over" in result.err, str(result))
    names = {item["name"] for item in context.json(build / "lib", "list")["structs"]}
    check(names == wanted, f"{names}, not {wanted}")
    # one that cannot be looked into is told, and the rest is read
    (build / "lib/kernel/bad.ko.gz").write_bytes(b"\x1f\x8b\x08" + bytes(50))
    report = context.json(build / "lib", "list", status=2)
    check({item["name"] for item in report["structs"]} == wanted and report["summary"]["unread"] == 1, str(report))
    check("bad.ko.gz: is compressed with gzip, and" in context.linelint(build / "lib", "list", status=2).err, "bad.ko.gz")


def bz_image(build, name, payload, size, version=0x20f):
    sectors, offset = 3, 100
    start = (sectors + 1) * 512 + offset
    data = bytearray(start)
    data[0x1f1] = sectors
    data[0x202:0x206] = b"HdrS"
    struct.pack_into("<H", data, 0x206, version)
    struct.pack_into("<II", data, 0x248, offset, len(payload) + 4)
    path = build / name
    path.write_bytes(bytes(data) + payload + struct.pack("<I", size) + bytes(64))
    return path


def kernel_payload(name, packed):
    """The kernel's build leaves the size that gzip writes itself where it is, and puts one behind the others."""
    return packed[:-4] if name == "gzip" else packed


def kernel_image(context):
    """bzImage: the vmlinux in it is unpacked in memory, and must have the size that is stated."""
    build = Builder(context, "bzimage")
    plain = build.program("-gdwarf-5").read_bytes()
    build.cc("-gbtf", "-c", "-o", "btf.o")
    build.sh("strip", "-g", "--keep-section=.BTF", "btf.o")
    stripped = (build / "btf.o").read_bytes()
    for (name, suffix), pack in here(context).items():
        if suffix == "lz4":
            continue  # kernels have the legacy frame
        packed = kernel_payload(name, pack(plain))
        build.verify(bz_image(build, f"{name}", packed, len(plain)))
        for size in (len(plain) - 1, len(plain) + 1, 0, 1 << 31, 0xffffffff):
            result = build.refused(bz_image(build, "size", packed, size), f"(bzImage, {name}), and damaged")
            check(result.err.count("\n") == 1, str(result))
        build.refused(bz_image(build, "cut", packed[:len(packed) // 2], len(plain)), f"(bzImage, {name}), and damaged")
        text = kernel_payload(name, pack(b"text\n" * 100))
        build.refused(bz_image(build, "text", text, 500), "not an ELF file")
        # as of a distribution's kernel: stripped, with BTF
        report = build.verify(bz_image(build, "btf", kernel_payload(name, pack(stripped)), len(stripped)))
        check(report["binaries"][0]["format"] == "btf", str(report["binaries"]))
    packed = kernel_payload("gzip", gzip.compress(plain))
    build.refused(bz_image(build, "old", packed, len(plain), 0x207), "bzImage", *WAYS)
    for name, payload in (("lzop", b"\x89LZO1234567"), ("an unknown compressor", b"12345678901")):
        build.refused(bz_image(build, "other", payload, len(plain)), f"(bzImage, {name}), which is not unpacked here", *WAYS)


def bare_image(btf, machine=b"ARM\x64", before=4096):
    """As objcopy -O binary makes it: memory, with the BTF somewhere, and words like its beginning elsewhere."""
    head = bytearray(64)
    head[0x38:0x3c] = machine
    decoy = struct.pack("<HBBIIII", 0xeb9f, 1, 0, 24, 0, 1 << 30, 1 << 30)
    return bytes(head) + decoy + bytes(before) + btf + b"\x9f\xeb\x01\0" + bytes(200)


def zboot(build, name, payload, size):
    head = bytearray(64)
    head[:8] = b"MZ\0\0zimg"
    struct.pack_into("<II", head, 8, 256, len(payload) + 4)
    head[24:28] = b"gzip"
    path = build / name
    path.write_bytes(bytes(head) + bytes(192) + payload + struct.pack("<I", size) + bytes(100))
    return path


def bare(context):
    """Image, Image.gz and zboot of arm64 and riscv64: their BTF."""
    context.need("clang")
    build = Builder(context, "image")
    for target, magic, machine in (("aarch64-linux-gnu", b"ARM\x64", "arm64"), ("riscv64-linux-gnu", b"RSC\x05", "riscv64")):
        build.cc("-g", f"--target={target}", "-c", "-o", "main.o", compiler="clang")
        build.sh("pahole", "-J", "--btf_gen_floats", "main.o")
        image = bare_image(Elf(build / "main.o").data(".BTF"), magic)
        (build / "Image").write_bytes(image)
        (build / "Image.gz").write_bytes(gzip.compress(image))
        paths = [build / "Image", build / "Image.gz"]
        for (name, suffix), pack in here(context).items():
            if suffix != "lz4":
                paths.append(zboot(build, f"vmlinuz.{suffix}", kernel_payload(name, pack(image)), len(image)))
        for path in paths:
            report = build.verify(path)
            check(report["binaries"][0]["machine"] == machine, str(report["binaries"]))
    packed = kernel_payload("gzip", gzip.compress(image))
    build.refused(zboot(build, "size", packed, len(image) + 1), "(EFI zboot, gzip), and damaged")
    (build / "none").write_bytes(bare_image(b""))
    build.refused(build / "none", "(Image) without BTF")
    btf = Elf(build / "main.o").data(".BTF")
    btf += bytes(-len(btf) % 4)
    (build / "two").write_bytes(bare_image(btf + btf))
    build.refused(build / "two", "(Image) without BTF")


def sections(context):
    """In every way that objcopy knows: gABI's zlib and zstd, .zdebug_*; of 64 and 32 bits, linked and not."""
    build = Builder(context, "compressed")
    for flags in ((), ("-m32",), ("-gdwarf-5", "-fdebug-types-section")):
        program = build.program("-gdwarf-5", *flags)
        for kind in ("zlib-gnu", "zlib-gabi", "zstd"):
            for source in (program, build / "main.o"):
                packed = build / f"{kind}{source.suffix}"
                build.sh("objcopy", f"--compress-debug-sections={kind}", source, packed)
                section = b".zdebug_info" if kind == "zlib-gnu" else b".debug_info"
                check(section in packed.read_bytes(), f"{packed} has no {section}")
                if kind == "zstd":
                    check(struct.unpack_from("<I", Elf(packed).data(".debug_info"))[0] == 2, "objcopy has no zstd")
                if kind != "zstd" or "zstd" in unpacked_here(context):
                    build.verify(packed)
                else:
                    build.refused(packed, "zstd", "--decompress-debug-sections")


def damaged_sections(context):
    """Sizes that are not those of the contents, contents that are cut or changed, and many that are the same bytes."""
    build = Builder(context, "compressed-damaged")
    program = build.program("-gdwarf-5")
    for kind in ("zlib-gabi", *(["zstd"] if "zstd" in unpacked_here(context) else [])):
        build.sh("objcopy", f"--compress-debug-sections={kind}", program, "packed")
        elf = Elf(build / "packed")
        for section in (".debug_info", ".debug_str"):
            start, length = elf.sections[section]
            check(struct.unpack_from("<I", elf.bytes, start)[0] == (2 if kind == "zstd" else 1), section)
            size = struct.unpack_from("<Q", elf.bytes, start + 8)[0]
            for stated in (0, size - 1, size + 1, 1 << 40, (1 << 64) - 1):
                data = bytearray(elf.bytes)
                struct.pack_into("<Q", data, start + 8, stated)
                (build / "size").write_bytes(data)
                result = build.refused(build / "size")
                check(result.err.count("\n") == 1 and section in result.err and "crashed" not in result.err, str(result))
            data = bytearray(elf.bytes)
            data[start + 24:start + length] = bytes(length - 24)
            (build / "zeros").write_bytes(data)
            build.refused(build / "zeros", section)
    # 2,000 type units that are all one section of 10 MiB: 20 GB if nobody counts
    (build / "bomb.s").write_text("".join(
        f".section .debug_types,\"G\",@progbits,g{i},comdat\n.byte 0\n" for i in range(2000)) +
        ".section .debug_info,\"\",@progbits\n.zero 10485760\n")
    build.sh("gcc", "-c", "-gz=none", "bomb.s", "-o", "bomb.o")
    build.sh("objcopy", "--compress-debug-sections=zlib-gabi", "bomb.o")
    elf = Elf(build / "bomb.o")
    data = bytearray(elf.bytes)
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    text, = struct.unpack_from("<Q", data, table + names * 64 + 24)
    start, length = elf.sections[".debug_info"]
    for i in range(count):
        name = text + struct.unpack_from("<I", data, table + i * 64)[0]
        if data[name:data.index(b"\0", name)] == b".debug_types":
            flags, = struct.unpack_from("<Q", data, table + i * 64 + 8)
            struct.pack_into("<Q", data, table + i * 64 + 8, flags | 0x800)
            struct.pack_into("<QQ", data, table + i * 64 + 24, start, length)
    (build / "many.o").write_bytes(data)
    result = build.refused(build / "many.o", "compressed sections", timeout=10)
    check(result.err.count("\n") == 1, str(result))


def without(context):
    """A build on a machine that has no library but zlib: the compressor is named, and what to do."""
    build = Builder(context, "without")
    program = str((context.build / "tests/linelint-without").resolve())
    plain = build.program("-gdwarf-5").read_bytes()
    check(context.run([program, "--version"]).out.endswith("\nunpacks: gzip\n"), "--version")
    (build / "p.gz").write_bytes(gzip.compress(plain))
    context.good([program, build / "p.gz", "struct", "subject"])
    for (name, suffix), pack in packers(context).items():
        if name == "gzip":
            continue
        (build / f"m.ko.{suffix}").write_bytes(pack(plain))
        result = context.run([program, build / f"m.ko.{suffix}", "struct", "subject"])
        check(result.status == 2 and f"is compressed with {name}; unpack it with un" in
              result.err.replace("bunzip2", "unbzip2"), str(result))
        result = context.run([program, bz_image(build, "image", pack(plain), len(plain)), "struct", "subject"])
        check(result.status == 2 and f"(bzImage, {name}), which is not unpacked here" in result.err and
              all(way in result.err for way in WAYS), str(result))
    # a directory says that something was not read
    (build / "d/m.ko.xz").write_bytes(x86_xz(plain))
    (build / "d/good").write_bytes(plain)
    result = context.run([program, build / "d", "list"])
    check(result.status == 2 and "m.ko.xz" in result.err and "subject" in result.out, str(result))
    build.sh("objcopy", "--compress-debug-sections=zstd", "program", "zstd")
    result = context.run([program, build / "zstd", "struct", "subject"])
    check(result.status == 2 and "compressed with zstd" in result.err and "--decompress-debug-sections" in result.err,
          str(result))


def tests(context):
    return [
        Test("packed/whole", lambda: whole(context)),
        Test("packed/debug-file", lambda: with_debug_file(context)),
        Test("packed/damaged", lambda: damaged(context)),
        Test("packed/directory", lambda: directory(context)),
        Test("packed/bzimage", lambda: kernel_image(context)),
        Test("packed/image", lambda: bare(context)),
        Test("packed/sections", lambda: sections(context)),
        Test("packed/damaged-sections", lambda: damaged_sections(context)),
        Test("packed/without", lambda: without(context)),
    ]
