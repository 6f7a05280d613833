"""Compiles and packs the builds of the matrix.

A Unit is a source with what it takes to compile it; a Built is what came out: what linelint and pahole are given, and what the
independent reader reads (the files before they were packed, where it cannot read them packed).
"""

import collections
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "oracle"), str(HERE.parent / "languages")]
import generate  # noqa: E402
import hierarchies  # noqa: E402

SOURCES = HERE / "sources"
SEED = 5000
RANDOM_STRUCTS = 150
TARGETS = {  # as the matrix calls them, and clang
    "x86_64": "x86_64-linux-gnu", "i386": "i386-linux-gnu", "x32": "x86_64-linux-gnux32", "arm": "arm-linux-gnueabihf",
    "armeb": "armeb-linux-gnueabihf", "aarch64": "aarch64-linux-gnu", "aarch64_be": "aarch64_be-linux-gnu",
    "riscv32": "riscv32-linux-gnu", "riscv64": "riscv64-linux-gnu", "ppc": "powerpc-linux-gnu", "ppc64": "powerpc64-linux-gnu",
    "ppc64le": "powerpc64le-linux-gnu", "s390x": "s390x-linux-gnu", "mips": "mips-linux-gnu", "mipsel": "mipsel-linux-gnu",
    "mips64": "mips64-linux-gnuabi64", "sparc": "sparc-linux-gnu", "sparc64": "sparc64-linux-gnu",
}
SHORT_POINTERS = {"i386", "x32", "arm", "armeb", "riscv32", "ppc", "mips", "mipsel", "sparc"}
NATIVE = {"x86_64": [], "i386": ["-m32"], "x32": ["-mx32"]}

OTHERS = {"shapes": "shapes.rs", "records": "records.f90", "variants": "variants.adb"}  # of tests/languages

Unit = collections.namedtuple("Unit", "name path flags")
Built = collections.namedtuple("Built", "binary read alternate options peer form")


class Failed(Exception):
    """A tool has failed; its text says which and how."""


