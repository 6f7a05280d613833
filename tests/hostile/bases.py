"""The good files that damaged ones are made from: small programs of two units, in every packaging."""

import dataclasses
import pathlib
import shutil
import sys
from typing import Optional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "btf"))
import encode  # noqa: E402
from dwarf import Raw, Unit, member  # noqa: E402

ONE = """\
struct inner { short x, y; };
struct one { int a; unsigned b : 3, c : 7; struct inner d[4]; void (*e)(struct one *); char f[]; };
typedef struct { struct one *first; union { int u; float v; }; } list_t;
union either { long whole; char parts[8]; };
enum color { RED, GREEN = 70000 };
struct one *one;
list_t list = {0, {1}};
union either either;
enum color color = GREEN;
int other(void);
int main(void) { return list.u + other(); }
"""
TWO = """\
struct leaf { char tag; double weight; };
struct tree { struct tree *left, *right; const struct leaf leaf; volatile int count; long long wide : 33; };
struct big { struct tree trees[3]; struct { int m[2][3]; } grid; int *__restrict p; _Bool flag : 1; };
struct tree tree;
struct big big;
int other(void) { return tree.count + big.flag; }
"""
CXX = """\
namespace n { struct base { int a; virtual ~base(); }; base::~base() {}
template <typename T, int N> struct box : virtual base { T items[N]; static int none; struct nested { T t; } inside; };
class secret : box<int, 3> { char c; int base::*p; public: int f(); }; int secret::f() { return c; } }
n::box<char, 2> box; n::secret secret; int other() { return secret.f(); }
"""
DWARF = (".debug_info", ".debug_abbrev", ".debug_str", ".debug_str_offsets", ".debug_line", ".debug_line_str",
         ".debug_types", ".debug_addr", ".debug_loclists", ".debug_rnglists", ".debug_aranges", ".debug_cu_index",
         ".debug_tu_index", ".debug_sup", ".gnu_debugaltlink")
NAMES = {*DWARF, *(name + ".dwo" for name in DWARF), *(name.replace("debug", "zdebug") for name in DWARF), ".BTF",
         ".symtab", ".strtab", ".shstrtab", ".gnu_debuglink", ".note.gnu.build-id", ".rela.debug_info",
         ".rel.debug_info"}


@dataclasses.dataclass
class Base:
    name: str
    victim: pathlib.Path  # the file that is damaged
    asked: Optional[str] = None  # BINARY, where that is another file beside it
    options: tuple = ()


class Builder:
    def __init__(self, context, directory):
        self.context = context
        self.directory = directory

    def sh(self, *argv):
        self.context.need(str(argv[0]))
        self.context.good(argv, cwd=self.directory)

    def start(self, name):
        """A directory with the sources."""
        place = self.directory = (self.context.scratch / "hostile" / "bases" / name).resolve()
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for file, text in (("one.c", ONE), ("two.c", TWO), ("cxx.cc", CXX)):
            (place / file).write_text(text)
        return place

    def objects(self, compiler, *flags):
        for name in ("one", "two"):
            self.sh(compiler, "-g", *flags, "-c", f"{name}.c", "-o", f"{name}.o")

    def program(self, compiler, *flags, name="program"):
        self.objects(compiler, *flags)
        self.sh(compiler, "-Wl,--build-id=sha1", *flags, "one.o", "two.o", "-o", name)

    def all_of_target(self, target):
        """One object with both units' text: nothing is linked for a foreign machine."""
        text = (self.directory / "one.c").read_text() + (self.directory / "two.c").read_text()
        (self.directory / "all.c").write_text(text)
        self.sh("clang", "-g", f"--target={target}", "-fintegrated-as", "-c", "all.c", "-o", "all.o")


def big_endian_btf():
    """Of two.c, as for a machine with pointers of 8 bytes."""
    btf = encode.Btf()
    number, tag, weight, wide = btf.int("int", 4), btf.int("char", 1), btf.add(encode.FLOAT, "double", 8), btf.int("long long", 8)
    leaf = btf.struct("leaf", 16, [("tag", tag, 0), ("weight", weight, 64)])
    tree = btf.first_id + len(btf.records)
    btf.struct("tree", 48, [("left", tree + 1, 0, 0), ("right", tree + 1, 64, 0), ("leaf", tree + 2, 128, 0),
                            ("count", tree + 3, 256, 0), ("wide", wide, 320, 33)], flag=1)
    btf.add(encode.PTR, "", tree)
    btf.add(encode.CONST, "", leaf)
    btf.add(encode.VOLATILE, "", number)
    grid = btf.struct("", 24, [("m", btf.array(btf.array(number, 3, number), 2, number), 0)])
    btf.struct("big", 168, [("trees", btf.array(tree, 3, number), 0), ("grid", grid, 1152)])
    return btf.bytes(big_endian=True)


