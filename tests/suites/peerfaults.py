"""peerfaults/: what other tools are known to be wrong about, one test a kind of input, with the compiler's values.

Each case is a source of its own; SIZE and offsets come from the program that the same compiler makes of it. Several files,
packagings (split DWARF, dwz, compression, archives) and BTF have suites of their own: packaging and btf.
"""

import re
import shutil

from .common import Test, check

# name: (suffix, compilers, flags, source, {struct: members}); a program prints sizeof and offsetof of each
LAYOUTS = {
    "atomic": (".c", ["gcc", "clang"], [], "struct s { _Atomic int a; _Atomic long b; _Atomic(struct {int x, y;}) c; };",
               {"struct s": "a b c"}),
    "unnamed": (".c", ["gcc", "clang"], [],
                "struct s { int a; union { int u; float f; }; struct { long x; union { char y; short z; }; }; int b; };",
                {"struct s": "a u f x y z b"}),
    "large-hole": (".c", ["gcc", "clang"], [],
                   "struct s { char a; int b __attribute__((aligned(131072))); char c; };", {"struct s": "a b c"}),
    "large-array": (".c", ["gcc", "clang"], [], "struct s { char a; char b[70000]; long c; char d[0x12345678]; int e; };",
                    {"struct s": "a b c d e"}),
    "tail": (".cc", ["g++", "clang++"], [], "struct b { b() {} int x; char y; }; struct s : b { char z; short w; };"
             "struct p { int x; char y; }; struct t : p { char z; };", {"s": "x y z w", "t": "x y z"}),
    "virtual": (".cc", ["g++", "clang++"], [], "struct v { long x; char y; }; struct s : virtual v { int a; };"
                "struct l : virtual v { int l1; }; struct r : virtual v { int r1; }; struct d : l, r { int d1; };"
                "struct e : d { virtual void f() {} char e1; };",
                {"s": "a x y", "d": "l1 r1 d1 x y", "e": "l1 r1 d1 e1 x y"}),
    "multiple": (".cc", ["g++", "clang++"], [], "struct a { virtual void f() {} char a1; }; struct b { virtual void g() {} int b1; };"
                 "struct n {}; struct m {}; struct s : a, n, b, m { char s1; };", {"s": "a1 b1 s1"}),
    "no-unique-address": (".cc", ["g++", "clang++"], [], "struct n {}; struct m {}; struct b { b() {} int x; char y; };"
                          "struct s { [[no_unique_address]] n e; int i; [[no_unique_address]] b f; char c; "
                          "[[no_unique_address]] m g; };", {"s": "e i f c g"}),
    "pointers": (".cc", ["g++", "clang++"], [], "struct c { int x; void f(); }; struct s { char a; int c::*b; void (c::*d)(); "
                 "decltype(nullptr) e; char f; };", {"s": "a b d e f"}),
    "bits": (".cc", ["g++", "clang++"], [], "enum class k : unsigned char { one }; struct b { b() {} unsigned x : 3; };"
             "struct s : b { unsigned char y; long z; };", {"s": "y z"}),
    "names": (".cc", ["g++", "clang++"], [], "template <class T, int N> struct tpl { T t[N]; char c; };"
              "namespace na { struct same { int a; }; } namespace nb { struct same { long a, b; }; }",
              {"tpl<int, 3>": "t c", "na::same": "a", "nb::same": "a b"}),
    "atomics": (".cc", ["g++", "clang++"], [], "#include <atomic>\n#include <mutex>\nstruct s { std::atomic<char> a; "
                "std::atomic<long> b; std::mutex c; std::atomic<bool> d; alignas(64) std::atomic<int> e; };",
                {"s": "a b c d e"}),
}
VERSIONS = ["5", "4", "3", "2"]


def program(source, structs, is_cxx):
    lines = [f'#include "{source}"', "#include <stdio.h>", "int main(void) {"]
    for name, members in structs.items():
        lines.append(f'printf("= %lu {name}\\n", (unsigned long)sizeof({name}));')
        lines.append(f"static {name} o;")
        for member in members.split():
            lines.append(f'printf("{member} %lu %lu\\n", (unsigned long)((char *)&o.{member} - (char *)&o), '
                         f"(unsigned long)sizeof(o.{member}));")
        lines[-1] += " }"
        lines[-len(members.split()) - 2] = "{ " + lines[-len(members.split()) - 2]
    return "\n".join([*lines, "return 0; }"])


def own_members(report):
    """Named members with those of bases and of unnamed aggregates, as (name, item)."""
    for base in report["bases"]:
        yield from own_members(base)
    for member in report["members"]:
        if member["name"]:
            yield member["name"], member
        else:
            yield from own_members({"bases": [], "members": member["members"]})


