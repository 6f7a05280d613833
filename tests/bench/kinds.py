#!/usr/bin/python3
"""No kind of debug information falls back to something slow: the same generated program (generated.py), packed in each way.

Prints a Markdown table: nanoseconds a byte of .debug_info and .debug_types (before compression), of `list` and of `struct`, with
one thread, and pahole's list beside them. Where compilers write every type once (type units, LTO, split) the bytes are few and
the layouts are as many as before: what counts there is the time.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile

import bench
import generated

COPIES = 20     # of the objects, where they can be linked again
RUST = """use std::collections::{BTreeMap, HashMap};
pub fn main() {
    let mut map: HashMap<String, Vec<Option<u32>>> = HashMap::new();
    map.insert("a".into(), vec![None]);
    let tree: BTreeMap<i32, String> = BTreeMap::new();
    println!("{:?} {:?}", map, tree);
}
"""


def info_bytes(path):
    out = generated.run("readelf", "-SW", path)
    return sum(int(size, 16) for size in re.findall(r"\.debug_(?:info|types)(?:\.dwo)?\s+PROGBITS\s+\S+\s+\S+\s+(\S+)", out))


def build(directory):
    """(what, file, bytes, a struct that is in it)"""
    sources = generated.write_sources(directory)
    cxx = ["g++", "-x", "c++", "-fpermissive"]

    def linked(name, compiler, flags, copies=COPIES):
        return generated.link(generated.compile_all(sources, compiler, flags, name), copies, directory / f"{name}.so")

    gcc = linked("gcc", ["gcc"], ["-O2"])
    yield "C, gcc", gcc, info_bytes(gcc)
    once = generated.link([source.with_suffix(".gcc.o") for source in sources], 1, directory / "once.so")
    yield "the same, each unit once", once, info_bytes(once)
    clang = linked("clang", ["clang"], ["-O2", "-gdwarf-5"])
    yield "C, clang (strings by index, no siblings)", clang, info_bytes(clang)
    four = linked("four", ["gcc"], ["-O2", "-gdwarf-4"])
    yield "C, DWARF 4", four, info_bytes(four)
    plus = linked("plus", cxx, ["-O2"])
    yield "C++, g++", plus, info_bytes(plus)
    units = linked("units", cxx, ["-O2", "-fdebug-types-section"])
    yield "C++, type units", units, info_bytes(units)
    packed = directory / "zlib.so"
    generated.run("objcopy", "--compress-debug-sections=zlib", gcc, packed)
    yield "C, compressed with zlib", packed, info_bytes(gcc)
    dwz = directory / "dwz.so"
    shutil.copy(gcc, dwz)
    generated.run("dwz", dwz)
    yield "C, dwz (partial units)", dwz, info_bytes(dwz)
    lto = directory / "lto.so"
    generated.run("gcc", "-g", "-w", "-O2", "-flto=2", "-fPIC", "-shared", "-fno-eliminate-unused-debug-types", *sources[:4], "-o", lto)
    yield "C, LTO, 4 units", lto, info_bytes(lto)
    split = linked("split", ["gcc"], ["-O2", "-gsplit-dwarf"], 1)
    yield "C, split: 12 .dwo files", split, sum(info_bytes(source.with_suffix(".split.dwo")) for source in sources)
    if shutil.which("rustc"):
        rust = directory / "rust.rs"
        rust.write_text(RUST)
        generated.run("rustc", "-g", "-C", "codegen-units=4", rust, "-o", directory / "rust", cwd=directory)
        yield "Rust, with its library", directory / "rust", info_bytes(directory / "rust")


class Kind:
    def __init__(self, program, what, path, size):
        self.what, self.size = what, size
        self.pahole = bench.Command("", ["pahole", "-F", "dwarf", "--sizes", str(path)], 0)
        seen = subprocess.run(self.pahole.argv, capture_output=True, text=True, check=False)
        self.reads = bool(seen.stdout.strip())
        self.pahole.status = seen.returncode
        rows = subprocess.run([program, path, "list"], capture_output=True, text=True, check=True).stdout
        self.layouts = int(re.search(r"^(\d+) rows", rows, re.M).group(1))
        name = re.search(r"^(?:struct|union|class) (?:\w+::)*(\w{5,}) ", rows, re.M).group(1)
        self.list = bench.Command("", [program, "--jobs", "1", str(path), "list"], 0)
        self.struct = bench.Command("", [program, "--jobs", "1", "--fail-on", "never", str(path), "struct", name], 0)
        self.commands = [self.pahole, self.list, self.struct]

    def row(self):
        def cell(command):
            return f"{bench.text(command.median())} | {command.median() * 1e9 / self.size:.2f}"
        theirs = cell(self.pahole) if self.reads else "reads nothing | "
        faster = f"{self.pahole.median() / self.list.median():.1f}" if self.reads else ""
        return f"| {self.what} | {self.size / 1e6:.1f} MB | {self.layouts} | {theirs} | {cell(self.list)} | {faster} | {cell(self.struct)} |"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--linelint", required=True)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="linelint-bench-") as name:
        kinds = [Kind(options.linelint, *made) for made in build(pathlib.Path(name))]
        for _ in range(options.rounds):
            for kind in kinds:
                for command in kind.commands:
                    command.seconds.append(bench.timed(command))
    print(f"Kinds of debug information: `make bench`, one thread, medians of {options.rounds} rounds in turn, {bench.load()}.\n")
    print("| what | of .debug_info | layouts | pahole | ns a byte | `list` | ns a byte | times faster | `struct` | ns a byte |")
    print("|---|" + "--:|" * 9)
    for kind in kinds:
        print(kind.row())


if __name__ == "__main__":
    main()