def sh(*argv, cwd=None, timeout=120):
    argv = [str(arg) for arg in argv]
    done = subprocess.run(argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    if done.returncode:
        raise Failed(f"$ {' '.join(argv)}\n{done.stderr.decode(errors='replace')[:2000]}")
    return done.stdout.decode(errors="replace")


def machine_flags(build):
    if build["compiler"].startswith("clang"):
        if build["block"].endswith("-linked"):
            return NATIVE[build["target"]]
        return [f"--target={TARGETS[build['target']]}", "-fintegrated-as"]
    return NATIVE[build["target"]]


def language_flags(build):
    """What has to do with the language and the machine: the same for the object that says the truth."""
    if build["language"] not in ("c", "c++"):
        return []
    if build["language"] == "c":
        flags = ["-std=gnu11", "-w", "-Wno-packed-bitfield-compat"]
    else:
        flags = ["-std=c++20", "-w", "-fno-access-control"]
    return [*flags, *machine_flags(build)]


def units(build, directory):
    """The sources of a build, written where they are generated."""
    source, is_cxx = build["source"], build["language"] == "c++"
    if source in OTHERS:
        return [Unit(source, HERE.parent / "languages" / OTHERS[source], [])]
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    suffix = ".cc" if is_cxx else ".c"
    if source == "random":
        path = directory / f"random{suffix}"
        seed = SEED + sum(map(ord, build["block"] + build["target"] + build["optimize"]))
        text = random_text(build, seed)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        # half of them without what pahole 1.24 cannot print
        return [Unit("random", path, ["-D_Atomic="] if build["optimize"] == "O0" and not is_cxx else [])]
    path = SOURCES / (source + suffix)
    if source == "constructs":
        return [Unit("first", path, []), Unit("second", path, ["-DSECOND"])]
    return [Unit(source, path, ["-fno-eliminate-unused-debug-types"] if source == "headers" else [])]


def random_text(build, seed):
    if build["language"] == "c++":
        return hierarchies.generate(seed, RANDOM_STRUCTS, 0.02, 0.03)[0]
    return generate.generate(seed, RANDOM_STRUCTS, wide=build["target"] not in SHORT_POINTERS)


def debug_flags(build):
    flags = [f"-gdwarf-{build['dwarf']}"]
    if build["compiler"] in ("gcc", "g++", "gfortran") and build["dwarf"] in ("2", "3"):
        flags.append("-gstrict-dwarf")
    if build["compiler"] == "clang++":
        flags.append("-fstandalone-debug")
    return flags + {"plain": [], "64-bit": ["-gdwarf64"], "type-units": ["-fdebug-types-section"], "split": ["-gsplit-dwarf"],
                    "dwp": ["-gsplit-dwarf"], "lto": ["-flto"],
                    "btf": ["-gbtf"] if build["compiler"] == "gcc" else []}[build["form"]]


class Builder:
    def __init__(self, build, directory, sources):
        self.build, self.directory, self.sources = build, pathlib.Path(directory), sources
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        self.cross = build["compiler"].startswith("clang") and not build["block"].endswith("-linked")
        self.flags = language_flags(build)

    def run(self, *argv, **options):
        return sh(*argv, cwd=self.directory, **options)

    def tool(self, name):
        return f"llvm-{name}" if self.cross else name

    def compile(self, unit, *more):
        name = f"{unit.name}.o"
        if self.build["compiler"] == "rustc":
            self.run("rustc", "--edition", "2021", "-g", "-A", "warnings", "--emit", "obj", "-C", f"dwarf-version={self.build['dwarf']}",
                     "-C", f"opt-level={self.build['optimize'][1:]}", unit.path, "-o", name)
            return name
        self.run(self.build["compiler"], *self.flags, f"-{self.build['optimize']}", *debug_flags(self.build), *unit.flags, *more,
                 "-c", unit.path, "-o", name)
        return name

    def twin(self, unit):
        """An object with the same definitions that any reader can read."""
        name = f"{unit.name}-twin.o"
        self.run(self.build["compiler"], *self.flags, f"-{self.build['optimize']}", f"-gdwarf-{self.build['dwarf']}", *unit.flags,
                 "-c", unit.path, "-o", name)
        return name

    def link(self, objects, output, *more):
        lto = []
        if self.build["form"] == "lto":
            lto = ["-flto", "-fuse-ld=lld"] if self.build["compiler"].startswith("clang") else ["-flto"]
        self.run(self.build["compiler"], *self.flags, f"-{self.build['optimize']}", *lto, "-Wl,--build-id=sha1", *more, *objects,
                 "-o", output)
        return output

    def main(self, *more):
        suffix = ".cc" if self.build["language"] == "c++" else ".c"
        (self.directory / f"main{suffix}").write_text("int main(void) { return 0; }\n")
        self.run(self.build["compiler"], *self.flags, *more, "-c", f"main{suffix}", "-o", "main.o")
        return "main.o"

    def partial(self, objects, output):
        machine = {"i386": ["-m", "elf_i386"], "x32": ["-m", "elf32_x86_64"]}.get(self.build["target"], []) if not self.cross else []
        self.run("ld.lld" if self.cross else "ld", *machine, "-r", *objects, "-o", output)
        return output

    def made(self):
        packaging, form = self.build["packaging"], self.build["form"]
        pic = ["-fPIC"] if packaging == "shared" else []
        sources = self.sources if packaging in ("executable", "shared", "module", "dwz", "dwz-m", "archive") else self.sources[:1]
        objects = [self.compile(unit, *pic) for unit in sources]
        read, alternate, options = None, None, []
        if packaging == "object":
            binary = objects[0]
        elif packaging == "executable":
            binary = self.link([*objects, self.main()], "program")
        elif packaging == "shared":
            binary = self.link(objects, "library.so", "-shared", "-fPIC")
        elif packaging == "module":
            binary = self.partial(objects, "module.ko")
        elif packaging == "archive":
            binary, read = "library.a", objects
            self.run(self.tool("ar"), "rcs", binary, *objects)
        elif packaging == "debuglink":
            self.run(self.tool("objcopy"), "--only-keep-debug", objects[0], "first.debug")
            self.run(self.tool("objcopy"), "--strip-debug", "--add-gnu-debuglink=first.debug", objects[0], "stripped.o")
            binary, read = "stripped.o", ["first.debug"]
        elif packaging in ("zlib", "zdebug"):
            kind = "zlib-gnu" if packaging == "zdebug" else "zlib" if self.cross else "zlib-gabi"
            self.run(self.tool("objcopy"), f"--compress-debug-sections={kind}", objects[0], "packed.o")
            binary = "packed.o"
        elif packaging == "dwz":
            binary = self.link([*objects, self.main()], "program")
            self.run("dwz", binary)
        else:
            binary = self.link([*objects, self.main()], "program")
            self.link([objects[0], self.main()], "other")
            self.run("dwz", "-m", "shared.debug", "-M", "shared.debug", "program", "other")
            alternate = "shared.debug" if b".gnu_debugaltlink" in (self.directory / binary).read_bytes() else None
        if self.build["target"] == "x32" and (form == "type-units" or packaging in ("zlib", "zdebug")):
            # neither of the readers relocates these: the same source, plain
            read = [self.twin(unit) for unit in sources]
        elif self.cross and packaging in ("zlib", "zdebug") and form != "split":
            read = objects  # as they were before: of other machines llvm-dwarfdump does not relocate .zdebug
        if form == "btf":
            if self.build["compiler"] != "gcc":
                self.run("pahole", "-J", binary)
            options = ["--from", "btf"]
        if form in ("split", "dwp"):
            read = [f"{unit.name}.dwo" for unit in sources]
        if form == "dwp":
            (self.directory / "away").mkdir()
            dwp = "dwp" if self.build["compiler"] in ("gcc", "g++") else "llvm-dwp"
            self.run(dwp, *read, "-o", f"{binary}.dwp", timeout=30)
            for name in read:
                (self.directory / name).replace(self.directory / "away" / name)
            read = [f"away/{name}" for name in read]
        at = self.directory
        return Built(at / binary, [at / name for name in read or [binary]], alternate and at / alternate, options, at / binary,
                     "btf" if form == "btf" else "dwarf"), sources