def layout(context, name, compiler, version):
    suffix, _, flags, text, structs = LAYOUTS[name]
    directory = context.scratch / "peerfaults" / f"{name}-{compiler}-{version}"
    directory.mkdir(parents=True, exist_ok=True)
    is_cxx = suffix == ".cc"
    source = (directory / f"case{suffix}").resolve()
    source.write_text(text + "\n" + "".join(f"{struct} an_{number};\n" for number, struct in enumerate(structs)))
    probe = directory / f"probe{suffix}"
    probe.write_text(program(source, structs, is_cxx))
    flags = ["-w", f"-gdwarf-{version}", *(["-std=c++20", "-fno-access-control"] if is_cxx else []),
             *(["-fstandalone-debug"] if compiler == "clang++" else [])]
    context.compile(compiler, [*flags, "-c"], [source], directory / "case.o")
    context.compile(compiler, [*flags, "-mcmodel=large"] if name == "large-array" else flags, [probe], directory / "probe")
    truth = {}
    for line in context.good([(directory / "probe").resolve()]).out.splitlines():
        words = line.split(" ")
        if words[0] == "=":
            current = truth[" ".join(words[2:])] = (int(words[1]), {})
        else:
            current[1][words[0]] = (int(words[1]), int(words[2]))
    for struct, (size, members) in truth.items():
        report = context.json(directory / "case.o", "struct", struct)["structs"]
        check(len(report) == 1, f"{len(report)} structs for '{struct}'")
        report = report[0]
        found = {one: (item["offset"], item["size"]) for one, item in own_members(report)
                 if "_vptr" not in one and "bit_size" not in item}
        check(report["size"] == size and found == members, f"{struct}: {report['size']}, {found}\nshould be {size}, {members}")
        used = {byte for offset, length in members.values() for byte in range(offset, offset + length)
                } if size < 1 << 20 else set()
        for hole in report["holes"]:
            clash = used & set(range(hole["offset"], hole["offset"] + min(hole["size"], 1 << 20)))
            check(not clash, f"{struct}: the hole at {hole['offset']} is in use: {sorted(clash)}")
        if name in ("tail", "no-unique-address"):
            check(not report["holes"], f"{struct}: holes {report['holes']}")
        if name == "large-hole":
            check(report["holes"] == [{"offset": 1, "size": 131071}], str(report["holes"]))


def binary(context, name, text, *flags):
    directory = context.scratch / "peerfaults" / name
    directory.mkdir(parents=True, exist_ok=True)
    source = directory / f"{name}.c"
    source.write_text(text)
    context.compile("gcc", ["-g", "-c", *flags], [source], directory / f"{name}.o")
    return directory / f"{name}.o"


def exit_status(context):
    good = binary(context, "exit", "struct conf { int a; } c;")
    for arguments in ((good, "struct", "nosuch"), (good.with_name("missing.o"), "struct", "conf"),
                      (good.with_name("missing.o"), "list")):
        result = context.linelint(*arguments, status=2)
        check(not result.out, str(result))


def line_size(context):
    good = binary(context, "line", "struct conf { char a[300]; } c;")
    for size in ("63", "0", "96", "-64"):
        context.linelint(f"--line-size={size}", good, "struct", "conf", status=2)
    context.need("clang")
    other = good.with_name("s390x.o")
    context.compile("clang", ["-g", "-c", "--target=s390x-linux-gnu"], [good.with_name("line.c")], other)
    check(context.json(other, "struct", "conf")["line_size"] == 256, "the line of s390x has 256 bytes")


def two_layouts(context):
    first = binary(context, "first", "struct conf { long a, b, c; } c1;")
    second = binary(context, "second", "struct conf { char a[48]; } c2;")
    both = first.with_name("both.o")
    context.good(["ld", "-r", first, second, "-o", both])
    found = context.json("--all-definitions", both, "struct", "conf")["structs"]
    check([(one["size"], one["definitions"], one["unit"].endswith(unit)) for one, unit in
           zip(found, ("first.c", "second.c"))] == [(24, 2, True), (48, 2, True)], str(found))
    result = context.linelint("--verbose", both, "struct", "conf")
    check("LL011" in result.out, str(result))


def local_types(context):
    context.need("g++")
    directory = context.scratch / "peerfaults" / "local"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "local.cc").write_text(
        "class outer { class inner { int a; }; inner i; };\nouter o;\nnamespace { struct hidden { int h; }; }\nhidden h;\n"
        "int f(int n) { struct mine { int a; char b; } m = {n, 1}; { struct mine { long z; } o = {n}; n += o.z; } return m.a + n; }\n"
        "int outside() { auto l = [] { struct within { short s; } w = {1}; return w.s; }; return l(); }\n")
    context.compile("g++", ["-g", "-c"], [directory / "local.cc"], directory / "local.o")
    found = [(one["qualified_name"], one["size"], one["local"]) for one in context.json(directory / "local.o", "list")["structs"]]
    for one in (("outer::inner", 4, False), ("(anonymous namespace)::hidden", 4, False), ("f()::mine", 8, True)):
        check(one in found, f"{one} is not in {found}")
    check(any("within" in one[0] and one[2] for one in found), str(found))


def no_debug(context):
    good = binary(context, "bare", "struct conf { int a; } c;", "-g0")
    result = context.linelint(good, "struct", "conf", status=2)
    check(re.search(r"-g\b", result.err), str(result))
    few = binary(context, "few", "struct conf { int a; } c; int main(void) { return c.a; }", "-g1")
    result = context.linelint(few, "struct", "conf", status=2)
    check("conf" in result.err, str(result))


def stable(context):
    good = binary(context, "stable", "".join(f"struct s{n} {{ char a[{n % 97 + 1}]; long b; }} v{n};\n" for n in range(400)))
    runs = {context.linelint("--format", "json", f"--jobs={jobs}", good, "list").out for jobs in (1, 2, 4, 4)}
    check(len(runs) == 1, "the output depends on --jobs")


def tests(context):
    for name, (_, compilers, _, _, _) in LAYOUTS.items():
        for compiler in compilers:
            for version in VERSIONS:
                yield Test(f"peerfaults/{name}/{compiler}-{version}",
                           lambda n=name, c=compiler, v=version: layout(context, n, c, v))
    for test in (exit_status, line_size, two_layouts, local_types, no_debug, stable):
        yield Test(f"peerfaults/{test.__name__}", lambda t=test: t(context))