def indirect(builder):
    """Two units whose names are of DW_FORM_indirect, which no compiler writes: for these libdwarf is asked."""
    def named(text):
        return Raw(0x16, f'.byte 8\n\t.asciz "{text}"')

    parts = []
    for unit_name in ("one.c", "two.c"):
        unit = Unit(name=named(unit_name))
        unit.header = "\t.long .Lend - 1f\n1:\t.short 4\n\t.long .debug_abbrev\n\t.byte 8\n"
        number = unit.base()

        def struct(name, size, *members, unit=unit):
            return unit.die("structure_type", name=named(name), byte_size=size, children=members)

        if unit_name == "one.c":
            inner = struct("inner", 8, member("x", number, 0), member("y", number, 4))
            struct("one", 12, member("a", number, 0), member("d", inner, 4))
        else:
            leaf = struct("leaf", 8, member("tag", number, 0), member("weight", number, 4))
            tree = struct("tree", 16, member("leaf", leaf, 0), member("count", number, 8), member("left", number, 12))
            struct("big", 32, member("first", tree, 0), member("second", tree, 16))
        (builder.directory / f"{unit_name}.s").write_text(unit.assembler())
        builder.sh("gcc", "-c", f"{unit_name}.s", "-o", f"{unit_name}.o")
        parts.append(f"{unit_name}.o")
    builder.sh("ld", "-r", *parts, "-o", "indirect.o")
    return builder.directory / "indirect.o"


PROGRAMS = {"gcc-2": ("gcc", "-gdwarf-2", "-gstrict-dwarf"), "gcc-4": ("gcc", "-gdwarf-4"),
            "gcc-5": ("gcc", "-gdwarf-5"), "clang-2": ("clang", "-gdwarf-2"), "clang-5": ("clang", "-gdwarf-5"),
            "types-4": ("gcc", "-gdwarf-4", "-fdebug-types-section"),
            "types-5": ("gcc", "-gdwarf-5", "-fdebug-types-section"),
            "64-bit-5": ("gcc", "-gdwarf-5", "-gdwarf64"), "gz": ("gcc", "-gdwarf-5", "-gz"),
            "zdebug": ("gcc", "-gdwarf-4", "-gz=zlib-gnu")}
TARGETS = {"mips": "mips-linux-gnu", "s390x": "s390x-linux-gnu", "i386": "i386-linux-gnu", "riscv": "riscv64-linux-gnu"}
NAMES_OF_ALL = [*PROGRAMS, *TARGETS, "object", "cxx", "indirect", "dwo-4", "dwo-5", "dwp-4", "dwp-5", "dwz-main", "dwz-shared", "dwz-sup", "btf-elf",
                "btf-raw", "btf-big", "debuglink", "debug-file"]


def build(context, name):
    """The Base of that name, built afresh in a directory of its own."""
    builder = Builder(context, None)
    place = builder.start(name)
    if name in PROGRAMS:
        builder.program(*PROGRAMS[name])
        return Base(name, place / "program")
    if name in TARGETS:
        builder.all_of_target(TARGETS[name])
        return Base(name, place / "all.o")
    if name == "object":
        builder.objects("gcc", "-gdwarf-5")
        builder.sh("ld", "-r", "one.o", "two.o", "-o", "whole.o")
        return Base(name, place / "whole.o")
    if name == "cxx":
        builder.sh("g++", "-g", "-c", "cxx.cc", "-o", "cxx.o")
        return Base(name, place / "cxx.o")
    if name.startswith("dwo"):
        builder.program("gcc", "-gsplit-dwarf", f"-gdwarf-{name[-1]}")
        return Base(name, place / "two.dwo", asked="program")
    if name.startswith("dwp"):
        dwp = "dwp" if name == "dwp-4" else "llvm-dwp"
        builder.program("gcc" if name == "dwp-4" else "clang", "-gsplit-dwarf", f"-gdwarf-{name[-1]}")
        builder.sh(dwp, "one.dwo", "two.dwo", "-o", "program.dwp")
        for part in ("one.dwo", "two.dwo"):
            (place / part).unlink()
        return Base(name, place / "program.dwp", asked="program")
    if name == "dwz-sup":
        builder.program("gcc", "-gdwarf-5")
        builder.program("gcc", "-gdwarf-5", name="second")
        builder.sh("dwz", "-5", "-m", "shared.debug", "-M", "shared.debug", "program", "second")
        return Base(name, place / "program")
    if name.startswith("dwz"):
        builder.program("gcc", "-gdwarf-4")
        builder.program("gcc", "-gdwarf-4", name="second")
        builder.sh("dwz", "-m", "shared.debug", "-M", "shared.debug", "program", "second")
        return Base(name, place / ("program" if name == "dwz-main" else "shared.debug"), asked="program")
    if name == "btf-big":
        builder.all_of_target("s390x-linux-gnu")
        (place / "big.btf").write_bytes(big_endian_btf())
        builder.sh("llvm-objcopy", "--strip-debug", "--add-section=.BTF=big.btf", "all.o")
        return Base(name, place / "all.o")
    if name.startswith("btf"):
        builder.objects("gcc", "-gbtf")
        if name == "btf-elf":
            return Base(name, place / "two.o", options=("--from", "btf"))
        builder.sh("objcopy", "-O", "binary", "-j", ".BTF", "--set-section-flags", ".BTF=alloc", "two.o", "two.btf")
        return Base(name, place / "two.btf")
    if name == "indirect":
        return Base(name, indirect(builder))
    builder.program("gcc", "-gdwarf-5")
    builder.sh("objcopy", "--only-keep-debug", "program", "program.debug")
    builder.sh("strip", "--strip-all", "program")
    builder.sh("objcopy", "--add-gnu-debuglink=program.debug", "program")
    return Base(name, place / ("program" if name == "debuglink" else "program.debug"), asked="program")
